"""The list of matches: as a table for people, as data for programs, and as a page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Any, Literal, NamedTuple, TypedDict

from rich.cells import cell_len

from bganalyze.app.config import rule_book_title
from bganalyze.app.jobs.executor import split_into_chunks
from bganalyze.app.render.console import fit_line, make_table, render_to_string
from bganalyze.app.render.csv_lines import escape_formula, format_csv_line
from bganalyze.app.render.document import Cell, Chapter, Document, Grid, Note, Part
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.statistics.match_list import ListedMatch
from bganalyze.text import number_of, printable
from bganalyze.validation.replaying.outcomes import FinalScore

VERSION = 1
"""The version of the schema of the list of matches."""

ROWS_AT_ONCE = 500
"""Rows of a table that are laid out together. More have a heading of their own, so that memory is bounded."""

LONGEST_PATH, NARROWEST_PATH = 48, 12
"""Most and fewest characters of a path in a line; longer paths continue on the next line."""

SHORT_LINE = 10
"""Characters of a line that says whether a match is complete."""

LONGEST_NAME = 20
"""Characters of a name in a line."""


class MatchesObject(TypedDict):
    """The list of matches, as `matches --format json` writes it."""

    version: Literal[1]
    """The version of this schema."""
    rule_book: str
    """The rule book the matches were checked by."""
    matches: tuple[ListedMatch, ...]
    """The matches in the order of the files."""


# Data.

COLUMNS = (
    *("path", "number", "date", "event", "round", "left", "right", "length", "games"),
    *("left_recorded", "right_recorded", "left_by_board", "right_by_board", "winner"),
    *("complete", "incomplete", "errors", "warnings", "repairs", "left_pr", "right_pr"),
    *("engine", "content"),
)
"""The columns of CSV."""


def make_csv_row(match: ListedMatch) -> tuple[Any, ...]:
    """Return a match as a row of CSV."""
    return (
        *(match.path, match.number, match.date, match.event, match.round, *match.players),
        *(match.length, match.games),
        *(match.recorded.after or (None, None)),
        *(match.by_board.after or (None, None)),
        *(match.winner_name, match.is_complete, match.incomplete, match.errors, match.warnings),
        match.repairs,
        *(None if rate is None else round(rate, 2) for rate in match.pr),
        match.engine,
        match.content,
    )


def render_csv(matches: Iterable[ListedMatch], _: OutputOptions) -> Iterator[str]:
    """Yield a CSV line for each match."""
    yield csv_line(COLUMNS)
    for match in matches:
        yield csv_line(make_csv_row(match))


def csv_line(values: Iterable[object]) -> str:
    r"""Return values as a line of CSV.

    >>> csv_line((None, True, "=1+1", 2.5))
    ",true,'=1+1,2.5\n"
    """
    return format_csv_line(map(_make_csv_cell, values))


def _make_csv_cell(value: object) -> str:
    """Return a value as a CSV cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return escape_formula(value) if isinstance(value, str) else str(value)


def render_jsonl(matches: Iterable[ListedMatch], _: OutputOptions) -> Iterator[str]:
    """Yield each match as a JSON object on a line."""
    for match in matches:
        yield json.dumps(as_record(match)) + "\n"


def render_json(matches: Iterable[ListedMatch], setting: OutputOptions) -> Iterator[str]:
    """Yield one JSON object with the list of matches."""
    about = {"version": VERSION, "rule_book": rule_book_title(setting.rule_book)}
    yield from json_with_list(about, "matches", map(as_record, matches))


def json_with_list(
    about: Mapping[str, object], key: str, records: Iterable[object]
) -> Iterator[str]:
    """Yield a JSON object in pieces: the keys of `about`, then `key` with the list `records`."""
    yield json.dumps(about, indent=2).removesuffix("\n}") + f",\n  {json.dumps(key)}: ["
    separator = "\n"
    # The list may be too long for memory.
    for record in records:
        yield separator + "    " + json.dumps(record, indent=2).replace("\n", "\n    ")
        separator = ",\n"
    yield "]\n}\n" if separator == "\n" else "\n  ]\n}\n"


def as_record(value: object) -> Any:
    """Return a value in JSON types, for instance a named tuple as an object."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: as_record(held) for name, held in value._asdict().items()}
    if isinstance(value, tuple):
        return [as_record(item) for item in value]
    return value if value is None or isinstance(value, int | float) else str(value)


# A table for people: two lines for each match, one for each player.


class _TwoLinesOfCells(NamedTuple):
    """The texts of a match in a table, each with the lines of the left and the right player."""

    match: tuple[str, str]
    """The file; the event and the round."""
    date: tuple[str, str]
    """The day; the length."""
    players: tuple[str, str]
    score: tuple[str, str]
    by_board: tuple[str, str]
    """The score by the board, if it differs."""
    pr: tuple[str, str]
    state: tuple[str, str]
    """Whether the match is complete, or why not."""
    errors: tuple[str, str]
    """The numbers of errors and warnings; that of proposed repairs."""


_HEADINGS = {name: name for name in _TwoLinesOfCells._fields} | {"by_board": "by board", "pr": "PR"}
_UNBROKEN = ("date", "score", "by_board", "pr", "state", "errors")
"""Columns whose lines are never broken."""


def render_text(matches: Iterable[ListedMatch], setting: OutputOptions) -> Iterator[str]:
    """Yield tables of at most `ROWS_AT_ONCE` matches each, then the totals."""
    total = faulty = doubtful = money = incomplete = disputed = 0
    copies = _CopiedMatches()
    for some in split_into_chunks(matches, ROWS_AT_ONCE):
        copies.add(some)
        if total:
            yield "\n"
        yield _write_table([_make_cells_of_two_lines(match) for match in some], setting)
        total += len(some)
        faulty += sum(bool(match.errors) for match in some)
        doubtful += sum(bool(match.warnings) for match in some)
        disputed += sum(match.is_disputed for match in some)
        money += sum(match.is_finished_money_play for match in some)
        incomplete += sum(match.lacks_part and not match.is_disputed for match in some)
    if total:
        yield "\n"
    counts = f"{number_of(total, 'match')}, {faulty:,} with errors, "
    counts += f"{doubtful:,} with warnings, " if doubtful else ""
    counts += f"{money:,} money play, " if money else ""
    counts += f"{incomplete:,} not complete"
    counts += f", {disputed:,} disputed" if disputed else ""
    yield "".join(f"{printable(line, setting.encoding)}\n" for line in copies.lines())
    yield f"{counts}\nRule book: {rule_book_title(setting.rule_book)}\n"


MOST_COPIES = 5
"""Matches recorded twice that are named."""

MOST_WATCHED = 50_000
"""Matches whose contents are remembered to find copies, so that memory is bounded."""


@dataclass(slots=True)
class _CopiedMatches:
    """Matches that occur more than once in a list, with equal rolls, plays and scores."""

    first: dict[str, str] = field(default_factory=dict)
    """The place of the first match with each content."""
    copies: list[tuple[str, str]] = field(default_factory=list)
    """Places of a copy and of the first match with its content."""

    def add(self, matches: Iterable[ListedMatch]) -> None:
        """Find the copies among some matches, and keep them for `lines`."""
        for match in matches:
            if match.content and (len(self.first) < MOST_WATCHED or match.content in self.first):
                place = match_place(match)
                first = self.first.setdefault(match.content, place)
                if first != place:
                    self.copies.append((place, first))

    def lines(self) -> Iterator[str]:
        """Yield lines such as `a.txt holds the same match as a.mat`."""
        for place, first in self.copies[:MOST_COPIES]:
            yield f"{place} holds the same match as {first}"
        if len(self.copies) > MOST_COPIES:
            yield f"{len(self.copies) - MOST_COPIES:,} more hold the same match as another"


def _make_cells_of_two_lines(match: ListedMatch) -> _TwoLinesOfCells:
    """Return the table cells of a match, each with two lines of text."""
    points = length_text(match)
    warnings = f", {number_of(match.warnings, 'warning')}" if match.warnings else ""
    return _TwoLinesOfCells(
        match=(match_place(match), ", ".join(filter(None, (match.event, match.round)))),
        date=(
            "" if match.date is None else str(match.date),
            f"to {points}" if points.isdecimal() else points,
        ),
        players=match.players,
        score=_make_pair(_describe_side_score(match, side) for side in (0, 1)),
        by_board=_make_pair(
            _describe_points(match.by_board, side) if match.has_two_scores else ""
            for side in (0, 1)
        ),
        pr=_make_pair("" if rate is None else f"{rate:.1f}" for rate in match.pr),
        state=_wrap_in_two_lines(match.incomplete or "complete"),
        errors=(
            f"{match.errors:,}{warnings}",
            f"{match.repairs:,} proposed" if match.repairs else "",
        ),
    )


def _wrap_in_two_lines(text: str) -> tuple[str, str]:
    """Return a short text as two lines, of which the second may be empty."""
    first, *others = wrap(text, SHORT_LINE)
    return first, " ".join(others)


def _make_pair(texts: Iterable[str]) -> tuple[str, str]:
    """Return two texts, the left and the right player's, as a tuple."""
    left, right = texts
    return left, right


def match_place(match: ListedMatch) -> str:
    """Return the file of a match, such as `a.mat` or `a.mat, match 2`."""
    return match.path if match.number == 1 else f"{match.path}, match {match.number}"


def length_text(match: ListedMatch) -> str:
    """Return the length of a match in points, or `money`; "" if unknown."""
    return "" if match.length is None else str(match.length) if match.length else "money"


def _describe_side_score(match: ListedMatch, side: int) -> str:
    """Return a player's recorded points, such as `5`, or `5 won` for the winner."""
    won = " won" if match.winner == side else ""
    return f"{_describe_points(match.recorded, side)}{won}"


def _describe_points(score: FinalScore, side: int) -> str:
    """Return the final points of a side as text, or `?` if they are unknown."""
    return "?" if score.after is None else str(score.after[side])


def score_text(score: FinalScore) -> str:
    """Return a final score such as `5–3`, or `?` if it is unknown."""
    return "?" if score.after is None else "{}–{}".format(*score.after)


def _write_table(matches: Sequence[_TwoLinesOfCells], setting: OutputOptions) -> str:
    """Return a table of matches, with two lines of text for each match."""
    names = [
        name
        for name in _TwoLinesOfCells._fields
        if any(any(getattr(match, name)) for match in matches)
    ]
    rows = [
        [fit_line(getattr(match, name)[line], setting) for name in names]
        for match in matches
        for line in (0, 1)
    ]
    headings = [_HEADINGS[name] for name in names]
    _wrap_player_names(rows, names.index("players"))
    room = min(setting.width - _find_width_without_paths(rows, headings, names), LONGEST_PATH)
    if room < NARROWEST_PATH:
        return _stack_rows(rows, names)
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        first, *others = (*_fold_path(upper[0], room), *wrap(lower[0], room))
        upper[0], lower[0] = first, "\n".join(others)
    grid = make_table(*headings)
    for name, column in zip(names, grid.columns, strict=True):
        column.no_wrap = name in _UNBROKEN
    for row in rows:
        grid.add_row(*row)
    return render_to_string(grid, setting)


def _wrap_player_names(rows: Sequence[list[str]], column: int) -> None:
    """Wrap long names of players, in place, in the column of `rows` with the index `column`."""
    for row in rows:
        row[column] = "\n".join(wrap(row[column], LONGEST_NAME)) or "?"


def _find_width_without_paths(
    rows: Sequence[Sequence[str]], headings: Sequence[str], fields: Sequence[str]
) -> int:
    """Return the least width that all columns but the first, with the paths, need together.

    `fields` are the fields of `_TwoLinesOfCells` shown in the columns.
    """
    columns = list(zip(fields, zip(headings, *rows, strict=True), strict=True))[1:]
    widths = [max(_find_least_width(text, name) for text in column) for name, column in columns]
    return sum(widths) + 2 * len(widths)


def _stack_rows(rows: Sequence[Sequence[str]], fields: Sequence[str]) -> str:
    """Return matches as blocks of lines, each line a heading and a text.

    `rows` has two rows for each match, with these `fields` of `_TwoLinesOfCells`.
    """
    room = max(len(_HEADINGS[name]) for name in fields)
    matches = (
        [
            (_HEADINGS[name], _BETWEEN.get(name, ", ").join(filter(None, texts)))
            for name, *texts in zip(fields, upper, lower, strict=True)
        ]
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    )
    return "\n".join(
        "".join(f"{name:{room}}  {' '.join(text.split())}\n" for name, text in match if text)
        for match in matches
    )


_BETWEEN = {"players": " – ", "score": " – ", "by_board": " – ", "pr": " – ", "state": " "}
"""Separators between the texts of two players or lines in a column, where not a comma."""


def _fold_path(path: str, room: int) -> list[str]:
    """Split a path into lines of at most `room` characters, if possible between folders.

    >>> _fold_path("club/2024/final.mat", 12)
    ['club/2024/', 'final.mat']
    """
    lines = [""]
    for part in re.split(r"(?<=[/!])", path):
        if lines[-1] and len(lines[-1]) + len(part) > room:
            lines.append("")
        lines[-1] += part
    return [line[start : start + room] for line in lines for start in range(0, len(line), room)]


def _find_least_width(text: str, field_name: str) -> int:
    """Return the least width of a cell: that of its longest word or, if never wrapped, of all text.

    The cell shows the field `field_name` of `_TwoLinesOfCells`.
    """
    return max(map(cell_len, [text] if field_name in _UNBROKEN else text.split()), default=0)


# A page.

_PAGE_HEADINGS = ("Match", "Date", "Event", "Players", "Length", "Score", "Winner", "State")
_PAGE_FIGURES = ("Errors", "Warnings", "Repairs", "PR")


class LinkedMatch(NamedTuple):
    """A match in a list, with the file name of its page; empty without one."""

    match: ListedMatch
    page: str = ""


def render_html(matches: Iterable[ListedMatch], setting: OutputOptions) -> Iterator[str]:
    """Yield a page with the list of matches."""
    yield matches_page(map(LinkedMatch, matches), setting)


def matches_page(linked: Iterable[LinkedMatch], setting: OutputOptions) -> str:
    """Return the list of matches as a page of HTML."""
    from bganalyze.app.render.document_html import render_page  # jinja2 is needed by pages only

    linked, copies = tuple(linked), _CopiedMatches()
    copies.add(one.match for one in linked)
    rows = tuple(_make_page_row(one) for one in linked)
    grid = Grid("", (*_PAGE_HEADINGS, *_PAGE_FIGURES), rows, words=len(_PAGE_HEADINGS))
    about = "Matches"
    block = grid if rows else Note("No matches")
    chapter = Chapter(about, (Part(number_of(len(rows), "match"), (block,)),))
    return render_page(
        Document(
            about,
            (chapter,),
            (*copies.lines(), f"Rule book: {rule_book_title(setting.rule_book)}.", *_NOTES),
        )
    )


_NOTES = (
    "Repairs: errors for which bganalyze check proposes a repair; it searches the first three errors of a file.",
)


def _make_page_row(linked: LinkedMatch) -> tuple[Cell, ...]:
    """Return the table cells of a match, with a link to its page."""
    match = linked.match
    rates = (f"{rate:.1f}" for rate in match.pr if rate is not None)
    texts = (
        ", ".join(filter(None, (match.event, match.round))),
        " – ".join(match.players),
        length_text(match),
    )
    return (
        Cell(match_place(match), link=linked.page),
        Cell("" if match.date is None else str(match.date), unbroken=True),
        *map(Cell, texts),
        _make_score_cell(match),
        Cell(match.winner_name),
        Cell(match.incomplete or "complete", tone="" if match.is_complete else "info"),
        Cell(f"{match.errors:,}", tone="error" if match.errors else ""),
        Cell(f"{match.warnings:,}"),
        Cell("?" if match.repairs is None else f"{match.repairs:,}"),
        Cell(" – ".join(rates)),
    )


def _make_score_cell(match: ListedMatch) -> Cell:
    """Return the table cell with the recorded score and, if it differs, the score by the boards."""
    if not match.has_two_scores:
        return Cell(score_text(match.recorded))
    by_board = f"{score_text(match.by_board)} by the board"
    return Cell(score_text(match.recorded), detail=by_board, tone="warning")
