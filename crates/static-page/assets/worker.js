// A worker with an instance of the game's module: a player for moves, or an analysis.

import { start } from './module.js';

// Milliseconds of the first part of an analysis. A question that comes meanwhile is answered after it.
const FIRST = 350;

let module;
let question = null;
let latest = 0;

const pause = () => new Promise(resolve => setTimeout(resolve, 0));

function choose(message) {
  const { seat, question } = message;
  try {
    postMessage({ seat, question, ...module.ask({ choose: message.ask }) });
  } catch (error) {
    postMessage({ seat, question, error: String(error.message) });
  }
}

// After the first part the analysis goes on without an end: for another question the page starts another worker.
async function study(message) {
  latest += 1;
  const own = latest;
  question = message.question;
  postMessage({ began: question });
  if (!message.study.position) return;
  try {
    const first = module.ask({ study: { ...message.study, millis: FIRST } });
    await pause();
    if (own !== latest || first.done) return;
    postMessage({ deep: question });
    module.ask({ study: { ...message.study, millis: 0, from: first.depth + 1 } });
  } catch (error) {
    postMessage({ question, error: String(error.message) });
  }
}

let turn = Promise.resolve();

onmessage = ({ data }) => {
  turn = turn.then(async () => {
    if (data.compiled) {
      module = await start(data.compiled, data.language, info => postMessage({ question, info }));
    } else if (data.ask) choose(data);
    else if (data.forget) module.ask({ forget: { id: data.forget } });
    else if (data.study) study(data);
  });
};
