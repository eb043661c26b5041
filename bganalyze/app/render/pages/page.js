// Sorts tables by clicks on headings, filters long tables, and starts the match viewer (playback.js).
// The page is complete without this script.
const figure = (cell) => {
  const found = cell.firstChild ? cell.firstChild.textContent.replace(/,/g, "").match(/^\s*-?\d+(\.\d+)?/) : null;
  return found ? Number(found[0]) : null;
};
const compare = (one, other, column) => {
  const [a, b] = [one.cells[column], other.cells[column]];
  const [x, y] = [figure(a), figure(b)];
  if (x !== null && y !== null) return x - y;
  if (x !== null || y !== null) return x === null ? 1 : -1;
  return a.textContent.localeCompare(b.textContent);
};
const sort = (heading, column) => {
  const rising = heading.getAttribute("aria-sort") !== "ascending";
  for (const each of heading.parentNode.cells) each.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", rising ? "ascending" : "descending");
  const body = heading.closest("table").tBodies[0];
  const rows = [...body.rows].sort((a, b) => (rising ? 1 : -1) * compare(a, b, column));
  body.append(...rows);
};
for (const heading of document.querySelectorAll("thead th")) {
  if (!heading.textContent) continue;
  const button = document.createElement("button");
  button.type = "button";
  button.append(...heading.childNodes);
  heading.append(button);
  button.addEventListener("click", () => sort(heading, heading.cellIndex));
}
// A search box above each long table filters its rows by their words.
const FEW = 12;
const wordsOf = (row) => [...row.cells].filter((cell) => !cell.classList.contains("n")).map((cell) => cell.textContent).join(" ").toLowerCase();
const filtered = (table) => {
  const rows = [...table.tBodies[0].rows];
  const [box, label, input, count] = ["p", "label", "input", "output"].map((name) => document.createElement(name));
  box.className = "filter";
  input.type = "search";
  label.append("Only rows with ", input);
  box.append(label, count);
  input.addEventListener("input", () => {
    const wanted = input.value.trim().toLowerCase();
    for (const row of rows) row.hidden = !wordsOf(row).includes(wanted);
    const shown = rows.filter((row) => !row.hidden).length;
    count.textContent = wanted ? `${shown} of ${rows.length} rows` : "";
  });
  table.closest(".wide").before(box);
};
for (const table of document.querySelectorAll(".wide table")) {
  if (table.tBodies[0].rows.length > FEW) filtered(table);
}
for (const root of document.querySelectorAll(".match-player")) {
  document.documentElement.classList.add("live");
  matchPlayer(root, JSON.parse(root.querySelector("script").textContent));
}
// In a frame with `srcdoc`, a link to a fragment would load the surrounding page.
if (location.href.startsWith("about:srcdoc")) {
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='#']");
    if (!link || event.defaultPrevented) return;
    event.preventDefault();
    location.hash = link.getAttribute("href");
  });
}
// The page around a report may ask for a position of its match.
addEventListener("message", ({ source, data }) => {
  if (source === parent && typeof data?.place === "string") location.hash = data.place;
});
addEventListener("beforeprint", () => {
  for (const each of document.querySelectorAll("details:not(.background)")) each.open = true;
});
// A link to a closed part opens it.
const openLinked = () => {
  const part = document.getElementById(location.hash.slice(1));
  if (part?.matches("details")) part.open = true;
};
addEventListener("hashchange", openLinked);
openLinked();
