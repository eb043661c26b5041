"""The time line of a case: the actions until the fault was noticed, and from when it stands."""

from __future__ import annotations

from collections.abc import Iterator

from bganalyze.app.render.document import (
    Cell,
    Grid,
)
from bganalyze.app.render.ruling.books import name_books_with_limits
from bganalyze.app.render.ruling.fault import describe_action
from bganalyze.text import number_of
from bganalyze.validation.cases import Case
from bganalyze.validation.findings import Standing
from bganalyze.validation.replaying.outcomes import SCORE
from bganalyze.validation.replaying.replayed import Turn
from bganalyze.validation.rules.ruling import (
    is_correctable_until_play,
)

MOST_TURNS = 6
"""Actions of the time line that are shown one by one."""


def draw_time_line(case: Case, names: tuple[str, str]) -> Grid:
    """Return a table of the actions from the error to the moment when it was noticed.

    Notes in it say when the time for a correction ended.
    """
    books_by_deadline = _group_books_by_deadline(case)
    rows: list[tuple[Cell, ...]] = []
    left_out = 0
    for index, turn in enumerate(_yield_actions_until_noticed(case)):
        notes = list(_note_moments(turn, case, books_by_deadline))
        if index >= MOST_TURNS and not notes:
            left_out += 1
            continue
        if left_out:
            rows.append(_make_left_out_row(left_out))
            left_out = 0
        if _is_same_action(turn, case.turn) and not _is_on_line_of_finding(turn, case):
            words = "score line" if case.finding.name == SCORE else "line of the finding"
            rows.append((Cell(f"{case.finding.line}"), Cell(words), Cell("in question")))
        rows.append(
            (
                Cell(_name_line(turn, case)),
                Cell(describe_action(turn, names)),
                Cell("; ".join(notes)),
            )
        )
    if left_out:
        rows.append(_make_left_out_row(left_out))
    if case.noticed is None:
        rows.append((Cell(""), Cell("after the end of the record"), Cell("noticed now")))
    return Grid("", ("line", "action", ""), tuple(rows), words=3)


def _yield_actions_until_noticed(case: Case) -> Iterator[Turn]:
    """Yield the actions from the error to the moment when it was noticed."""
    moment = case.noticed
    for turn in case.time_line:
        yield turn
        if moment is not None and _is_same_action(turn, moment.turn):
            return


def _make_left_out_row(number: int) -> tuple[Cell, ...]:
    """Return a table row that says how many actions are left out."""
    return Cell("…"), Cell(number_of(number, "more action")), Cell("")


def _name_line(turn: Turn, case: Case) -> str:
    """Return the line of an action in the file, such as `12` or `12 (game 2)`."""
    line, game = turn.action.span.line, turn.context.game
    return str(line) if game == case.turn.context.game else f"{line} (game {game})"


def _is_same_action(one: Turn, other: Turn) -> bool:
    """Whether two turns have the same action of the match file."""
    return one.action.span == other.action.span


def _is_on_line_of_finding(turn: Turn, case: Case) -> bool:
    """Whether an action is on the line of the error."""
    # The line of the error may be a score line.
    return turn.action.span.line == case.finding.line


BooksByDeadline = dict[tuple[str, bool], list[str]]
"""Names of rule books by the action that ended the time for a correction: its place (`line:column`), and
whether its play ended the time (True) or already its roll (False)."""


def _group_books_by_deadline(case: Case) -> BooksByDeadline:
    """Map each action that ended the time for a correction to the rule books by which it did."""
    found: BooksByDeadline = {}
    for each in case.rulings:
        finding = each.finding
        if finding is None or finding.standing is not Standing.STANDS or not finding.closed_by:
            continue
        key = finding.closed_by, is_correctable_until_play(finding, each.rule_book)
        found.setdefault(key, []).append(each.rule_book.name)
    return found


def _note_moments(turn: Turn, case: Case, books_by_deadline: BooksByDeadline) -> Iterator[str]:
    """Yield notes on an action, such as that it ended the time for a correction."""
    if _is_same_action(turn, case.turn) and _is_on_line_of_finding(turn, case):
        yield "the action in question"
    moment = case.noticed
    if moment is not None and _is_same_action(turn, moment.turn):
        yield (
            "noticed after this roll, before its play"
            if moment.is_rolled
            else "noticed before this"
        )
    place = f"{turn.action.span.line}:{turn.action.span.column}"
    for words, waits in (("from here", False), ("after this play", True)):
        if books := books_by_deadline.get((place, waits)):
            yield f"{words} it stands {name_books_with_limits(books, case)}"
