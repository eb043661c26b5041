// The program under Pyodide, in a worker: it answers requests as the server of `bganalyze serve` does.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const PACKAGES = ["numpy", "pandas", "scipy", "matplotlib"];
const COUNTING = ["statistics", "report"];
const START = `
import json, sys
sys.path.insert(0, "/program")
sys.dont_write_bytecode = True
from bganalyze.app.render.findings import machine
from bganalyze.app.serving import checks
from bganalyze.app.serving.answers import answers
def answered(body):
    return answers(body.to_bytes())
`;
// What the first check of all makes once, made on a match of one row before any file is there.
const WARM = `
match = b" 1 point match\\n\\n Game 1\\n A : 0              B : 0\\n  1) 31: 8/5 6/5    54: 6/2\\n"
files = [{"path": "a.mat", "root": "a.mat", "size": len(match)}]
head = json.dumps({"ask": "check", "options": {}, "files": files}).encode()
list(answers(len(head).to_bytes(4, "big") + head + match))
`;
const SOON = `
from bganalyze.app.serving import explanations, conversions, repairs, reports
`;
const IDLE = 1000; // Milliseconds without a question, after which it may be that none comes at once.
const RUNTIME = { indexURL: "./pyodide/" };

const fetched = async (name) => {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.arrayBuffer();
};

const unpack = (python, program) => python.unpackArchive(program, "zip", { extractDir: "/program" });

// The memory of the program as it is once started, before it has seen a file, is kept for the next
// visit: to go on from there takes a quarter of the processor time. Pyodide calls this experimental,
// so wherever anything is wrong with it the program is started anew. MEMORY, the name of what these
// very files leave, stands in a line before the first.
const CACHE = "started-bganalyze";

const keptMemory = async () => {
  try {
    const kept = await (await caches.open(CACHE)).match(MEMORY);
    return kept ? new Uint8Array(await kept.arrayBuffer()) : null;
  } catch {
    return null;
  }
};

const keepMemory = async (python) => {
  try {
    const memory = new Response(python.makeMemorySnapshot());
    await caches.delete(CACHE);
    await (await caches.open(CACHE)).put(MEMORY, memory);
  } catch {
    // Where nothing can be kept, each visit starts anew.
  }
};

const sizeOf = (python) => python._module.HEAP8.length;

let soon = null;
const prepareSoon = (python) => {
  clearTimeout(soon);
  soon = setTimeout(() => python.runPython(SOON), IDLE);
};

const restored = async (memory, program) => {
  const python = await loadPyodide({ ...RUNTIME, _loadSnapshot: memory });
  unpack(python, await program);
  self.postMessage({ ready: "restored" });
  python.runPython(WARM); // The browser compiles what it runs for the first time.
  return python;
};

const started = async (program) => {
  const python = await loadPyodide({ ...RUNTIME, _makeSnapshot: true });
  const size = sizeOf(python);
  unpack(python, await program);
  python.runPython(START);
  self.postMessage({ ready: "started" });
  python.runPython(WARM);
  // Memory that has grown is more than Pyodide has room for where it goes on from there.
  if (sizeOf(python) === size) keepMemory(python);
  return python;
};

const load = async () => {
  const program = fetched("program.zip");
  const memory = await keptMemory();
  const python = (memory && (await restored(memory, program).catch(() => null))) ?? (await started(program));
  prepareSoon(python);
  return { python, answers: python.globals.get("answered") };
};

/** Load the packages that counting needs; return whether all are there. Pyodide does not throw where one is not. */
const loadPackages = async (python) => {
  await python.loadPackage(PACKAGES, { messageCallback: () => {}, errorCallback: () => {} });
  return PACKAGES.every((name) => name in python.loadedPackages);
};

const NOT_LOADED = "What statistics need could not be loaded: try again where there is a network. From then on they work without one.";

/** The lines of an answer, as an iterator that does not wait. A report without tables is shorter; statistics are nothing without. */
const linesOf = async ({ python, answers }, { ask, body, counts }, tell) => {
  if (counts && ask === "statistics") tell({ kind: "loading" });
  if (counts && COUNTING.includes(ask) && !(await loadPackages(python)) && ask === "statistics") return [JSON.stringify({ kind: "refused", message: NOT_LOADED })];
  return answers(new Uint8Array(await body.arrayBuffer()));
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
    const message = `this is more than the browser can do: ${error.message ?? error}`;
    self.postMessage({ number, line: JSON.stringify({ kind: "refused", message }), broken: true });
  }
};
