// The program under Pyodide in a worker, which answers requests like the server of `bganalyze serve`.
import createRuntime from "./pyodide/pyodide.asm.mjs";
import { loadPyodide } from "./pyodide/pyodide.mjs";

const PACKAGES = ["numpy", "pandas", "scipy", "matplotlib"];
const COUNTING = ["statistics", "report"];
const START = `
import json, sys
sys.path.insert(0, "/program")
sys.dont_write_bytecode = True
from bganalyze.app.render.findings import machine
from bganalyze.app.serving import checks
from bganalyze.app.serving.answers import stream_answer
def answer(body):
    return stream_answer(body.to_bytes())
`;
// A check of a match of one row, so that the first file does not wait for one-time work.
const WARM = `
match = b" 1 point match\\n\\n Game 1\\n A : 0              B : 0\\n  1) 31: 8/5 6/5    54: 6/2\\n"
files = [{"path": "a.mat", "root": "a.mat", "size": len(match)}]
head = json.dumps({"ask": "check", "options": {}, "files": files}).encode()
list(stream_answer(len(head).to_bytes(4, "big") + head + match))
`;
const SOON = `
from bganalyze.app.serving import explanations, conversions, repairs, reports
`;
const IDLE = 1000; // Milliseconds without a request, after which modules are imported in advance.
const RUNTIME = { indexURL: "./pyodide/" };

const fetchBytes = async (name) => {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.arrayBuffer();
};

const unpack = (python, program) => python.unpackArchive(program, "zip", { extractDir: "/program" });

// A snapshot of the memory after the start, before any file, is cached for the next visit; restoring
// it takes less time than a start. Pyodide calls this experimental, so after any problem the
// program is started normally. MEMORY, the name of the snapshot of these files, is defined in a line
// added before the first.
const CACHE = "started-bganalyze";

const findMemory = async () => {
  try {
    const kept = await (await caches.open(CACHE)).match(MEMORY);
    return kept ? new Uint8Array(await kept.arrayBuffer()) : null;
  } catch {
    return null;
  }
};

const storeMemory = async (python) => {
  try {
    const memory = new Response(python.makeMemorySnapshot());
    await caches.delete(CACHE);
    await (await caches.open(CACHE)).put(MEMORY, memory);
  } catch {
    // Without a cache, each visit starts normally.
  }
};

// Pyodide does not enlarge its memory for a snapshot, and the program may outgrow the initial size.
const ALLOCATION = 1 << 20;
const runtimeOf = (size) => (settings) => {
  const enlarge = (runtime) => {
    while (runtime.HEAP8.length < size) runtime._malloc(ALLOCATION); // The snapshot overwrites it all.
  };
  return createRuntime({ ...settings, preRun: [enlarge, ...settings.preRun] });
};

let soon = null;
const prepareSoon = (python) => {
  clearTimeout(soon);
  soon = setTimeout(() => python.runPython(SOON), IDLE);
};

const restore = async (memory, program) => {
  const python = await loadPyodide({ ...RUNTIME, _loadSnapshot: memory, createPyodideModule: runtimeOf(memory.length) });
  unpack(python, await program);
  self.postMessage({ ready: "restored" });
  python.runPython(WARM); // The browser compiles code when it first runs.
  return python;
};

const start = async (program) => {
  const python = await loadPyodide({ ...RUNTIME, _makeSnapshot: true });
  unpack(python, await program);
  python.runPython(START);
  self.postMessage({ ready: "started" });
  python.runPython(WARM);
  storeMemory(python);
  return python;
};

const load = async () => {
  const program = fetchBytes("program.zip");
  const memory = await findMemory();
  const python = (memory && (await restore(memory, program).catch(() => null))) ?? (await start(program));
  prepareSoon(python);
  return { python, answer: python.globals.get("answer") };
};

/** Load the packages for statistics; return whether all could be loaded (Pyodide does not throw). */
const loadPackages = async (python) => {
  await python.loadPackage(PACKAGES, { messageCallback: () => {}, errorCallback: () => {} });
  return PACKAGES.every((name) => name in python.loadedPackages);
};

const NOT_LOADED = "The packages for statistics could not be loaded. Try again with a network connection; after that, statistics work offline.";

/** Return the lines of an answer as a synchronous iterator. Without the packages, reports have no tables, and statistics are refused. */
const linesOf = async ({ python, answer }, { ask, body, counts }, tell) => {
  if (counts && ask === "statistics") tell({ kind: "loading" });
  if (counts && COUNTING.includes(ask) && !(await loadPackages(python)) && ask === "statistics") return [JSON.stringify({ kind: "refused", message: NOT_LOADED })];
  return answer(new Uint8Array(await body.arrayBuffer()));
};

const loaded = load();
loaded.catch((error) => self.postMessage({ failed: String(error.message ?? error) }));

self.onmessage = async ({ data }) => {
  const { number } = data;
  const post = (line) => self.postMessage({ number, line });
  try {
    const program = await loaded;
    clearTimeout(soon);
    for (const line of await linesOf(program, data, (event) => post(JSON.stringify(event)))) post(line);
    self.postMessage({ number, done: true });
    prepareSoon(program.python);
  } catch (error) {
    const message = `the browser could not do this (${error.message ?? error}); try fewer files, or the installed program`;
    self.postMessage({ number, line: JSON.stringify({ kind: "refused", message }), broken: true });
  }
};
