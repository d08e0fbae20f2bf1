// The list of the games that this browser keeps.

import { games, remove } from './kept.js';

const french = document.documentElement.lang === 'fr';
const place = document.getElementById('kept');
const titles = JSON.parse(place.dataset.titles);
const words = count => (french ? `${count} coup${count > 1 ? 's' : ''}` : `${count} move${count === 1 ? '' : 's'}`);

export function list() {
  const kept = games();
  place.hidden = kept.length === 0;
  place.querySelector('ul').replaceChildren(...kept.map(({ id, game, length, time }) => {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = `play.html?game=${encodeURIComponent(game)}&id=${id}`;
    link.textContent = `${titles[game] ?? game}, ${words(length)}, ${new Date(time).toLocaleDateString(french ? 'fr' : 'en')}`;
    const button = document.createElement('button');
    button.className = 'quiet';
    button.textContent = '×';
    button.setAttribute('aria-label', `${french ? 'supprimer' : 'delete'} ${link.textContent}`);
    button.addEventListener('click', () => {
      remove(id);
      list();
    });
    item.append(link, ' ', button);
    return item;
  }));
}

list();
addEventListener('pageshow', event => { if (event.persisted) list(); });
