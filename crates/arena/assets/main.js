// A room: clicks and keys go to the server, its pictures come back. The rules are the server's alone.

import { away, complain, having, load, post, say } from './wire.js';
import { follow, listen } from './streams.js';
import { around, byPointer, hold, named, rove, step } from './board.js';
import { fit } from './moves.js';
import { note } from './ladder.js';

const root = document.getElementById('room');
if (root && root.dataset.room) room(root, `/r/${root.dataset.room}`);
else if (root) watch(root);
const replayed = document.querySelector('.replayed');
if (replayed) replay(replayed);

function room(root, address) {
  const view = () => root.querySelector('#view');
  const data = () => view().dataset;
  // Ply shown; null means the latest.
  let at = new URLSearchParams(location.search).has('at') ? Number(data().at) : null;
  // Works that wait for their turn; what somebody does is never dropped.
  let busy = 0;
  let turn = Promise.resolve();
  let stale = false;
  // A version that the server told of and that is not shown yet.
  let told = null;
  let going = false;
  let runs = null;
  // What is pressed: a picture that changes under a button would lose the click.
  let held = null;
  // The cell that the keyboard was on.
  let last = null;
  let ticks = performance.now();
  // The last pointer was a finger, and the small cell that it chose: a second tap plays there.
  let touches = false;
  let tapped = null;
  // The script of the lines of the analysis, once somebody is on one.
  let lines = null;
  // The text with the value that was read out last, and the text without it.
  let heard = ['', ''];

  const path = () => data().path.split(' ').filter(Boolean);
  const live = () => at === null;
  // Where one looks or is about to look.
  const here = () => Math.min(at ?? Infinity, Number(data().length));

  function show(html, isEnded = false) {
    const active = document.activeElement;
    const lost = !active || active === document.body;
    last = named(active) || (lost ? last : null);
    const { length: before, gone } = data();
    const back = lost ? () => {} : hold(root);
    const opened = [...root.querySelectorAll('details')].map(item => item.open);
    const speed = root.querySelector('#speed')?.value;
    if (held?.id === 'slider') stale = around(view(), html);
    else root.innerHTML = html;
    root.querySelectorAll('details').forEach((item, nth) => { item.open = opened[nth] ?? false; });
    if (speed) root.querySelector('#speed').value = speed;
    const found = rove(root, last);
    if (last && found) found.focus({ preventScroll: true });
    else back();
    // After the last move the keyboard is on the result.
    if (last && data().ended && data().length !== before && !byPointer()) {
      root.querySelector('.status').focus({ preventScroll: true });
      last = null;
    }
    fit(root);
    place();
    lines?.then(again => again());
    if (Number(data().version) >= told) told = null;
    [tapped, ticks] = [null, performance.now()];
    // A server that was started again has no analyses.
    if (gone && data().study !== 'true' && !isEnded) complain(`${root.querySelector('.status').textContent} · ${gone}`, false);
    else say(aloud(), root.querySelector('.status.refused') !== null);
  }

  // The value of a position is read out once, when it is known; later searches of it are only seen.
  function aloud() {
    const { say: text, value } = data();
    if (heard[0] !== text) heard = [text, text];
    if (value && heard[1] === text) heard = [text, `${text}. ${value}`];
    return heard[1];
  }

  // The address holds the move that is looked at: it is kept by a reload, a language, another tab.
  function place() {
    const here = new URL(location);
    if (live()) here.searchParams.delete('at');
    else here.searchParams.set('at', at);
    // A browser ignores a page that writes its address too often.
    if (here.href !== location.href) history.replaceState(null, '', here);
    document.querySelectorAll('.languages a').forEach(link => {
      here.searchParams.set('lang', link.lang);
      link.href = here;
    });
    here.searchParams.delete('lang');
    // An invitation is nobody else's.
    here.searchParams.delete('seat');
    const link = root.querySelector('[data-link]');
    if (link) link.value = here;
    // The tab says whose turn it is.
    document.title = data().title;
    note(view());
    const invitation = root.querySelector('[data-invitation]');
    if (invitation) invitation.value = new URL(`?seat=${invitation.dataset.invitation}`, here);
    if (invitation) import('./invitation.js').then(({ offer }) => offer(root, text => complain(text, false)));
  }

  // True where a finger is too broad to choose a cell surely.
  const isSmall = cell => touches && cell.matches('.legal') && cell.getBoundingClientRect().width < 28;

  function askAgain(cell) {
    root.querySelector('.asked')?.classList.remove('asked');
    cell.classList.add('asked');
    tapped = cell.dataset.cell;
    complain(data().again.replace('{}', cell.getAttribute('aria-label').split(',')[0]), false);
  }

  function once(work) {
    busy += 1;
    root.classList.add('busy');
    turn = turn.then(work).catch(error => {
      root.querySelectorAll('.pressed').forEach(item => item.classList.remove('pressed'));
      complain(error.message);
    }).then(() => {
      busy -= 1;
      if (busy) return;
      root.classList.remove('busy');
      catchUp();
    });
    return turn;
  }

  const looking = () => {
    const query = new URLSearchParams();
    if (!live()) query.set('at', at);
    if (data().path) query.set('path', data().path);
    return query;
  };

  function refresh() {
    stale = held !== null || busy > 0;
    if (!stale) once(async () => show(await load(`${address}/view?${looking()}`, having())));
  }

  // Fetches what is new: an answer to one's own act has told its version already.
  function catchUp() {
    if (stale || told !== null) refresh();
  }

  async function perform(what, more) {
    const body = { do: what, path: path(), ...more };
    if (!live()) body.at = at;
    const html = await post(`${address}/act`, body, having());
    // A replay plays on in a game of its own.
    if (html.startsWith('{')) {
      location.assign(JSON.parse(html).room);
      return;
    }
    if (!['look', 'study', 'graph', 'pace', 'press', 'note', 'threads'].includes(what)) at = null;
    show(html, what === 'study');
    // A refusal leaves one at the move that is shown.
    if (!['press', 'follow', 'line'].includes(what) && !root.querySelector('.status.refused')) return;
    at = Number(data().at) === Number(data().length) ? null : Number(data().at);
    place();
  }

  const act = (what, more = {}) => once(() => perform(what, more));
  // What is pressed is seen at once, however far the server is.
  const press = click => {
    const name = CSS.escape(click);
    root.querySelector(`[data-cell="${name}"], [data-click="${name}"]`)?.classList.add('pressed');
    return act('press', { click });
  };

  function go(to) {
    at = to >= Number(data().length) ? null : Math.max(0, to);
    // A slider that is drawn asks for its last place only.
    if (going) return;
    going = true;
    once(async () => {
      going = false;
      if (data().study === 'true') await perform('look', { path: [] });
      else show(await load(`${address}/view?${live() ? '' : `at=${at}`}`, having()));
    });
  }

  function halt() {
    clearInterval(runs);
    runs = null;
  }

  // Who goes somewhere by hand stays there.
  function visit(to) {
    halt();
    go(to);
  }

  function run() {
    if (runs) { halt(); return; }
    if (here() >= Number(data().length)) go(0);
    const speed = Number(root.querySelector('#speed').value);
    runs = setInterval(() => {
      if (busy) return;
      if (here() >= Number(data().length)) halt();
      else go(here() + 1);
    }, speed);
  }

  // The answer has the link of the invitation.
  const invite = seat => once(async () => {
    show(await post(`${address}/invite`, { seat }, having()));
    root.querySelector('[data-invitation]')?.select();
    say(root.querySelector('.invitation')?.dataset.say ?? data().say);
  });

  // The note is on the move that is seen now, wherever the game goes meanwhile.
  async function annotate() {
    const on = Number(data().at);
    const { write } = await import('./note.js');
    write(root, note => act('note', { ...note, at: on }));
  }

  async function fresh() {
    const answer = await post(`${address}/again`, {});
    location.assign(JSON.parse(answer).room);
  }

  async function download(kind, own) {
    const isPicture = ['svg', 'png', 'film'].includes(kind);
    const draw = async () => {
      const { film, picture } = await import('./picture.js');
      return kind === 'film' ? film(address, Number(data().length)) : picture(root.querySelector('svg.board'), kind);
    };
    const file = isPicture ? await draw() : new Blob([await load(`${address}/${kind}`)]);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    const ending = kind === 'film' ? 'svg' : isPicture ? kind : kind === 'record' ? 'jsonl' : own;
    link.download = `${data().game}-${root.dataset.room}.${ending}`;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  root.addEventListener('click', event => {
    const on = event.target.closest('[data-cell], [data-click], [data-clear], [data-do], [data-at]:not(#view), [data-run], [data-new], [data-download], [data-copy], [data-invite], [data-note]');
    if (!on) return;
    const { cell, click, clear, run: runs, download: kind } = on.dataset;
    if (cell && cell !== tapped && isSmall(on)) askAgain(on);
    else if (cell || click) press(cell || click);
    else if (clear) { view().dataset.path = ''; refresh(); }
    else if (on.dataset.do) act(on.dataset.do, { on: on.dataset.on === 'true', nth: Number(on.dataset.nth) || 0 });
    else if ('at' in on.dataset) visit(on.dataset.live ? Infinity : Number(on.dataset.at));
    else if (runs) run();
    else if (on.dataset.note) annotate();
    else if (on.dataset.invite) invite(Number(on.dataset.invite));
    else if (on.dataset.new) fresh().catch(error => complain(error.message));
    else if (kind) download(kind, on.textContent.toLowerCase()).catch(error => complain(error.message));
    else if (on.dataset.copy) { on.select(); navigator.clipboard?.writeText(on.value).catch(() => {}); }
  });

  for (const kind of ['pointerover', 'focusin']) {
    root.addEventListener(kind, event => {
      if (event.target.closest('[data-line]')) lines ??= import('./ahead.js').then(({ watch }) => watch(root, address, act, event));
    });
  }

  addEventListener('pointerdown', event => {
    held = event.target;
    touches = event.pointerType === 'touch';
  });
  for (const end of ['pointerup', 'pointercancel']) {
    addEventListener(end, () => setTimeout(() => {
      held = null;
      if (stale && !busy) refresh();
    }, 0));
  }

  root.addEventListener('input', event => {
    if (event.target.id === 'slider') visit(Number(event.target.value));
  });
  root.addEventListener('change', event => {
    if (event.target.dataset.pace) act('pace', { millis: Number(event.target.value) });
    if (event.target.id === 'speed' && runs) { run(); run(); }
  });

  addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target;
    const key = event.key;
    const slides = target.matches('[type=range]') && !/^(Arrow|Home|End|Page)/.test(key);
    if (!slides && target.matches('input, textarea, select')) return;
    const replay = data().replay === 'true';
    const keys = replay ? [] : (data().keys || '').split(' ');
    const ways = { ArrowUp: 'N', ArrowDown: 'S', ArrowRight: 'E', ArrowLeft: 'O' };
    const way = ways[key];
    const letter = key.toUpperCase();
    const done = work => { event.preventDefault(); work(); };
    if (replay && /^Arrow(Left|Right)$/.test(key) && !target.matches('.hit')) return done(() => visit(here() + (key === 'ArrowLeft' ? -1 : 1)));
    if (way && keys.includes(way)) return done(() => press(way));
    if (letter && keys.includes(letter) && !Object.values(ways).includes(letter)) return done(() => press(letter));
    if (way && target.matches('.hit')) return done(() => step(root, target, key));
    if (way && (target === document.body || root.contains(target) && !target.matches('button'))) {
      const first = root.querySelector('.hit[tabindex="0"]');
      if (first) return done(() => first.focus());
    }
    if ((key === 'Enter' || key === ' ') && target.dataset.cell) return done(() => press(target.dataset.cell));
    if ((key === 'Enter' || key === ' ') && target.matches('circle[data-at]')) return done(() => visit(Number(target.dataset.at)));
    if (key === '+') return done(() => press('+'));
    if (key === 'Escape') return done(() => { view().dataset.path = ''; refresh(); });
    if (key === ',') return done(() => visit(here() - 1));
    if (key === '.' || key === ';') return done(() => visit(here() + 1));
    if (key === 'Home') return done(() => visit(0));
    if (key === 'End') return done(() => visit(Infinity));
    const named = { U: 'undo', R: 'redo', H: 'hint' }[letter];
    if (named) return done(() => act(named));
    if (letter === 'S') return done(() => act('study', { on: data().study !== 'true' }));
    if (letter === 'P') return done(run);
    if (letter === 'T') return done(annotate);
  });

  // The clock of who thinks goes on between two pictures.
  setInterval(() => {
    const clock = root.querySelector('.clock[data-running=true]');
    if (!clock || !live()) return;
    if (clock.dataset.down) {
      const left = Number(clock.dataset.down) - (performance.now() - ticks);
      const seconds = Math.max(0, Math.ceil(left / 1000));
      clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
      clock.classList.toggle('low', seconds < 10);
      // The server says what a flag means in this game.
      if (left <= 0) refresh();
      return;
    }
    if (!clock.dataset.from) {
      const [minutes, seconds] = clock.textContent.split(':').map(Number);
      clock.dataset.from = 60 * minutes + seconds;
    }
    const now = Number(clock.dataset.from) + Math.floor((performance.now() - ticks) / 1000);
    clock.textContent = `${Math.floor(now / 60)}:${String(now % 60).padStart(2, '0')}`;
  }, 250);

  rove(root, null);
  fit(root);
  place();
  say(data().say);
  listen(root.dataset.room, version => {
    // After a new start of the server the numbers begin anew.
    told = version === Number(data().version) ? null : version;
    if (!busy && told !== null) refresh();
  });
}

// The tables of a tournament: the newest picture of all of them.
function watch(root) {
  let busy = false;
  let stale = false;
  const events = follow(async () => {
    stale = true;
    if (busy) return;
    busy = true;
    while (stale) {
      stale = false;
      try {
        const html = await load('/watch/view');
        const back = hold(root);
        root.innerHTML = html;
        back();
        say(root.querySelector('#view').dataset.say);
      } catch (error) { say(error.message); }
    }
    busy = false;
  }, is => {
    // A run that is over may go; what it showed stays.
    if (is && root.querySelector('[data-over]')) events.close();
    else away(is);
  });
}

// A finished game of a run, by its links. The run stays as long as somebody looks.
function replay(links) {
  follow(() => {}, () => {});
  const keys = { ArrowLeft: 'prev', ArrowRight: 'next', ',': 'prev', '.': 'next', ';': 'next', Home: 'first', End: 'last' };
  addEventListener('keydown', event => {
    const link = keys[event.key] && links.querySelector(`[rel=${keys[event.key]}]`);
    if (!link || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    link.click();
  });
}
