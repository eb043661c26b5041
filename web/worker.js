// The program under Pyodide, in a worker: it answers requests as the server of `bganalyze serve` does.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const PACKAGES = ["numpy", "pandas", "scipy", "matplotlib"];
const COUNTING = ["statistics", "report"];
const START = `
import sys
sys.path.insert(0, "/program")
sys.dont_write_bytecode = True
from bganalyze.render.findings import machine
from bganalyze.serving import checks
from bganalyze.serving.answers import answers
lambda body: answers(body.to_bytes())
`;
// What the first check of all makes once, made on a match of one row before any file is there.
const WARM = `
import json
match = b" 1 point match\\n\\n Game 1\\n A : 0              B : 0\\n  1) 31: 8/5 6/5    54: 6/2\\n"
files = [{"path": "a.mat", "root": "a.mat", "size": len(match)}]
head = json.dumps({"ask": "check", "options": {}, "files": files}).encode()
list(answers(len(head).to_bytes(4, "big") + head + match))
`;
const SOON = `
from bganalyze.serving import explanations, conversions, repairs, reports
`;
const IDLE = 1000; // Milliseconds after which it may be that nothing will be asked at once.

const fetched = async (name) => {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.arrayBuffer();
};

const load = async () => {
  const [python, program] = await Promise.all([loadPyodide({ indexURL: "./pyodide/" }), fetched("program.zip")]);
  python.unpackArchive(program, "zip", { extractDir: "/program" });
  return { python, answers: python.runPython(START) };
};

const loaded = load();
loaded.then(
  ({ python }) => {
    self.postMessage({ ready: true });
    python.runPython(WARM);
    setTimeout(() => python.runPython(SOON), IDLE);
  },
  (error) => self.postMessage({ failed: String(error.message ?? error) }),
);

self.onmessage = async ({ data: { number, ask, body, counts } }) => {
  try {
    const { python, answers } = await loaded;
    if (counts && COUNTING.includes(ask)) await python.loadPackage(PACKAGES);
    const bytes = new Uint8Array(await body.arrayBuffer());
    for (const line of answers(bytes)) self.postMessage({ number, line });
    self.postMessage({ number, done: true });
  } catch (error) {
    const message = `this is more than the browser can do: ${error.message ?? error}`;
    self.postMessage({ number, line: JSON.stringify({ kind: "refused", message }), broken: true });
  }
};
