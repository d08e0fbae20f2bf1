// The keyboard: one cell of a board at a time can be reached by Tab, arrows lead to its neighbours; who stands on a
// button stands there in the next picture, too.

// The latest act was a pointer's: the focus follows it without a frame, and goes nowhere else by itself.
export const byPointer = () => 'pointer' in document.documentElement.dataset;
addEventListener('pointerdown', () => { document.documentElement.dataset.pointer = ''; }, true);
addEventListener('keydown', () => { delete document.documentElement.dataset.pointer; }, true);

// Cells to click, or squares to look at.
export const named = item => item?.dataset.cell || item?.dataset.square;
const cells = root => [...root.querySelectorAll('.hit')];

// The cell that Tab comes to: the one that had the focus, else the first legal one.
export function rove(root, name) {
  const all = cells(root);
  const wanted = all.find(cell => name && named(cell) === name);
  const first = wanted || all.find(cell => cell.classList.contains('legal')) || all[0];
  if (first) first.setAttribute('tabindex', '0');
  return wanted;
}

export function neighbour(root, cell, key) {
  const [right, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  const middle = item => [['x', 'width'], ['y', 'height']]
    .map(([start, side]) => Number(item.getAttribute(start)) + item.getAttribute(side) / 2);
  const from = middle(cell);
  let best = null;
  let least = Infinity;
  for (const other of cells(root)) {
    const [dx, dy] = middle(other).map((to, axis) => to - from[axis]);
    const ahead = dx * right + dy * down;
    const aside = Math.abs(dx * down) + Math.abs(dy * right);
    if (ahead <= 0) continue;
    const far = ahead + 3 * aside;
    if (far < least) {
      least = far;
      best = other;
    }
  }
  return best;
}

export function step(root, cell, key) {
  const next = neighbour(root, cell, key);
  if (!next) return;
  cell.setAttribute('tabindex', '-1');
  next.setAttribute('tabindex', '0');
  next.focus();
}

// Returns what puts the keyboard back where it is now, once there is another picture.
export function hold(root) {
  const active = document.activeElement;
  if (!active || active === root || !root.contains(active)) return () => {};
  const { do: what, click } = active.dataset;
  const group = active.parentElement.closest('[class]');
  const kind = active.id ? `#${active.id}` : what ? `[data-do="${what}"]` : click ? `[data-click="${click}"]`
    : named(active) ? '.hit[tabindex="0"]' : `${group ? `.${group.classList[0]} ` : ''}${active.tagName}`;
  const all = () => [...root.querySelectorAll(kind)];
  const nth = all().indexOf(active);
  return () => {
    const same = all();
    // What is gone or cannot be pressed any more leaves the keyboard to its neighbour, else to the board.
    const near = byPointer() ? [same[nth]] : [same[nth], ...same.slice(0, Math.max(nth, 0)).reverse(), ...same];
    const found = near.find(item => item && !item.disabled) || !byPointer() && root.querySelector('.hit[tabindex="0"]');
    if (found) found.focus({ preventScroll: true });
  };
}

// Draws a picture around the slider that is held: one that is replaced would be let go. True: the buttons beside it are
// those of the picture before.
export function around(view, html) {
  const template = document.createElement('template');
  template.innerHTML = html;
  const next = template.content.querySelector('#view');
  for (const { name, value } of next.attributes) view.setAttribute(name, value);
  view.querySelector('.stage').replaceWith(next.querySelector('.stage'));
  const kept = view.querySelector('.browse');
  kept.querySelector('#slider').max = view.dataset.length;
  const [before, after] = [[], []];
  let place = before;
  for (const part of next.querySelector('aside').children) {
    if (part.matches('.browse')) place = after;
    else place.push(part);
  }
  for (const part of [...kept.parentElement.children]) if (part !== kept) part.remove();
  kept.before(...before);
  kept.after(...after);
  return true;
}
