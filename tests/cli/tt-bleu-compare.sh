# Where two systems differ, in text and in JSON.
. "$TT_ROOT/tests/cli/bleu.bash"
tt-bleu ref.1 ref.2 -i a.txt b.txt --compare --top 2 --metric chrf,bleu
tt-bleu ref.1 ref.2 -i a.txt b.txt --compare --top 1 --json
tt-bleu ref.1 ref.2 -i a.txt b.txt --compare --top 0 --length-step 1
