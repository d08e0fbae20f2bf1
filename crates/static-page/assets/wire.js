// The requests of the arena's scripts, answered in this browser.

import { act, again, begin, list, puzzle, view, write } from './local.js';
import { complain } from './server.js';

export { away, complain, say } from './server.js';

export const having = () => ({});

export async function post(address, body) {
  const what = address.split('/').pop();
  // On a slow network the game takes a while.
  if (what === 'new' || what === 'open') complain(document.documentElement.lang === 'fr' ? 'le jeu se charge…' : 'loading the game…', false);
  if (what === 'new') return JSON.stringify(await begin(body));
  if (what === 'open') {
    const listed = await list(await body.text());
    complain('', false);
    return JSON.stringify(listed);
  }
  if (what === 'again') return JSON.stringify(again());
  return act(body);
}

export async function load(address) {
  const { pathname, searchParams } = new URL(address, location.href);
  const [what, game, room] = pathname.split('/').reverse();
  if (room === 'puzzles') return puzzle(game, searchParams);
  if (what !== 'view') return write(what);
  return view(searchParams);
}
