// Keeps the pages of one version for visits without a network. VERSION and FILES are written by the program that
// writes the folder.

const cached = `arena-${VERSION}`;

self.addEventListener('install', event => {
  event.waitUntil((async () => {
    const cache = await caches.open(cached);
    await cache.addAll(FILES.map(file => new Request(file, { cache: 'reload' })));
    // The first version takes over at once; another one waits until the visitor wants it.
    if (!self.registration.active) await self.skipWaiting();
  })());
});

self.addEventListener('message', event => {
  if (event.data === 'take over') self.skipWaiting();
  const { keep } = event.data;
  if (keep) {
    event.waitUntil(caches.open(cached).then(async cache => {
      if (!await cache.match(keep)) await cache.add(keep);
    }));
  }
});

self.addEventListener('activate', event => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith('arena-') && name !== cached) await caches.delete(name);
    await self.clients.claim();
  })());
});

// Pages are found without their query. A game's module is kept when it is first loaded.
self.addEventListener('fetch', event => {
  const address = new URL(event.request.url);
  if (event.request.method !== 'GET' || address.origin !== location.origin) return;
  event.respondWith((async () => {
    const cache = await caches.open(cached);
    const found = await cache.match(event.request, { ignoreSearch: true });
    if (found) return found;
    const answer = await fetch(event.request);
    if (answer.ok && address.pathname.endsWith('.wasm')) await cache.put(event.request, answer.clone());
    return answer;
  })());
});
