// Where the keyboard goes: by the link over the page, and after a new game was begun by keys, to the board; along the moves
// of a game by arrows.

import { byPointer } from './board.js';
import './twice.js';

const view = () => document.getElementById('view');

function land() {
  const first = view()?.querySelector('.hit[tabindex="0"]') ?? view();
  if (first === view()) first?.setAttribute('tabindex', '-1');
  first?.focus();
}

document.querySelector('.skip')?.addEventListener('click', event => {
  event.preventDefault();
  land();
});
if (sessionStorage.getItem('arena.keys')) {
  sessionStorage.removeItem('arena.keys');
  land();
}

// The list of moves is one stop of Tab. In a replay the arrows to the sides step through the game.
addEventListener('keydown', event => {
  const move = event.target.closest?.('.moves button');
  const steps = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
  const isReplay = view()?.dataset.replay === 'true' && /Left|Right/.test(event.key);
  if (!move || !(event.key in steps) || isReplay || byPointer()) return;
  const all = [...document.querySelectorAll('.moves button')];
  event.preventDefault();
  event.stopPropagation();
  all[Math.max(0, Math.min(all.length - 1, all.indexOf(move) + steps[event.key]))].focus();
}, true);

// The squares of a finished game are gone through by arrows.
const still = document.querySelector('.replayed');
if (still) {
  import('./board.js').then(({ rove, step }) => {
    rove(still, null);
    still.addEventListener('keydown', event => {
      if (!event.target.matches('.hit') || !event.key.startsWith('Arrow')) return;
      event.preventDefault();
      event.stopPropagation();
      step(still, event.target, event.key);
    });
  });
}
