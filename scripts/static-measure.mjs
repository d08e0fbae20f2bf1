// Compares the players of the modules with a native build: moves, positions and time with limits that need no clock.
// Called by scripts/static.sh --measure: node static-measure.mjs NATIVE FOLDER GAME...

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { start } from '../crates/static-page/assets/module.js';

const [native, folder, ...games] = process.argv.slice(2);
const nodes = 4000;
const positions = 200;
const rounds = 3;
let failed = false;

console.log('| game | positions visited | equal moves | native ms | module ms | speed | memory MiB |');
console.log('|---|---:|---:|---:|---:|---:|---:|');
for (const game of games) {
  const module = await start(await WebAssembly.compile(readFileSync(`${folder}/${game}.wasm`)), 'en', () => {});
  const ask = count => module.ask({ measure: { game, positions: count, depth: null, nodes } });
  // The first calls compile. Then both take turns, and the fastest of the rounds counts: other programs disturb it least.
  ask(3);
  let own, other;
  for (let round = 0; round < rounds; round += 1) {
    const [before, after] = [JSON.parse(execFileSync(native, ['--measure', game, '--positions', String(positions), '--nodes', String(nodes)])), ask(positions)];
    own = { ...before, millis: Math.min(before.millis, own?.millis ?? Infinity) };
    other = { ...after, millis: Math.min(after.millis, other?.millis ?? Infinity) };
  }
  const equal = own.moves.filter((move, nth) => move === other.moves[nth]).length;
  failed ||= equal < positions || own.nodes !== other.nodes;
  const cells = [game, other.nodes, `${equal} of ${positions}`, own.millis.toFixed(0), other.millis.toFixed(0),
    `${(own.millis / other.millis).toFixed(2)} ×`, (module.bytes() / 2 ** 20).toFixed(0)];
  console.log(`| ${cells.join(' | ')} |`);
}
if (failed) {
  console.error('static-measure: a module plays otherwise than the native build');
  process.exit(1);
}
