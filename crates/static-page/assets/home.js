// The first page: the start of a link, and the kept games as a file.

import { list } from './games.js';
import { all, take } from './kept.js';
import { module } from './local.js';
import { complain } from './server.js';
import './app.js';
import './forms.js';

const french = document.documentElement.lang === 'fr';
const start = document.getElementById('new');
const query = new URLSearchParams(location.search);

if (query.has('game')) {
  const chosen = start.querySelector(`[name=game][value="${CSS.escape(query.get('game'))}"]`);
  if (chosen && !chosen.disabled) chosen.checked = true;
  start.elements.start.value = query.get('start') ?? '';
  const count = Number(query.get('seats'));
  [0, 1, 2, 3].forEach(seat => {
    const select = start.elements[`seat${seat}`];
    if (count && seat >= count) select.value = '';
    else if (count && !select.value) select.value = 'own';
  });
  start.dispatchEvent(new Event('change'));
}

// The module of a chosen game comes while the visitor reads on.
start.addEventListener('change', event => { if (event.target.name === 'game') module(event.target.value).catch(() => {}); });

addEventListener('pageshow', event => {
  if (event.persisted) complain('', false);
});

document.getElementById('export').addEventListener('click', () => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([all()], { type: 'application/json' }));
  link.download = 'arena.json';
  link.click();
  URL.revokeObjectURL(link.href);
});
const file = document.getElementById('import');
file.addEventListener('change', async () => {
  const line = document.getElementById('taken');
  try {
    const count = take(await file.files[0].text());
    line.textContent = french ? `parties reprises : ${count}` : `games taken over: ${count}`;
    list();
  } catch (error) { line.textContent = error.message; }
  file.value = '';
});
