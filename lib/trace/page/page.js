// The page as a whole: its head, the bar of choices, the contents and the chapters.

let stepped = [];  // what is drawn again when the step changes
let ticks = [];    // the pieces above the slider

function redraw() {
  for (const draw of pictures) draw();
}

function setStep(step) {
  state.step = Math.max(0, Math.min(data.traces[state.first].target.length - 1, step));
  showStep();
  for (const draw of stepped) draw();
  redraw();
}

function setHead(head) {
  state.head = head, state.open = null, state.lit = [], renderBar(), render();
}

function showStep() {
  const trace = data.traces[state.first], slider = document.getElementById('step');
  slider.value = state.step;
  const text = say('step.now', {
    n: state.step + 1,
    of: trace.target.length,
    input: readable(trace.input[state.step]),
    target: readable(trace.target[state.step]),
    layer: state.layer,
    head: state.head || say('head.all')
  });
  slider.setAttribute('aria-valuetext', text);
  document.getElementById('now').textContent = text;
  ticks.forEach((tick, i) => tick.setAttribute('aria-pressed', String(i === state.step)));
  const tick = ticks[state.step], strip = tick.parentElement;
  strip.scrollLeft = tick.offsetLeft - (strip.clientWidth - tick.offsetWidth) / 2;
}

// A list to choose from, with its name.
function select(name, options, now, choose) {
  return element('label.select', element('span', say(name)),
    element('select', {'data-key': name, onchange: (event) => choose(event.target.value)},
      options.map(([value, text]) =>
                    element('option', {value, selected: String(value) === String(now)}, text))));
}

function nameOf(trace, i) {
  const text = trace.text.length > 40 ? `${trace.text.slice(0, 39)}…` : trace.text;
  return `${i + 1}. ${text} (${trace.model.split('/').at(-1)})`;
}

// The view of a sentence that is new: its clearest look.
function begin() {
  const {step, layer} = clearest(data.traces[state.first]);
  Object.assign(state, {step, layer, word: 0, head: 0, open: null, lit: []});
}

// How the page looks, whatever it shows.
function appearance() {
  const choose = (name) => (value) => {
    state[name] = value, renderAll();
  };
  return [
    select(
      'choose.language', [['en', 'English'], ['ja', '日本語']], state.language, choose('language')),
    select('choose.theme', ['auto', 'light', 'dark'].map((one) => [one, say(`theme.${one}`)]),
      state.theme, choose('theme'))
  ];
}

// The commands that make such pages.
function ownText(model) {
  const quoted = `'${model.replaceAll('\'', '\'\\\'\'')}'`;
  return element('div.own', element('p', say('own')),
    element('pre', {tabindex: 0},
      `echo 'Hello.' | tt-translate -m ${
        quoted} --trace trace.jsonl\ntt-trace -o pages/ trace.jsonl`));
}

// The list of a folder of pages.
function renderIndex() {
  document.getElementById('top').replaceChildren(element('p.kicker', say('kicker')),
    element('h1', say('index.title')), element('div.settings', appearance()));
  document.getElementById('main').replaceChildren(prose('index.1')[0],
    element('ol.sentences',
      data.index.map(({file, text, translation}) => element('li', element('a', {href: file}, text),
                       element('br'), element('span', {lang: ''}, translation)))),
    ownText(data.index[0].model));
  for (const id of ['bar', 'contents']) document.getElementById(id).hidden = true;
}

function renderTop() {
  const trace = data.traces[state.first], all = data.traces.map((one, i) => [i, nameOf(one, i)]);
  document.title = `${trace.text} — tt-trace`;
  const changed = () => {
    begin(), renderAll();
  };
  document.getElementById('top').replaceChildren(element('a.skip', {href: '#main'}, say('skip')),
    ...(data.up ? [element('a.up', {href: 'index.html'}, say('index.up'))] : []),
    element('p.kicker', say('kicker')), element('h1', trace.text),
    element('p.translation', {lang: ''}, trace.translation),
    element('div.settings',
      all.length > 1 ? select('choose.first', all, state.first,
                         (i) => {
                           state.first = Number(i), changed();
                         }) :
                       null,
      all.length > 1 ? select('choose.second', [[-1, say('choose.none')], ...all], state.second,
                         (i) => {
                           state.second = Number(i), changed();
                         }) :
                       null,
      appearance()),
    ...shownTraces()
      .filter((one) => one.summarised)
      .map(() => element('p.warning', say('too-long'))),
    ...shownTraces()
      .filter((one) => Object.values(one.matrices).some(({kept}) => kept))
      .map(() => element('p.warning', say('folded'))));
}

function renderBar() {
  const traces = shownTraces(), trace = traces[0];
  const layers = Math.max(
    ...traces.map((one) => Math.max(one.config.encoder_layers, one.config.decoder_layers)));
  const heads = Math.max(...traces.map((one) => isLstm(one) ? 1 : one.config.heads));
  const layer = (i) => {
    state.layer = i, state.open = null, state.lit = [], renderBar(), render();
  };
  ticks = trace.target.map(
    (piece, i) => element('button',
      {type: 'button', tabindex: -1, 'data-key': `tick ${i}`, onclick: () => setStep(i)},
      readable(piece)));
  const kept = keptFocus();
  document.getElementById('bar').setAttribute('aria-label', say('step'));
  document.getElementById('bar').replaceChildren(
    element('div.steps',
      element('label',
        {for: 'step'
        },
        say('step')),
      element('div.ticks', {'aria-hidden': true}, ticks), element('input', {
        id: 'step',
        type: 'range',
        min: 0,
        max: trace.target.length - 1,
        value: state.step,
        'data-key': 'step',
        oninput: (event) => setStep(Number(event.target.value))
      }),
      element('span', {id: 'now'})),
    element('div.which-part',
      layers > 1 ? choices('layer', range(layers).map((i) => [i + 1, String(i + 1)]),
                     Math.min(state.layer, layers), layer) :
                   null,
      heads > 1 ?
        choices('head', [[0, say('head.all')], ...range(heads).map((i) => [i + 1, String(i + 1)])],
          state.head, setHead) :
        null));
  showStep();
  kept();
}

// The element that had the focus has it again when the page was made anew.
function keptFocus() {
  const key = document.activeElement?.dataset?.key;
  return () => {
    if (key && document.activeElement?.dataset?.key !== key)
      document.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({preventScroll: true});
  };
}

function render() {
  const kept = keptFocus(),
        open =
          new Set([...document.querySelectorAll('details[open]')].map((one) => one.dataset.key));
  pictures = [], stepped = [];
  hideTip();
  const all = chapters();
  document.getElementById('contents')
    .replaceChildren(element('ol',
      all.map(({id, words: key}) => element('li',
                element('a', {href: `#s${id}`}, element('span.number', /^\d/.test(id) ? id : ''),
                  say(`${key}.title`))))));
  document.getElementById('contents').setAttribute('aria-label', say('contents'));
  // The foot is in the last chapter, so that no page of paper has it alone.
  const foot =
    element('footer', ownText(data.traces[state.first].model), element('p', marked(say('footer'))));
  document.getElementById('main').replaceChildren(
    ...all.map(({id, words: key, code: names, body}, i) => {
      section = id;
      const title = element('h2', {id: `h${id}`},
              /^\d/.test(id) ? [element('span.number', id), ' '] : null, say(`${key}.title`)),
            [first, ...others] = [body()].flat(Infinity);
      return element('section', {id: `s${id}`, 'aria-labelledby': `h${id}`},
        element('div.begin', title, first), others,
        element('div.codes', names.length ? [element('h3', say('code')), code(...names)] : null,
          i === all.length - 1 ? foot : null));
    }));
  for (const one of document.querySelectorAll('details')) one.open = open.has(one.dataset.key);
  redraw();
  kept();
}

function renderAll() {
  const kept = keptFocus();
  document.documentElement.lang = state.language;
  document.documentElement.dataset.theme = state.theme;
  if (data.index) return renderIndex(), kept();
  renderTop(), renderBar(), render();
  kept();
}

addEventListener('hashchange', followLink);
addEventListener('resize', redraw);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
// Paper is white, whatever the screen was.
let before = null;
addEventListener('beforeprint', () => {
  before = document.documentElement.dataset.theme, document.documentElement.dataset.theme = 'light',
  redraw();
});
addEventListener('afterprint', () => {
  document.documentElement.dataset.theme = before, redraw();
});
if (data.index) {
  renderAll();
} else {
  begin();
  if (!followLink()) renderAll();
}
