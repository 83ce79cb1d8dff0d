# Options that contradict each other, or that need another.
. "$TT_ROOT/tests/cli/train.bash"
. "$TT_ROOT/tests/cli/refused.bash"
prepare
trained_run 2
mv run/update-0000002.tt m
echo x >x; echo 'no piece' >nopiece; printf '</s>\n' >end
while read -r options; do
  refused tt-translate -q -m m $options
done <<'EOF'
--n-best 5 --beam 3
--groups 3 --beam 4
--diversity 1
--sample --groups 2
--top-k 3
--seed 3
--score x --n-best 2
--score x --prefix x
--score x --sample
--score x --beam 2
--sample --beam 2
--json --prefix x
--token-scores
--self-attention
--column 1 --format json
--column 1 --format moses
--keep=
--markup html --keep urls,tags
--markup sgml
--markup html --keep accelerators
--case --score x
--markup xml --score x
--alignment hard --alignment-heads=
--column 1 --json
--compare-precision x --n-best 2
--compare-precision x --json
--column 1 --n-best 2
--json --format text
--alignment-heads 1
--alignment hard --alignment-heads 9
--alignment hard --alignment-heads 1.x
--alignment hard --alignment-heads 1.3
--forbid nopiece
--sample --temperature 0
--sample --top-p 2
--format xml
--keep ,
--n-best 0
--forbid end
EOF
