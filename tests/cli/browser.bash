# For tests in a real browser: Chromium without a window, driven by chromedriver over HTTP. Requires chromium, chromium-driver, curl.
for program in chromedriver chromium curl; do
  command -v $program >/dev/null || { echo "$program is not installed" >&2; exit 77; }
done
# The profile, caches and a home for it are in the folder of the test.
export HOME=$PWD TMPDIR=$PWD
browse() { # [WIDTH HEIGHT]: begins a session
  : >driver.log
  chromedriver --port=0 >>driver.log 2>&1 &
  driver=$!
  trap 'end_session' EXIT
  for _ in {1..200}; do
    port=$(sed -n 's/.*started successfully on port \([0-9]*\).*/\1/p' driver.log)
    [ -n "$port" ] && break
    kill -0 $driver 2>/dev/null || break
    sleep 0.1
  done
  [ -n "$port" ] || { echo "chromedriver does not start: $(tail -n 1 driver.log)" >&2; exit 77; }
  local root=
  [ "$(id -u)" != 0 ] || root='"--no-sandbox",'
  session=$(curl -s -m 300 -d '{"capabilities":{"alwaysMatch":{"browserName":"chrome","goog:loggingPrefs":{"browser":"ALL"},"goog:chromeOptions":{"args":['"$root"'"--headless=new","--disable-gpu","--disable-dev-shm-usage","--lang=en","--window-size='"${1:-1200},${2:-900}"'"]}}}}' \
    "http://127.0.0.1:$port/session" | sed -n 's/.*"sessionId":"\([^"]*\)".*/\1/p')
  [ -n "$session" ] || { echo "chromium does not start" >&2; exit 77; }
}
end_session() {
  [ -z "${session:-}" ] || curl -s -m 20 -X DELETE "http://127.0.0.1:$port/session/$session" >/dev/null
  [ -z "${driver:-}" ] || { kill $driver; wait $driver; } 2>/dev/null
}
# A command with its JSON; prints the value of the answer, a string without its quotes.
driver() {
  { curl -s -m 300 -d "$2" "http://127.0.0.1:$port/session/$session/$1"; echo; } |
    sed 's/^{"value"://; s/}$//; s/^"\(.*\)"$/\1/; s/\\u003C/</g; s/\\"/"/g'
}
quoted() { printf '"%s"' "$(printf %s "$1" | sed 's/\\/\\\\/g; s/"/\\"/g')"; }
open_page() { driver url "{\"url\":\"file://$PWD/$1\"}" >/dev/null; }
js() { driver execute/sync "{\"script\":$(quoted "return $1"),\"args\":[]}"; }
# Asks for an expression again until it gives a value, for at most five seconds: what follows an event may take a while.
until_js() { # EXPRESSION VALUE
  local found i
  for i in {1..50}; do
    found=$(js "$1")
    [ "$found" != "$2" ] || break
    sleep 0.1
  done
  echo "$found"
}
key() { # ArrowRight and so on, or a character
  local codes='{ArrowLeft:"\uE012",ArrowUp:"\uE013",ArrowRight:"\uE014",ArrowDown:"\uE015",Tab:"\uE004",Enter:"\uE007",Escape:"\uE00C",Home:"\uE011"}' code
  code=$(sed -n "s/.*$1:\(\"[^\"]*\"\).*/\1/p" <<<"$codes")
  [ -n "$code" ] || code="\"$1\""
  driver actions "{\"actions\":[{\"type\":\"key\",\"id\":\"k\",\"actions\":[{\"type\":\"keyDown\",\"value\":$code},{\"type\":\"keyUp\",\"value\":$code}]}]}" \
    >/dev/null
}
# The pointer over what an expression gives, moved to and fro until a condition holds, for a page may be drawn late.
hover() { # EXPRESSION X Y CONDITION
  local i
  for i in {1..50}; do
    point "$1" $(($2 + i % 2)) "$3"
    [ "$(js "$4")" != true ] || break
  done
  js "$4"
}
# The pointer over what an expression gives, at a place from its upper left corner; [click].
point() { # EXPRESSION X Y [click]
  local at click=
  js "($1).scrollIntoView({block: 'center', behavior: 'instant'})" >/dev/null
  at=$(js "(({left, top}) => Math.round(left + $2) + ',\"y\":' + Math.round(top + $3))(($1).getBoundingClientRect())")
  [ -z "${4:-}" ] || click=',{"type":"pointerDown","button":0},{"type":"pointerUp","button":0}'
  driver actions "{\"actions\":[{\"type\":\"pointer\",\"id\":\"p\",\"actions\":[{\"type\":\"pointerMove\",\"duration\":0,\"x\":$at}$click]}]}" >/dev/null
}
console() { driver se/log '{"type":"browser"}'; }
