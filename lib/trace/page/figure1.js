// Figure 1 of the paper, drawn from the model that was traced; its boxes lead to the sections.

function figureOne(trace) {
  const c = trace.config, pre = c.norm === 'pre', left = 60, right = 360, wide = 186;
  const head = element('marker', {
    id: `head${data.traces.indexOf(trace)}`,
    viewBox: '0 0 8 8',
    refX: 7,
    refY: 4,
    markerWidth: 6,
    markerHeight: 6,
    orient: 'auto'
  },
    element('path', {d: 'M0,0 L8,4 L0,8 z', class: 'arrowhead'}));
  const svg = element('svg.figure1', {role: 'group', 'aria-label': say('figure.label')}, head);
  const arrow = (d) =>
    svg.append(element('path', {d, class: 'arrow', 'marker-end': `url(#${head.id})`}));
  const text = (x, y, what, kind) =>
    svg.append(element('text', {x, y, class: kind, 'text-anchor': 'middle'}, what));
  const box = (x, y, height, key, section, kind, wide = 186) =>
    svg.append(element('link', {href: `#s${section}`, class: `box ${kind}`},
      element('rect', {x, y, width: wide, height, rx: 5}),
      element(
        'text', {x: x + wide / 2, y: y + height / 2 + 4.5, 'text-anchor': 'middle'}, say(key))));
  const some = (pieces) =>
    pieces.slice(0, 6).map(readable).join(' ') + (pieces.length > 6 ? ' …' : '');
  const added = c.positions === 'sinusoidal' || c.positions === 'learned';

  // From bottom to top; returns the top of the frame, and where attention to the source begins.
  const stack = (x, name, layers, sublayers, pieces) => {
    const group = 84, bottom = 400, top = bottom - 14 - sublayers.length * group,
          mid = x + wide / 2;
    const outer = x === left ? -1 : 1, side = mid + outer * (wide / 2 + 13);
    svg.append(element(
      'rect', {x: x - 24, y: top, width: wide + 48, height: bottom - top, rx: 10, class: 'frame'}));
    text(mid + outer * (wide / 2 + 42), (top + bottom) / 2, `${layers}×`, 'times');
    svg.append(element('text', {x: x - 22, y: top - 8, class: 'name'}, name));
    text(mid, 528, some(pieces), 'pieces');
    box(x, 478, 28, 'figure.embedding', '3.4', 'embed');
    arrow(`M${mid},512 v-6`), arrow(`M${mid},478 v-12`);
    if (added) {
      text(mid, 463, '⊕', 'plus');
      box(mid + (outer < 0 ? -156 : 20), 428, 22, `figure.${c.positions}`, '3.5', 'embed', 136);
      arrow(`M${mid + outer * 80},450 v8 H${mid + outer * 8}`);
    }
    let source = 0;
    sublayers.forEach(([key, section, kind], i) => {
      const foot = bottom - 6 - i * group, norm = pre ? foot - 34 : foot - 70,
            sub = pre ? foot - 68 : foot - 46;
      const from = i ? foot + 14 : added ? 450 : 466;
      box(x, norm, 20, pre ? 'figure.norm' : 'figure.addnorm', '3.1', 'norm');
      box(x, sub, 30, key, section, kind);
      // The input, the sub-layer's result, and the residual connection around both.
      arrow(`M${mid},${from} V${pre ? norm + 20 : sub + 30}`);
      arrow(pre ? `M${mid},${norm} V${sub + 30}` : `M${mid},${sub} V${norm + 20}`);
      const back = pre ? sub - 5 : norm + 10;
      arrow(`M${mid},${foot - 4} H${side} V${back} H${pre ? mid : mid + outer * wide / 2}`);
      if (key === 'figure.cross') source = foot - 9;
    });
    return {top, mid, source};
  };
  const ffn = ['figure.ffn', '3.3', 'ffn'];
  const own = c.decoder_self === 'ssru' ? 'figure.ssru' : 'figure.masked';
  const encoder = stack(left, say('encoder'), c.encoder_layers,
    [['figure.self', '3.2.1', 'attend'], ffn], trace.source);
  const decoder = stack(right, say('decoder'), c.decoder_layers,
    [[own, '3.2.1', 'attend'], ['figure.cross', '3.2.3', 'attend'], ffn], trace.input);
  // The encoder's output enters each decoder layer as keys and values.
  const between = (left + right + wide) / 2, enter = right + wide / 2 - 40;
  arrow(`M${encoder.mid},${encoder.top + 22} v-30 H${between} V${decoder.source} H${enter} v-8`);
  arrow(`M${decoder.mid},${decoder.top + 22} v-46`);
  box(right, decoder.top - 56, 30, 'figure.softmax', '3.4', 'softmax');
  arrow(`M${decoder.mid},${decoder.top - 56} v-10`);
  text(decoder.mid, decoder.top - 72, some(trace.target), 'pieces');
  const above = decoder.top - 90;
  svg.setAttribute('viewBox', `-12 ${above} 632 ${536 - above}`);
  return svg;
}

// The model in a few lines.
function factsOf(trace) {
  const c = trace.config, layers = `${c.encoder_layers} + ${c.decoder_layers}`;
  const facts = isLstm(trace) ? {
    type: 'LSTM',
    layers,
    D: c.d_model,
    attention: c.attention,
    bidirectional: c.bidirectional,
    'input feeding': c.input_feeding
  } :
                                {
                                  N: layers,
                                  d_model: c.d_model,
                                  d_ff: c.d_ff,
                                  h: c.heads,
                                  d_k: c.d_k || c.d_model / c.heads,
                                  norm: c.norm,
                                  activation: c.activation,
                                  beam: c.beam,
                                  α: c.alpha
                                };
  return element('dl.facts', Object.entries(facts).map(([name,
    value]) => element('div', element('dt', name), element('dd', String(value)))));
}
