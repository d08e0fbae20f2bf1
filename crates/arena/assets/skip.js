// Where the keyboard goes: by the link over the page, and after a new game was begun by keys, to the board.

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
