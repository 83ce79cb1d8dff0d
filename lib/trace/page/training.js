// Training: the rate and the step of one weight (5.3), the loss of each piece (5.4).

// A line of arithmetic.
function figures(name, ...parts) {
  return element('p.figures', element('i', name), ' = ', parts);
}

function rateOf(c, t) {
  const peak = c.rate_scale * (c.rate || 1 / Math.sqrt(c.d_model * c.warmup));
  return peak * Math.min(Math.sqrt(c.warmup / t), t / c.warmup);
}

// The rate of the paper's schedule over the updates, with that of the trace.
function rateCurve(trace) {
  const c = trace.config, most = Math.max(4 * c.warmup, trace.update?.update ?? 0);
  if (c.schedule !== 'paper' || !c.warmup) return null;
  const x = (t) => 400 * t / most, y = (t) => 100 - 95 * rateOf(c, t) / rateOf(c, c.warmup);
  const points = range(101).map((i) => Math.max(1, i / 100 * most)).concat(c.warmup);
  return element('figure.histogram',
    element(
      'figcaption', say('rate.curve', {warmup: c.warmup, peak: shortNumber(rateOf(c, c.warmup))})),
    element('svg', {viewBox: '0 0 400 102', role: 'img', 'aria-label': say('rate.curve')},
      element('path', {
        class: 'edge best',
        d: `M0,100 L${points.sort((a, b) => a - b).map((t) => `${x(t)},${y(t)}`).join(' L')}`
      }),
      trace.update &&
        element('rect',
          {x: x(trace.update.update) - 3, y: y(trace.update.update) - 3, width: 6, height: 6})),
    element('p.ends', [0, most].map((t) => element('span', String(t)))));
}

// The step of one weight by Adam, from the values before it.
function stepOf(trace) {
  const c = trace.config, u = trace.update, t = u.update, g = u.gradient * u.scale;
  const m = c.beta1 * u.first_before + (1 - c.beta1) * g;
  const v = c.beta2 * u.square_before + (1 - c.beta2) * g * g;
  const mean = m / (1 - c.beta1 ** t), square = v / (1 - c.beta2 ** t);
  const step = u.rate * (mean / (Math.sqrt(square) + c.epsilon) + c.weight_decay * u.before);
  return {g, m, v, mean, square, step, after: u.before - step};
}

function oneStep(trace) {
  const c = trace.config, u = trace.update, t = u?.update, n = shortNumber;
  if (!u) return element('p.note', marked(say('step.none')));
  const {g, m, v, mean, square, step, after} = stepOf(trace), {beta1: a, beta2: b} = c;
  const bold = (x) => element('b', n(x));
  return element('div', element('p', say('step.which', {...u, update: t, norm: n(u.norm)})),
    draw(trace, 'gradient', `∂L / ∂ ${u.parameter}`),
    element('div.opened',
      c.schedule === 'paper' && c.warmup ?
        figures('rate',
          c.rate ? `${c.rate} · min(√(${c.warmup} / ${t}), ${t} / ${c.warmup})` :
                   `${c.d_model}^−0.5 · min(${t}^−0.5, ${t} · ${c.warmup}^−1.5)`,
          c.rate_scale === 1 ? '' : ` · ${c.rate_scale}`, ' = ', bold(rateOf(c, t))) :
                               figures('rate', bold(u.rate)),
      u.scale === 1 ? null : figures('g', `${n(u.gradient)} × ${n(u.scale)} = `, bold(g)),
      figures('m', `${a} × ${n(u.first_before)} + (1 − ${a}) × ${n(g)} = `, bold(m)),
      figures('v', `${b} × ${n(u.square_before)} + (1 − ${b}) × ${n(g)}² = `, bold(v)),
      figures('m̂', `${n(m)} / (1 − ${a}^${t}) = `, bold(mean)),
      figures('v̂', `${n(v)} / (1 − ${b}^${t}) = `, bold(square)),
      figures('Δ', `${n(u.rate)} × ${n(mean)} / (√${n(square)} + ${c.epsilon}) = `, bold(step)),
      figures('w', `${n(u.before)} − ${n(step)} = `, bold(after))));
}

// The loss of each piece of the target: that of the right piece, and the mean of all, mixed.
function lossOf(trace, i) {
  const e = trace.config.label_smoothing, {mean} = trace.best[i], p = trace.log_probabilities[i];
  return -(1 - e) * p - e * mean;
}

function losses(trace) {
  const e = trace.config.label_smoothing, n = shortNumber;
  const all = trace.target.map((_, i) => lossOf(trace, i));
  const heads = ['loss.piece', 'loss.right', 'loss.mean', 'loss.loss'];
  return element('table',
    element('caption',
      say('loss.table',
        {e, sum: n(all.reduce((a, b) => a + b, 0) / all.length), V: trace.config.target_vocab})),
    element('thead', element('tr', heads.map((key) => element('th', {scope: 'col'}, say(key))))),
    element('tbody',
      trace.target.map((piece, i) => element('tr', element('th', {scope: 'row'}, readable(piece)),
                         element('td.number', n(-trace.log_probabilities[i])),
                         element('td.number', n(-trace.best[i].mean)),
                         element('td.number',
                           `${Number((1 - e).toFixed(6))} × ${n(-trace.log_probabilities[i])} + ${
                             e} × ${n(-trace.best[i].mean)} = ${n(all[i])}`)))));
}

const training = [
  {
    id: '5.3',
    words: 'rate',
    code: ['rate', 'adam'],
    body: () => [prose('rate.1'), formula('rate'), prose('rate.2'), formula('adam'),
      each((trace) => element('div', rateCurve(trace), oneStep(trace)))]
  },
  {
    id: '5.4',
    words: 'loss',
    code: ['loss'],
    body: () => [prose('loss.1'), formula('smoothing'), each(losses)]
  },
];
