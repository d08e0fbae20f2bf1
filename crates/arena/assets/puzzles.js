// The puzzles: a puzzle and its clicks go to the server, its picture comes back. What was solved stays in the browser.

import { address } from './address.js';
import { complain, load, say } from './wire.js';
import { hold, rove, step } from './board.js';

const KEY = 'arena.puzzles';
const LEVELS = ['easy', 'medium', 'hard'];
const root = document.getElementById('puzzles');
const wanted = document.getElementById('wanted');
const line = wanted.querySelector('.streak');
const scale = document.querySelector('.scale');
const today = () => Math.floor(Date.now() / 86400000);
const field = name => wanted.elements[name];

function kept() {
  const none = { solved: {}, row: 0, days: 0, last: 0 };
  try { return { ...none, ...JSON.parse(localStorage.getItem(KEY)) }; } catch { return none; }
}

function keep(state) {
  try { localStorage.setItem(KEY, JSON.stringify(state)); } catch { /* Nothing is kept then. */ }
}

const solved = (state, game) => state.solved[game] ?? [];
let fresh = true;
let busy = Promise.resolve();
let runs = null;
let last = null;
// True until the puzzle of a link without a level has told its own.
let unnamed = false;

scale.open = !kept().told;

const data = () => root.querySelector('.puzzle')?.dataset ?? {};
const isOpen = () => ['open', 'right'].includes(data().state);

// The first right answer counts, without a hint or a wrong move before it.
function count() {
  const { game, n, state: now } = data();
  const state = kept();
  scale.hidden = now === 'rule';
  if (now === 'rule') { line.textContent = ''; return; }
  if (now === 'right') {
    state.row = fresh ? state.row + 1 : 0;
    const before = solved(state, game);
    if (!before.includes(Number(n))) state.solved[game] = [...before, Number(n)];
    if (field('level').value === 'day' && state.last !== today()) {
      state.days = state.last === today() - 1 ? state.days + 1 : 1;
      state.last = today();
    }
  } else if (now === 'wrong' || now === 'open' && fresh) state.row = 0;
  if (now !== 'asked') {
    fresh = false;
    // What the levels mean is read before the first answer.
    scale.open = scale.open && state.told;
    state.told = true;
  }
  keep(state);
  tell(state);
}

function tell(state) {
  const { game, n, count: of } = data();
  const mine = solved(state, game);
  const word = (name, number) => line.dataset[name].replaceAll('{}', number).replace('{of}', of);
  const words = [word('row', state.row), word('solved', mine.length)];
  if (state.days && state.last >= today() - 1) words.splice(1, 0, word('days', state.days));
  if (mine.includes(Number(n)) && !isOpen()) words.push(line.dataset.again);
  line.textContent = words.join(' · ');
}

function show(html) {
  const back = hold(root);
  const active = document.activeElement?.dataset?.cell;
  last = active ?? (document.activeElement === document.body ? last : null);
  root.innerHTML = html;
  const found = rove(root, last);
  if (unnamed && data().level) {
    field('level').value = data().level;
    unnamed = false;
  }
  if (last && found) found.focus({ preventScroll: true });
  else back();
  address({ game: data().game, n: data().n, level: field('level').value });
  say(data().say, data().state === 'wrong');
}

function ask(game, query) {
  busy = busy.then(async () => {
    show(await load(`/puzzles/${game}/view?${new URLSearchParams(query)}`));
    count();
  }).catch(error => complain(error.message));
  return busy;
}

const again = more => {
  const { game, n, path, moves, at, rule } = data();
  if (rule) return ask(game, { rule, path, moves, ...more });
  return ask(game, { n, path, at, ...(isOpen() ? { moves } : {}), ...more });
};

function begin(query) {
  halt();
  fresh = true;
  last = null;
  return ask(field('game').value, query);
}

// The next puzzle of the level that is not solved yet; the next of all where all are. After that of the day: of its level.
function next() {
  const { game, n, count: of, rule, level, ends } = data();
  if (rule) return begin({ rule: Number(rule) % Number(of) + 1 });
  if (game !== field('game').value) return begin({ n: 1 });
  if (!LEVELS.includes(field('level').value)) field('level').value = level;
  const nth = LEVELS.indexOf(field('level').value);
  const [from, to] = [0, ...ends.split(' ').map(Number)].slice(nth, nth + 2);
  const inside = Array.from({ length: to - from }, (_, nth) => from + nth + 1);
  const later = [...inside.filter(other => other > Number(n)), ...inside.filter(other => other <= Number(n))];
  const mine = solved(kept(), game);
  return begin({ n: later.find(other => !mine.includes(other)) ?? later[0] });
}

// Another game or another level.
async function choose() {
  const level = field('level').value;
  if (level === 'rules') await begin({ rule: 1 });
  else if (level === 'day') await begin({ day: today() });
  else {
    // The number of puzzles is known once one of them is there.
    if (data().game !== field('game').value || data().rule) await begin({ n: 1 });
    await next();
  }
}

function halt() {
  clearInterval(runs);
  runs = null;
}

function visit(at) {
  halt();
  again({ at, path: '' });
}

function run() {
  if (runs) { halt(); return; }
  let at = Number(data().at) >= Number(data().length) ? -1 : Number(data().at);
  runs = setInterval(() => {
    at += 1;
    if (at > Number(data().length)) halt();
    else again({ at, path: '' });
  }, 800);
}

const press = click => { halt(); again({ click }); };

root.addEventListener('click', event => {
  const on = event.target.closest('[data-cell], [data-click], [data-clear], [data-show], [data-at]:not(.puzzle), [data-run], [data-next]');
  if (!on) return;
  const { cell, click, clear, show: what, run: runs, next: other } = on.dataset;
  if (cell || click) press(cell || click);
  else if (clear) again({ path: '' });
  else if (what === 'again') again({ path: '', moves: '' });
  else if (what) {
    if (fresh) keep({ ...kept(), row: 0 });
    fresh = false;
    again({ path: '', show: what });
  } else if (other) next();
  else if (runs) run();
  else visit(Number(on.dataset.at));
});

addEventListener('keydown', event => {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || target.matches('input, textarea, select')) return;
  const ways = { ArrowUp: 'N', ArrowDown: 'S', ArrowRight: 'E', ArrowLeft: 'O' };
  const keys = (data().keys || '').split(' ').filter(Boolean);
  const letter = key.toUpperCase();
  const done = work => { event.preventDefault(); work(); };
  if (ways[key] && keys.includes(ways[key])) return done(() => press(ways[key]));
  if (keys.includes(letter) && !Object.values(ways).includes(letter)) return done(() => press(letter));
  if (ways[key] && target.dataset.cell) return done(() => step(root, target, key));
  if (ways[key] && target === document.body) {
    const first = root.querySelector('[data-cell][tabindex="0"]');
    if (first) return done(() => first.focus());
  }
  if ((key === 'Enter' || key === ' ') && target.dataset.cell) return done(() => press(target.dataset.cell));
  if (key === '+') return done(() => press('+'));
  if (key === 'Escape') return done(() => again({ path: '' }));
  const button = { H: '[data-show=hint]', P: '[data-next]' }[letter];
  if (button) return done(() => root.querySelector(button)?.click());
  if (isOpen() && key === ',') return done(() => visit(Math.max(0, Number(data().at) - 1)));
  if (isOpen() && (key === '.' || key === ';')) return done(() => visit(Number(data().at) + 1));
});

wanted.addEventListener('change', choose);
wanted.addEventListener('submit', event => event.preventDefault());

const query = new URLSearchParams(location.search);
for (const name of ['game', 'level']) {
  if ([...field(name).options].some(option => option.value === query.get(name))) field(name).value = query.get(name);
}
// The puzzle of a link has a level of its own; that of the day is today's, whatever the link's number.
if (query.get('n') && query.get('level') !== 'day') {
  unnamed = !query.has('level');
  begin({ [query.get('level') === 'rules' ? 'rule' : 'n']: query.get('n') });
} else choose();
