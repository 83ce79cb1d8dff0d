# Characters that nobody sees change nothing, and whatever the model does not read is said, with its line.
. "$TT_ROOT/tests/cli/train.bash"
prepare
# Soft hyphens in the training text are not read either.
sed '1~3s/\(..\)\([a-z]\)/\1\xc2\xad\2/' corpus/train.en >train.en
tt-bpe train -q --vocab-size 400 -o other.model train.en corpus/train.ja && cmp other.model subword.model && echo "the same subwords"
for file in corpus/train.en train.en; do tt-bpe encode -q -m subword.model $file | cksum; done | uniq | wc -l |
  named "kinds of pieces with and without soft hyphens"
trained_run 60
mv run/update-0000060.tt model.tt
t() { tt-translate -q -m model.tt --extra-length 10 "$@"; }
head -n 40 corpus/test.en >plain
t <plain >translated; echo "exit status $?"
# Each of these around a line and inside of its words: soft hyphen, ZWSP, ZWNJ, ZWJ, LRM, RLO, word joiner, isolates, BOM, selectors, tags.
for c in '\u00ad' '\u200b' '\u200c' '\u200d' '\u200e' '\u202e' '\u2060' '\u2066' '\u2069' '\ufeff' '\ufe0f' '\U000E0041' '\U000E0100' '\u061c'; do
  c=$(printf "$c")
  sed "s/[a-z]\\b/$c&/g; s/^/$c/; s/\$/$c/" plain | t | cmp - translated || printf '%q changes a line\n' "$c"
  printf '%s\n' "$c" "$c$c" " $c " | t | tr -d '\n' | wc -c
done | uniq -c | sed 's/^ *\([0-9]*\) 0/\1 characters that change nothing/'
# Words are those of the line as it was given.
printf 'the d\u00adog eats\nthe dog eats\n' | t --alignment hard | cut -f 2 | uniq | wc -l | named "kinds of alignments"
printf 'the d\u00adog\nthe dog\n' | t --attention - | sed 's/"line":[0-9]*//' | uniq | wc -l | named "kinds of attention"
printf 'd\u00adog\tHUND\n' >terms
printf 'the dog\nthe do\u200bg\n' | t --glossary terms 2>/dev/null | uniq | wc -l | named "kinds of translations with a term"
# A word that is not read has no links, and moves no others.
links() { t --alignment hard 2>/dev/null | cut -f 2 | tr ' ' '\n' | cut -d - -f 1 | sort -n | uniq -c; }
printf 'the dog eats\n' | links | awk '{ print $1, $2 + ($2 > 0) }' >moved
printf 'the \001 dog eats\n' | links | awk '{ print $1, $2 }' | cmp - moved && echo "links beside a word that is not read"
printf 'the dog eats \001\n' | links | awk '{ print $1, $2 }' | cmp - <(printf 'the dog eats\n' | links | awk '{ print $1, $2 }') &&
  echo "links before a word that is not read"
printf 'the \001 <b>dog</b> eats\n' | t --markup html 2>/dev/null | tr -d '\001' | cmp - <(printf 'the <b>dog</b> eats\n' | t --markup html 2>/dev/null) &&
  echo "tags"
# Characters that the model does not know, and those that it does not read.
printf 'the dog 😀 eats Ωβ😀\nthe dog\n\nthe \x07 dog\nthe Ω dog\ncrlf\r\n' >unknown
t <unknown >out 2>err; echo "exit status $?"; cat err; wc -l <out | named "lines"
t --keep marked <<<'the dog <keep>Ω😀</keep> eats' | grep -o Ω😀; echo "exit status $?"
printf '{"text": "the dog Ω eats", "prefix": "ʘ"}\n' | t --json 2>/dev/null | grep -o '"warning".*'
printf 'the dog\n' >source; printf '犬Ω\n' >target
t --score target source >/dev/null; echo "exit status $?"
t --prefix target source >/dev/null; echo "exit status $?"
printf 'the dog \377\n' | t >/dev/null
awk 'BEGIN { for (i = 0; i < 20; ++i) printf "%c%c%c", 206, 177 + i % 14, 32 }' | LC_ALL=C t >/dev/null
# White space that normalisation would delete is a space; U+FFFD that was given is not one.
for c in '\v' '\x1c' '\x1d' '\x1e' '\x1f'; do printf "the${c}dog eats\nthe dog eats\n" | t | uniq | wc -l; done | uniq -c |
  sed 's/^ *\([0-9]*\) 1/\1 that are read as a space/'
printf 'the \ufffd dog\n' | t >/dev/null; echo "exit status $?"
# A prefix that nobody sees is none.
printf '\u00ad\n' >prefix; echo | t --prefix prefix; echo "exit status $?"
# Unknown pieces of any translation that is written.
quick_train -q -o young --max-updates 5
head -n 4 plain >some
for list in '--n-best 1' '--n-best 8 --sample' '--n-best 8 --sample --format json'; do
  tt-translate -q -m young/update-0000005.tt --extra-length 10 $list <some >out 2>err
  echo "$list: exit status $?, $(grep -c ⁇ out) with, $(grep -c 'piece.* <unk> in the translation' err) reported"
done
# Bytes spell everything.
tt-bpe train -q --vocab-size 700 --byte-fallback -o subword.model corpus/train.en corpus/train.ja
quick_train -q -o bytes --max-updates 2
sed -n 1p unknown | tt-translate -q -m bytes/update-0000002.tt >/dev/null; echo "exit status $?"
# Markup that comes to nothing.
printf '<b>doctor</b>\nthe <i>dog</i> <br/> eats\na < b\n' | t >/dev/null; echo "exit status $?"
for keep in marked tags; do
  printf '<keep><b></keep>the dog<keep></b></keep> and <keep><i></keep>the cat<keep></i></keep>\n' | t --keep $keep 2>&1 | grep -o '<[^ ]*>' | tr -d '\n'; echo
done
printf 'the <keep>ACME</keep> dog and the <keep>ACME</keep> cat\n' | t --keep marked | grep -c 'ACME[a-zA-Z]' |
  named "lines in which a letter follows a kept name"
printf '%s\n' 'The dog eats 1 234 567 fish.' 'It is −5 or -$7.' 'At 10:30pm B2.' '1½ and ١٢ and १२' | sed 's/^/the dog /' >numbers
t --keep numbers <numbers 2>/dev/null | grep -o -e '1 234 567' -e '−5' -e '-$7' -e '10:30' -e B2 -e '1½' -e '١٢' -e '१२'
