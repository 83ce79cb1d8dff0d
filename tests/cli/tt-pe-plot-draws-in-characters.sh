# The fallback for terminals without colours, at 80 columns: 5 positions of 16 dimensions, and 30 of 512.
export COLUMNS=80
tt-pe-plot -n 5 -d 16 --terminal ascii
tt-pe-plot --terminal ascii
tt-pe-plot --terminal ascii --dimensions 4,6 -d 20 -n 100
tt-pe-plot -n 1 -d 4 --terminal ascii --title '' | head -n 1
tt-pe-plot -n 1 -d 4 --terminal ascii --title 'Another ▁title' | head -n 1
LC_ALL=C tt-pe-plot -n 1 -d 4 --terminal ascii --title 'Another ▁title' | head -n 1
