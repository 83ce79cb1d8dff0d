// The arithmetic of a cell: the numbers of the trace that made it, each a link to its own cell.

const mostTerms = 5;  // of a sum; the others are added up

// A cell {name, i, j, block} of a trace, and its arithmetic: `lines` of figures, lists of
// texts and elements; and `lit`, ranges of the cells that it is made of. Block -1: the mean of all.
class Cell {
  constructor(trace, {name, i, j, block}) {
    const dot = name.lastIndexOf('.');
    Object.assign(this, {trace, name, i, j, c: trace.config, mean: block < 0, lines: [], lit: []});
    this.block = Math.max(0, block), this.lstm = isLstm(trace);
    this.site = name.slice(0, dot), this.last = name.slice(dot + 1);
    this.number = this.get(name, i, j, this.block);
  }
  has(name) {
    return Boolean(this.trace.matrices[name]);
  }
  columns(name) {
    return this.trace.matrices[name].columns;
  }
  get(name, i = this.i, j = this.j, block = 0) {
    const m = this.trace.matrices[name];
    return numbersOf(this.trace, name)[(block * m.rows + i) * m.columns + j];
  }
  light(name, rows, columns, block = 0) {
    this.lit.push({name, block, rows, columns});
  }
  // A number, as a link to the picture that it is in.
  link(name, i = this.i, j = this.j, block = 0) {
    const text = shortNumber(this.get(name, i, j, block));
    return homeOf(this.trace, name) ?
      element('a', {href: linkTo(this.trace, name, i, j, block)}, text) :
      text;
  }
  // Another cell's number, as a link; both cells light up.
  use(name, i = this.i, j = this.j, block = 0) {
    this.light(name, [i, i + 1], [j, j + 1], block);
    return {x: this.get(name, i, j, block), e: this.link(name, i, j, block)};
  }
  vector(name) {  // an element of a parameter, 0 where there is none
    return this.has(name) ? this.get(name, 0) : 0;
  }
  says(...figures) {
    this.lines.push(figures);
  }
  gives(value, ...figures) {
    this.folded ||= Number.isNaN(value);
    this.says(...figures, ' = ', element('b', shortNumber(value)));
    return value;
  }
  // Of terms [value, its figures] the largest, and how much the others are; `whole` is what they
  // are together where some are folded away.
  sum(terms, whole = NaN) {
    const order =
      terms.filter(([x]) => !Number.isNaN(x)).sort((a, b) => Math.abs(b[0]) - Math.abs(a[0]));
    const away = terms.length - order.length;
    const figures = order.slice(0, mostTerms).flatMap(([, made], k) => [k ? ' + ' : '', ...made()]);
    const all = (some) => some.reduce((sum, [x]) => sum + x, 0);
    const n = terms.length - Math.min(order.length, mostTerms), total = away ? whole : all(terms);
    if (n)
      figures.push(
        ` + ${shortNumber(total - all(order.slice(0, mostTerms)))} `, say('cell.others', {n}));
    if (away) figures.push(' ', say('cell.away', {n: away}));
    return [total, figures];
  }
  // A row of x times column j of the parameter w, and the bias: the largest terms, for which the
  // page has room or not, and what the others are.
  product(x, w = this.name, j = this.j, bias = `${w}_bias`) {
    const {i} = this, n = this.columns(x), factors = `${w}.factors`;
    const shift = this.has(bias) ? this.get(bias, 0, j) : 0;
    const value = this.has(w) ? this.get(w) : this.number;  // of one of its parts
    this.light(x, [i, i + 1], [0, n]);
    const [before, after] = say('cell.product', {n, column: j + 1}).split('{x}');
    this.says(before, element('a', {href: linkTo(this.trace, x, i, 0, 0)}, x), after);
    if (!this.has(factors)) return this.says(say('cell.large')), value;
    const terms = range(this.trace.matrices[factors].blocks).map((t) => {
      const k = this.get(`${w}.units`, i, j, t) - 1, factor = this.get(factors, i, j, t);
      return [this.get(x, i, k) * factor, () => [this.link(x, i, k), ` × ${shortNumber(factor)}`]];
    });
    this.terms = terms.map(([term]) => Math.abs(term));
    const [known, figures] = this.sum(terms), others = say('cell.others', {n: n - terms.length});
    figures.push(` + ${shortNumber(value - shift - known)} ${others}`);
    return this.gives(value, ...figures, shift ? ` + ${shortNumber(shift)}` : '');
  }
  input() {  // of the sub-layer
    return this.c.norm === 'pre' ? `${this.site}.norm` : inputOf(this.trace, this.site);
  }
}

const logistic = (x) => 1 / (1 + Math.exp(-x));
const activations = {
  relu: (x) => Math.max(0, x),
  swish: (x) => x * logistic(x),
  gelu: (x) => x / 2 * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
  gelu_logistic: (x) => x * logistic(1.702 * x),
  tanh: Math.tanh,
};

// By the last part of a matrix's name: what makes its cells. A rule gives the number that its
// figures give, unless the trace has not all of them.
const rules = {
  embeddings(cell) {
    const width = cell.c.scale_embeddings ? Math.sqrt(cell.c.d_model) : 1, x = cell.number / width;
    return cell.gives(x * width, `E × √d = ${shortNumber(x)} × ${shortNumber(width)}`);
  },
  positions(cell) {
    const {c, i, j} = cell;
    if (c.positions !== 'sinusoidal') return cell.says(say('cell.learned'));
    const half = Math.floor((c.d_model + 1) / 2), paired = c.position_layout === 'interleaved';
    const pair = paired ? Math.floor(j / 2) : j % half;
    const f = (paired ? j % 2 === 0 : j < half) ? 'sin' : 'cos';
    const power = c.position_layout === 'tensor2tensor' ? pair / Math.max(half - 1, 1) :
                                                          2 * pair / c.d_model;
    const pos = i + c.first_position, angle = pos / 10000 ** power;
    cell.says(`pos = ${pos}, 10000^${shortNumber(power)} = ${shortNumber(10000 ** power)}`);
    return cell.gives(Math[f](angle), `${f}(${pos} / ${shortNumber(10000 ** power)})`);
  },
  input(cell) {
    if (!cell.has(`${cell.site}.positions`)) return rules.embeddings(cell);
    const e = cell.use(`${cell.site}.embeddings`), p = cell.use(`${cell.site}.positions`);
    return cell.gives(e.x + p.x, e.e, ' + ', p.e);
  },
  // An LSTM is fed one step later.
  sum(cell) {
    const {trace, site, i, name} = cell;
    const out = cell.lstm ? 'x' : cell.has(`${site}.out`) ? 'out' : 'states', y = `${site}.${out}`;
    const later = trace.matrices[y].rows - trace.matrices[name].rows;
    const a = cell.use(cell.lstm ? 'decoder.feed' : inputOf(trace, site)), b = cell.use(y, i + later);
    return cell.gives(a.x + b.x, a.e, ' + ', b.e);
  },
  norm(cell) {
    const {c, site, name, i} = cell;
    const x = site === 'encoder' || site === 'decoder' ? lastOf(cell.trace, site) :
        c.norm === 'pre'                               ? inputOf(cell.trace, site) :
                                                         `${site}.sum`;
    const n = cell.columns(x), row = range(n).map((k) => cell.get(x, i, k));
    const mean = c.norm_type === 'rms' ? 0 : row.reduce((a, b) => a + b, 0) / n;
    const deviation = Math.sqrt(row.reduce((a, b) => a + (b - mean) ** 2, 0) / n + c.norm_epsilon);
    const gain = cell.vector(`${name}.gain`), shift = cell.vector(`${name}.bias`);
    const texts = [mean, deviation, gain, shift].map(shortNumber);
    cell.light(x, [i, i + 1], [0, n]);
    cell.says(say('cell.norm', {mean: texts[0], deviation: texts[1], gain: texts[2], shift: texts[3]}));
    return cell.gives(
        (cell.get(x) - mean) / deviation * gain + shift, '(', cell.link(x),
        ` − ${texts[0]}) / ${texts[1]} × ${texts[2]} + ${texts[3]}`);
  },
  scores(cell) {
    const {c, site, i, j, block} = cell, q = `${site}.q`, k = `${site}.k`, w = `${site}.score`;
    if (!Number.isFinite(cell.number)) return cell.says(say('cell.masked')), cell.number;
    const d = cell.columns(q) / cell.trace.matrices[cell.name].blocks, first = block * d;
    for (const [name, r] of [[q, i], [k, j]]) cell.light(name, [r, r + 1], [first, first + d]);
    const [total, figures] = cell.sum(range(d).map((n) => {
      const at = first + n, x = cell.get(q, i, at), y = cell.get(k, j, at);
      const a = () => cell.link(q, i, at), b = () => cell.link(k, j, at);
      if (!cell.has(w)) return [x * y, () => [a(), ' × ', b()]];
      const factor = cell.get(w, 0, at);
      return [
        factor * Math.tanh(x + y), () => [`${shortNumber(factor)} × tanh(`, a(), ' + ', b(), ')']
      ];
    }));
    let value = cell.gives(total, cell.has(w) ? '' : 'q · k = ', ...figures);
    if (!cell.lstm && c.scores === 'scaled')
      value = cell.gives(total / Math.sqrt(d), `${shortNumber(total)} / √${d}`);
    if (cell.lstm || c.positions !== 'relative') return value;
    const bias = shortNumber(cell.number - value);
    return cell.gives(cell.number, say('cell.distance', {n: j - i, bias}));
  },
  weights(cell) {
    const {name, site, i, j, block} = cell, scores = `${site}.scores`;
    const {blocks, columns} = cell.trace.matrices[name];
    if (cell.mean) {
      const [total, figures] = cell.sum(range(blocks).map((b) => {
        const {x, e} = cell.use(name, i, j, b);
        return [x, () => [e]];
      }));
      return cell.gives(total / blocks, '(', ...figures, `) / ${blocks}`);
    }
    cell.light(scores, [i, i + 1], [0, columns], block);
    const row = range(columns).map((k) => cell.get(scores, i, k, block)), most = Math.max(...row);
    const down = most > 30 ? most : 0, e = (k) => Math.exp(row[k] - down);
    const power = (k) => ['e^(', cell.link(scores, i, k, block), down ? ` − ${shortNumber(down)})` : ')'];
    cell.says(...power(j), ` = ${shortNumber(e(j))}`);
    const [total, figures] = cell.sum(range(columns).map((k) => [e(k), () => power(k)]));
    cell.says(...figures, ` = ${shortNumber(total)}`);
    return cell.gives(e(j) / total, `${shortNumber(e(j))} / ${shortNumber(total)}`);
  },
  seen(cell) {
    const {site, i, j} = cell, weights = `${site}.weights`, {blocks, columns} = cell.trace.matrices[weights];
    const head = Math.floor(j / (cell.columns(cell.name) / blocks));
    cell.light(weights, [i, i + 1], [0, columns], head);
    cell.light(`${site}.v`, [0, columns], [j, j + 1]);
    const [total, figures] = cell.sum(range(columns).map((k) => [
      cell.get(weights, i, k, head) * cell.get(`${site}.v`, k),
      () => [cell.link(weights, i, k, head), ' × ', cell.link(`${site}.v`, k)]
    ]), cell.number);
    return cell.gives(total, ...figures);
  },
  active(cell) {
    const kind = cell.lstm ? 'tanh' : cell.c.activation, bias = cell.vector(`${cell.site}_bias`);
    const {x, e} = cell.use(cell.site), f = activations[kind];
    cell.says(e, ` + ${shortNumber(bias)} = ${shortNumber(x + bias)}`);
    const value = f && f(x + bias);
    cell.gives(value ?? cell.number, `${kind}(${shortNumber(x + bias)})`);
    return value;
  },
  times(cell) {
    const hidden = cell.site.replace(/gate(\d*)$/, (_, n) => n ? `hidden${n}` : 'in');
    const a = cell.use(`${hidden}.active`), b = cell.use(cell.site);
    return cell.gives(a.x * b.x, a.e, ' × ', b.e);
  },
  out(cell) {
    const {site, c} = cell, n = c.ffn_layers > 1 ? c.ffn_layers : '';
    if (!site.endsWith('ffn')) return cell.product(`${site}.seen`);
    const gate = `${site}.gate${n}.times`;
    return cell.product(cell.has(gate) ? gate : `${site}.${n ? `hidden${n}` : 'in'}.active`);
  },
  // c = f c' + (1 - f) x of an SSRU, c = f c' + i g of an LSTM, whose decoder begins with what the
  // encoder ends with.
  cells(cell) {
    const {i, j, lstm, c, site, trace} = cell, gates = `${site}.${lstm ? 'gates' : 'units'}`;
    const d = cell.columns(cell.name), x = cell.use(gates), f = cell.use(gates, i, d + j);
    let before = {x: 0, e: '0'};
    if (i) before = cell.use(cell.name, i - 1);
    else if (lstm && !ofSource(cell.name)) {
      const layer = Math.max(1, c.encoder_layers - c.decoder_layers + Number(site.split('.')[1]));
      const end = (way) => `encoder.${layer}.${way}.cells`, n = cell.columns(end('forward'));
      const last = end(j < n ? 'forward' : 'backward');
      before = cell.use(last, trace.matrices[last].rows - 1, j % n);
    }
    const g = lstm ? cell.use(gates, i, 2 * d + j) : {x: 1 - f.x, e: `(1 − ${shortNumber(f.x)})`};
    return cell.gives(f.x * before.x + x.x * g.x, f.e, ' × ', before.e, ' + ', x.e, ' × ', g.e);
  },
  states(cell) {
    const {x, e} = cell.use(`${cell.site}.cells`), d = cell.columns(cell.name);
    if (!cell.lstm) return cell.gives(Math.max(0, x), 'max(0, ', e, ')');
    const o = cell.use(`${cell.site}.gates`, cell.i, 3 * d + cell.j);
    return cell.gives(o.x * Math.tanh(x), o.e, ' × tanh(', e, ')');
  },
  // The gates of an LSTM i, f, g and o: sums of two products, the first of which has more with
  // input feeding. The first step of an encoder has no state behind it.
  gates(cell) {
    const {trace, site, name, i, j} = cell, d = cell.columns(name) / 4;
    const use = (part) => {
      const at = cell.has(part) ? i - trace.matrices[name].rows + trace.matrices[part].rows : -1;
      return at < 0 ? null : cell.use(part, at);
    };
    const x = use(`${site}.sum`) ?? cell.use(`${site}.x`), h = use(`${site}.h`) ?? {x: 0, e: '0'};
    const [f, sign] = Math.floor(j / d) === 2 ? [Math.tanh, 'tanh'] : [logistic, 'σ'];
    return cell.gives(f(x.x + h.x), `${sign}(`, x.e, ' + ', h.e, ')');
  },
  units(cell) {
    const x = cell.product(cell.input(), `${cell.site}.gates`);
    if (x === undefined || cell.j < cell.columns(cell.name) / 2) return x;
    return cell.gives(logistic(x), `σ(${shortNumber(x)})`);
  },
  // Queries, keys and values are parts of one product, those of the encoder for all layers.
  q(cell, before = []) {
    const {site, j, trace} = cell, own = !site.endsWith('cross');
    const wide = (...all) => all.reduce((sum, one) => sum + cell.columns(`${site}.${one}`), 0);
    if (own) return cell.product(cell.input(), `${site}.qkv`, wide(...before) + j);
    if (!before.length) return cell.product(cell.input());
    const first = (Number(site.split('.')[1]) - 1) * wide('k', 'v') + wide(...before.slice(1));
    return cell.product(lastOf(trace, 'encoder', true), 'decoder.cross.kv', first + j);
  },
  k: (cell) => rules.q(cell, ['q']),
  v: (cell) => rules.q(cell, ['q', 'k']),
  in: (cell) => cell.product(cell.input(), cell.name, cell.j, ''),
  gradient: (cell) => cell.says(say('cell.gradient')),
};

// The arithmetic of a cell, and the value that it gives, if it is all there.
function arithmetic(trace, place) {
  const cell = new Cell(trace, place);
  cell.value = rules[cell.last]?.(cell);
  if (cell.folded) cell.value = undefined, cell.lines = [say('cell.folded')];
  return cell;
}
