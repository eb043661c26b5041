// The card of a file: its findings with their boards, and the actions on it.
import { button, bytes, counted, drawing, el, number, save, working } from "./dom.js";

const SEVERITIES = ["error", "warning", "info"];
const MOST_OFFERED = 5;
const LONG_DIFF = 24; // Lines of changes that are hidden at first, because the boards are below.

/** Return the highest severity of a file's findings, `none`, `skipped` or `unread`. */
export const worstSeverity = ({ problem, skipped, findings }) => {
  if (problem) return skipped ? "skipped" : "unread";
  return SEVERITIES.find((severity) => findings.some((finding) => finding.severity === severity)) ?? "none";
};

const counts = (findings) =>
  SEVERITIES.map((severity) => [severity, findings.filter((finding) => finding.severity === severity).length])
    .filter(([, count]) => count)
    .map(([severity, count]) => el("span", { className: `count ${severity}` }, counted(count, severity)));

/** Return the card of a checked file. `program` sends requests about it and shows pages. */
export const fileCard = (checked, source, program) => {
  const name = el("span", { className: "name" }, el("bdi", {}, checked.title));
  if (checked.problem) return el("li", { className: "card unread" }, name, el("p", { className: "note" }, checked.problem));
  const first = checked.findings[0];
  const headline = first ? el("span", { className: "first" }, `${first.where ? `${first.where}: ` : ""}${first.message}`) : null;
  const summary = el("summary", {}, name, el("span", { className: "counts" }, ...counts(checked.findings)), headline);
  const details = el("details", { className: "card" }, summary);
  details.addEventListener("toggle", () => details.open && fill(details, checked, source, program), { once: true });
  return el("li", {}, details);
};

const fill = (details, checked, source, program) => {
  const about = (ask, options = {}) => (signal) => program.ask(ask, { ...options, path: checked.path }, [source], signal);
  const version = versionOf(checked, about);
  const work = el("div", { className: "works", ariaLive: "polite" });
  const actions = el("div", { className: "choose" }, ...actionsOf(checked, version, work, program));
  const findings = el("div", { className: "boards" });
  const waiting = el("div");
  const results = checked.results.map((words) => el("p", { className: "note" }, `${words}.`));
  details.append(el("div", { className: "inside" }, ...checked.disputes.map(asDispute), ...results, actions, version.words, work, waiting, findings));
  if (!checked.findings.length) {
    findings.replaceWith(el("p", { className: "note" }, `No findings in ${counted(checked.turns, "turn")}.`));
    return;
  }
  findings.append(...checked.findings.map(asText));
  working(waiting, "Drawing the boards", async (signal) => {
    let place = findings.firstElementChild;
    for await (const explained of about("explain")(signal)) {
      const diagram = asDiagram(explained, (work) => playThrough(about, work, program, explained.place));
      place.replaceWith(diagram);
      place = diagram.nextElementSibling;
    }
  });
};

/** Return the disputed result of a match: its readings side by side, and notes. */
const asDispute = ({ players, tables, notes }) => {
  const row = (cells, tag) => el("tr", {}, ...cells.map((words, place) => (place ? el(tag, tag === "th" ? { scope: "col" } : {}, words) : el(words ? "th" : "td", words ? { scope: "row" } : {}, words))));
  const asTable = ([headings, ...rows]) => el("table", { className: "plain" }, el("thead", {}, row(headings, "th")), el("tbody", {}, ...rows.map((cells) => row(cells, "td"))));
  return el("section", { className: "opening" }, el("h3", {}, `Disputed: ${players}`), ...tables.map(asTable), el("ul", { className: "note" }, ...notes.map((words) => el("li", {}, sentence(words)))));
};

const sentence = (words) => `${words[0].toUpperCase()}${words.slice(1)}${words.endsWith(".") ? "" : "."}`;

/** Return the version of the match that the buttons of a card use: that of the file, or the repaired one. */
const versionOf = (checked, about) => {
  const words = el("p", { className: "version", role: "status", hidden: true });
  const version = { words, chosen: [], hasProse: checked.prose > 0, about: (ask, options = {}) => about(ask, version.chosen.length ? { ...options, chosen: version.chosen } : options), original: about };
  version.use = (chosen) => {
    version.chosen = chosen;
    words.hidden = !chosen.length;
    const back = button("Use the file as it was", () => version.use([]));
    words.replaceChildren(...(chosen.length ? [el("strong", {}, "Report and Save as now use the repaired match."), ` ${checked.title} itself is not changed. `, back] : []));
  };
  return version;
};

/** Return a title that begins with the code of a rule, as a link to what its findings mean. */
const ruleLink = (title) => el("a", { href: `rules.html#${title.split(" ")[0]}`, target: "_blank", rel: "noopener", title: "What this finding means" }, title);

const asText = ({ code, severity, message, where, line }) =>
  el("article", { className: `diagram ${severity}` }, el("h3", {}, ruleLink(`${code} ${severity}`)), el("p", {}, message), el("p", { className: "when" }, [where, `line ${line}`].filter(Boolean).join(", ")));

/** Return a finding with its boards; `play` opens the match viewer at its action. */
const asDiagram = ({ title, tone, boards, line, facts, place }, play) => {
  const views = boards.map(([words, svg]) => el("div", {}, words ? el("p", { className: "when" }, words) : null, drawing(svg)));
  const shown = views.length ? el("div", { className: "views" }, ...views) : null;
  const work = el("div", { className: "work" });
  const opening = place ? el("div", { className: "choose" }, button("Play through from here", () => play(work)), work) : null;
  const rows = facts.map(([label, words]) => el("div", label === "Position" ? { className: "id" } : {}, el("dt", {}, label), el("dd", {}, words)));
  return el("article", { className: `diagram ${tone}` }, el("h3", {}, ruleLink(title)), shown, line ? el("pre", { tabIndex: 0 }, line) : null, el("dl", {}, ...rows), opening);
};

/** Yield the actions on a file. Each has its own place, so that one does not cancel another. */
function* actionsOf(checked, version, works, program) {
  const { about } = version;
  const action = (words, act) => {
    const work = el("div", { className: "work" });
    works.append(work);
    return button(words, () => act(work));
  };
  yield action("Report: play through, save, send", (work) => playThrough(about, work, program));
  if (checked.repairable) yield action("Find repairs", (work) => propose(version, work, program));
  if (program.about.analyze) yield action("Analyze with an engine", (work) => analyze(version.original, work));
  const formats = program.about.writers.map(({ name, title }) => el("option", { value: name }, title));
  const format = el("select", { ariaLabel: "Format" }, ...formats);
  const words = el("span", { className: "about-choice", role: "status" });
  const explain = () => (words.textContent = program.about.writers.find(({ name }) => name === format.value).about);
  format.addEventListener("change", explain);
  explain();
  const bare = el("input", { type: "checkbox", checked: true });
  yield el("span", { className: "pair" }, action("Save as", (work) => convert(version, work, { to: format.value, prose: !bare.checked })), format);
  if (checked.prose) yield el("label", { className: "bare" }, bare, `without the text around the match (${counted(checked.prose, "line")})`);
  yield words;
}

const playThrough = (about, work, program, place = "") =>
  working(work, "Writing the report", async (signal) => {
    for await (const page of about("report")(signal)) program.showPage(page, place);
  });

const convert = (version, work, options) =>
  working(work, "Converting", async (signal) => {
    const which = version.chosen.length ? "the repaired match" : "the match as it stands in the file, without repairs";
    for await (const { name, data, losses } of version.about("convert", options)(signal)) {
      save(name, bytes(data));
      const lost = losses.map((words) => el("li", {}, words));
      work.append(el("p", { className: "note" }, `Saved as ${name}: ${which}.${lost.length ? " This format loses:" : ""}`), el("ul", { className: "note" }, ...lost));
    }
  });

const analyze = (about, work) =>
  working(work, "Analyzing", async (signal) => {
    const progress = work.querySelector("progress");
    const analyzed = { done: 0, met: 0 };
    const list = el("ul", { className: "mistakes" });
    work.append(list);
    for await (const event of about("analyze")(signal)) {
      if (event.kind === "met") analyzed.met += event.decisions;
      if (event.kind === "analyzed") analyzed.done += event.decisions;
      if (analyzed.met) [progress.max, progress.value] = [analyzed.met, analyzed.done];
      if (event.kind === "mistake") list.append(el("li", {}, event.line));
      if (event.kind === "rates") work.append(el("pre", { tabIndex: 0 }, event.text));
    }
    work.append(el("p", { className: "note" }, "Saved: the report of this match now includes the analysis."));
  });

// Repair: each error with its proposals, one of which can be chosen; proved proposals are preselected.

const propose = (version, work, program) =>
  working(work, "Searching for repairs", async (signal) => {
    const form = el("form", { className: "causes" });
    work.append(form);
    for await (const event of version.original("propose")(signal)) if (event.kind === "cause") form.append(causeOf(event));
    if (!form.childElementCount) {
      form.replaceWith(el("p", { className: "note" }, "No repair was found for this file."));
      return;
    }
    const outcome = el("div", { className: "outcome" });
    form.append(el("div", { className: "choose" }, el("button", { type: "submit", className: "main" }, "Apply the chosen repairs")), outcome);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const chosen = [...form.querySelectorAll("input:checked")].map(({ value }) => value.split(".").map(Number)).filter((choice) => choice.length === 2);
      repair(version, outcome, chosen, program);
    });
  });

const causeOf = ({ number: cause, code, severity, message, where, note, proposals }) => {
  const ways = proposals.slice(0, MOST_OFFERED).map(({ text, proved }, index) => way(cause, `${cause}.${index + 1}`, text, proved));
  const others = proposals.length - ways.length;
  const legend = el("legend", {}, el("strong", {}, `${code} ${severity}`), ` ${message}`, where ? el("span", { className: "when" }, ` ${where}`) : null);
  return el("fieldset", {}, legend, note ? el("p", { className: "note" }, note) : null, ...ways, way(cause, "", "leave unchanged", !proposals.some(({ proved }) => proved)), others > 0 ? el("p", { className: "note" }, `and ${number(others)} more`) : null);
};

const way = (cause, value, words, checked) =>
  el("label", { className: "way" }, el("input", { type: "radio", name: `cause-${cause}`, value, checked }), el("span", {}, words));

const repair = (version, outcome, chosen, program) => {
  version.use([]);
  if (!chosen.length) {
    outcome.replaceChildren(el("p", { className: "note" }, "No repair is chosen."));
    return;
  }
  working(outcome, "Repairing", async (signal) => {
    for await (const repaired of version.original("repair", { chosen })(signal)) {
      const { name, data, diff, errorsBefore, errorsAfter, leftOut } = repaired;
      const before = errorsBefore === errorsAfter ? "" : `, ${number(errorsBefore)} before`;
      const left = leftOut.length ? ` Left out, because they would not reduce the errors: ${leftOut.join(", ")}.` : "";
      version.use(chosen);
      outcome.append(
        el(
          "div",
          { className: "choose" },
          el("p", { className: "outcome-words" }, `${counted(errorsAfter, "error")} left${before}.${errorsAfter ? " Check the repaired file to see what is left." : ""}${left}`),
          button(`Save ${name}`, () => save(name, bytes(data)), "main"),
          button("Check the repaired file", () => program.check([repairedFile(name, data)])),
        ),
        el("p", { className: "note" }, `${name} is the whole file with these lines changed. For the match in another format${version.hasProse ? " or without the text around it" : ""}, use Save as above.`),
        diff.length ? el("details", { open: diff.length < LONG_DIFF }, el("summary", {}, "The changed lines"), el("pre", { className: "diff", tabIndex: 0 }, ...diff.map(diffLine))) : "",
      );
    }
  });
};

const diffLine = (line) => el("span", { className: { "+": "put", "-": "taken", "@": "place" }[line[0]] ?? "" }, `${line}\n`);

const repairedFile = (name, data) => {
  const path = `repaired/${name}`;
  return { path, root: path, file: new File([bytes(data)], name), isRepaired: true };
};
