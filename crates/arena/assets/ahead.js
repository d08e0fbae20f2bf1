// A preview of the board after a move of a line, while the pointer or the keyboard is on that move. A click leads there; a
// finger touches twice. Arrows lead along the line. The rows of lines keep their order while somebody is on them.

import { byPointer } from './board.js';
import { complain, load } from './wire.js';

const SELECT = '[data-line]';

// Begins with the event on the first line that somebody is on; `act` performs an action of the room.
export function watch(root, address, act, first) {
  // The move that is shown, its board, and the room's own board meanwhile.
  let wanted = null;
  let board = null;
  let own = null;
  // The tallies of the players in the position of the game.
  let counts = null;
  // The last place of the pointer on a move of a line, anywhere, and at a click: what comes there then is not shown until
  // the pointer moves. True for a finger.
  let place = null;
  let spot = [first.clientX, first.clientY];
  let clicked = null;
  let touches = first.pointerType === 'touch';
  let tapped = null;

  const box = () => root.querySelector('.boardbox');
  const key = ({ dataset }) => `${dataset.from} ${dataset.line}`;

  const tallies = () => [...root.querySelectorAll('.seats .tally')];
  const tell = texts => tallies().forEach((tally, nth) => { tally.textContent = texts[nth]; });

  function put(html) {
    own ??= [...box().childNodes];
    counts ??= tallies().map(tally => tally.textContent);
    board = html;
    box().innerHTML = html;
    tell(JSON.parse(box().querySelector('.preview').dataset.tallies));
  }

  function leave() {
    if (own && !box().contains(own[0])) {
      box().replaceChildren(...own);
      tell(counts);
    }
    [wanted, board, own, counts] = [null, null, null, null];
  }

  const body = () => root.querySelector('.study tbody');
  const lead = row => (row.querySelector(SELECT) ? key(row.querySelector(SELECT)) : '');
  let rows = [...(body()?.rows ?? [])];

  // Another picture has the lines in another order: those that somebody is on stay where they are.
  function settle() {
    const lines = body();
    const next = [...(lines?.rows ?? [])];
    const isOn = lines?.contains(document.elementFromPoint(...spot.map(at => at ?? -1)));
    const isFocused = lines?.contains(document.activeElement);
    const same = old => next.find(row => lead(row) === lead(old));
    if ((isOn || isFocused) && rows.some(same)) {
      const kept = rows.map(old => same(old) ?? old);
      const added = next.filter(row => !kept.includes(row)).slice(0, Math.max(0, next.length - kept.length));
      const order = [...kept, ...added];
      if (order.some((row, nth) => row !== next[nth])) lines.replaceChildren(...order);
      const focused = [...lines.querySelectorAll(SELECT)].find(button => key(button) === wanted);
      if (isFocused && focused && !byPointer()) focused.focus({ preventScroll: true });
    }
    rows = [...(lines?.rows ?? [])];
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
    const focused = clicked ? null : document.activeElement?.closest?.(SELECT);
    return (place && document.elementFromPoint(...place)?.closest(SELECT)) || focused;
  }

  function on(event) {
    const isPointer = event.clientX !== undefined;
    if (isPointer) spot = [event.clientX, event.clientY];
    if (clicked && (!isPointer || clicked.every((at, nth) => at === spot[nth]))) return;
    clicked = null;
    const button = event.target.closest(SELECT);
    if (!button) return;
    if (isPointer) place = spot;
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
  root.addEventListener('pointermove', event => { if (clicked) on(event); });
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
      const again = root.querySelector('#view').dataset.again.replace('{}', button.textContent);
      show(button).then(() => box().querySelector('.preview')?.append(` · ${again}`));
      tapped = key(button);
      complain(again, false);
      return;
    }
    place = null;
    clicked = event.detail ? [event.clientX, event.clientY] : null;
    leave();
    act('follow', { nth: Number(button.dataset.from), line: button.dataset.line.split(' ') });
  });

  root.addEventListener('keydown', event => {
    clicked = null;
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
    [own, counts] = [null, null];
    settle();
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
