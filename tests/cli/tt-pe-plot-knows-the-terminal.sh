# On a terminal the picture uses the terminal's colours, and no line is wider than its window.
command -v script >/dev/null || { echo "no script(1)" >&2; exit 77; }
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "no pseudo-terminals here" >&2; exit 77; }
export LC_ALL=C.UTF-8
shown() { script -qec "stty cols 80 rows 24; env $* tt-pe-plot" /dev/null </dev/null; }
for kind in "COLORTERM=truecolor TERM=xterm" "COLORTERM= TERM=xterm-256color" "COLORTERM= TERM=dumb" \
            "COLORTERM=truecolor TERM=xterm LC_ALL=C" "COLORTERM=truecolor TERM=xterm NO_COLOR=1"; do
  text=$(shown $kind)
  echo "$kind: 24 bits $(grep -q '\[38;2;' <<<"$text" && echo yes || echo no)," \
       "256 colours $(grep -q '\[38;5;' <<<"$text" && echo yes || echo no)," \
       "half blocks $(grep -q '▀' <<<"$text" && echo yes || echo no)"
  widest=$(sed "s/\x1b\[[0-9;]*m//g; s/\r\$//" <<<"$text" | wc -L)
  [ "$widest" -le 80 ] || echo "a line is $widest columns wide"
done
script -qec "tt-pe-plot -o -" /dev/null </dev/null | tr -d '\r'
