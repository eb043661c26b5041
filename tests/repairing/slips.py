"""Slips of a scribe: of the cube, of headers and scores, several at once; the registry of all kinds.

Each function takes a clean record and a source of chance, and returns the slip, or None where the
record offers no place for it. What breaks a record so already stands in `tests/injection`.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from bganalyze.board.plays import check_play, nearest_plays
from bganalyze.board.position import Step
from bganalyze.record.model import Answer, Double, Play, Result
from tests.injection import cube, plays, results, text, turns
from tests.injection.breaks import first_of
from tests.injection.record import Act, Boards, Lines, Record, steps_of, words
from tests.injection.referee import as_boards, seen_by
from tests.injection.results import how_it_ended
from tests.repairing.slip import (
    Cells,
    Maker,
    Part,
    Slip,
    errors,
    lines_of_plays,
    neighbors,
    rows_of,
    slip_of,
    slipped,
    with_cell,
    with_cells,
)
from tests.repairing.slips_of_cells import (
    dice_of_another_cell,
    digits_transposed,
    direction,
    hit_mark_lost,
    letter_for_digit,
    nearest_legal,
    other_side_points,
    play_of,
    point_off_by_one,
    random_legal,
    unreadable,
)
from tests.repairing.slips_of_games import (
    game_copied_back,
    game_copied_over,
    game_lost_renumbered,
    game_twice,
    games_exchanged,
    games_exchanged_renumbered,
    head_cut_off,
)
from tests.repairing.slips_of_rows import (
    columns_from_row,
    dance_lost_moved_up,
    dice_exchanged,
    half_row_alone,
    lines_exchanged,
    right_column_lost,
    right_column_lost_with_first,
    row_doubled_numbered,
    row_lost_numbered,
    rows_exchanged,
    turn_lost_moved_up,
)

_NUMBER = re.compile(r"[0-9]+")
_STEP_DRAWS = 8
_MANY = 8
_LONGEST_MATCH = 25


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
        changed_cells = {other.line: rows[other.line][1] for other in acts}
        for other, moved in zip(acts, (*acts[2:], *acts[:2]), strict=True):
            cells = with_cell(changed_cells[other.line], other.side, record.text(moved))
            changed_cells[other.line] = cells
        return slipped(record, with_cells(record, rows, changed_cells))

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
        changed_cells = {other.line: rows[other.line][1] for other in (act, answer)}
        for other in (act, answer):
            changed_cells[other.line] = with_cell(changed_cells[other.line], other.side, "")
        lines = with_cells(record, rows, changed_cells)
        return slipped(
            record,
            [
                line
                for at, line in enumerate(lines, 1)
                if at not in changed_cells or any(changed_cells[at])
            ],
        )

    return first_of(rng, record.of_kind(Double), make)


# -- headers, scores and the match ------------------------------------------------------------------


def names_exchanged(record: Record, rng: Random) -> Slip | None:
    """In one score line the names stand in each other's place, the points do not."""

    def make(game: int) -> Slip | None:
        score = record.match.games[game].score
        if score is None or score.names[0] == score.names[1]:
            return None
        left_name, right_name = score.names
        line = record.lines[score.span.line - 1]
        header = re.fullmatch(
            rf"(\s*){re.escape(left_name)}(\s*:\s*[0-9]+\s*?)(\s+){re.escape(right_name)}(.*)", line
        )
        if header is None:
            return None
        before, points, gap, after = header.groups()
        left = (before + right_name + points).ljust(
            len(before + left_name + points + gap) - 1
        ) + " "
        return slipped(record, record.with_line(score.span.line, left + left_name + after))

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
    slip_of(plays.die),
    slip_of(plays.missing_step),
    slip_of(plays.extra_step),
    slip_of(plays.missing_roll),
    slip_of(plays.emptied),
    slip_of(turns.swapped_cells),
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


def slips_in_a_game(count: int) -> Maker:
    """That many slips in different rows of one game."""

    def make_slips(record: Record, rng: Random) -> Slip | None:
        def make(game: int) -> Slip | None:
            lines = lines_of_plays(record, game)
            if len(lines) < 3 * count:
                return None
            return _several(record, rng, rng.sample(lines, count))

        return first_of(rng, list(range(len(record.games))), make)

    make_slips.__doc__ = f"{count} slips in different rows of one game."
    return make_slips


def slips_in_neighbouring_rows(record: Record, rng: Random) -> Slip | None:
    """A slip in each of two neighbouring rows."""
    return first_of(rng, list(neighbors(record)), lambda pair: _several(record, rng, pair))


def slip_in_each_game(record: Record, rng: Random) -> Slip | None:
    """A slip in each game of a match of at least three."""
    if len(record.games) < 3:
        return None
    lines = [lines_of_plays(record, game) for game in range(len(record.games))]
    for _ in range(_STEP_DRAWS):
        slip = _several(record, rng, [rng.choice(of) for of in lines if of])
        if slip is not None:
            return slip
    return None


def many_steps_lost(record: Record, rng: Random) -> Slip:
    """Eight plays of each game, or all of a short one, without one of their steps."""
    parts: list[Part] = []
    for game in range(len(record.games)):
        lines = lines_of_plays(record, game)
        for line in rng.sample(lines, min(_MANY, len(lines))):
            row = copy.copy(record)
            vars(row)["plays"] = [act for act in record.plays if act.line == line]
            broken = plays.missing_step(row, rng)
            slip = broken and slipped(record, broken.lines)
            parts += slip.parts if slip else ()
    return Slip(record.lines, tuple(sorted(parts)))


# -- what is no slip --------------------------------------------------------------------------------


def illegal_play_carried_on(record: Record, rng: Random) -> Slip | None:
    """A player moves a checker a point too far or too short, and both go on from there.

    What follows is what was played, or the legal play nearest to it, and it no longer fits the play
    that was meant: the record is right, and so is the finding. Only another roll would explain it.
    """

    def make(act: Act) -> Slip | None:
        steps = list(steps_of(words(record.text(act))))
        index, by = rng.randrange(len(steps)), rng.choice((-1, 1))
        path = steps[index].path
        if not 0 < path[-1] + by < path[0]:
            return None
        steps[index] = Step((*path[:-1], path[-1] + by), (False,) * (len(path) - 1))
        end, checked = check_play(act.position, act.action.dice, steps, record.marks)
        if checked.fault is None or checked.fault.name == "blocked-point":
            return None
        played = play_of(act, tuple(steps))
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
        end, checked = check_play(position, dice, later.action.steps, record.marks)
        if checked.fault is not None:
            steps = next(iter(nearest_plays(position, dice, later.action.steps)), ())
            end, _ = check_play(position, dice, steps)
            cells.append((later, play_of(later, steps)))
        if not any(end.own[1:]):
            return []
        boards = as_boards(end, later.side)
    return cells


def _with_texts(record: Record, cells: Sequence[tuple[Act, str]]) -> Lines:
    """Return the lines of a record in which these texts stand in the cells of actions."""
    rows = rows_of(record, cells[0][0].game)
    changed_cells: dict[int, Cells] = {}
    for act, act_text in cells:
        row = changed_cells.get(act.line, rows[act.line][1])
        changed_cells[act.line] = with_cell(row, act.side, act_text)
    return with_cells(record, rows, changed_cells)


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
    named_by: frozenset[str] = frozenset()
    """The codes of findings and the kinds of proposals that name one which no edit mends."""


OF_ORDER = frozenset(("T104",))
OF_LOST_GAME = OF_ORDER | {"game-lost"}
OF_LOST_ROW, OF_LOST_COLUMN = frozenset(("lost row",)), frozenset(("lost column",))

KINDS: tuple[Kind, ...] = (
    Kind("columns-from-row", "layout", columns_from_row),
    Kind("swapped-columns", "layout", slip_of(turns.swapped_columns)),
    Kind("swapped-sides", "layout", slip_of(turns.swapped_sides)),
    Kind("swapped-cells", "layout", slip_of(turns.swapped_cells)),
    Kind("doubled-row", "layout", slip_of(turns.doubled_row)),
    Kind("doubled-row-numbered", "layout", row_doubled_numbered),
    Kind("doubled-play", "layout", slip_of(turns.doubled_play)),
    Kind("rows-exchanged", "layout", rows_exchanged),
    Kind("lines-exchanged", "layout", lines_exchanged),
    Kind("dice-exchanged", "layout", dice_exchanged),
    Kind("half-row-alone", "layout", half_row_alone),
    Kind("right-column-lost", "layout", right_column_lost, False, OF_LOST_COLUMN),
    Kind("right-column-lost-first", "layout", right_column_lost_with_first, False, OF_LOST_COLUMN),
    Kind("row-lost", "row lost", slip_of(turns.row_deleted), False, OF_LOST_ROW),
    Kind("row-lost-numbered", "row lost", row_lost_numbered, False, OF_LOST_ROW),
    Kind("turn-lost", "turn lost", slip_of(turns.dropped_play)),
    Kind("turn-lost-moved-up", "turn lost", turn_lost_moved_up),
    Kind("dance-lost-moved-up", "turn lost", dance_lost_moved_up),
    Kind("garbled-cell", "turn lost", slip_of(text.garbled_cell)),
    Kind("die", "dice", slip_of(plays.die)),
    Kind("die-of-dance", "dice", slip_of(plays.die_of_dance)),
    Kind("double-roll", "dice", slip_of(plays.double_roll)),
    Kind("impossible-die", "dice", slip_of(plays.impossible_die)),
    Kind("opening-double", "dice", slip_of(plays.opening_double)),
    Kind("dice-of-another-cell", "dice", dice_of_another_cell),
    Kind("missing-roll", "dice", slip_of(plays.missing_roll)),
    Kind("garbled-roll", "dice", slip_of(text.garbled_roll)),
    Kind("unreadable", "unreadable", unreadable),
    Kind("garbled-play", "unreadable", slip_of(text.garbled_play)),
    Kind("garbled-half", "unreadable", slip_of(text.garbled_half)),
    Kind("emptied-play", "unreadable", slip_of(plays.emptied)),
    Kind("false-dance", "unreadable", slip_of(plays.false_dance)),
    Kind("nearest-legal", "nearest legal", nearest_legal),
    Kind("random-legal", "steps", random_legal),
    Kind("point-off-by-one", "steps", point_off_by_one),
    Kind("step-target", "steps", slip_of(plays.step_target)),
    Kind("step-source", "steps", slip_of(plays.step_source)),
    Kind("missing-step", "steps", slip_of(plays.missing_step)),
    Kind("extra-step", "steps", slip_of(plays.extra_step)),
    Kind("doubled-step", "steps", slip_of(plays.doubled_step)),
    Kind("direction", "steps", direction),
    Kind("other-side-points", "steps", other_side_points),
    Kind("digits-transposed", "steps", digits_transposed),
    Kind("letter-for-digit", "steps", letter_for_digit),
    Kind("bar-ignored", "steps", slip_of(plays.bar_ignored)),
    Kind("early-bear-off", "steps", slip_of(plays.early_bear_off)),
    Kind("bear-off-past", "steps", slip_of(plays.bear_off_past)),
    Kind("hit-mark-lost", "steps", hit_mark_lost),
    Kind("false-hit-mark", "steps", slip_of(plays.false_hit_mark)),
    Kind("double-lost", "cube", slip_of(cube.dropped_double)),
    Kind("take-lost", "cube", slip_of(cube.dropped_take)),
    Kind("drop-lost", "cube", slip_of(cube.dropped_drop)),
    Kind("offer-lost", "cube", offer_lost, restorable=False),
    Kind("doubled-double", "cube", slip_of(cube.doubled_double)),
    Kind("doubled-take", "cube", slip_of(cube.doubled_take)),
    Kind("double-a-row-late", "cube", double_a_row_late),
    Kind("cube-value", "cube", slip_of(cube.cube_value)),
    Kind("take-for-drop", "cube", slip_of(cube.take_for_drop)),
    Kind("drop-for-take", "cube", slip_of(cube.drop_for_take)),
    Kind("garbled-double", "cube", slip_of(text.garbled_double)),
    Kind("garbled-answer", "cube", slip_of(text.garbled_answer)),
    Kind("header-lost", "score", slip_of(results.header_lost)),
    Kind("game-line-lost", "score", slip_of(results.game_line_lost)),
    Kind("score-line-lost", "score", slip_of(results.score_line_lost)),
    Kind("result-lost", "score", slip_of(results.result_lost)),
    Kind("result-doubled", "score", slip_of(results.result_doubled)),
    Kind("wins-side", "score", slip_of(results.wins_side)),
    Kind("wins-value", "score", slip_of(results.wins_value)),
    Kind("garbled-wins", "score", slip_of(text.garbled_wins)),
    Kind("names-exchanged", "score", names_exchanged),
    Kind("score-line", "score", slip_of(results.score_line)),
    Kind("score-by-one", "score", score_by_one),
    Kind("score-carried-on", "score", score_carried_on),
    Kind("first-score", "score", slip_of(results.first_score)),
    Kind("shorter-match", "score", slip_of(results.shorter_match)),
    Kind("other-length", "score", other_length),
    Kind("game-lost", "games", game_lost, False, OF_LOST_GAME),
    Kind("game-lost-renumbered", "games", game_lost_renumbered, False, OF_LOST_GAME),
    Kind("games-exchanged", "games", games_exchanged, False, OF_ORDER),
    Kind("games-exchanged-renumbered", "games", games_exchanged_renumbered, False, OF_ORDER),
    Kind("game-copied-over", "games", game_copied_over, False, OF_ORDER),
    Kind("game-copied-back", "games", game_copied_back, False, OF_ORDER),
    Kind("game-twice", "games", game_twice, False, OF_ORDER),
    Kind("head-cut-off", "games", head_cut_off, False, frozenset(("T120",))),
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
        *("die", "double-roll", "impossible-die", "dice-of-another-cell", "unreadable"),
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
