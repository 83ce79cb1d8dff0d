# Reading takes time in proportion to its text, whatever begins in it and does not end: from 8,000 openers to 32,000 the instructions
# grow with an exponent below 1.3. valgrind counts them, so that the numbers are the same on a busy machine.
case $BUILD in *asan*|*tsan*|*fuzz*) echo "valgrind cannot run programs with sanitizers" >&2; exit 77 ;; esac
command -v valgrind >/dev/null || { echo "there is no valgrind" >&2; exit 77; }
valgrind --tool=callgrind --callgrind-out-file=count --dump-before='tt::measured_reading*' \
  "$BUILD/growth" >names 2>log
status=$?
! grep -q 'unhandled instruction\|Illegal opcode' log || { echo "valgrind does not know an instruction of this processor" >&2; exit 77; }
[ $status -eq 0 ] || { tail -n 20 log; exit 1; }
# The first count is of the start of the program; the third of each opener, of what is between two of them.
for file in $(ls count.* | sort -t. -k2n | tail -n +2); do sed -n 's/^totals: //p' "$file"; done | paste - - - >counts
paste counts names | awk -F '\t' '
  { exponent = log($2 / $1) / log(4) }
  exponent >= 1.3 { printf "exponent %.2f: %s\n", exponent, $4; slow++ }
  END { print (NR > 200 ? "over 200" : NR) " openers, " slow + 0 " of them too slow" }'
