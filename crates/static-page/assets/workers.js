// The workers of a game: one for the players on its seats, one for each analysis.

// Milliseconds after which a worker that does not turn to a question is replaced.
const PATIENCE = 2000;

export function workers(compiled, language, { moved, found }) {
  const begin = heard => {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    worker.postMessage({ compiled, language });
    return listen(worker, heard);
  };
  const listen = (worker, heard) => {
    worker.onmessage = ({ data }) => heard(data);
    worker.onerror = event => heard({ error: event.message || 'the worker failed' });
    return worker;
  };

  let player = null;
  // The seat and the question that the player thinks about.
  let asked = null;
  const answer = data => {
    const to = asked ?? data;
    asked = null;
    moved({ ...to, ...data });
  };

  const analyses = new Map();

  function serve(analysis) {
    analysis.deep = false;
    clearTimeout(analysis.late);
    const heard = data => {
      if (data.began !== undefined) {
        analysis.works = true;
        if (data.began === analysis.question) clearTimeout(analysis.late);
      } else if (data.deep !== undefined) analysis.deep = true;
      else if (data.info || data.error) found({ hint: analysis.hint, number: analysis.number, ...data });
    };
    if (!analysis.worker) analysis.worker = begin(heard);
    else {
      listen(analysis.worker, heard);
      // One that is still loading is not late.
      if (analysis.works) analysis.late = setTimeout(() => replace(analysis), PATIENCE);
    }
    analysis.worker.postMessage({ study: analysis.study, question: analysis.question });
  }

  function replace(analysis) {
    clearTimeout(analysis.late);
    analysis.worker?.terminate();
    analysis.worker = null;
    analysis.works = false;
    serve(analysis);
  }

  function study(message) {
    let analysis = analyses.get(message.number);
    if (!analysis) {
      analysis = { number: message.number, hint: message.hint, worker: null, works: false, deep: false };
      analyses.set(message.number, analysis);
    }
    analysis.study = message.study;
    analysis.question = message.question;
    if (analysis.deep) replace(analysis);
    else serve(analysis);
  }

  function studied(number) {
    const analysis = analyses.get(number);
    if (!analysis) return;
    analyses.delete(number);
    clearTimeout(analysis.late);
    analysis.worker?.terminate();
  }

  function end(id) {
    if (!player) return;
    if (asked?.id === id) {
      player.terminate();
      player = null;
      asked = null;
    } else player.postMessage({ forget: id });
  }

  return {
    // Takes a message of the page's module.
    hear(text) {
      const message = JSON.parse(text);
      if (message.ask) {
        asked = { seat: message.seat, question: message.question, id: message.ask.id };
        player ??= begin(answer);
        player.postMessage(message);
      } else if (message.end) end(message.end);
      else if (message.study) study(message);
      else if (message.studied !== undefined) studied(message.studied);
    },
    // Ends all workers.
    leave() {
      player?.terminate();
      analyses.forEach(({ worker }) => worker?.terminate());
    },
    // The analyses that are on, for their intervals without news.
    on: () => [...analyses.values()].filter(analysis => analysis.study.position),
  };
}
