// Attention as arcs between words: to the words of the other side, or to those of the same.

const ruler = document.createElement('canvas').getContext('2d');

// view: weights of queries (rows) and keys; chosen(): the query that is looked at; choose(i). The
// words stand in rows, or upright, each in a line of its own, where a row is wider than the page.
function arcs(view, {chosen, choose, title}) {
  const self = view.rowNames === view.columnNames || view.name.includes('.self.');
  const lines = element('g'), names = element('g'), shares = element('g');
  const svg = element('svg', {role: 'group', 'aria-label': title}, lines, names, shares);
  const figure = element('div.arcs', svg);

  const word = (piece, query, i) => {
    const text = readable(piece);
    const most = () => keys.map((key, j) => [view.at(i, j), key.text])
                         .sort((a, b) => b[0] - a[0])
                         .slice(0, 3)
                         .filter(([x]) => x > 0.01);
    const mark = element('g',
      query ? {
        class: 'word',
        tabindex: 0,
        role: 'button',
        'data-key': `arc ${section} ${view.name} ${i}`,
        onclick: () => choose(i),
        onpointerenter: () => look(i),
        onpointerleave: () => look(),
        onkeydown: (event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return;
          event.preventDefault();
          choose(i);
        },
      } :
              {class: 'word key'},
      element('text', text));
    names.append(mark);
    return {text, mark, most};
  };
  const queries = view.rowNames.map((piece, i) => word(piece, true, i));
  const keys = self ? queries : view.columnNames.map((piece) => word(piece, false));
  for (const {text, mark, most} of queries)
    mark.setAttribute(
      'aria-label', `${text}: ${most().map(([x, to]) => `${to} ${percent(x)}`).join(', ')}`);

  let upright = false;       // words under each other
  let from = 0, to = 0;      // between these the arcs run, across the words
  let room = 0, shareAt = 0; // of the figure; of the share of a word
  const point = (along, across) => upright ? `${across},${along}` : `${along},${across}`;

  function layOut() {
    if (!figure.clientWidth || figure.clientWidth === room) return;
    room = figure.clientWidth;
    ruler.font = '600 14px system-ui, sans-serif';
    const rows = self ? [keys] : [queries, keys];
    for (const one of rows.flat()) one.width = Math.max(16, ruler.measureText(one.text).width);
    const long = (row) => row.reduce((sum, one) => sum + (upright ? 22 : one.width + 12), 4);
    const widest = (row) => Math.max(...row.map((one) => one.width));
    upright = false, upright = Math.max(...rows.map(long)) > room;
    const length = Math.max(...rows.map(long));
    // The shorter of two rows stands in the middle.
    for (const row of rows) {
      let at = (length - long(row)) / 2 + 2;
      for (const one of row) {
        const step = upright ? 22 : one.width + 12;
        one.middle = at + step / 2, at += step;
      }
    }
    const tall = self ? Math.min(144, 40 + length / 6) : 104, first = self ? 0 : widest(queries);
    from = self ? 0 : upright ? first + 8 : 32;
    to = from + (upright ? Math.max(60, Math.min(2 * tall, room - first - widest(keys) - 62)) : tall);
    shareAt = to + (upright ? 8 : 35);
    const across = to + (upright ? widest(keys) + 54 : 52);
    const [width, height] = upright ? [across, length] : [length, across];
    for (const [name, x] of Object.entries({viewBox: `0 0 ${width} ${height}`, width, height}))
      svg.setAttribute(name, x);
    const put = ({mark, middle}, across, anchor) => {
      const [x, y] = upright ? [across, middle + 5] : [middle, across];
      for (const [name, value] of Object.entries({x, y, 'text-anchor': upright ? anchor : 'middle'}))
        mark.firstChild.setAttribute(name, value);
    };
    for (const one of self ? [] : queries) put(one, upright ? first : 18, 'end');
    for (const one of keys) put(one, to + (upright ? 8 : 18), 'start');
  }

  const curve = (q, k) => {
    const [a, b] = [queries[q].middle, keys[k].middle], half = (from + to) / 2;
    if (!self)
      return `M${point(a, from)} C${point(a, half)} ${point(b, half)} ${point(b, to)}`;
    const high = to - Math.min(to - from - 4, 14 + Math.abs(a - b) / 2.2), low = to - 28;
    return a === b ?
      `M${point(a - 5, to)} C${point(a - 12, low)} ${point(a + 12, low)} ${point(a + 5, to)}` :
      `M${point(a, to)} C${point(a, high)} ${point(b, high)} ${point(b, to)}`;
  };

  function look(looked = chosen()) {
    lines.replaceChildren();
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
    queries.forEach(({mark}, i) => {
      mark.classList.toggle('here', i === looked);
      mark.setAttribute('aria-pressed', String(i === looked));
    });
    shares.replaceChildren(
      ...keys.map((one, k) => [one, view.at(looked, k)])
        .filter(([, weight]) => weight >= 0.05)
        .map(([{width, middle}, weight]) => element('text', {
               x: upright ? shareAt + width + 6 : middle,
               y: upright ? middle + 4 : shareAt,
               class: 'share',
               'text-anchor': upright ? 'start' : 'middle'
             },
               percent(weight))));
  }
  pictures.push(() => {
    layOut(), look();
  });
  return figure;
}
