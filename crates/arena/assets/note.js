// The note on a move, in a dialog beside the room: no new picture disturbs what is written.

// Opens the dialog of a room; `save` gets what is written.
export function write(room, save) {
  const template = document.getElementById('writes');
  const note = room.querySelector('[data-note]')?.dataset;
  if (!note || document.querySelector('.noting')) return;
  const dialog = template.content.firstElementChild.cloneNode(true);
  document.body.append(dialog);
  const form = dialog.querySelector('form');
  dialog.querySelector('h2 span').textContent = note.move;
  for (const name of ['symbol', 'label', 'text']) form.elements[name].value = note[name];
  form.addEventListener('submit', () => save(Object.fromEntries(new FormData(form))));
  dialog.querySelector('[data-close]').addEventListener('click', () => dialog.close());
  dialog.addEventListener('keydown', event => {
    if (event.key === 'Enter' && event.ctrlKey) form.requestSubmit();
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
    room.querySelector('[data-note]')?.focus();
  });
  dialog.showModal();
  form.elements.text.focus();
}
