// What ends a game is done by a second click on its button, within some seconds of the first.

import { say } from './wire.js';

const WAIT = 5000;
let until = 0;

// The button says what a second click does, in every picture of the game.
function mark() {
  const isAsked = performance.now() < until;
  for (const button of document.querySelectorAll('[data-twice]')) {
    button.dataset.once ??= button.textContent;
    const text = isAsked ? button.dataset.twice : button.dataset.once;
    if (button.textContent !== text) button.textContent = text;
  }
}

addEventListener('click', event => {
  const button = event.target.closest?.('[data-twice]');
  const isSecond = performance.now() < until;
  if (button && !isSecond) {
    event.stopPropagation();
    until = performance.now() + WAIT;
    say(button.dataset.twice, true);
    setTimeout(mark, WAIT + 50);
  } else if (isSecond) {
    until = 0;
  }
  mark();
}, true);

const room = document.getElementById('room');
if (room) new MutationObserver(mark).observe(room, { childList: true, subtree: true });
