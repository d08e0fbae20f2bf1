// The board as a picture of its own: SVG with the page's style, or PNG.

// Pixels of the longer side of a PNG.
const SIDE = 1200;

// Returns the text of a drawing that needs no page around it.
async function whole(board) {
  const svg = board.cloneNode(true);
  const [, , width, height] = svg.getAttribute('viewBox').split(' ').map(Number);
  const scale = SIDE / Math.max(width, height);
  svg.setAttribute('width', Math.round(scale * width));
  svg.setAttribute('height', Math.round(scale * height));
  svg.querySelectorAll('.hit').forEach(hit => hit.remove());
  const style = document.createElementNS('http://www.w3.org/2000/svg', 'style');
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
