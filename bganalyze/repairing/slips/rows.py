"""Slips of layout: rows, cells, columns that stand in each other's place or twice; a turn lost."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from operator import attrgetter
from typing import NamedTuple

from bganalyze.board.position import OFF
from bganalyze.record.model import (
    LEFT,
    RIGHT,
    Answer,
    Double,
    Play,
    Result,
    Side,
    other_side,
)
from bganalyze.repairing.evidence import PLAYS_THAT_TELL, Evidence, is_too_short
from bganalyze.repairing.remedy import identity
from bganalyze.repairing.rows import Row, Sheet, sheet_of, turns_of
from bganalyze.repairing.slips.unknown import (
    pairs_before,
    turn_named,
    turn_text,
    turns_before,
)
from bganalyze.repairing.suggestion import Alternative, Suggestion
from bganalyze.validation.replaying.one_sided import COLUMN_LOST
from bganalyze.validation.replaying.trial import tried

ROWS_BACK, ROWS_AHEAD = 5, 1
"""A slip of layout shows within so many rows; or before it, where a hit is not heeded after it."""

ROWS_AT_END = 2
"""Where columns are exchanged, up to so many rows at the end of the game may stand right."""

MOVED_ROWS_BACK = 20
"""That the turns from a row on have moved up shows within so many rows."""

NOT_ENTERED = "hit-not-executed"
"""What is found at a hit after which the other side goes on as if it were none: its turn may be lost."""

SHOWN_BY_SIDES = frozenset(
    (
        "empty-point",
        "blocked-point",
        "bar-first",
        "early-bear-off",
        "bear-off-die",
        "false-dance",
        "unplayed-die",
        "turn-order",
        "answer-without-double",
        NOT_ENTERED,
        "wrong-winner",
    )
)
"""What is found where a play, or the last double, is taken for the other side's."""

COLUMN_IS_LOST = math.log(0.8)
TURN_LOST, TURN_LOST_AND_MOVED_UP = math.log(0.5), math.log(0.05)
FIRST_TURN_LOST = math.log(0.03)
"""Where the left cell of the first row is empty: it is, in every other game."""
ROW_LOST, ROW_LOST_RENUMBERED = math.log(2.0), math.log(0.1)
"""Where the number of a row is missing, and where the numbers go on."""
LOST_ROW = "lost row"
TURN_IS_LOST = "a turn is lost: "
MOST_MISSING = 3
"""So many missing rows are looked for, the last ones: a record may have nothing but odd numbers."""
ROW_TWICE = math.log(1.0)
CELLS_EXCHANGED = math.log(0.5)
DICE_EXCHANGED = math.log(6.0)
"""That another slip makes two rolls each other's is rare."""
BESIDE_DANCE = -2.5
"""But where one is of a turn without a play, many rolls explain it."""
SIDES_EXCHANGED = math.log(0.4)
"""Where the game ends on the board nothing else explains the score; elsewhere a wrong winner may."""
OTHER_COLUMN = math.log(0.005)
"""A cell beside an empty one stands in the wrong column."""
ROWS_EXCHANGED = math.log(0.3)
COLUMNS_EXCHANGED = math.log(0.5)
HALF_ROW = math.log(0.5)
ROW_AT_END = 1.0
"""What an exchange of columns loses for each row at the end of the game that stands right."""

OF_SCORES = ("R602", "R603", "R604", "R605")
"""What is found where the wrong side has won."""

PLAY_RULES = "P"
"""What is found after a row of two plays that is lost."""

_ROLL = re.compile(r"[0-9]{2}(?=:)")


class Arrangement(NamedTuple):
    """Rows that the record may have meant."""

    kind: str
    message: str
    rows: Sequence[Row]
    at: int
    """The index of the first row that is another."""
    likelihood: float


def doubled_row(evidence: Evidence) -> Iterator[Suggestion]:
    """A row, or the only turn in it, stands again in the next.

    `5) 31: 8/5 6/5` and `6) 31: 8/5 6/5` was one row.
    """
    for sheet, at in _near(evidence):
        row = sheet.rows[at]
        above, below = sheet.rows[max(at - 1, 0) : at], sheet.rows[at + 1 : at + 2]
        others = [*above, *(other for other in below if other.cells != row.cells)]
        for other in others:
            if _is_part_of(row, other):
                message = f"{_named(row)} repeats {_named(other)}"
                rows = sheet.renumbered([*sheet.rows[:at], *sheet.rows[at + 1 :]])
                yield from _tried(evidence, Arrangement("row twice", message, rows, at, ROW_TWICE))


def exchanged_cells(evidence: Evidence) -> Iterator[Suggestion]:
    """The two cells of a row stand in each other's column.

    `5) 62: 24/18 13/11   31: 8/5 6/5` was `5) 31: 8/5 6/5   62: 24/18 13/11`.
    """
    for sheet, at in _near(evidence):
        row = sheet.rows[at]
        message = f"the cells of {_named(row)} exchanged"
        likelihood = CELLS_EXCHANGED if all(row.cells) else OTHER_COLUMN
        rows = _with_rows(sheet, at, row.exchanged())
        for suggestion in _tried(evidence, Arrangement("cells", message, rows, at, likelihood)):
            # Beside an empty cell as well a turn may be lost, and this one have moved up.
            yield suggestion if all(row.cells) else suggestion._replace(is_whole=False)


def exchanged_dice(evidence: Evidence) -> Iterator[Suggestion]:
    """The rolls of the two cells of a row stand in each other's.

    `5) 62: 8/5 6/5   31: 24/18 13/11` was `5) 31: 8/5 6/5   62: 24/18 13/11`.
    """
    for sheet, at in _near(evidence):
        row = sheet.rows[at]
        left, right = (_ROLL.match(cell) for cell in row.cells)
        if left is None or right is None or left.group() == right.group():
            continue
        repaired = row._replace(
            left=right.group() + row.left[left.end() :],
            right=left.group() + row.right[right.end() :],
        )
        message = f"the rolls of {_named(row)} exchanged"
        rows = _with_rows(sheet, at, repaired)
        has_plays = all("/" in cell for cell in row.cells)
        likelihood = DICE_EXCHANGED + (0.0 if has_plays else BESIDE_DANCE)
        yield from _tried(evidence, Arrangement("dice", message, rows, at, likelihood))


def exchanged_rows(evidence: Evidence) -> Iterator[Suggestion]:
    """Two neighbouring rows stand in each other's place, with their numbers or without."""
    for sheet, at in _near(evidence):
        if at + 1 >= len(sheet.rows):
            continue
        row, below = sheet.rows[at : at + 2]
        if row.number is None or below.number is None:
            continue
        first, second = sorted((row, below), key=lambda either: either.number or 0)
        repaired = (
            row._replace(label=first.label, left=below.left, right=below.right),
            below._replace(label=second.label, left=row.left, right=row.right),
        )
        message = f"{_named(row)} and {_named(below)} exchanged"
        rows = _with_rows(sheet, at, *repaired)
        yield from _tried(evidence, Arrangement("rows", message, rows, at, ROWS_EXCHANGED))


def half_row(evidence: Evidence) -> Iterator[Suggestion]:
    """The right cell of a row stands on a row of its own, in whichever column."""
    for sheet, at in _near(evidence):
        if at + 1 >= len(sheet.rows):
            continue
        row, below = sheet.rows[at : at + 2]
        texts = [text for text in below.cells if text]
        if row.right or len(texts) != 1 or below.number is None:
            continue
        repaired = row._replace(right=texts[0])
        rows = sheet.renumbered([*sheet.rows[:at], repaired, *sheet.rows[at + 2 :]])
        message = f"{_named(below)} belongs into {_named(row)}"
        yield from _tried(evidence, Arrangement("half row", message, rows, at, HALF_ROW))


def exchanged_columns(evidence: Evidence) -> Iterator[Suggestion]:
    """The columns are exchanged, from a row on or in the whole game, to its end or nearly."""
    exchanged = [row.exchanged() for row in evidence.sheet.rows] if evidence.sheet else []
    for sheet, at in _near(evidence, whole_game=True):
        message = f"the columns exchanged from {_named(sheet.rows[at])} on"
        for right_at_end in range(ROWS_AT_END + 1):
            end = len(sheet.rows) - right_at_end
            if end - at < 2:
                continue
            likelihood = COLUMNS_EXCHANGED - ROW_AT_END * right_at_end
            rows = [*sheet.rows[:at], *exchanged[at:end], *sheet.rows[end:]]
            yield from _tried(evidence, Arrangement("columns", message, rows, at, likelihood))


def exchanged_sides(evidence: Evidence) -> Iterator[Suggestion]:
    """The players of a whole game are exchanged, turn for turn: only the score tells.

    So it would if another game stood in its place, and nothing is proved.
    """
    number = evidence.finding.game
    if number is None or evidence.finding.code not in OF_SCORES:
        return
    for replayed in evidence.replayed.games[max(number - 2, 0) : number]:
        sheet = sheet_of(evidence.lines, replayed.game)
        if sheet is None:
            continue
        at = next((at for at, row in enumerate(sheet.rows) if row.number is not None), None)
        if at is None:
            continue
        cells = [cell for row in sheet.numbered(at) for cell in row.cells]
        rows = sheet.laid_out(at, ["", *cells] if cells[0] else cells[1:])
        behind = [row.exchanged() if row.number is None else row for row in rows[at:]]
        yield Suggestion(
            "sides",
            f"the sides of game {replayed.context.game} exchanged",
            sheet.edits([*rows[:at], *behind]),
            sheet.rows[at].line or 0,
            sheet.rows[at].label,
            None,
            SIDES_EXCHANGED,
            is_whole=False,
        )


def lost_turn(evidence: Evidence) -> Iterator[Suggestion]:
    """A turn is lost: its cell is empty, or it is the last one before the result.

    `5)            62: 24/18 13/11` was `5) 31: 8/5 6/5   62: 24/18 13/11`.
    """
    sheet = evidence.sheet
    if sheet is None:
        return
    for gap in _gaps(evidence, sheet):
        yield from _of_gap(evidence, sheet, gap)


def lost_column(evidence: Evidence) -> Iterator[Suggestion]:
    """All turns of one side are left out of a game: nothing tells them."""
    game, reading = evidence.game, evidence.fact.reading
    if game is None or reading not in COLUMN_LOST:
        return
    side: Side = LEFT if reading == COLUMN_LOST[LEFT] else RIGHT
    first = evidence.sheet.rows[0] if evidence.sheet is not None else None
    name = (game.game.score.names if game.game.score else evidence.replayed.match.names)[side]
    yield Suggestion(
        "lost column",
        f"all turns of {name} are left out of this game",
        (),
        (first.line if first is not None else None) or evidence.actions[0].span.line,
        first.label if first is not None else None,
        side,
        COLUMN_IS_LOST,
        is_whole=False,
        explained=frozenset((identity(evidence.finding),)),
    )


class Gap(NamedTuple):
    """A place where a turn of a side may be missing."""

    before: int
    """Of the action before which it is missing."""
    side: Side
    at: int
    """The row of that action."""
    likelihood: float


def _gaps(evidence: Evidence, sheet: Sheet) -> Iterator[Gap]:
    """Yield where a turn may be missing: before the finding, a turn that is the same, and the first."""
    if evidence.index is not None:
        side = missing_side(evidence, evidence.index)
        at = sheet.at(evidence.actions[evidence.index].span.line)
        if side is not None and at is not None:
            yield Gap(evidence.index, side, at, TURN_LOST)
    for index in _repeated(evidence):
        side, at = missing_side(evidence, index), sheet.at(evidence.actions[index].span.line)
        if side is not None and at is not None:
            yield Gap(index, side, at, TURN_LOST)
    first = next((n for n, a in enumerate(evidence.actions) if isinstance(a, Play | Double)), None)
    if first is None or first == evidence.index:
        return
    action = evidence.actions[first]
    at = sheet.at(action.span.line)
    assert isinstance(action, Play | Double)
    if at is not None and sheet.rows[at].number is not None:
        is_usual = at == 0 or sheet.rows[at - 1].number is None
        if not is_usual or action.side == RIGHT:
            likelihood = FIRST_TURN_LOST if is_usual else TURN_LOST
            yield Gap(first, other_side(action.side), at, likelihood)


def _repeated(evidence: Evidence) -> Iterator[int]:
    """Yield turns before the finding that are the same as the one before them, and so count once."""
    turn = attrgetter("side", "dice", "steps")
    for index, (before, action) in enumerate(pairwise(evidence.actions[: evidence.index]), start=1):
        if type(before) is type(action) is Play and turn(before) == turn(action):
            yield index


def _of_gap(evidence: Evidence, sheet: Sheet, gap: Gap) -> Iterator[Suggestion]:
    action = evidence.actions[gap.before]
    following = evidence.actions[gap.before :]
    boards, rolls = evidence.boards[gap.before], evidence.rolls(gap.before)
    for turn in turns_before(evidence, boards, gap.side, following, gap.before, rolls):
        if isinstance(action, Result) and turn.result.own[OFF] < sum(turn.result.own):
            continue
        text = turn_text(evidence, turn, "", gap.side)
        yield Suggestion(
            "lost turn",
            f"{TURN_IS_LOST}{turn_named(turn, text)}",
            sheet.edits(_put_in(sheet, gap.at, gap.side, text)),
            action.span.line,
            action.row,
            gap.side,
            gap.likelihood + turn.likelihood - evidence.doubt(turn.trial),
            turn.trial.is_whole,
            Alternative(evidence.situation(gap.before, gap.side, turn.dice), turn.result, None),
            (turn.dice,),
            (turn.steps,),
        )


def missing_side(evidence: Evidence, index: int) -> Side | None:
    """Return the side whose turn is missing before an action; None where none is."""
    action = evidence.actions[index]
    if isinstance(action, Result):
        return action.side
    if not isinstance(action, Play | Double):
        return None
    before = [a for a in evidence.actions[:index] if isinstance(a, Play | Double | Answer)]
    if before and not isinstance(before[-1], Double) and before[-1].side == action.side:
        return other_side(action.side)
    return None


def _put_in(sheet: Sheet, at: int, side: Side, text: str) -> list[Row]:
    """Return the rows with a turn put in before the one in a row, where there is room or in a row.

    A left cell comes before the right one of its row, a right one is that of the row above.
    """
    rows = list(sheet.rows)
    place = at if side == LEFT else at - 1
    if place >= 0 and not rows[place].cells[side]:
        rows[place] = rows[place].with_cell(side, text)
        return rows
    row = Row(None, rows[at].label, "", "").with_cell(side, text)
    return sheet.renumbered([*rows[:at], row, *rows[at:]])


def lost_row(evidence: Evidence) -> Iterator[Suggestion]:
    """A row of two turns is lost with its number: it is missing."""
    sheet = evidence.sheet
    at_fault = None if sheet is None else sheet.at(evidence.finding.line)
    if sheet is None or at_fault is None or not evidence.finding.code.startswith(PLAY_RULES):
        return
    if evidence.enough < PLAYS_THAT_TELL:
        return
    missing = [at for at in range(1, at_fault + 1) if sheet.lacks_row(at)]
    for at in missing[-MOST_MISSING:]:
        yield from _of_row(evidence, sheet, at, ROW_LOST)


def lost_row_renumbered(evidence: Evidence) -> Iterator[Suggestion]:
    """A row of two turns is lost, and the numbers go on."""
    if evidence.enough < PLAYS_THAT_TELL:
        return
    for sheet, at in _near(evidence):
        if not sheet.lacks_row(at):
            yield from _of_row(evidence, sheet, at, ROW_LOST_RENUMBERED)


def _of_row(evidence: Evidence, sheet: Sheet, at: int, likelihood: float) -> Iterator[Suggestion]:
    """Yield the rows that may be lost above another, which is numbered and begins with a turn."""
    row = sheet.rows[at]
    index = evidence.first_at(row.line or 0)
    if index is None or not row.left or on_roll(evidence, index) == RIGHT:
        return
    actions = evidence.actions[index:]
    for first, second in pairs_before(evidence, evidence.boards[index], LEFT, actions, index):
        texts = turn_text(evidence, first, "", LEFT), turn_text(evidence, second, "", RIGHT)
        rows = [*sheet.rows[:at], Row(None, row.label, *texts), *sheet.rows[at:]]
        situation = evidence.situation(index, RIGHT, second.dice)
        yield Suggestion(
            LOST_ROW,
            f"a row is lost: {turn_named(first, texts[0])} and {turn_named(second, texts[1])}",
            sheet.edits(sheet.renumbered(rows)),
            row.line or 0,
            row.label,
            None,
            likelihood + first.likelihood + second.likelihood - evidence.doubt(second.trial),
            False,  # Of two turns that nobody knows nothing is proved.
            Alternative(situation._replace(position=second.position), second.result, None),
            (first.dice, second.dice),
            (first.steps, second.steps),
        )


def lost_turn_moved_up(evidence: Evidence) -> Iterator[Suggestion]:
    """A turn is lost, and all that follow it stand one cell too early."""
    sheet = evidence.sheet
    at_fault = None if sheet is None else sheet.at(evidence.finding.line)
    if sheet is None or at_fault is None or evidence.finding.name not in SHOWN_BY_SIDES:
        return
    if evidence.enough < PLAYS_THAT_TELL or _has_too_few_plays(evidence):
        return
    start = max(at_fault - MOVED_ROWS_BACK, 0)
    cells = [cell for row in sheet.numbered(start) for cell in row.cells]
    if any("wins" in cell.casefold() for cell in cells):
        return
    moved = [list(turns_of([_in_next_column(*entry)])) for entry in enumerate(cells)]
    first = {
        (action.span.line, action.side): index
        for index, action in reversed(list(enumerate(evidence.actions)))
        if isinstance(action, Play | Double | Answer)
    }
    ahead = 1 if evidence.finding.name == NOT_ENTERED else 0  # The lost turn follows the hit.
    last = len(evidence.actions) if evidence.index is None else evidence.index + ahead
    for place in reversed(range(min(2 * (at_fault - start) + 2 + ahead, len(cells)))):
        at, side = start + place // 2, LEFT if place % 2 == 0 else RIGHT
        index = first.get((sheet.rows[at].line or 0, side))
        if index is None or index > last:
            continue
        following = list(chain.from_iterable(moved[place:]))
        boards, rolls = evidence.boards[index], evidence.rolls(index)
        for turn in turns_before(evidence, boards, side, following, index, rolls):
            text = turn_text(evidence, turn, "", side)
            rows = sheet.laid_out(start, [*cells[:place], text, *cells[place:]])
            yield Suggestion(
                "lost turn, the rest moved up",
                f"{TURN_IS_LOST}{turn_named(turn, text)}",
                sheet.edits(rows),
                sheet.rows[at].line or 0,
                sheet.rows[at].label,
                side,
                TURN_LOST_AND_MOVED_UP + turn.likelihood - evidence.doubt(turn.trial),
                turn.trial.is_whole,
                Alternative(evidence.situation(index, side, turn.dice), turn.result, None),
                (turn.dice,),
                (turn.steps,),
                note="all after it stand one cell too early",
            )


def _has_too_few_plays(evidence: Evidence) -> bool:
    """Whether the game of a fault in a play is so short that its plays show nothing.

    Measured: hundreds of turns fit a game of five plays, and take three fifths of the search in it.
    """
    is_of_play = evidence.finding.code.startswith(PLAY_RULES)
    return is_of_play and is_too_short(evidence.replayed, evidence.finding)


def _in_next_column(place: int, cell: str) -> Row:
    """Return a row with only a cell, which is the one behind it among all, left and right by turns."""
    return Row(None, None, "", cell) if place % 2 == 0 else Row(None, None, cell, "")


def _near(evidence: Evidence, *, whole_game: bool = False) -> Iterator[tuple[Sheet, int]]:
    """Yield the rows at which a slip of layout may have been made."""
    sheet = evidence.sheet
    at_fault = None if sheet is None else sheet.at(evidence.finding.line)
    if sheet is None or at_fault is None or evidence.is_unreadable:
        return
    near = range(max(at_fault - ROWS_BACK, 0), min(at_fault + ROWS_AHEAD + 1, len(sheet.rows)))
    for at in near:
        yield sheet, at
    if whole_game and 0 not in near:
        yield sheet, 0


def _tried(evidence: Evidence, layout: Arrangement) -> Iterator[Suggestion]:
    """Yield a layout as a suggestion if the plays can be carried out in it."""
    sheet = evidence.sheet
    assert sheet is not None
    row = sheet.rows[layout.at]
    assert row.line is not None
    index = evidence.first_at(row.line)
    if index is None:
        return
    trial = tried(
        evidence.boards[index],
        turns_of(layout.rows[layout.at :]),
        marks_hits=evidence.marks_hits,
        side=on_roll(evidence, index),
    )
    if evidence.is_repaired(trial, index):
        yield Suggestion(
            layout.kind,
            layout.message,
            sheet.edits(layout.rows),
            row.line,
            row.label,
            None,
            layout.likelihood - evidence.doubt(trial),
            trial.is_whole,
        )


def on_roll(evidence: Evidence, index: int) -> Side | None:
    """Return whose turn it is before an action; None at the start."""
    plays = (action for action in reversed(evidence.actions[:index]) if isinstance(action, Play))
    return next((other_side(play.side) for play in plays), None)


def _with_rows(sheet: Sheet, at: int, *rows: Row) -> list[Row]:
    """Return the rows of a sheet with others from an index on."""
    return [*sheet.rows[:at], *rows, *sheet.rows[at + len(rows) :]]


def _is_part_of(row: Row, other: Row) -> bool:
    """Whether all that a row says stands in another, too."""
    cells = zip(row.cells, other.cells, strict=True)
    return any(row.cells) and all(cell in ("", there) for cell, there in cells)


def _named(row: Row) -> str:
    return f"line {row.line}" if row.label is None else f"row {row.label}"
