# A table against numbers and against names, with a spread and a missing value; mistakes with their line.
export COLUMNS=80
printf '%s\t%s\t%s\t%s\n' length base base+- small 1-20 38.9 0.6 36.0 21-40 38.8 0.9 33.1 41+ 36.5 2.1 - >length.tsv
tt-table-plot length.tsv --y-label BLEU --title "Multi30k" --terminal ascii
printf '%s\t%s\n' beam tokens/s 1 1600 2 800 4 400 8 200 16 100 | tt-table-plot --log-x --log-y --terminal ascii
tt-table-plot length.tsv -o a.png && tt-table-plot length.tsv -o b.svg && tt-table-plot length.tsv -o c.pdf && ls
try() { tt-table-plot "$@"; echo "exit status $?"; }
try length.tsv --log-x -o d.png
try missing.tsv -o d.png
printf 'a\tb\n1\t2\n3\n' | try -o d.png
printf 'a\tb\n1\tx\n' | try -o d.png
printf 'a\tb\n1\t-2\n' | try --log-y -o d.png
try length.tsv
# Values below twelve decades are below the picture.
printf 'n\tp\n1\t1\n2\t1e-20\n3\t1e-5\n' | tt-table-plot --log-y --terminal ascii
tt-table-plot length.tsv --y-label BLEU --tsv
# Means that no line joins stand across their bars.
printf 'setting\tBLEU\tBLEU+-\nA\t5\t2\nB\t4\t2\n' | tt-table-plot --terminal ascii | grep -c '[*][*][*]'
