# Mistakes: what was wrong and what to do, on stderr; 2 for options, 1 for the files they name.
try() { tt-pe-plot "$@"; echo "exit status $?"; }
try
try -o picture
try --dimensions 4,x --tsv
try --dimensions 512 --tsv
try -n 100000 -d 65536 --tsv
try -n 20000 --similarity --tsv
try -m missing.tt --tsv
try -n 0 --tsv
try --layout spiral --tsv
try --similarity --wavelength --tsv
try --wavelength -n 3 --tsv
try --wavelength --first 3 --tsv
try -o a.png --tsv
