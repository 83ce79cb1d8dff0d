# The thread sanitizer tells threads of an emulated GPU apart, and knows what orders them and what does not.
case $(basename "$BUILD") in *tsan*) ;; *) echo "needs MODE=tsan" >&2; exit 77 ;; esac
"$BUILD/unit" --list-test-names-only '[race]' >cases
[ -s cases ] || { echo "this build has no emulated GPU" >&2; exit 77; }
while read -r name; do
  "$BUILD/unit" -w NoTests "$name" >said 2>&1 && status=0 || status=$?
  echo "$name: exit status $status, $(grep -q '^SUMMARY: ThreadSanitizer: data race' said && echo "a data race" || echo "no data race")"
done <cases
