# A stored corpus trains the same model, is read again only while nothing has changed, and is never mistaken for another file.
. "$TT_ROOT/tests/cli/train.bash"
prepare
limits="-q --max-updates 3"
quick_train $limits -o plain
same() { cmp plain/update-0000003.tt $1/update-0000003.tt && echo "$1: the same"; }
quick_train $limits -o made --store pairs; same made
inode() { stat -c %i pairs; }
before=$(inode)
quick_train $limits -o read --store pairs; same read
[ $before = $(inode) ] && echo "not made again"
# A file that was written to since; the text is the same.
touch -d 2001-01-01 corpus/train.ja
quick_train --max-updates 3 -o again --store pairs 2>&1 | grep storing; same again
[ $before != $(inode) ] && echo "made again"
# Another text of the same size, at the same time.
cp -r corpus old
sed -i 's/dog/god/' corpus/train.en; touch -r old/train.en corpus/train.en
quick_train $limits -o other --store pairs; quick_train $limits -o unstored; cmp {other,unstored}/update-0000003.tt
cmp -s {other,plain}/update-0000003.tt || echo "another model"
cp old/train.en corpus; rm -r old other unstored; quick_train $limits -o restored --store pairs; same restored; rm -r restored

echo "my notes" >notes
quick_train $limits -o notes.run --store notes; echo "exit status $?"; cat notes
head -c 3000 pairs >cut
quick_train $limits -o cut.run --store cut; echo "exit status $?"
cp pairs changed; head -c 4000 /dev/zero | tr '\0' '\377' | dd of=changed bs=16 seek=1 conv=notrunc status=none
quick_train $limits -o changed.run --store changed; echo "exit status $?"
# Other pieces, as good as those that were stored.
{ head -c 16; head -c 4000 | tr '\005-\055' '\006-\056'; cat; } <pairs >flipped
quick_train $limits -o flipped.run --store flipped; echo "exit status $?"
paste corpus/train.en corpus/train.ja | tt-train $quick $limits -o tsv --train - --subword subword.model --store tsv.pairs; echo "exit status $?"
quick_train $limits -o folder --store corpus; echo "exit status $?"
# In the folder of a run that is not there yet, and is there afterwards only with a run.
quick_train $limits -o within --store within/pairs; same within; cmp pairs within/pairs; ls within
head -n 9 corpus/train.en >short.en
tt-train $quick $limits -o failed --train short.en corpus/train.ja --subword subword.model --store failed/pairs; echo "exit status $?"; rm short.en
mkfifo pipe; quick_train $limits -o folder --store pipe; echo "exit status $?"; rm pipe
quick_train $limits -o frozen --store frozen.pairs --freeze nothing; echo "exit status $?"
# Where nothing can be stored, and what the run is yet to write.
for store in - new.run ./new.run/update-0000050.tt new.run/previous.tt; do quick_train $limits -o new.run --store $store; echo "exit status $?"; done
quick_train $limits -o new.run/ --store new.run; echo "exit status $?"
quick_train $limits -o new.run --store ./new --log new; echo "exit status $?"
ls
