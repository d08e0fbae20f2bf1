// The page as an application: offline, and new versions.

if ('serviceWorker' in navigator && (location.protocol === 'https:' || location.hostname === 'localhost' || location.hostname === '127.0.0.1')) {
  const line = document.getElementById('update');
  const offer = worker => {
    line.hidden = false;
    line.querySelector('button').onclick = () => worker.postMessage('take over');
  };
  // A first visit has no version to replace.
  const hadOne = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.addEventListener('controllerchange', () => { if (hadOne) location.reload(); });
  const register = () => navigator.serviceWorker.register(new URL('./sw.js', import.meta.url)).then(registration => {
    if (registration.waiting) offer(registration.waiting);
    registration.addEventListener('updatefound', () => {
      const worker = registration.installing;
      worker.addEventListener('statechange', () => { if (worker.state === 'installed' && hadOne) offer(worker); });
    });
  }).catch(() => {});
  // On a slow network a first visit loads its game before the copy for later visits.
  setTimeout(register, hadOne ? 0 : 5000);
}

// Another language shows the same game.
for (const link of document.querySelectorAll('.languages a')) {
  link.addEventListener('click', () => {
    localStorage.setItem('arena.language', link.lang);
    link.href = `../${link.lang}/${location.pathname.split('/').pop()}${location.search}`;
  });
}
