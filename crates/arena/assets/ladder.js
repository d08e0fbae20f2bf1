// The levels that this browser has beaten, by game: a won game is noted, and the first page proposes the next level.

const KEY = 'arena.ladder';
const TOP = 10;

function kept() {
  try { return JSON.parse(localStorage.getItem(KEY)) ?? {}; } catch { return {}; }
}

// Notes a game that was won against a level.
export function note(game, level) {
  const levels = kept();
  if (!level || Number(level) <= (levels[game] ?? 0)) return;
  try { localStorage.setItem(KEY, JSON.stringify({ ...levels, [game]: Number(level) })); } catch { /* Not kept then. */ }
}

// Marks the beaten levels in the form of the first page, and chooses the next one for the game chosen there.
export function propose(form) {
  const line = form.querySelector('.ladder');
  const fields = [...form.querySelectorAll('[name^=strength]')];
  const levels = fields.flatMap(field => [...field.options]).filter(option => option.value.startsWith('level '));
  const names = levels.map(option => option.textContent);
  let last = null;
  const show = () => {
    const game = form.elements.game.value;
    const beaten = kept()[game] ?? 0;
    levels.forEach((option, nth) => {
      option.textContent = names[nth] + (Number(option.value.slice(6)) <= beaten ? ' ✓' : '');
    });
    line.textContent = beaten ? line.dataset[beaten < TOP ? 'next' : 'all'].replace('{}', beaten).replace('{next}', beaten + 1) : '';
    if (beaten && game !== last) fields.forEach(field => { field.value = `level ${Math.min(beaten + 1, TOP)}`; });
    last = game;
  };
  form.addEventListener('change', show);
  show();
}
