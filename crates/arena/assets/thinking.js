// The page of the searches: a step goes to the server, its picture comes back.

import { address } from './address.js';
import { complain, load, say } from './wire.js';
import { hold } from './board.js';

const root = document.getElementById('thinking');
const wanted = document.getElementById('wanted');
const field = name => wanted.elements[name];
const data = () => root.querySelector('.thinking')?.dataset ?? {};
// Milliseconds of a step while the search runs.
const PACE = 700;

let runs = null;
let busy = false;
// The step to show next, if another is on its way.
let next = null;

function draw(html) {
  const slider = root.querySelector('input[type=range]');
  const slides = slider && document.activeElement === slider;
  const back = hold(root);
  root.innerHTML = html;
  if (slides) root.querySelector('input[type=range]').focus({ preventScroll: true });
  else back();
  root.querySelector('[data-run]').setAttribute('aria-pressed', runs !== null);
  address({ demo: data().demo, search: data().search, at: data().at });
  if (!runs) say(data().say);
}

async function show(at) {
  if (busy) { next = at; return; }
  busy = true;
  try {
    const query = new URLSearchParams({ demo: field('demo').value, search: field('search').value, at });
    draw(await load(`/search/view?${query}`));
  } catch (error) {
    halt();
    complain(error.message);
  }
  busy = false;
  if (next !== null) {
    const later = next;
    next = null;
    await show(later);
  }
}

function halt() {
  clearInterval(runs);
  runs = null;
  root.querySelector('[data-run]')?.setAttribute('aria-pressed', 'false');
}

const at = () => Number(data().at);
const visit = step => { halt(); show(Math.max(0, Math.min(step, Number(data().count)))); };

function run() {
  if (runs) { halt(); return; }
  runs = setInterval(() => {
    if (at() >= Number(data().count)) halt();
    else if (!busy) show(at() + 1);
  }, PACE);
  root.querySelector('[data-run]')?.setAttribute('aria-pressed', 'true');
}

root.addEventListener('click', event => {
  const on = event.target.closest('[data-at]:not(.thinking), [data-run]');
  if (!on || on.disabled) return;
  if (on.dataset.run) run();
  else visit(Number(on.dataset.at));
});

root.addEventListener('input', event => {
  if (event.target.type === 'range') visit(Number(event.target.value));
});

addEventListener('keydown', event => {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || target.matches('input, textarea, select')) return;
  const cut = data().cut;
  const works = {
    ',': () => visit(at() - 1),
    '.': () => visit(at() + 1),
    ';': () => visit(at() + 1),
    HOME: () => visit(0),
    END: () => visit(Number(data().count)),
    P: run,
    C: () => { if (cut) visit(Number(cut)); },
  };
  const work = works[key.toUpperCase()];
  if (!work) return;
  event.preventDefault();
  work();
});

wanted.addEventListener('change', () => { halt(); show(0); });
wanted.addEventListener('submit', event => event.preventDefault());

const query = new URLSearchParams(location.search);
for (const name of ['demo', 'search']) {
  if ([...field(name).options].some(option => option.value === query.get(name))) field(name).value = query.get(name);
}
show(Number(query.get('at') ?? 0) || 0);
