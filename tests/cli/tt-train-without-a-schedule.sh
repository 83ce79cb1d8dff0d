# Schedule-free training: its one schedule need not be said, another is refused, a run goes on to the same bits, and what it saves is a model.
. "$TT_ROOT/tests/cli/train.bash"
prepare
shown() { tt-train "$@" --print-config | grep -E '"(optimizer|schedule|average_power)"'; }
shown --optimizer schedule-free
echo '{"optimizer": "schedule-free", "schedule": "cosine"}' >settings.json
try shown --config settings.json
shown --config settings.json --schedule constant
try shown --optimizer schedule-free --average-decay 0.9
free() { quick_train -q --optimizer schedule-free --dev corpus/dev.en corpus/dev.ja --extra-length 2 "$@"; }
free -o whole --max-updates 12 --valid-every 6
free -o parts --max-updates 7 --valid-every 6
free -o parts --max-updates 12 --valid-every 6
cmp whole/update-0000012.tt parts/update-0000012.tt && echo same
tt-translate -q -m parts/update-0000012.tt <corpus/dev.en | wc -l | named "lines"
tt-train --resume parts --max-updates 13 --optimizer adam --schedule paper -q
try quick_train -q -o late --schedule wsd --max-updates 20
quick_train -q -o late --schedule wsd --max-updates 25 --report-every 1 --log log
sed -nE 's/.*"event":"train","update":(20|21|24|25),.*"rate":([0-9.e-]+).*/rate of update \1: \2/p' log
echo "Limits that come before a fall"
cut_short() { quick_train -q -o "$1" --max-updates 40 --max-epochs 1 "${@:2}" 2>err; echo "exit status $?"; sed -E 's/still [0-9.e-]+/still RATE/' err; }
cut_short stable --schedule wsd; cut_short slow --schedule linear; cut_short paper --schedule paper
refused() { tt-train "$@" --print-config 2>&1 >/dev/null; }
refused --schedule linear --rate 0.1 --warmup 0 --max-updates 1; refused --average-power 2
free -o alike --max-updates 12 --average-power 0 --valid-every 6; cmp -s {whole,alike}/update-0000012.tt || echo "later points weigh more"
quick_train -q -o views --r-drop 5 --dropout 0 --max-updates 1 2>&1; [ -e views ] || echo "no run"
