# Without a font for a script, the picture has boxes: a single warning names a package with a font, and the status is 3.
. "$TT_ROOT/tests/cli/attention.bash"
records >a.jsonl
font=$(find /usr/share/fonts -name DejaVuSans.ttf | head -n 1)
[ -n "$font" ] || { echo "DejaVu Sans is not installed" >&2; exit 77; }
mkdir fonts none && cp "$font" fonts
configure() {
  echo "<?xml version='1.0'?><!DOCTYPE fontconfig SYSTEM 'fonts.dtd'><fontconfig><dir>$PWD/$1</dir><cachedir>$PWD/cache</cachedir></fontconfig>" >$1.conf
  export FONTCONFIG_FILE=$PWD/$1.conf
}
configure fonts
tt-attention-plot a.jsonl -o a.svg; echo "exit status $?"
tt-attention-plot a.jsonl --sentence 3 -o b.svg; echo "exit status $?"
tt-attention-plot a.jsonl --sentence 3 -q -o - >c.png; echo "exit status $?"
tt-attention-plot a.jsonl --sentence 3 --terminal ascii >/dev/null; echo "exit status $?"
. "$TT_ROOT/tests/cli/log.bash"
(run 100 1000; echo '{"event":"end"}') >学習.jsonl
tt-log-plot 学習.jsonl 習=学習.jsonl --follow -o d.png; echo "exit status $?"
configure none
tt-pe-plot -n 2 -d 2 -o e.png; echo "exit status $?"
ls *.svg *.png
