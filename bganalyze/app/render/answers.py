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
    """Return the notes below the tables of reports, such as `counted: 3 matches, 9 games, 310 rolls`."""
    counted = f"counted: {', '.join(answer.counted)}"
    frames = (section.frame for sections in answer.reports.values() for section in sections)
    details = (_DETAILS,) if any(map(has_several_groups, frames)) else ()
    rule_book = (
        ()
        if answer.is_of_analyses
        else (f"rule book: {answer.rule_book or rule_book_title(setting.rule_book)}",)
    )
    return (counted, *answer.left_out, *_note_unread(answer.files), *details, *rule_book)


_DETAILS = "in brackets: number of cases and 95 % interval"


def _note_unread(files: Files | None) -> tuple[str, ...]:
    """Return a note such as `files: 3 read, 1 skipped` as a tuple, empty if all files were read."""
    if files is None or not (files.skipped or files.unreadable):
        return ()
    counts = {"skipped": files.skipped, "unreadable": len(files.unreadable)}
    words = (f"{number:,} {word}" for word, number in counts.items() if number)
    return (f"files: {', '.join([f'{files.read:,} read', *words])}",)


MOST_NAMED = 20
"""Unreadable files named at most."""


def _name_unread(files: Files | None) -> Iterator[str]:
    """Yield `path: reason` for the first unreadable files, then how many more there are."""
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
    """Return how many leading columns hold words, at least 1.

    >>> count_word_columns(pd.DataFrame({"player": ["Ann"], "place": ["first"], "games": [3]}))
    2
    """
    if has_figures(frame):
        return len(_list_dimensions(frame)) + 1
    numeric = [pd.api.types.is_numeric_dtype(dtype) for dtype in frame.dtypes]
    return max(numeric.index(True) if True in numeric else len(numeric), 1)


def table_as_text(frame: pd.DataFrame) -> tuple[list[str], Iterator[list[str]]]:
    """Return the headings of a table, and its rows as texts."""
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
    rows = list(_make_figure_rows(frame, dimensions, called))
    empty = {
        place
        for place, heading in enumerate(headings)
        if heading in ("expected", CALLED) and not any(row[place] for row in rows)
    }
    kept = [place for place in range(len(headings)) if place not in empty]
    return [headings[place] for place in kept], ([row[place] for place in kept] for row in rows)


def _choose_formatter(column: str) -> Callable[[Any], str]:
    """Return the function that writes the values of a column as text."""
    if column in P_VALUES:
        return format_p_value
    return format_group if column in DIMENSIONS else format_value


def _list_dimensions(frame: pd.DataFrame) -> list[str]:
    """Return the columns by which the statistics of a table are grouped, such as `player`."""
    return [str(name) for name in frame.columns if name not in (*COLUMNS, CALLED)]


def _make_figure_rows(
    frame: pd.DataFrame, dimensions: list[str], name_columns: list[str]
) -> Iterator[list[str]]:
    """Yield each statistic of a table as a row of texts: its groups, name, value and counts.

    `dimensions` are the columns by which the statistics are grouped. `name_columns` are columns of
    text that end the row, such as the class of players.
    """
    for row in frame.astype(dict.fromkeys(dimensions, object)).to_dict("records"):
        yield [
            *(UNKNOWN if pd.isna(row[name]) else str(row[name]) for name in dimensions),
            str(row["figure"]),
            format_figure(row, row["value"]),
            _format_interval(row),
            _format_counted(row),
            format_value(row["matches"]),
            format_figure(row, row["expected"]),
            *(row[name] for name in name_columns),
        ]


def format_figure(row: Mapping[Any, Any], value: float) -> str:
    """Return the value of a statistic as text, or "" if it is missing.

    `row` has the name and kind of the statistic, which decide how many decimals are shown.

    >>> pr = {"figure": "PR (xg-b)", "kind": "rate"}
    >>> won = {"figure": "games won", "kind": "share"}
    >>> format_figure(pr, 5.3333), format_figure(won, 0.5)
    ('5.3', '50.0 %')
    """
    name = str(row["figure"])
    if (is_pr(name) or PERCENTAGE_POINTS in name) and not math.isnan(value):
        return f"{value:z,.1f}"
    return format_number(value, row["kind"] in SHARES)


def _format_interval(row: dict[str, Any]) -> str:
    """Return the 95 % interval of a statistic, such as `1.2 to 3.4`, or why it has none.

    A count has no interval: the text is "".
    """
    if row["kind"] == "count" or pd.isna(row["value"]) or row["of"] == 0:
        return ""
    if math.isnan(row["low"]):
        return f"under {FEWEST_UNITS} matches" if row["matches"] < FEWEST_UNITS else "none"
    return f"{format_figure(row, row['low'])} to {format_figure(row, row['high'])}"


def _format_counted(row: dict[str, Any]) -> str:
    """Return numerator and denominator of a statistic, such as `3 of 4`; "" for a count."""
    if row["kind"] == "count" or pd.isna(row["of"]):
        return ""
    return format_count_of(row["kind"], row["count"], row["of"])


def format_count_of(kind: str, count: float, total: float) -> str:
    """Return a statistic's numerator and denominator as text, such as `3 of 4` for a share.

    `count` is the numerator, `total` the denominator, and `kind` the kind of statistic. For the kind
    `chance` (a mean of chances), the text is the denominator alone.

    >>> format_count_of("share", 3, 4), format_count_of("mean", -3.5, 2), format_count_of("chance", 0.7, 2)
    ('3 of 4', '-3.500 in 2', '2')
    """
    if kind == "chance":
        return format_number(total, share=False)
    among = "of" if kind in SHARES else "in"
    return f"{format_number(count, share=False)} {among} {format_number(total, share=False)}"


def format_number(value: float, share: bool) -> str:
    """Return a number as text: in percent if it is a `share`, else with at most three decimals.

    >>> format_number(0.1234, True), format_number(1.81333, False), format_number(3860.0, False), format_number(-1e-5, False)
    ('12.3 %', '1.813', '3,860', '0.000')
    """
    if value is None or math.isnan(value):
        return ""
    if share:
        return f"{100 * value:z.1f} %"
    return f"{value:,.0f}" if value == round(value) else f"{value:z,.3f}"


def format_p_value(value: float) -> str:
    """Return a p-value as text: `below` a limit for a tiny p-value, "" for a missing one.

    >>> format_p_value(0.0214), format_p_value(2e-7), format_p_value(1.0)
    ('0.021', 'below 0.001', '1.000')
    """
    if math.isnan(value):
        return ""
    return f"{value:.3f}" if value >= SMALLEST_P else f"below {SMALLEST_P}"


def format_value(value: object) -> str:
    """Return a value that is no number as text, "" if it is missing.

    >>> format_value("Ann"), format_value(None), format_value(True)
    ('Ann', '', 'yes')
    """
    if pd.isna(value):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return format_number(float(value), share=False)
    return str(value)


def format_group(value: object) -> str:
    """Return a group's name as text; years get no thousands separator.

    >>> format_group(2024), format_group("Ann"), format_group(None)
    ('2024', 'Ann', '')
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


def _say_how_to_see_others(frame: pd.DataFrame) -> str:
    """Return the options that show the rows left out of a table, such as `--format csv`."""
    has_players = "player" in frame and len(frame["player"].unique()) > 1
    return (
        "for others use --player, --min-games or --format csv"
        if has_players
        else "--format csv has all"
    )


def select_largest_groups(frame: pd.DataFrame, most: int = MOST_GROUPS) -> tuple[pd.DataFrame, str]:
    """Return the rows of a table's largest groups, and a note on the rows left out.

    The largest groups are those with the most cases, at most `most`. In a table by day, only the
    last `LATEST` days of each player (or other group) count. The note is "" if no row is left out.
    """
    names = _list_group_columns(frame)
    recent = _keep_recent(frame, [name for name in names if name != DAY]) if DAY in names else frame
    days = "" if recent is frame else f"the last {LATEST} of each; "
    if not names or not _is_long(recent, names[0], most):
        return recent, f"{days}{_say_how_to_see_others(frame)}" if days else ""
    for depth in range(1, len(names) + 1):
        is_large, count, total = _find_largest_groups(recent, names[:depth], most)
        if count >= FEWEST_GROUPS:
            break
    groups = _count_groups_in_words(total, names[:depth])
    shown = f"{count} of {groups} shown, those with the most cases"
    return recent[is_large], f"{days}{shown}; {_say_how_to_see_others(frame)}"


_COUNTED = ("player", "opponent", "length", "year", "month", "site", "stage", "score", "engine")
"""Dimensions whose names are nouns with a regular plural."""


def _count_groups_in_words(total: int, names: Sequence[str]) -> str:
    """Return a number of groups in words, such as `12 players` or `30 groups by site and year`.

    >>> _count_groups_in_words(1200, ["player"]), _count_groups_in_words(7, ["player", "year"])
    ('1,200 players', '7 groups by player and year')
    """
    if len(names) == 1 and names[0] in _COUNTED:
        return number_of(total, names[0])
    return f"{number_of(total, 'group')} by {' and '.join(names)}"


def _leave_out_single_cases(frame: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """Return a table without the groups that have a single case, and how many groups were left out.

    A table is returned unchanged if it is short, if it has no statistics of several groups, or if
    all its groups have a single case.
    """
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
    """Return the leading word columns of a table, which group its rows."""
    if has_figures(frame):
        return _list_dimensions(frame)
    return list(map(str, frame.columns[: count_word_columns(frame)]))


def _keep_recent(frame: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Return the last `LATEST` rows of each group of a table.

    Rows with equal values in the columns `by` are a group. If `by` is empty, the whole table is
    one.
    """
    kept = frame.groupby(by, observed=True).tail(LATEST) if by else frame.tail(LATEST)
    return frame if len(kept) == len(frame) else kept


def _is_long(frame: pd.DataFrame, group_column: str, most: int) -> bool:
    """Whether a table has too many lines or too many groups to be shown whole.

    More than `MOST_ROWS` lines are too many. In a table of statistics, more than `most` groups are
    too many. Each value in the column `group_column` is a group.
    """
    many = has_figures(frame) and frame[group_column].nunique(dropna=False) > most
    return many or int(_mark_line_starts(frame).sum()) > MOST_ROWS


def _mark_line_starts(frame: pd.DataFrame) -> pd.Series:
    """Return a Boolean column: whether a row starts a new line of the table on the screen.

    A table with statistics of several groups shows each group as one line, which only the group's
    first row starts. In other tables, every row starts a line.
    """
    if not has_several_groups(frame):
        return pd.Series(True, index=frame.index)
    return ~frame.duplicated(_list_dimensions(frame))


def _find_largest_groups(
    frame: pd.DataFrame, by: list[str], most: int
) -> tuple[pd.Series, int, int]:
    """Return a mask of the rows in the largest groups, the number of these groups, and of all groups.

    Rows with equal values in the columns `by` are a group. The largest groups are at most `most`,
    and only as many as fit into `MOST_ROWS` lines.
    """
    measures = frame["of"] if has_figures(frame) else _find_largest_numbers(frame)
    grouped = frame.groupby(by, observed=True, dropna=False)
    group_of_row = grouped.ngroup()
    largest = measures.groupby(group_of_row).max().nlargest(most).index
    lines_so_far = _mark_line_starts(frame).groupby(group_of_row).sum().loc[largest].cumsum()
    fitting = largest[lines_so_far <= MOST_ROWS]
    return group_of_row.isin(fitting), len(fitting), grouped.ngroups


def _find_largest_numbers(frame: pd.DataFrame) -> pd.Series:
    """Return the largest number of each row as a column, 0 for a row without numbers."""
    return frame.select_dtypes("number").max(axis=1).fillna(0)


# Answers as documents: a chapter for each report, a part for each section.


def render_table(answer: ReportAnswer, setting: OutputOptions) -> Iterator[str]:
    """Yield the tables of reports as text."""
    return document_text.render_sections(answer_document(answer, setting), setting)


OVERVIEW_GROUPS = 8
OVERVIEW_FIGURES = 3
"""Groups and figures of a table that is cut to fit a screen of 80 columns."""


def render_overview(answer: ReportAnswer, setting: OutputOptions) -> Iterator[str]:
    """Yield the first table of a report as text, shortened to fit a screen."""
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
    answer: ReportAnswer, setting: OutputOptions, most: int = MOST_GROUPS
) -> Document:
    """Return reports as a document with a chapter for each.

    Tables show only the `most` largest groups.
    """
    chapters = (
        Chapter(name, tuple(_make_parts(sections, load_report(name).sections, most)))
        for name, sections in answer.reports.items()
    )
    return Document(
        _make_title(answer),
        tuple(chapters),
        (*answer_notes(answer, setting), *_name_unread(answer.files)),
    )


def _make_parts(
    sections: Sequence[Section], figures_by_section: Mapping[str, Sequence[Figure]], most: int
) -> Iterator[Part]:
    """Yield each table of a report, under its title, as a section of a chapter.

    `figures_by_section` has the statistics of each table, by its title, in the order of their
    columns; `most` is the largest number of groups shown.
    """
    for section in sections:
        yield Part(
            section.title,
            tuple(_make_blocks(section, figures_by_section.get(section.title, ()), most)),
        )


def _make_title(answer: ReportAnswer) -> str:
    """Return the title of reports, such as `Statistics of Ann against Bob since 2024-01-01`."""
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
    section: Section, declared: Sequence[Figure], most: int = MOST_GROUPS
) -> Iterator[Block]:
    """Yield a table of a report, or its boards, and the notes below.

    `declared` are the statistics in the order of their columns; `most` is the largest number of
    groups shown.
    """
    several, single = _leave_out_single_cases(section.frame)
    frame, others = select_largest_groups(several, most)
    if section.boards:
        yield Diagrams(tuple(map(diagram_of_board, section.boards)))
    elif has_several_groups(frame):
        yield tabulate_side_by_side(section.title, frame, [figure.name for figure in declared])
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


def tabulate_side_by_side(title: str, frame: pd.DataFrame, order: Sequence[str]) -> Grid:
    """Return a table with a row for each group and a column for each statistic.

    `title` is the caption of the table. `order` lists names of statistics in the order of their
    columns. The columns of statistics that are not in `order` come first.
    """
    dimensions = _list_dimensions(frame)
    counted = list(dict.fromkeys(frame["figure"]))
    figures = sorted(counted, key=lambda name: order.index(name) if name in order else -1)
    cells: dict[tuple[str, ...], dict[str, Cell]] = {}
    for row in frame.astype(dict.fromkeys(dimensions, object)).to_dict("records"):
        group = tuple(UNKNOWN if pd.isna(row[name]) else str(row[name]) for name in dimensions)
        cells.setdefault(group, {})[row["figure"]] = _make_figure_cell(row)
    rows = tuple(
        (*map(Cell, group), *(of_group.get(figure, Cell("")) for figure in figures))
        for group, of_group in cells.items()
    )
    return Grid(title, (*dimensions, *figures), rows, len(dimensions), separable=True)


def _make_figure_cell(row: dict[str, Any]) -> Cell:
    """Return the cell of a statistic, with its cases and interval in small print."""
    value, expected = (format_figure(row, row[name]) for name in ("value", "expected"))
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
    """Return a board as a diagram, with the side that decides in the left player's color."""
    decider = board.situation.on_roll ^ board.situation.offered
    scene = make_scene(board.situation, board.names, flipped=decider == 1)
    return Diagram(board.title, scene, board.facts)
