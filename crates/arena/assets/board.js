// The keyboard on a board: one cell at a time can be reached by Tab, arrows lead to its neighbours.

const cells = root => [...root.querySelectorAll('[data-cell]')];

// The cell that Tab comes to: the one that had the focus, else the first legal one.
export function rove(root, name) {
  const all = cells(root);
  const wanted = all.find(cell => cell.dataset.cell === name);
  const first = wanted || all.find(cell => cell.classList.contains('legal')) || all[0];
  if (first) first.setAttribute('tabindex', '0');
  return wanted;
}

export function neighbour(root, cell, key) {
  const [right, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  const from = { x: Number(cell.dataset.x), y: Number(cell.dataset.y) };
  let best = null;
  let least = Infinity;
  for (const other of cells(root)) {
    const dx = Number(other.dataset.x) - from.x;
    const dy = Number(other.dataset.y) - from.y;
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
