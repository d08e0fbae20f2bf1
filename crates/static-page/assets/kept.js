// The games that this browser keeps.

const PREFIX = 'arena.game.';
const INDEX = 'arena.games';
// The key of the puzzles' page.
const PUZZLES = 'arena.puzzles';
// Games that are kept at most; the oldest make room.
const MOST = 200;

const index = () => {
  try { return JSON.parse(localStorage.getItem(INDEX)) ?? []; } catch { return []; }
};

export const games = index;
export const read = id => localStorage.getItem(PREFIX + id);

export function name() {
  const words = crypto.getRandomValues(new Uint32Array(2));
  return [...words].map(word => word.toString(36)).join('');
}

export function remove(id) {
  localStorage.removeItem(PREFIX + id);
  localStorage.setItem(INDEX, JSON.stringify(index().filter(game => game.id !== id)));
}

// Keeps a game. Where the browser has no more room the oldest games go. False: it is not kept, and no other is lost.
export function keep(id, game, length, record) {
  const rest = index().filter(other => other.id !== id);
  const before = read(id);
  const gone = [];
  const drop = () => {
    const old = rest.pop().id;
    gone.push([PREFIX + old, read(old)]);
    localStorage.removeItem(PREFIX + old);
  };
  while (rest.length >= MOST) drop();
  for (;;) {
    try {
      localStorage.setItem(PREFIX + id, record);
      localStorage.setItem(INDEX, JSON.stringify([{ id, game, length, time: Date.now() }, ...rest]));
      return true;
    } catch {
      if (rest.length) drop();
      else break;
    }
  }
  localStorage.removeItem(PREFIX + id);
  for (const [key, text] of [[PREFIX + id, before], ...gone]) if (text !== null) localStorage.setItem(key, text);
  return false;
}

export function all() {
  const records = index().map(game => ({ ...game, record: read(game.id) })).filter(game => game.record);
  return JSON.stringify({ arena: 1, games: records, puzzles: parsed(localStorage.getItem(PUZZLES)) });
}

const parsed = text => {
  try { return JSON.parse(text); } catch { return null; }
};

// Adds the solved puzzles of an export to those of this browser. The days in a row are the later ones.
function join(other) {
  const own = parsed(localStorage.getItem(PUZZLES)) ?? { solved: {}, row: 0, days: 0, last: 0 };
  for (const [game, numbers] of Object.entries(other.solved)) {
    own.solved[game] = [...new Set([...own.solved[game] ?? [], ...numbers])].filter(Number.isInteger);
  }
  const { days, last } = other.last > own.last ? other : own;
  localStorage.setItem(PUZZLES, JSON.stringify({ ...own, days, last }));
}

// Takes over the games and the solved puzzles of an export. Returns the number of games.
export function take(text) {
  const { arena, games, puzzles } = JSON.parse(text);
  if (arena !== 1 || !Array.isArray(games)) throw new Error('no export of this page');
  if (puzzles?.solved) join(puzzles);
  let count = 0;
  for (const { id, game, length, record } of games.toReversed()) {
    if (/^[a-z0-9]{1,20}$/.test(id) && typeof game === 'string' && typeof record === 'string') {
      count += Number(keep(id, game, Number(length) || 0, record));
    }
  }
  return count;
}
