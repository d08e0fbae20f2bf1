// The board after a move of a line, while the pointer or the keyboard is on that move. A click leads there; a finger
// touches twice. Arrows lead along the line.

import { complain, load } from './wire.js';

const SELECT = '[data-line]';

// Begins with the event on the first line that somebody is on; `act` performs an action of the room.
export function watch(root, address, act, first) {
  // The move that is shown, its board, and the room's own board meanwhile.
  let wanted = null;
  let board = null;
  let own = null;
  // The last place of the pointer, and true for a finger.
  let place = null;
  let touches = first.pointerType === 'touch';
  let tapped = null;

  const box = () => root.querySelector('.boardbox');
  const key = ({ dataset }) => `${dataset.from} ${dataset.line}`;

  function put(html) {
    own ??= [...box().childNodes];
    board = html;
    box().innerHTML = html;
  }

  function leave() {
    if (own && !box().contains(own[0])) box().replaceChildren(...own);
    [wanted, board, own] = [null, null, null];
  }

  async function show(button) {
    if (wanted === key(button)) return;
    wanted = key(button);
    const asked = wanted;
    try {
      const html = await load(`${address}/ahead?${new URLSearchParams({ at: button.dataset.from, line: button.dataset.line })}`);
      if (wanted !== asked) return;
      if (html) put(html);
      else leave();
    } catch {
      if (wanted === asked) leave();
    }
  }

  // The move that the keyboard or the pointer is on.
  function here() {
    const focused = document.activeElement?.closest?.(SELECT);
    return (place && document.elementFromPoint(...place)?.closest(SELECT)) || focused;
  }

  function on(event) {
    const button = event.target.closest(SELECT);
    if (!button) return;
    if (event.clientX !== undefined) place = [event.clientX, event.clientY];
    show(button);
  }

  function off(event) {
    if (!event.target.closest(SELECT) || event.relatedTarget?.closest?.(SELECT)) return;
    if (event.type === 'pointerout') {
      // A finger that is lifted leaves its board.
      if (event.pointerType === 'touch') return;
      place = null;
    }
    // Another picture takes the keyboard away and gives it back.
    setTimeout(() => {
      const still = here();
      if (still) show(still);
      else leave();
    }, 0);
  }

  root.addEventListener('pointerover', on);
  root.addEventListener('focusin', on);
  root.addEventListener('pointerout', off);
  root.addEventListener('focusout', off);
  addEventListener('pointerdown', event => {
    touches = event.pointerType === 'touch';
    if (!touches || event.target.closest(SELECT)) return;
    [place, tapped] = [null, null];
    leave();
  });

  root.addEventListener('click', event => {
    const button = event.target.closest(SELECT);
    if (!button) return;
    if (touches && tapped !== key(button)) {
      show(button);
      tapped = key(button);
      complain(root.querySelector('#view').dataset.again.replace('{}', button.textContent), false);
      return;
    }
    place = null;
    leave();
    act('follow', { nth: Number(button.dataset.from), line: button.dataset.line.split(' ') });
  });

  root.addEventListener('keydown', event => {
    const button = event.target.closest(SELECT);
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
    if (!button || !(event.key in steps) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const all = [...button.parentElement.querySelectorAll(SELECT)];
    const to = all.indexOf(button) + steps[event.key];
    all[Math.max(0, Math.min(all.length - 1, to))].focus();
  });

  if (first.target.isConnected) on(first);

  // After another picture: the move that is at the same place, if there is one.
  return () => {
    own = null;
    if (!wanted) return;
    const button = here();
    if (!button) return leave();
    if (key(button) === wanted && board) put(board);
    else {
      if (board) put(board);
      show(button);
    }
  };
}
