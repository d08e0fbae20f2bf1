// The page on which a position is set up: what is done goes to the server, its board comes back.

import { address } from './address.js';
import { complain, load, post, say } from './wire.js';
import { hold, rove, step } from './board.js';

const root = document.getElementById('setup');
const wanted = document.getElementById('wanted');
const data = () => root.querySelector('.setup')?.dataset ?? {};
const piece = () => root.querySelector('[name=piece]:checked')?.value ?? '';
// The positions before this one.
const past = [];
// What is done waits for its turn: nothing is dropped.
let turn = Promise.resolve();

function draw(html) {
  const cell = document.activeElement?.dataset.cell;
  const back = cell ? () => {} : hold(root);
  root.innerHTML = html;
  const found = rove(root, cell);
  if (cell) found?.focus({ preventScroll: true });
  else back();
  root.querySelector('[data-act=undo]').disabled = past.length === 0;
  address({ game: data().game, start: data().start });
}

function ask(change) {
  turn = turn.then(async () => {
    const start = change.start ?? data().start ?? '';
    const fields = { game: wanted.elements.game.value, piece: piece(), ...change, start };
    const html = await load(`/setup/view?${new URLSearchParams(fields)}`);
    const before = data().start;
    const template = document.createElement('template');
    template.innerHTML = html;
    const after = template.content.querySelector('.setup').dataset;
    if (before !== undefined && !('start' in change) && after.start !== before) past.push(before);
    draw(html);
    const cell = change.cell && !after.refused && root.querySelector(`[data-cell="${CSS.escape(change.cell)}"]`);
    say(cell ? `${cell.getAttribute('aria-label')}. ${after.say}` : after.say, Boolean(after.refused));
  }).catch(error => complain(error.message));
}

const put = (cell, act = 'put') => ask({ act, cell });
function undo() {
  if (past.length) ask({ start: past.pop() });
}

async function enter(mode) {
  try {
    const { game, start } = data();
    location.assign(JSON.parse(await post('/new', { game, mode, start, seats: ['person', 'person'] })).room);
  } catch (error) { complain(error.message); }
}

root.addEventListener('click', event => {
  const on = event.target.closest('[data-cell], [data-act], [data-enter], [data-copy]');
  if (!on) return;
  const { cell, act, enter: mode } = on.dataset;
  if (cell) put(cell);
  else if (act === 'undo') undo();
  else if (act) ask({ act });
  else if (mode) enter(mode);
  else { on.select(); navigator.clipboard?.writeText(on.value).catch(() => {}); }
});

root.addEventListener('change', ({ target }) => {
  if (target.name === 'seat') ask({ act: 'turn', seat: target.value });
  if (target.name === 'size' && target.reportValidity()) ask({ act: 'begin', size: target.value });
});

addEventListener('keydown', event => {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || target.matches('select, input:not([type=radio])')) return;
  const { cell } = target.dataset;
  const done = work => { event.preventDefault(); work(); };
  const choice = /^[1-9]$/.test(key) && root.querySelector(`[data-key="${key}"]`);
  if (choice) done(() => { choice.checked = true; });
  else if (key.toUpperCase() === 'U') done(undo);
  else if (!cell) return;
  else if (key.startsWith('Arrow')) done(() => step(root, target, key));
  else if (key === 'Enter' || key === ' ') done(() => put(cell));
  else if (key === 'Backspace' || key === 'Delete') done(() => put(cell, 'take'));
});

wanted.addEventListener('change', () => {
  past.length = 0;
  ask({ start: '' });
});
wanted.addEventListener('submit', event => event.preventDefault());

const query = new URLSearchParams(location.search);
const { game } = wanted.elements;
if ([...game.options].some(option => option.value === query.get('game'))) game.value = query.get('game');
ask({ start: query.get('start') ?? '' });
