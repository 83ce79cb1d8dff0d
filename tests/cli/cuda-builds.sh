# Built with CUDA=1, if nvcc is installed: every kernel compiles, and a program links and uses a GPU or says why it cannot.
command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ] || { echo "there is no nvcc" >&2; exit 77; }
set -e
make -s -C "$TT_ROOT" CUDA=1 BUILD=build/cuda build/cuda/tt-translate >log 2>&1 || { cat log; exit 1; }
"$TT_ROOT/build/cuda/tt-translate" --help | grep -o 'cuda\[:N\]'
"$TT_ROOT/build/cuda/tt-translate" -m none.tt --device cuda </dev/null 2>error && exit 1
grep -qE 'driver|no GPU|none\.tt: cannot be read' error && echo 'one clear line' && test "$(wc -l <error)" = 1
