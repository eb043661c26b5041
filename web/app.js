// The page: it takes files, asks the program about each, and shows the answers.
import { pyodideBackend, serverBackend } from "./backends.js";
import { fileCard, worstSeverity } from "./cards.js";
import { button, counted, el, endAllWork, number, save, working } from "./dom.js";
import { chosenFiles, droppedFiles, exampleFile } from "./files.js";

const at = (id) => document.getElementById(id);
const about = JSON.parse(at("about").textContent);

const GROUPS = [
  ["error", "Errors"],
  ["warning", "Warnings"],
  ["info", "Remarks"],
  ["unread", "Could not be read"],
  ["none", "No findings"],
  ["skipped", "No match files"],
];
const FEW = 3;
const MOST_SHOWN = 500;
const OFTEN = 500;

const state = { sources: [], checked: [], waiting: [], ending: null, isReady: false };

// The program, in this browser or on the server.

const isLocal = about.backend === "server";

const token = () => {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) sessionStorage.setItem("token", given);
  return given ?? sessionStorage.getItem("token") ?? "";
};

const ready = (how) => {
  state.isReady = true;
  document.documentElement.dataset.ready = how;
  keepOffline();
  if (!state.ending) at("run").hidden = true;
};

/** Cache the page and its files for use offline, once the program has started. */
const keepOffline = () => {
  if (!isLocal && "serviceWorker" in navigator) navigator.serviceWorker.register("sw.js");
};

const onReload = () => {
  state.isReady = false;
  delete document.documentElement.dataset.ready;
};

const failed = (reason) => {
  at("run").hidden = true;
  complain(`The program could not be loaded (${reason}). Reload the page; if that does not help, use a newer browser: Chrome, Edge, Firefox or Safari of the last two years.`);
};

const backend = isLocal ? serverBackend(token(), ready) : pyodideBackend(about, { ready, failed, onReload });

const complain = (words) => {
  at("problem").textContent = words;
  at("problem").hidden = false;
};

const options = () => ({ rules: at("rules").value });

const sizeOf = (files) => files.reduce((sum, { file }) => sum + file.size, 0);

const program = {
  about,
  async *ask(ask, asked, files, signal) {
    if (sizeOf(files) > about.mostSent) throw new Error(about.tooMuch);
    for await (const event of backend.ask(ask, { ...options(), ...asked }, files, signal)) {
      if (signal?.aborted) throw new Error("cancelled"); // Events already received are no longer wanted.
      yield event;
    }
  },
  check: (files) => take(files),
  showPage: (page, place) => showPage(page, place),
};

// Checking: one file after another, so that a slow one delays no results.

const take = (files) => {
  at("problem").hidden = true;
  if (!files.length) {
    complain("No files were found there.");
    return;
  }
  state.sources.push(...files);
  state.waiting.push(...files);
  if (!state.ending) checkAll();
};

const checkAll = async () => {
  const ending = (state.ending = new AbortController());
  at("results").hidden = false;
  let done = 0;
  while (state.waiting.length && !ending.signal.aborted) {
    const source = state.waiting.shift();
    progress(done, done + 1 + state.waiting.length, source.path);
    await check(source, ending.signal);
    done += 1;
  }
  if (state.ending !== ending) return; // A new run has begun meanwhile, and the waiting files belong to it.
  const left = state.waiting.splice(0).length;
  state.ending = null;
  at("run").hidden = at("cancel").hidden = true;
  summarize(left);
};

const check = async (source, signal) => {
  try {
    for await (const checked of program.ask("check", {}, [source], signal)) show(checked, source);
  } catch (error) {
    if (!signal.aborted) show({ path: source.path, title: source.path, problem: error.message, skipped: false, findings: [] }, source);
  }
};

let saidAt = 0;
const progress = (done, all, path) => {
  at("run").hidden = at("cancel").hidden = false;
  at("progress").max = all;
  at("progress").value = done;
  at("progress-words").textContent = state.isReady ? `Checking ${number(done + 1)} of ${counted(all, "file")}: ${path}` : loading();
  if (performance.now() - saidAt < OFTEN) return;
  saidAt = performance.now();
  summarize(0);
};

const loading = () => `Loading the program (${about.megabytes} MB, the first time only). You can drop files already.`;

// Results.

const show = (checked, source) => {
  state.checked.push(checked);
  const kind = worstSeverity(checked);
  const group = groups.get(kind);
  group.held.push([checked, source]);
  group.count += 1;
  group.section.hidden = false;
  group.title.textContent = `${group.words} (${counted(group.count, "file")})`;
  if (group.count <= MOST_SHOWN) showMore(group);
  else offerMore(group);
  const details = group.list.lastElementChild.querySelector("details");
  if (details && kind === "error" && state.sources.length <= FEW) details.open = true;
  if (source.isRepaired) group.list.lastElementChild.scrollIntoView({ block: "start" }); // It may be far below.
};

/** Show the next cards of a group; a page with tens of thousands of cards would be slow. */
const showMore = (group) => {
  group.list.append(...group.held.splice(0, MOST_SHOWN).map(([checked, source]) => fileCard(checked, source, program)));
  offerMore(group);
};

const offerMore = ({ held, more }) => {
  more.hidden = !held.length;
  more.textContent = `Show ${number(Math.min(held.length, MOST_SHOWN))} of ${number(held.length)} more`;
};

const groups = new Map();
const makeGroups = () => {
  groups.clear();
  at("groups").replaceChildren(
    ...GROUPS.map(([kind, words]) => {
      const title = el("h2", { id: `group-${kind}` });
      const list = el("ul", { className: "cards" });
      const more = button("", () => showMore(group), "more");
      const section = el("section", { className: `group ${kind}`, hidden: true }, title, list, more);
      section.setAttribute("aria-labelledby", title.id);
      const group = { section, title, list, more, words, held: [], count: 0 };
      groups.set(kind, group);
      return section;
    }),
  );
};

const summarize = (left) => {
  const sum = { error: 0, warning: 0, info: 0 };
  for (const { findings } of state.checked) for (const { severity } of findings) sum[severity] += 1;
  const read = state.checked.filter(({ problem }) => !problem).length;
  const parts = [`${counted(read, "file")} checked`];
  const unread = state.checked.filter(({ problem, skipped }) => problem && !skipped).length;
  if (unread) parts.push(`${number(unread)} could not be read`);
  if (state.checked.length - read - unread) parts.push(`${number(state.checked.length - read - unread)} skipped`);
  for (const [severity, count] of Object.entries(sum)) if (count) parts.push(counted(count, severity));
  if (read && !sum.error && !sum.warning && !sum.info) parts.push("no findings");
  if (left) parts.push(`cancelled: ${number(left)} not checked`);
  at("sum").textContent = parts.join(", ");
  if (!state.ending) at("spoken").textContent = at("sum").textContent;
};

const clearResults = () => {
  state.ending?.abort();
  state.ending = null;
  endAllWork();
  at("run").hidden = state.isReady;
  at("cancel").hidden = true;
  state.waiting = [];
  state.checked = [];
  at("all-work").replaceChildren();
  makeGroups();
};

// A report or statistics, in a sandboxed frame.

let shownPage = null;
/** Show a page; `place` is the position at which its match viewer opens, if not the usual one. */
const showPage = (page, place = "") => {
  shownPage = page;
  at("frame-title").textContent = page.name;
  const frame = renewFrame(page.html);
  if (place) frame.addEventListener("load", () => frame.contentWindow.postMessage({ place }, "*"), { once: true });
  at("frame").showModal();
};

/** Replace the frame: another page in the same one would be a step in the browser's history, and "back" would leave it empty. */
const renewFrame = (html) => {
  const frame = at("frame-page").cloneNode();
  if (html === null) frame.removeAttribute("srcdoc");
  else frame.srcdoc = html;
  at("frame-page").replaceWith(frame);
  return frame;
};

at("frame-save").addEventListener("click", () => save(shownPage.name, shownPage.html, "text/html"));
at("frame-close").addEventListener("click", () => at("frame").close());
at("frame").addEventListener("close", () => {
  if (!at("frame").open) renewFrame(null); // Another page may have been opened before this event.
});

// Buttons, and dropping files.

const sendable = () => state.sources.filter((source) => sizeOf([source]) <= about.mostSent);

const statistics = () =>
  working(at("all-work"), "Counting", async (signal, say) => {
    for await (const page of program.ask("statistics", {}, sendable(), signal)) {
      if (page.kind === "page") showPage(page);
      else say(page.kind === "loading" ? "Loading the packages for statistics" : `${counted(page.files, "file")} counted`);
    }
  });

const writeProfile = (player) =>
  working(at("all-work"), "Counting", async (signal, say) => {
    const decisions = { met: 0, analyzed: 0 };
    for await (const event of program.ask("profile", { player }, sendable(), signal)) {
      if (event.kind === "page") showPage(event);
      else if (event.kind === "counted") say(`${counted(event.files, "file")} counted`);
      else {
        decisions[event.kind] += event.decisions;
        say(`${number(decisions.analyzed)} of ${counted(decisions.met, "decision")} of both players analyzed`);
      }
    }
  });

const choosePlayer = () =>
  working(at("all-work"), "Looking for players", async (signal, say) => {
    for await (const event of program.ask("profile", {}, sendable(), signal)) {
      if (event.kind === "counted") say(`${counted(event.files, "file")} counted`);
      else {
        const players = el("select", { ariaLabel: "Player" }, ...event.names.map((name) => el("option", { value: name }, name)));
        at("all-work").append(el("p", { className: "choose" }, players, button("Write the profile", () => writeProfile(players.value))));
      }
    }
  });

at("choose-files").addEventListener("click", () => at("files").click());
at("choose-folder").addEventListener("click", () => at("folder").click());
for (const input of [at("files"), at("folder")]) {
  input.addEventListener("change", () => {
    take(chosenFiles(input.files));
    input.value = "";
  });
}
at("try-example").addEventListener("click", async () => {
  try {
    const answer = await fetch("example.mat");
    if (!answer.ok) throw new Error(String(answer.status));
    take([exampleFile(await answer.blob())]);
  } catch {
    complain("The example cannot be loaded. Reload the page, or choose a file of your own.");
  }
});
at("cancel").addEventListener("click", () => state.ending?.abort());
at("statistics").hidden = !about.statistics;
at("statistics").addEventListener("click", statistics);
at("profile").hidden = !isLocal || !about.statistics;
at("profile").addEventListener("click", choosePlayer);
at("elsewhere").hidden = !at("profile").hidden;
at("save-findings").addEventListener("click", () => save("findings.jsonl", state.checked.map(({ jsonl }) => jsonl ?? "").join(""), "application/json"));
at("clear").addEventListener("click", () => {
  clearResults();
  state.sources = [];
  at("results").hidden = true;
  at("choose-files").focus();
});
at("rules").append(...about.ruleBooks.map(({ name, title }) => el("option", { value: name, selected: name === about.rules }, title)));
const explainRules = () => (at("rules-about").textContent = about.ruleBooks.find(({ name }) => name === at("rules").value).about);
explainRules();
at("rules").addEventListener("change", () => {
  explainRules();
  clearResults();
  state.waiting = [...state.sources];
  if (state.waiting.length) checkAll();
});

addEventListener("dragover", (event) => {
  event.preventDefault();
  at("drop").classList.add("over");
});
addEventListener("dragleave", (event) => event.relatedTarget ?? at("drop").classList.remove("over"));
addEventListener("drop", async (event) => {
  event.preventDefault();
  at("drop").classList.remove("over");
  take(await droppedFiles(event.dataTransfer));
});

at("private").textContent = isLocal ? "Nothing is uploaded: your files go to the program on this machine, and nowhere else." : "Nothing is uploaded: your files are read in this browser and stay on this machine.";
const runs = isLocal ? "This page works as long as bganalyze serve is running" : "After the first visit this page works offline";
const counts = about.statistics ? (isLocal ? "." : "; statistics too, once you have opened them.") : ". It has no statistics and no tables in reports; the full program has.";
at("runs-here").textContent = runs + counts;
makeGroups();
at("run").hidden = state.isReady;
at("progress-words").textContent = loading();
