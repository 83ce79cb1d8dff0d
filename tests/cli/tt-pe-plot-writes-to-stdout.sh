# -o - writes the picture to stdout, the same as to a file; --format overrides any suffix; a reader may close the pipe early.
kind() { head -c 5 | tr -dc 'A-Za-z<?'; echo; }
for tool in "tt-pe-plot -n 5 -d 16" "tt-log-plot log" "tt-attention-plot attention"; do
  . "$TT_ROOT/tests/cli/log.bash"; run 100 300 >log
  . "$TT_ROOT/tests/cli/attention.bash"; records >attention
  $tool -o - | kind
  $tool -o - --format svg | kind
  $tool -o - --format pdf | kind
done
tt-pe-plot -o - >stream && tt-pe-plot -o file.png && cmp stream file.png && echo "the same"
tt-pe-plot -o picture --format svg && kind <picture
tt-pe-plot -o picture.png --format pdf && kind <picture.png
tt-pe-plot -n 400 -o - | head -c 1 | wc -c
echo "${PIPESTATUS[0]}"
try() { "$@"; echo "exit status $?"; }
try tt-pe-plot -o - --format gif
try tt-pe-plot --format png
try tt-pe-plot -o '' --format png
try tt-log-plot --follow -o - log
tt-pe-plot -o - >/dev/full || echo "exit status $?"
