// What goes to the server and comes back.

const token = document.querySelector('meta[name=token]')?.content;
// A page stays in its language, whatever another one is in.
const language = { 'X-Arena-Language': document.documentElement.lang };

export async function post(address, body) {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { ...language, 'X-Arena-Token': token },
    body: body instanceof Blob ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}

export async function load(address) {
  const answer = await fetch(address, { headers: language });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.text();
}

export function say(text) {
  const line = document.getElementById('say');
  if (line && line.textContent !== text) line.textContent = text;
}

// What went wrong is seen, too.
export function complain(text) {
  const line = document.querySelector('.status');
  if (line) {
    line.textContent = text;
    line.classList.add('refused');
  }
  say(text);
}

// Tells of every change; the browser itself connects again after a break.
export function listen(address, heard) {
  const events = new EventSource(address);
  events.onmessage = event => heard(Number(event.data));
  addEventListener('pagehide', () => events.close());
  addEventListener('pageshow', event => { if (event.persisted) location.reload(); });
  return events;
}
