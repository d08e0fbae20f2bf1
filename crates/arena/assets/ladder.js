// What this browser remembers of its games against levels: those beaten, and for each game the level to try next, which a
// won or lost game moves. The first page proposes that level, and the game that was chosen last.

const TOP = 10;
const [BEATEN, LOST, NEXT, GAME] = ['arena.ladder', 'arena.lost', 'arena.next', 'arena.game'];

function kept(key) {
  try { return JSON.parse(localStorage.getItem(key)) ?? {}; } catch { return {}; }
}

function keep(key, game, value) {
  try { localStorage.setItem(key, JSON.stringify({ ...kept(key), [game]: value })); } catch { /* Not kept then. */ }
}

// Writes the level that was beaten, or that was lost against, and the one to try next.
function write(line, level, isBeaten, next) {
  const text = isBeaten && level >= TOP ? 'all' : isBeaten ? 'next' : next === level ? 'again' : 'below';
  line.textContent = line.dataset[text].replace('{}', level).replace('{next}', next);
}

const following = game => Number(kept(NEXT)[game]?.slice(6)) || 1;

// Notes a game that was won or lost against a level, each once, and says on its page what to try next.
let noted = null;
export function note(view) {
  const { game, beaten, lost } = view.dataset;
  const level = Number(beaten ?? lost);
  const now = beaten ?? (lost ? -lost : null);
  if (now !== noted) {
    noted = now;
    const most = kept(BEATEN)[game] ?? 0;
    if (beaten && level > most) keep(BEATEN, game, level);
    if (beaten) keep(NEXT, game, `level ${Math.min(level + 1, TOP)}`);
    if (lost) keep(LOST, game, level);
    // Above what was beaten the same level again; otherwise one below.
    if (lost) keep(NEXT, game, `level ${level - 1 <= most ? level : level - 1}`);
  }
  if (now !== null) write(view.querySelector('.ladder'), level, beaten !== undefined, following(game));
}

// The choices of a game that begins.
export function remember(game, strength) {
  if (strength) keep(NEXT, game, strength);
  keep(GAME, 'last', game);
}

// Marks the beaten levels in the form of the first page, and chooses the level for the game chosen there.
export function propose(form) {
  const line = form.querySelector('.ladder');
  const fields = [...form.querySelectorAll('[name^=strength]')];
  const usual = fields.map(field => field.value);
  const levels = fields.flatMap(field => [...field.options]).filter(option => option.value.startsWith('level '));
  const names = levels.map(option => option.textContent);
  const asked = new URLSearchParams(location.search).get('game');
  const before = [...form.querySelectorAll('[name=game]')].find(input => input.value === kept(GAME).last && !input.disabled);
  if (!asked && before && !before.checked) {
    before.checked = true;
    before.dispatchEvent(new Event('change', { bubbles: true }));
  }
  let last = null;
  const show = () => {
    const game = form.elements.game.value;
    const beaten = kept(BEATEN)[game] ?? 0;
    const lost = kept(LOST)[game];
    const next = kept(NEXT)[game] ?? (beaten ? `level ${Math.min(beaten + 1, TOP)}` : null);
    levels.forEach((option, nth) => {
      option.textContent = names[nth] + (Number(option.value.slice(6)) <= beaten ? ' ✓' : '');
    });
    line.textContent = '';
    if (beaten || lost) write(line, beaten || lost, beaten > 0, beaten ? beaten + 1 : following(game));
    if (game !== last) fields.forEach((field, nth) => { field.value = next ?? usual[nth]; });
    last = game;
  };
  form.addEventListener('change', show);
  show();
}
