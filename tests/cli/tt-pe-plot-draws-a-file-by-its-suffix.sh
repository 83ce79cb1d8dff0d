# PNG, SVG and PDF by the suffix, in any case; nothing on stdout; a plain file that appears only when complete.
tt-pe-plot -n 5 -d 16 -o a.png
tt-pe-plot -o b.SVG --similarity
tt-pe-plot -o c.pdf --dimensions 4,5,6 -d 20 -n 100
tt-pe-plot -o d.png --wavelength
head -c 4 a.png | tail -c 3; echo
grep -c '<svg' b.SVG
head -c 5 c.pdf; echo
ls
# A file that cannot be written, and one that was there before.
echo old >kept.jpg
tt-pe-plot -o kept.jpg; echo "exit status $?"; cat kept.jpg
tt-pe-plot -o missing/a.png 2>&1 | grep -c missing/a.png
