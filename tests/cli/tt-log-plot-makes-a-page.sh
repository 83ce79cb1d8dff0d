# Plots as pages: all four programs, in which text stays text; in a browser curves go and come, and values are there to pointer and keys.
. "$TT_ROOT/tests/cli/attention.bash"
records >a.jsonl
for n in 100 200 300; do echo "{\"event\":\"train\",\"update\":$n,\"loss\":$((9 - n / 100)).5,\"rate\":0.001,\"tokens_per_second\":1000}"; done >base.jsonl
sed 's/\.5/.25/' base.jsonl >big.jsonl
tt-log-plot '<script><b>"base"=base.jsonl' big=big.jsonl --show loss -o curves.html
tt-attention-plot a.jsonl -o heads.html
tt-pe-plot -n 20 -d 16 -o positions.html
printf '%s\t%s\t%s\n' beam BLEU BLEU+- 1 30 0.5 2 31.5 0.25 4 32 '' | tt-table-plot --title 'Beams' -o - --format html >beams.html
for page in curves heads positions beams; do echo "$page: $(grep -o '</\?script[^>]*>' $page.html | sort | uniq -c | sed 's/^ *//' | paste -sd ' ')"; done
grep -o '"points":\[\[[^a-z]*\]\]' curves.html beams.html
grep -E '<(link|img|iframe|script src)|@import|url\(|https?:' curves.html | grep -vc http:..www.w3.org.2000.svg
. "$TT_ROOT/tests/cli/browser.bash"
browse
open_page curves.html
js '[...document.querySelectorAll(".legend label")].map((one) => one.textContent).join()'
js 'document.querySelectorAll("main b").length'
picture() { js 'document.querySelector("canvas").toDataURL()'; }
differ() { [ "$2" != "$3" ] && echo "$1 changes the picture" || echo "$1 leaves the picture"; }
before=$(picture); point 'document.querySelectorAll(".legend input")[1]' 5 5 click; differ "a curve that is hidden" "$before" "$(picture)"
point 'document.querySelectorAll(".legend input")[1]' 5 5 click; [ "$before" = "$(picture)" ] && echo "shown again, it is as before"
hover 'document.querySelector("canvas")' 300 100 '!tip.hidden' >/dev/null; js 'tip.textContent.split("\n").length'
js 'document.querySelector("canvas").focus()' >/dev/null; key Escape
key ArrowRight; js 'said.textContent.split("\n").slice(-2).join(" ")'
before=$(picture); key +; differ "a zoom" "$before" "$(picture)"
for page in heads positions beams; do
  open_page $page.html
  js '[document.querySelector("h1").textContent, document.querySelectorAll("canvas").length].join(": ")'
  js 'document.querySelector("canvas").focus()' >/dev/null; key ArrowRight; js 'said.textContent'
done
echo "console: $(console)"
