# mpirun with 1 to 4 processes gives the bits of one process, whatever their number when a run goes on that was killed or stopped.
[ -x "$BUILD/mpi/tt-train" ] || { echo "there is no libopenmpi-dev" >&2; exit 77; }
mpirun --version >mpi 2>&1 && grep -q 'Open MPI' mpi || { echo "there is no mpirun of Open MPI" >&2; exit 77; }
case $(basename "$BUILD") in *tsan*) echo "TSan does not see how Open MPI waits" >&2; exit 77 ;; esac
. "$TT_ROOT/tests/cli/train.bash"
export ASAN_OPTIONS=detect_leaks=0  # by Open MPI
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
prepare
# A model that has all characters of the development text, so that no run ends with status 3.
tt-bpe train -q --vocab-size 400 --coverage 1 -o subword.model corpus/{train,dev}.{en,ja}
# Shards that no number of ranks but one divides, and gradients of several chunks.
set -- $quick --d-model 96 --shards 5 --accumulate 2 --average-decay 0.9 --valid-every 10 --extra-length 2 --max-updates 20 --report-every 1 --threads 1 \
  --train corpus/train.en corpus/train.ja --dev corpus/dev.en corpus/dev.ja --subword subword.model
ranks() { mpirun -q --oversubscribe --bind-to none -np "$@"; }
same() {
  cmp whole/update-0000020.tt "$1/update-0000020.tt" && cmp <(tail -c 300000 whole/state.tt) <(tail -c 300000 "$1/state.tt") && echo same
}
tt-train "$@" -q -o whole
for n in 1 2 3 4; do
  echo "ranks: $n"
  ranks $n "$BUILD/mpi/tt-train" "$@" -q -o run-$n --log log-$n && same run-$n
  grep -c . log-$n | named "lines of the log"
done
for signal in KILL TERM; do
  echo "SIG$signal to the last of 3 ranks"
  mpirun -q --oversubscribe --bind-to none -np 3 "$BUILD/mpi/tt-train" "$@" -q -o $signal --log log-$signal >said 2>&1 & pid=$!
  until [ -s log-$signal ] && [ "$(wc -l <log-$signal)" -gt 8 ]; do sleep 0.02; done
  kill -$signal "$(pgrep -P $pid | tail -n 1)"
  wait $pid 2>/dev/null && echo "ended before the signal"
  ranks 2 "$BUILD/mpi/tt-train" "$@" -q -o $signal --log log-$signal && same $signal
done
echo "on emulated GPUs"
gpu=("$BUILD/mpi/tt-train" ${quick/--tokens 400/--tokens 120} --d-model 96 --shards 3 --average-decay 0.9 --max-updates 4 --threads 1 -q
  --train corpus/train.en corpus/train.ja --subword subword.model)
"${gpu[@]}" --device cuda -o gpu-1
for n in 2 3; do
  ranks $n "${gpu[@]}" --device cuda:0 -o gpu-$n
  cmp gpu-1/update-0000004.tt gpu-$n/update-0000004.tt && cmp <(tail -c 300000 gpu-1/state.tt) <(tail -c 300000 gpu-$n/state.tt) && echo same
done
echo "errors"
failed() { "$@" >out 2>err; echo "$? $(grep -c . err) $(grep ^tt-train err)"; }
failed ranks 2 "$BUILD/mpi/tt-train" "$@" -q -o refused --shards 1
failed ranks 2 "$BUILD/mpi/tt-train" -q --train - --subword subword.model -o refused
failed ranks 2 "$BUILD/mpi/tt-train" "$@" -q -o refused --heads 7
failed ranks 2 "${gpu[@]}" --device cuda -o refused
failed ranks 1 "${gpu[@]}" --device cuda:0 --precision bfloat16 -o refused : -np 1 "${gpu[@]}" --device cuda:0 -o refused
failed ranks 2 sh -c "exec '$BUILD/mpi/tt-train' \"\$@\" --seed \$OMPI_COMM_WORLD_RANK" sh "$@" -q -o refused
failed ranks 2 sh -c "[ \$OMPI_COMM_WORLD_RANK = 0 ] || cd corpus; exec '$BUILD/mpi/tt-train' \"\$@\"" sh "$@" -q -o refused
ranks 2 tt-train "$@" -q -o refused 2>&1 | grep ^tt-train | sort -u
[ ! -e refused ] && echo "nothing was made"
