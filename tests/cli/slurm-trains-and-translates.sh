# The scripts for Slurm, under a real one: a run that is asked to make room is saved, queued again and goes on to the bits of one that was
# left alone; scancel ends it; an array of jobs translates what one command does.
. "$TT_ROOT/tests/cli/train.bash"
. "$TT_ROOT/tests/cli/slurm.bash"
start_slurm
prepare >/dev/null
set -- tt-train $quick -q --threads 1 --report-every 1 --max-updates 300 --train corpus/train.en corpus/train.ja --subword subword.model
"$@" -o whole
submit() { sbatch --parsable --output=job.log "$@" 2>>job.log; }
reports() { [ -s "$1" ] && [ "$(wc -l <"$1")" -gt "$2" ]; }
is() { [ "$(state "$1")" = "$2 " ]; }
job=$(submit "$TT_ROOT/data/train.sbatch" "$@" -o run --log log)
until_true reports log 20
scancel --batch --signal=USR1 "$job"
until_true is "$job" PENDING
[ ! -e run/done ] && [ -e run/state.tt ] && echo "saved and queued again"
until_true is "$job" COMPLETED
cmp whole/update-0000300.tt run/update-0000300.tt && echo same
job=$(submit "$TT_ROOT/data/train.sbatch" "$@" -o ended --max-updates 100000 --log log-ended)
until_true reports log-ended 20
scancel "$job"
until_true is "$job" CANCELLED
[ ! -e ended/done ] && [ -e ended/state.tt ] && echo "cancelled"
job=$(submit --array 1-3 "$TT_ROOT/data/translate.sbatch" run/update-0000300.tt corpus/test.en parts --threads 1)
until_true is "$job" COMPLETED
ls parts
tt-translate -q -m run/update-0000300.tt <corpus/test.en >one && cat parts/*.out | cmp - one && echo same
