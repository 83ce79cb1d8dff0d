// A figure that can be looked into. Each panel is a canvas with a view: the part of its axes that
// is shown, from 0 to 1 of what was plotted; curves are always as high as there is room. The wheel
// and + and - change it, dragging and the arrow keys move it, a double click and 0 show all again.
const hidden = new Set();  // names of curves that are not shown
const panels = [];         // functions that draw them

function shown(x) {
  if (x === null || !Number.isFinite(x)) return '–';
  const size = Math.abs(x);
  if (size >= 1e6 || (size > 0 && size < 1e-4)) return x.toExponential(3).replace('-', '−');
  return String(Number(x.toPrecision(5))).replace('-', '−');
}

// Round numbers in [low, high], or powers of ten where the axis is logarithmic.
function ticks(low, high, log, most) {
  const all = [];
  if (log) {
    for (let p = Math.ceil(low); p <= high; ++p) all.push(p);
    if (all.length >= 2) return all.filter((_, i) => i % Math.ceil(all.length / most) === 0);
    return ticks(10 ** low, 10 ** high, false, most).filter((x) => x > 0).map(Math.log10);
  }
  const rough = (high - low) / Math.max(1, most);
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * [1, 2, 5, 10].find((times) => times * unit >= rough);
  for (let i = Math.ceil(low / step); i * step <= high + step / 1e6; ++i) all.push(i * step);
  return all;
}

// An axis: from values to 0..1 and back. What a logarithmic one cannot show is not a number.
function scale(axis) {
  const to = axis.log ? (x) => x > 0 ? Math.log10(x) : NaN : (x) => x;
  const [low, high] = axis.range.map(to);
  return {low, high, to: (x) => (to(x) - low) / ((high - low) || 1)};
}

// A canvas that shows a part of something: draw(context, view, size), tell(x, y), with x and y from
// 0 to 1 of the whole.
function panel({title, height, draw, tell, step, wide}) {
  const canvas = element('canvas', {
    tabindex: 0,
    role: 'img',
    'aria-label': `${title || data.title}. ` +
      'Plus and minus zoom, the arrow keys read values, with Shift they move the view.'
  });
  const all = () => ({x: 0, y: 0, w: 1, h: 1});
  let view = all(), place = {}, at = null, grip = null;
  function paint() {
    const width = canvas.parentElement.clientWidth, tall = height(width);
    const density = Math.max(1, devicePixelRatio), context = canvas.getContext('2d');
    canvas.width = width * density, canvas.height = tall * density;
    canvas.style.height = `${tall}px`;
    context.scale(density, density);
    context.font = '12px system-ui, sans-serif';
    place = draw(context, view, width, tall, at);
  }
  const limit = () => {
    if (wide) view.y = 0, view.h = 1;  // only to the left and right
    view.w = Math.min(1, Math.max(1e-4, view.w)), view.h = Math.min(1, Math.max(1e-4, view.h));
    view.x = Math.min(1 - view.w, Math.max(0, view.x)),
    view.y = Math.min(1 - view.h, Math.max(0, view.y));
    paint();
  };
  const zoom = (times, x, y) => {
    view = {
      x: x - (x - view.x) * times,
      y: y - (y - view.y) * times,
      w: view.w * times,
      h: view.h * times
    };
    limit();
  };
  const inside = (event) => {
    const box = canvas.getBoundingClientRect();
    const x = (event.clientX - box.left - place.x) / place.w,
          y = (event.clientY - box.top - place.y) / place.h;
    return {
      x: view.x + x * view.w,
      y: view.y + y * view.h,
      is: x >= 0 && x <= 1 && y >= 0 && y <= 1
    };
  };
  const look = (x, y, left, top) => {
    at = {x, y};
    const text = tell(x, y);
    paint();
    if (text)
      showTip(text, left, top), said.textContent = text;
    else
      tip.hidden = true;
  };
  const leave = () => {
    at = null, tip.hidden = true, paint();
  };
  canvas.addEventListener('wheel', (event) => {
    const p = inside(event);
    if (!p.is || !(event.ctrlKey || document.activeElement === canvas)) return;  // the page scrolls
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.25 : 0.8, p.x, p.y);
  }, {passive: false});
  canvas.addEventListener('pointerdown', (event) => {
    grip = inside(event);
  });
  addEventListener('pointerup', () => {
    grip = null;
  });
  canvas.addEventListener('pointermove', (event) => {
    const p = inside(event);
    if (grip && event.buttons === 1 && view.w < 1) {
      view.x -= p.x - grip.x, view.y -= p.y - grip.y, tip.hidden = true;
      return limit();
    }
    if (p.is)
      look(p.x, p.y, event.clientX, event.clientY);
    else
      leave();
  });
  canvas.addEventListener('pointerleave', leave);
  canvas.addEventListener('blur', leave);
  canvas.addEventListener('dblclick', () => {
    view = all(), paint();
  });
  canvas.addEventListener('keydown', (event) => {
    const [dx, dy] = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0,
                        1]}[event.key] ??
      [0, 0];
    const middle = [view.x + view.w / 2, view.y + view.h / 2];
    if (event.key === '+' || event.key === '=')
      zoom(0.8, ...middle);
    else if (event.key === '-')
      zoom(1.25, ...middle);
    else if (event.key === '0')
      view = all(), paint();
    else if (event.key === 'Escape')
      leave();
    else if (dx || dy) {
      event.preventDefault();
      if (event.shiftKey) return view.x += dx * view.w / 10, view.y += dy * view.h / 10, limit();
      const next = step(at ?? {x: middle[0], y: middle[1]}, dx, dy),
            box = canvas.getBoundingClientRect();
      look(next.x, next.y, box.left + place.x + place.w * (next.x - view.x) / view.w,
        box.top + place.y + place.h * (next.y - view.y) / view.h);
    }
  });
  panels.push(paint);
  return element('figure', {}, element('figcaption', {}, title), element('div', {}, canvas));
}

// ---- Matrices

function heatmap(map) {
  const paints = map.colors, [low, high] = map.range;
  const paint = (value) => value === null ?
    color('--line') :
    paints[Math.round(
      Math.max(0, Math.min(1, (value - low) / (high - low))) * (paints.length - 1))];
  const name = (axis, i) => axis.names[i] ?? String(axis.first + i * axis.step);
  const cell = (x, y) => [Math.min(map.rows - 1, Math.floor(y * map.rows)),
    Math.min(map.columns - 1, Math.floor(x * map.columns))];
  return panel({
    title: map.title,
    height: (width) => map.square ? Math.min(720, (width - 100) * map.rows / map.columns + 90) :
                                    Math.max(220, width * 0.5),
    draw(context, view, width, tall, at) {
      const names = (axis, n) =>
        Array.from({length: Math.min(n, 200)}, (_, i) => context.measureText(name(axis, i)).width);
      const left = Math.min(120, Math.max(...names(map.y, map.rows)) + 26);
      const below =
        map.x.names.length ? Math.min(110, Math.max(...names(map.x, map.columns)) + 24) : 40;
      const area = {x: left, y: 6, w: width - left - 8, h: tall - below - 6};
      const w = area.w / view.w / map.columns, h = area.h / view.h / map.rows;
      const first = cell(view.x, view.y),
            last = cell(view.x + view.w - 1e-9, view.y + view.h - 1e-9);
      context.save();
      context.beginPath(), context.rect(area.x, area.y, area.w, area.h), context.clip();
      for (let i = first[0]; i <= last[0]; ++i)
        for (let j = first[1]; j <= last[1]; ++j) {
          context.fillStyle = paint(map.values[i * map.columns + j]);
          context.fillRect(area.x + j * w - view.x / view.w * area.w,
            area.y + i * h - view.y / view.h * area.h, w + 0.5, h + 0.5);
        }
      if (at) {
        const [i, j] = cell(at.x, at.y);
        context.strokeStyle = color('--accent'), context.lineWidth = 2;
        context.strokeRect(area.x + j * w - view.x / view.w * area.w,
          area.y + i * h - view.y / view.h * area.h, w, h);
      }
      context.restore();
      context.fillStyle = color('--ink'), context.textBaseline = 'middle',
      context.textAlign = 'right';
      const every = (size, room) => Math.max(1, Math.ceil(room / size));
      for (let i = first[0]; i <= last[0]; i += every(h, 14)) {
        const y = area.y + (i + 0.5) * h - view.y / view.h * area.h;
        if (y >= area.y && y <= area.y + area.h)
          context.fillText(name(map.y, i), left - 6, y, left - 24);
      }
      for (let j = first[1]; j <= last[1]; j += every(w, map.x.names.length ? 14 : 34)) {
        const x = area.x + (j + 0.5) * w - view.x / view.w * area.w;
        if (x < area.x || x > area.x + area.w) continue;
        context.save();
        context.translate(x, area.y + area.h + 6);
        if (map.x.names.length)
          context.rotate(-Math.PI / 2);
        else
          context.textAlign = 'center', context.translate(0, 7);
        context.fillText(name(map.x, j), 0, 0, below - 22);
        context.restore();
      }
      axisNames(context, area, tall, map.x.label, map.y.label);
      return area;
    },
    tell(x, y) {
      const [i, j] = cell(x, y);
      return `${name(map.y, i)} · ${name(map.x, j)}: ${shown(map.values[i * map.columns + j])}`;
    },
    step(at, dx, dy) {
      const [i, j] = cell(at.x, at.y);
      const place = (k, n) => (Math.max(0, Math.min(n - 1, k)) + 0.5) / n;
      return {x: place(j + dx, map.columns), y: place(i + dy, map.rows)};
    },
  });
}

function axisNames(context, area, tall, x, y) {
  context.fillStyle = color('--quiet'), context.textAlign = 'center',
  context.textBaseline = 'bottom';
  context.fillText(x, area.x + area.w / 2, tall, area.w);
  context.save();
  context.translate(2, area.y + area.h / 2), context.rotate(-Math.PI / 2);
  context.textBaseline = 'top', context.fillText(y, 0, 0, area.h);
  context.restore();
}

// ---- Curves

function curves(plot) {
  const across = scale(plot.x);
  const live = () => plot.curves.filter((curve) => !hidden.has(curve.name));
  // The vertical axis: all of it, or what the curves that are shown have in the view.
  function upwards(view) {
    const inside = live().flatMap((curve) => curve.points).filter(([x, y]) => {
      const t = across.to(x);
      return y !== null && (!plot.y.log || y > 0) && t >= view.x && t <= view.x + view.w;
    });
    if (!inside.length || (view.w === 1 && hidden.size === 0)) return scale(plot.y);
    const ends = inside.flatMap(([, y, spread]) => [y - (spread ?? 0), y + (spread ?? 0)]);
    let [low, high] = [Math.min(...ends), Math.max(...ends)];
    if (plot.y.log)
      return scale({...plot.y, range: [Math.max(low, plot.y.range[0]) / 1.05, high * 1.05]});
    const margin = (high - low || Math.abs(high) || 1) / 20;
    return scale({...plot.y, range: [low - margin, high + margin]});
  }
  // The places at which any curve that is shown has a point.
  const places = () => [...new Set(live().flatMap((curve) => curve.points.map(([x]) => x)))]
                         .filter((x) => Number.isFinite(across.to(x)))
                         .sort((a, b) => a - b);
  const nearest = (x) => {
    const far = (a) => Math.abs(across.to(a) - x), all = places();
    return all.length ? all.reduce((a, b) => far(b) < far(a) ? b : a) : NaN;
  };
  const placed = (x) => plot.x.names[x] ?? shown(x);
  return panel({
    title: plot.title,
    wide: true,
    height: (width) => Math.max(240, Math.min(460, width * 0.6)),
    draw(context, view, width, tall, at) {
      const area = {x: 66, y: 8, w: width - 92, h: tall - 56}, up = upwards(view);
      const x = (t) => area.x + (t - view.x) / view.w * area.w,
            y = (t) => area.y + (1 - t) * area.h;
      context.lineWidth = 1, context.textBaseline = 'middle';
      const label = (axis, t) => shown(axis.log ? 10 ** t : t);
      const part = (s, from,
        size) => [s.low + from * (s.high - s.low), s.low + (from + size) * (s.high - s.low)];
      const grid = (from, to) => {
        context.beginPath(), context.moveTo(...from), context.lineTo(...to), context.stroke();
      };
      context.strokeStyle = color('--grid'), context.fillStyle = color('--ink'),
      context.textAlign = 'right';
      for (const t of ticks(up.low, up.high, plot.y.log, area.h / 44)) {
        const at = y((t - up.low) / ((up.high - up.low) || 1));
        grid([area.x, at], [area.x + area.w, at]),
          context.fillText(label(plot.y, t), area.x - 6, at, 46);
      }
      context.textAlign = 'center';
      const named = plot.x.names.map((_, i) => i);
      for (const t of named.length ?
          named :
          ticks(...part(across, view.x, view.w), plot.x.log, area.w / 80)) {
        const at = x((t - across.low) / ((across.high - across.low) || 1));
        if (at < area.x - 1 || at > area.x + area.w + 1) continue;
        grid([at, area.y], [at, area.y + area.h]);
        context.fillText(
          named.length ? plot.x.names[t] : label(plot.x, t), at, area.y + area.h + 14);
      }
      context.save();
      context.beginPath(), context.rect(area.x, area.y, area.w, area.h), context.clip();
      for (const curve of live()) {
        context.strokeStyle = context.fillStyle = curve.color, context.lineWidth = 1.8;
        context.setLineDash(curve.dashed ? [6, 4] : []);
        let joined = false;
        context.beginPath();
        for (const [a, b] of curve.points) {
          const p = [x(across.to(a)), y(up.to(b))], is = b !== null && p.every(Number.isFinite);
          if (is && curve.joined && joined)
            context.lineTo(...p);
          else if (is)
            context.moveTo(...p);
          joined = is;
        }
        context.stroke(), context.setLineDash([]);
        for (const [a, b, spread] of curve.points) {
          if (b === null) continue;
          if (spread)
            grid([x(across.to(a)), y(up.to(b - spread))], [x(across.to(a)), y(up.to(b + spread))]);
          if (!curve.marked && curve.joined && curve.points.length > 1) continue;
          context.beginPath(), context.arc(x(across.to(a)), y(up.to(b)), 3, 0, 7), context.fill();
        }
      }
      const here = at && nearest(at.x);
      context.strokeStyle = color('--accent'), context.lineWidth = 1;
      if (at && Number.isFinite(here))
        grid([x(across.to(here)), area.y], [x(across.to(here)), area.y + area.h]);
      context.restore();
      axisNames(context, area, tall, plot.x.label, plot.y.label);
      return area;
    },
    tell(x) {
      const here = nearest(x);
      if (!Number.isFinite(here)) return '';
      const lines = live().flatMap((curve) => curve.points.filter(([a]) => a === here).map(([
        , b, spread
      ]) => `${curve.name || plot.y.label}: ${shown(b)}${spread ? ` ± ${shown(spread)}` : ''}`));
      return [`${plot.x.label}${plot.x.label ? ' ' : ''}${placed(here)}`, ...lines].join('\n');
    },
    step(at, dx) {
      const all = places(), i = all.indexOf(nearest(at.x));
      return {x: across.to(all[Math.max(0, Math.min(all.length - 1, i + dx))]), y: at.y};
    },
  });
}

// ---- The page

const names = new Map();
for (const one of data.panels)
  for (const curve of one.curves ?? [])
    if (curve.name && !names.has(curve.name)) names.set(curve.name, curve);
document.title = data.title || 'Figure';
document.getElementById('main').append(...(data.title ? [element('h1', {}, data.title)] : []),
  ...(data.y_label || data.x_label ?
      [element('p', {class: 'note'}, [data.y_label, data.x_label].filter(Boolean).join(' × '))] :
      []),
  element('div', {class: 'legend', role: 'group', 'aria-label': 'Curves'},
    [...names.values()].map((curve) => element('label', {}, element('input', {
      type: 'checkbox',
      checked: '',
      onchange: (event) => {
        if (event.target.checked)
          hidden.delete(curve.name);
        else
          hidden.add(curve.name);
        for (const paint of panels) paint();
      }
    }),
                              element('span', {
                                class: curve.dashed ? 'swatch dashed' : 'swatch',
                                style: `border-color: ${curve.color}`
                              }),
                              element('span', {}, curve.name)))),
  element('div', {
    class: 'panels',
    style:
      `grid-template-columns: repeat(${Math.min(data.columns, data.panels.length)}, minmax(0, 1fr))`
  },
    data.panels.map((one) => one.curves ? curves(one) : heatmap(one))));
const paintAll = () => {
  for (const paint of panels) paint();
};
addEventListener('resize', paintAll);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paintAll);
paintAll();
