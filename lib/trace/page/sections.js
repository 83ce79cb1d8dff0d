// The chapters, in the paper's order: what each says, its formulas, the functions that compute it,
// and its pictures. A chapter is only there for the kind of model that has it.

function prose(...keys) {
  return keys.map((key) => element('p', marked(say(key))));
}

// Where the sources compute it, as they were when the program was built.
function code(...names) {
  return names.map((name) => {
    const {file, line, text} = data.code[name];
    return element('details.code', {'data-key': `code ${name}`},
      element(
        'summary', element('code', `${file}:${line}`), ' ', element('span.first', text[0].trim())),
      element('pre', {tabindex: 0},
        element('code',
          text.map(
            (one, i) => [element('span.line', String(line + i).padStart(4) + '  '), one, '\n']))));
  });
}

// Makes a part for each trace that is looked at, side by side.
function each(draw) {
  const traces = shownTraces();
  const parts = traces.map(
    (trace, i) => element('div.one',
      traces.length > 1 ? element('p.which', element('b', 'AB'[i]), ` ${trace.model}`) : null,
      draw(trace) ?? element('p.note', say('not-here'))));
  return element('div', {class: traces.length > 1 ? 'each two' : 'each'}, parts);
}

function eachTransformer(draw) {
  return each((trace) => isLstm(trace) ? null : draw(trace));
}

function row(...parts) {
  return element('div.row', parts);
}
function operator(sign) {
  return element('span.operator', {'aria-hidden': true}, sign);
}

const layerOf = (trace, stack) => Math.min(state.layer, trace.config[`${stack}_layers`]);
const headOf = (trace) => Math.min(Math.max(1, state.head), isLstm(trace) ? 1 : trace.config.heads);

// "encoder.self" with the layer: "encoder.2.self". The attention that is looked at, and the
// feed-forward network: those of the stack that is chosen.
function siteOf(trace, stackAndPart = state.site) {
  const [stack, part] = stackAndPart.split('.');
  return `${stack}.${layerOf(trace, stack)}.${part}`;
}
const attentionSite = (trace) => siteOf(trace, state.site.replace('.ffn', '.self'));
const ffnSite = (trace) => siteOf(trace, state.site.replace(/\..*/, '.ffn'));

// The input of a sub-layer, which the one before has made, and what a stack gives.
function inputOf(trace, site) {
  const [stack, layer, part] = site.split('.'), last = trace.config.norm === 'pre' ? 'sum' : 'norm';
  const before = {self: null, cross: 'self', ffn: stack === 'encoder' ? 'self' : 'cross'}[part];
  if (before) return `${stack}.${layer}.${before}.${last}`;
  return layer === '1' ? `${stack}.input` : `${stack}.${layer - 1}.ffn.${last}`;
}
function lastOf(trace, stack, normed = false) {
  if (normed && trace.matrices[`${stack}.norm`]) return `${stack}.norm`;
  return inputOf(trace, `${stack}.${trace.config[`${stack}_layers`] + 1}.self`);
}

// Choices in a row, as radio buttons: what is looked at in one chapter.
function choices(name, options, now, choose) {
  return element('div.choices', {role: 'radiogroup', 'aria-label': say(`choose.${name}`)},
    options.map(([value, label]) => element('label', element('input', {
      type: 'radio',
      name,
      value,
      checked: value === now,
      'data-key': `${name} ${value}`,
      onchange: () => choose(value)
    }),
                  element('span', label))));
}

const sites = ['encoder.self', 'decoder.self', 'decoder.cross'];
const sitesAndFfn = ['encoder.self', 'encoder.ffn', 'decoder.self', 'decoder.cross', 'decoder.ffn'];
function chosen(name, value) {
  state[name] = value, state.open = null, state.lit = [], render();
}
// The sub-layer that all chapters look at.
function siteChoices(key, all) {
  const found = all.includes(state.site) ? state.site :
    all.includes(`${state.site.split('.')[0]}.ffn`) ? `${state.site.split('.')[0]}.ffn` :
                                                      state.site.replace('.ffn', '.self');
  return choices(
    key, all.map((one) => [one, say(`site.${one}`)]), found, (one) => chosen('site', one));
}

function draw(trace, name, title, options = {}) {
  const view = viewOf(trace, name, options.head, options.heads);
  return view && picture(view, {title, ...options});
}

// Something to find out in the picture above, and what there is to find.
function question(key) {
  return element('details.question', {'data-key': `question ${section}`},
    element('summary', say(`${key}.question`)), prose(`${key}.answer`));
}

// How often numbers are how large, from `low` to `high`.
function histogram(title, numbers, low, high) {
  const bins = 24, counts = Array(bins).fill(0);
  for (const x of numbers)
    ++counts[Math.max(0, Math.min(bins - 1, Math.floor((x - low) / (high - low) * bins)))];
  const most = Math.max(...counts);
  const svg = element('svg',
    {viewBox: '0 0 240 70', role: 'img', 'aria-label': `${title}: ${counts.join(', ')}`},
    counts.map((n, i) => element(
                 'rect', {x: 10 * i, y: 68 - 66 * n / most, width: 9, height: 66 * n / most + 1})));
  return element('figure.histogram', element('figcaption', title), svg,
    element('p.ends', [low, high].map((x) => element('span', shortNumber(x)))));
}

// Scores with and without the division by the root of d_k, and the softmax of both.
function whyScaled(trace, site) {
  const {config: c, matrices} = trace, scores = matrices[`${site}.scores`];
  if (c.scores !== 'scaled' || c.positions === 'relative' || !scores?.data) return null;
  const d = matrices[`${site}.q`].columns / scores.blocks, numbers = numbersOf(trace, `${site}.scores`);
  const rows =
    range(numbers.length / scores.columns)
      .map((i) => [...numbers.subarray(i * scores.columns, (i + 1) * scores.columns)].filter(
             Number.isFinite))
      .filter((row) => row.length);
  const high = Math.max(...rows.flat().map(Math.abs)) * Math.sqrt(d);
  const parts = [[1, `q·k / √${d}`], [Math.sqrt(d), 'q·k']].map(([times, name]) => {
    const largest = rows.map((row) => {
      const e = row.map((x) => Math.exp(times * (x - Math.max(...row))));
      return 1 / e.reduce((a, b) => a + b, 0);
    });
    const mean = percent(largest.reduce((a, b) => a + b, 0) / largest.length);
    return row(histogram(name, rows.flat().map((x) => times * x), -high, high),
      histogram(say('scaled.largest', {name, mean}), largest, 0, 1));
  });
  return element('div.why', prose('scaled.1'), parts);
}

// ---- The Transformer

const transformer = [
  {
    id: '3.1',
    words: 'stacks',
    code: ['residual', 'encode', 'decoder_layer'],
    body: () => [prose('stacks.1', 'stacks.2'), formula(shownTraces()[0].config.norm),
      formula('norm'), siteChoices('stack', sitesAndFfn),
      choices('part', ['x', 'out', 'sum', 'norm'].map((one) => [one, say(`part.${one}`)]),
        state.part.replace('states', 'out'), (one) => chosen('part', one)),
      eachTransformer((trace) => {
        const site = siteOf(trace), rms = trace.config.norm_type === 'rms';
        const last =
          state.part === 'out' && trace.matrices[`${site}.states`] ? 'states' : state.part;
        const norm = rms ? 'RMSNorm' : 'LayerNorm';
        const titles = {out: 'Sublayer(x)', states: 'Sublayer(x)', sum: 'x + Sublayer(x)', norm};
        if (state.part === 'x') return draw(trace, inputOf(trace, site), 'x');
        const stack = site.split('.')[0], whole = `${norm} (${say(stack)})`;
        return element('div', draw(trace, `${site}.${last}`, titles[last]),
          state.part === 'norm' ? draw(trace, `${stack}.norm`, whole) : null);
      }),
      question('stacks')]
  },
  {
    id: '3.2.1',
    words: 'attention',
    code: ['attend', 'attend_source', 'heads'],
    body: () => [prose('attention.1'), formula('inputs'), formula('attention'),
      prose('attention.2'), siteChoices('site', sites), eachTransformer((trace) => {
        const site = attentionSite(trace);
        if (trace.matrices[`${site}.states`]) return ssruPictures(trace, site);
        const head = headOf(trace), heads = trace.config.heads, options = {head, heads};
        const scaled = trace.config.scores === 'scaled' && trace.config.positions !== 'relative';
        const scores =
          draw(trace, `${site}.scores`, scaled ? 'QKᵀ / √dₖ' : 'scores', options);
        return element('div', element('p.note', say('attention.head', {head, heads})),
          row(draw(trace, `${site}.q`, 'Q', options), draw(trace, `${site}.k`, 'K', options)),
          row(scores, scores && operator('→'),
            draw(trace, `${site}.weights`, 'softmax', {...options, weights: true})),
          row(draw(trace, `${site}.v`, 'V', options),
            draw(trace, `${site}.seen`, 'softmax · V', options)),
          whyScaled(trace, site));
      }),
      prose('attention.mask'), question('attention')]
  },
  {
    id: '3.2.2',
    words: 'heads',
    code: ['attend'],
    body: () => [prose('heads.1'), formula('heads'), formula('head'), prose('heads.2'),
      siteChoices('headsite', sites), eachTransformer((trace) => {
        const site = attentionSite(trace), heads = trace.config.heads;
        if (!trace.matrices[`${site}.weights`]) return null;
        const one = (head) => draw(trace, `${site}.weights`, say('head', {n: head}), {
          head,
          weights: true,
          small: state.head === 0,
          onchoose: () => setHead(state.head === head ? 0 : head),
        });
        return element('div',
          element('div', {class: state.head === 0 ? 'heads' : 'head'},
            state.head === 0 ? range(heads).map((i) => one(i + 1)) : one(headOf(trace))),
          draw(trace, `${site}.out`, 'Concat · Wᴼ'));
      })]
  },
  {
    id: '3.2.3',
    words: 'uses',
    code: ['attend_source', 'decoder_layer'],
    body: () => [prose('uses.1'), siteChoices('kind', sites),
      prose(`uses.${state.site.replace('.ffn', '.self')}`),
      eachTransformer((trace) => weightsOf(trace, `${attentionSite(trace)}.weights`))]
  },
  {
    id: '3.3',
    words: 'ffn',
    code: ['feed_forward'],
    body: () => [prose('ffn.1'), formula('ffn'), prose('ffn.2'),
      siteChoices('ffn', ['encoder.ffn', 'decoder.ffn']), eachTransformer((trace) => {
        const site = ffnSite(trace), name = `${site}.in.active`, active = viewOf(trace, name);
        const relu = trace.config.activation === 'relu', numbers = active?.numbers?.filter((x) => !isNaN(x)),
              on = numbers?.filter((x) => x > 0);
        return element('div', draw(trace, `${site}.in`, 'xW₁'),
          draw(trace, name, relu ? 'max(0, xW₁ + b₁)' : 'act(xW₁ + b₁)'),
          on &&
            element('p.note', say('ffn.on', {share: percent(on.length / numbers.length)})),
          draw(trace, `${site}.gate.times`, 'act(xW₁ + b₁) ⊙ xW_g'),
          draw(trace, `${site}.out`, 'FFN(x)'));
      }),
      question('ffn')]
  },
  {
    id: '3.4',
    words: 'embeddings',
    code: ['embed', 'softmax'],
    body: () => [prose('embeddings.1'), formula('embeddings'), each((trace) => {
      const {d_model, scale_embeddings} = trace.config;
      const width = scale_embeddings ? shortNumber(Math.sqrt(d_model)) : 1;
      return element('div', element('p.note', say('embeddings.width', {d_model, width})),
        ['encoder', 'decoder'].map(
          (stack) => draw(trace, `${stack}.embeddings`, `E · √d_model (${say(stack)})`) ??
            draw(trace, `${stack}.input`, `E · √d_model (${say(stack)})`)));
    }),
      prose('softmax.1'), formula('softmax'), each(likeliest)]
  },
  {
    id: '3.5',
    words: 'positions',
    code: ['positions'],
    body: () => [prose('positions.1'), formula('sine'), formula('cosine'),
      shownTraces().some(({config}) => !isLstm({config}) && config.positions !== 'sinusoidal') ?
        prose('positions.2') :
        null,
      eachTransformer((trace) => trace.matrices['encoder.positions'] ?
          element('div', draw(trace, 'encoder.positions', 'PE'),
            ['encoder', 'decoder'].map(
              (stack) => draw(trace, `${stack}.input`, `E · √d_model + PE (${say(stack)})`))) :
          null),
      question('positions')]
  },
];

function ssruPictures(trace, site) {
  return element('div', prose('ssru.1'), formula('ssru'), draw(trace, `${site}.units`, 'x, f'),
    draw(trace, `${site}.cells`, 'c'), draw(trace, `${site}.states`, 'h'), code('ssru'));
}

// Weights as arcs and as a matrix; of all heads the mean.
function weightsOf(trace, name, alone = false) {
  const all = state.head === 0 || isLstm(trace);
  const view = all ? meanView(trace, name) : viewOf(trace, name, headOf(trace), trace.config.heads);
  if (!view) return null;
  const title = isLstm(trace) ? say('weights') :
    all                       ? say('heads.mean') :
                                say('head', {n: headOf(trace)});
  const matrix = () => picture(view, {title, weights: true});
  if (!view.numbers) return matrix();
  if (alone) view.rowNames = trace.target;
  const row = () => Math.min(ofSource(name) ? state.word : state.step, view.rows - 1);
  return element('div', arcs(view, {chosen: row, choose: (i) => lookAt(name, i), title}),
    contextShare(trace, view, row),
    alone && view.kept.length < view.rows ?
      element('p.note', say('folded.arcs', {n: view.rows - view.kept.length})) :
      null,
    alone ? null : matrix());
}

// How much of the attention goes to the lines before, in a model that reads them.
function contextShare(trace, view, row) {
  const ofLines = /^decoder.*\.self\./.test(view.name) ? 'target_context' : 'source_context';
  const n = trace[ofLines];
  if (!n) return null;
  const note = element('p.note');
  const fill = () => {
    const weights = range(n).map((j) => view.at(row(), j));
    note.textContent = say('context.share', {
      n,
      share: percent(weights.reduce((a, b) => a + b, 0)),
      piece: readable(view.columnNames[weights.indexOf(Math.max(...weights))]),
      most: percent(Math.max(...weights))
    });
  };
  fill();
  stepped.push(fill);
  return note;
}

// The likeliest pieces of the step that is chosen.
function likeliest(trace) {
  const list = element('ol.likeliest'), title = element('p.note'), close = element('p.note');
  const fill = () => {
    const step = Math.min(state.step, trace.target.length - 1), best = trace.best[step];
    title.textContent = say('softmax.step',
      {n: step + 1, input: readable(trace.input[step]), target: readable(trace.target[step])});
    const {logits: [a, b], log_probabilities: [p]} = best;
    close.textContent = say('softmax.close', {
      logit: shortNumber(a),
      all: shortNumber(Math.exp(a - p)),
      p: shortNumber(Math.exp(p)),
      times: b === undefined ? '∞' : shortNumber(Math.exp(a - b)),
      first: readable(best.pieces[0]),
      second: readable(best.pieces[1] ?? '')
    });
    list.replaceChildren(...best.pieces.map((piece, i) => {
      const p = Math.exp(best.log_probabilities[i]);
      return element('li', {class: piece === trace.target[step] ? 'chosen' : ''},
        element('span.piece', readable(piece)),
        element('span.bar', element('span', {style: `width:${(100 * p).toFixed(2)}%`})),
        element('span.number', percent(p)),
        element('span.number.logit', shortNumber(best.logits[i])));
    }));
  };
  fill();
  stepped.push(fill);
  return element('div', title, list, close);
}

// ---- The LSTM

const lstm = [
  {
    id: 'cells',
    words: 'cells',
    code: ['cells', 'lstm_encode', 'lstm_step'],
    body: () => [prose('cells.1'), formula('cell'), prose('cells.2'),
      choices('ffn', ['encoder', 'decoder'].map((one) => [`${one}.ffn`, say(one)]),
        state.site.replace(/\..*/, '.ffn'), (one) => chosen('site', one)),
      each((trace) => {
        const stack = state.site.split('.')[0], layer = `${stack}.${layerOf(trace, stack)}`;
        const cells = stack === 'decoder' ? [layer] : [`${layer}.forward`, `${layer}.backward`];
        return element('div',
          cells.filter((cell) => trace.matrices[`${cell}.gates`])
            .flatMap(
              (cell) => [element('h4',
                           say(cell.endsWith('backward') ? 'cells.backward' : 'cells.forward')),
                ...[0, 2].map(
                  (first) => row([first, first + 1].map(
                    (i) => draw(trace, `${cell}.gates`, ['σ(i)', 'σ(f)', 'tanh(g)', 'σ(o)'][i],
                      {head: i + 1, heads: 4})))),
                draw(trace, `${cell}.cells`, 'c'), draw(trace, `${cell}.states`, 'h')]));
      })]
  },
  {
    id: 'scores',
    words: 'luong',
    code: ['lstm_attend'],
    body: () => [prose('luong.1'),
      ...['dot', 'general', 'concat'].map((score) => element('div', {
        class: shownTraces().some((trace) => trace.config.attention === score) ? 'score used' :
                                                                                 'score'
      },
                                            element('b', score), formula(score))),
      each((trace) => trace.matrices['attention.weights'] ?
          element('div', draw(trace, 'attention.scores', 'score'),
            weightsOf(trace, 'attention.weights'), draw(trace, 'attention.seen', 'c'),
            draw(trace, 'attention.out.active', 'h̃ = tanh(W[c; h])')) :
          null)]
  },
  {
    id: '3.4',
    words: 'embeddings',
    code: ['softmax'],
    body: () => [each((trace) => element('div', draw(trace, 'encoder.input', 'E[source] · √d_model'),
                        draw(trace, 'decoder.input', 'E[target] · √d_model'))),
      prose('softmax.1'), formula('softmax'), each(likeliest)]
  },
];

// ---- What both have

const search = {
  id: '6.1',
  words: 'beam',
  code: ['beam', 'penalty'],
  body: () => [prose('beam.1'), formula('beam'), prose('beam.2'),
    each((trace) => trace.beam.length === 0 ?
        element('p.note', say('beam.none')) :
        element('div',
          [...beamOf(trace).values()].map((steps) => [beamTree(trace, steps), beamTable(steps)])))]
};
// The step that looks most clearly at a word, and its layer: what is seen first.
function clearest(trace) {
  let best = {weight: 0, step: 0, layer: 1};
  const says = (piece) => !/^(\u2581|<.*>|\p{P}*)$/u.test(piece);
  for (const layer of range(trace.config.decoder_layers).map((i) => i + 1)) {
    const name = isLstm(trace) ? 'attention.weights' : `decoder.${layer}.cross.weights`;
    const view = meanView(trace, name);
    if (!view?.numbers) continue;
    for (let i = 0; i < view.rows; ++i)
      for (let j = 0; j < view.columns; ++j)
        if (i >= trace.target_context && view.at(i, j) > best.weight && says(trace.target[i]) &&
          says(trace.source[j]))
          best = {weight: view.at(i, j), step: i, layer, piece: trace.source[j]};
  }
  return best;
}

const overview = {
  id: 'model',
  words: 'overview',
  code: [],
  body: () => [prose('overview.1'), each((trace) => {
    const {weight, step, piece, layer} = clearest(trace);
    if (!weight) return element('p');
    const values = {
      target: readable(trace.target[step]),
      source: readable(piece),
      share: percent(weight),
      layer
    };
    const name = isLstm(trace) ? 'attention.weights' : `${siteOf(trace, 'decoder.cross')}.weights`;
    return element('div', element('p', say('overview.look', values)), weightsOf(trace, name, true));
  }),
    prose('overview.2', ...(shownTraces().every((one) => one.summarised) ? [] : ['overview.cells'])),
    each((trace) => element('div', factsOf(trace), isLstm(trace) ? null : figureOne(trace)))]
};

function chapters() {
  const kinds = shownTraces().map(isLstm);
  const own = kinds.includes(false) ? lstm.filter(({id}) => id !== '3.4') : lstm;
  return [
    overview, ...(kinds.includes(false) ? transformer : []), ...(kinds.includes(true) ? own : []),
    ...training, search
  ];
}
