# Every kernel compiles, if nvcc is installed, and a program that is linked with them uses a GPU or says why it cannot.
command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ] || { echo "there is no nvcc" >&2; exit 77; }
[ "$(basename "$BUILD")" = release ] || { echo "only with MODE=release" >&2; exit 77; }
tt=$BUILD/cuda/tt-translate
"$tt" --help | grep -o 'cuda\[:N\]'
"$tt" -m none.tt --device cuda </dev/null 2>error && exit 1
grep -qE 'driver|no GPU|none\.tt: cannot be read' error && echo 'one clear line' && test "$(wc -l <error)" = 1
# With MPI and NCCL, where they are installed.
train=$BUILD/cuda/tt-train
[ -x "$train" ] || exit 0
ldd "$train" | grep -q nccl || exit 1
"$train" --train none --subword none -o none --device cuda 2>error && exit 1
grep -qE 'driver|no GPU|none: cannot be read' error && test "$(wc -l <error)" = 1
