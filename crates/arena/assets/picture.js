// The board as a picture of its own: SVG with the page's style, or PNG; the whole game as an animated SVG.

import { load } from './wire.js';

// Pixels of the longer side of a PNG.
const SIDE = 1200;

// Seconds of a move in an animation, and the most moves: of a longer game the last ones.
const PACE = 0.8;
const MOVES = 200;
const SVG = 'http://www.w3.org/2000/svg';

function alone(board) {
  const svg = board.cloneNode(true);
  svg.querySelectorAll('.hit').forEach(hit => hit.remove());
  return svg;
}

// Returns the text of a drawing that needs no page around it.
async function whole(board) {
  const svg = alone(board);
  const [, , width, height] = svg.getAttribute('viewBox').split(' ').map(Number);
  const scale = SIDE / Math.max(width, height);
  svg.setAttribute('width', Math.round(scale * width));
  svg.setAttribute('height', Math.round(scale * height));
  const style = document.createElementNS(SVG, 'style');
  style.textContent = await (await fetch(new URL('./style.css', import.meta.url))).text();
  svg.prepend(style);
  return new XMLSerializer().serializeToString(svg);
}

function drawn(text) {
  return new Promise((done, fail) => {
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.width, image.height];
      canvas.getContext('2d').drawImage(image, 0, 0);
      canvas.toBlob(done, 'image/png');
    };
    image.onerror = () => fail(new Error('png'));
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  });
}

// Returns the picture of a board: `svg` or `png`.
export async function picture(board, kind) {
  const text = await whole(board);
  return kind === 'png' ? drawn(text) : new Blob([text], { type: 'image/svg+xml' });
}

// Returns a game as one picture that shows its positions in turn, from `address` and with `length` moves.
export async function film(address, length) {
  const boards = [];
  for (let at = Math.max(0, length - MOVES); at <= length; at += 1) {
    const page = new DOMParser().parseFromString(await load(`${address}/view?at=${at}`), 'text/html');
    boards.push(alone(page.querySelector('svg.board')));
  }
  // The last position stays for three moves.
  const dur = PACE * (boards.length + 2);
  const part = nth => (nth / (boards.length + 2)).toFixed(5);
  const all = boards[0].cloneNode(false);
  boards.forEach((board, nth) => {
    const frame = document.createElementNS(SVG, 'g');
    const show = document.createElementNS(SVG, 'animate');
    const end = nth + 1 < boards.length ? `;${part(nth + 1)}` : '';
    const values = `${nth ? 'hidden;' : ''}visible${end ? ';hidden' : ''}`;
    const times = `0${nth ? `;${part(nth)}` : ''}${end}`;
    const given = { attributeName: 'visibility', calcMode: 'discrete', values, keyTimes: times, dur: `${dur}s`, repeatCount: 'indefinite' };
    Object.entries(given).forEach(([name, value]) => show.setAttribute(name, value));
    // Where nothing is animated the last position is seen.
    frame.setAttribute('visibility', end ? 'hidden' : 'visible');
    frame.append(show, ...board.childNodes);
    all.append(frame);
  });
  return new Blob([await whole(all)], { type: 'image/svg+xml' });
}
