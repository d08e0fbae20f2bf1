// News of rooms and of a run: one event stream for all tabs of a browser, which opens six connections to a server at
// most.
//
// The tab that holds a lock listens for all of them and passes on what it hears. When it is closed another tab gets the
// lock. Where a browser has no locks each tab has its own stream: that of a room while the tab is seen.

import { away } from './wire.js';

// The time without a stream after which the server is said to be away; a stream that ended is opened again before.
const PATIENCE = 2500;
// A tab tells what it wants so often; it is forgotten after several times that, for tabs in the background are slow.
const TELL = 20000;
const FORGET = 200000;

// A stream that lasts: a browser connects again after a break, but not after a refusal.
function stream(address, heard, told) {
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
      if (events.readyState === EventSource.CLOSED) setTimeout(() => { if (!closed) again(); }, PATIENCE);
    };
  };
  // After a new start the server may not have this game: its page says so.
  const again = async () => {
    const page = await fetch(location.href).catch(() => null);
    if (page?.status === 404) location.reload();
    else open();
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

const shares = () => navigator.locks && window.BroadcastChannel;

// Tells of every change of a room.
export function listen(room, heard) {
  addEventListener('pageshow', event => { if (event.persisted) location.reload(); });
  const address = rooms => `/events?rooms=${[...new Set(rooms)].sort().join(',')}`;
  const take = data => {
    const [of, version] = data.split(' ');
    if (of === room) heard(Number(version));
  };
  if (shares()) share(room, address, take, away);
  else alone(address([room]), take);
}

// Tells of every change of the run that this server shows, which stays while somebody listens.
export function follow(heard, told) {
  const address = '/watch/events';
  return shares() ? share('run', () => address, heard, told) : stream(address, heard, told);
}

function alone(address, heard) {
  let events = null;
  const look = () => {
    events?.close();
    events = document.hidden ? null : stream(address, heard, away);
  };
  look();
  addEventListener('visibilitychange', look);
  addEventListener('pagehide', () => events?.close());
}

function share(own, address, heard, told) {
  const channel = new BroadcastChannel('arena');
  const wanted = new Map();
  let leads = false;
  let closed = false;
  let events = null;
  let listened = '';
  const reopen = () => {
    const now = Date.now();
    for (const [other, since] of wanted) if (now - since > FORGET) wanted.delete(other);
    const all = address([own, ...wanted.keys()]);
    if (closed || all === listened) return;
    listened = all;
    events?.close();
    events = stream(all, data => {
      heard(data);
      channel.postMessage({ news: data });
    }, is => {
      told(is);
      channel.postMessage({ away: is });
    });
  };
  const tell = first => {
    if (leads) reopen();
    else channel.postMessage({ want: own, first });
  };
  channel.onmessage = ({ data }) => {
    if (data.news) heard(data.news);
    else if ('away' in data) told(data.away);
    else if (data.who) tell(true);
    else if (data.want && leads) {
      wanted.set(data.want, Date.now());
      // A new stream tells a new tab what has changed since it was loaded.
      if (data.first) listened = '';
      reopen();
    }
  };
  navigator.locks.request('arena', () => new Promise(() => {
    leads = true;
    channel.postMessage({ who: true });
    reopen();
  })).catch(() => {});
  tell(true);
  setInterval(() => tell(false), TELL);
  return {
    close() {
      closed = true;
      events?.close();
    },
  };
}
