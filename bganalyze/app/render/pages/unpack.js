// Unpacks the data of a match, which app/render/playback_json.py packs to be short: boards without pip
// counts, boards after a candidate play that follow from its moves, and numbers as short texts.

const [FIRST_LETTER, COMPUTED, HIT_SUM, LAST_POINT] = [97, -1, 25, 25];
const packedCounts = (text) => {
  const points = Array(LAST_POINT + 1).fill(0);
  for (const [, point, count] of text.matchAll(/([a-z])(\d+)/g)) points[point.charCodeAt() - FIRST_LETTER] = Number(count);
  return points;
};
const packedText = (points) => points.map((count, point) => (count ? String.fromCharCode(FIRST_LETTER + point) + count : "")).join("");
const withPips = (sides) => [...sides, ...sides.map((side) => packedCounts(side).reduce((sum, count, point) => sum + count * point, 0))];

// Return both sides' checkers after the moves of a seat, which hits single checkers.
const movedSides = (sides, seat, moves) => {
  const counts = sides.map(packedCounts);
  const [own, other] = [counts[seat], counts[1 - seat]];
  for (const path of moves) {
    own[path[0]] -= 1;
    own[path.at(-1)] += 1;
    for (const point of path.slice(1)) {
      if (point === 0 || other[HIT_SUM - point] !== 1) continue;
      other[HIT_SUM - point] = 0;
      other[LAST_POINT] += 1;
    }
  }
  return counts.map(packedText);
};

const thousandths = (value) => (typeof value === "string" ? value : `${value < 0 ? "-" : "+"}${(Math.abs(value) / 1000).toFixed(3)}`);
const tenths = (text) => (text.match(/../g) || []).map((digits) => parseInt(digits, 36));
const paths = (text) => (text ? text.split(" ") : []).map((path) => Array.from(path, (letter) => letter.charCodeAt() - FIRST_LETTER));

const unpacked = (packed) => {
  const boards = packed.boards.map((board) => withPips(board.split(" ")));
  const choiceOf = (values, seat, before) => {
    const [text, equity, difference, flags, chances = "", written = "", given] = values;
    const moves = paths(written);
    let after = given === undefined ? (moves.length ? COMPUTED : null) : given;
    if (after === COMPUTED) after = boards.push(withPips(movedSides(boards[before].slice(0, 2), seat, moves))) - 1;
    return { text, equity: thousandths(equity), difference: thousandths(difference), chances: tenths(chances), made: flags & 1, best: flags >> 1, moves, after };
  };
  const named = (fields, values) => Object.fromEntries(fields.map((field, index) => [field, values[index]]));
  const analysisOf = (values, before) => {
    if (!values) return { decisions: [], chance: null, luck: null };
    const analysis = named(packed.analysisFields, values);
    const decisions = analysis.decisions.map((each) => {
      const decision = named(packed.decisionFields, each);
      return { ...decision, choices: decision.choices.map((choice) => choiceOf(choice, decision.seat, before)) };
    });
    return { ...analysis, decisions };
  };
  const frameOf = (values) => {
    const { analysis, ...frame } = named(packed.fields, values);
    return { ...frame, ...analysisOf(analysis, frame.before) };
  };
  return { ...packed, boards, games: packed.games.map((game) => ({ ...game, frames: game.frames.map(frameOf) })) };
};
