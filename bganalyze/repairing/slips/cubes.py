"""Slips with the cube: doubles and answers that are lost, repeated, misspelled or confused."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import islice

from bganalyze.record.model import (
    LEFT,
    RIGHT,
    SIDE_NAMES,
    Action,
    Answer,
    Comment,
    Double,
    Side,
    Unread,
    other_side,
)
from bganalyze.repairing.error_context import ErrorContext
from bganalyze.repairing.phrases import answer_phrase, double_phrase, replace_number
from bganalyze.repairing.proof import CELL_IS_EMPTY, DOUBLE_MAY_BE_MISSING
from bganalyze.repairing.rows import Row, Sheet
from bganalyze.repairing.spelling import measure_likeness_ignoring_case
from bganalyze.repairing.suggestion import Suggestion, edit_text
from bganalyze.validation.findings import Edit

# Log-likelihoods of slips, for comparing suggestions with one another.
DOUBLE_LOST, ANSWER_LOST = math.log(0.6), math.log(0.6)
NEVER_MADE = math.log(0.05)
"""Log-likelihood that a written double or answer was never made."""
REPEATED = math.log(0.5)
OFFER_LOST = math.log(2.0)
"""Likely, because cells are seldom empty without a reason."""
MOST_OFFERS = 20
"""Places tried for a double and its take. A match file may have thousands of empty rows."""
MISCALLED = math.log(0.5)
VALUE = math.log(0.6)
MISSPELLED = math.log(0.8)

LEAST_LIKENESS = 0.5
"""Least likeness of a phrase and its misspelling."""

_VALUE = re.compile(r"\b[0-9]{1,4}\b")


def suggest_lost_double(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest inserting a missing double in the empty cell before its take or pass."""
    answer = _find_action(context, context.index)
    if context.finding.code != "C506" or type(answer) is not Answer:
        return
    value = 2 * _find_cube_before(context, answer)
    phrase = double_phrase(context.replayed.match, value)
    if phrase is not None:
        yield from _suggest_inserting(
            context, answer, other_side(answer.side), -1, phrase, DOUBLE_LOST
        )


def suggest_lost_answer(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest inserting a missing take or pass after a double, or deleting the double."""
    if context.finding.code not in ("C507", "R601", "R602"):
        return
    double = _find_open_double(context)
    if double is None:
        return
    goes_on = context.finding.code == "C507"
    for taken in (True, False):
        phrase = answer_phrase(context.replayed.match, taken=taken)
        if phrase is not None:
            likelihood = ANSWER_LOST - (0 if taken is goes_on else 3)
            yield from _suggest_inserting(
                context, double, other_side(double.side), 1, phrase, likelihood
            )
    if goes_on:
        yield _suggest_deleting(context, double, NEVER_MADE)


def _find_open_double(context: ErrorContext) -> Double | None:
    """Return the last double before the error if it is unanswered, else None."""
    index = len(context.actions) if context.index is None else context.index
    for action in reversed(context.actions[:index]):
        if type(action) is Double:
            return action
        if type(action) is Answer:
            return None
    return None


def _suggest_inserting(
    context: ErrorContext,
    beside: Action,
    side: Side,
    direction: int,
    phrase: str,
    slip_log_likelihood: float,
) -> Iterator[Suggestion]:
    """Suggest inserting a phrase, such as `Takes`, into an empty cell of `side`.

    The cell is the next one after the action `beside` (`direction` 1), or the last before it (-1).
    """
    sheet = context.sheet
    at = _find_row(sheet, beside)
    if sheet is None or at is None:
        return
    # 1: the cell after the action; -1: the cell before it.
    if direction == 1 and side == LEFT:
        at += 1
    elif direction == -1 and side == RIGHT:
        at -= 1
    if not 0 <= at < len(sheet.rows) or sheet.rows[at].cells[side]:
        return
    row = sheet.rows[at].with_cell(side, _indent_like_match_file(context, side, phrase))
    edits = sheet.edits([*sheet.rows[:at], row, *sheet.rows[at + 1 :]])
    yield Suggestion(
        "cube", f'insert "{phrase}"', edits, edits[0].line, row.label, side, slip_log_likelihood
    )


def _indent_like_match_file(context: ErrorContext, side: Side, phrase: str) -> str:
    """Return a phrase with as many blanks before it as the match file puts before cube actions."""
    sheet = context.sheet
    words = (
        action
        for game in context.replayed.match.games
        for action in game.actions
        if type(action) in (Double, Answer) and getattr(action, "side", None) == side
    )
    word = next(words, None)
    if sheet is None or word is None:
        return phrase
    start = sheet.left_at if side == LEFT else sheet.right_at
    return " " * max(min(word.span.column - 1 - start, 2), 0) + phrase


def suggest_deleting_repeat(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest deleting a double or an answer that is written twice or was not made."""
    action = _find_action(context, context.index)
    if context.finding.code not in ("C502", "C506") or not isinstance(action, Double | Answer):
        return
    before = _find_action_before(context, context.index)
    if isinstance(before, Double | Answer) and _is_same_cube_action(before, action):
        # A row that holds nothing else was inserted together with the word.
        yield _suggest_deleting(
            context, before if _is_alone_in_row(context, before) else action, REPEATED
        )
    else:
        yield _suggest_deleting(context, action, NEVER_MADE)


def _is_same_cube_action(one: Double | Answer, two: Double | Answer) -> bool:
    """Whether two doubles or answers differ only in their places in the file."""
    return type(one) is type(two) and one._replace(span=two.span, row=two.row) == two


def _suggest_deleting(
    context: ErrorContext, action: Double | Answer, slip_log_likelihood: float
) -> Suggestion:
    """Suggest deleting a cube action, and its row if nothing else is in it."""
    line, text = context.lines[action.span.line - 1], context.text(action)
    if _is_alone_in_row(context, action):
        edit = Edit(action.span.line, line, None)
    else:
        edit = edit_text(context, action.span, "")
    return Suggestion(
        "cube", f'delete "{text}"', (edit,), edit.line, action.row, action.side, slip_log_likelihood
    )


def _is_alone_in_row(context: ErrorContext, action: Double | Answer) -> bool:
    """Whether an action is the only one in its row."""
    sheet = context.sheet
    at = _find_row(sheet, action)
    return sheet is not None and at is not None and not sheet.rows[at].cells[1 - action.side]


def suggest_other_answer(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest a pass instead of a take, or a take instead of a pass or a beaver."""
    code = context.finding.code
    if code == "C508":
        beaver = _find_action(context, context.index)
        if beaver is not None:
            yield from _suggest_answer(context, beaver, taken=True)
        return
    if code not in ("T106", "T120", "D302", "R601", "R602"):
        return
    actions = _list_actions_before_finding(context)
    answer = next((action for action in reversed(actions) if type(action) is Answer), None)
    if answer is not None and answer.taken is (code in ("R601", "R602")):
        yield from _suggest_answer(context, answer, taken=not answer.taken)


def _list_actions_before_finding(context: ErrorContext) -> tuple[Action, ...]:
    """Return the actions before the error in its game.

    If the game before may have ended too early, return all actions of that game instead.
    """
    code, number = context.finding.code, context.finding.game
    if code in ("T120", "D302"):
        # The game before may have ended too early.
        return context.replayed.games[number - 2].game.actions if number and number > 1 else ()
    return context.actions[: context.index]


def _suggest_answer(context: ErrorContext, action: Action, *, taken: bool) -> Iterator[Suggestion]:
    """Suggest replacing a cube action by a take (if `taken`) or a pass."""
    phrase = answer_phrase(context.replayed.match, taken=taken)
    if phrase is not None:
        yield _suggest_phrase(context, action, phrase, MISCALLED)


def suggest_lost_double_and_take(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest inserting a missing double and its take, in two empty cells or a new row."""
    sheet = context.sheet
    if sheet is None or not (context.finding.code == "C505" or _explains_points_by_double(context)):
        return
    for at in islice(_find_rows_for_double_and_take(context, sheet), MOST_OFFERS):
        row = sheet.rows[at]
        value = 2 * _find_cube_at(context, row.line or 0)
        double = double_phrase(context.replayed.match, value)
        take = answer_phrase(context.replayed.match, taken=True)
        if double is None or take is None:
            return
        for side, rows in _insert_double_and_take(context, sheet, at, double, take):
            edits = sheet.edits(sheet.renumber(rows))
            sides = SIDE_NAMES[side], SIDE_NAMES[1 - side]
            message = f'insert "{double}" ({sides[0]}) and "{take}" ({sides[1]})'
            line = edits[0].line
            suggestion = Suggestion("cube", message, edits, line, row.label, side, OFFER_LOST)
            yield suggestion._replace(doubt=CELL_IS_EMPTY)


def _find_rows_for_double_and_take(context: ErrorContext, sheet: Sheet) -> Iterator[int]:
    """Yield the indexes of rows up to the error at which a double and a take may be missing."""
    for at, row in enumerate(sheet.rows):
        if (row.line or 0) > context.finding.line:
            return
        if (
            _is_empty_row(row)
            or sheet.follows_missing_row(at)
            or _has_gap_for_double_and_take(sheet, at)
        ):
            yield at


def _is_empty_row(row: Row) -> bool:
    """Whether a row has only a number."""
    return row.number is not None and not any(row.cells)


def _has_gap_for_double_and_take(sheet: Sheet, index: int) -> bool:
    """Whether a double by the right side and its take may be missing above the row at `index`.

    The right cell of the row above and the left cell of this row must be empty.
    """
    above, row = sheet.rows[index - 1 : index], sheet.rows[index]
    return (
        any(other.left and not other.right for other in above) and not row.left and bool(row.right)
    )


def _explains_points_by_double(context: ErrorContext) -> bool:
    """Whether another double would explain a result with too many points."""
    if context.finding.code != "R602":
        return False
    points, allowed = context.problem.about["points"], context.problem.about["allowed"]
    return any(least < points <= 2 * least for least in allowed)


def _insert_double_and_take(
    context: ErrorContext, sheet: Sheet, index: int, double: str, take: str
) -> Iterator[tuple[Side, list[Row]]]:
    """Yield each way to insert a double and its take near the row at `index`.

    Each item is the side that doubles, with all rows of the game after the insertion.
    """
    above, behind, row = sheet.rows[:index], sheet.rows[index + 1 :], sheet.rows[index]
    left, right = (
        _indent_like_match_file(context, LEFT, double),
        _indent_like_match_file(context, RIGHT, take),
    )
    if _is_empty_row(row):
        yield LEFT, [*above, row._replace(left=left, right=right), *behind]
    if sheet.follows_missing_row(index):
        yield LEFT, [*above, Row(None, row.label, left, right), row, *behind]
        if above[-1].right:
            doubled = above[-1].with_cell(RIGHT, _indent_like_match_file(context, RIGHT, double))
            taken = Row(
                None, row.label, _indent_like_match_file(context, LEFT, take), above[-1].right
            )
            yield RIGHT, [*above[:-1], doubled, taken, row, *behind]
    if _has_gap_for_double_and_take(sheet, index):
        last = above[-1].with_cell(RIGHT, _indent_like_match_file(context, RIGHT, double))
        first = row.with_cell(LEFT, _indent_like_match_file(context, LEFT, take))
        yield RIGHT, [*above[:-1], last, first, *behind]


def suggest_cube_value(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest the right cube value in a double, such as `Doubles => 4`."""
    double = _find_action(context, context.index)
    if context.finding.code != "C505" or type(double) is not Double or double.value is None:
        return
    expected = context.problem.about["expected"]
    phrase = replace_number(context.text(double), double.value, expected)
    if phrase is not None:
        suggestion = _suggest_phrase(context, double, phrase, VALUE)
        doubt = None if double.value < expected else DOUBLE_MAY_BE_MISSING
        yield suggestion._replace(doubt=doubt)


def suggest_spelling(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest a double, a take or a pass for unreadable text that resembles one of them."""
    unread = _find_action(context, context.index)
    if type(unread) is not Unread:
        return
    match = context.replayed.match
    phrases = [answer_phrase(match, taken=True), answer_phrase(match, taken=False)]
    least = 0.0
    if not is_unread_answer(context):
        written = [int(number) for number in _VALUE.findall(unread.text)]
        values = written or [2 * _find_cube_before(context, unread)]
        phrases = [*(double_phrase(match, value) for value in values), *phrases]
        least = LEAST_LIKENESS
    for phrase in phrases:
        likeness = 0.0 if phrase is None else measure_likeness_ignoring_case(phrase, unread.text)
        if phrase is not None and likeness >= least:
            yield _suggest_phrase(context, unread, phrase, MISSPELLED - 5 * (1 - likeness))


def is_unread_answer(context: ErrorContext) -> bool:
    """Whether unreadable text follows the other side's double, and so must be an answer."""
    unread = _find_action(context, context.index)
    if type(unread) is not Unread or unread.side is None:
        return False
    before = _find_action_before(context, context.index)
    return type(before) is Double and before.side != unread.side


def _suggest_phrase(
    context: ErrorContext, action: Action, phrase: str, slip_log_likelihood: float
) -> Suggestion:
    """Suggest replacing the text of an action by a phrase, such as `Takes`, for a slip of known likelihood."""
    edit = edit_text(context, action.span, phrase)
    message = f"{context.text(action)} → {phrase}"
    side = getattr(action, "side", None)
    return Suggestion("cube", message, (edit,), edit.line, action.row, side, slip_log_likelihood)


def _find_action(context: ErrorContext, index: int | None) -> Action | None:
    """Return the action at an index of the game, or None if the index is None."""
    return None if index is None else context.actions[index]


def _find_action_before(context: ErrorContext, index: int | None) -> Action | None:
    """Return the last action before `index` that is no comment, or None.

    If `index` is None, all actions of the game count.
    """
    earlier = reversed(context.actions[:index])
    return next((action for action in earlier if type(action) is not Comment), None)


def _find_cube_before(context: ErrorContext, action: Action) -> int:
    """Return the cube value before an action."""
    return _find_cube_at(context, action.span.line, action.span.column)


def _find_cube_at(context: ErrorContext, line: int, column: int = 0) -> int:
    """Return the cube value before a line and column of the game."""
    assert context.game is not None
    later = (turn for turn in context.game.turns if turn.action.span[:2] >= (line, column))
    return next((turn.cube.value for turn in later), context.game.cube.value)


def _find_row(sheet: Sheet | None, action: Action) -> int | None:
    """Return the index of the row that holds an action, or None."""
    rows = () if sheet is None else sheet.rows
    return next((at for at, row in enumerate(rows) if row.line == action.span.line), None)


SLIPS = (
    suggest_lost_double,
    suggest_lost_answer,
    suggest_deleting_repeat,
    suggest_other_answer,
    suggest_lost_double_and_take,
    suggest_cube_value,
    suggest_spelling,
)
