// Requests to the program, in this browser or on a server: `ask` yields the events of an answer, and
// throws `Refused` with a message for the user. Both get the same bytes.

export class Refused extends Error {}

const CANCELLED = "cancelled";

/** Return a request for `bganalyze.app.serving.requests`. Reads the files; throws if one is unreadable. */
const makeRequest = async (ask, options, files) => {
  const contents = await Promise.all(files.map(readContent));
  const listed = files.map(({ path, root }, index) => ({ path, root, size: contents[index].byteLength }));
  const head = new TextEncoder().encode(JSON.stringify({ ask, options, files: listed }));
  const length = new DataView(new ArrayBuffer(4));
  length.setUint32(0, head.length);
  return new Blob([length, head, ...contents]);
};

const readContent = async ({ path, file }) => {
  try {
    return await file.arrayBuffer();
  } catch {
    throw new Refused(`${path} cannot be read: it may have been moved or changed, or it may be a folder`);
  }
};

/** Return the event in a line, or null at the end of an answer. */
const parseEvent = (line) => {
  const parsed = JSON.parse(line);
  if (parsed.kind === "refused") throw new Refused(parsed.message);
  return parsed.kind === "end" ? null : parsed;
};

/** An asynchronous queue of lines. */
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

const GRACE = 1000; // Milliseconds a cancelled request may take to end by itself.

/** The program in a worker of this page. If a cancelled request does not end, the worker is restarted and other requests are repeated. */
export const pyodideBackend = (about, { ready, failed, onReload }) => {
  let worker = null;
  let isLoaded = false;
  let number = 0;
  const questions = new Map(); // By number: the message, the lines of the answer, and their count so far.

  const begin = () => {
    worker = new Worker("worker.js", { type: "module" });
    worker.onmessage = ({ data }) => {
      if (data.ready) {
        isLoaded = true;
        ready(data.ready);
      } else if (data.failed) failed(data.failed);
      else receive(data);
    };
    worker.onerror = (error) => failed(error.message ?? "the program cannot be loaded");
    for (const question of questions.values()) {
      question.toSkip = question.received;
      worker.postMessage(question.message);
    }
  };

  // A repeated request gets the same answer again; skip the lines already received.
  const receive = ({ number: own, line, done, broken }) => {
    const question = questions.get(own);
    if (done) questions.delete(own);
    else if (question?.toSkip) question.toSkip -= 1;
    else if (question) {
      question.received += 1;
      question.lines.put(line);
    }
    if (broken) restart(own);
  };

  const restart = (own) => {
    questions.delete(own);
    worker.terminate();
    isLoaded = false;
    onReload();
    begin();
  };

  begin();
  return {
    async *ask(ask, options, files, signal) {
      const own = ++number;
      const lines = new Lines();
      const body = await makeRequest(ask, options, files);
      if (signal?.aborted) throw new Refused(CANCELLED);
      const message = { number: own, ask, body, counts: about.statistics };
      const cancel = () => {
        lines.put(new Refused(CANCELLED));
        if (isLoaded) setTimeout(() => questions.has(own) && restart(own), GRACE);
        else questions.delete(own);
      };
      questions.set(own, { message, lines, received: 0, toSkip: 0 });
      signal?.addEventListener("abort", cancel);
      try {
        worker.postMessage(message);
        for (;;) {
          const event = parseEvent(await lines.take());
          if (event === null) return;
          yield event;
        }
      } finally {
        signal?.removeEventListener("abort", cancel);
        if (!signal?.aborted) questions.delete(own);
      }
    },
  };
};

/** The program installed on this machine, run by `bganalyze serve`. */
export const serverBackend = (token, ready) => {
  queueMicrotask(() => ready("served"));
  return {
    async *ask(ask, options, files, signal) {
      try {
        const body = await makeRequest(ask, options, files);
        const headers = { "Content-Type": "application/octet-stream", "X-Bganalyze-Token": token };
        const response = await fetch("ask", { method: "POST", headers, body, signal });
        if (!response.ok) throw new Refused(await response.text());
        let rest = "";
        for await (const piece of pieces(response.body.pipeThrough(new TextDecoderStream()))) {
          const lines = (rest + piece).split("\n");
          rest = lines.pop();
          for (const line of lines.filter(Boolean)) {
            const event = parseEvent(line);
            if (event === null) return;
            yield event;
          }
        }
        throw new Refused("the program stopped before its answer was complete");
      } catch (error) {
        if (error instanceof Refused) throw error;
        if (signal?.aborted) throw new Refused(CANCELLED);
        throw new Refused("the program does not respond: check that bganalyze serve is still running");
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
