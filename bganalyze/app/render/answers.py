"""The answers of `stats` as a document: which rows of their tables are shown, and in which words."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from bganalyze.analysis.metrics import is_pr
from bganalyze.app.config import title
from bganalyze.app.render import document_markdown, document_text
from bganalyze.app.render.board import scene
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
from bganalyze.app.render.setting import OutputOptions
from bganalyze.statistics.estimates import FEWEST_UNITS
from bganalyze.statistics.reports import report
from bganalyze.statistics.reports.answer import ReportAnswer
from bganalyze.statistics.reports.figures import (
    CALLED,
    COLUMNS,
    SHARES,
    UNKNOWN,
    Board,
    Figure,
    Section,
    is_of_figures,
)
from bganalyze.statistics.reports.question import DIMENSIONS
from bganalyze.text import Files, number_of


def remarks(answer: ReportAnswer, setting: OutputOptions) -> tuple[str, ...]:
    """Return what was counted and left out, and by which rule book, without capitals and full stops.

    Analyses from a database were given by engines, which `counted` names, and under no rule book.
    """
    counted = f"counted: {', '.join(answer.counted)}"
    frames = (section.frame for sections in answer.reports.values() for section in sections)
    details = (_DETAILS,) if any(map(has_several_groups, frames)) else ()
    rule_book = (
        ()
        if answer.is_of_analyses
        else (f"rule book: {answer.rule_book or title(setting.rule_book)}",)
    )
    return (counted, *answer.left_out, *_not_read(answer.files), *details, *rule_book)


_DETAILS = "beside each figure: of how many it is, and its 95 % interval where there is one"


def _not_read(files: Files | None) -> tuple[str, ...]:
    """How many files hold no transcript or could not be read, where there are any."""
    if files is None or not (files.skipped or files.unreadable):
        return ()
    counts = {"skipped": files.skipped, "unreadable": len(files.unreadable)}
    words = (f"{number:,} {word}" for word, number in counts.items() if number)
    return (f"files: {', '.join([f'{files.read:,} read', *words])}",)


MOST_NAMED = 20
"""How many of the files that could not be read are named."""


def _not_read_by_name(files: Files | None) -> Iterator[str]:
    """Yield which files could not be read and why, but no names that are to stay hidden."""
    named = [file for file in (files.unreadable if files else ()) if file.path is not None]
    yield from (f"{file.path}: {file.reason}" for file in named[:MOST_NAMED])
    if len(named) > MOST_NAMED:
        yield f"and {number_of(len(named) - MOST_NAMED, 'other file')}"


# The cells of a report's tables as text: shares in per cent, intervals, counts.

FIGURE_HEADINGS = ("figure", "value", "95 % interval", "counted", "matches", "expected")
"""What stands over figures; the dimensions stand before them."""

SMALLEST_P = 0.001
"""Smaller p-values are not told apart."""

P_VALUES = ("p", "corrected")
"""The columns that hold p-values."""


def leading_words(frame: pd.DataFrame) -> int:
    """Return how many of the first columns hold words; at least one, which names the row.

    >>> leading_words(pd.DataFrame({"player": ["Ann"], "place": ["first"], "games": [3]}))
    2
    """
    if is_of_figures(frame):
        return len(_dimensions(frame)) + 1
    numeric = [pd.api.types.is_numeric_dtype(dtype) for dtype in frame.dtypes]
    return max(numeric.index(True) if True in numeric else len(numeric), 1)


def as_text(frame: pd.DataFrame) -> tuple[list[str], Iterator[list[str]]]:
    """Return the headings and the rows of a table, as people read them."""
    if not is_of_figures(frame):
        names = list(map(str, frame.columns))
        writers = list(map(_writer, names))
        return names, (
            [write(value) for write, value in zip(writers, row, strict=True)]
            for row in frame.itertuples(index=False)
        )
    dimensions = _dimensions(frame)
    called = [CALLED] if CALLED in frame else []
    return [*dimensions, *FIGURE_HEADINGS, *called], _figures(frame, dimensions, called)


def _writer(column: str) -> Callable[[Any], str]:
    """What writes the values of a column that holds no figures."""
    if column in P_VALUES:
        return p_value
    return plain_group if column in DIMENSIONS else plain


def _dimensions(frame: pd.DataFrame) -> list[str]:
    """The columns before those of the figures, which tell groups apart."""
    return [str(name) for name in frame.columns if name not in (*COLUMNS, CALLED)]


def _figures(frame: pd.DataFrame, dimensions: list[str], called: list[str]) -> Iterator[list[str]]:
    for row in frame.astype(dict.fromkeys(dimensions, object)).to_dict("records"):
        yield [
            *(UNKNOWN if pd.isna(row[name]) else str(row[name]) for name in dimensions),
            str(row["figure"]),
            measured(row, row["value"]),
            _interval(row),
            _counted(row),
            plain(row["matches"]),
            measured(row, row["expected"]),
            *(row[name] for name in called),
        ]


def measured(row: Mapping[Any, Any], value: float) -> str:
    """Return a value of a figure as people read it: a PR to one decimal.

    >>> measured({"figure": "PR (xg-b)", "kind": "rate"}, 5.3333)
    '5.3'
    """
    if is_pr(str(row["figure"])) and not math.isnan(value):
        return f"{value:z,.1f}"
    return number(value, row["kind"] in SHARES)


def _interval(row: dict[str, Any]) -> str:
    if row["kind"] == "count" or pd.isna(row["value"]) or row["of"] == 0:
        return ""
    if math.isnan(row["low"]):
        return f"under {FEWEST_UNITS} matches" if row["matches"] < FEWEST_UNITS else "none"
    return f"{measured(row, row['low'])} to {measured(row, row['high'])}"


def _counted(row: dict[str, Any]) -> str:
    if row["kind"] == "count" or pd.isna(row["of"]):
        return ""
    return made_of(row["kind"], row["count"], row["of"])


def made_of(kind: str, count: float, of: float) -> str:
    """Return what a figure is made of.

    >>> made_of("share", 3, 4), made_of("mean", -3.5, 2), made_of("chance", 0.7, 2)
    ('3 of 4', '-3.500 in 2', '2')
    """
    if kind == "chance":
        return number(of, share=False)
    among = "of" if kind in SHARES else "in"
    return f"{number(count, share=False)} {among} {number(of, share=False)}"


def number(value: float, share: bool) -> str:
    """Return a figure: a share in per cent, a whole number as it is, another to three places.

    >>> number(0.1234, True), number(1.81333, False), number(3860.0, False), number(-1e-5, False)
    ('12.3 %', '1.813', '3,860', '0.000')
    """
    if value is None or math.isnan(value):
        return ""
    if share:
        return f"{100 * value:z.1f} %"
    return f"{value:,.0f}" if value == round(value) else f"{value:z,.3f}"


def p_value(value: float) -> str:
    """Return a p-value, which is never written as zero.

    >>> p_value(0.0214), p_value(2e-7), p_value(1.0)
    ('0.021', 'below 0.001', '1.000')
    """
    return f"{value:.3f}" if value >= SMALLEST_P else f"below {SMALLEST_P}"


def plain(value: object) -> str:
    """Return any other value; empty where it is missing."""
    if pd.isna(value):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return number(float(value), share=False)
    return str(value)


def plain_group(value: object) -> str:
    """Return what a group is called: a year is no quantity, and has no separators.

    >>> plain_group(2024), plain_group("Ann"), plain_group(None)
    ('2024', 'Ann', '')
    """
    return "" if pd.isna(value) else str(value)


# The part of a long table that people see: the groups of which most is counted.

MOST_GROUPS = 20
"""`--format csv` and `--out` have all groups."""

MOST_ROWS = 300
"""Nobody reads more rows, and a page of many such tables is slow to open."""

FEWEST_GROUPS = 5
"""A table of fewer groups says too little: it is cut into smaller groups."""

DAY = "date"
LATEST = 10
"""How many of the last days are shown of what moves from day to day."""

_ELSEWHERE = "others with --player, --min-games or --format csv"


def top_groups(frame: pd.DataFrame, most: int = MOST_GROUPS) -> tuple[pd.DataFrame, str]:
    """Return the rows of the largest groups in their order, and a note on the rows left out.

    The rows of a group agree in the first columns: in as few of them as make groups that fit. The
    size of a group is its largest number; of figures, the most that any of them counts. Of what
    moves from day to day only the last days are shown.
    """
    names = _grouping(frame)
    recent = _recent(frame, [name for name in names if name != DAY]) if DAY in names else frame
    days = "" if recent is frame else f"the last {LATEST} of each; "
    if not names or not _is_long(recent, names[0], most):
        return recent, f"{days}{_ELSEWHERE}" if days else ""
    for depth in range(1, len(names) + 1):
        is_large, count, total = _largest(recent, names[:depth], most)
        if count >= FEWEST_GROUPS:
            break
    by = ", ".join(names[:depth])
    return recent[is_large], f"{days}the {count} largest of {total:,} groups by {by}; {_ELSEWHERE}"


def _without_single_cases(frame: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """The rows of a long table without the lines of which all figures are of a single case.

    And how many lines that leaves out.
    """
    if _lines(frame).sum() <= MOST_GROUPS or not has_several_groups(frame):
        return frame, 0
    most = frame.groupby(_dimensions(frame), observed=True, dropna=False)["of"].transform("max")
    is_single = most.le(1).fillna(False)
    if is_single.all():
        return frame, 0
    return frame[~is_single], int(_lines(frame)[is_single].sum())


def _grouping(frame: pd.DataFrame) -> list[str]:
    """The columns by which rows make groups."""
    if is_of_figures(frame):
        return _dimensions(frame)
    return list(map(str, frame.columns[: leading_words(frame)]))


def _recent(frame: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    kept = frame.groupby(by, observed=True).tail(LATEST) if by else frame.tail(LATEST)
    return frame if len(kept) == len(frame) else kept


def _is_long(frame: pd.DataFrame, first: str, most: int) -> bool:
    many = is_of_figures(frame) and frame[first].nunique(dropna=False) > most
    return many or int(_lines(frame).sum()) > MOST_ROWS


def _lines(frame: pd.DataFrame) -> pd.Series:
    """Which rows begin a line of the table that people see: of figures the first of each group."""
    if not has_several_groups(frame):
        return pd.Series(True, index=frame.index)
    return ~frame.duplicated(_dimensions(frame))


def _largest(frame: pd.DataFrame, by: list[str], most: int) -> tuple[pd.Series, int, int]:
    """Which rows belong to the largest groups that fit, how many groups fit, and of how many."""
    measures = frame["of"] if is_of_figures(frame) else _largest_number(frame)
    grouped = frame.groupby(by, observed=True, dropna=False)
    group_of_row = grouped.ngroup()
    largest = measures.groupby(group_of_row).max().nlargest(most).index
    lines_so_far = _lines(frame).groupby(group_of_row).sum().loc[largest].cumsum()
    fitting = largest[lines_so_far <= MOST_ROWS]
    return group_of_row.isin(fitting), len(fitting), grouped.ngroups


def _largest_number(frame: pd.DataFrame) -> pd.Series:
    return frame.select_dtypes("number").max(axis=1).fillna(0)


# An answer as a document: a chapter for each report, a part for each section.


def render_table(answer: ReportAnswer, setting: OutputOptions) -> Iterator[str]:
    """Yield the tables of an answer as text, one below another."""
    return document_text.render_sections(answer_document(answer, setting), setting)


OVERVIEW_GROUPS = 8
OVERVIEW_FIGURES = 3
"""Groups and figures of a table that is cut to fit a screen of 80 columns."""


def render_overview(answer: ReportAnswer, setting: OutputOptions) -> Iterator[str]:
    """Yield the first table of an answer as text, with its first figures and largest groups."""
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
    """Yield the tables of an answer as Markdown, one below another."""
    return document_markdown.render_sections(answer_document(answer, setting), setting)


def answer_document(
    answer: ReportAnswer, setting: OutputOptions, most: int = MOST_GROUPS
) -> Document:
    """Return the document of an answer; its chapters have the names of the reports.

    `most` groups are shown in a table, the largest.
    """
    chapters = (
        Chapter(name, tuple(_parts(sections, report(name).sections, most)))
        for name, sections in answer.reports.items()
    )
    return Document(
        _title(answer),
        tuple(chapters),
        (*remarks(answer, setting), *_not_read_by_name(answer.files)),
    )


def _parts(
    sections: Sequence[Section], declared: Mapping[str, Sequence[Figure]], most: int
) -> Iterator[Part]:
    for section in sections:
        yield Part(section.title, tuple(_blocks(section, declared.get(section.title, ()), most)))


def _title(answer: ReportAnswer) -> str:
    """Whose statistics these are, and of which matches and days."""
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


def _blocks(
    section: Section, declared: Sequence[Figure], most: int = MOST_GROUPS
) -> Iterator[Block]:
    """The table of a section, or its boards, which people see instead; and its notes.

    `declared` are its figures, in the order in which they stand beside each other.
    """
    several, single = _without_single_cases(section.frame)
    frame, others = top_groups(several, most)
    if section.boards:
        yield Diagrams(tuple(map(_diagram, section.boards)))
    elif has_several_groups(frame):
        yield side_by_side(section.title, frame, [figure.name for figure in declared])
    else:
        headings, rows = as_text(frame)
        cells = tuple(tuple(map(Cell, row)) for row in rows)
        yield Grid(section.title, tuple(headings), cells, leading_words(frame))
    rest = f"{number_of(single, 'row')} of a single case left out; --format csv has all" * bool(
        single
    )
    yield from (Note(note) for note in (others, rest, *section.notes) if note)


# The figures of several groups: a row for each group, and a column for each figure.


def has_several_groups(frame: pd.DataFrame) -> bool:
    """Return whether a table holds figures of more than one group."""
    if not is_of_figures(frame):
        return False
    dimensions = _dimensions(frame)
    return bool(dimensions) and int((~frame.duplicated(dimensions)).sum()) > 1


def side_by_side(title: str, frame: pd.DataFrame, order: Sequence[str]) -> Grid:
    """Return figures beside each other in an order, each with what it rests on in its detail."""
    dimensions = _dimensions(frame)
    counted = list(dict.fromkeys(frame["figure"]))
    figures = sorted(counted, key=lambda name: order.index(name) if name in order else -1)
    cells: dict[tuple[str, ...], dict[str, Cell]] = {}
    for row in frame.astype(dict.fromkeys(dimensions, object)).to_dict("records"):
        group = tuple(UNKNOWN if pd.isna(row[name]) else str(row[name]) for name in dimensions)
        cells.setdefault(group, {})[row["figure"]] = _with_detail(row)
    rows = tuple(
        (*map(Cell, group), *(of_group.get(figure, Cell("")) for figure in figures))
        for group, of_group in cells.items()
    )
    return Grid(title, (*dimensions, *figures), rows, len(dimensions), separable=True)


def _with_detail(row: dict[str, Any]) -> Cell:
    """A figure with what it rests on: of how many, its interval, and what was expected."""
    value, expected = (measured(row, row[name]) for name in ("value", "expected"))
    parts = (
        row.get(CALLED, ""),
        _below(row),
        "" if math.isnan(row["low"]) else _interval(row),
        f"expected {expected}" if expected else "",
    )
    return Cell(value, ", ".join(part for part in parts if part))


def _below(row: dict[str, Any]) -> str:
    """How many a figure is of."""
    if row["kind"] == "count" or pd.isna(row["of"]):
        return ""
    among = "of" if row["kind"] in SHARES and row["kind"] != "chance" else "in"
    return f"{among} {number(row['of'], share=False)}"


def _diagram(board: Board) -> Diagram:
    return Diagram(board.title, scene(board.situation, board.names), board.facts)
