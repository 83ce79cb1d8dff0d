// A matrix as a picture: each cell gives its number under the pointer, and to the arrow keys.

const tip = document.getElementById('tip'), said = document.getElementById('said');
let pictures = [];  // those on the page, to be drawn again

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

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

function showTip(text, x, y) {
  tip.textContent = text;
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(innerWidth - box.width - 8, x + 14))}px`;
  tip.style.top = `${y + 22 + box.height > innerHeight ? y - box.height - 12 : y + 18}px`;
}

function hideTip() {
  tip.hidden = true;
}

function largestOf(view, weights) {
  if (weights) return 1;
  let most = 0;
  for (let i = 0; i < view.rows; ++i)
    for (let j = 0; j < view.columns; ++j) {
      const size = Math.abs(view.at(i, j));
      if (size > most && size < Infinity) most = size;
    }
  return most;
}

// options: title, symbol; weights: from 0 to 1; follows: its rows are those of the decoder's steps;
// small: without names of rows and columns, one of many; onchoose: what a click does.
function picture(view, options = {}) {
  const figure = element('figure', {class: options.small ? 'matrix small' : 'matrix'});
  if (!view) return figure;
  const size = `${view.rows} × ${view.columns}`;
  figure.append(element(
      'figcaption', {}, element('b', {}, options.title ?? view.name),
      element('span', {class: 'size'}, ` ${size}`)));
  if (!view.numbers) {
    const [least, mean, deviation, largest] = view.matrix.summary.map(shortNumber);
    figure.append(
        element('p', {class: 'summary'}, say('summarised', {least, mean, deviation, largest})));
    return figure;
  }
  const square = view.columnNames.length > 0, largest = largestOf(view, options.weights);
  const canvas = element('canvas', {
    tabindex: 0,
    role: 'img',
    'data-key': `picture ${options.key ?? ''} ${view.name}`,
    'aria-label': `${options.title ?? view.name}, ${size}. ${say('picture.keys')}`,
  });
  figure.append(element('div', {class: 'canvas'}, canvas));
  let place = {};   // of the cells, as they were last drawn
  let cell = null;  // under the pointer or the keys

  const rowName = (i) => readable(view.rowNames[i] ?? String(i + 1));
  const columnName = (j) =>
      square ? readable(view.columnNames[j]) : String(view.firstColumn + j + 1);

  function draw() {
    const width = figure.clientWidth;
    if (!width) return;
    const names = !options.small, context = canvas.getContext('2d');
    context.font = '12px system-ui, sans-serif';
    const measure = (texts) => Math.max(...texts.map((t) => context.measureText(t).width), 0);
    const left = names ? Math.min(110, measure(view.rowNames.map(readable)) + 8) : 0;
    const top = names && square ? Math.min(90, measure(view.columnNames.map(readable)) + 8) : 0;
    const room = Math.max(40, width - left - 2), most = square ? (names ? 26 : 14) : 9;
    const w = Math.max(square ? 4 : 1, Math.min(most, room / view.columns));
    const h = square ? (names ? Math.max(w, 14) : w) : names ? 17 : 8;
    const all = {width: left + w * view.columns + 1, height: top + h * view.rows + 1};
    place = {left, top, w, h};
    const density = Math.max(1, devicePixelRatio);
    canvas.width = all.width * density, canvas.height = all.height * density;
    canvas.style.width = `${all.width}px`, canvas.style.height = `${all.height}px`;
    context.scale(density, density);
    context.font = '12px system-ui, sans-serif';
    const paint = scaleOf(largest), ink = color('--ink'), quiet = color('--quiet');
    const gap = w >= 8 ? 1 : 0;
    const here = options.follows ? Math.min(state.step, view.rows - 1) : -1;
    for (let i = 0; i < view.rows; ++i) {
      for (let j = 0; j < view.columns; ++j) {
        const x = view.at(i, j), at = [left + j * w, top + i * h, w - gap, h - gap];
        context.fillStyle = Number.isFinite(x) ? paint(x) : color('--masked');
        context.fillRect(...at);
        if (Number.isFinite(x) || w < 5) continue;
        context.strokeStyle = quiet, context.lineWidth = 0.7;
        context.beginPath();
        context.moveTo(at[0] + 2, at[1] + at[3] - 2), context.lineTo(at[0] + at[2] - 2, at[1] + 2);
        context.stroke();
      }
      if (!names) continue;
      context.fillStyle = i === here ? color('--accent') : ink;
      context.textAlign = 'right', context.textBaseline = 'middle';
      context.fillText(rowName(i), left - 6, top + (i + 0.5) * h, left - 6);
    }
    if (top > 0) {
      context.fillStyle = ink, context.textAlign = 'left';
      for (let j = 0; j < view.columns; ++j) {
        context.save();
        context.translate(left + (j + 0.5) * w, top - 5), context.rotate(-Math.PI / 2);
        context.fillText(columnName(j), 0, 0, top - 4);
        context.restore();
      }
    }
    context.lineWidth = 2, context.strokeStyle = color('--accent');
    if (here >= 0)
      context.strokeRect(left + 1, top + here * h, w * view.columns - 1, h - gap + 0.5);
    if (cell)
      context.strokeRect(left + cell.j * w, top + cell.i * h, Math.max(w - gap, 3), h - gap);
  }

  function textOf({i, j}) {
    const x = view.at(i, j), shown = Number.isFinite(x) ? shortNumber(x) : say('masked');
    return `${rowName(i)} · ${square ? columnName(j) : say('column', {n: columnName(j)})} = ${
        shown}`;
  }

  canvas.addEventListener('pointermove', (event) => {
    const box = canvas.getBoundingClientRect(), {left, top, w, h} = place;
    const i = Math.floor((event.clientY - box.top - top) / h);
    const j = Math.floor((event.clientX - box.left - left) / w);
    const inside = i >= 0 && j >= 0 && i < view.rows && j < view.columns;
    const next = inside ? {i, j} : null;
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
  canvas.addEventListener('keydown', (event) => {
    const moves = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
      Home: [0, -view.columns],
      End: [0, view.columns]
    };
    if (event.key === 'Escape') return leave();
    if ((event.key === 'Enter' || event.key === ' ') && options.onchoose) {
      event.preventDefault();
      return options.onchoose();
    }
    const move = moves[event.key];
    if (!move || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const within = (x, n) => Math.max(0, Math.min(n - 1, x));
    cell = cell ?
        {i: within(cell.i + move[0], view.rows), j: within(cell.j + move[1], view.columns)} :
        {i: 0, j: 0};
    draw();
    const box = canvas.getBoundingClientRect(), text = textOf(cell);
    showTip(text, box.left + place.left + cell.j * place.w, box.top + place.top + cell.i * place.h);
    said.textContent = text;
  });
  if (options.onchoose)
    canvas.addEventListener('click', options.onchoose), canvas.classList.add('choice');
  figure.append(legend(largest, options.weights, view));
  pictures.push(draw);
  return figure;
}

function legend(largest, weights, view) {
  const ends = weights ? ['0', '1'] : [shortNumber(-largest), shortNumber(largest)];
  let masked = false;
  for (let i = 0; i < view.rows && !masked; ++i)
    for (let j = 0; j < view.columns; ++j) masked ||= !Number.isFinite(view.at(i, j));
  return element(
      'div', {class: 'legend', 'aria-hidden': true}, ends[0],
      element('span', {class: weights ? 'scale weights' : 'scale'}), ends[1],
      masked ? element('span', {class: 'hidden-cell'}, say('masked')) : null);
}
