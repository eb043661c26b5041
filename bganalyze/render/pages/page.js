// Tables are sorted by a click on a heading, and errors are gone through one by one. The page says
// all it has to say without this.
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
const made = (tag, text, rest) => Object.assign(document.createElement(tag), { textContent: text, ...rest });
const choice = (people) => {
  const select = made("select", "", { ariaLabel: "Whose errors" });
  select.append(made("option", "Everybody", { value: "" }), ...people.map((name) => made("option", name, { value: name })));
  return select;
};
const oneByOne = (steps) => {
  const every = [...steps.querySelectorAll(".diagram")];
  const buttons = ["Previous", "Next", "Show all"].map((text) => made("button", text, { type: "button" }));
  const [previous, next, all] = buttons;
  const place = made("output", "");
  const whose = choice([...new Set(every.map((diagram) => diagram.dataset.whose))].sort());
  const controls = made("div", "", { className: "controls" });
  controls.append(previous, place, next, whose, all);
  steps.querySelector(".title").after(controls);
  let chosen = every;
  let now = 0;
  const show = (wanted) => {
    now = Math.max(0, Math.min(wanted, chosen.length - 1));
    for (const diagram of every) diagram.classList.toggle("now", diagram === chosen[now]);
    const title = made("span", ": " + chosen[now].querySelector("h3").textContent, { className: "spoken" });
    place.replaceChildren(`${now + 1} of ${chosen.length}`, title);
    previous.setAttribute("aria-disabled", now === 0);
    next.setAttribute("aria-disabled", now === chosen.length - 1);
  };
  const choose = () => {
    chosen = every.filter((diagram) => !whose.value || diagram.dataset.whose === whose.value);
    for (const diagram of every) {
      const index = chosen.indexOf(diagram);
      diagram.classList.toggle("other", index < 0);
      diagram.classList.toggle("later", index >= Number(steps.dataset.first));
    }
    steps.querySelector(".rest").hidden = chosen.length <= Number(steps.dataset.first);
    show(0);
  };
  const single = (wanted) => {
    steps.classList.toggle("single", wanted);
    all.setAttribute("aria-pressed", !wanted);
    for (const each of [previous, place, next]) each.hidden = !wanted;
  };
  previous.addEventListener("click", () => show(now - 1));
  next.addEventListener("click", () => show(now + 1));
  whose.addEventListener("change", choose);
  all.addEventListener("click", () => single(!steps.classList.contains("single")));
  steps.addEventListener("keydown", (event) => {
    const targets = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: chosen.length - 1 };
    const modified = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    const elsewhere = modified || event.target === whose || !steps.classList.contains("single");
    if (elsewhere || !(event.key in targets)) return;
    event.preventDefault();
    show(targets[event.key]);
  });
  choose();
  single(true);
};
document.querySelectorAll(".steps").forEach(oneByOne);
addEventListener("beforeprint", () => {
  for (const each of document.querySelectorAll("details")) each.open = true;
});
