# A line for each line of the source, whatever the lists have, and what was wrong.
t() { tt-mbr "$@" 2>err; echo "exit status $?"; cat err; }
lists() { printf '%s\n' "$@" >lists; }
echo "== missing: 1 and 3"
lists '0 ||| a b' '2 ||| c d' '4 ||| e f'; t lists
echo "== missing at the end, which the source knows"
printf 'A\nB\nC\nD\nE\nF\n' >source; t --source source lists
head -n 3 source >three; t --source three lists
echo "== a number twice, and out of order"
lists '0 ||| a b' '1 ||| c d' '0 ||| again' '3 ||| g h' '2 ||| e f' '4 ||| i j'; t lists
echo "== no lines of a list"
lists '0 ||| a b' '' '1 || c' '-1 ||| d' '1 ||| e f' '99999999999999999999999 ||| x' ' 2 ||| y' '2 |||'; t lists
echo "== not UTF-8"
printf '0 ||| a \xff b\n1 ||| c\n' >lists; t lists
echo "== fields that are others"
lists '0 ||| a ||| b c ||| d' '0 ||| a ||| b ||| F= 1 ||| -1' '1 ||| x | || y ||| F= 1 2 G: 3 H=4 ||| -2 ||| more' '2 ||| a |||  ||| ' '3 ||| ||| F= 1 ||| 2'
t lists; t --n-best 1 lists
echo "== probabilities that are none"
lists '0 ||| a b ||| P= nan ||| 0' '0 ||| a c ||| P= -1 ||| 0' '0 ||| b d ||| P= inf ||| 0' '1 ||| x ||| P= - ||| 0' '1 ||| y ||| Q= 1 ||| 0' \
  '2 ||| z ||| P= 1e300 ||| 0'
t --log-probability P lists
echo "== a list of one, of equals, of empty texts"
lists '0 ||| a' '1 ||| b' '1 ||| b' '2 ||| ' '2 ||| ' '3 ||| x' '3 ||| y'; t lists; t --n-best 3 lists
echo "== no lines at all, with and without a source"
: >none; t none; t --source three none
echo "== lists of nothing, still lists"
lists '1 ||| a'; t --n-best 2 lists
echo "== lists before the first line"
lists '1 ||| a' '2 ||| b' '1 ||| c'; t --first-line 3 lists
echo "== a text twice, and no references"
lists '0 ||| a' '0 ||| b' '0 ||| a' '1 ||| c'; printf '1 ||| c\n' >first; t --n-best 5 --references first lists
echo "== no LF at the end, CR, NUL, a TAB"
printf '0 ||| a\r\n1 ||| b\0c\n2 ||| d\te' >lists; t lists | od -c
echo "== references that are missing or stray"
lists '0 ||| a' '1 ||| b' '3 ||| c' >lists; printf '%s\n' '1 ||| b' '2 ||| x' '5 ||| y' >references; t --references references lists
echo "== references behind the last list, and behind that of the last line of the source"
printf '%s\n' '0 ||| a' '1 ||| b' '2 ||| c' >references; printf '0 ||| a\n' >first
t --references references first; t --references references --source <(echo x) first
printf '["a"]\n["b"]\n' >json; printf '["a"]\n' | t --json --references json
echo "== references without a probability, in their own file"
printf '%s\n' '0 ||| b ||| P= x' '1 ||| b ||| P= -1' '3 ||| c ||| Q= 1' >references; t --references references --log-probability P lists
echo "== nothing on the standard input"
t --source three </dev/null; t --references - lists </dev/null
echo "== JSON"
printf '%s\n' '{"n_best": []}' '{"a": 1}' '{' '' 'null' '{"n_best": 3}' '["a", 3, {"x": 1}, {"text": 7}]' '{"n_best": [null]}' \
  '{"n_best": ["a"], "error": "was here"}' '{"n_best": ["\ud800 b"]}' >json
printf '["a\xff"]\n' >>json
t --json json
t --json --n-best 5 json | head -n 3
printf '["a"]\n["b"]\n' >two; t --json --source three two
printf '["a", "b"]\n["c", "b"]\n["d"]\n' >others; t --json --references two others
echo "== damaged input: the lines before it are there"
printf '0 ||| a\n1 ||| b\n2 ||| c\n' | gzip | head -c 30 >damaged.gz; t damaged.gz | sed 's/damaged.gz:.*/damaged.gz: .../'
