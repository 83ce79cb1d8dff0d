# Mistakes: what was wrong and what to do, with file and line.
. "$TT_ROOT/tests/cli/log.bash"
try() { tt-log-plot "$@"; echo "exit status $?"; }
(run 100 100; echo 'not json'; run 200 200) >broken; try broken --terminal ascii
(run 100 100; echo '{"event":"train","loss":2}'; run 200 200) >lacking; try lacking --terminal ascii
: >empty; try empty --terminal ascii
run 100 200 >a.jsonl; try a.jsonl --show bleu --terminal ascii
try a.jsonl --show blue --terminal ascii
try missing.jsonl --terminal ascii
try - --follow --terminal ascii
printf '\x89PNG' >picture.png
mkfifo pipe; try pipe --follow --terminal ascii
try a.jsonl --follow -o /dev/null
try new.jsonl --follow -o new.jsonl --format svg; ls new.jsonl
try a=a.jsonl b= --terminal ascii
try --follow a.jsonl/log --terminal ascii
try a=a.jsonl b=empty c=picture.png --show loss --terminal ascii | tail -n 2
try a=- b=- --terminal ascii <a.jsonl
try a.jsonl
try a.jsonl -o a.txt
try --terminal ascii
try a.jsonl --interval 2 --terminal ascii
try a.jsonl b=a.jsonl b=a.jsonl --terminal ascii
try a.jsonl a.jsonl --terminal ascii
try a.jsonl --x flops --show loss --terminal ascii
try x=missing.jsonl --terminal ascii
try picture.png --terminal ascii
for line in '{"event":3}' '{"loss":3}' '{"event":"train","update":-1}' '[]' '{"event":"train","upd'; do
  (echo "$line"; run 100 200) >broken; try broken --terminal ascii
done
echo '{"event":"valid","update":9,"loss":1,"bleu":0}' >zero; try zero --show bleu --log-y --terminal ascii
# Logs as a power loss leaves them.
{ run 100 300; head -c 4000 /dev/zero; echo; run 400 900; head -c 100 /dev/zero; } >power.jsonl
tt-log-plot -q --show loss -o power.png power.jsonl; echo "exit status $?"; rm power.*
