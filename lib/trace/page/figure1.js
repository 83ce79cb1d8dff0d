// Figure 1 of the paper, drawn from the model that was traced; its boxes lead to the sections.

function figureOne(trace) {
  const c = trace.config, pre = c.norm === 'pre';
  const svg = element('svg', {class: 'figure1', role: 'group', 'aria-label': say('figure.label')});
  const box = (x, y, height, key, section, kind) => svg.append(element(
      'link', {href: `#s${section}`, class: `box ${kind}`},
      element('rect', {x, y, width: 190, height, rx: 5}),
      element('text', {x: x + 95, y: y + height / 2 + 4.5, 'text-anchor': 'middle'}, say(key))));
  const text = (x, y, what, kind) =>
      svg.append(element('text', {x, y, class: kind, 'text-anchor': 'middle'}, what));
  const arrow = (d) => svg.append(element('path', {d, class: 'arrow'}));
  const some = (pieces) =>
      pieces.slice(0, 6).map(readable).join(' ') + (pieces.length > 6 ? ' …' : '');

  // From bottom to top; returns the top of the frame and the middles of its sub-layers.
  const stack = (x, name, layers, sublayers, pieces) => {
    const group = 62, bottom = 334, top = bottom - 10 - sublayers.length * group, middles = [];
    svg.append(element(
        'rect', {x: x - 14, y: top, width: 218, height: bottom - top, rx: 10, class: 'frame'}));
    text(x + (x < 200 ? -28 : 222), (top + bottom) / 2, `${layers}×`, 'times');
    text(x + 95, 446, some(pieces), 'pieces');
    box(x, 394, 28, 'figure.embedding', '3.4', 'embed');
    arrow(`M${x + 95},394 V${bottom - 6}`);
    if (c.positions === 'sinusoidal' || c.positions === 'learned')
      box(x, 350, 28, `figure.${c.positions}`, '3.5', 'embed');
    sublayers.forEach(([key, section, kind], i) => {
      const y = bottom - 6 - (i + 1) * group;
      box(x, y + (pre ? 4 : 27), 31, key, section, kind);
      box(x, y + (pre ? 38 : 4), 20, pre ? 'figure.norm' : 'figure.addnorm', '3.1', 'norm');
      middles.push(y + (pre ? 19 : 42));
    });
    svg.append(element('text', {x: x - 12, y: top - 8, class: 'name'}, name));
    return {top, middles};
  };
  const ffn = ['figure.ffn', '3.3', 'ffn'];
  const encoder = stack(
      46, say('encoder'), c.encoder_layers, [['figure.self', '3.2.1', 'attend'], ffn],
      trace.source);
  const own = c.decoder_self === 'ssru' ? 'figure.ssru' : 'figure.masked';
  const decoder = stack(
      346, say('decoder'), c.decoder_layers,
      [[own, '3.2.1', 'attend'], ['figure.cross', '3.2.3', 'attend'], ffn], trace.input);
  arrow(`M141,${encoder.top} v-14 h150 V${decoder.middles[1]} h44`);
  arrow(`M441,${decoder.top} v-22`);
  box(346, decoder.top - 52, 30, 'figure.softmax', '3.4', 'softmax');
  text(441, decoder.top - 62, some(trace.target), 'pieces');
  const above = decoder.top - 80;
  svg.setAttribute('viewBox', `0 ${above} 600 ${454 - above}`);
  return element('div', {class: 'wide'}, svg);
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
  return element(
      'dl', {class: 'facts'},
      Object.entries(facts).map(
          ([name, value]) =>
              element('div', {}, element('dt', {}, name), element('dd', {}, String(value)))));
}
