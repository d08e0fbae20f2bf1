// The requests of the arena's scripts, answered in this browser.

import { act, again, ahead, begin, list, puzzle, search, setup, view, write } from './local.js';
import { complain } from './server.js';

export { away, complain, say } from './server.js';

export const having = () => ({});

export async function post(address, body) {
  const what = address.split('/').pop();
  // On a slow network the game takes a while.
  if (what === 'new' || what === 'open') complain(document.documentElement.lang === 'fr' ? 'le jeu se charge…' : 'loading the game…', false);
  if (what === 'new') return JSON.stringify(await begin(body));
  if (what === 'open') {
    const listed = await list(decode(await body.arrayBuffer()));
    complain('', false);
    return JSON.stringify(listed);
  }
  if (what === 'again') return JSON.stringify(again());
  return act(body);
}

// The text of a file: in the character set of its byte order mark or the one that SGF names in CA, in UTF-8, or else
// in Latin-1.
export function decode(bytes) {
  const latin = new TextDecoder('latin1').decode(bytes);
  const marked = { 'ÿþ': 'utf-16le', 'þÿ': 'utf-16be' }[latin.slice(0, 2)];
  const named = /[;\](]\s*CA\s*\[\s*([\w.:-]+)\s*\]/.exec(latin)?.[1];
  for (const label of [marked, 'utf-8', named]) {
    try {
      if (label) return new TextDecoder(label, { fatal: true }).decode(bytes);
    } catch { /* No text in this character set, or none of its name. */ }
  }
  return latin;
}

export async function load(address) {
  const { pathname, searchParams } = new URL(address, location.href);
  const [what, game, room] = pathname.split('/').reverse();
  if (room === 'puzzles') return puzzle(game, searchParams);
  if (game === 'search') return search(searchParams);
  if (game === 'setup') return setup(searchParams);
  if (what === 'ahead') return ahead(searchParams);
  if (what !== 'view') return write(what);
  return view(searchParams);
}
