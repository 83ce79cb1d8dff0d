# The script that serves a folder of models by lighttpd, asked by curl.
PATH=$PATH:/usr/sbin
for program in lighttpd curl; do
  command -v $program >/dev/null || { echo "$program is not installed" >&2; exit 77; }
done
. "$TT_ROOT/tests/cli/train.bash"
prepare
trained_run 60
mkdir "it's models" temporary
cp run/update-0000060.tt "it's models/en-ja.tt"
cp "$TT_ROOT/data/serve" .
export TMPDIR=$PWD/temporary
case $(basename "$BUILD") in *asan* | *tsan*) export TT_SERVE_KIB=unlimited ;; esac
for arguments in '' none '. x' '. 1 --nonsense' '. 1'; do sh serve $arguments; echo "exit status $?"; done 2>&1 | sed "s|$PWD|FOLDER|"
begin() { # until it answers
  for _ in {1..20}; do
    port=$((20000 + RANDOM % 40000))
    sh serve "it's models" $port --beam 2 >>log 2>&1 &
    server=$!
    for _ in {1..100}; do
      curl -sf "http://127.0.0.1:$port/health" && return
      kill -0 $server 2>/dev/null || break
      sleep 0.1
    done
  done
  echo "lighttpd does not start" >&2; exit 1
}
begin
trap 'kill $server' EXIT
ask() { curl -s -m 60 -w '%{http_code}\n' "http://127.0.0.1:$port$@"; }
post() { ask /translate -H 'Content-Type: application/json' -d "$1"; }
ask /languages
ask /translate
t() { tt-translate -q -m "it's models/en-ja.tt" --sentences en --keep urls,emails,placeholders --beam 2 "$@"; }
head -n 40 corpus/test.en >lines
t <lines >expected
# Forms of all kinds.
t <<<"The dog eats." >one
for form in --data-urlencode -F; do
  ask /translate $form 'q=The dog eats.' $form source=en $form target=ja | sed 's/.*"translatedText":"//; s/".*//' | head -n 1 | cmp - one &&
    echo "as tt-translate"
done
printf 'The dog eats.%.0s ' {1..1000} | t >long
ask "/translate?source=en&target=ja&api_key=x&q=$(printf 'The%%20dog%%20eats.%.0s%%20' {1..1000})" -d '' | head -n 1 | sed 's/.*"translatedText":"//; s/".*//' | cmp - long &&
  echo "a long text in the query"
# Eight at once: each gets its own answer.
client() { # N: every eighth line
  awk -v n="$1" 'NR % 8 == n' lines | while read -r line; do
    post "{\"q\":\"$line\",\"source\":\"en\",\"target\":\"ja\"}" | head -n 1 | sed 's/.*"translatedText":"//; s/".*//'
  done >answers.$1
}
for n in {0..7}; do client $n & clients+=($!); done
wait "${clients[@]}"
for n in {0..7}; do awk -v n=$n 'NR % 8 == n' expected | cmp - answers.$n; done && echo "each has its own"
# What is wrong has a status, and the next is answered.
ask / | tail -n 1
ask /../../etc/passwd --path-as-is | tail -n 1
ask /languages/%2e%2e/health --path-as-is | tail -n 1
ask '/languages?--models+/' | tail -n 1
head -c 100000000 /dev/zero | ask /translate -H 'Content-Type: application/json' --data-binary @- | tail -n 1
head -c 1000000 /dev/zero | ask /translate -H 'Content-Type: application/json' --data-binary @- | tail -n 1
head -c 1000 /dev/zero | ask /translate -H 'Content-Type: image/png' --data-binary @- | tail -n 1
head -c 1000 /dev/urandom | ask /translate --data-binary @- | tail -n 1
ask /translate -X PUT -d q=a | tail -n 1
exec 3<>/dev/tcp/127.0.0.1/$port; printf 'POST /translate HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"q"' >&3; exec 3>&-
printf '{"q":"The dog eats.","source":"en","target":"ja"}' |
  ask /translate -H 'Content-Type: application/json' -H 'Transfer-Encoding: chunked' --data-binary @- | tail -n 1
post '{"q":"The dog eats.","source":"en","target":"../en"}'
# A signal ends it, and nothing is left: no file, no process, no text in a log.
kill $server; wait $server; echo "exit status $?"
trap - EXIT
curl -s "http://127.0.0.1:$port/health" || echo "it does not answer"
find temporary -type f
grep -c -i 'dog' log | named "lines of the log with a text"
