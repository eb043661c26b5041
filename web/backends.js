// One way to ask the program, whoever runs it: `ask` yields the events of an answer, and rolls
// `Refused` with words for the user. What is asked is the same, byte for byte.

export class Refused extends Error {}

const CANCELLED = "cancelled";

/** A request as `bganalyze.app.serving.requests` reads it. Files are read here, so that one that cannot be is told. */
const request = async (ask, options, files) => {
  const contents = await Promise.all(files.map(contentOf));
  const listed = files.map(({ path, root }, index) => ({ path, root, size: contents[index].byteLength }));
  const head = new TextEncoder().encode(JSON.stringify({ ask, options, files: listed }));
  const length = new DataView(new ArrayBuffer(4));
  length.setUint32(0, head.length);
  return new Blob([length, head, ...contents]);
};

const contentOf = async ({ path, file }) => {
  try {
    return await file.arrayBuffer();
  } catch {
    throw new Refused(`${path} cannot be read: it may have been moved or changed since, or be a folder`);
  }
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

const GRACE = 1000; // Milliseconds that work which is cancelled may take to end by itself.

/** The program in a worker of this page. What is cancelled and goes on ends the worker; the rest is asked anew. */
export const pyodideBackend = (about, { ready, failed, loadingAgain }) => {
  let worker = null;
  let isLoaded = false;
  let number = 0;
  const questions = new Map(); // By its number: the message, the lines of its answer, and how many came.

  const begin = () => {
    worker = new Worker("worker.js", { type: "module" });
    worker.onmessage = ({ data }) => {
      if (data.ready) {
        isLoaded = true;
        ready(data.ready);
      } else if (data.failed) failed(data.failed);
      else answered(data);
    };
    worker.onerror = (error) => failed(error.message ?? "the program cannot be loaded");
    for (const question of questions.values()) {
      question.again = question.came;
      worker.postMessage(question.message);
    }
  };

  // What is asked anew is answered alike, so what had come before is passed over.
  const answered = ({ number: own, line, done, broken }) => {
    const question = questions.get(own);
    if (done) questions.delete(own);
    else if (question?.again) question.again -= 1;
    else if (question) {
      question.came += 1;
      question.lines.put(line);
    }
    if (broken) beginAnew(own);
  };

  const beginAnew = (own) => {
    questions.delete(own);
    worker.terminate();
    isLoaded = false;
    loadingAgain();
    begin();
  };

  begin();
  return {
    async *ask(ask, options, files, signal) {
      const own = ++number;
      const lines = new Lines();
      const body = await request(ask, options, files);
      if (signal?.aborted) throw new Refused(CANCELLED);
      const message = { number: own, ask, body, counts: about.statistics };
      const cancel = () => {
        lines.put(new Refused(CANCELLED));
        if (isLoaded) setTimeout(() => questions.has(own) && beginAnew(own), GRACE);
        else questions.delete(own);
      };
      questions.set(own, { message, lines, came: 0, again: 0 });
      signal?.addEventListener("abort", cancel);
      try {
        worker.postMessage(message);
        for (;;) {
          const told = event(await lines.take());
          if (told === null) return;
          yield told;
        }
      } finally {
        signal?.removeEventListener("abort", cancel);
        if (!signal?.aborted) questions.delete(own);
      }
    },
  };
};

/** The program that is installed on this machine, behind `bganalyze serve`. */
export const serverBackend = (token, ready) => {
  queueMicrotask(() => ready("served"));
  return {
    async *ask(ask, options, files, signal) {
      try {
        const body = await request(ask, options, files);
        const headers = { "Content-Type": "application/octet-stream", "X-Bganalyze-Token": token };
        const response = await fetch("ask", { method: "POST", headers, body, signal });
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
