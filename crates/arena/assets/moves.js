// The list of moves: as high as the page has room for, in whole rows, with the move that is shown in its middle.

// Rows that the list has where there is no room, and those that may stay empty before it grows: its height does not
// change with every line of the analysis.
const [LEAST, SPARE] = [5, 3];
const wide = matchMedia('(min-width: 761px)');
let rows = 0;

// Returns the rows that a list may have: what the page has beside and below it, and the height of a row.
export function fitting({ room, step, count, before }) {
  const most = Math.max(LEAST, Math.floor(room / step));
  const kept = before <= most && most - before <= SPARE ? before : most;
  return Math.min(count, kept);
}

export function fit(root) {
  const list = root.querySelector('.moves');
  const items = [...list?.children ?? []];
  if (!items.length) return;
  list.style.maxHeight = '';
  const tops = [...new Set(items.map(item => item.offsetTop))];
  const step = tops.length > 1 ? tops[1] - tops[0] : items[0].offsetHeight;
  const frame = list.offsetHeight - list.clientHeight;
  const aside = list.parentElement;
  const rest = aside.scrollHeight - list.offsetHeight;
  const top = aside.getBoundingClientRect().top + scrollY;
  // On a phone the page is as long as it has to be.
  const room = (wide.matches ? innerHeight - top - rest : parseFloat(getComputedStyle(list).maxHeight)) - frame;
  rows = fitting({ room, step, count: tops.length, before: rows });
  const gap = tops[0] - list.offsetTop - list.clientTop;
  list.style.maxHeight = `${rows * step + gap + frame}px`;
  const here = list.querySelector('.here')?.closest('li') ?? items[items.length - 1];
  list.scrollTop = step * Math.max(0, tops.indexOf(here.offsetTop) - Math.floor(rows / 2));
}

addEventListener('resize', () => {
  const root = document.getElementById('room');
  if (root) fit(root);
});
