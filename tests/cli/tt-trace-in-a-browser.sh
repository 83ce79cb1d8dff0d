# The page in a real browser: slider, heads, keyboard and pointer change what they should, and nothing goes wrong.
. "$TT_ROOT/tests/cli/browser.bash"
. "$TT_ROOT/tests/cli/train.bash"
prepare
quick_train -q -o run --encoder-layers 2 --decoder-layers 2 --max-updates 100
tt-train -q --type lstm --preset tiny --encoder-layers 1 --decoder-layers 1 --d-model 32 --tokens 400 --valid-every 0 --save-every 5 --attention concat \
  --input-feeding --bidirectional --max-updates 20 \
  --train corpus/train.en corpus/train.ja --subword subword.model -o lstm
echo 'the dog sees </script><b>"cats"</b> & birds' | tt-translate -q -m run/update-0000100.tt --trace t.jsonl >out 2>err
echo 'the dog sees the cat' | tt-translate -q -m lstm/update-0000020.tt --extra-length 3 --trace l.jsonl >out
quick_train -q -o followed --max-updates 30 --trace 30
quick_train -q -o gated --max-updates 2 --norm pre --decoder-self ssru --ffn-gate --positions relative
echo 'the dog sees the cat' | tt-translate -q -m gated/update-0000002.tt --extra-length 3 --trace g.jsonl >out 2>err; tt-trace -o gated.html g.jsonl
yes the | head -n 298 | tr '\n' ' ' | tt-translate -q -m run/update-0000100.tt --extra-length 0 --trace f.jsonl >out 2>err; tt-trace -o folded.html f.jsonl
yes dog | head -n 340 | tr '\n' ' ' | tt-translate -q -m run/update-0000100.tt --trace long.jsonl >out 2>err; tt-trace -o long.html long.jsonl
tt-trace -o update.html followed/trace-30.jsonl; tt-trace -o pages/ t.jsonl l.jsonl
tt-trace -o page.html t.jsonl; tt-trace -o lstm.html l.jsonl; tt-trace -o two.html t.jsonl l.jsonl
browse
open_page page.html
same() { [ "$2" = "$3" ] && echo "$1: the same" || echo "$1: not the same: $2 and $3"; }
differ() { [ "$2" != "$3" ] && echo "$1 changes" || echo "$1 stays $2"; }
js 'document.querySelector("h1").textContent'
js '[...document.querySelectorAll("#contents .number")].map((n) => n.textContent).join(" ")' | named "sections"
js 'document.querySelectorAll("main b script, h1 b, main script").length' | named "elements made of text"
# The slider.
seen() { js '[document.getElementById("now").textContent, document.querySelector(".likeliest").textContent, document.querySelector(".beam caption").textContent, document.querySelector(".beam tbody").textContent, document.querySelector("#s3\\.2\\.1 canvas").toDataURL(), document.querySelector("#s3\\.2\\.3 svg").innerHTML]['$1']'; }
# The page begins where attention is clearest; the first step is one of those that the slider has.
js 'state.step === clearest(data.traces[0]).step && setStep(0)' >/dev/null
for i in 0 1 2 3 4 5; do before[i]=$(seen $i); done
js 'document.getElementById("step").focus()' >/dev/null
key ArrowRight
for i in 0 1 2 3 4 5; do differ "part $i with the slider" "${before[i]}" "$(seen $i)"; done
js 'document.getElementById("step").getAttribute("aria-valuetext").slice(0, 6)'
point 'ticks[0]' 5 5 click; same "a piece as a button goes back" "${before[0]}" "$(seen 0)"
# Of two hypotheses, at most two that live and two that end are likelier than what is dropped.
js '[...document.querySelectorAll("tr.dropped td:last-child")].every((td) => (parseInt(td.textContent.slice(9)) || 1) <= 4)'
# Heads and layers.
js 'document.querySelectorAll("#s3\\.2\\.2 .heads canvas").length' | named "heads"
point 'document.querySelector("[data-key=\"head 2\"]")' 5 5 click
js '[document.querySelectorAll("#s3\\.2\\.2 .head canvas").length, state.head, document.activeElement.dataset.key].join()'
before=$(seen 4); key ArrowLeft; js 'state.head' | named "head by its key"; differ "another head, by its key" "$before" "$(seen 4)"
point 'document.querySelector("#s3\\.2\\.2 canvas.choice")' 20 20 click; js 'state.head' | named "head by its picture"
before=$(seen 4); point 'document.querySelector("[data-key=\"layer 2\"]")' 5 5 click; js 'state.layer' | named "layer"
differ "another layer" "$before" "$(seen 4)"
# A cell gives its number to the pointer and to the keys: that of the table.
point 'document.querySelector("[data-key=\"layer 1\"]")' 5 5 click
js 'document.querySelector("#s3\\.5 canvas").focus()' >/dev/null
key ArrowRight; key ArrowDown; key ArrowRight
said=$(js 'said.textContent'); echo "$said" | sed 's/^[^ ]* /PIECE /'
tt-trace --tsv encoder.positions t.jsonl | awk -F '\t' '$4 == 2 && $6 == 2 { printf "%.4g\n", $8 }' | named "in the table"
same "the tip" "$said" "$(js 'tip.textContent')"
key Escape; until_js 'tip.hidden' true
hover 'document.querySelector("#s3\\.5 canvas")' 200 30 '!tip.hidden'; until_js '/ = −?[0-9.]/.test(tip.textContent)' true
hover 'document.querySelector(".node.lives")' 10 5 '/log p/.test(tip.textContent)'
point 'document.querySelectorAll("#s3\\.2\\.3 .word")[2]' 5 10 click; js 'state.step' | named "step by its word"
js 'document.querySelectorAll("#smodel .word")[1].focus()' >/dev/null; key Enter; js '[state.step, document.activeElement.dataset.key].join()'
# What ends has a row of the table as all others have.
js 'setStep(99), [...document.querySelectorAll(".beam tr")].map((tr) => getComputedStyle(tr).display).filter((one) => one !== "table-row").join()'
# A cell opens: the numbers that made it are links to their own cells, which light up, and its link brings the view back.
point 'document.querySelector("[data-key=\"head 2\"]")' 5 5 click; js 'setStep(2)' >/dev/null
js '(() => { const c = document.querySelector("[data-key=\"picture 3.2.1 1 decoder.1.cross.scores\"]"); c.focus(); return state.step; })()'
key ArrowRight; key ArrowRight; key Enter
shown() { until_js '(({top, bottom}) => top >= 0 && bottom <= innerHeight)(document.querySelector(".opened:not([hidden])").getBoundingClientRect())' true; }
opened() { js 'document.querySelector(".opened:not([hidden])").innerText'; }
first=$(opened); echo "$first" | sed 's/\\n/\n/g' | sed -E 's/−?[0-9.]+(e−[0-9]+)?/N/g; s/^.* · .* = N/PIECE · PIECE = N/'
link=$(js 'location.hash'); echo "$link"
js 'state.lit.map((one) => [one.name, ...one.rows, ...one.columns].join(" ")).join(", ")'
open_page "page.html$link"; js '[state.step, state.head, document.activeElement.dataset.key].join()'; same "the cell of the link" "$first" "$(opened)"
driver window/rect '{"width":1200,"height":600}' >/dev/null; js 'followLink()' >/dev/null; shown; driver window/rect '{"width":1200,"height":900}' >/dev/null
js 'document.querySelector(".opened:not([hidden]) a[href*=cross\\.q]").click()' >/dev/null; until_js 'state.open.name.replace(/.*\./, "")' scores
js 'state.open.home + " " + document.activeElement.dataset.key'
key Escape; js 'document.querySelectorAll(".opened:not([hidden])").length + location.hash'
js 'document.activeElement.dataset.key' | named "focus behind Escape"
# By the keyboard alone: into what made a cell, by one of its numbers to that one's cell, and back.
key ArrowRight; key Enter; for _ in {1..4}; do key Tab; done; js 'document.activeElement.hash !== "" && document.activeElement.closest(".opened") !== null'
key Enter; until_js 'state.open.name' decoder.1.cross.q
js 'history.back()' >/dev/null; until_js 'state.open.name' decoder.1.self.norm
key Tab; key Escape; js '[document.activeElement.dataset.key, state.open, location.hash].join()'
# The link of a cell has its step from the beginning.
js 'setStep(0), document.querySelector("[data-key=\"picture 3.2.1 1 decoder.1.cross.scores\"]").focus()' >/dev/null; key ArrowRight; key ArrowDown; key Enter
js '[state.step, location.hash === document.querySelector(".opened:not([hidden]) a").getAttribute("href")].join()'
# Its figures are seen, also where they open below the window.
js 'document.activeElement.scrollIntoView({block: "end", behavior: "instant"})' >/dev/null; key ArrowRight; key Enter; shown
# The figures of every cell give its number, the largest terms of a product come first, and each number leads to its picture.
arithmetic=$(tr '\n' ' ' <<'END'
(() => {
  const found = {}, links = new Map(), dead = [];
  for (const t of data.traces)
    for (const [name, m] of Object.entries(t.matrices)) {
      if (!homeOf(t, name)) continue;
      for (let b = 0; b < m.blocks; ++b) for (const i of keptOf(m)) for (let j = 0; j < m.columns; j += m.kept ? 9 : 1) {
        const cell = arithmetic(t, {name, i, j, block: b}), {terms = []} = cell;
        const one = found[cell.last] ??= [0, 0, false];
        const far = cell.value === cell.number ? 0 : Math.abs(cell.value - cell.number) / Math.max(1, Math.abs(cell.number));
        ++one[0], one[1] += cell.lines.length === 0 || far > 1e-5 || terms.some((x, k) => k && x > 1.001 * terms[k - 1] + 1e-6);
        if (terms.length) one[2] = true;
        if (i + j === 0 || i + j === m.rows + m.columns - 2)
          for (const one of cell.lines.flat(9)) if (one.hash) links.set(one.hash.replace(/[/].*[.]|[/]r.*/g, " "), one.hash);
      }
    }
  for (const hash of links.values()) {
    location.hash = hash, followLink();
    const {name} = state.open, {key} = document.activeElement.dataset;
    if (!hash.includes(`/${name}/`) || !key?.startsWith("picture") || !key.endsWith(` ${name}`)) dead.push(hash);
  }
  return Object.entries(found).map(([name, [n, bad, terms]]) => `${name} ${n > 20} ${bad}${terms ? " of terms" : ""}`).join(", ") + "; dead: " + dead.join(" ");
})()
END
)
js "$arithmetic"
# The element with the focus keeps it, and the first Tab is the way past the head.
js 'document.activeElement.blur()' >/dev/null; open_page page.html; key Tab; js 'document.activeElement.className'
js '[...document.querySelectorAll("canvas")].every((c) => c.getAttribute("aria-label") && c.tabIndex === 0)'
js 'document.querySelectorAll("[aria-hidden]:not([aria-hidden=true])").length' | named "parts that are not hidden as they should"
# Languages and forms.
before=$(js 'getComputedStyle(document.body).backgroundColor'); js '[...document.querySelectorAll("select")].length' | named "choices of form"
js '(() => { const s = document.querySelector("[data-key=\"choose.theme\"]"); s.value = "dark"; s.dispatchEvent(new Event("change")); return getComputedStyle(document.body).backgroundColor; })()'
js '(() => { const s = document.querySelector("[data-key=\"choose.language\"]"); s.value = "ja"; s.dispatchEvent(new Event("change")); return document.documentElement.lang + " " + document.querySelector("#sbeam, #s6\\.1 h2").textContent; })()'
# Narrow windows have no part that is wider than they are.
driver window/rect '{"width":500,"height":800}' >/dev/null; js 'document.documentElement.scrollWidth <= innerWidth'
js '[...document.querySelectorAll(".formula, .tree, table, .arcs")].filter((one) => one.scrollWidth > one.clientWidth + 1).length' |
  named "formulas behind a scroll"
# Arcs stand upright there, as large as they are.
js '[...document.querySelectorAll(".arcs svg")].map((one) => [one.viewBox.baseVal.height > 250,'\
' Math.round(one.viewBox.baseVal.width - one.clientWidth)]).join()'
# Words in pictures can be read on their boxes, in the dark too.
faint=$(tr '\n' ' ' <<'END'
(() => {
  const light = (color) => color.match(/[0-9.]+/g).map((x) => ((x / 255 + 0.055) / 1.055) ** 2.4)
    .reduce((sum, x, i) => sum + x * [0.2126, 0.7152, 0.0722][i], 0.05);
  return [...document.querySelectorAll("svg g > rect ~ text, svg a > rect ~ text")].filter((text) => {
    const {fill} = getComputedStyle(text.parentElement.querySelector("rect"));
    const below = fill === "none" ? getComputedStyle(document.body).backgroundColor : fill;
    const [a, b] = [light(getComputedStyle(text).fill), light(below)];
    return Math.max(a, b) / Math.min(a, b) < 4.5;
  }).length;
})()
END
)
for theme in light dark; do js "(state.theme = \"$theme\", renderAll())" >/dev/null; js "$faint" | named "faint words, $theme"; done
for page in lstm two gated folded; do
  open_page $page.html
  js '[...document.querySelectorAll("#contents a")].map((a) => a.hash).join(" ")'
  js "$arithmetic"
  js '[document.querySelectorAll(".each.two").length > 0, document.querySelectorAll("canvas").length > 5, document.querySelectorAll(".score.used").length].join()'
done
# The step of a weight follows from the figures of its update, and the loss of each piece from those of the trace.
open_page update.html
js '(({update: u, config: c}, near) =>'\
' { const s = stepOf(data.traces[0]); return [near(s.m, u.first), near(s.v, u.square), '\
'near(s.after, u.after), near(rateOf(c, 30), u.rate)].join(); })(data.traces[0], (a, b) => Math.abs(a - b) <= 1e-5 * Math.abs(b))'
js 'document.querySelectorAll("#s5\\.3 .figures").length' | named "lines of figures"
js 'data.traces[0].target.map((_, i) => lossOf(data.traces[0], i)).every((x) => x > 0 && x < 20)'
# Of the gradient the row of that weight is enlarged, and its cells belong to no step.
js 'document.querySelector("[data-key$=gradient]").focus()' >/dev/null; key ArrowRight; key Enter
js '[state.open.i + 1 === data.traces[0].update.row, state.open.j, state.step === clearest(data.traces[0]).step].join()'
# Of a long sentence the rows that stay have their numbers, and the keys go from each to the next; how many are folded away is said.
open_page folded.html; js 'document.querySelectorAll(".warning").length' | named "warnings of folds"
js '(chosen("site", "encoder.self"), setHead(2), setStep(0), [...document.querySelectorAll("#s3\\.2\\.1 .size")].every((one) =>'\
' /^ 299 × \d+, of which \d{3} rows are folded away$/.test(one.textContent)))' | named "folds of every map of the source"
js 'document.querySelector("[data-key=\"picture 3.2.1 1 encoder.1.self.weights\"]").focus()' >/dev/null; key ArrowRight; key ArrowRight
tt-trace --tsv encoder.1.self.weights f.jsonl | awk -F '\t' '$3 == 2 && $4 == 1 && $6 == 2 { printf "%.4g\n", $8 }' >in-table
js 'said.textContent' | grep -qF "$(sed 's/e-0*/e−/; s/-/−/' in-table)" && echo "the weight of the table"
kept='keptOf(data.traces[0].matrices["encoder.1.self.weights"])'
js "$kept.forEach(() => document.activeElement.dispatchEvent(new KeyboardEvent(\"keydown\", {key: \"ArrowDown\"})))" >/dev/null; key Enter
js "[state.open.i, $kept.length < 299].join()" | named "below all folds, the row"
folded="range(299).find((i) => !$kept.includes(i))"
js "(location.hash = \"#3.2.1/head1/encoder.1.self.scores/r\" + ($folded + 1) + \"c3\", followLink())" | named "a link into a fold"
js "(state.word = $folded, setStep(0), state.word === $folded)" | named "a word whose rows are folded away"
# Of a sentence that is too long there is no arrow from scores that it has not.
open_page long.html; js '[document.querySelectorAll("#s3\\.2\\.1 .summary").length > 4, document.querySelectorAll(".operator").length, /coloured cell/.test(document.body.textContent)].join()'
# The index of a folder leads to its pages, and they lead back.
open_page pages/index.html
js '[...document.querySelectorAll("main a")].map((a) => a.textContent).join(" | ")'; js 'document.querySelector("main a").click()' >/dev/null
until_js 'document.querySelector("h1").textContent' Sentences
js 'document.querySelector("a.up").click()' >/dev/null
until_js 'document.querySelector("h1").textContent' 'the dog sees </script><b>"cats"</b> & birds'
# Paper has every number that the screen shows, but not the commands for pages of one's own.
if command -v pdftotext >/dev/null; then
  numbers() { grep -oE '[0-9]+([.][0-9]+)?' | sort -u; }
  open_page "page.html$link"; driver print '{}' | base64 -d >page.pdf; pdftotext page.pdf - | numbers >on-paper
  js '[...document.querySelectorAll("h1, #now, main *")].filter((one) => one.checkVisibility()'\
' && !one.closest(".own") && !one.children.length).map((one) => one.textContent).join(" ")' |
    numbers >on-screen
  [ "$(wc -l <on-screen)" -gt 40 ] && comm -13 on-paper on-screen | wc -l | named "numbers that paper has not"
  # No page is empty, or has the last lines alone.
  for page in page update two long; do
    open_page $page.html; driver print '{}' | base64 -d >page.pdf; pdftotext page.pdf -
  done | awk -v RS='\f' -F '\n' '{ lines = 0; for (i = 1; i <= NF; ++i) lines += $i != ""; pages += lines < 4 } END { print pages + 0 }' |
    named "pages with hardly a line"
else
  echo "numbers that paper has not: 0"
  echo "pages with hardly a line: 0"
fi
echo "console: $(console)"
