// The forms: a new game, a file, an invitation; and the list of games.

import { complain, post } from './wire.js';
import { propose, remember } from './ladder.js';

const start = document.getElementById('new');
if (start) {
  // The most players of the chosen game, where they are more than two.
  const seats = () => Number(start.querySelector('[name=game]:checked')?.dataset.seats);
  const arrange = () => {
    const game = start.elements.game.value;
    const few = !seats();
    start.querySelectorAll('.player[data-many]').forEach(player => { player.hidden = few; });
    const chosen = start.querySelector('[name=game]:checked');
    start.elements.start.placeholder = chosen?.dataset.typed ?? '';
    const compose = document.getElementById('compose');
    compose.hidden = !('set' in (chosen?.dataset ?? {}));
    compose.search = new URLSearchParams({ game, start: start.elements.start.value });
    start.querySelectorAll('option[data-game]').forEach(option => { option.hidden = option.dataset.game !== game; });
    start.querySelectorAll('option[data-many]').forEach(option => { option.hidden = few; });
    // Who does not play this game gives the seat to our engine.
    start.querySelectorAll('.player:not([hidden])').forEach(player => {
      const [who, strength] = player.querySelectorAll('select');
      if (who.selectedOptions[0]?.hidden) who.value = 'own';
      strength.hidden = ['', 'person'].includes(who.value);
    });
  };
  // One strength for all engines, beside the button that begins.
  const all = start.elements.strength;
  const engines = () => [...start.querySelectorAll('.player:not([hidden]) [name^=strength]:not([hidden])')];
  const gather = event => {
    if (event?.target === all) engines().forEach(field => { field.value = all.value; });
    all.hidden = !engines().length;
    if (!all.hidden) all.value = engines()[0].value;
  };
  start.addEventListener('change', arrange);
  arrange();
  propose(start);
  start.addEventListener('change', gather);
  gather();
  start.addEventListener('submit', event => {
    event.preventDefault();
    const field = name => start.elements[name].value;
    const places = [0, 1, 2, 3].slice(0, seats() || 2);
    const engine = places.find(seat => !['', 'person'].includes(field(`seat${seat}`)));
    remember(field('game'), engine === undefined ? null : field(`strength${engine}`));
    enter({
      game: field('game'),
      mode: event.submitter?.value || 'play',
      start: field('from') === 'text' ? field('start') : '',
      drawn: field('from') === 'drawn',
      size: field('size'),
      seats: places.map(seat => field(`seat${seat}`)),
      strengths: places.map(seat => field(`strength${seat}`)),
      name: field('person'),
      time: field('time'),
    });
  });
}
// A browser remembers its person's name.
document.querySelectorAll('[name=person]').forEach(field => {
  field.value = localStorage.getItem('name') ?? '';
  field.addEventListener('change', () => localStorage.setItem('name', field.value));
});
const invited = document.getElementById('sit');
if (invited) invited.addEventListener('submit', async event => {
  event.preventDefault();
  try {
    await post(`${location.pathname}/sit`, { ticket: invited.dataset.ticket, name: invited.elements.person.value });
    location.replace(location.pathname);
  } catch (error) { complain(error.message); }
});
document.querySelectorAll('time[data-when]').forEach(time => {
  const when = new Date(1000 * Number(time.dataset.when));
  time.textContent = when.toLocaleString(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' });
});
document.querySelectorAll('[data-delete]').forEach(button => button.addEventListener('click', async () => {
  try {
    await post(`/r/${button.dataset.delete}/delete`, {});
    button.closest('li').remove();
  } catch (error) { complain(error.message); }
}));
const file = document.getElementById('open');
if (file) file.elements.file.addEventListener('change', () => { file.querySelector('.named').value = file.elements.file.files[0]?.name ?? ''; });
if (file) file.addEventListener('submit', async event => {
  event.preventDefault();
  try {
    const answer = JSON.parse(await post('/open', file.elements.file.files[0]));
    if (answer.room) location.assign(answer.room);
    else choose(answer.games);
  } catch (error) { complain(error.message); }
});

function choose(games) {
  const list = document.getElementById('games');
  list.replaceChildren(...games.map(game => {
    const item = document.createElement('li');
    const button = document.createElement('button');
    button.textContent = game.title;
    button.addEventListener('click', () => enter({ ...game, mode: 'replay', seats: game.names.map(() => 'person') }, 0));
    item.append(button);
    return item;
  }));
}

// Opens a game; `at` is the ply to be shown, if it is not the latest.
async function enter(wish, at) {
  const isByKeys = document.activeElement?.matches(':focus-visible');
  try {
    const room = new URL(JSON.parse(await post('/new', wish)).room, location.href);
    if (at !== undefined) room.searchParams.set('at', at);
    // Who began by keys goes on by keys, on the board.
    if (isByKeys) sessionStorage.setItem('arena.keys', '1');
    location.assign(room);
  } catch (error) { complain(error.message); }
}
