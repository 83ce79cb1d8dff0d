// The search as a tree: steps from left to right, what lives above what ends and what is dropped.

const beamColumn = 136, beamRow = 25, mostDropped = 6;  // in the table

// The steps of each group of hypotheses, with where each candidate stands, and which are of the
// translation.
function beamOf(trace) {
  const groups = new Map();
  for (const step of trace.beam) {
    if (!groups.has(step.group)) groups.set(step.group, []);
    groups.get(step.group).push(step);
  }
  const order = {lives: 0, ends: 1, dropped: 2, barred: 3};
  for (const steps of groups.values()) {
    let living = [{path: [], best: true}];
    for (const [s, step] of steps.entries()) {
      step.nodes = step.candidates.map(([from, piece, logProbability, sum, fate, score]) => {
        const parent = living[from];
        return {
          piece,
          logProbability,
          sum,
          fate,
          score,
          parent,
          step: s,
          path: [...parent.path, piece],
          best: parent.best && piece === trace.target[s] && (fate === 'lives' || fate === 'ends')
        };
      });
      living = step.nodes.filter((node) => node.fate === 'lives');
      // Of what is dropped only the likeliest are drawn.
      const dropped = step.nodes.filter((node) => node.fate === 'dropped');
      const shown = new Set(dropped.sort((a, b) => b.sum - a.sum).slice(0, 3));
      step.drawn =
        step.nodes
          .filter((node) => node.fate === 'lives' || node.fate === 'ends' || shown.has(node))
          .sort((a, b) => order[a.fate] - order[b.fate] || b.sum - a.sum);
      step.drawn.forEach((node, i) => {
        node.y = 20 + i * beamRow;
      });
    }
  }
  return groups;
}

function whyOf(node, step) {
  if (node.fate === 'ends') return say('fate.ends', {score: shortNumber(node.score)});
  if (node.fate === 'lives' && step.outcome === 'limit') return say('fate.limit');
  if (node.fate !== 'dropped') return say(`fate.${node.fate}`);
  const living = step.nodes.filter((other) => other.fate === 'lives');
  const likelier = step.nodes.filter(
    (other) => other.sum > node.sum && (other.fate === 'lives' || other.fate === 'ends'));
  if (living.every((other) => other.sum >= node.sum))
    return say('fate.dropped', {n: likelier.length});
  return say(node.piece === '</s>' ? 'fate.late' : 'fate.passed-over');
}

// Each step is a column of its own, so that they wrap where the page is narrow; what leads to a
// hypothesis comes from the height of the one before.
function beamTree(trace, steps) {
  const root = {y: 20, piece: trace.input[0] ?? ''}, left = 22;
  const cut = (text) => {
    ruler.font = '12px system-ui, sans-serif';
    let short = [...text];
    const wide = () => ruler.measureText(short.join('')).width > beamColumn - 66;
    if (!wide()) return text;
    while (short.length > 1 && wide()) short.pop();
    return `${short.join('')}…`;
  };
  const box = (node, kind, ...inside) => element('g', {class: `node ${kind}`},
    element('rect', {x: left, y: node.y - 10, width: beamColumn - left, height: 20, rx: 4}),
    element('text', {x: left + 6, y: node.y + 4}, cut(readable(node.piece))), ...inside);
  const column = (label, rows, ...inside) => element('svg', {
    viewBox: `0 0 ${beamColumn + 2} ${26 + rows * beamRow}`,
    width: beamColumn + 2,
    role: 'img',
    'aria-label': label
  },
    inside);
  const columns = steps.map(
    (step, s) => column(
      step.drawn.map((node) => `${readable(node.piece)} ${shortNumber(node.sum)}`).join(', '),
      step.drawn.length, step.drawn.map((node) => {
        const y = node.parent.y ?? root.y;
        return element('path', {
          class: `edge ${node.fate}${node.best ? ' best' : ''}`,
          d: `M0,${y} C${left - 6},${y} 4,${node.y} ${left},${node.y}`,
        });
      }),
      step.drawn.map((node) => {
        const made = box(node, `${node.fate}${node.best ? ' best' : ''}`,
          element('text', {x: beamColumn - 6, y: node.y + 4, class: 'number'},
            node.sum.toFixed(1).replace('-', '−')));
        const text =
          `${node.path.map(readable).join(' ')} — log p ${shortNumber(node.logProbability)}, ` +
          `${say('beam.sum')} ${shortNumber(node.sum)} — ${whyOf(node, step)}`;
        made.addEventListener(
          'pointermove', (event) => showTip(text, event.clientX, event.clientY));
        made.addEventListener('pointerleave', hideTip);
        made.addEventListener('click', () => setStep(s));
        return made;
      })));
  const mark = () => columns.forEach((one, s) => one.classList.toggle('now', s === state.step));
  mark();
  stepped.push(mark);
  return element('div.tree', {role: 'group', 'aria-label': say('beam.label')},
    column(readable(root.piece), 1, box(root, 'root')), columns);
}

// The continuations of the step that is chosen, as a table.
function beamTable(steps) {
  const body = element('tbody'), title = element('caption');
  const fill = () => {
    const step = steps[Math.min(state.step, steps.length - 1)];
    title.textContent = say('beam.step', {n: step.step});
    const outcome = say(`outcome.${step.outcome.replace(' ', '-')}`);
    const all = [...step.nodes].sort((a, b) => b.sum - a.sum),
          dropped = all.filter((node) => node.fate === 'dropped');
    const rows =
      all.filter((node) => node.fate !== 'barred' && !dropped.slice(mostDropped).includes(node));
    const more = dropped.length - mostDropped;
    body.replaceChildren(
      ...rows.map((node) => element('tr', {class: node.fate + (node.best ? ' best' : '')},
                    element('td', node.path.slice(0, -1).map(readable).join(' ')),
                    element('th', {scope: 'row'}, readable(node.piece)),
                    element('td.number', percent(Math.exp(node.logProbability))),
                    element('td.number', shortNumber(node.sum)), element('td', whyOf(node, step)))),
      element('tr.outcome',
        element(
          'td', {colspan: 5}, more > 0 ? `${say('beam.more', {n: more})} ${outcome}` : outcome)));
  };
  fill();
  stepped.push(fill);
  const heads = ['beam.before', 'beam.piece', 'beam.p', 'beam.sum', 'beam.fate'];
  return element('div.wide',
    element('table.beam', title,
      element('thead', element('tr', heads.map((key) => element('th', {scope: 'col'}, say(key))))),
      body));
}
