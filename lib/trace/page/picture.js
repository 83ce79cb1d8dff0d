// A matrix as a picture: each cell gives its number under the pointer and to the arrow keys, and
// opens by a click or Enter. Weights and scores have the names of their rows and columns. What else
// is wide has one row enlarged: that of the step, or the word, that is looked at.

let pictures = [];  // those on the page, to be drawn again
let section = '';   // the chapter that is being made

function rgb(hex) {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
}

// From --none to --more for positive numbers, and to --less for negative ones.
function scaleOf(largest) {
  const none = rgb(color('--none')), more = rgb(color('--more')), less = rgb(color('--less'));
  return (x) => {
    const share = Math.min(1, Math.abs(x) / (largest || 1)) ** 0.7, end = x < 0 ? less : more;
    return `rgb(${none.map((c, i) => Math.round(c + (end[i] - c) * share)).join(' ')})`;
  };
}

// The row that is looked at: rows belong to the pieces of the source, or to steps; of a gradient it
// is that of the weight whose step is followed.
function ofSource(name) {
  return name.startsWith('encoder.') || /\.cross\.[kv]$/.test(name);
}
function lookAt(name, row) {
  if (ofSource(name)) state.word = row;
  setStep(ofSource(name) || name === 'gradient' ? state.step : row);
}

// The least and the largest number, and whether some are masked.
function endsOf(view) {
  let least = Infinity, largest = -Infinity, masked = false;
  for (const i of view.kept)
    for (let j = 0; j < view.columns; ++j) {
      const x = view.at(i, j);
      if (Number.isFinite(x))
        least = Math.min(least, x), largest = Math.max(largest, x);
      else
        masked = true;
    }
  return {least, largest, masked};
}

// options: title; weights: from 0 to 1; small: without names of rows and columns, one of many;
// onchoose: what a click does, in place of opening a cell.
function picture(view, options = {}) {
  const figure = element('figure', {class: options.small ? 'matrix small' : 'matrix'});
  const title = options.title ?? view.name, folded = view.rows - view.kept.length;
  const size =
    `${view.rows} × ${view.columns}${folded ? `, ${say('folded.rows', {n: folded})}` : ''}`;
  figure.append(element('figcaption', element('b', title), element('span.size', ` ${size}`)));
  if (!view.numbers) {
    const [least, mean, deviation, largest] = view.matrix.summary.map(shortNumber);
    figure.append(element('p.summary', say('summarised', {least, mean, deviation, largest})));
    return figure;
  }
  const square = view.columnNames.length > 0;
  // The rows from above to below; where some are folded away, nothing stands.
  const nothing = Array(square ? 1 : 3).fill(null);
  const slots = view.kept.flatMap((i, k) => k && i > view.kept[k - 1] + 1 ? [...nothing, i] : [i]);
  const ends = options.weights ? {...endsOf(view), least: 0, largest: 1} : endsOf(view);
  const largest = Math.max(Math.abs(ends.least), Math.abs(ends.largest));
  const canvas = element('canvas', {
    tabindex: 0,
    role: options.onchoose ? 'button' : 'application',
    'data-key': `picture ${section} ${view.block} ${view.name}`,
    'aria-label': `${title}, ${size}. ${say(options.onchoose ? 'picture.choose' : 'picture.keys')}`,
  });
  const scale = element('span.scale');
  const opened = element('div.opened', {hidden: true});
  figure.append(element('div.canvas', canvas),
    element('div.legend', {'aria-hidden': true}, shortNumber(ends.least), scale,
      shortNumber(ends.largest), ends.masked ? element('span.hidden-cell', say('masked')) : null),
    opened);
  let place = {};   // of the cells, as they were last drawn
  let cell = null;  // under the pointer or the keys
  const home = section;

  const rowName = (i) => readable(view.rowNames[i] ?? String(i + 1));
  const columnName = (j) =>
    square ? readable(view.columnNames[j]) : String(view.firstColumn + j + 1);
  const now = () => view.name === 'gradient' ?
    view.trace.update.row - 1 :
    Math.min(ofSource(view.name) ? state.word : state.step, view.rows - 1);
  // The cell that is open, if it is of this picture.
  const ofOpen = () => {
    const {open} = state, j = open && open.j - view.firstColumn;
    const here = open && open.home === home && open.trace === view.trace &&
      open.name === view.name && open.block === view.block && j >= 0 && j < view.columns;
    return here ? {i: open.i, j} : null;
  };

  function draw() {
    fillOpened();
    const width = figure.clientWidth;
    if (!width) return;
    const names = !options.small, context = canvas.getContext('2d'), here = now();
    context.font = '12px system-ui, sans-serif';
    const measure = (texts) => Math.max(...texts.map((t) => context.measureText(t).width), 0);
    const left = names ? Math.min(110, measure(view.rowNames.map(readable)) + 8) : 0;
    const top = names && square ? Math.min(90, measure(view.columnNames.map(readable)) + 8) : 0;
    const w = Math.max(square ? 2 : 0.5,
      Math.min(square ? (names ? 26 : 14) : 9, Math.max(40, width - left - 2) / view.columns));
    const h = square ? (names ? Math.max(w, 14) : w) : slots.length > 20 ? 3 : 6;
    const below = square ? 0 : 78, bars = top + h * slots.length + 8;
    const all = {width: left + w * view.columns + 1, height: top + h * slots.length + 1 + below};
    place = {left, top, w, h, bars};
    const density = Math.max(1, devicePixelRatio);
    canvas.width = all.width * density, canvas.height = all.height * density;
    canvas.style.width = `${all.width}px`,
    canvas.style.aspectRatio = `${all.width} / ${all.height}`;
    context.scale(density, density);
    context.font = '12px system-ui, sans-serif';
    const paint = scaleOf(largest), ink = color('--ink'), quiet = color('--quiet'),
          accent = color('--accent');
    const stops = range(9).map((k) => paint(ends.least + k / 8 * (ends.largest - ends.least)));
    scale.style.background = `linear-gradient(90deg, ${stops.join(', ')})`;
    const gap = w >= 8 ? 1 : 0;
    for (const i of view.kept) {
      const y = top + slots.indexOf(i) * h;
      for (let j = 0; j < view.columns; ++j) {
        const x = view.at(i, j), at = [left + j * w, y, w - gap, h - (square ? gap : 0)];
        context.fillStyle = Number.isFinite(x) ? paint(x) : color('--masked');
        context.fillRect(...at);
        if (Number.isFinite(x) || w < 5) continue;
        context.strokeStyle = quiet, context.lineWidth = 0.7;
        context.beginPath();
        context.moveTo(at[0] + 2, at[1] + at[3] - 2), context.lineTo(at[0] + at[2] - 2, at[1] + 2);
        context.stroke();
      }
    }
    const name = (i, y) => {
      context.fillStyle = i === here ? accent : ink;
      context.textAlign = 'right', context.textBaseline = 'middle';
      context.fillText(rowName(i), left - 6, y, left - 6);
    };
    if (square && names) {
      for (const i of view.kept) name(i, top + (slots.indexOf(i) + 0.5) * h);
      context.fillStyle = ink, context.textAlign = 'left';
      for (let j = 0; j < view.columns; ++j) {
        context.save();
        context.translate(left + (j + 0.5) * w, top - 5), context.rotate(-Math.PI / 2);
        context.fillText(columnName(j), 0, 0, top - 4);
        context.restore();
      }
    }
    // The row that is looked at, as bars upwards and downwards from 0.
    const high = Math.max(0, ends.largest), low = Math.min(0, ends.least);
    const y = (x) => bars + 60 * (high - x) / (high - low || 1);
    if (!square && here >= 0 && !slots.includes(here)) {
      context.fillStyle = quiet, context.textAlign = 'left';
      context.fillText(say('folded.row', {n: here + 1}), left, bars + 30);
    } else if (!square && here >= 0) {
      name(here, y(0) + 0.5);
      for (let j = 0; j < view.columns; ++j) {
        const x = view.at(here, j);
        context.fillStyle = color(x < 0 ? '--less' : '--more');
        context.fillRect(
          left + j * w, Math.min(y(0), y(x)), w - gap, Math.max(0.5, Math.abs(y(0) - y(x))));
      }
      context.fillStyle = quiet;
      context.fillRect(left, y(0), w * view.columns, 0.5);
    }
    const outline = (rows, columns, paint, wide) => {
      context.strokeStyle = paint, context.lineWidth = wide;
      const from = Math.max(columns[0] - view.firstColumn, 0),
            to = Math.min(columns[1] - view.firstColumn, view.columns);
      const [first, ...others] = view.kept.filter((i) => i >= rows[0] && i < rows[1]);
      if (to <= from || first === undefined) return;
      const begin = slots.indexOf(first), end = slots.indexOf(others.at(-1) ?? first) + 1;
      context.strokeRect(left + from * w - 0.5, top + begin * h,
        Math.max((to - from) * w - gap, 3) + 1, Math.max((end - begin) * h - gap, 2));
      if (square || here < rows[0] || here >= rows[1]) return;
      context.strokeRect(
        left + from * w - 0.5, bars - 2, Math.max((to - from) * w - gap, 3) + 1, 64);
    };
    const whole = [view.firstColumn, view.firstColumn + view.columns];
    if (names) outline([here, here + 1], whole, square ? accent : quiet, square ? 2 : 1);
    for (const one of state.lit)
      if (state.open.trace === view.trace && one.name === view.name &&
        (one.block === view.block || view.block < 0))
        outline(one.rows, one.columns, color('--lit'), 2);
    const mark = ({i, j}) =>
      outline([i, i + 1], [view.firstColumn + j, view.firstColumn + j + 1], accent, 2);
    for (const one of [ofOpen(), cell])
      if (one) mark(one);
  }

  function textOf({i, j}) {
    const x = view.at(i, j), shown = Number.isFinite(x) ? shortNumber(x) : say('masked');
    return `${rowName(i)} · ${square ? columnName(j) : say('column', {n: columnName(
                                                                        j)})} = ${shown}`;
  }

  // The arithmetic of the cell that is open, below its picture.
  let filled = null;
  function fillOpened() {
    const own = ofOpen(), now = own && state.open;
    if (now === filled) return;
    filled = now, opened.hidden = !now;
    if (!now) return opened.replaceChildren();
    const {i, j} = state.open;
    opened.replaceChildren(
      element('p.what', element('b', textOf(own)), ' ',
        element(
          'a', {href: linkTo(view.trace, view.name, i, j, view.block, home)}, say('cell.link')),
        ' ', element('button', {type: 'button', onclick: () => open(null)}, say('cell.close'))),
      ...arithmetic(view.trace, state.open).lines.map((line) => element('p', line)));
  }

  function open(at) {
    cell = at ?? ofOpen();
    openCell(at && {
      trace: view.trace,
      name: view.name,
      i: at.i,
      j: at.j + view.firstColumn,
      block: view.block,
      home
    });
    canvas.focus({preventScroll: true});
    if (at) said.textContent = opened.innerText, opened.scrollIntoView({block: 'nearest'});
  }
  opened.addEventListener('keydown', (event) => event.key === 'Escape' && open(null));

  const cellAt = (event) => {
    const box = canvas.getBoundingClientRect(), {left, top, w, h, bars} = place;
    const shrunk = box.width / canvas.clientWidth || 1, y = (event.clientY - box.top) / shrunk;
    const i = !square && y >= bars - 4 ? now() : slots[Math.floor((y - top) / h)];
    const j = Math.floor(((event.clientX - box.left) / shrunk - left) / w);
    return slots.includes(i ?? -1) && j >= 0 && j < view.columns ? {i, j} : null;
  };
  canvas.addEventListener('pointermove', (event) => {
    const next = cellAt(event);
    if (next?.i === cell?.i && next?.j === cell?.j && !tip.hidden) return;
    cell = next;
    if (cell)
      showTip(textOf(cell), event.clientX, event.clientY);
    else
      hideTip();
    draw();
  });
  const leave = () => {
    cell = null, hideTip(), draw();
  };
  canvas.addEventListener('pointerleave', leave);
  canvas.addEventListener('blur', leave);
  canvas.addEventListener('click', (event) => {
    if (options.onchoose) return options.onchoose();
    const at = cellAt(event);
    if (at) open(at);
  });
  canvas.addEventListener('keydown', (event) => {
    const moves = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
      Home: [0, -view.columns],
      End: [0, view.columns]
    };
    if (event.key === 'Escape') return ofOpen() ? open(null) : leave();
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      return options.onchoose ? options.onchoose() : cell && open(cell);
    }
    const move = moves[event.key];
    if (!move || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const within = (x, n) => Math.max(0, Math.min(n - 1, x)), last = cell ?? ofOpen();
    cell = last ? {
      i: view.kept[within(view.kept.indexOf(last.i) + move[0], view.kept.length)],
      j: within(last.j + move[1], view.columns)
    } :
                  {i: view.kept.includes(now()) ? now() : view.kept[0], j: 0};
    if (!square && last && cell.i !== now()) lookAt(view.name, cell.i);
    draw();
    const box = canvas.getBoundingClientRect(), text = textOf(cell);
    showTip(text, box.left + place.left + cell.j * place.w,
      box.top + place.top + slots.indexOf(cell.i) * place.h);
    said.textContent = text;
  });
  if (options.onchoose) canvas.classList.add('choice');
  pictures.push(draw);
  return figure;
}

// ---- The cell that is open

// The chapter that has the picture of a matrix; null where none has.
function homeOf(trace, name) {
  const chapters = isLstm(trace) ?
    [
      ['scores', /^attention\.(scores|weights|seen|out\.active)$/], ['3.4', /input$/],
      ['cells', /(gates|cells|states)$/]
    ] :
    [
      ['3.3', /\.ffn\.(in|in\.active|gate\.times|out)$/], ['3.1', /\.(sum|norm)$/],
      ['3.2.2', /\.out$/], ['3.4', trace.matrices['encoder.positions'] ? /embeddings$/ : /input$/],
      ['3.5', /^encoder\.positions$|input$/],
      ['3.2.1', /\.(self|cross)\.(q|k|v|scores|weights|seen|units|cells|states)$/],
      ['5.3', /^gradient$/]
    ];
  return chapters.find(([, names]) => names.test(name))?.[0] ?? null;
}

// A link to a cell, as #3.2.1/step5/head2/decoder.1.cross.scores/r7c3.
function linkTo(trace, name, i, j, block, home = homeOf(trace, name)) {
  const parts = [home, `step${state.step + 1}`], {blocks, columns} = trace.matrices[name];
  const heads = trace.config.heads, wide = /\.(q|k|v|seen)$/.test(name) && !isLstm(trace);
  const head = blocks > 1 ? block + 1 : wide ? Math.floor(j / (columns / heads)) + 1 : state.head;
  const sentence = data.traces.indexOf(trace);
  if (head) parts.push(`head${head}`);
  if (sentence) parts.push(`sentence${sentence + 1}`);
  return `#${[...parts, name, `r${i + 1}c${j + 1}`].join('/')}`;
}

// Without a cell, closes it.
function openCell(cell) {
  state.open = cell;
  state.lit = cell ? arithmetic(cell.trace, cell).lit : [];
  if (cell) lookAt(cell.name, cell.i);
  history.replaceState(
    null, '', cell ? linkTo(cell.trace, cell.name, cell.i, cell.j, cell.block, cell.home) : '#');
  redraw();
}

// Opens the cell that a link names, if it names one, in the view that it was made in.
function followLink() {
  const [home, ...parts] = decodeURIComponent(location.hash.slice(1)).split('/');
  const number = (word) =>
    Number(parts.map((part) => new RegExp(`^${word}(\\d+)$`).exec(part)?.[1]).find(Boolean) ?? NaN);
  const [, i, j] = parts.map((part) => /^r(\d+)c(\d+)$/.exec(part)).find(Boolean) ?? [];
  const sentence = Math.min(number('sentence') || 1, data.traces.length) - 1;
  const trace = data.traces[sentence];
  let name = parts.find((part) => trace.matrices[part]);
  if (!i) return false;
  if (!shownTraces().includes(trace)) state.first = sentence;
  const steps = data.traces[state.first].target.length;
  if (number('step')) state.step = Math.min(number('step'), steps) - 1;
  state.head = Math.min(number('head') || 0, trace.config.heads);
  name ??= home === '3.2.1' ? `${attentionSite(trace)}.scores` : null;
  const matrix = trace.matrices[name];
  if (!matrix || !numbersOf(trace, name) || j > matrix.columns || !keptOf(matrix).includes(i - 1))
    return false;
  const [stack, layer, site] = name.split('.');
  if (Number(layer))
    state.layer = Number(layer), state.site = `${stack}.${isLstm(trace) ? 'ffn' : site}`;
  if (home === '3.1') state.part = /\.(sum|norm|out|states)$/.exec(name)?.[1] ?? 'x';
  if (ofSource(name))
    state.word = i - 1;
  else if (name !== 'gradient')
    state.step = Math.min(i, steps) - 1;
  const block = matrix.blocks > 1 ? (state.head || (home === '3.2.1' ? 1 : 0)) - 1 : 0;
  state.open = {trace, name, i: i - 1, j: j - 1, block, home};
  state.lit = arithmetic(trace, state.open).lit;
  renderAll();
  const key = CSS.escape(`picture ${home} ${block} ${name}`);
  const canvas = document.querySelector(`[data-key="${key}"]`);
  if (!canvas) return true;
  canvas.scrollIntoView({block: 'center', behavior: 'instant'});
  canvas.closest('figure').lastChild.scrollIntoView({block: 'nearest', behavior: 'instant'});
  canvas.focus({preventScroll: true});
  return true;
}
