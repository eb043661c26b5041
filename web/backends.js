// One way to ask the program, whoever runs it: `ask` yields the events of an answer, and throws
// `Refused` with words for the user. What is asked is the same, byte for byte.

export class Refused extends Error {}

export const CANCELLED = "cancelled";

/** A request as `bganalyze.serving.requests` reads it. */
const request = (ask, options, files) => {
  const listed = files.map(({ path, root, file }) => ({ path, root, size: file.size }));
  const head = new TextEncoder().encode(JSON.stringify({ ask, options, files: listed }));
  const length = new DataView(new ArrayBuffer(4));
  length.setUint32(0, head.length);
  return new Blob([length, head, ...files.map(({ file }) => file)]);
};

/** The event of a line; null at the end of an answer. */
const event = (line) => {
  const told = JSON.parse(line);
  if (told.kind === "refused") throw new Refused(told.message);
  return told.kind === "end" ? null : told;
};

/** Lines that arrive by and by: put in on one side, taken out on the other. */
class Lines {
  #waiting = [];
  #wake = () => {};

  put(line) {
    this.#waiting.push(line);
    this.#wake();
  }

  async take() {
    while (!this.#waiting.length) await new Promise((resolve) => (this.#wake = resolve));
    const line = this.#waiting.shift();
    if (line instanceof Error) throw line;
    return line;
  }
}

/** The program in a worker of this page. To cancel is to end the worker and to begin anew. */
export const pyodideBackend = (about, { ready, failed, loadingAgain }) => {
  let worker = null;
  let number = 0;
  const answers = new Map();

  const begin = () => {
    worker = new Worker("worker.js", { type: "module" });
    worker.onmessage = ({ data }) => {
      if (data.ready) ready();
      else if (data.failed) failed(data.failed);
      else answers.get(data.number)?.put(data.line);
      if (data.broken) beginAnew();
    };
    worker.onerror = (error) => failed(error.message ?? "the program cannot be loaded");
  };

  const beginAnew = () => {
    worker.terminate();
    for (const lines of answers.values()) lines.put(new Refused(CANCELLED));
    answers.clear();
    loadingAgain();
    begin();
  };

  begin();
  return {
    async *ask(ask, options, files, signal) {
      if (signal?.aborted) throw new Refused(CANCELLED);
      const own = ++number;
      const lines = new Lines();
      answers.set(own, lines);
      signal?.addEventListener("abort", beginAnew);
      try {
        worker.postMessage({ number: own, ask, body: request(ask, options, files), counts: about.statistics });
        for (;;) {
          const told = event(await lines.take());
          if (told === null) return;
          yield told;
        }
      } finally {
        signal?.removeEventListener("abort", beginAnew);
        answers.delete(own);
      }
    },
  };
};

/** The program that is installed on this machine, behind `bganalyze serve`. */
export const serverBackend = (token, ready) => {
  queueMicrotask(ready);
  return {
    async *ask(ask, options, files, signal) {
      try {
        const response = await fetch("ask", {
          method: "POST",
          headers: { "Content-Type": "application/octet-stream", "X-Bganalyze-Token": token },
          body: request(ask, options, files),
          signal,
        });
        if (!response.ok) throw new Refused(await response.text());
        let rest = "";
        for await (const piece of pieces(response.body.pipeThrough(new TextDecoderStream()))) {
          const lines = (rest + piece).split("\n");
          rest = lines.pop();
          for (const line of lines.filter(Boolean)) {
            const told = event(line);
            if (told === null) return;
            yield told;
          }
        }
        throw new Refused("the program has stopped in the middle of its answer");
      } catch (error) {
        if (error instanceof Refused) throw error;
        if (signal?.aborted) throw new Refused(CANCELLED);
        throw new Refused("the program does not answer: is bganalyze serve still running?");
      }
    },
  };
};

async function* pieces(stream) {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
