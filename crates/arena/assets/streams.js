// News of rooms: one event stream for all tabs of a browser, which opens six connections to a server at most.
//
// The tab that holds a lock listens for all of them and passes on what it hears. When it is closed another tab gets the
// lock. Where a browser has no locks each tab has a stream of its own while it is seen.

import { away } from './wire.js';

// The time without a stream after which the server is said to be away; a stream that ended is opened again before.
const PATIENCE = 2500;
// A tab tells what it wants so often; it is forgotten after several times that, for tabs in the background are slow.
const TELL = 20000;
const FORGET = 200000;

// A stream that lasts: a browser connects again after a break, but not after a refusal.
export function stream(address, heard, told = away) {
  let events = null;
  let closed = false;
  let late = null;
  const open = () => {
    events = new EventSource(address);
    events.onopen = () => {
      clearTimeout(late);
      late = null;
      told(false);
    };
    events.onmessage = event => heard(event.data);
    events.onerror = () => {
      if (closed) return;
      late ??= setTimeout(() => told(true), PATIENCE);
      if (events.readyState === EventSource.CLOSED) setTimeout(() => { if (!closed) open(); }, PATIENCE);
    };
  };
  open();
  return {
    close() {
      closed = true;
      clearTimeout(late);
      events.close();
    },
  };
}

const address = rooms => `/events?rooms=${[...rooms].join(',')}`;

// Tells of every change of a room.
export function listen(room, heard) {
  addEventListener('pageshow', event => { if (event.persisted) location.reload(); });
  if (navigator.locks && window.BroadcastChannel) share(room, heard);
  else alone(room, heard);
}

function alone(room, heard) {
  let events = null;
  const look = () => {
    events?.close();
    events = document.hidden ? null : stream(address([room]), data => heard(Number(data.split(' ')[1])));
  };
  look();
  addEventListener('visibilitychange', look);
  addEventListener('pagehide', () => events?.close());
}

function share(room, heard) {
  const channel = new BroadcastChannel('arena');
  const wanted = new Map();
  let leads = false;
  let events = null;
  let listened = '';
  const take = data => {
    const [of, version] = data.split(' ');
    if (of === room) heard(Number(version));
  };
  const reopen = () => {
    const now = Date.now();
    for (const [other, since] of wanted) if (now - since > FORGET) wanted.delete(other);
    const all = address([...new Set([room, ...wanted.keys()])].sort());
    if (all === listened) return;
    listened = all;
    events?.close();
    events = stream(all, data => {
      take(data);
      channel.postMessage({ news: data });
    }, is => {
      away(is);
      channel.postMessage({ away: is });
    });
  };
  const tell = () => {
    if (leads) reopen();
    else channel.postMessage({ want: room });
  };
  channel.onmessage = ({ data }) => {
    if (data.news) take(data.news);
    else if ('away' in data) away(data.away);
    else if (data.who) tell();
    else if (data.want && leads) {
      const isNew = !wanted.has(data.want);
      wanted.set(data.want, Date.now());
      if (isNew) reopen();
    }
  };
  navigator.locks.request('arena', () => new Promise(() => {
    leads = true;
    channel.postMessage({ who: true });
    reopen();
  })).catch(() => {});
  tell();
  setInterval(tell, TELL);
}
