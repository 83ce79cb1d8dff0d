// The chapters, in the paper's order: what each says, its formulas, the functions that compute it,
// and its pictures. A chapter is only there for the kind of model that has it.

// Formulas in MathML. v: a variable; t: upright text.
const v = (x) => `<mi>${x}</mi>`, t = (x) => `<mtext>${x}</mtext>`,
      o = (x) => `<mo stretchy="false">${x}</mo>`;
const sub = (a, b) => `<msub>${a}${b}</msub>`, sup = (a, b) => `<msup>${a}${b}</msup>`;
const big = (x) => `<mo stretchy="true">${x}</mo>`;
const group = (...x) => `<mrow>${x.join('')}</mrow>`,
      call = (f, ...x) => group(t(f), o('('), ...x, o(')'));
const frac = (a, b) => `<mfrac>${a}${b}</mfrac>`, root = (x) => `<msqrt>${x}</msqrt>`;
const formulas = {
  post: group(call('Norm', v('x'), o('+'), call('Sublayer', v('x')))),
  pre: group(v('x'), o('+'), call('Sublayer', call('Norm', v('x')))),
  attention: group(
      call('Attention', v('Q'), o(','), v('K'), o(','), v('V')), o('='), t('softmax'), big('('),
      frac(group(v('Q'), sup(v('K'), v('T'))), root(sub(v('d'), v('k')))), big(')'), v('V')),
  heads: group(
      call('MultiHead', v('Q'), o(','), v('K'), o(','), v('V')), o('='), t('Concat'), o('('),
      sub(t('head'), '<mn>1</mn>'), o(','), o('…'), o(','), sub(t('head'), v('h')), o(')'),
      sup(v('W'), v('O'))),
  ffn: group(
      call('FFN', v('x')), o('='),
      call(
          'max', '<mn>0</mn>', o(','), v('x'), sub(v('W'), '<mn>1</mn>'), o('+'),
          sub(v('b'), '<mn>1</mn>')),
      sub(v('W'), '<mn>2</mn>'), o('+'), sub(v('b'), '<mn>2</mn>')),
  softmax: group(
      v('p'), o('('), sub(v('y'), v('t')), o(')'), o('='),
      call('softmax', v('E'), sub(v('x'), v('t')))),
  positions: group(
      t('PE'), o('('), v('pos'), o(','), '<mn>2</mn>', v('i'), o(')'), o('='), t('sin'), o('('),
      v('pos'), o('/'),
      sup('<mn>10000</mn>', group('<mn>2</mn>', v('i'), o('/'), sub(v('d'), t('model')))), o(')')),
  ssru: group(
      sub(v('c'), v('t')), o('='), sub(v('f'), v('t')), o('⊙'),
      sub(v('c'), group(v('t'), o('−'), '<mn>1</mn>')), o('+'), o('('), '<mn>1</mn>', o('−'),
      sub(v('f'), v('t')), o(')'), o('⊙'), sub(v('x'), v('t')), o(','), sub(v('h'), v('t')), o('='),
      call('max', '<mn>0</mn>', o(','), sub(v('c'), v('t')))),
  cell: group(
      v('c′'), o('='), v('σ'), o('('), v('f'), o(')'), o('⊙'), v('c'), o('+'), v('σ'), o('('),
      v('i'), o(')'), o('⊙'), call('tanh', v('g')), o(','), v('h′'), o('='), v('σ'), o('('), v('o'),
      o(')'), o('⊙'), call('tanh', v('c′'))),
  dot: group(call('score', v('h'), o(','), v('s')), o('='), sup(v('h'), v('T')), v('s')),
  general: group(
      call('score', v('h'), o(','), v('s')), o('='), sup(v('h'), v('T')), sub(v('W'), v('a')),
      v('s')),
  concat: group(
      call('score', v('h'), o(','), v('s')), o('='), sup(sub(v('v'), v('a')), v('T')),
      call('tanh', sub(v('W'), v('a')), o('['), v('h'), o(';'), v('s'), o(']'))),
  beam: group(
      v('s'), o('('), v('Y'), o(')'), o('='),
      frac(
          group(t('log'), v('P'), o('('), v('Y'), o('|'), v('X'), o(')')),
          sup(group(
                  o('('), o('('), '<mn>5</mn>', o('+'), o('|'), v('Y'), o('|'), o(')'), o('/'),
                  '<mn>6</mn>', o(')')),
              v('α')))),
};

// The only markup that is not made of elements: the constants above.
function formula(name) {
  const box = element('div', {class: 'formula'});
  box.innerHTML = `<math display="block">${formulas[name]}</math>`;
  return box;
}

function prose(...keys) {
  return keys.map((key) => element('p', {}, marked(say(key))));
}

// Where the sources compute it, as they were when the program was built.
function code(...names) {
  return names.map((name) => {
    const {file, line, text} = data.code[name];
    return element(
        'details', {class: 'code', 'data-key': `code ${name}`},
        element(
            'summary', {}, element('code', {}, `${file}:${line}`), ' ',
            element('span', {class: 'first'}, text[0].trim())),
        element(
            'pre', {tabindex: 0},
            element(
                'code', {},
                text.map(
                    (one, i) =>
                        [element('span', {class: 'line'}, String(line + i).padStart(4) + '  '), one,
                         '\n']))));
  });
}

// Makes a part for each trace that is looked at, side by side.
function each(draw) {
  const traces = shownTraces();
  const parts = traces.map(
      (trace, i) => element(
          'div', {class: 'one'},
          traces.length > 1 ?
              element('p', {class: 'which'}, element('b', {}, 'AB'[i]), ` ${trace.model}`) :
              null,
          draw(trace) ?? element('p', {class: 'note'}, say('not-here'))));
  return element('div', {class: traces.length > 1 ? 'each two' : 'each'}, parts);
}

function eachTransformer(draw) {
  return each((trace) => isLstm(trace) ? null : draw(trace));
}

function row(...parts) {
  return element('div', {class: 'row'}, parts);
}
function operator(sign) {
  return element('span', {class: 'operator', 'aria-hidden': true}, sign);
}

const layerOf = (trace, stack) => Math.min(
    state.layer, stack === 'encoder' ? trace.config.encoder_layers : trace.config.decoder_layers);
const headOf = (trace) => Math.min(Math.max(1, state.head), isLstm(trace) ? 1 : trace.config.heads);

// "encoder.self" with the layer: "encoder.2.self".
function siteOf(trace, stackAndPart) {
  const [stack, part] = stackAndPart.split('.');
  return `${stack}.${layerOf(trace, stack)}.${part}`;
}

// The input of a sub-layer, which the one before has made.
function inputOf(trace, stackAndPart) {
  const [stack, part] = stackAndPart.split('.'), layer = layerOf(trace, stack);
  const last = trace.config.norm === 'pre' ? 'sum' : 'norm';
  const before = {self: null, cross: 'self', ffn: stack === 'encoder' ? 'self' : 'cross'}[part];
  if (before) return `${stack}.${layer}.${before}.${last}`;
  return layer === 1 ? `${stack}.input` : `${stack}.${layer - 1}.ffn.${last}`;
}

// Choices in a row, as radio buttons: what is looked at in one chapter.
function choices(name, options, now, choose) {
  return element(
      'div', {class: 'choices', role: 'radiogroup', 'aria-label': say(`choose.${name}`)},
      options.map(
          ([value, label]) => element(
              'label', {}, element('input', {
                type: 'radio',
                name,
                value,
                checked: value === now,
                'data-key': `${name} ${value}`,
                onchange: () => choose(value)
              }),
              element('span', {}, label))));
}

const sites = ['encoder.self', 'decoder.self', 'decoder.cross'];
const sitesAndFfn = ['encoder.self', 'encoder.ffn', 'decoder.self', 'decoder.cross', 'decoder.ffn'];
function siteChoices(name, all, now, choose) {
  return choices(name, all.map((one) => [one, say(`site.${one}`)]), now, (one) => {
    choose(one), render();
  });
}

function draw(trace, name, title, options = {}) {
  const follows = name.startsWith('decoder') || name.startsWith('attention');
  const view = viewOf(trace, name, options.head, options.heads);
  return view && picture(view, {
           title,
           follows: follows && !/\.[kv]$/.test(name) || /self\.[kv]$/.test(name) && follows,
           ...options
         });
}

// ---- The Transformer

const transformer = [
  {
    id: '3.1',
    words: 'stacks',
    code: ['residual', 'encode', 'decoder_layer'],
    body: () =>
        [...prose('stacks.1', 'stacks.2'), formula(shownTraces()[0].config.norm),
         siteChoices(
             'stack', sitesAndFfn, state.stack,
             (one) => {
               state.stack = one;
             }),
         eachTransformer((trace) => {
           const site = siteOf(trace, state.stack);
           const out = trace.config.decoder_self === 'ssru' && state.stack === 'decoder.self' ?
               'states' :
               'out';
           const normed = draw(
               trace, `${site}.norm`, trace.config.norm_type === 'rms' ? 'RMSNorm' : 'LayerNorm');
           return element(
               'div', {}, draw(trace, inputOf(trace, state.stack), 'x'),
               trace.config.norm === 'pre' ? normed : null,
               draw(trace, `${site}.${out}`, 'Sublayer(…)'),
               draw(trace, `${site}.sum`, 'x + Sublayer(…)'),
               trace.config.norm === 'pre' ? null : normed);
         })]
  },
  {
    id: '3.2.1',
    words: 'attention',
    code: ['attend', 'attend_source', 'heads', 'ssru'],
    body: () =>
        [...prose('attention.1'), formula('attention'), ...prose('attention.2'),
         siteChoices(
             'site', sites, state.site ?? 'decoder.cross',
             (one) => {
               state.site = one;
             }),
         eachTransformer((trace) => {
           const chosen = state.site ?? 'decoder.cross', site = siteOf(trace, chosen);
           if (trace.matrices[`${site}.states`]) return ssruPictures(trace, site);
           const head = headOf(trace), heads = trace.config.heads, options = {head, heads};
           return element(
               'div', {}, element('p', {class: 'note'}, say('attention.head', {head, heads})),
               row(draw(trace, `${site}.q`, 'Q', options), draw(trace, `${site}.k`, 'K', options)),
               row(draw(
                       trace, `${site}.scores`,
                       trace.config.scores === 'scaled' && trace.config.positions !== 'relative' ?
                           'QKᵀ / √dₖ' :
                           'scores',
                       options),
                   operator('→'),
                   draw(trace, `${site}.weights`, 'softmax', {...options, weights: true})),
               row(draw(trace, `${site}.v`, 'V', options),
                   draw(trace, `${site}.seen`, 'softmax · V', options)));
         }),
         ...prose('attention.mask')]
  },
  {
    id: '3.2.2',
    words: 'heads',
    code: ['attend'],
    body: () =>
        [...prose('heads.1'), formula('heads'), ...prose('heads.2'),
         siteChoices(
             'headsite', sites, state.headSite ?? 'decoder.cross',
             (one) => {
               state.headSite = one;
             }),
         eachTransformer((trace) => {
           const site = siteOf(trace, state.headSite ?? 'decoder.cross'),
                 heads = trace.config.heads;
           if (!trace.matrices[`${site}.weights`]) return null;
           const one = (head) => draw(trace, `${site}.weights`, say('head', {n: head}), {
             head,
             weights: true,
             small: state.head === 0,
             key: head,
             onchoose: () => setHead(state.head === head ? 0 : head),
           });
           const all = state.head === 0 ? Array.from({length: heads}, (_, i) => one(i + 1)) :
                                          [one(headOf(trace))];
           return element(
               'div', {}, element('div', {class: state.head === 0 ? 'heads' : 'head'}, all),
               draw(trace, `${site}.seen`, 'Concat(head₁ … headₕ)'),
               draw(trace, `${site}.out`, 'Concat · Wᴼ'));
         })]
  },
  {
    id: '3.2.3',
    words: 'uses',
    code: ['attend_source', 'decoder_layer'],
    body: () =>
        [...prose('uses.1'),
         choices(
             'kind',
             [
               ['cross', say('site.decoder.cross')], ['encoder', say('site.encoder.self')],
               ['decoder', say('site.decoder.self')]
             ],
             state.kind,
             (one) => {
               state.kind = one, render();
             }),
         ...prose(`uses.${state.kind}`), eachTransformer((trace) => {
           const site = {
             cross: 'decoder.cross',
             encoder: 'encoder.self',
             decoder: 'decoder.self'
           }[state.kind];
           return weightsOf(trace, `${siteOf(trace, site)}.weights`, state.kind === 'encoder');
         })]
  },
  {
    id: '3.3',
    words: 'ffn',
    code: ['feed_forward'],
    body: () =>
        [...prose('ffn.1'), formula('ffn'), ...prose('ffn.2'),
         choices(
             'ffn', [['encoder', say('encoder')], ['decoder', say('decoder')]],
             state.ffn ?? 'encoder',
             (one) => {
               state.ffn = one, render();
             }),
         eachTransformer((trace) => {
           const stack = state.ffn ?? 'encoder', site = `${stack}.${layerOf(trace, stack)}.ffn`;
           const active = viewOf(trace, `${site}.in.active`);
           let on = 0;
           if (active?.numbers)
             for (const x of active.numbers) on += x > 0;
           return element(
               'div', {}, draw(trace, `${site}.in`, 'xW₁'),
               draw(
                   trace, `${site}.in.active`,
                   trace.config.activation === 'relu' ? 'max(0, xW₁ + b₁)' : 'act(xW₁ + b₁)'),
               active?.numbers ? element(
                                     'p', {class: 'note'},
                                     say('ffn.on', {share: percent(on / active.numbers.length)})) :
                                 null,
               draw(trace, `${site}.gate.times`, 'act(xW₁ + b₁) ⊙ xW_g'),
               draw(trace, `${site}.out`, 'FFN(x)'));
         })]
  },
  {
    id: '3.4',
    words: 'embeddings',
    code: ['embed', 'softmax'],
    body: () =>
        [...prose('embeddings.1'),
         each(
             (trace) => element(
                 'div', {},
                 draw(trace, 'encoder.embeddings', 'E[source] · √D') ??
                     draw(trace, 'encoder.input', 'E[source] · √D'),
                 draw(trace, 'decoder.embeddings', 'E[target] · √D') ??
                     draw(trace, 'decoder.input', 'E[target] · √D'))),
         ...prose('softmax.1'), formula('softmax'), each(likeliest)]
  },
  {
    id: '3.5',
    words: 'positions',
    code: ['positions'],
    body: () =>
        [...prose('positions.1'), formula('positions'), ...prose('positions.2'),
         eachTransformer(
             (trace) => trace.matrices['encoder.positions'] ?
                 element(
                     'div', {}, draw(trace, 'encoder.positions', 'PE'),
                     draw(trace, 'encoder.input', 'E · √D + PE')) :
                 null)]
  },
];

function ssruPictures(trace, site) {
  return element(
      'div', {}, ...prose('ssru.1'), formula('ssru'), draw(trace, `${site}.units`, 'x, f'),
      draw(trace, `${site}.cells`, 'c'), draw(trace, `${site}.states`, 'h'));
}

// Weights as arcs and as a matrix; of all heads the mean.
function weightsOf(trace, name, ownWord) {
  const all = state.head === 0 || isLstm(trace);
  const view = all ? meanView(trace, name) : viewOf(trace, name, headOf(trace), trace.config.heads);
  if (!view) return null;
  const title = isLstm(trace) ? say('weights') :
      all                     ? say('heads.mean') :
                                say('head', {n: headOf(trace)});
  if (!view.numbers) return picture(view, {title});
  const chosen = () => Math.min(ownWord ? state.word : state.step, view.rows - 1);
  const choose = (i) => {
    if (!ownWord) return setStep(i);
    state.word = i;
    stepped.forEach((each) => each());
  };
  return element(
      'div', {}, arcs(view, {chosen, choose, title}),
      picture(view, {title, weights: true, follows: !ownWord}));
}

// The likeliest pieces of the step that is chosen.
function likeliest(trace) {
  const list = element('ol', {class: 'likeliest'}), title = element('p', {class: 'note'});
  const fill = () => {
    const step = Math.min(state.step, trace.target.length - 1), best = trace.best[step];
    title.textContent = say(
        'softmax.step',
        {n: step + 1, input: readable(trace.input[step]), target: readable(trace.target[step])});
    list.replaceChildren(...best.pieces.map((piece, i) => {
      const p = Math.exp(best.log_probabilities[i]);
      return element(
          'li', {class: piece === trace.target[step] ? 'chosen' : ''},
          element('span', {class: 'piece'}, readable(piece)),
          element(
              'span', {class: 'bar'}, element('span', {style: `width:${(100 * p).toFixed(2)}%`})),
          element('span', {class: 'number'}, percent(p)),
          element('span', {class: 'number logit'}, shortNumber(best.logits[i])));
    }));
  };
  fill();
  stepped.push(fill);
  return element('div', {}, title, list);
}

// ---- The LSTM

const lstm = [
  {
    id: 'cells',
    words: 'cells',
    code: ['cells', 'lstm_encode', 'lstm_step'],
    body: () =>
        [...prose('cells.1'), formula('cell'), ...prose('cells.2'),
         choices(
             'ffn', [['encoder', say('encoder')], ['decoder', say('decoder')]],
             state.ffn ?? 'encoder',
             (one) => {
               state.ffn = one, render();
             }),
         each((trace) => {
           const stack = state.ffn ?? 'encoder', layer = `${stack}.${layerOf(trace, stack)}`;
           const cells = stack === 'decoder' ? [layer] : [`${layer}.forward`, `${layer}.backward`];
           return element(
               'div', {},
               cells.filter((cell) => trace.matrices[`${cell}.gates`])
                   .flatMap(
                       (cell) =>
                           [element(
                                'h4', {},
                                say(cell.endsWith('backward') ? 'cells.backward' :
                                                                'cells.forward')),
                            ...[0, 2].map(
                                (first) => row([first, first + 1].map(
                                    (i) => draw(
                                        trace, `${cell}.gates`,
                                        ['σ(i)', 'σ(f)', 'tanh(g)', 'σ(o)'][i],
                                        {head: i + 1, heads: 4})))),
                            draw(trace, `${cell}.cells`, 'c'),
                            draw(trace, `${cell}.states`, 'h')]));
         })]
  },
  {
    id: 'scores',
    words: 'luong',
    code: ['lstm_attend'],
    body: () =>
        [...prose('luong.1'),
         ...['dot', 'general', 'concat'].map(
             (score) => element(
                 'div', {
                   class: shownTraces().some((trace) => trace.config.attention === score) ?
                       'score used' :
                       'score'
                 },
                 element('b', {}, score), formula(score))),
         each(
             (trace) => trace.matrices['attention.weights'] ?
                 element(
                     'div', {}, draw(trace, 'attention.scores', 'score'),
                     weightsOf(trace, 'attention.weights', false),
                     draw(trace, 'attention.seen', 'c'),
                     draw(trace, 'attention.out.active', 'h̃ = tanh(W[c; h])')) :
                 null)]
  },
  {
    id: '3.4',
    words: 'embeddings',
    code: ['softmax'],
    body: () =>
        [each(
             (trace) => element(
                 'div', {}, draw(trace, 'encoder.input', 'E[source] · √D'),
                 draw(trace, 'decoder.input', 'E[target] · √D'))),
         ...prose('softmax.1'), formula('softmax'), each(likeliest)]
  },
];

// ---- What both have

const search = {
  id: '6.1',
  words: 'beam',
  code: ['beam', 'penalty'],
  body: () =>
      [...prose('beam.1'), formula('beam'), ...prose('beam.2'),
       each(
           (trace) => trace.beam.length === 0 ?
               element('p', {class: 'note'}, say('beam.none')) :
               element(
                   'div', {},
                   [...beamOf(trace).values()].map(
                       (steps) => [beamTree(trace, steps), beamTable(steps)])))]
};
const overview = {
  id: 'model',
  words: 'overview',
  code: [],
  body: () =>
      [...prose('overview.1'),
       each((trace) => element('div', {}, factsOf(trace), isLstm(trace) ? null : figureOne(trace)))]
};

function chapters() {
  const kinds = shownTraces().map(isLstm);
  const own = kinds.includes(false) ? lstm.filter(({id}) => id !== '3.4') : lstm;
  return [
    overview, ...(kinds.includes(false) ? transformer : []), ...(kinds.includes(true) ? own : []),
    search
  ];
}
