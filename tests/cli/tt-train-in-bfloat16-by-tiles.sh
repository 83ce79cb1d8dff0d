# Training by emulated tiles, a run that goes on with other instructions, and the precision that a processor is fast in.
. "$TT_ROOT/tests/cli/train.bash"
prepare
train() { TT_INSTRUCTIONS=$1 quick_train -q --precision bfloat16 --d-model 16 --d-ff 32 --heads 2 --encoder-layers 1 --decoder-layers 1 "${@:2}"; }
train emulated-amx -o tiles --max-updates 4 --threads 1 && train emulated-amx -o other --max-updates 4 --threads 2
cmp tiles/update-0000004.tt other/update-0000004.tt && echo 'the same bits with two threads'
train any -o any --max-updates 4
cmp -s tiles/update-0000004.tt any/update-0000004.tt || echo 'others without tiles'
TT_INSTRUCTIONS=any tt-train -q --resume other --max-updates 6 2>&1
TT_INSTRUCTIONS=emulated-amx quick_train -q -o auto --log auto.log --max-updates 1 --precision auto
grep -o '"device".*"instructions":"[a-z]*"' auto.log
TT_INSTRUCTIONS=any tt-train -q --resume auto --max-updates 2 --precision auto 2>&1
