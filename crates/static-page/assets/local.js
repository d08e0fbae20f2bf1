// The games of this browser: what the arena's server does, by the game's module.

import { compile, start } from './module.js';
import { modules } from './modules.js';
import { workers } from './workers.js';
import { keep, name, read as kept } from './kept.js';

const language = document.documentElement.lang;
const started = new Map();
const full = language === 'fr' ? 'pas de place dans ce navigateur' : 'no room in this browser';

// The module of a game, compiled, and an instance without a session.
export async function module(game) {
  if (!modules[game]) throw new Error(language === 'fr' ? `pas de jeu ${game} ici` : `no game ${game} here`);
  if (!started.has(game)) {
    started.set(game, (async () => {
      const address = new URL(modules[game], import.meta.url);
      const compiled = await compile(address).catch(error => {
        throw new Error(`${language === 'fr' ? "le jeu n'a pas pu être chargé :" : 'the game could not be loaded:'} ${error.message}`);
      });
      // A page that came before its service worker has the module kept by it now.
      navigator.serviceWorker?.ready.then(({ active }) => active.postMessage({ keep: address.href }));
      return { compiled, page: await start(compiled, language, text => hear(text)) };
    })());
    started.get(game).catch(() => started.delete(game));
  }
  return started.get(game);
}

// The address of a kept game.
const place = (game, id, query = '') => `play.html?game=${encodeURIComponent(game)}&id=${id}${query}`;

function enter(game, { record, length }, query = '') {
  const id = name();
  if (!keep(id, game, length, record)) throw new Error(full);
  return { room: place(game, id, query) };
}

export async function begin(wish) {
  const { page } = await module(wish.game);
  const seed = crypto.getRandomValues(new Uint32Array(1))[0];
  let made;
  try {
    made = page.ask({ new: { wish, seed } });
  } catch (error) {
    // A pasted game may need another module.
    if (!/^\s*[[(]/.test(wish.start ?? '')) throw error;
    return replay((await read(wish.start))[0]);
  }
  return enter(wish.game, made, wish.mode === 'study' ? '&study=1' : '');
}

const replay = game => begin({ ...game, mode: 'replay', seats: game.names.map(() => 'person') });

// Lists the games of a file; its only game is opened.
export async function list(text) {
  const games = await read(text);
  if (games.length > 1) return { games };
  const { room } = await replay(games[0]);
  return { room: `${room}&at=0` };
}

// Returns the games of a file. The module of the game that the file names is asked first.
async function read(text) {
  const named = /"course": ?"([a-z0-9]+)"/.exec(text)?.[1];
  const names = Object.keys(modules).sort((a, b) => Number(b === named) - Number(a === named));
  let refused = null;
  for (const game of names) {
    try {
      const { page } = await module(game);
      return page.ask({ file: { text } }).games;
    } catch (error) {
      refused ??= error;
    }
  }
  throw refused;
}

// The open game.
let open = null;
let hear = () => {};

export async function enterRoom(game, id, told) {
  const record = kept(id);
  if (!record) return null;
  const { compiled, page } = await module(game);
  open = { game, id, page, told };
  const team = workers(compiled, language, { moved, found });
  hear = text => team.hear(text);
  const { title } = page.ask({ open: { record } });
  // A browser may keep a page for the way back: it keeps no workers, and is loaded again.
  addEventListener('pagehide', () => {
    team.leave();
    started.clear();
    open = null;
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
  setInterval(() => {
    for (const { hint, number, question } of team.on()) found({ hint, number, question });
  }, 100);
  return { title };
}

function save() {
  const { record, length } = open.page.ask({ save: null });
  const why = keep(open.id, open.game, length, record) ? null : full;
  const { news, version } = open.page.ask({ kept: { why } });
  if (news) open.told(version);
}

function moved({ seat, question, text, error, millis = 0 }) {
  const { wait } = open.page.ask({ arrived: { seat, question } });
  setTimeout(() => {
    const { news, version } = open.page.ask({ answered: { seat, question, text, error, millis } });
    if (!news) return;
    open.told(version);
    save();
  }, wait);
}

function found({ hint, number, question, info, error }) {
  const { news, version, keep } = open.page.ask({ found: { hint, number, question, info, error } });
  if (news) open.told(version);
  if (keep) save();
}

// Links lead to the pages beside this one.
const shown = html => html.replaceAll('href="/?', 'href="./?').replaceAll('href="/puzzles?', 'href="puzzles.html?').replaceAll('href="/setup?', 'href="setup.html?');

export function act(asked) {
  const { html, keep, branch } = open.page.ask({ act: asked });
  if (branch) return JSON.stringify(enter(open.game, branch));
  if (keep) save();
  return shown(html);
}

// The board after a line of the analysis.
export function ahead(query) {
  const at = Number(query.get('at'));
  return open.page.ask({ ahead: { at, line: query.get('line') ?? '' } }).html ?? '';
}

export function view(query) {
  const path = (query.get('path') ?? '').split(' ').filter(Boolean);
  const at = query.has('at') ? Number(query.get('at')) : null;
  const { html, keep } = open.page.ask({ view: { at, path } });
  if (keep) save();
  return shown(html);
}

export async function puzzle(game, query) {
  const { page } = await module(game);
  return shown(page.ask({ puzzle: { game, ...Object.fromEntries(query) } }).html);
}

// A search is recorded by the module of its game; tic-tac-toe has none of its own.
export async function search(query) {
  const asked = Object.fromEntries(query);
  const [game] = asked.demo.split('-');
  const { page } = await module(modules[game] ? game : Object.keys(modules)[0]);
  return shown(page.ask({ search: asked }).html);
}

export async function setup(query) {
  const asked = Object.fromEntries(query);
  const { page } = await module(asked.game);
  return shown(page.ask({ setup: asked }).html);
}

export function again() {
  return enter(open.game, open.page.ask({ again: null }));
}

export const write = kind => open.page.ask({ write: { kind } }).text;
