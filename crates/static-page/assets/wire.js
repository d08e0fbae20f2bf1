// The requests of the arena's scripts, answered in this browser.

import { act, again, begin, list, view, write } from './local.js';

export { away, complain, say } from './server.js';

export const having = () => ({});

export async function post(address, body) {
  const what = address.split('/').pop();
  if (what === 'new') return JSON.stringify(await begin(body));
  if (what === 'open') return JSON.stringify(await list(await body.text()));
  if (what === 'again') return JSON.stringify(again());
  return act(body);
}

export async function load(address) {
  const { pathname, searchParams } = new URL(address, location.href);
  const what = pathname.split('/').pop();
  if (what !== 'view') return write(what);
  return view(searchParams);
}
