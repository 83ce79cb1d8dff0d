// Attention as arcs between words: to the words of the other side, or to those of the same.

const ruler = document.createElement('canvas').getContext('2d');

// Where words stand in a row.
function laidOut(pieces, gap = 12) {
  ruler.font = '14px system-ui, sans-serif';
  let x = 8;
  return pieces.map((piece) => {
    const text = readable(piece), width = Math.max(16, ruler.measureText(text).width);
    const word = {text, x, width, middle: x + width / 2};
    x += width + gap;
    return word;
  });
}

// view: weights of queries (rows) and keys; chosen(): the query that is looked at; choose(i).
function arcs(view, {chosen, choose, title}) {
  const self = view.rowNames === view.columnNames || view.name.includes('.self.');
  const keys = laidOut(view.columnNames), queries = self ? keys : laidOut(view.rowNames);
  const end = (row) => row.length ? row.at(-1).x + row.at(-1).width + 8 : 0;
  const width = Math.max(end(keys), end(queries)),
        tall = self ? Math.min(150, 40 + width / 6) : 130;
  // The shorter of two rows stands in the middle.
  for (const row of new Set([keys, queries])) {
    const shift = (width - end(row)) / 2;
    for (const word of row) word.x += shift, word.middle += shift;
  }
  const top = self ? tall : 24, bottom = self ? tall + 22 : 24 + tall;
  const height = bottom + (self ? 24 : 34);
  const svg = element(
    'svg', {viewBox: `0 0 ${width} ${height}`, width, height, role: 'group', 'aria-label': title});
  const lines = element('g'), names = element('g');
  svg.append(lines, names);

  const curve = (q, k) => {
    const [a, b] = [queries[q].middle, keys[k].middle];
    if (!self) {
      const half = (top + bottom) / 2;
      return `M${a},${top + 8} C${a},${half} ${b},${half} ${b},${bottom - 18}`;
    }
    const far = Math.min(tall - 6, 14 + Math.abs(a - b) / 2.2), base = tall - 2;
    return a === b ?
      `M${a - 5},${base} C${a - 12},${base - 26} ${a + 12},${base - 26} ${a + 5},${base}` :
      `M${a},${base} C${a},${base - far} ${b},${base - far} ${b},${base}`;
  };

  function draw(looked = chosen()) {
    lines.replaceChildren();
    names.replaceChildren();
    for (let q = 0; q < view.rows; ++q)
      for (let k = 0; k < view.columns; ++k) {
        const weight = view.at(q, k), here = q === looked;
        if (!(weight >= (here ? 0.005 : 0.04))) continue;
        lines.append(element('path', {
          d: curve(q, k),
          class: here ? 'arc here' : 'arc',
          'stroke-width': here ? 1 + 5 * weight : 1 + 2 * weight,
          'stroke-opacity': here ? 0.35 + 0.65 * weight : 0.08 + 0.25 * weight,
        },
          element('title', `${queries[q].text} → ${keys[k].text}: ${percent(weight)}`)));
      }
    const word = (w, i, y, query) => element('g',
      query ? {
        class: i === looked ? 'word here' : 'word',
        tabindex: 0,
        role: 'button',
        'data-key': `arc ${view.name} ${i}`,
        'aria-pressed': String(i === looked),
        'aria-label': sentenceOf(i),
        onclick: () => choose(i),
        onpointerenter: () => draw(i),
        onpointerleave: () => draw(),
        onkeydown: (event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return;
          event.preventDefault();
          choose(i);
        },
      } :
              {class: 'word key'},
      element('text', {x: w.middle, y, 'text-anchor': 'middle'}, w.text));
    const sentenceOf = (q) => {
      const order = keys.map((k, j) => [view.at(q, j), k.text]).sort((a, b) => b[0] - a[0]);
      const most = order.slice(0, 3).filter(([x]) => x > 0.01);
      return `${queries[q].text}: ${most.map(([x, text]) => `${text} ${percent(x)}`).join(', ')}`;
    };
    queries.forEach((w, i) => names.append(word(w, i, self ? tall + 16 : 18, true)));
    if (!self) keys.forEach((w, i) => names.append(word(w, i, bottom, false)));
    if (looked < 0 || looked >= view.rows) return;
    keys.forEach((w, k) => {
      const weight = view.at(looked, k);
      if (weight >= 0.05)
        names.append(element('text',
          {x: w.middle, y: self ? tall + 34 : bottom + 17, class: 'share', 'text-anchor': 'middle'},
          percent(weight)));
    });
  }
  draw();
  stepped.push(() => draw());
  return element('div.wide', svg);
}
