// Measures the page without a server in Chromium: bytes of the first visit, time until a game is ready on a phone,
// memory. Called by scripts/static.sh --measure: node static-browser.mjs FOLDER GAME...

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

const [folder, ...games] = process.argv.slice(2);
const KINDS = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', png: 'image/png',
  wasm: 'application/wasm', webmanifest: 'application/manifest+json' };
// A phone on a slow network: bytes a second, milliseconds before an answer, times the processor is slower.
const PHONE = { rate: 1.6e6 / 8, latency: 150, slower: 4 };

// Serves the folder packed by gzip, as web hosts do. All answers together share the rate.
let slow = false, bytes = 0, free = 0;
const packed = new Map();
const server = createServer(async (request, answer) => {
  const path = new URL(request.url, 'http://localhost').pathname.replace(/\/$/, '/index.html');
  try {
    if (!packed.has(path)) packed.set(path, gzipSync(readFileSync(folder + path), { level: 9 }));
  } catch {
    answer.writeHead(404).end();
    return;
  }
  if (slow) await pause(PHONE.latency);
  const body = packed.get(path);
  answer.writeHead(200, { 'Content-Type': KINDS[path.split('.').pop()], 'Content-Encoding': 'gzip',
    'Content-Length': body.length, 'Cache-Control': 'max-age=600' });
  for (let at = 0; at < body.length; at += 4096) {
    const part = body.subarray(at, at + 4096);
    if (slow) {
      free = Math.max(free, performance.now()) + 1000 * part.length / PHONE.rate;
      await pause(free - performance.now());
    }
    bytes += part.length;
    answer.write(part);
  }
  answer.end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const site = `http://127.0.0.1:${server.address().port}`;

const driver = spawn('chromedriver', ['--port=0'], { stdio: ['ignore', 'pipe', 'ignore'] });
driver.on('error', () => {
  console.log('skipped: the page in a browser: no chromium and chromedriver (scripts/browser.sh installs them)');
  process.exit(0);
});
let port;
for await (const line of createInterface({ input: driver.stdout })) {
  port = /on port ([1-9]\d*)/.exec(line)?.[1];
  if (port) break;
}

async function send(method, path, body) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: body && JSON.stringify(body) });
  const { value } = await answer.json();
  if (value?.error) throw new Error(`${path}: ${value.message}`);
  return value;
}

// A new browser, which has seen nothing yet.
async function browser() {
  const options = { args: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] };
  const wanted = { browserName: 'chrome', 'goog:chromeOptions': options, timeouts: { script: 600000 } };
  const { sessionId, capabilities } = await send('POST', '/session', { capabilities: { alwaysMatch: wanted } });
  const post = (path, body) => send('POST', `/session/${sessionId}/${path}`, body);
  return {
    process: capabilities['goog:processID'],
    open: url => post('url', { url }),
    script: (script, ...args) => post('execute/sync', { script, args }),
    tools: (cmd, params) => post('goog/cdp/execute', { cmd, params }),
    close: () => send('DELETE', `/session/${sessionId}`),
  };
}

async function until(page, script, ...args) {
  for (const end = performance.now() + 120000; performance.now() < end; await pause(20)) {
    if (await page.script(script, ...args).catch(() => false)) return;
  }
  throw new Error(`never true: ${script}`);
}

const READY = "return document.querySelector('#view[data-game] .hit.legal, #view[data-game] [data-click]') !== null";

// Begins a game as a visitor does: a tap on its card, a tap on the button. Returns when the board takes a move.
async function begin(page, game) {
  await page.script(`const form = document.getElementById('new');
    form.querySelector('[name=game][value=' + arguments[0] + ']').click();
    form.elements.strength1.value = 'level 1';
    form.querySelector('button[value=play]').click();`, game);
  await until(page, READY);
}

// Plays to the end by clicks on the first cell that is possible.
const PLAY = `return new Promise(done => {
  const look = () => {
    const { path, say } = document.getElementById('view').dataset;
    if (/wins|a draw|over/.test(say)) { done(say); return; }
    const cells = [...document.querySelectorAll('.hit.legal')].filter(cell => !path.split(' ').includes(cell.dataset.cell));
    const next = cells[0] ?? document.querySelector('[data-click]');
    if (next && !say.includes('thinks')) next.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    setTimeout(look, 20);
  };
  look();
})`;

// The private memory of a browser's pages in MiB, from the system.
function memory(parent) {
  const number = (text, name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1] ?? 0);
  let kib = 0;
  const family = new Set([parent]);
  const all = readdirSync('/proc').filter(name => /^\d+$/.test(name)).map(Number).sort((a, b) => a - b);
  for (const id of all) {
    try {
      if (!family.has(number(readFileSync(`/proc/${id}/status`, 'utf8'), 'PPid'))) continue;
      family.add(id);
      if (!readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('--type=renderer')) continue;
      const rollup = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8');
      kib += number(rollup, 'Private_Clean') + number(rollup, 'Private_Dirty');
    } catch { /* The process has ended. */ }
  }
  return Math.round(kib / 1024);
}

try {
  console.log(`| game | first page, ms | taps to a board that takes a move, ms | both, ms |`);
  console.log('|---|---:|---:|---:|');
  for (const game of games) {
    const page = await browser();
    await page.open('about:blank');
    await page.tools('Emulation.setDeviceMetricsOverride', { width: 390, height: 844, deviceScaleFactor: 3, mobile: true });
    await page.tools('Emulation.setCPUThrottlingRate', { rate: PHONE.slower });
    slow = true;
    const began = performance.now();
    await page.open(`${site}/en/`);
    const shown = performance.now();
    await begin(page, game);
    const ready = performance.now();
    slow = false;
    console.log(`| ${[game, ...[shown - began, ready - shown, ready - began].map(Math.round)].join(' | ')} |`);
    await page.close();
  }
  const page = await browser();
  bytes = 0;
  await page.open(`${site}/en/`);
  const first = bytes;
  await until(page, 'return navigator.serviceWorker.controller !== null');
  console.log(`first page ${first} bytes by gzip, with the copy for visits without a network ${bytes}`);
  console.log(`memory of the page: ${memory(page.process)} MiB at first`);
  for (const game of games) {
    await page.open(`${site}/en/`);
    await begin(page, game);
    const said = await page.script(PLAY);
    await page.script("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 's', bubbles: true }))");
    await pause(3000);
    console.log(`memory of the page: ${memory(page.process)} MiB after a game of ${game} (${said}) and an analysis`);
  }
  await page.close();
} finally {
  driver.kill();
  server.close();
  server.closeAllConnections();
}
