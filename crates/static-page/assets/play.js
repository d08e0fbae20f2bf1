// The page of a game: opens it, then the arena's script takes over.

import { act, enterRoom, view } from './local.js';
import { tell } from './streams.js';
import './app.js';

const root = document.getElementById('room');
const query = new URLSearchParams(location.search);

try {
  const found = await enterRoom(query.get('game'), query.get('id') ?? '', tell);
  if (found) {
    if (query.get('study')) {
      act({ do: 'study', on: true });
      query.delete('study');
      history.replaceState(null, '', `?${query}`);
    }
    document.title = `${found.title} · Arena`;
    root.innerHTML = view(query);
    root.dataset.room = query.get('id');
    await import('./main.js');
  } else document.getElementById('gone').hidden = false;
} catch (error) {
  const gone = document.getElementById('gone');
  gone.append(` ${error.message}`);
  gone.hidden = false;
}
