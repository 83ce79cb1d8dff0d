// The data of the page: traces, their matrices, and the words of the language that is chosen.

// The view. `head` 0 is all of them; `second` -1 is no trace beside the first. The rows that are
// looked at are `step` of the decoder, and `word` of the encoder. `open` is the cell whose
// arithmetic is shown, and `lit` are the cells that it is made of.
const state = {
  language: navigator.language.startsWith('ja') ? 'ja' : 'en',
  theme: 'auto',
  first: 0,
  second: data.second > 0 ? data.second : -1,
  step: 0,
  word: 0,
  layer: 1,
  head: 0,
  site: 'decoder.cross',
  part: 'norm',
  open: null,
  lit: [],
};

// ---- Words: "key: text", of which further lines are indented; see words.en.txt.

const words = {};
for (const [language, text] of Object.entries(data.words)) {
  const found = words[language] = {}, space = language === 'ja' ? '' : ' ';
  for (const [, key, value] of text.matchAll(/^(\S+): (.*(?:\n +.*)*)/gm))
    found[key] = value.replace(/\n +/g, space);
}

function say(key, values = {}) {
  const text = words[state.language][key] ?? words.en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
}

// A text with `code` and *emphasis* as elements.
function marked(text) {
  return text.split(/(`[^`]*`|\*[^*]+\*)/).map((part) => {
    if (/^`.+`$/.test(part)) return element('code', part.slice(1, -1));
    if (/^\*.+\*$/.test(part)) return element('em', part.slice(1, -1));
    return part;
  });
}

// ---- Matrices

// The rows of a matrix that the page has: all, or those that are not folded away.
function keptOf({kept, rows}) {
  return (kept ?? [[0, rows]]).flatMap(([from, to]) => range(to - from).map((i) => from + i));
}

// The numbers of a matrix, NaN in rows that are folded away. They are whole numbers of 16 bits with
// a scale, or of 24 bits, whose cubes have one, in base64; weights are the softmax of scores.
function numbersOf(trace, name) {
  const matrix = trace.matrices[name], {blocks, rows, columns, scale, bits, data, scores} = matrix;
  if (matrix.numbers || !(data || scores)) return matrix.numbers;
  const numbers = matrix.numbers = new Float32Array(blocks * rows * columns).fill(NaN);
  const bytes = data && Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
  const x = scores && numbersOf(trace, scores);
  let at = 0;
  for (let block = 0; block < blocks; ++block)
    for (const i of keptOf(matrix)) {
      const begin = (block * rows + i) * columns, end = begin + columns;
      if (scores) {
        const row = x.subarray(begin, end), most = Math.max(...row);
        const e = Array.from(row, (one) => Math.exp(one - most)), sum = e.reduce((a, b) => a + b);
        numbers.set(e.map((one) => one / sum), begin);
      } else
        for (let k = begin; k < end; ++k) {
          let whole = 0;
          for (let shift = 32 - bits; shift < 32; shift += 8) whole |= bytes[at++] << shift;
          whole >>= 32 - bits;
          numbers[k] =
            whole === -(2 ** (bits - 1)) ? -Infinity : scale * whole ** (bits > 16 ? 3 : 1);
        }
    }
  return numbers;
}

// One block of a matrix, or the columns of one head (from 1) of all; null where there is none.
function viewOf(trace, name, head = 0, heads = 1) {
  const matrix = trace.matrices[name];
  if (!matrix) return null;
  const {rows, blocks} = matrix, width = matrix.columns;
  const columns = head && blocks === 1 ? width / heads : width;
  const begin = head && blocks === 1 ? (head - 1) * columns : 0;
  const block = head && blocks > 1 ? (head - 1) * rows * width : 0;
  const numbers = numbersOf(trace, name);
  return {
    trace,
    name,
    block: head && blocks > 1 ? head - 1 : 0,
    rows,
    columns,
    matrix,
    numbers,
    kept: keptOf(matrix),
    rowNames: trace.lists[matrix.names[0]],
    columnNames: trace.lists[matrix.names[1]],
    firstColumn: begin,
    at: (i, j) => numbers[block + i * width + begin + j],
  };
}

// The mean of all heads.
function meanView(trace, name) {
  const view = viewOf(trace, name, 1);
  if (!view || view.matrix.blocks === 1 || !view.numbers) return view;
  const {rows, columns, blocks} = view.matrix, numbers = view.numbers;
  return {
    ...view,
    block: -1,
    at: (i, j) => {
      let sum = 0;
      for (let b = 0; b < blocks; ++b) sum += numbers[(b * rows + i) * columns + j];
      return sum / blocks;
    }
  };
}

function shownTraces() {
  return [state.first, state.second].filter((i) => i >= 0).map((i) => data.traces[i]);
}

function isLstm(trace) {
  return trace.config.type === 'lstm';
}

function shortNumber(x) {
  if (x === 0) return '0';
  if (!Number.isFinite(x)) return x > 0 ? '∞' : '−∞';
  const size = Math.abs(x);
  const text = size >= 1e6 || size < 1e-4 ? x.toExponential(2) :
    size >= 1000                          ? x.toFixed() :
                                            x.toPrecision(4);
  return text.replace('-', '−').replace(/e−/, 'e−');
}

function range(n) {
  return Array.from({length: n}, (_, i) => i);
}

function percent(x) {
  const y = 100 * x;
  return `${y >= 9.95 ? Math.round(y) : y >= 1e-4 ? y.toPrecision(2) : shortNumber(y)}\u00a0%`;
}

// Pieces as they are read: U+2581 is a space, which begins a word and is shown as an open box.
function readable(piece) {
  return piece.replaceAll('\u2581', '\u2423');
}
