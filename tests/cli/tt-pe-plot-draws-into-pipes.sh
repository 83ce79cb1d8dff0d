# -o with a pipe, a process or a name of stdout gets the picture directly, PNG unless another format is chosen.
kind() { head -c 5 | tr -dc 'A-Za-z<?'; echo; }
draw() { timeout 60 tt-pe-plot -n 5 -d 16 "$@"; }
mkfifo pipe pipe.svg
kind <pipe & draw -o pipe; wait
kind <pipe.svg & draw -o pipe.svg; wait
kind <pipe & draw -o pipe --format pdf; wait
{ draw -o >(kind >&9); } 9>&1 | cat
draw -o /dev/stdout | kind
draw -o /dev/stdout >file && kind <file
draw -o /dev/stdout --format svg | kind
[ -p pipe ] && [ -p pipe.svg ] && ls
draw -o /dev/null && [ -c /dev/null ] && echo "nothing lost"
mkdir folder.png; draw -o folder.png; echo "exit status $?"
