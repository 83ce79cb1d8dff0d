# The recipes of tt-integration(7) for vim and Emacs: what is selected is translated, and nothing else.
. "$TT_ROOT/tests/cli/integration.bash"
needs vim emacs
export TERM=vt100
printf '%s\n' 'The dog eats.' 'The cat sleeps.' >source
tt-translate -q --sentences en <source >expected
text() { printf 'before\nThe dog eats.\nThe cat sleeps.\nbehind\n' >text; }
right() { [ "$(head -n 1 text; tail -n 1 text)" = $'before\nbehind' ] && sed 1d text | sed '$d' | cmp - expected && echo "$1: the lines that were asked for"; }
recipe vimrc; recipe tt.el
text; printf ':2\rVj\\t:wq\r' >keys; vim -N -u vimrc -i NONE -n -s keys text >log 2>&1 </dev/null; right vim
{ echo before; echo; cat source; echo; echo behind; } >text; printf ':3\r\\t:wq\r' >keys; vim -N -u vimrc -i NONE -n -s keys text >log 2>&1 </dev/null
  sed -i '/^$/d' text; right "vim, a paragraph"
text; emacs -Q --batch -l tt.el --eval '(progn (find-file "text") (goto-char 1) (forward-line 1)
  (let ((from (point))) (forward-line 2) (tt-translate-region from (point))) (save-buffer))' >log 2>&1; right emacs
