// What goes to the server and comes back.

let token = document.querySelector('meta[name=token]')?.content;
// A page stays in its language, whatever another one is in.
const language = { 'X-Arena-Language': document.documentElement.lang };

// True while the server does not answer; the line that says so is in the page, in its language.
export function away(is) {
  const line = document.getElementById('away');
  if (line) line.hidden = !is;
  return line?.textContent ?? '';
}

async function ask(address, options) {
  let answer;
  try {
    answer = await fetch(address, options);
  } catch {
    throw new Error(away(true));
  }
  away(false);
  return answer;
}

// A server that was started again has another token. True where there is one.
async function renew() {
  const page = await (await ask('/open', { headers: language })).text();
  const fresh = new DOMParser().parseFromString(page, 'text/html').querySelector('meta[name=token]')?.content;
  if (!fresh || fresh === token) return false;
  token = fresh;
  return true;
}

export async function post(address, body, headers = {}) {
  const send = () => ask(address, {
    method: 'POST',
    headers: { ...language, ...headers, 'X-Arena-Token': token },
    body: body instanceof Blob ? body : JSON.stringify(body),
  });
  let answer = await send();
  if (answer.status === 403 && await renew()) answer = await send();
  return read(answer);
}

export async function load(address, headers = {}) {
  return read(await ask(address, { headers: { ...language, ...headers } }));
}

// The text that the page has, and its number at the server, which sends what has changed.
let had = { number: '-', text: '' };
export const having = () => ({ 'X-Arena-Text': had.number });

async function read(answer) {
  const body = await answer.text();
  if (!answer.ok) throw new Error(body);
  const number = answer.headers.get('X-Arena-Text');
  if (!number) return body;
  const isChange = answer.headers.get('Content-Type') === 'application/json';
  const parts = isChange ? had.text.split('<') : [];
  const step = part => (typeof part === 'string' ? [part] : parts.slice(part[0], part[0] + part[1]));
  const text = isChange ? JSON.parse(body).flatMap(step).join('<') : body;
  had = { number, text };
  return text;
}

// A refusal is said again when it is given again: a space that is not seen makes it another text.
export function say(text, again = false) {
  const line = document.getElementById('say');
  if (!line) return;
  if (again && line.textContent === text) line.textContent = `${text}\u00a0`;
  else if (again || line.textContent.trim() !== text.trim()) line.textContent = text;
}

// What went wrong is seen, too.
export function complain(text, isRefused = true) {
  const line = document.querySelector('.status');
  if (line) {
    line.textContent = text;
    line.classList.toggle('refused', isRefused);
  }
  say(text, true);
}
