# A list of many candidates takes memory by the bytes of its file: 2.5 for each, beside 16 MiB for the program.
case $(basename "$BUILD") in *asan* | *tsan*) echo "sanitizers need much memory" >&2; exit 77 ;; esac
seq 300000 | awk '{ printf "0 ||| candidate %d ||| a= %d b= -1.5 ||| -%d\n", $1, $1 % 1000, $1 }' >lists
echo 'a= 1' >weights
memory() { # COMMAND...
  "$@" --cost --threads 1 lists 2>cost | tail -n 1
  grep -oE '[0-9]+ MiB' cost | awk -v file="$(stat -c %s lists)" '
    { most = file * 2.5 / 1048576 + 16; print "  " ($1 < most ? "bounded" : $1 " MiB, of at most " most) }'
}
memory tt-rerank select --weights weights
memory tt-rerank select --weights weights --n-best 10
seq 300000 >more
memory tt-rerank select --weights weights --feature c=more
