// An engine's analysis beside the match viewer (playback.js): the candidates of a position, the mistakes
// to step through, and the course of the match. All figures come from Python
// (app/render/playback_analysis.py).

const LEAST_MARKED = 0.03; // Losses (EMG) above this have a mark of GNU Backgammon.
const CHANCES = [
  ["Win", "Wins, percent"],
  ["G", "Wins a gammon, percent"],
  ["BG", "Wins a backgammon, percent"],
  ["−G", "Loses a gammon, percent"],
  ["−BG", "Loses a backgammon, percent"],
];
const sign = (text) => text.replace(/(^|[ (])-(?=\d)/g, "$1−");

// Candidates and cube actions of a position.

const tag = (look, text) => part("span", `tag ${look}`, text);
const figures = (choice, hasChances) => {
  const cells = [part("td", "", sign(choice.equity)), part("td", "", sign(choice.difference))];
  if (hasChances) cells.push(...CHANCES.map((_, index) => part("td", "chance", choice.chances.length ? (choice.chances[index] / 10).toFixed(1) : "")));
  return cells;
};
const tableHead = (decision, hasChances) => {
  const head = part("thead");
  const line = part("tr");
  const heads = [[decision.kind === "play" ? "Play" : "Action", ""], ["Equity", "Equity (EMG)"], ["Diff.", "Difference to the best (EMG)"], ...(hasChances ? CHANCES : [])];
  line.append(...heads.map(([text, title]) => part("th", "", text, { scope: "col", title, ...(title && { ariaLabel: title }) })));
  head.append(line);
  return head;
};
// `pressed` is the choice on the board, and `choose` puts another there.
const decisionTable = (decision, pressed, choose) => {
  const hasChances = decision.choices.some((choice) => choice.chances.length);
  const body = part("tbody");
  for (const choice of decision.choices) {
    const line = part("tr", [choice.made && "made", choice.best && "best"].filter(Boolean).join(" "));
    const name = part("th", "", "", { scope: "row" });
    if (choice.after === null) name.append(decision.kind === "play" ? choice.text : capital(choice.text));
    else name.append(part("button", "", choice.text, { type: "button", ariaPressed: pressed(choice), onclick: () => choose(choice) }));
    if (choice.made) name.append(" ", tag("done", decision.kind === "play" ? "played" : "made"));
    if (choice.best && decision.kind !== "play") name.append(" ", tag("correct", "right"));
    line.append(name, ...figures(choice, hasChances));
    body.append(line);
  }
  const table = part("table", "choices");
  table.append(part("caption", "spoken", capital(decision.title)), tableHead(decision, hasChances), body);
  return table;
};
const decisionCard = (decision, pressed, choose) => {
  const card = part("article", `decision ${decision.severity}`);
  const about = decision.lines.map(capital).join(". ");
  card.append(part("p", "title", capital(decision.title)), ...(about ? [part("p", "about", sign(about))] : []), decisionTable(decision, pressed, choose));
  return card;
};

// The mistakes to step through: whose, and how large. `change` is called after each choice.

const mistakeFilter = (data, hasFindings, change) => {
  const chosen = { whose: hasFindings ? "all" : "both", least: LEAST_MARKED };
  const options = [...(hasFindings ? [["all", "Findings and errors"]] : []), ["both", "Errors of both"], ...data.names.map((name, seat) => [String(seat), `Errors of ${name}`])];
  const whose = part("select", "", "", { ariaLabel: "Mistakes to step through" });
  whose.append(...options.map(([value, text]) => part("option", "", text, { value })));
  const least = part("input", "", "", { type: "number", min: 0, max: 9, step: 0.01, value: LEAST_MARKED, ariaLabel: "Least loss (EMG)", inputMode: "decimal" });
  const count = part("output");
  whose.onchange = () => {
    chosen.whose = whose.value;
    change();
  };
  least.oninput = () => {
    chosen.least = least.value === "" || !(least.valueAsNumber >= 0) ? LEAST_MARKED : least.valueAsNumber;
    change();
  };
  const limit = part("label", "", "≥ ");
  limit.append(least);
  const bar = part("div", "mistakes", "", { role: "group", ariaLabel: "Mistakes" });
  bar.append(whose, limit, count);
  const counts = (decision) =>
    decision.severity !== "" && decision.loss > 0 && decision.loss >= chosen.least && [String(decision.seat), "both", "all"].includes(chosen.whose);
  return { bar, counts, findings: () => chosen.whose === "all", tell: (number) => (count.textContent = `${number} ${number === 1 ? "error" : "errors"}`) };
};

// The course of the match: chances, luck and turning points.

const CAUSES = [["dice", "Rolls"], ["play", "Plays"], ["cube", "Cube actions"]];
const LONGEST_BAR = { "%": 12, points: 1 };
const [RESTING, FARTHEST] = [1, 6]; // Positions without a known chance that a line may cross.
const fraction = (value, digits, unit) => `${sign(value.toFixed(digits))} ${unit === "%" ? "%" : Number(value.toFixed(digits)) === 1 ? "point" : "points"}`;
const signed = (value, unit) => (value > 0 ? "+" : "") + fraction(value, unit === "%" ? 1 : 2, unit);

const courseFigure = (data, games, sequence, addressOf, go) => {
  const { course } = data;
  const known = sequence.map(({ frame }) => frame.chance);
  const largest = course.unit === "%" ? 0 : Math.max(1, ...known.map((chance) => Math.abs(chance ?? 0)));
  const height = (chance) => (course.unit === "%" ? 100 - chance : 50 - (50 * chance) / largest);
  const right = (at) => (100 * (at + 0.5)) / sequence.length;

  const firsts = games.map((_, number) => sequence.findIndex((entry) => entry.game === number));
  const points = [];
  for (const [at, { index, game }] of sequence.entries()) {
    const start = course.starts[games[game].number];
    if (index === 0 && start !== null && start !== undefined) points.push([at - 0.5, start, true]);
    if (known[at] !== null) points.push([at, known[at], false]);
  }
  let line = "";
  let area = "";
  let last = null;
  for (const [at, chance, begins] of points) {
    const place = `${right(at)} ${height(chance)}`;
    const joined = last !== null && (begins ? course.unit === "%" && at - last <= RESTING : at - last <= FARTHEST);
    if (!joined && last !== null) area += `V${height(0)}Z`;
    line += `${joined ? "L" : "M"}${place}`;
    area += joined ? `L${place}` : `M${right(at)} ${height(0)}V${height(chance)}`;
    last = at;
    if (points.at(-1)[0] === at) area += `V${height(0)}Z`;
  }
  const picture = drawn("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" },
    ...firsts.map((at, number) => drawn("rect", { class: number % 2 ? "game odd" : "game", x: right(at - 0.5), y: 0, width: right((firsts[number + 1] ?? sequence.length) - 0.5) - right(at - 0.5), height: 100 })),
    drawn("path", { class: "filled", d: area }), drawn("path", { class: "middle", d: "M0 50H100" }), drawn("path", { class: "line", d: line }));

  const lucks = sequence.map(({ frame }) => frame.luck);
  const rolls = sequence.filter(({ frame }) => frame.dice);
  const most = LONGEST_BAR[course.unit];
  const bars = drawn("svg", { class: "luck", viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" },
    drawn("path", { class: "middle", d: "M0 50H100" }),
    ...lucks.flatMap((luck, at) => {
      if (!luck) return [];
      const length = 50 * Math.min(Math.abs(luck) / most, 1);
      const place = { x: right(at) - 40 / sequence.length, width: 80 / sequence.length, y: luck > 0 ? 50 - length : 50, height: length };
      return [drawn("rect", { class: SIDES[sequence[at].frame.seat], ...place })];
    }));
  const counted = lucks.filter((luck) => luck !== null).length;

  const places = new Map(sequence.map(({ frame }, at) => [frame.place, at]));
  const plot = part("div", "plot", "", { role: "img", ariaLabel: describedCourse(data, points) });
  const cursor = part("i", "cursor");
  const dots = course.turning.flatMap((turn) => {
    const at = places.get(turn.place);
    if (at === undefined || known[at] === null) return [];
    const dot = part("i", `dot ${turn.cause} ${SIDES[turn.seat]}`);
    Object.assign(dot.style, { left: `${right(at)}%`, top: `${height(known[at])}%` });
    return [dot];
  });
  const chances = part("div", "chances");
  chances.append(picture, part("bdi", "top", data.names[0]), part("bdi", "bottom", data.names[1]), ...dots);
  plot.append(chances, ...(counted ? [bars] : []), cursor);
  plot.onclick = (event) => {
    const box = plot.getBoundingClientRect();
    go(Math.floor((sequence.length * (event.clientX - box.left)) / box.width));
  };

  const now = part("span", "now");
  const title = part("figcaption");
  title.append(part("strong", "", course.unit === "%" ? "Match-winning chances" : "Points expected"), now);
  const legend = `Bars: luck of the rolls, up in favor of ${data.names[0]}, at most ${fraction(most, 0, course.unit)} long`;
  const unknown = rolls.length - counted;
  const luck = counted === 0 ? "The luck of the rolls is not known" : unknown ? `${legend}; that of ${unknown} of ${rolls.length} rolls is not known` : legend;
  const figure = part("figure", "course");
  figure.append(title, plot, part("p", "about", `${luck}. ${course.engine}.`), turningPoints(data, places, sequence, games, addressOf));
  const mark = (at) => {
    cursor.style.left = `${right(at)}%`;
    now.textContent = known[at] === null ? "" : `${data.names[0]} ${fraction(known[at], course.unit === "%" ? 1 : 2, course.unit)}`;
  };
  return { figure, mark };
};
const describedCourse = (data, points) => {
  if (!points.length) return "The chances are not known.";
  const unit = data.course.unit;
  const words = (point) => fraction(point[1], unit === "%" ? 1 : 2, unit);
  const what = unit === "%" ? "Match-winning chance" : "Points expected";
  return `${what} of ${data.names[0]}: from ${words(points[0])} to ${words(points.at(-1))}. The largest changes are listed below.`;
};
const turningPoints = (data, places, sequence, games, addressOf) => {
  const lists = part("div", "turning");
  for (const [cause, heading] of CAUSES) {
    const turns = data.course.turning.filter((turn) => turn.cause === cause && places.has(turn.place));
    if (!turns.length) continue;
    const box = part("div");
    const list = part("ol", "", "", { ariaLabel: `Turning points: ${heading}` });
    list.append(...turns.map((turn) => {
      const { frame, game } = sequence[places.get(turn.place)];
      const item = part("li");
      const link = part("a", "", `${games[game].title.split(",")[0]}${frame.row ? `, row ${frame.row}` : ""}`, { href: `#${addressOf(frame)}` });
      item.append(part("span", "change", signed(turn.change, data.course.unit)), " ", part("bdi", "", data.names[turn.seat]), ` ${turn.text} `, link);
      return item;
    }));
    box.append(part("p", "", heading), list);
    lists.append(box);
  }
  return lists;
};
