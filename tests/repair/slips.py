"""Slips of a scribe: a clean record with one thing written otherwise, or several.

Each function takes a clean record and a source of chance, and returns the slip, or None where the
record offers no place for it. What breaks a record so already stands in `tests/injection`.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

import bganalyze
from bganalyze.board.plays import legal_plays, nearest_plays, notation, verdict
from bganalyze.board.position import BAR, OFF, Position, Step
from bganalyze.findings import Finding, Severity, Standing
from bganalyze.transcript.model import Answer, Double, Play, Result
from tests.injection import cube, plays, results, text, turns
from tests.injection.breaks import Maker as BreakMaker
from tests.injection.breaks import first_of
from tests.injection.record import Act, Boards, Lines, Record, play_text, steps_of, words
from tests.injection.referee import as_boards, seen_by
from tests.injection.results import how_it_ended

Cells = tuple[str, str]
Rows = dict[int, tuple[str, Cells]]
"""By line the number and the two cells of a row."""

Steps = tuple[Step, ...]

_LABEL = re.compile(r"^(\s*)([0-9]+)(?=\))")
_NUMBER = re.compile(r"[0-9]+")
_STEP_DRAWS = 8
_MANY = 8
_LONGEST_MATCH = 25


class Part(NamedTuple):
    """A run of lines that one slip has put in place of others; either may be none."""

    start: int
    """How many lines stand before it in the clean record."""
    was: Lines
    now: Lines
    elsewhere: frozenset[int] = frozenset()
    """Other lines where a repair may begin as well, counted from the first of `now`."""


class Slip(NamedTuple):
    """A clean record, and what was written otherwise: parts that do not touch, in their order."""

    clean: Lines
    parts: tuple[Part, ...]

    @property
    def lines(self) -> Lines:
        """The record as it was written."""
        lines: list[str] = []
        at = 0
        for part in self.parts:
            lines += self.clean[at : part.start]
            lines += part.now
            at = part.start + len(part.was)
        return (*lines, *self.clean[at:])

    def mended(self, part: Part) -> Slip:
        """The same record without one of its slips."""
        return Slip(self.clean, tuple(other for other in self.parts if other is not part))

    def places(self, part: Part) -> frozenset[int]:
        """The 1-based lines, as written, where a repair of that part may begin.

        Where lines were lost it may begin before any of the blank lines around the gap, and where
        lines were put in with the line above or below, which may be the same.
        """
        lines = self.lines
        shift = sum(len(other.now) - len(other.was) for other in self.parts if other < part)
        first = part.start + shift
        places = {first + 1} | {first + 1 + other for other in part.elsewhere}
        if len(part.now) > len(part.was):
            places |= {first, first + 2}
        if not part.now:
            above = below = first
            while above > 0 and not lines[above - 1].strip():
                above -= 1
            while below < len(lines) and not lines[below].strip():
                below += 1
            places |= set(range(above + 1, below + 2))
        return frozenset(places)


Maker = Callable[[Record, Random], Slip | None]


def slipped(record: Record, lines: Sequence[str], *elsewhere: int) -> Slip | None:
    """Return the slip that leaves these lines; None where they are those of the record.

    `elsewhere` are further lines, as written, where a repair may begin.
    """
    clean, lines = record.lines, tuple(lines)
    if lines == clean:
        return None
    least = min(len(clean), len(lines))
    start = next((at for at in range(least) if clean[at] != lines[at]), least)
    same = 0
    while same < least - start and clean[-1 - same] == lines[-1 - same]:
        same += 1
    was, now = clean[start : len(clean) - same], lines[start : len(lines) - same]
    part = Part(start, was, now, frozenset(line - 1 - start for line in elsewhere))
    return Slip(clean, (part,))


def _slip_of(make: BreakMaker) -> Maker:
    """The slip of a break that the fault injector knows."""

    def made(record: Record, rng: Random) -> Slip | None:
        broken = make(record, rng)
        return None if broken is None else slipped(record, broken.lines)

    made.__doc__ = make.__doc__
    return made


# -- rows ----------------------------------------------------------------------------------------


def rows_of(record: Record, game: int) -> Rows:
    """Return the numbered rows of a game, the cells as written."""
    return {
        act.line: (act.action.row, record.cells(act.line))
        for act in record.acts
        if act.game == game and (act.action.row or "").strip().isdigit()
    }


def with_rows(record: Record, rows: Rows) -> Lines:
    """Return the lines of a record in which these rows are written anew."""
    lines = list(record.lines)
    for line, (label, cells) in rows.items():
        lines[line - 1] = record.row(label, *cells)
    return tuple(lines)


def with_cells(record: Record, rows: Rows, changed: dict[int, Cells]) -> Lines:
    """Return the lines of a record in which these cells stand in rows."""
    return with_rows(record, {line: (rows[line][0], cells) for line, cells in changed.items()})


def renumbered(record: Record, after: int, by: int) -> list[str]:
    """Return the lines of a record in which the rows after a line have other numbers."""
    lines = list(record.lines)
    for line in rows_of(record, _game_at(record, after)):
        if line > after:
            lines[line - 1] = _LABEL.sub(
                lambda label: f"{label[1]}{int(label[2]) + by:>{len(label[2])}}", lines[line - 1]
            )
    return lines


def _game_at(record: Record, line: int) -> int:
    return record.on_line(line)[0].game


def _neighbours(record: Record) -> Iterator[tuple[int, int]]:
    """Pairs of full rows of plays in lines one below the other."""
    full = {left.line for left, _ in turns.full_rows(record)}
    return ((line, line + 1) for line in sorted(full) if line + 1 in full)


def _with_cell(cells: Cells, side: int, text: str) -> Cells:
    return (text, cells[1]) if side == 0 else (cells[0], text)


# -- layout --------------------------------------------------------------------------------------


def columns_from_row(record: Record, rng: Random) -> Slip | None:
    """From a row on, to the end of the game and with its result, the columns are exchanged."""

    def make(pair: tuple[Act, Act]) -> Slip | None:
        act = pair[0]
        acts = [other for other in record.acts if other.game == act.game]
        if act.line == acts[0].line or any((a.line, a.side) in record.crowded for a in acts):
            return None
        lines = list(record.lines)
        for line in {other.line for other in acts if other.line >= act.line}:
            left, right = record.cells(line)
            lines[line - 1] = record.row(record.on_line(line)[0].action.row, right, left)
        return slipped(record, lines)

    return first_of(rng, turns.full_rows(record), make)


def row_doubled_numbered(record: Record, rng: Random) -> Slip | None:
    """A row of two plays stands twice, and the numbers go on."""

    def make(pair: tuple[Act, Act]) -> Slip | None:
        line, label = pair[0].line, pair[0].action.row
        lines = renumbered(record, line, 1)
        second = record.row(str(int(label) + 1), *record.cells(line))
        return slipped(record, (*lines[:line], second, *lines[line:]), line)

    return first_of(rng, turns.full_rows(record), make)


def row_lost_numbered(record: Record, rng: Random) -> Slip | None:
    """A row of two plays is lost, and the numbers go on."""

    def make(pair: tuple[Act, Act]) -> Slip | None:
        line = pair[0].line
        following = record.following(pair[1])
        if following is None or isinstance(following.action, Result):
            return None
        lines = renumbered(record, line, -1)
        return slipped(record, (*lines[: line - 1], *lines[line:]))

    return first_of(rng, turns.full_rows(record), make)


def rows_exchanged(record: Record, rng: Random) -> Slip | None:
    """The cells of two neighbouring rows stand in each other's place; the numbers do not."""

    def make(pair: tuple[int, int]) -> Slip | None:
        one, two = pair
        rows = rows_of(record, _game_at(record, one))
        return slipped(record, with_cells(record, rows, {one: rows[two][1], two: rows[one][1]}))

    return first_of(rng, list(_neighbours(record)), make)


def lines_exchanged(record: Record, rng: Random) -> Slip | None:
    """Two neighbouring rows stand in each other's place, with their numbers."""

    def make(pair: tuple[int, int]) -> Slip | None:
        one, two = (record.lines[line - 1] for line in pair)
        return slipped(record, (*record.lines[: pair[0] - 1], two, one, *record.lines[pair[1] :]))

    return first_of(rng, list(_neighbours(record)), make)


def dice_exchanged(record: Record, rng: Random) -> Slip | None:
    """The throws of the two plays of a row stand in each other's cell."""

    def make(pair: tuple[Act, Act]) -> Slip | None:
        left, right = (record.text(act) for act in pair)
        cells = right[:2] + left[2:], left[:2] + right[2:]
        new = record.row(pair[0].action.row, *cells)
        return slipped(record, record.with_line(pair[0].line, new))

    return first_of(rng, turns.full_rows(record), make)


def turn_lost_moved_up(record: Record, rng: Random) -> Slip | None:
    """A play is lost with its throw, and all turns after it move up by a cell."""
    return first_of(rng, record.plays, lambda act: _moved_up(record, act))


def dance_lost_moved_up(record: Record, rng: Random) -> Slip | None:
    """A dance is lost with its throw, and all turns after it move up by a cell."""
    return first_of(rng, record.dances, lambda act: _moved_up(record, act))


def _moved_up(record: Record, lost: Act) -> Slip | None:
    rows = rows_of(record, lost.game)
    acts = [act for act in record.acts if act.game == lost.game and act.line in rows]
    after = [act for act in acts if act.at > lost.at]
    crowded = any((act.line, act.side) in record.crowded for act in (lost, *after))
    if not after or crowded or any(isinstance(act.action, Result) for act in acts):
        return None
    changed = {act.line: rows[act.line][1] for act in (lost, *after)}
    texts = [*(record.text(act) for act in after), ""]
    for act, moved in zip((lost, *after), texts, strict=True):
        changed[act.line] = _with_cell(changed[act.line], act.side, moved)
    lines = with_cells(record, rows, changed)
    last = after[-1].line
    if not any(changed[last]):
        lines = (*lines[: last - 1], *lines[last:])
    return slipped(record, lines)


def half_row_alone(record: Record, rng: Random) -> Slip | None:
    """The right play of a row stands in the left column of a row of its own; the numbers go on."""

    def make(pair: tuple[Act, Act]) -> Slip | None:
        line, label = pair[0].line, pair[0].action.row
        left, right = record.cells(line)
        lines = renumbered(record, line, 1)
        new = record.row(label, left, ""), record.row(str(int(label) + 1), right, "")
        return slipped(record, (*lines[: line - 1], *new, *lines[line:]), line + 1)

    return first_of(rng, turns.full_rows(record), make)


def right_column_lost(record: Record, rng: Random) -> Slip | None:
    """The right column of a game is lost."""

    def make(game: int) -> Slip | None:
        rows = rows_of(record, game)
        return slipped(
            record,
            with_cells(record, rows, {line: (cells[0], "") for line, (_, cells) in rows.items()}),
        )

    return first_of(rng, list(range(len(record.games))), make)


# -- the cell: its throw --------------------------------------------------------------------------


def dice_of_another_cell(record: Record, rng: Random) -> Slip | None:
    """A throw is that of a neighbouring cell: the row above or below, or the other side."""

    def make(act: Act) -> Slip | None:
        near = [record.following(act, by) for by in (-2, -1, 1, 2)]
        throws = [
            record.text(other)[:2]
            for other in near
            if other is not None and other in record.plays
            if sorted(other.action.dice) != sorted(act.action.dice)
        ]
        if not throws:
            return None
        return _rewritten(record, act, rng.choice(throws) + record.text(act)[2:])

    return first_of(rng, record.plays, make)


def _rewritten(record: Record, act: Act, cell: str) -> Slip | None:
    return slipped(record, record.written(act, cell))


# -- the cell: its steps --------------------------------------------------------------------------


def _respelled(
    record: Record, rng: Random, step: Callable[[list[int]], list[int | str] | None]
) -> Slip | None:
    """Write the points of one step of a play otherwise, hit marks where they were."""

    def make(act: Act) -> Slip | None:
        written = words(record.text(act))
        index = rng.randrange(len(written))
        [*_, last] = steps_of([written[index]])
        points = step(list(last.path))
        if points is None or "(" in written[index]:
            return None
        marks = ("", *("*" if marked else "" for marked in last.marked))
        written[index] = "/".join(f"{p}{mark}" for p, mark in zip(points, marks, strict=True))
        return _rewritten(record, act, play_text(act.action.dice, written))

    return first_of(rng, record.plays, make)


def point_off_by_one(record: Record, rng: Random) -> Slip | None:
    """A step starts or ends on the point beside the right one."""

    def step(points: list[int]) -> list[int | str] | None:
        at = rng.choice((0, -1))
        points[at] += rng.choice((-1, 1))
        return [*points] if OFF <= points[at] <= BAR else None

    return _respelled(record, rng, step)


def direction(record: Record, rng: Random) -> Slip | None:
    """A step is written from where it ends to where it starts."""
    return _respelled(record, rng, lambda points: [*reversed(points)])


def digits_transposed(record: Record, rng: Random) -> Slip | None:
    """The two digits of a point are exchanged."""

    def step(points: list[int]) -> list[int | str] | None:
        twofold = [at for at, point in enumerate(points) if 10 <= point <= 24 and point % 11]
        if not twofold:
            return None
        at = rng.choice(twofold)
        return [*points[:at], str(points[at])[::-1], *points[at + 1 :]]

    return _respelled(record, rng, step)


def letter_for_digit(record: Record, rng: Random) -> Slip | None:
    """A letter that looks like a digit stands in its place: O for 0, l for 1."""

    def make(act: Act) -> Slip | None:
        cell = record.text(act)
        alike = [at for at, character in enumerate(cell) if character in "01"]
        if not alike:
            return None
        at = rng.choice(alike)
        return _rewritten(record, act, cell[:at] + {"0": "O", "1": "l"}[cell[at]] + cell[at + 1 :])

    return first_of(rng, record.plays, make)


def other_side_points(record: Record, rng: Random) -> Slip | None:
    """The points of a play are counted from the other side of the board."""

    def make(act: Act) -> Slip | None:
        written = [
            _NUMBER.sub(lambda number: str(25 - int(number[0])), word.partition("(")[0])
            for word in words(record.text(act))
            if "(" not in word and not re.search(r"(?<![0-9])(?:0|25)(?![0-9])", word)
        ]
        if len(written) != len(words(record.text(act))):
            return None
        return _rewritten(record, act, play_text(act.action.dice, written))

    return first_of(rng, record.plays, make)


def unreadable(record: Record, rng: Random) -> Slip | None:
    """The throw stands, its play is three question marks."""
    return first_of(
        rng, record.plays, lambda act: _rewritten(record, act, record.text(act)[:3] + " ???")
    )


def nearest_legal(record: Record, rng: Random) -> Slip | None:
    """Another legal play of the throw, with as few checkers moved otherwise as can be."""

    def make(act: Act) -> Slip | None:
        end, others = _other_plays(record, act)
        if not others:
            return None
        least = min(_moved(end, other) for other in others)
        near = [other for other in others if _moved(end, other) == least]
        return _rewritten(record, act, _play_of(act, others[rng.choice(near)]))

    return first_of(rng, record.plays, make)


def random_legal(record: Record, rng: Random) -> Slip | None:
    """Any other legal play of the throw."""

    def make(act: Act) -> Slip | None:
        _, others = _other_plays(record, act)
        if not others:
            return None
        return _rewritten(record, act, _play_of(act, others[rng.choice(list(others))]))

    return first_of(rng, record.plays, make)


def _other_plays(record: Record, act: Act) -> tuple[Position, dict[Position, Steps]]:
    """What a play leaves, and by what they leave the other legal plays of its throw."""
    end, _ = verdict(act.position, act.action.dice, act.action.steps, record.marks)
    plays = legal_plays(act.position, act.action.dice)
    return end, {other: steps for other, steps in plays.items() if other != end and steps}


def _moved(one: Position, two: Position) -> int:
    return sum(abs(a - b) for a, b in zip(one.own, two.own, strict=True))


def _play_of(act: Act, steps: Steps) -> str:
    return play_text(act.action.dice, notation(steps).split())


def hit_mark_lost(record: Record, rng: Random) -> Slip | None:
    """A hit is not marked where the record marks hits."""

    def make(act: Act) -> Slip | None:
        cell = record.text(act)
        marks = [at for at, character in enumerate(cell) if character == "*"]
        if not marks:
            return None
        at = rng.choice(marks)
        return _rewritten(record, act, cell[:at] + cell[at + 1 :])

    return first_of(rng, record.plays, make)


# -- the cube -------------------------------------------------------------------------------------


def double_a_row_late(record: Record, rng: Random) -> Slip | None:
    """A double and its answer stand after the two plays that follow them."""

    def make(act: Act) -> Slip | None:
        acts = [record.following(act, by) for by in range(4)]
        if not all(other in record.plays for other in acts[2:]):
            return None
        if not isinstance(acts[1].action, Answer) or not acts[1].action.taken:
            return None
        if [other.side for other in acts] != [act.side, 1 - act.side] * 2:
            return None
        rows = rows_of(record, act.game)
        if not all(other.line in rows for other in acts):
            return None
        changed = {other.line: rows[other.line][1] for other in acts}
        for other, moved in zip(acts, (*acts[2:], *acts[:2]), strict=True):
            cells = _with_cell(changed[other.line], other.side, record.text(moved))
            changed[other.line] = cells
        return slipped(record, with_cells(record, rows, changed))

    return first_of(rng, record.of_kind(Double), make)


def offer_lost(record: Record, rng: Random) -> Slip | None:
    """A double is lost with its take."""

    def make(act: Act) -> Slip | None:
        answer = record.following(act)
        if answer is None or not isinstance(answer.action, Answer) or not answer.action.taken:
            return None
        rows = rows_of(record, act.game)
        if act.line not in rows or answer.line not in rows:
            return None
        changed = {other.line: rows[other.line][1] for other in (act, answer)}
        for other in (act, answer):
            changed[other.line] = _with_cell(changed[other.line], other.side, "")
        lines = with_cells(record, rows, changed)
        return slipped(
            record,
            [line for at, line in enumerate(lines, 1) if at not in changed or any(changed[at])],
        )

    return first_of(rng, record.of_kind(Double), make)


# -- headers, scores and the match ------------------------------------------------------------------


def names_exchanged(record: Record, rng: Random) -> Slip | None:
    """In one score line the names stand in each other's place, the points do not."""

    def make(game: int) -> Slip | None:
        score = record.match.games[game].score
        if score is None or score.names[0] == score.names[1]:
            return None
        one, two = score.names
        line = record.lines[score.span.line - 1]
        found = re.fullmatch(
            rf"(\s*){re.escape(one)}(\s*:\s*[0-9]+\s*?)(\s+){re.escape(two)}(.*)", line
        )
        if found is None:
            return None
        before, points, gap, after = found.groups()
        left = (before + two + points).ljust(len(before + one + points + gap) - 1) + " "
        return slipped(record, record.with_line(score.span.line, left + one + after))

    return first_of(rng, list(range(1, len(record.match.games))), make)


def score_by_one(record: Record, rng: Random) -> Slip | None:
    """A score after the first game is one too high or too low."""
    return first_of(
        rng,
        list(range(1, len(record.match.games))),
        lambda game: _rescored(record, rng, (game,)),
    )


def score_carried_on(record: Record, rng: Random) -> Slip | None:
    """From a game on one side's score is one too high or too low, to the end of the match."""
    games = len(record.match.games)
    return first_of(
        rng, list(range(1, games - 1)), lambda game: _rescored(record, rng, range(game, games))
    )


def _rescored(record: Record, rng: Random, games: Sequence[int]) -> Slip | None:
    side, by = rng.randrange(2), rng.choice((-1, 1))
    length = record.match.length.points if record.match.length else 0
    lines = list(record.lines)
    for game in games:
        score = record.match.games[game].score
        if score is None:
            return None
        points = score.points[side] + by
        if points < 0 or (length and points >= length):
            return None
        span = score.spans[side]
        line = lines[span.line - 1]
        lines[span.line - 1] = f"{line[: span.column - 1]}{points}{line[span.end_column - 1 :]}"
    return slipped(record, lines)


def other_length(record: Record, rng: Random) -> Slip | None:
    """The match line states another length."""
    length = record.match.length
    if length is None or not length.points:
        return None
    points = rng.choice([n for n in range(1, _LONGEST_MATCH + 1, 2) if n != length.points])
    line = record.lines[length.span.line - 1]
    new = _NUMBER.sub(str(points), line, count=1)
    return slipped(record, record.with_line(length.span.line, new))


def game_lost(record: Record, rng: Random) -> Slip | None:
    """A game between others is lost, header and all."""

    def make(game: int) -> Slip | None:
        first, after = (record.match.games[at].span.line for at in (game, game + 1))
        return slipped(record, (*record.lines[: first - 1], *record.lines[after - 1 :]))

    return first_of(rng, list(range(1, len(record.match.games) - 1)), make)


# -- several at once --------------------------------------------------------------------------------

SHARED: tuple[Maker, ...] = (
    _slip_of(plays.die),
    _slip_of(plays.missing_step),
    _slip_of(plays.extra_step),
    _slip_of(plays.missing_throw),
    _slip_of(plays.emptied),
    _slip_of(turns.swapped_cells),
    dice_exchanged,
    dice_of_another_cell,
    point_off_by_one,
    direction,
    digits_transposed,
    letter_for_digit,
    other_side_points,
    unreadable,
    nearest_legal,
    random_legal,
)
"""Slips of a single row, of which a record may have several."""


def _several(record: Record, rng: Random, lines: Sequence[int]) -> Slip | None:
    """Make a slip in each of these lines, one that breaks the rules by itself."""
    parts: list[Part] = []
    for line in sorted(lines):
        slip = _one_in(record, rng, line)
        if slip is None:
            return None
        parts += slip.parts
    return Slip(record.lines, tuple(parts))


def _one_in(record: Record, rng: Random, line: int) -> Slip | None:
    row = copy.copy(record)
    vars(row).update(plays=[act for act in record.plays if act.line == line], dances=[])
    for make in rng.choices(SHARED, k=_STEP_DRAWS):
        slip = make(row, rng)
        if slip is not None and errors(record, slip.lines):
            return slip
    return None


def _lines_of_plays(record: Record, game: int) -> list[int]:
    return sorted({act.line for act in record.plays if act.game == game})


def slips_in_a_game(count: int) -> Maker:
    """That many slips in different rows of one game."""

    def make_slips(record: Record, rng: Random) -> Slip | None:
        def make(game: int) -> Slip | None:
            lines = _lines_of_plays(record, game)
            if len(lines) < 3 * count:
                return None
            return _several(record, rng, rng.sample(lines, count))

        return first_of(rng, list(range(len(record.games))), make)

    make_slips.__doc__ = f"{count} slips in different rows of one game."
    return make_slips


def slips_in_neighbouring_rows(record: Record, rng: Random) -> Slip | None:
    """A slip in each of two neighbouring rows."""
    return first_of(rng, list(_neighbours(record)), lambda pair: _several(record, rng, pair))


def slip_in_each_game(record: Record, rng: Random) -> Slip | None:
    """A slip in each game of a match of at least three."""
    if len(record.games) < 3:
        return None
    lines = [_lines_of_plays(record, game) for game in range(len(record.games))]
    for _ in range(_STEP_DRAWS):
        slip = _several(record, rng, [rng.choice(of) for of in lines if of])
        if slip is not None:
            return slip
    return None


# -- what is no slip --------------------------------------------------------------------------------


def illegal_play_carried_on(record: Record, rng: Random) -> Slip | None:
    """A player moves a checker a point too far or too short, and both go on from there.

    What follows is what was played, or the legal play nearest to it, and it no longer fits the play
    that was meant: the record is right, and so is the finding. Only another throw would explain it.
    """

    def make(act: Act) -> Slip | None:
        steps = list(steps_of(words(record.text(act))))
        index, by = rng.randrange(len(steps)), rng.choice((-1, 1))
        path = steps[index].path
        if not 0 < path[-1] + by < path[0]:
            return None
        steps[index] = Step((*path[:-1], path[-1] + by), (False,) * (len(path) - 1))
        end, judged = verdict(act.position, act.action.dice, steps, record.marks)
        if judged.fault is None or judged.fault.name == "blocked-point":
            return None
        played = _play_of(act, tuple(steps))
        cells = _carried_on(record, act, as_boards(end, act.side))
        if not cells:
            return None
        as_meant = _with_texts(record, cells)
        lines = _with_texts(record, [(act, played), *cells])
        return slipped(record, lines) if _is_carried_on(record, lines, as_meant) else None

    targets = [act for act in record.plays if not _ends_on_the_board(record, act.game)]
    return first_of(rng, targets, make)


def _ends_on_the_board(record: Record, game: int) -> bool:
    last = record.games[game][-1]
    return not isinstance(last.action, Result) or how_it_ended(record, last)[0] == "borne-off"


def _carried_on(record: Record, act: Act, boards: Boards) -> list[tuple[Act, str]]:
    """The later plays of a game that are others, played from another board; none if it is over."""
    cells: list[tuple[Act, str]] = []
    for later in record.rest(act):
        if not isinstance(later.action, Play):
            continue
        position, dice = seen_by(boards, later.side), later.action.dice
        end, judged = verdict(position, dice, later.action.steps, record.marks)
        if judged.fault is not None:
            steps = next(iter(nearest_plays(position, dice, later.action.steps)), ())
            end, _ = verdict(position, dice, steps)
            cells.append((later, _play_of(later, steps)))
        if not any(end.own[1:]):
            return []
        boards = as_boards(end, later.side)
    return cells


def _with_texts(record: Record, cells: Sequence[tuple[Act, str]]) -> Lines:
    """Return the lines of a record in which these texts stand in the cells of actions."""
    rows = rows_of(record, cells[0][0].game)
    changed: dict[int, Cells] = {}
    for act, written in cells:
        row = changed.get(act.line, rows[act.line][1])
        changed[act.line] = _with_cell(row, act.side, written)
    return with_cells(record, rows, changed)


def _is_carried_on(record: Record, lines: Lines, as_meant: Lines) -> bool:
    """Whether that one play is wrong, and what follows would be if the play were as it was meant."""
    return errors(record, lines) == 1 and errors(record, as_meant) > 0


# -- the kinds --------------------------------------------------------------------------------------


class Kind(NamedTuple):
    """A kind of slip, and the family whose figures it counts among."""

    name: str
    family: str
    make: Maker
    restorable: bool = True
    """Whether what the slip destroys can be told from the rest of the record."""


KINDS: tuple[Kind, ...] = (
    Kind("columns-from-row", "layout", columns_from_row),
    Kind("swapped-columns", "layout", _slip_of(turns.swapped_columns)),
    Kind("swapped-sides", "layout", _slip_of(turns.swapped_sides)),
    Kind("swapped-cells", "layout", _slip_of(turns.swapped_cells)),
    Kind("doubled-row", "layout", _slip_of(turns.doubled_row)),
    Kind("doubled-row-numbered", "layout", row_doubled_numbered),
    Kind("doubled-play", "layout", _slip_of(turns.doubled_play)),
    Kind("rows-exchanged", "layout", rows_exchanged),
    Kind("lines-exchanged", "layout", lines_exchanged),
    Kind("dice-exchanged", "layout", dice_exchanged),
    Kind("half-row-alone", "layout", half_row_alone),
    Kind("right-column-lost", "layout", right_column_lost, restorable=False),
    Kind("row-lost", "row lost", _slip_of(turns.row_deleted), restorable=False),
    Kind("row-lost-numbered", "row lost", row_lost_numbered, restorable=False),
    Kind("turn-lost", "turn lost", _slip_of(turns.dropped_play)),
    Kind("turn-lost-moved-up", "turn lost", turn_lost_moved_up),
    Kind("dance-lost-moved-up", "turn lost", dance_lost_moved_up),
    Kind("garbled-cell", "turn lost", _slip_of(text.garbled_cell)),
    Kind("die", "dice", _slip_of(plays.die)),
    Kind("die-of-dance", "dice", _slip_of(plays.die_of_dance)),
    Kind("double-throw", "dice", _slip_of(plays.double_throw)),
    Kind("impossible-die", "dice", _slip_of(plays.impossible_die)),
    Kind("opening-double", "dice", _slip_of(plays.opening_double)),
    Kind("dice-of-another-cell", "dice", dice_of_another_cell),
    Kind("missing-throw", "dice", _slip_of(plays.missing_throw)),
    Kind("garbled-throw", "dice", _slip_of(text.garbled_throw)),
    Kind("unreadable", "unreadable", unreadable),
    Kind("garbled-play", "unreadable", _slip_of(text.garbled_play)),
    Kind("garbled-half", "unreadable", _slip_of(text.garbled_half)),
    Kind("emptied-play", "unreadable", _slip_of(plays.emptied)),
    Kind("false-dance", "unreadable", _slip_of(plays.false_dance)),
    Kind("nearest-legal", "nearest legal", nearest_legal),
    Kind("random-legal", "steps", random_legal),
    Kind("point-off-by-one", "steps", point_off_by_one),
    Kind("step-target", "steps", _slip_of(plays.step_target)),
    Kind("step-source", "steps", _slip_of(plays.step_source)),
    Kind("missing-step", "steps", _slip_of(plays.missing_step)),
    Kind("extra-step", "steps", _slip_of(plays.extra_step)),
    Kind("doubled-step", "steps", _slip_of(plays.doubled_step)),
    Kind("direction", "steps", direction),
    Kind("other-side-points", "steps", other_side_points),
    Kind("digits-transposed", "steps", digits_transposed),
    Kind("letter-for-digit", "steps", letter_for_digit),
    Kind("bar-ignored", "steps", _slip_of(plays.bar_ignored)),
    Kind("early-bear-off", "steps", _slip_of(plays.early_bear_off)),
    Kind("bear-off-past", "steps", _slip_of(plays.bear_off_past)),
    Kind("hit-mark-lost", "steps", hit_mark_lost),
    Kind("false-hit-mark", "steps", _slip_of(plays.false_hit_mark)),
    Kind("double-lost", "cube", _slip_of(cube.dropped_double)),
    Kind("take-lost", "cube", _slip_of(cube.dropped_take)),
    Kind("drop-lost", "cube", _slip_of(cube.dropped_drop)),
    Kind("offer-lost", "cube", offer_lost, restorable=False),
    Kind("doubled-double", "cube", _slip_of(cube.doubled_double)),
    Kind("doubled-take", "cube", _slip_of(cube.doubled_take)),
    Kind("double-a-row-late", "cube", double_a_row_late),
    Kind("cube-value", "cube", _slip_of(cube.cube_value)),
    Kind("take-for-drop", "cube", _slip_of(cube.take_for_drop)),
    Kind("drop-for-take", "cube", _slip_of(cube.drop_for_take)),
    Kind("garbled-double", "cube", _slip_of(text.garbled_double)),
    Kind("garbled-answer", "cube", _slip_of(text.garbled_answer)),
    Kind("header-lost", "score", _slip_of(results.header_lost)),
    Kind("game-line-lost", "score", _slip_of(results.game_line_lost)),
    Kind("score-line-lost", "score", _slip_of(results.score_line_lost)),
    Kind("result-lost", "score", _slip_of(results.result_lost)),
    Kind("result-doubled", "score", _slip_of(results.result_doubled)),
    Kind("wins-side", "score", _slip_of(results.wins_side)),
    Kind("wins-value", "score", _slip_of(results.wins_value)),
    Kind("garbled-wins", "score", _slip_of(text.garbled_wins)),
    Kind("names-exchanged", "score", names_exchanged),
    Kind("score-line", "score", _slip_of(results.score_line)),
    Kind("score-by-one", "score", score_by_one),
    Kind("score-carried-on", "score", score_carried_on),
    Kind("first-score", "score", _slip_of(results.first_score)),
    Kind("shorter-match", "score", _slip_of(results.shorter_match)),
    Kind("other-length", "score", other_length),
    Kind("game-lost", "score", game_lost, restorable=False),
    Kind("two-slips", "several", slips_in_a_game(2)),
    Kind("three-slips", "several", slips_in_a_game(3)),
    Kind("five-slips", "several", slips_in_a_game(5)),
    Kind("neighbouring-rows", "several", slips_in_neighbouring_rows),
    Kind("one-in-each-game", "several", slip_in_each_game),
    Kind("illegal-play-carried-on", "players", illegal_play_carried_on, restorable=False),
)

BY_NAME = {kind.name: kind for kind in KINDS}

IN_SCRIBE_TEXT = frozenset(
    (
        *("lines-exchanged", "doubled-row", "row-lost", "turn-lost", "garbled-cell", "score-line"),
        *("die", "double-throw", "impossible-die", "dice-of-another-cell", "unreadable"),
        *("garbled-half", "emptied-play", "nearest-legal", "random-legal", "point-off-by-one"),
        *("step-target", "missing-step", "extra-step", "doubled-step", "direction"),
        *("other-side-points", "digits-transposed", "letter-for-digit", "double-lost", "take-lost"),
        *(
            "drop-lost",
            "cube-value",
            "garbled-double",
            "garbled-answer",
            "wins-value",
            "score-by-one",
        ),
        *("header-lost", "score-line-lost", "shorter-match", "other-length", "two-slips"),
    )
)
"""Kinds that are made as well of the project's own text, which has no columns."""


def many_steps_lost(record: Record, rng: Random) -> Slip:
    """Eight plays of each game, or all of a short one, without one of their steps."""
    parts: list[Part] = []
    for game in range(len(record.games)):
        lines = _lines_of_plays(record, game)
        for line in rng.sample(lines, min(_MANY, len(lines))):
            row = copy.copy(record)
            vars(row)["plays"] = [act for act in record.plays if act.line == line]
            broken = plays.missing_step(row, rng)
            slip = broken and slipped(record, broken.lines)
            parts += slip.parts if slip else ()
    return Slip(record.lines, tuple(sorted(parts)))


def errors(record: Record, lines: Lines) -> int:
    """How many errors a check finds in the record with these lines, those corrected in time aside."""
    matches = bganalyze.read_bytes(record.encoded(lines), record.path)
    return sum(map(is_error, bganalyze.check(matches)))


def is_error(finding: Finding) -> bool:
    """Whether a finding is an error that stands."""
    return finding.severity is Severity.ERROR and finding.standing is not Standing.CORRECTED
