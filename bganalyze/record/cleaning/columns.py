"""The two columns of rows from which blanks were lost, found again by whose turn it is.

A web page or a proportional font makes one blank of many. Then a roll or a word of the cube or of a
result begins each cell, and the order of turns says whose a lone cell is: rows begin with the left
player, except the first row of a game that the right player begins. Who won follows from the next
score, or else from the last action.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from bganalyze.board.position import CHECKERS
from bganalyze.record.cleaning.layers import (
    LONGEST_LINE,
    RIGHT_COLUMN,
    SIDELESS,
    Replacement,
    yield_lines_with_starts,
)
from bganalyze.record.cleaning.signs import MARGIN
from bganalyze.record.model import LEFT, RIGHT, Side, other_side

FAR_AHEAD = 3
"""Least number of checkers that one side has borne off more than the other if it is likely to win."""

LEAST_RESULTS = 2
"""Least number of results that show where a text has them."""

LEAST_ROWS = 3
"""Least number of rows with two rolls that show whether a text has columns."""

ROWS_LOOKED_AT = 12
"""Number of rows with two rolls that are looked at to see whether a text has columns."""

LEAST_COLLAPSED = 0.9
"""Least share of these rows with a single blank between the cells in a text without columns."""

_ROLL = r"(?<!\S)[1-6]{2}:"
_GIVING_UP = (
    r"drop(?:s|ped)?|pass(?:es|ed)?|rejects?|loses|losses|concedes?|resign(?:s|ed)?|forfeits?"
)
_WORD = rf"(?<!\S)(?:(?:re)?double[sd]?|beavers?|raccoons?|takes?|taken|accepts?|wins?|{_GIVING_UP})(?!\S)"
_START = re.compile(f"{_ROLL}|{_WORD}", re.IGNORECASE)
_ROW = re.compile(r"[ \t]*(?P<number>[0-9]{1,3})[.)][ \t]*")
_TWO_ROLLS = re.compile(r"[1-6]{2}:.{0,200}?(?P<gap>[ \t]{1,200})(?=[1-6]{2}:)")
_SCORE = re.compile(
    r"(?P<left>.*\S) ?: (?P<left_points>[0-9]{1,9})[ \t]+(?P<right>\S.*?) ?: (?P<right_points>[0-9]{1,9})[ \t]*$"
)
_ANSWER = re.compile(rf"(?:takes?|taken|accepts?|{_GIVING_UP})(?!\S)", re.IGNORECASE)
_GIVES_UP = re.compile(rf"(?:{_GIVING_UP})(?!\S)", re.IGNORECASE)
_RESULT = re.compile(r"[ \t]*wins\b", re.IGNORECASE)
_LOSS = re.compile(r"[ \t]*loss?es [0-9]", re.IGNORECASE)
_SIDELESS_RESULT = re.compile(
    rf"^(?:|[ \t]*[0-9]{{1,3}}[.)]){SIDELESS}wins\b", re.IGNORECASE | re.MULTILINE
)
_SEPARATED_ROLL = re.compile(r"^[ \t]*[0-9]{1,3}[.)]\t[0-9]{2}:", re.MULTILINE)
_RESULT_LINE = re.compile(r"\n(?P<indent>[ \t]*+)wins\b", re.IGNORECASE)
_ROW_WITH_LOSS = re.compile(
    r"^[ \t]*+[0-9]{1,3}[.)][ \t]*+(?:losses|loses)\b", re.IGNORECASE | re.MULTILINE
)
_ROLL_TWICE = re.compile(r"[1-6]{2}: [1-6]{2}:")
_END = re.compile(r"wins (?P<points>[0-9]{1,4}) points? and the match\b", re.IGNORECASE)
_LENGTH = re.compile(r"\W{0,20}([0-9]{1,4}) points? match\b", re.IGNORECASE)
_BORNE_OFF = re.compile(r"/(?:off|0)\*?(?:\(([2-4])\))?(?![0-9])", re.IGNORECASE)
_INDENTED = re.compile(r"^[ \t]+\S", re.MULTILINE)
_DANCE_AND_DOUBLE = re.compile(r"[1-6]{2}:(?P<gap>[ \t]{1,2})(?:re)?doubles?\b", re.IGNORECASE)


class LoneCell(NamedTuple):
    """A cell (one player's part of a row), or a result on a line of its own."""

    start: int
    line_start: int
    text: str


class CollapsedRow(NamedTuple):
    """A row of a text that lost its columns, or a result on a line of its own."""

    line_start: int
    end_of_label: int
    cells: tuple[LoneCell, ...]
    number: int | None
    """The number of the row; None for a result."""
    follows_loss: bool = False
    """Whether it is a result below a line that says what the loser loses."""

    @property
    def is_numbered(self) -> bool:
        """Whether this is a numbered row, and not a result on a line of its own."""
        return self.number is not None


def find_margin_results(text: str) -> Iterator[Replacement]:
    """Yield replacements that move results, such as `Wins 2 points`, to the winner's column.

    Who won follows from a pass, the next score or the last plays.
    """
    if _may_have_results_after_tab(text):
        yield from _find_results_after_tab(text)
        return
    indents = {len(result["indent"]) for result in _RESULT_LINE.finditer(text)}
    are_at_margin = len(indents) == 1 and max(indents) <= MARGIN
    if not are_at_margin and not _has_row_with_loss(text):
        return
    winners = [
        stated
        for rows, gaining_side in _split_games(text.split("\n"))
        for stated in _find_certain_results(rows, gaining_side)
    ]
    by_right = [stated for stated in winners if stated.winner == RIGHT]
    passed = {stated.winner for stated in winners if stated.is_pass}
    # Beside indented lines, a single result needs a pass and a score that agree.
    agreed = any(stated.is_pass and stated.is_scored for stated in by_right)
    least = 1 if agreed or _INDENTED.search(text) is None else LEAST_RESULTS
    if not are_at_margin or not (len(by_right) >= least or passed == {LEFT, RIGHT}):
        # Programs that write losses have the win in the same row, so the line was wrapped from it.
        by_right = [stated for stated in by_right if stated.is_in_column_of_loser]
    for stated in by_right:
        cell = stated.cell
        yield Replacement(cell.line_start, cell.start, " " * RIGHT_COLUMN)


def _has_row_with_loss(text: str) -> bool:
    """Whether the text has a row in which the left player loses, such as ` 9) Losses 2 points`."""
    # The word is searched first: few texts have it.
    return "ses" in text.casefold() and _ROW_WITH_LOSS.search(text) is not None


def _may_have_results_after_tab(text: str) -> bool:
    """Whether the text has a result after a single tab, so that no column shows who won."""
    may_have = SIDELESS in text and _SIDELESS_RESULT.search(text) is not None
    return may_have and _SEPARATED_ROLL.search(text) is None


def _find_results_after_tab(text: str) -> Iterator[Replacement]:
    """Yield replacements of the tab before a result by blanks up to the likely winner's column."""
    for cell, game in _read_results_after_tab(text):
        tab = cell.start - 1
        column = tab - cell.line_start
        if game.likely_winner == RIGHT:
            yield Replacement(tab, cell.start, " " * max(RIGHT_COLUMN - column, 2))
        elif column > 0:
            yield Replacement(tab, cell.start, "  ")


def _read_results_after_tab(text: str) -> Iterator[tuple[LoneCell, _GameSoFar]]:
    """Yield each result that follows a single tab, with the actions of its game so far."""
    for rows, gaining_side in _split_games(text.split("\n")):
        game = _GameSoFar(gaining_side)
        for row in rows:
            for cell, side in _assign_cells_to_sides(row) if row.is_numbered else ():
                game.add(cell, side)
            if row.follows_loss:
                game.add_loss()
            if len(row.cells) == 1 and _is_result_after_tab(text, row):
                yield row.cells[0], game


def _is_result_after_tab(text: str, row: CollapsedRow) -> bool:
    """Whether a row holds only a result, such as `Wins 2 points`, with a tab before it."""
    tab = row.cells[0].start - 1
    label = text[row.line_start : max(tab, row.line_start)]
    is_behind_label = label == label.rstrip() if row.is_numbered else not label
    is_result = _RESULT.match(row.cells[0].text) is not None
    return is_result and is_behind_label and text.startswith(SIDELESS, tab)


class _CertainResult(NamedTuple):
    """A result, such as `Wins 2 points`, whose winner is certain."""

    cell: LoneCell
    winner: Side
    is_pass: bool
    """Whether a pass shows the winner."""
    is_scored: bool
    """Whether the next score or a complete bear-off shows the winner."""
    is_below_loss: bool
    """Whether the row above says that its player loses: `Losses 2 points`."""

    @property
    def is_in_column_of_loser(self) -> bool:
        """Whether the right player won, but the result is in the left column, below left's loss."""
        is_left = _get_offset_in_line(self.cell) < RIGHT_COLUMN // 2
        return is_left and self.winner == RIGHT and self.is_below_loss


def _find_certain_results(
    rows: Sequence[CollapsedRow], gaining_side: Side | None
) -> Iterator[_CertainResult]:
    """Yield each result, such as `Wins 2 points`, in the rows of a game if its winner is certain.

    `gaining_side` is the side whose points rise with the game, or None if unknown.
    """
    last: tuple[LoneCell, Side] | None = None
    borne_off = [0, 0]
    for row in rows:
        if row.is_numbered:
            for cell, side in _assign_cells_to_sides(row):
                last = cell, side
                borne_off[side] += _count_borne_off(cell.text)
            continue
        passed = last is not None and _GIVES_UP.match(last[0].text) is not None
        by_pass = other_side(last[1]) if passed and last is not None else None
        if gaining_side is None and max(borne_off) >= CHECKERS:
            gaining_side = LEFT if borne_off[LEFT] > borne_off[RIGHT] else RIGHT
        winner = gaining_side if by_pass is None else by_pass
        if row.cells and winner is not None and gaining_side in (None, winner):
            is_below_loss = last is not None and _LOSS.match(last[0].text) is not None
            yield _CertainResult(
                row.cells[0], winner, passed, gaining_side is not None, is_below_loss
            )


def _assign_cells_to_sides(row: CollapsedRow) -> Iterator[tuple[LoneCell, Side]]:
    """Yield each cell of a row with the side that it belongs to, leaving out results."""
    for index, cell in enumerate(row.cells):
        is_right = index > 0 or _get_offset_in_line(cell) > RIGHT_COLUMN // 2
        if not _RESULT.match(cell.text):
            yield cell, RIGHT if is_right else LEFT


def _count_borne_off(cell: str) -> int:
    """Return the number of checkers borne off by the play in a cell."""
    return sum(int(times or 1) for times in _BORNE_OFF.findall(cell))


def _get_offset_in_line(cell: LoneCell) -> int:
    """Return the number of characters before a cell in its line."""
    return cell.start - cell.line_start


def find_lost_columns(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that put the right player's actions back into a column of their own.

    >>> [gap] = find_lost_columns("1) 31: 8/5 6/5 42: 8/4 6/4")
    >>> gap.start, gap.end, len(gap.new)
    (14, 15, 20)
    """
    lines = text.split("\n")
    if _is_collapsed(lines):
        for rows, gaining_side in _split_games(lines):
            yield from _widen_gaps(rows, gaining_side)
    elif _DANCE_AND_DOUBLE.search(text) is not None:
        yield from _separate_doubles_after_dances(lines)


def find_guessed_winners(text: str) -> Iterator[Replacement]:
    r"""Yield replacements of results with a guessed winner by the same text, to count them.

    The text stays the same, but the number of replacements is reported to the user.

    >>> list(find_guessed_winners("1) 31: 8/5 6/5 42: 8/4 6/4\nWins 1 point"))
    [Replacement(start=27, end=39, new='Wins 1 point')]
    """
    if _may_have_results_after_tab(text):
        results = _read_results_after_tab(text)
        guessed = [cell for cell, game in results if game.certain_winner is None]
    elif _is_collapsed(lines := text.split("\n")):
        games = _split_games(lines)
        placed = (
            one for rows, gaining_side in games for one in _assign_cells_of_game(rows, gaining_side)
        )
        guessed = [one.cell for one in placed if one.is_guess]
    else:
        return
    for cell in guessed:
        yield Replacement(cell.start, _find_end_of_cell(cell), cell.text)


def _is_collapsed(lines: Sequence[str]) -> bool:
    """Whether nearly all rows have only one blank between the two players' actions."""
    gaps = _find_gaps(lines)
    if len(gaps) < LEAST_ROWS:
        return bool(gaps) and _has_no_gap(lines)
    return gaps.count(" ") >= LEAST_COLLAPSED * len(gaps)


def _has_no_gap(lines: Sequence[str]) -> bool:
    """Whether the rows have no tab, no two blanks in sequence and no repeated roll (`31: 31:`).

    >>> _has_no_gap(["1) 31: 8/5 6/5 42: 8/4"]), _has_no_gap(["1) 31: 8/5 6/5    42: 8/4"])
    (True, False)
    """
    rows = [line for line in lines if _ROW.match(line)]
    return not any("  " in row.strip() or "\t" in row or _ROLL_TWICE.search(row) for row in rows)


def _find_gaps(lines: Sequence[str]) -> list[str]:
    """Return the blanks before the right player's roll, for the first rows with two rolls.

    >>> _find_gaps(["1) 31: 8/5 6/5   42: 8/4 6/4", "2) 65: 24/13"])
    ['   ']
    """
    two_rolls = filter(None, map(_match_two_rolls, lines))
    return [rolls["gap"] for rolls in islice(two_rolls, ROWS_LOOKED_AT)]


def _match_two_rolls(line: str) -> re.Match[str] | None:
    """Return the regex match from the first to the second roll of a numbered row, or None."""
    label = _ROW.match(line) if len(line) <= LONGEST_LINE else None
    return None if label is None else _TWO_ROLLS.match(line, label.end())


def _split_games(lines: Sequence[str]) -> Iterator[tuple[list[CollapsedRow], Side | None]]:
    """Yield the rows of each game, with the winner that the score lines show, or None."""
    length = next((int(found[1]) for found in map(_LENGTH.match, lines[:1000]) if found), 0)
    games: list[list[CollapsedRow]] = [[]]
    scores: list[re.Match[str] | None] = [None]
    follows_loss = False
    for start, line in yield_lines_with_starts(lines):
        may_be_score = len(line) <= LONGEST_LINE and not _ROW.match(line)
        score = _SCORE.match(line) if may_be_score else None
        if score is not None:
            games.append([])
            scores.append(score)
        elif (row := _read_row(line, start)) is not None:
            games[-1].append(row._replace(follows_loss=follows_loss and not row.is_numbered))
        if line.strip():
            follows_loss = len(line) <= LONGEST_LINE and _LOSS.match(line) is not None
    scores.append(None)
    for rows, (before, after) in zip(games, pairwise(scores), strict=True):
        yield (
            rows,
            _find_gaining_side(before, after)
            if after
            else _find_finishing_side(before, rows, length),
        )


def _read_row(line: str, start: int) -> CollapsedRow | None:
    """Return a row or a lone result, split into cells, or None for any other line.

    `start` is the offset of the line in the text.
    """
    label = _ROW.match(line)
    if label is None and _RESULT.match(line) is None:
        return None
    end = label.end() if label else 0
    starts = [found.start() for found in _START.finditer(line, end)]
    if starts and line[end : starts[0]].strip():
        starts.insert(0, end)  # A left cell that begins with no roll: `????`.
    ends = [*starts, len(line)][1:]
    cells = (
        LoneCell(start + at, start, line[at:to].strip())
        for at, to in zip(starts, ends, strict=True)
    )
    number = None if label is None else int(label["number"])
    return CollapsedRow(start, start + end, tuple(cells), number)


def _find_gaining_side(
    score_line: re.Match[str] | None, next_score_line: re.Match[str] | None
) -> Side | None:
    """Return the only side that has more points on the next score line, or None if unclear."""
    if score_line is None or next_score_line is None:
        return None
    names = score_line["left"].strip(), score_line["right"].strip()
    points = {
        next_score_line[side].strip(): int(next_score_line[f"{side}_points"])
        for side in ("left", "right")
    }
    if len(points) < 2 or set(points) != set(names):
        return None
    gains = [
        points[name] - int(score_line[f"{side}_points"])
        for side, name in zip(("left", "right"), names, strict=True)
    ]
    if sorted(gain > 0 for gain in gains) != [False, True]:
        return None
    return LEFT if gains[LEFT] > 0 else RIGHT


def _find_finishing_side(
    score_line: re.Match[str] | None, rows: Sequence[CollapsedRow], match_length: int
) -> Side | None:
    """Return the only side that reaches `match_length` by the points of the last game, or None."""
    results = (found for row in rows for cell in row.cells if (found := _END.match(cell.text)))
    end = next(results, None)
    # A match length of 0 is unknown.
    if score_line is None or end is None or not match_length:
        return None
    ended = [
        int(score_line[f"{side}_points"]) + int(end["points"]) >= match_length
        for side in ("left", "right")
    ]
    if ended[LEFT] == ended[RIGHT]:
        return None
    return LEFT if ended[LEFT] else RIGHT


class _GameSoFar:
    """Evidence of who won a game: its last action, the checkers borne off, and the next score."""

    def __init__(self, gaining_side: Side | None) -> None:
        self._gaining_side = gaining_side
        self._last: tuple[Side, str] | None = None
        self._has_loss = False
        self._borne_off = [0, 0]

    def add(self, cell: LoneCell, side: Side) -> None:
        """Add the action in a cell, which `side` made."""
        self._last = side, cell.text
        self._borne_off[side] += _count_borne_off(cell.text)

    def add_loss(self) -> None:
        """Note that a line, such as `Losses 2 points`, states a loss, but not who lost."""
        self._has_loss = True

    @property
    def certain_winner(self) -> Side | None:
        """The side shown as winner by a pass, resignation, score or complete bear-off, or None."""
        if self._last is not None and _GIVES_UP.match(self._last[1]):
            return other_side(self._last[0])
        if self._gaining_side is None and max(self._borne_off) >= CHECKERS:
            return LEFT if self._borne_off[LEFT] > self._borne_off[RIGHT] else RIGHT
        return self._gaining_side

    @property
    def likely_winner(self) -> Side:
        """The certain winner, else a guess from a row such as `Losses 2 points`, the bear-off or the last action."""
        if (shown := self.certain_winner) is not None:
            return shown
        last = LEFT if self._last is None else self._last[0]
        if self._has_loss:
            return other_side(last)
        lead = self._borne_off[LEFT] - self._borne_off[RIGHT]
        if abs(lead) >= FAR_AHEAD:
            return LEFT if lead > 0 else RIGHT
        return last


class _PlacedCell(NamedTuple):
    """A cell of a text without columns, with the side to which it was assigned."""

    cell: LoneCell
    start: int
    """The offset of the blanks before it."""
    side: Side
    is_guess: bool
    """Whether it is a result whose winner is only likely."""


def _assign_cells_of_game(
    rows: Sequence[CollapsedRow], gaining_side: Side | None
) -> Iterator[_PlacedCell]:
    """Yield the first two cells of each row of a game with the sides that they belong to.

    `gaining_side` is the side whose points rise with the game, or None if unknown.
    """
    game = _GameSoFar(gaining_side)
    row_count = sum(row.is_numbered for row in rows)
    for row in rows:
        for number, cell in enumerate(row.cells[:2]):
            start = row.end_of_label if number == 0 else _find_end_of_cell(row.cells[number - 1])
            is_result = _RESULT.match(cell.text) is not None
            is_guess = False
            if row.follows_loss:
                game.add_loss()
            if len(row.cells) > 1:
                side: Side = RIGHT if number else LEFT
            elif is_result:
                side, is_guess = game.likely_winner, game.certain_winner is None
            else:
                side = RIGHT if row.number == 1 and row_count > 1 else LEFT
            yield _PlacedCell(cell, start, side, is_guess)
            if not is_result:
                game.add(cell, side)


def _widen_gaps(rows: Sequence[CollapsedRow], gaining_side: Side | None) -> Iterator[Replacement]:
    """Yield replacements of the gap before each of the right player's cells by a wider one.

    `gaining_side` is the side whose points rise with the game, or None if unknown.
    """
    for placed in _assign_cells_of_game(rows, gaining_side):
        if placed.side == RIGHT:
            used = placed.start - placed.cell.line_start
            blanks = " " * max(RIGHT_COLUMN - used, 2)
            yield Replacement(placed.start, placed.cell.start, blanks)


def _find_end_of_cell(cell: LoneCell) -> int:
    """Return the offset in the text at which a cell ends."""
    return cell.start + len(cell.text)


def _separate_doubles_after_dances(lines: Sequence[str]) -> Iterator[Replacement]:
    """Yield replacements that move a double behind the left player's dance to the right column."""
    for (start, line), below in zip(yield_lines_with_starts(lines), [*lines[1:], ""], strict=True):
        label = _ROW.match(line)
        closed = label and _DANCE_AND_DOUBLE.match(line, label.end())
        next_label = _ROW.match(below)
        if closed and next_label and _ANSWER.match(below, next_label.end()):
            blanks = max(RIGHT_COLUMN - closed.start("gap"), 2)
            indent = next_label.end() - len(next_label.group().rstrip(" \t"))
            if indent < RIGHT_COLUMN // 2:
                yield Replacement(
                    start + closed.start("gap"), start + closed.end("gap"), " " * blanks
                )
