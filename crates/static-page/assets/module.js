// A game's module: requests go in and answers come out as JSON.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

// Compiles a module while it arrives. A host that sends another type than application/wasm gets it in two steps.
export async function compile(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  const isNamed = answer.headers.get('Content-Type')?.startsWith('application/wasm');
  return isNamed ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}

// Starts a module. `heard` receives its messages while a request is answered, and must not ask in turn.
export async function start(compiled, language, heard) {
  let memory;
  const text = (place, length) => decoder.decode(new Uint8Array(memory.buffer, place >>> 0, length >>> 0));
  const host = { now: () => performance.now(), send: (place, length) => heard(text(place, length)) };
  const { exports } = await WebAssembly.instantiate(compiled, { host });
  memory = exports.memory;
  return {
    ask(request) {
      const bytes = encoder.encode(JSON.stringify({ language, ...request }).normalize());
      const place = exports.input(bytes.length) >>> 0;
      new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
      const length = exports.answer();
      const answer = JSON.parse(text(exports.output(), length));
      if (answer?.refused !== undefined) throw new Error(answer.refused);
      return answer;
    },
    bytes: () => memory.buffer.byteLength,
  };
}
