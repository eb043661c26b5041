"""Answers of `stats` as documents: the rows shown and the text of their cells."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from bganalyze.analysis.error_rates import is_pr
from bganalyze.app.config import rule_book_title
from bganalyze.app.render import document_markdown, document_text
from bganalyze.app.render.board import make_scene
from bganalyze.app.render.document import (
    Block,
    Cell,
    Chapter,
    Diagram,
    Diagrams,
    Document,
    Grid,
    Note,
    Part,
)
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.statistics.estimates import FEWEST_UNITS
from bganalyze.statistics.reports import load_report
from bganalyze.statistics.reports.answer import ReportAnswer
from bganalyze.statistics.reports.figures import (
    CALLED,
    COLUMNS,
    PERCENTAGE_POINTS,
    SHARES,
    UNKNOWN,
    Board,
    Figure,
    Section,
    has_figures,
)
from bganalyze.statistics.reports.question import DIMENSIONS
from bganalyze.text import Files, number_of


def answer_notes(answer: ReportAnswer, setting: OutputOptions) -> tuple[str, ...]:
    """Return notes on reports, such as `counted: 3 matches, 9 games, 310 rolls`."""
    counted = f"counted: {', '.join(answer.counted)}"
    frames = (section.frame for sections in answer.reports.values() for section in sections)
    details = (_DETAILS,) if any(map(has_several_groups, frames)) else ()
    rule_book = (
        ()
        if answer.is_of_analyses
        else (f"rule book: {answer.rule_book or rule_book_title(setting.rule_book)}",)
    )
    return (counted, *answer.left_out, *_note_files_not_read(answer.files), *details, *rule_book)


_DETAILS = "in brackets: number of cases and 95 % interval"


def _note_files_not_read(files: Files | None) -> tuple[str, ...]:
    """Return a note such as `files: 3 read, 1 skipped`, or () if all files were read."""
    if files is None or not (files.skipped or files.unreadable):
        return ()
    counts = {"skipped": files.skipped, "unreadable": len(files.unreadable)}
    words = (f"{number:,} {word}" for word, number in counts.items() if number)
    return (f"files: {', '.join([f'{files.read:,} read', *words])}",)


MOST_NAMED = 20
"""Unreadable files named at most."""


def _list_unreadable_files(files: Files | None) -> Iterator[str]:
    """Yield a line for each of the first unreadable files, then the number of the others."""
    named = [file for file in (files.unreadable if files else ()) if file.path is not None]
    yield from (f"{file.path}: {file.reason}" for file in named[:MOST_NAMED])
    if len(named) > MOST_NAMED:
        yield f"and {number_of(len(named) - MOST_NAMED, 'other file')}"


# Cells of report tables as text: percentages, intervals, counts.

FIGURE_HEADINGS = ("figure", "value", "95 % interval", "counted", "matches", "expected")
"""Headings of the columns of figures, which follow those of the dimensions."""

SMALLEST_P = 0.001
"""Smallest p-value written as a number."""

P_VALUES = ("p", "corrected")
"""Columns of p-values."""


def count_word_columns(frame: pd.DataFrame) -> int:
    """Return how many columns at the start of a table hold words, at least 1.

    >>> count_word_columns(pd.DataFrame({"player": ["Ann"], "place": ["first"], "games": [3]}))
    2
    """
    if has_figures(frame):
        return len(_list_dimensions(frame)) + 1
    numeric = [pd.api.types.is_numeric_dtype(dtype) for dtype in frame.dtypes]
    return max(numeric.index(True) if True in numeric else len(numeric), 1)


def table_as_text(frame: pd.DataFrame) -> tuple[list[str], Iterator[list[str]]]:
    """Return the headings and the rows of a table as texts."""
    if not has_figures(frame):
        names = list(map(str, frame.columns))
        writers = list(map(_choose_formatter, names))
        return names, (
            [write(value) for write, value in zip(writers, row, strict=True)]
            for row in frame.itertuples(index=False)
        )
    dimensions = _list_dimensions(frame)
    called = [CALLED] if CALLED in frame else []
    headings = [*dimensions, *FIGURE_HEADINGS, *called]
    rows = list(_make_statistic_rows(frame, dimensions, called))
    empty = {
        place
        for place, heading in enumerate(headings)
        if heading in ("expected", CALLED) and not any(row[place] for row in rows)
    }
    kept = [place for place in range(len(headings)) if place not in empty]
    return [headings[place] for place in kept], ([row[place] for place in kept] for row in rows)


def _choose_formatter(column: str) -> Callable[[Any], str]:
    """Return the function that turns the values of a column into text."""
    if column in P_VALUES:
        return format_p_value
    return format_group if column in DIMENSIONS else format_value


def _list_dimensions(frame: pd.DataFrame) -> list[str]:
    """Return the names of the columns that group the statistics, such as `player`."""
    return [str(name) for name in frame.columns if name not in (*COLUMNS, CALLED)]


def _make_statistic_rows(
    frame: pd.DataFrame, group_columns: list[str], last_columns: list[str]
) -> Iterator[list[str]]:
    """Yield a table row for each statistic in `frame`: groups, name, value and interval.

    A row begins with `group_columns`, and ends with `last_columns`.
    """
    for row in frame.astype(dict.fromkeys(group_columns, object)).to_dict("records"):
        yield [
            *(UNKNOWN if pd.isna(row[name]) else str(row[name]) for name in group_columns),
            str(row["figure"]),
            format_statistic(row, row["value"]),
            _format_interval(row),
            _format_counted(row),
            format_value(row["matches"]),
            format_statistic(row, row["expected"]),
            *(row[name] for name in last_columns),
        ]


def format_statistic(row: Mapping[Any, Any], value: float) -> str:
    """Return the value of a statistic as text, for instance a share in percent.

    `row` has the name and the kind of the statistic.

    >>> format_statistic({"figure": "games won", "kind": "share"}, 0.5)
    '50.0 %'
    """
    name = str(row["figure"])
    if (is_pr(name) or PERCENTAGE_POINTS in name) and not math.isnan(value):
        return f"{value:z,.1f}"
    return format_number(value, row["kind"] in SHARES)


def _format_interval(row: dict[str, Any]) -> str:
    """Return the 95 % interval of a statistic, such as `1.2 to 3.4`; "" for a count.

    If there are too few matches for an interval, the text says so.
    """
    if row["kind"] == "count" or pd.isna(row["value"]) or row["of"] == 0:
        return ""
    if math.isnan(row["low"]):
        return f"under {FEWEST_UNITS} matches" if row["matches"] < FEWEST_UNITS else "none"
    return f"{format_statistic(row, row['low'])} to {format_statistic(row, row['high'])}"


def _format_counted(row: dict[str, Any]) -> str:
    """Return numerator and denominator of a statistic, such as `3 of 4`; "" for a count."""
    if row["kind"] == "count" or pd.isna(row["of"]):
        return ""
    return format_count_of(row["kind"], row["count"], row["of"])


def format_count_of(kind: str, count: float, total: float) -> str:
    """Return the numerator (`count`) and the denominator (`total`) of a statistic as text.

    For a mean chance (`kind` is `chance`), return the denominator alone.

    >>> format_count_of("share", 3, 4), format_count_of("mean", -3.5, 2)
    ('3 of 4', '-3.500 in 2')
    """
    if kind == "chance":
        return format_number(total, share=False)
    among = "of" if kind in SHARES else "in"
    return f"{format_number(count, share=False)} {among} {format_number(total, share=False)}"


def format_number(value: float, share: bool) -> str:
    """Return a number as text, in percent if it is a `share`.

    >>> format_number(0.1234, True), format_number(1.81333, False), format_number(3860.0, False)
    ('12.3 %', '1.813', '3,860')
    """
    if value is None or math.isnan(value):
        return ""
    if share:
        return f"{100 * value:z.1f} %"
    return f"{value:,.0f}" if value == round(value) else f"{value:z,.3f}"


def format_p_value(value: float) -> str:
    """Return a p-value as text; "" for a missing one.

    >>> format_p_value(0.0214), format_p_value(2e-7)
    ('0.021', 'below 0.001')
    """
    if math.isnan(value):
        return ""
    return f"{value:.3f}" if value >= SMALLEST_P else f"below {SMALLEST_P}"


def format_value(value: object) -> str:
    """Return a value as text; "" if it is missing.

    >>> format_value("Ann"), format_value(True)
    ('Ann', 'yes')
    """
    if pd.isna(value):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return format_number(float(value), share=False)
    return str(value)


def format_group(value: object) -> str:
    """Return the name of a group, such as a player or a year.

    >>> format_group(2024), format_group(None)
    ('2024', '')
    """
    return "" if pd.isna(value) else str(value)


# The part of a long table that is shown: the largest groups.

MOST_GROUPS = 20
"""Groups shown at most; `--format csv` and `--out` have all."""

MOST_ROWS = 300
"""Rows shown at most. Pages with many longer tables are slow to open."""

FEWEST_GROUPS = 5
"""If fewer groups fit, the table is divided into smaller groups."""

DAY = "date"
LATEST = 10
"""Days shown of a table that goes from day to day: the last ones."""


def _advise_how_to_see_all(frame: pd.DataFrame) -> str:
    """Return a hint that tells the user how to see all rows of a table."""
    has_players = "player" in frame and len(frame["player"].unique()) > 1
    return (
        "for others use --player, --min-games or --format csv"
        if has_players
        else "--format csv has all"
    )


def select_largest_groups(
    frame: pd.DataFrame, most_groups: int = MOST_GROUPS
) -> tuple[pd.DataFrame, str]:
    """Return the rows of a table's groups with the most cases, and a note on the other groups.

    The note is "" if no row is left out. A table by day is first cut to its last days.
    """
    names = _list_group_columns(frame)
    recent = (
        _keep_last_rows_of_groups(frame, [name for name in names if name != DAY])
        if DAY in names
        else frame
    )
    days = "" if recent is frame else f"the last {LATEST} of each; "
    if not names or not _is_long(recent, names[0], most_groups):
        return recent, f"{days}{_advise_how_to_see_all(frame)}" if days else ""
    for depth in range(1, len(names) + 1):
        is_large, count, total = _mark_largest_groups(recent, names[:depth], most_groups)
        if count >= FEWEST_GROUPS:
            break
    groups = _count_groups_in_words(total, names[:depth])
    shown = f"{count} of {groups} shown, those with the most cases"
    return recent[is_large], f"{days}{shown}; {_advise_how_to_see_all(frame)}"


_COUNTED = ("player", "opponent", "length", "year", "month", "site", "stage", "score", "engine")
"""Dimensions whose names are nouns with a regular plural."""


def _count_groups_in_words(total: int, names: Sequence[str]) -> str:
    """Return a number of groups in words.

    >>> _count_groups_in_words(1200, ["player"]), _count_groups_in_words(7, ["player", "year"])
    ('1,200 players', '7 groups by player and year')
    """
    if len(names) == 1 and names[0] in _COUNTED:
        return number_of(total, names[0])
    return f"{number_of(total, 'group')} by {' and '.join(names)}"


def _leave_out_groups_of_one_case(frame: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """Return a long table without groups of a single case, and the number of these groups."""
    if _mark_line_starts(frame).sum() <= MOST_GROUPS or not has_several_groups(frame):
        # It is short enough to be shown whole.
        return frame, 0
    most = frame.groupby(_list_dimensions(frame), observed=True, dropna=False)["of"].transform(
        "max"
    )
    is_single = most.le(1).fillna(False)
    if is_single.all():
        return frame, 0
    return frame[~is_single], int(_mark_line_starts(frame)[is_single].sum())


def _list_group_columns(frame: pd.DataFrame) -> list[str]:
    """Return the names of the columns that group a table's rows."""
    if has_figures(frame):
        return _list_dimensions(frame)
    return list(map(str, frame.columns[: count_word_columns(frame)]))


def _keep_last_rows_of_groups(frame: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Return the last `LATEST` rows of each group. Rows with equal values in `by` are a group."""
    kept = frame.groupby(by, observed=True).tail(LATEST) if by else frame.tail(LATEST)
    return frame if len(kept) == len(frame) else kept


def _is_long(frame: pd.DataFrame, group_column: str, most_groups: int) -> bool:
    """Whether a table has too many lines, or too many values in the column `group_column`.

    `most_groups` is the greatest number of values.
    """
    many = has_figures(frame) and frame[group_column].nunique(dropna=False) > most_groups
    return many or int(_mark_line_starts(frame).sum()) > MOST_ROWS


def _mark_line_starts(frame: pd.DataFrame) -> pd.Series:
    """Return a Boolean column that is true for each row that starts a line on the screen.

    The statistics of one group are rows of the table, but share a line.
    """
    if not has_several_groups(frame):
        return pd.Series(True, index=frame.index)
    return ~frame.duplicated(_list_dimensions(frame))


def _mark_largest_groups(
    frame: pd.DataFrame, by: list[str], most_groups: int
) -> tuple[pd.Series, int, int]:
    """Mark the rows of the largest groups, where rows with equal values in `by` are a group.

    Returns a Boolean column, the number of the largest groups, and the number of all groups.
    """
    measures = frame["of"] if has_figures(frame) else _find_largest_numbers(frame)
    grouped = frame.groupby(by, observed=True, dropna=False)
    group_of_row = grouped.ngroup()
    largest = measures.groupby(group_of_row).max().nlargest(most_groups).index
    lines_so_far = _mark_line_starts(frame).groupby(group_of_row).sum().loc[largest].cumsum()
    fitting = largest[lines_so_far <= MOST_ROWS]
    return group_of_row.isin(fitting), len(fitting), grouped.ngroups


def _find_largest_numbers(frame: pd.DataFrame) -> pd.Series:
    """Return the largest number in each row of a table, or 0 for a row without numbers."""
    return frame.select_dtypes("number").max(axis=1).fillna(0)


# Answers as documents: a chapter for each report, a part for each section.


def render_table(answer: ReportAnswer, setting: OutputOptions) -> Iterator[str]:
    """Yield the tables of reports as text."""
    return document_text.render_sections(answer_document(answer, setting), setting)


OVERVIEW_GROUPS = 8
OVERVIEW_FIGURES = 3
"""Groups and figures of a table that is cut to fit a screen of 80 columns."""


def render_overview(answer: ReportAnswer, setting: OutputOptions) -> Iterator[str]:
    """Yield the first table of a report as text, cut so that it fits a screen."""
    name, sections = next(iter(answer.reports.items()))
    section = sections[0]
    frame = section.frame
    if has_several_groups(frame):
        figures = list(dict.fromkeys(frame["figure"]))[:OVERVIEW_FIGURES]
        frame = frame[frame["figure"].isin(figures)]
    short = answer._replace(reports={name: [section._replace(frame=frame)]})
    document = answer_document(short, setting, OVERVIEW_GROUPS)
    return document_text.render_sections(document, setting)


def render_markdown(answer: ReportAnswer, setting: OutputOptions) -> Iterator[str]:
    """Yield the tables of reports as Markdown."""
    return document_markdown.render_sections(answer_document(answer, setting), setting)


def answer_document(
    answer: ReportAnswer, setting: OutputOptions, most_groups: int = MOST_GROUPS
) -> Document:
    """Return reports as a document with a chapter for each report.

    A table shows at most `most_groups` groups.
    """
    chapters = (
        Chapter(name, tuple(_make_parts(sections, load_report(name).sections, most_groups)))
        for name, sections in answer.reports.items()
    )
    return Document(
        _make_title(answer),
        tuple(chapters),
        (*answer_notes(answer, setting), *_list_unreadable_files(answer.files)),
    )


def _make_parts(
    sections: Sequence[Section],
    statistics_by_table: Mapping[str, Sequence[Figure]],
    most_groups: int,
) -> Iterator[Part]:
    """Yield a titled section for each table of a report.

    `statistics_by_table` maps the title of a table to its statistics.
    """
    for section in sections:
        yield Part(
            section.title,
            tuple(_make_blocks(section, statistics_by_table.get(section.title, ()), most_groups)),
        )


def _make_title(answer: ReportAnswer) -> str:
    """Return the title for reports, such as `Statistics of Ann against Bob since 2024-01-01`."""
    question = answer.question
    parts = (
        ("of", question.player),
        ("against", question.opponent),
        ("at", question.site),
        ("in", ", ".join(question.stages) or None),
        ("since", question.since),
        ("until", question.until),
    )
    return " ".join(["Statistics", *(f"{word} {part}" for word, part in parts if part is not None)])


def _make_blocks(
    section: Section, statistics: Sequence[Figure], most_groups: int = MOST_GROUPS
) -> Iterator[Block]:
    """Yield a table of a report or its boards, then the notes below.

    `statistics` are in the order of the table's columns.
    """
    several, single = _leave_out_groups_of_one_case(section.frame)
    frame, others = select_largest_groups(several, most_groups)
    if section.boards:
        yield Diagrams(tuple(map(diagram_of_board, section.boards)))
    elif has_several_groups(frame):
        yield tabulate_side_by_side(section.title, frame, [figure.name for figure in statistics])
    else:
        headings, rows = table_as_text(frame)
        cells = tuple(tuple(map(Cell, row)) for row in rows)
        yield Grid(section.title, tuple(headings), cells, count_word_columns(frame))
    rest = (
        f"not shown: {number_of(single, 'row')} with a single case; --format csv shows all rows"
        if single
        else ""
    )
    yield from (Note(note) for note in (others, rest, *section.notes) if note)


# Figures of several groups: a row for each group, a column for each figure.


def has_several_groups(frame: pd.DataFrame) -> bool:
    """Whether a table holds statistics of more than one group."""
    if not has_figures(frame):
        return False
    dimensions = _list_dimensions(frame)
    return bool(dimensions) and int((~frame.duplicated(dimensions)).sum()) > 1


def tabulate_side_by_side(title: str, frame: pd.DataFrame, statistic_order: Sequence[str]) -> Grid:
    """Return a table with a row for each group and a column for each statistic.

    Statistics that are not in `statistic_order` come first.
    """
    dimensions = _list_dimensions(frame)
    counted = list(dict.fromkeys(frame["figure"]))
    figures = sorted(
        counted, key=lambda name: statistic_order.index(name) if name in statistic_order else -1
    )
    cells: dict[tuple[str, ...], dict[str, Cell]] = {}
    for row in frame.astype(dict.fromkeys(dimensions, object)).to_dict("records"):
        group = tuple(UNKNOWN if pd.isna(row[name]) else str(row[name]) for name in dimensions)
        cells.setdefault(group, {})[row["figure"]] = _make_statistic_cell(row)
    rows = tuple(
        (*map(Cell, group), *(of_group.get(figure, Cell("")) for figure in figures))
        for group, of_group in cells.items()
    )
    return Grid(title, (*dimensions, *figures), rows, len(dimensions), separable=True)


def _make_statistic_cell(row: dict[str, Any]) -> Cell:
    """Return the table cell of a statistic, with cases, interval and expectation in small print."""
    value, expected = (format_statistic(row, row[name]) for name in ("value", "expected"))
    parts = (
        row.get(CALLED, ""),
        _format_denominator(row),
        "" if math.isnan(row["low"]) else _format_interval(row),
        f"expected {expected}" if expected else "",
    )
    return Cell(value, ", ".join(part for part in parts if part))


def _format_denominator(row: dict[str, Any]) -> str:
    """Return the denominator of a statistic, such as `of 12`; "" for a count."""
    if row["kind"] == "count" or pd.isna(row["of"]):
        return ""
    among = "of" if row["kind"] in SHARES and row["kind"] != "chance" else "in"
    return f"{among} {format_number(row['of'], share=False)}"


def diagram_of_board(board: Board) -> Diagram:
    """Return a board of a report as a diagram."""
    decider = board.situation.on_roll ^ board.situation.offered
    scene = make_scene(board.situation, board.names, flipped=decider == 1)
    return Diagram(board.title, scene, board.facts)
