// The match viewer: shows one position after another. It only draws; all boards, before and after
// every play, come from Python (app/render/playback.py), packed (unpack.js).
//
//     matchPlayer(element, packed)
//
// builds the player in an element and returns it; `close()` removes it. Seat 0 is the left player and
// seat 1 the right one. Points are numbered from the ace point of their side; 0 is off, 25 the bar.

// Drawing a board.

const SIDES = ["left", "right"];
const [STEP, RADIUS, STACKED, LEVEL] = [40, 18.5, 5, 38];
const [WIDTH, LEFT, TOP, RIGHT, BOTTOM, TRAY] = [606, 12, 30, 532, 458, 574];
const [MIDDLE, ACROSS_BAR, OFF, BAR] = [(TOP + BOTTOM) / 2, LEFT + 6.5 * STEP, 0, 25];
const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [-1, 1], [1, -1], [1, 1]],
  5: [[-1, -1], [-1, 1], [0, 0], [1, -1], [1, 1]],
  6: [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]],
};

const drawn = (name, attributes, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};
const across = (view, x) => (view.mirrored ? WIDTH - x : x);
const block = (view, look, x, y, width, height, rx = 0) =>
  drawn("rect", { class: look, x: view.mirrored ? WIDTH - x - width : x, y, width, height, rx });
const words = (view, look, x, y, size, text, anchor = "middle") =>
  drawn("text", { class: look, x: across(view, x), y, "font-size": size, "text-anchor": anchor }, text);

// Return the place of a checker on a point, `level` checkers above the first; at most five levels show.
const placed = (view, seat, point, level) => {
  const own = seat === view.bottom;
  if (point === OFF) return [across(view, TRAY), own ? BOTTOM - 3 - 6 * level : TOP + 3 + 6 * level];
  const slot = own ? point : BAR - point;
  const fromRight = Math.min(slot, BAR - slot);
  const x = point === BAR ? ACROSS_BAR : RIGHT - STEP * (fromRight + (fromRight > 6)) + STEP / 2;
  const atBottom = point === BAR ? !own : slot <= 12;
  const height = STEP / 2 - 1 + LEVEL * Math.min(level, STACKED - 1);
  return [across(view, x), atBottom ? BOTTOM - height : TOP + height];
};

const checker = (seat, [x, y], radius, look = "") => [
  drawn("circle", { class: `${SIDES[seat]} ${look}`, cx: x, cy: y, r: radius }),
  drawn("circle", { class: `${SIDES[seat]}-ring ${look}`, cx: x, cy: y, r: 0.62 * radius }),
];

const emptyBoard = (view, seat) => {
  const shapes = [
    block(view, "frame", LEFT - 6, TOP - 6, 13 * STEP + 12, BOTTOM - TOP + 12, 8),
    block(view, "field", LEFT, TOP, 13 * STEP, BOTTOM - TOP),
  ];
  for (let point = 1; point < BAR; point += 1) {
    const [x] = placed(view, view.bottom, point, 0);
    const [y, up] = point <= 12 ? [BOTTOM, -1] : [TOP, 1];
    const tip = up * (STEP * STACKED - 10);
    const look = point % 2 ? "odd" : "even";
    shapes.push(drawn("path", { class: look, d: `M${x - STEP / 2} ${y}h${STEP}l${-STEP / 2} ${tip}z` }));
    const number = seat === view.bottom ? point : BAR - point;
    shapes.push(words({}, "number", x, y - up * 17, 15, number));
  }
  shapes.push(block(view, "bar", LEFT + 6 * STEP, TOP, STEP, BOTTOM - TOP));
  return shapes;
};

// Return the numbers of checkers on a side's points.
const counted = (text) => {
  const points = Array(BAR + 1).fill(0);
  for (const [, point, count] of text.matchAll(/([a-z])(\d+)/g)) points[point.charCodeAt() - 97] = Number(count);
  return points;
};

// Return how the checkers on a point are drawn, from the edge of the board; `counts` are those of both
// seats. Illegal plays may leave both sides on it: see `stack_checkers`, render/board.py.
const stacksOn = (counts) => {
  const edge = counts[0] >= counts[1] ? 0 : 1;
  const [most, fewest] = [counts[edge], counts[1 - edge]];
  const onTop = Math.min(fewest, Math.max(STACKED - most, 1));
  const atEdge = Math.min(most, STACKED - onTop);
  return [{ seat: edge, level: 0, shown: atEdge, count: most }, { seat: 1 - edge, level: atEdge, shown: onTop, count: fewest }];
};

const stack = (view, point, { seat, level, shown, count }) => {
  const shapes = [];
  for (let step = 0; step < shown; step += 1) shapes.push(...checker(seat, placed(view, seat, point, level + step), RADIUS));
  if (count > shown) {
    const [x, y] = placed(view, seat, point, level + shown - 1);
    shapes.push(words({}, `${SIDES[seat]}-count`, x, y, 20, count));
  }
  return shapes;
};

const borneOff = (view, seat, count) => {
  if (!count) return [];
  const own = seat === view.bottom;
  const shapes = [];
  for (let level = 0; level < Math.min(count, 15); level += 1) {
    shapes.push(block(view, SIDES[seat], TRAY - 16, own ? BOTTOM - 5 - 6 * level : TOP + 6 * level, 32, 5, 2));
  }
  const y = 6 * Math.min(count, 15) + 10;
  shapes.push(words(view, "note", TRAY, own ? BOTTOM - y : TOP + y, 15, `${count} off`));
  return shapes;
};

const allCheckers = (view, sides) => {
  const shapes = [];
  for (const seat of [0, 1]) {
    const [onBar] = stacksOn([sides[seat][BAR], 0]);
    shapes.push(...borneOff(view, seat, sides[seat][OFF]), ...stack(view, BAR, { ...onBar, seat }));
  }
  for (let point = 1; point < BAR; point += 1) {
    for (const each of stacksOn([sides[0][point], sides[1][BAR - point]])) {
      shapes.push(...stack(view, each.seat ? BAR - point : point, each));
    }
  }
  return shapes;
};

const dice = (view, seat, faces) => {
  const middle = seat === view.bottom ? RIGHT - 3 * STEP : LEFT + 3 * STEP;
  return [...faces].flatMap((face, index) => {
    const x = across(view, middle) + (index ? 23 : -23);
    return [
      drawn("rect", { class: `${SIDES[seat]} die`, x: x - 17, y: MIDDLE - 17, width: 34, height: 34, rx: 7 }),
      ...PIPS[face].map(([right, down]) =>
        drawn("circle", { class: `${SIDES[seat]}-count`, cx: x + 9.5 * right, cy: MIDDLE + 9.5 * down, r: 3.2 })),
    ];
  });
};

const cubeAt = (view, look, x, y, size, value) => [
  block(view, `cube ${look}`, x - size / 2, y - size / 2, size, size, 6),
  words(view, "cube-value", x, y, String(value).length < 3 ? size * 0.53 : size * 0.37, value),
];

const cubes = (view, frame) => {
  const away = frame.owner === null ? 0 : frame.owner === view.bottom ? 78 : -78;
  const shapes = cubeAt(view, "", TRAY, MIDDLE + away, 38, frame.cube);
  if (frame.offered) {
    const [value, seat] = frame.offered;
    shapes.push(...cubeAt(view, "on-offer", LEFT + 3 * STEP, MIDDLE + (seat === view.bottom ? 12 : -12), 48, value));
  }
  return shapes;
};

// The path of a checker as an arrow, bent towards the middle of the board.
const bent = (from, to) => {
  const [x, y] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  const bend = 0.16 * Math.hypot(to[0] - from[0], to[1] - from[1]) + 12;
  return [x, y < MIDDLE ? y + bend : y - bend];
};
const arrow = (stops, look) => {
  const over = stops.slice(1).map((stop, index) => bent(stops[index], stop));
  const [end, last] = [stops.at(-1), over.at(-1)];
  const reach = Math.hypot(end[0] - last[0], end[1] - last[1]) || 1;
  const [right, down] = [(end[0] - last[0]) / reach, (end[1] - last[1]) / reach];
  const at = (back, aside) => `${end[0] - back * right - aside * down} ${end[1] - back * down + aside * right}`;
  const curves = over.map((control, index) =>
    `Q${control.join(" ")} ${index === over.length - 1 ? at(13, 0) : stops[index + 1].join(" ")}`);
  const line = `M${stops[0].join(" ")}${curves.join("")}`;
  const head = `M${at(0, 0)}L${at(16, 8)}L${at(16, -8)}Z`;
  return drawn("g", { class: `arrow ${look}` },
    drawn("path", { class: "halo", d: line + head }), drawn("path", { class: "line", d: line }), drawn("path", { class: "head", d: head }));
};

// Return the number of checkers of the other side below those of a side.
const levelOf = (sides, seat, point) => {
  if (point === OFF || point === BAR) return 0;
  const ofLeft = seat ? BAR - point : point;
  return stacksOn([sides[0][ofLeft], sides[1][BAR - ofLeft]]).find((each) => each.seat === seat).level;
};

// Return the checkers a side moves, each with its stops and its last point.
const taken = (view, sides, seat, moves) => {
  const [points, other] = [[...sides[seat]], sides[1 - seat]];
  const checkers = [];
  for (const [start, ...landings] of moves) {
    points[start] = Math.max(points[start] - 1, 0);
    let moving = checkers.findLast((earlier) => earlier.point === start);
    if (!moving) checkers.push(moving = { stops: [placed(view, seat, start, levelOf(sides, seat, start) + points[start])] });
    for (const point of landings) {
      const blocking = point > OFF && other[BAR - point] > 1 ? other[BAR - point] : 0;
      moving.stops.push(placed(view, seat, point, points[point] + blocking));
      moving.point = point;
    }
    moving.hides = points[moving.point] >= STACKED;
    points[moving.point] += 1;
  }
  return checkers;
};

// Arrows for the moves of a side, and its checkers at their last points; a ring where a number is shown.
const moved = (view, sides, seat, moves, look) => {
  const checkers = taken(view, sides, seat, moves);
  return [
    ...checkers.filter(({ point }) => point !== OFF).flatMap(({ stops, hides }) =>
      checker(seat, stops.at(-1), RADIUS, `ghost ${look} ${hides ? "ring" : ""}`)),
    ...checkers.map(({ stops }) => arrow(stops, look)),
  ];
};

// All shapes of a frame. `view` has the seat at the bottom and whether the board is mirrored.
const boardShapes = (view, data, frame, { board, moves, look, rolled }) => {
  const sides = data.boards[board].slice(0, 2).map(counted);
  return [
    ...emptyBoard(view, frame.seat),
    ...allCheckers(view, sides),
    ...(rolled ? dice(view, frame.seat, frame.dice) : []),
    ...cubes(view, frame),
    ...moved(view, sides, frame.seat, moves, look),
  ];
};
const VIEW_BOX = `2 0 602 ${BOTTOM + 28}`;

// A board in words.
const described = (data, frame, board) => {
  const on = (seat) => {
    const points = counted(data.boards[board][seat]);
    const parts = points.flatMap((count, point) => (count ? [`${count} ${point === OFF ? "off" : point === BAR ? "on the bar" : `on ${point}`}`] : []));
    return `${data.names[seat]} has ${parts.reverse().join(", ") || "no checkers"}; ${data.boards[board][2 + seat]} pips.`;
  };
  const owner = frame.owner === null ? "in the middle" : `with ${data.names[frame.owner]}`;
  return `${on(frame.seat)} ${on(1 - frame.seat)} The cube is ${owner} at ${frame.cube}.`;
};

// Building the player.

const part = (tag, look = "", text = "", rest = {}) =>
  Object.assign(document.createElement(tag), { className: look, textContent: text, ...rest });
const ICONS = {
  first: "M6 5v14M19 5 9 12l10 7z",
  previous: "M16 5 7 12l9 7z",
  play: "M7 4l13 8-13 8z",
  pause: "M8 5v14M16 5v14",
  next: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l10 7-10 7z",
  flip: "M8 4v15M4 15l4 4 4-4M16 20V5M12 9l4-4 4 4",
  mirror: "M4 8h15M15 4l4 4-4 4M20 16H5M9 12l-4 4 4 4",
};
const icon = (name) => drawn("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, drawn("path", { d: ICONS[name] }));
const button = (name, label, pressed) => {
  const made = part("button", "", "", { type: "button", title: label, ariaLabel: label, onclick: pressed });
  made.append(icon(name));
  return made;
};
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

let active = null; // The player controlled by the arrow keys if no element has the focus.

const matchPlayer = (root, packed) => {
  const data = unpacked(packed);
  const { games } = data;
  const sequence = games.flatMap((game, number) => game.frames.map((frame, index) => ({ game: number, index, frame })));
  const addressOf = (frame) => (data.number === 1 ? frame.place : `${data.number}/${frame.place}`);
  const whole = (frame) => `${data.names[frame.seat]}: ${frame.text}`;
  const view = { bottom: 0, mirrored: false };
  const now = { at: 0, variation: null, after: false, playing: 0 };

  const seats = [0, 1].map((seat) => {
    const [pips, score] = [part("span", "pips"), part("span", "score")];
    const bar = part("div", `seat ${SIDES[seat]}`);
    const swatch = drawn("svg", { class: "board swatch", viewBox: "-10 -10 20 20", "aria-hidden": "true" }, ...checker(seat, [0, 0], 9));
    bar.append(swatch, part("bdi", "name", data.names[seat]), pips, score);
    return { bar, pips, score };
  });
  const board = drawn("svg", { class: "board", role: "img", viewBox: VIEW_BOX });
  const marks = part("div", "ticks", "", { ariaHidden: "true" });
  const slider = part("input", "", "", { type: "range", min: 0, ariaLabel: "Position in the game" });
  const action = part("p", "action", "", { ariaLive: "polite" });
  const after = part("button", "", "After", { type: "button", title: "The board after the play" });
  const remarks = part("div", "remarks");
  const decisions = part("div", "decisions");
  const analysis = part("div", "analysis", "", { role: "region", ariaLabel: "Analysis of the position", tabIndex: 0 });
  const chosenGame = part("select", "", "", { ariaLabel: "Game" });
  const rows = part("table", "rows");
  const list = part("div", "list", "", { tabIndex: -1 });
  const xgid = part("code");
  const link = part("a", "", "");

  // Going to a position.

  const show = (at, keep = {}) => {
    const entered = sequence[at].game !== sequence[now.at].game || !rows.firstChild;
    Object.assign(now, { variation: null, after: false }, keep, { at });
    if (entered) listGame();
    drawPosition();
  };
  const go = (at) => {
    stop();
    const target = Math.max(0, Math.min(at, sequence.length - 1));
    active = player;
    if (target === now.at) return;
    show(target);
    try {
      history.replaceState(null, "", `#${addressOf(sequence[target].frame)}`);
    } catch {
      // Some browsers limit the rate of changes; a later one succeeds.
    }
  };
  const goInGame = (index) => go(now.at + index - sequence[now.at].index);
  const goToGame = (number) => go(sequence.findIndex((entry) => entry.game === number));
  const goBack = () => (sequence[now.at].index ? goInGame(0) : goToGame(Math.max(sequence[now.at].game - 1, 0)));
  const goOn = () => {
    const { game, index } = sequence[now.at];
    if (index < games[game].frames.length - 1) goInGame(games[game].frames.length - 1);
    else if (game < games.length - 1) goToGame(game + 1);
  };
  const hasFindings = sequence.some(({ frame }) => frame.remarks.length);
  const filter = data.course ? mistakeFilter(data, hasFindings, () => sought()) : null;
  const markOfRemark = (frame) => {
    const [finding] = filter && !filter.findings() ? [] : frame.remarks;
    const mistake = frame.decisions.find((decision) => filter.counts(decision));
    return finding ? ["finding", finding.severity] : mistake ? ["evaluation", mistake.severity] : [];
  };
  const remarked = (entry) => markOfRemark(entry.frame).length > 0;
  const later = () => sequence.findIndex((entry, at) => at > now.at && remarked(entry));
  const earlier = () => sequence.findLastIndex((entry, at) => at < now.at && remarked(entry));
  const goTo = (at) => at >= 0 && go(at);

  // Playing by itself.

  const playing = button("play", "Play", () => (now.playing ? stop() : start()));
  const setPlaying = (name, label) => {
    playing.replaceChildren(icon(name));
    playing.title = playing.ariaLabel = label;
  };
  const stop = () => {
    clearInterval(now.playing);
    now.playing = 0;
    setPlaying("play", "Play");
  };
  const start = () => {
    if (now.at === sequence.length - 1) show(0);
    now.playing = setInterval(() => (now.at < sequence.length - 1 ? show(now.at + 1) : stop()), 1600);
    setPlaying("pause", "Pause");
    active = player;
  };

  // Showing it.

  const drawPosition = () => {
    const { game, index, frame } = sequence[now.at];
    const chosen = now.variation ?? frame;
    const number = now.after ? chosen.after : frame.before;
    const shown = { board: number, moves: now.after ? [] : chosen.moves, look: now.variation ? "tried" : "", rolled: !now.after };
    board.replaceChildren(...boardShapes(view, data, frame, shown));
    board.setAttribute("aria-label", described(data, frame, number));
    for (const [seat, { bar, pips, score }] of seats.entries()) {
      bar.classList.toggle("acting", seat === frame.seat && frame.kind !== "end");
      pips.textContent = `${data.boards[number][2 + seat]} pips`;
      score.textContent = data.length ? `${games[game].score[seat]} of ${data.length}` : `score ${games[game].score[seat]}`;
    }
    slider.value = index;
    slider.setAttribute("aria-valuetext", whole(frame));
    showAction(games[game], frame);
    after.setAttribute("aria-pressed", now.after);
    drawRemarks(frame);
    if (filter) drawDecisions(frame);
    course?.mark(now.at);
    markRow(index);
    xgid.textContent = frame.xgid;
    ids.hidden = !frame.xgid;
    link.href = `#${addressOf(frame)}`;
    link.textContent = addressOf(frame);
    for (const [control, idle] of [[previous, now.at === 0], [next, now.at === sequence.length - 1],
      [toEarlier, earlier() < 0], [toLater, later() < 0], [after, chosen.after === frame.before]]) control.setAttribute("aria-disabled", idle);
  };
  const showAction = (game, frame) => {
    const places = [game.title, ...(frame.row ? [`row ${frame.row}`] : []), ...(frame.verified ? [] : ["the board is in doubt"])];
    const where = part("span", "where", places.join(", "));
    const text = part("span", "", frame.kind === "end" ? capital(frame.text) : frame.text);
    const who = frame.kind === "end" ? [] : [part("bdi", "who", data.names[frame.seat]), part("span", "spoken", ": ")];
    const errors = frame.decisions.filter((decision) => decision.severity);
    const found = [...frame.remarks.map((remark) => `Finding: ${remark.title}`), ...errors.map((decision) => `Error: ${decision.title}`)];
    action.replaceChildren(where, part("span", "spoken", ". "), ...who, text, ...found.map((words) => part("span", "spoken", `. ${words}`)));
  };
  const drawRemarks = (frame) => {
    remarks.replaceChildren(...frame.remarks.map((remark) => {
      const shown = part("article", `remark finding ${remark.severity}`);
      shown.append(part("p", "title", capital(remark.title)), ...remark.lines.map((line) => part("p", "", capital(line))));
      if (remark.plays.length) shown.append(variations(frame, remark));
      return shown;
    }));
  };
  const variations = (frame, remark) => {
    const group = part("div", "plays", "", { role: "group", ariaLabel: "Plays to try on the board" });
    const choice = (text, variation) => {
      const made = part("button", "", text, { type: "button", ariaPressed: now.variation === variation });
      made.onclick = () => {
        stop();
        show(now.at, { variation, after: now.after });
        remarks.querySelector("button[aria-pressed=true]")?.focus();
      };
      return made;
    };
    group.append(part("span", "", "Played"), choice(frame.text.replace(/^\d+: /, ""), null), part("span", "", "Legal"),
      ...remark.plays.map((play) => choice(play.text, play)));
    return group;
  };

  const drawDecisions = (frame) => {
    const pressed = (choice) => (choice.made ? !now.variation : now.variation === choice);
    const choose = (choice) => {
      stop();
      show(now.at, { variation: choice.made ? null : choice, after: now.after });
      decisions.querySelector("button[aria-pressed=true]")?.focus();
    };
    decisions.replaceChildren(...frame.decisions.map((decision) => decisionCard(decision, pressed, choose)));
    if (!frame.decisions.length) decisions.append(part("p", "about", "No decision to analyze here, or no analysis of it."));
  };
  const sought = () => {
    listGame();
    drawPosition();
    filter.tell(sequence.reduce((number, { frame }) => number + frame.decisions.filter(filter.counts).length, 0));
    tellSought();
  };

  // The rows of a game.

  const markOf = (frame) => {
    const mark = markOfRemark(frame);
    return mark.length || frame.kind !== "double" ? mark : ["double"];
  };
  const cell = (frame, index) => {
    const shown = part("td");
    const chosen = part("a", markOf(frame).join(" "), capital(frame.text), { href: `#${addressOf(frame)}`, tabIndex: -1 });
    chosen.dataset.index = index;
    shown.append(chosen);
    return shown;
  };
  const rowsOf = (game) => {
    const made = [];
    for (const [index, frame] of game.frames.entries()) {
      const last = made.at(-1);
      if (!last || last.row !== frame.row || last.cells[frame.seat] || frame.kind === "end") made.push({ row: frame.row, cells: [] });
      made.at(-1).cells[frame.seat] = cell(frame, index);
    }
    return made.map(({ row, cells }) => {
      const line = part("tr");
      line.append(row ? part("th", "", row, { scope: "row" }) : part("td"), cells[0] ?? part("td"), cells[1] ?? part("td"));
      return line;
    });
  };
  const headOf = () => {
    const head = part("thead");
    const line = part("tr");
    line.append(part("td"), ...data.names.map((name) => {
      const heading = part("th", "", "", { scope: "col" });
      heading.append(part("bdi", "", name));
      return heading;
    }));
    head.append(line);
    return head;
  };
  const listGame = () => {
    const game = games[sequence[now.at].game];
    const body = part("tbody");
    body.append(...rowsOf(game));
    rows.replaceChildren(headOf(), body);
    chosenGame.value = sequence[now.at].game;
    slider.max = game.frames.length - 1;
    marks.replaceChildren(...game.frames.flatMap((frame, index) => {
      const look = markOf(frame);
      if (!look.length) return [];
      const mark = part("i", look.join(" "));
      mark.style.left = `${(100 * index) / Math.max(game.frames.length - 1, 1)}%`;
      return [mark];
    }));
  };
  const markRow = (index) => {
    for (const chosen of rows.querySelectorAll("[aria-current]")) {
      chosen.removeAttribute("aria-current");
      chosen.tabIndex = -1;
    }
    const current = rows.querySelector(`[data-index="${index}"]`);
    current.setAttribute("aria-current", "step");
    current.tabIndex = 0;
    scrollToRow();
  };
  const scrollToRow = () => {
    const current = rows.querySelector("[aria-current]");
    if (!current) return;
    const [top, height] = [current.closest("tr").offsetTop, list.clientHeight];
    if (top < list.scrollTop + 40 || top > list.scrollTop + height - 60) list.scrollTop = top - height / 2;
  };
  new ResizeObserver(scrollToRow).observe(list); // In a frame it gets its height after the first row is marked.

  // Copying.

  const copied = async (pressed, text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const held = part("textarea", "spoken", text);
      root.append(held);
      held.select();
      document.execCommand("copy");
      held.remove();
      pressed.focus();
    }
    const label = pressed.textContent;
    pressed.textContent = "Copied";
    setTimeout(() => (pressed.textContent = label), 1500);
  };
  const copyButton = (label, text) => {
    const made = part("button", "", label, { type: "button" });
    made.onclick = () => made.textContent === label && copied(made, text());
    return made;
  };
  const ids = part("div", "ids");
  ids.append(xgid, copyButton("Copy XGID", () => xgid.textContent));
  // A page in a `srcdoc` frame has no address of its own.
  if (location.protocol !== "about:") ids.append(part("span", "", "Link "), link, copyButton("Copy link", () => link.href));

  // Controls.

  const previous = button("previous", "Previous position", () => go(now.at - 1));
  const next = button("next", "Next position", () => go(now.at + 1));
  const toEarlier = button("previous", "Previous finding or error", () => goTo(earlier()));
  const toLater = button("next", "Next finding or error", () => goTo(later()));
  const soughtWords = [part("span"), part("span")];
  const tellSought = () => {
    const word = hasFindings && (!filter || filter.findings()) ? "Finding" : "Error";
    for (const shown of soughtWords) shown.textContent = word;
  };
  toEarlier.append(soughtWords[0]);
  toLater.prepend(soughtWords[1]);
  const turned = (change) => () => {
    change();
    arrange();
    drawPosition();
  };
  const flip = button("flip", "Flip the board", turned(() => (view.bottom = 1 - view.bottom)));
  const mirror = button("mirror", "Mirror the board", turned(() => (view.mirrored = !view.mirrored)));
  const controls = part("div", "controls", "", { role: "group", ariaLabel: "Playing through the match" });
  controls.append(button("first", "Beginning of the game, or the game before", goBack), previous, playing, next,
    button("last", "End of the game, or the next game", goOn));
  const others = part("div", "controls others", "", { role: "group", ariaLabel: "Findings and the board" });
  others.append(...(filter || hasFindings ? [toEarlier, toLater] : []), after, flip, mirror);
  after.onclick = () => {
    if (after.ariaDisabled === "true") return;
    stop();
    show(now.at, { variation: now.variation, after: !now.after });
  };
  slider.oninput = () => goInGame(Number(slider.value));
  chosenGame.append(...games.map((game, number) => part("option", "", `${game.title} at ${game.score.join("–")}`, { value: number })));
  chosenGame.onchange = () => goToGame(Number(chosenGame.value));

  // Putting everything in its place.

  const stage = part("div", "stage");
  const place = part("div", "timeline");
  place.append(marks, slider);
  const buttons = part("div", "buttons");
  buttons.append(controls, others);
  const arrange = () => stage.replaceChildren(seats[1 - view.bottom].bar, board, seats[view.bottom].bar, action, place, buttons);
  const record = part("div", "record");
  list.append(rows);
  if (filter) {
    analysis.append(remarks, decisions);
    record.append(analysis, filter.bar);
  }
  record.append(chosenGame, list);
  const course = data.course ? courseFigure(data, games, sequence, addressOf, go) : null;
  arrange();
  root.classList.toggle("analyzed", filter !== null);
  root.append(stage, ...(filter ? [] : [remarks]), record, ...(course ? [course.figure] : []), ids);

  // Keys and fingers.

  const KEYS = {
    ArrowLeft: () => go(now.at - 1),
    ArrowRight: () => go(now.at + 1),
    Home: () => goInGame(0),
    End: () => goInGame(games[sequence[now.at].game].frames.length - 1),
    PageUp: goBack,
    PageDown: goOn,
    n: () => goTo(later()),
    p: () => goTo(earlier()),
    f: () => flip.click(),
    m: () => mirror.click(),
  };
  const press = (event, keys) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !keys.includes(event.key)) return;
    event.preventDefault();
    KEYS[event.key]();
  };
  root.addEventListener("keydown", (event) => {
    if (!event.target.matches("input, select")) press(event, Object.keys(KEYS));
  });
  let touched = null;
  board.addEventListener("pointerdown", (event) => (touched = event.pointerType === "mouse" ? null : event));
  board.addEventListener("pointerup", (event) => {
    const [right, down] = touched ? [event.clientX - touched.clientX, event.clientY - touched.clientY] : [0, 0];
    touched = null;
    if (Math.abs(right) > 40 && Math.abs(right) > 1.5 * Math.abs(down)) go(now.at + (right < 0 ? 1 : -1));
  });
  list.addEventListener("click", (event) => {
    const chosen = event.target.closest("a");
    if (!chosen) return;
    event.preventDefault();
    goInGame(Number(chosen.dataset.index));
  });

  // Links to positions, from elsewhere in the page or from outside.

  const addresses = new Map(sequence.map(({ frame }, at) => [addressOf(frame).toLowerCase(), at]));
  const found = (hash) => {
    const wanted = hash.slice(1).toLowerCase();
    return addresses.get(wanted) ?? addresses.get(`${wanted}l`) ?? addresses.get(`${wanted}r`);
  };
  const follow = () => {
    const at = found(location.hash);
    if (at === undefined) return;
    go(at);
    root.scrollIntoView();
  };
  const closing = new AbortController();
  const open = { signal: closing.signal };
  addEventListener("hashchange", follow, open);
  document.addEventListener("click", (event) => {
    const chosen = event.target.closest?.("a[href^='#']");
    if (chosen && !event.defaultPrevented && chosen.hash === location.hash) follow();
  }, open);

  // For printing: a sheet for each game, with boards at doubles and findings.

  const diagram = (game, frame) => {
    const figure = part("figure");
    const picture = drawn("svg", { class: "board", role: "img", viewBox: VIEW_BOX, "aria-label": described(data, frame, frame.before) });
    const shown = { board: frame.before, moves: frame.moves, look: "", rolled: true };
    picture.append(...boardShapes(view, data, frame, shown));
    const titles = frame.remarks.map((remark) => `${remark.title}: ${remark.lines[0]}`);
    const caption = part("figcaption", "", `${frame.row ? `Row ${frame.row}, ` : ""}${whole(frame)}`);
    figure.append(caption, picture, ...titles.map((title) => part("p", "", title)));
    return figure;
  };
  const sheet = (game) => {
    const made = part("section", "sheet");
    const [table, body, boards] = [part("table", "rows"), part("tbody"), part("div", "boards")];
    body.append(...rowsOf(game));
    table.append(headOf(), body);
    const worth = game.frames.filter((frame) => frame.kind === "double" || frame.remarks.length);
    boards.append(...worth.map((frame) => diagram(game, frame)));
    made.append(part("h3", "", `${game.title} at ${game.score.join("–")}`), table, boards);
    return made;
  };
  const sheets = part("div", "sheets");
  root.after(sheets);
  addEventListener("beforeprint", () => sheets.replaceChildren(...games.map(sheet)), open);
  addEventListener("afterprint", () => sheets.replaceChildren(), open);

  const close = () => {
    stop();
    closing.abort();
    sheets.remove();
    root.replaceChildren();
    if (active === player) active = null;
  };
  const player = { press: (event) => press(event, ["ArrowLeft", "ArrowRight"]), close };

  active ??= player;
  tellSought();
  // The first error or warning, or the beginning.
  show(Math.max(sequence.findIndex(({ frame }) => frame.remarks.some(({ severity }) => severity !== "info")), 0));
  if (filter) sought();
  follow();
  return player;
};

document.addEventListener("keydown", (event) => {
  if (event.target === document.body) active?.press(event);
});
