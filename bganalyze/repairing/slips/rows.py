"""Slips of layout in match text: swapped or repeated rows, cells and columns, and lost turns."""

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
from bganalyze.repairing.error_context import PLAYS_NEEDED_AS_EVIDENCE, ErrorContext, is_too_short
from bganalyze.repairing.proof import SIDES_EXPLAIN_ANY, TURN_MAY_BE_MISSING
from bganalyze.repairing.remedy import finding_key
from bganalyze.repairing.rows import Row, Sheet, read_actions, split_into_rows
from bganalyze.repairing.slips.unknown import (
    find_pairs_before,
    find_turns_before,
    name_turn,
    write_turn,
)
from bganalyze.repairing.suggestion import Alternative, Suggestion
from bganalyze.validation.replaying.layout import ROLLS
from bganalyze.validation.replaying.one_sided import COLUMN_LOST
from bganalyze.validation.replaying.replayed import GameReplay
from bganalyze.validation.replaying.trial import try_actions

ROWS_BACK, ROWS_AHEAD = 5, 1
"""Rows searched around the finding. One row ahead, because ignoring a hit shows up only later."""

ROWS_AT_END = 2
"""Most rows at the end of a game that may be correct although columns are swapped before them."""

MOVED_ROWS_BACK = 20
"""Rows searched before the finding for a lost turn after which all turns moved up."""

NOT_ENTERED = "hit-not-executed"
"""Rule for a hit that the other side ignores: the turn in which it entered may be lost."""

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
"""Rules that are broken when a play or the last double is read as the other side's."""

# Log-likelihoods of slips, for comparing suggestions with one another.
COLUMN_IS_LOST = math.log(0.8)
TURN_LOST, TURN_LOST_AND_MOVED_UP = math.log(0.5), math.log(0.05)
FIRST_TURN_LOST = math.log(0.03)
"""Log-likelihood that a turn is lost from the empty left cell of the first row. Every second game
has that cell empty."""
ROW_LOST, ROW_LOST_RENUMBERED = math.log(2.0), math.log(0.1)
"""Log-likelihood that a row is lost: with its number, and with the later rows renumbered."""
LOST_ROW = "lost row"
TURN_IS_LOST = "insert the lost turn "
MOST_MISSING = 3
"""Missing rows searched, the last ones first. Some match files have only odd row numbers."""
ROW_TWICE = math.log(1.0)
CELLS_EXCHANGED = math.log(0.5)
DICE_EXCHANGED = math.log(6.0)
"""Few other slips leave two rolls swapped, so a swap that works is strong evidence."""
BESIDE_DANCE = -2.5
"""Penalty if one of the two turns has no play: then many rolls fit."""
SIDES_EXCHANGED = math.log(0.4)
"""Log-likelihood of swapped sides. A wrong winner explains the score as well, unless the game ends
on the board."""
OTHER_COLUMN = math.log(0.005)
"""Log-likelihood that a cell beside an empty one is in the wrong column."""
ROWS_EXCHANGED = math.log(0.3)
COLUMNS_EXCHANGED = math.log(0.5)
HALF_ROW = math.log(0.5)
ROW_AT_END = 1.0
"""Penalty for each correct row at the end of a game whose columns are swapped."""

SCORE_RULES = ("R602", "R603", "R604", "R605", "R607")
"""Codes of the rules that may be broken when the wrong side has won."""

WRONG_WINNER = "R603"
"""Code of the rule about a result that the plays of its game contradict."""

PLAY_RULES = "P"
"""First letter of the rules that are broken after a lost row of two plays."""

_ROLL = re.compile(r"[0-9]{2}(?=:)")


class RowArrangement(NamedTuple):
    """Rows that the transcriber may have meant."""

    kind: str
    message: str
    rows: Sequence[Row]
    at: int
    """Index of the first row that differs."""
    likelihood: float


def suggest_deleting_repeated_row(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest deleting a row if all its turns (one or two) repeat those of a neighboring row."""
    for sheet, at in _yield_rows_near_finding(context):
        row = sheet.rows[at]
        above, below = sheet.rows[max(at - 1, 0) : at], sheet.rows[at + 1 : at + 2]
        others = [*above, *(other for other in below if other.cells != row.cells)]
        for other in others:
            if _repeats_row(row, other):
                message = f"delete {_name_row(row)}: it repeats {_name_row(other)}"
                rows = sheet.renumber([*sheet.rows[:at], *sheet.rows[at + 1 :]])
                yield from _suggest_if_repaired(
                    context, RowArrangement("row twice", message, rows, at, ROW_TWICE)
                )


def suggest_swapping_cells(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest swapping the two cells of a row, with their rolls and plays."""
    for sheet, at in _yield_rows_near_finding(context):
        row = sheet.rows[at]
        message = f"swap the cells of {_name_row(row)}"
        likelihood = CELLS_EXCHANGED if all(row.cells) else OTHER_COLUMN
        rows = _replace_rows(sheet, at, row.swap_cells())
        for suggestion in _suggest_if_repaired(
            context, RowArrangement("cells", message, rows, at, likelihood)
        ):
            doubt = None if all(row.cells) else TURN_MAY_BE_MISSING
            yield suggestion._replace(doubt=doubt)


def suggest_swapping_all_rolls(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest swapping the rolls of every row, if the replay found that all are swapped."""
    sheet = context.sheet
    if sheet is None or context.problem.reading != ROLLS:
        return
    rows = [_swap_rolls(row) or row for row in sheet.rows]
    at = next((at for at, row in enumerate(rows) if row != sheet.rows[at]), None)
    if at is not None:
        yield from _suggest_if_repaired(
            context,
            RowArrangement(
                "dice", "swap the rolls of every row of the game", rows, at, DICE_EXCHANGED
            ),
        )


def _swap_rolls(row: Row) -> Row | None:
    """Return a row with the rolls of its two cells swapped.

    Return None if the rolls are equal or one is missing.
    """
    left, right = (_ROLL.match(cell) for cell in row.cells)
    if left is None or right is None or left.group() == right.group():
        return None
    return row._replace(
        left=right.group() + row.left[left.end() :],
        right=left.group() + row.right[right.end() :],
    )


def suggest_swapping_rolls(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest swapping the rolls of a row's two cells, without the plays."""
    for sheet, at in _yield_rows_near_finding(context):
        row = sheet.rows[at]
        repaired = _swap_rolls(row)
        if repaired is None:
            continue
        message = f"swap the rolls of {_name_row(row)}"
        rows = _replace_rows(sheet, at, repaired)
        has_plays = all("/" in cell for cell in row.cells)
        likelihood = DICE_EXCHANGED + (0.0 if has_plays else BESIDE_DANCE)
        yield from _suggest_if_repaired(
            context, RowArrangement("dice", message, rows, at, likelihood)
        )


def suggest_swapping_rows(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest swapping the turns of two neighboring rows, whose row numbers stay."""
    for sheet, at in _yield_rows_near_finding(context):
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
        message = f"swap {_name_row(row)} and {_name_row(below)}"
        rows = _replace_rows(sheet, at, *repaired)
        yield from _suggest_if_repaired(
            context, RowArrangement("rows", message, rows, at, ROWS_EXCHANGED)
        )


def suggest_joining_rows(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest joining two neighboring rows of one cell each into one row of two cells."""
    for sheet, at in _yield_rows_near_finding(context):
        if at + 1 >= len(sheet.rows):
            continue
        row, below = sheet.rows[at : at + 2]
        texts = [text for text in below.cells if text]
        if row.right or len(texts) != 1 or below.number is None:
            continue
        repaired = row._replace(right=texts[0])
        rows = sheet.renumber([*sheet.rows[:at], repaired, *sheet.rows[at + 2 :]])
        message = f"join {_name_row(below)} to {_name_row(row)}"
        yield from _suggest_if_repaired(
            context, RowArrangement("half row", message, rows, at, HALF_ROW)
        )


def suggest_swapping_columns(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest swapping the left and right cells of all rows from one row on.

    The last rows of the game may stay as they are.
    """
    exchanged = [row.swap_cells() for row in context.sheet.rows] if context.sheet else []
    for sheet, at in _yield_rows_near_finding(context, from_first_row=True):
        message = f"swap the columns from {_name_row(sheet.rows[at])} on"
        for right_at_end in range(ROWS_AT_END + 1):
            end = len(sheet.rows) - right_at_end
            if end - at < 2:
                continue
            likelihood = COLUMNS_EXCHANGED - ROW_AT_END * right_at_end
            rows = [*sheet.rows[:at], *exchanged[at:end], *sheet.rows[end:]]
            yield from _suggest_if_repaired(
                context, RowArrangement("columns", message, rows, at, likelihood)
            )


def suggest_swapping_sides(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest swapping the players of a game where only the score or the result is wrong."""
    number = context.finding.game
    if number is None or context.finding.code not in SCORE_RULES:
        return
    keeps_result = context.finding.code == WRONG_WINNER
    first = number - 1 if keeps_result else max(number - 2, 0)
    for replayed in context.replayed.games[first:number]:
        sheet = split_into_rows(context.lines, replayed.game)
        at = None if sheet is None else sheet.find_first_number()
        if sheet is None or at is None:
            continue
        rows = (
            _swap_sides_except_result(context, replayed, sheet, at)
            if keeps_result
            else _swap_sides(sheet, at)
        )
        if rows is None:
            continue
        what = "the plays of game" if keeps_result else "game"
        yield Suggestion(
            "sides",
            f"swap the sides of {what} {replayed.context.game}",
            sheet.edits(rows),
            sheet.rows[at].line or 0,
            sheet.rows[at].label,
            None,
            SIDES_EXCHANGED,
            doubt=SIDES_EXPLAIN_ANY,
        )


def _swap_sides(sheet: Sheet, first: int) -> list[Row]:
    """Return the rows of a game with left and right swapped, from row index `first` on."""
    rows = _shift_cells(
        sheet, first, [cell for row in sheet.rows_with_numbers(first) for cell in row.cells]
    )
    # Rows without a number, such as the result, are swapped in place.
    behind = [row.swap_cells() if row.number is None else row for row in rows[first:]]
    return [*rows[:first], *behind]


def _shift_cells(sheet: Sheet, first: int, cells: Sequence[str]) -> list[Row]:
    """Return the rows of a game with each cell from row `first` on moved to the other column.

    `cells` are the texts of these cells, left and right in turn. If the first is empty, the cells
    move up, otherwise down.
    """
    return sheet.replace_cells(first, ["", *cells] if cells[0] else cells[1:])


def _swap_sides_except_result(
    context: ErrorContext, replayed: GameReplay, sheet: Sheet, first: int
) -> list[Row] | None:
    """Return the rows with left and right swapped from row `first` on, except the result.

    Return None if the result has no cell of its own.
    """
    result = replayed.game.actions[-1]
    if not isinstance(result, Result):
        return None
    line, text = result.span.line, context.text(result)
    cells: list[str] = []
    for row in sheet.rows_with_numbers(first):
        has_result = row.line == line
        if has_result and row.cells[result.side] != text:
            # There are other words in the result's cell.
            return None
        plays = row.with_cell(result.side, "") if has_result else row
        cells += plays.cells
    rows = _shift_cells(sheet, first, cells)
    if all(row.line != line or row.number is not None for row in sheet.rows):
        rows.append(Row(None, None, "", "").with_cell(result.side, text))
    return rows


def suggest_lost_turn(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest inserting a missing turn into an empty cell, or before the result."""
    sheet = context.sheet
    if sheet is None:
        return
    for gap in _find_gaps(context, sheet):
        yield from _suggest_turns_for_gap(context, sheet, gap)


def suggest_lost_column(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest, without edits, that all turns of one side are missing from the game."""
    game, reading = context.game, context.problem.reading
    if game is None or reading not in COLUMN_LOST:
        return
    side: Side = LEFT if reading == COLUMN_LOST[LEFT] else RIGHT
    first = context.sheet.rows[0] if context.sheet is not None else None
    name = game.game.names_or(context.replayed.match.names)[side]
    yield Suggestion(
        "lost column",
        f"all turns of {name} are missing from this game",
        (),
        (first.line if first is not None else None) or context.actions[0].span.line,
        first.label if first is not None else None,
        side,
        COLUMN_IS_LOST,
        is_whole=False,
        explained=frozenset((finding_key(context.finding),)),
    )


class Gap(NamedTuple):
    """A place where a turn of one side may be missing."""

    before: int
    """Index of the action before which the turn is missing."""
    side: Side
    at: int
    """Index of the row of that action."""
    likelihood: float


def _find_gaps(context: ErrorContext, sheet: Sheet) -> Iterator[Gap]:
    """Yield the places in a game's rows where a turn may be missing.

    These places are at the error, between two equal turns, and at the start of the game.
    """
    # Before the error, between two equal turns, at the start of the game.
    if context.index is not None:
        side = find_missing_side(context, context.index)
        at = sheet.find_row(context.actions[context.index].span.line)
        if side is not None and at is not None:
            yield Gap(context.index, side, at, TURN_LOST)
    for index in _find_repeated_turns(context):
        side, at = (
            find_missing_side(context, index),
            sheet.find_row(context.actions[index].span.line),
        )
        if side is not None and at is not None:
            yield Gap(index, side, at, TURN_LOST)
    first = next((n for n, a in enumerate(context.actions) if isinstance(a, Play | Double)), None)
    if first is None or first == context.index:
        return
    action = context.actions[first]
    at = sheet.find_row(action.span.line)
    assert isinstance(action, Play | Double)
    if at is not None and sheet.rows[at].number is not None:
        is_usual = at == 0 or sheet.rows[at - 1].number is None
        if not is_usual or action.side == RIGHT:
            likelihood = FIRST_TURN_LOST if is_usual else TURN_LOST
            yield Gap(first, other_side(action.side), at, likelihood)


def _find_repeated_turns(context: ErrorContext) -> Iterator[int]:
    """Yield the index of each play before the error that repeats the play before it."""
    turn = attrgetter("side", "dice", "steps")
    for index, (before, action) in enumerate(pairwise(context.actions[: context.index]), start=1):
        if type(before) is type(action) is Play and turn(before) == turn(action):
            yield index


def _suggest_turns_for_gap(context: ErrorContext, sheet: Sheet, gap: Gap) -> Iterator[Suggestion]:
    """Suggest each turn (roll and play) that makes the later actions legal if it fills a gap."""
    action = context.actions[gap.before]
    following = context.actions[gap.before :]
    boards, rolls = context.boards[gap.before], context.possible_rolls(gap.before)
    for turn in find_turns_before(context, boards, gap.side, following, gap.before, rolls):
        if isinstance(action, Result) and turn.result.own[OFF] < sum(turn.result.own):
            continue
        text = write_turn(context, turn, "", gap.side)
        rows = _insert_turn(sheet, gap.at, gap.side, text)
        yield Suggestion(
            "lost turn",
            f"{TURN_IS_LOST}{name_turn(turn, text)}",
            sheet.edits(rows),
            *sheet.find_change(rows),
            gap.side,
            gap.likelihood + turn.likelihood - context.penalty_for(turn.trial),
            turn.trial.is_whole,
            Alternative(
                context.situation_before(gap.before, gap.side, turn.dice), turn.result, None
            ),
            (turn.dice,),
            (turn.steps,),
        )


def find_missing_side(context: ErrorContext, index: int) -> Side | None:
    """Return the side whose turn may be missing before the action at `index`, or None."""
    action = context.actions[index]
    if isinstance(action, Result):
        return action.side  # The winner.
    if not isinstance(action, Play | Double):
        return None
    before = [a for a in context.actions[:index] if isinstance(a, Play | Double | Answer)]
    if before and not isinstance(before[-1], Double) and before[-1].side == action.side:
        return other_side(action.side)
    return None


def _insert_turn(sheet: Sheet, index: int, side: Side, text: str) -> list[Row]:
    """Return all rows of a game with a turn of `side` inserted before the row at `index`.

    The turn goes into an empty cell if there is one, or into a new row.
    """
    rows = list(sheet.rows)
    place = index if side == LEFT else index - 1
    # A left turn uses an empty cell of that row, a right turn of the row above.
    if place >= 0 and not rows[place].cells[side]:
        rows[place] = rows[place].with_cell(side, text)
        return rows
    row = Row(None, rows[index].label, "", "").with_cell(side, text)
    return sheet.renumber([*rows[:index], row, *rows[index:]])


def suggest_lost_row(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest inserting a missing row (a turn of each side) where a row number is missing."""
    sheet = context.sheet
    at_fault = None if sheet is None else sheet.find_row(context.finding.line)
    if sheet is None or at_fault is None or not context.finding.code.startswith(PLAY_RULES):
        return
    if context.plays_needed < PLAYS_NEEDED_AS_EVIDENCE:
        return
    missing = [at for at in range(1, at_fault + 1) if sheet.follows_missing_row(at)]
    for at in missing[-MOST_MISSING:]:
        yield from _suggest_rows_above(context, sheet, at, ROW_LOST)


def suggest_lost_row_despite_numbers(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest inserting a missing row (a turn of each side) where no row number is missing."""
    if context.plays_needed < PLAYS_NEEDED_AS_EVIDENCE:
        return
    for sheet, at in _yield_rows_near_finding(context):
        if not sheet.follows_missing_row(at):
            yield from _suggest_rows_above(context, sheet, at, ROW_LOST_RENUMBERED)


def _suggest_rows_above(
    context: ErrorContext, sheet: Sheet, row_index: int, log_likelihood: float
) -> Iterator[Suggestion]:
    """Suggest inserting a row, with a turn of each side, above the row at `row_index`.

    `log_likelihood` is that of the slip: that the transcriber left out a row there.
    """
    row = sheet.rows[row_index]
    index = context.find_first_action_from(row.line or 0)
    if index is None or not row.left or find_side_on_roll(context, index) == RIGHT:
        return
    actions = context.actions[index:]
    for first, second in find_pairs_before(context, context.boards[index], LEFT, actions, index):
        texts = write_turn(context, first, "", LEFT), write_turn(context, second, "", RIGHT)
        rows = sheet.renumber(
            [*sheet.rows[:row_index], Row(None, row.label, *texts), *sheet.rows[row_index:]]
        )
        situation = context.situation_before(index, RIGHT, second.dice)
        yield Suggestion(
            LOST_ROW,
            f"insert the lost row {name_turn(first, texts[0])} and {name_turn(second, texts[1])}",
            sheet.edits(rows),
            *sheet.find_change(rows),
            None,
            log_likelihood
            + first.likelihood
            + second.likelihood
            - context.penalty_for(second.trial),
            False,  # Two guessed turns are never proved.
            Alternative(situation._replace(position=second.position), second.result, None),
            (first.dice, second.dice),
            (first.steps, second.steps),
        )


def suggest_lost_turn_and_move_others(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest inserting a missing turn, which moves all later turns to the next cell."""
    sheet = context.sheet
    at_fault = None if sheet is None else sheet.find_row(context.finding.line)
    if sheet is None or at_fault is None or context.finding.name not in SHOWN_BY_SIDES:
        return
    if context.plays_needed < PLAYS_NEEDED_AS_EVIDENCE or _has_too_few_plays(context):
        return
    start = max(at_fault - MOVED_ROWS_BACK, 0)
    cells = [cell for row in sheet.rows_with_numbers(start) for cell in row.cells]
    if any("wins" in cell.casefold() for cell in cells):
        return
    moved = [list(read_actions([_move_cell_to_other_column(*entry)])) for entry in enumerate(cells)]
    first = {
        (action.span.line, action.side): index
        for index, action in reversed(list(enumerate(context.actions)))
        if isinstance(action, Play | Double | Answer)
    }
    ahead = 1 if context.finding.name == NOT_ENTERED else 0  # The lost turn follows the hit.
    last = len(context.actions) if context.index is None else context.index + ahead
    for place in reversed(range(min(2 * (at_fault - start) + 2 + ahead, len(cells)))):
        at, side = start + place // 2, LEFT if place % 2 == 0 else RIGHT
        index = first.get((sheet.rows[at].line or 0, side))
        if index is None or index > last:
            continue
        following = list(chain.from_iterable(moved[place:]))
        boards, rolls = context.boards[index], context.possible_rolls(index)
        for turn in find_turns_before(context, boards, side, following, index, rolls):
            text = write_turn(context, turn, "", side)
            rows = sheet.replace_cells(start, [*cells[:place], text, *cells[place:]])
            yield Suggestion(
                "lost turn, the rest moved up",
                f"{TURN_IS_LOST}{name_turn(turn, text)}",
                sheet.edits(rows),
                sheet.rows[at].line or 0,
                sheet.rows[at].label,
                side,
                TURN_LOST_AND_MOVED_UP + turn.likelihood - context.penalty_for(turn.trial),
                turn.trial.is_whole,
                Alternative(context.situation_before(index, side, turn.dice), turn.result, None),
                (turn.dice,),
                (turn.steps,),
                note="move all later turns one cell on",
            )


def _has_too_few_plays(context: ErrorContext) -> bool:
    """Whether the game has too few plays after an illegal play to confirm a repair."""
    # Hundreds of turns fit such a game; trying them would take 60 % of the search time (measured).
    is_of_play = context.finding.code.startswith(PLAY_RULES)
    return is_of_play and is_too_short(context.replayed, context.finding)


def _move_cell_to_other_column(cell_index: int, cell: str) -> Row:
    """Return a row with one cell of a game, moved to the other column.

    `cell_index` counts all cells of the game from 0, left and right in turn.
    """
    return Row(None, None, "", cell) if cell_index % 2 == 0 else Row(None, None, cell, "")


def _yield_rows_near_finding(
    context: ErrorContext, *, from_first_row: bool = False
) -> Iterator[tuple[Sheet, int]]:
    """Yield the indexes of the rows close to the error, each with all rows of its game.

    With `from_first_row`, the first row is always included.
    """
    sheet = context.sheet
    at_fault = None if sheet is None else sheet.find_row(context.finding.line)
    if sheet is None or at_fault is None or context.is_unreadable:
        return
    near = range(max(at_fault - ROWS_BACK, 0), min(at_fault + ROWS_AHEAD + 1, len(sheet.rows)))
    for at in near:
        yield sheet, at
    # Some mistakes affect all rows.
    if from_first_row and 0 not in near:
        yield sheet, 0


def _suggest_if_repaired(context: ErrorContext, rearranged: RowArrangement) -> Iterator[Suggestion]:
    """Suggest the rearranged rows if they make enough plays legal to confirm the repair."""
    sheet = context.sheet
    assert sheet is not None
    row = sheet.rows[rearranged.at]
    assert row.line is not None
    index = context.find_first_action_from(row.line)
    if index is None:
        return
    trial = try_actions(
        context.boards[index],
        read_actions(rearranged.rows[rearranged.at :]),
        marks_hits=context.marks_hits,
        side=find_side_on_roll(context, index),
    )
    # Up to the error, and some plays past it.
    if context.is_repaired(trial, index):
        yield Suggestion(
            rearranged.kind,
            rearranged.message,
            sheet.edits(rearranged.rows),
            row.line,
            row.label,
            None,
            rearranged.likelihood - context.penalty_for(trial),
            trial.is_whole,
        )


def find_side_on_roll(context: ErrorContext, index: int) -> Side | None:
    """Return the side on roll before the action at `index`, or None if unknown."""
    plays = (action for action in reversed(context.actions[:index]) if isinstance(action, Play))
    return next((other_side(play.side) for play in plays), None)


def _replace_rows(sheet: Sheet, first: int, *rows: Row) -> list[Row]:
    """Return the rows of a game with new `rows` in place of as many from index `first` on."""
    return [*sheet.rows[:first], *rows, *sheet.rows[first + len(rows) :]]


def _repeats_row(row: Row, other: Row) -> bool:
    """Whether each cell of a row is empty or equal to the same cell of another row."""
    cells = zip(row.cells, other.cells, strict=True)
    return any(row.cells) and all(cell in ("", there) for cell, there in cells)


def _name_row(row: Row) -> str:
    """Return the name of a row in messages: `row 5`, or `line 12` without a number."""
    return f"line {row.line}" if row.label is None else f"row {row.label}"
