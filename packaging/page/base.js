// The parts that all pages have: their data, elements, colours and the tip under the pointer.
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const tip = document.getElementById('tip'), said = document.getElementById('said');

// An element, "p" or "p.note" with a class, with attributes, if the first of the others are some,
// and children; text is never read as HTML.
function element(name, ...children) {
  const [tag, ...classes] = name.split('.');
  const attributes = children[0]?.constructor === Object ? children.shift() : {};
  if (classes.length) attributes.class = classes.join(' ');
  const svg = ['svg', 'g', 'path', 'rect', 'text', 'title', 'link', 'marker'].includes(tag);
  const made = svg ?
    document.createElementNS('http://www.w3.org/2000/svg', tag === 'link' ? 'a' : tag) :
    document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on'))
      made.addEventListener(key.slice(2), value);
    else if (value !== false && value !== undefined)
      made.setAttribute(key, value);
  }
  made.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined));
  return made;
}

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
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
