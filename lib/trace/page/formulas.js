// Formulas as they are written in one line, set with letters that every machine has.

// {a | b} is a fraction, √ the root of what follows; _ and ^ put what follows below and above; a
// word of several letters stands upright; two spaces are where a line may be broken.
const formulas = {
  post: 'LayerNorm(x + Sublayer(x))',
  pre: 'x + Sublayer(LayerNorm(x))',
  norm: 'LayerNorm(x) =  {x − mean(x) | √{var(x) + ε}} · gain + bias',
  attention: 'Attention(Q, K, V) =  softmax({Q K^T | √{d_k}}) V',
  inputs: 'Q = x W^Q,  K = x W^K,  V = x W^V',
  heads: 'MultiHead(Q, K, V) =  Concat(head_1, …, head_h) W^O',
  head: 'head_i =  Attention(Q W_i^Q, K W_i^K, V W_i^V)',
  ffn: 'FFN(x) =  max(0, x W_1 + b_1) W_2 + b_2',
  embeddings: 'x =  √{d_{model}} · E[piece]',
  softmax: 'p(y_t) =  softmax(E x_t)',
  sine: 'PE(pos, 2i) =  sin(pos / 10000^{2i / d_{model}})',
  cosine: 'PE(pos, 2i + 1) =  cos(pos / 10000^{2i / d_{model}})',
  ssru: 'c_t = f_t ⊙ c_{t − 1} + (1 − f_t) ⊙ x_t,  h_t = max(0, c_t)',
  cell: 'c′ = σ(f) ⊙ c + σ(i) ⊙ tanh(g),  h′ = σ(o) ⊙ tanh(c′)',
  dot: 'score(h, s) =  h^T s',
  general: 'score(h, s) =  h^T W_a s',
  concat: 'score(h, s) =  v_a^T tanh(W_a [h; s])',
  beam: 's(Y) =  {log P(Y|X) | ((5 + |Y|) / 6)^α}',
  rate: 'rate =  d_{model}^{−0.5} · min(step^{−0.5}, step · warmup^{−1.5})',
  adam: 'm = β_1 m + (1 − β_1) g,  v = β_2 v + (1 − β_2) g^2,  w = w − rate · {m̂ | √v̂ + ε}',
  smoothing: 'q(y) =  (1 − ε) [y is the next piece] + {ε | V}',
};

function formula(name) {
  const words = formulas[name].match(/[\p{L}′\u0302]+|\d+(\.\d+)?| +|./gu);
  let k = 0;
  const box = (kind, ...inside) => element('span', {class: kind}, inside);
  const isTall = (one) => one.className === 'fraction' || one.querySelector?.('.fraction');
  // The parts before one of `ends`.
  function list(...ends) {
    const found = [];
    while (k < words.length && !ends.includes(words[k])) found.push(atom());
    ++k;
    return found;
  }
  function atom() {
    const word = words[k++];
    if (word === '{') {
      const above = list('|', '}');
      return words[k - 1] === '|' ? box('fraction', box('', above), box('', list('}'))) :
                                    box('', above);
    }
    if (word === '(') {
      const inside = list(')');
      return box(
        inside.some(isTall) ? 'tall' : '', box('bracket', '('), inside, box('bracket', ')'));
    }
    if (word === '√') return box('', '√', box('root', atom()));
    if (word === '_' || word === '^') {
      const first = element(word === '_' ? 'sub' : 'sup', {}, atom()), other = words[k];
      if (word !== '_' || other !== '^') return first;
      ++k;
      return box('scripts', element('sup', atom()), first);
    }
    if (/^ +$/.test(word)) return word.length > 1 ? element('wbr') : '\u2009';
    return /^\p{L}[′\u0302]?$/u.test(word) ? element('i', word) : word;
  }
  // Each part that is not to be broken is one element.
  const parts = [[]];
  for (const one of list())
    if (one.tagName === 'WBR')
      parts.push([]);
    else
      parts.at(-1).push(one);
  return element('div.formula', {role: 'math', 'aria-label': formulas[name].replace(/[{}]/g, '')},
    parts.map((one) => box('part', one)));
}
