"""Answers and match reports for programs: CSV, JSON, and the files of `--out`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any, Literal, TypedDict

import pandas as pd

from bganalyze.app.config import title
from bganalyze.app.render.findings.machine import files_record, finding_record, safe
from bganalyze.app.render.setting import OutputOptions
from bganalyze.board.ids import xgid
from bganalyze.board.rule_book import RuleBook
from bganalyze.files.outputs import (
    Move,
    NotOursError,
    atomic_write,
    errors_naming,
    inside,
    move_unless_changed,
)
from bganalyze.statistics.match_report import MatchReport
from bganalyze.statistics.match_report.boards import Error, Offer
from bganalyze.statistics.reports.answer import ReportAnswer
from bganalyze.statistics.reports.figures import Section, is_of_figures, whole
from bganalyze.statistics.reports.question import Question
from bganalyze.text import Files
from bganalyze.validation.findings import Finding
from bganalyze.validation.rules.explained import Shown

VERSION = 1
"""The version of the schemas of statistics and of match reports."""


class SectionRecord(TypedDict):
    """A section of a report. Its columns are those of `docs/reports.md`, and what is asked by."""

    title: str
    """What it is about."""
    notes: tuple[str, ...]
    """Sentences on what it counts and leaves out."""
    rows: tuple[Mapping[str, str | float | bool | None], ...]
    """The rows, by column."""


class AnswerObject(TypedDict):
    """The answer to a question, as `stats --format json` writes it."""

    version: Literal[1]
    """The version of this schema."""
    rule_book: str | None
    """The rules that the matches were checked by; None if only evaluations are reported."""
    question: Question
    """What was asked."""
    counted: tuple[str, ...]
    """What was counted, in words."""
    left_out: tuple[str, ...]
    """What was left out and why, in words."""
    files: Files | None
    """What became of the files; None where a store or a database was asked."""
    reports: Mapping[str, tuple[SectionRecord, ...]]
    """The sections of every report, by its name."""


class ReportsObject(TypedDict):
    """The reports of the matches of a file, as `report --format json` writes them.

    Pairs hold the player in the left column of the first game first.
    """

    version: Literal[1]
    """The version of this schema."""
    rule_book: str
    """The rules that the matches were checked by."""
    left_out: int
    """Matches of the file that are not reported, because there are too many."""
    matches: tuple[MatchReport, ...]
    """The reports in the order of the file."""


def render_answer_csv(answer: ReportAnswer, _: OutputOptions) -> Iterator[str]:
    """Yield one table of all sections; where a section lacks a column, its cells are empty."""
    columns = {name: None for _, section in _sections(answer) for name in section.frame}
    first = ["report", "section"] if answer.reports else []
    whole = pd.DataFrame(columns=[*first, *columns])
    yield _csv(whole)
    for name, section in _sections(answer):
        place = {"report": name, "section": section.title}
        for rows in _parts(section.frame):
            written = with_whole_numbers(formula_safe(rows)).assign(**place)
            yield _csv_among(written, list(whole))


ROWS_AT_ONCE = 1 << 14
"""So many rows of a table are turned into text at once, which takes ten times their room."""


def _parts(frame: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Yield the rows of a table, some after the other."""
    for start in range(0, len(frame), ROWS_AT_ONCE):
        yield frame.iloc[start : start + ROWS_AT_ONCE]


def _sections(answer: ReportAnswer) -> Iterator[tuple[str, Section]]:
    """Yield every section, with the name of its report."""
    for name, sections in answer.reports.items():
        for section in sections:
            yield name, section


def _csv(rows: pd.DataFrame, *, header: bool = True) -> str:
    return str(rows.to_csv(index=False, header=header, lineterminator="\n"))


def _csv_among(rows: pd.DataFrame, columns: list[str]) -> str:
    """Return the lines of rows that have some of these columns; other cells are empty.

    Those behind the last column that the rows have are written as the end of each line. Measured: of
    a hundred thousand matches, whose sections have ten of fifty columns, a fifteenth of the time.
    """
    used = columns[: max(map(columns.index, rows)) + 1]
    end = "," * (len(columns) - len(used)) + "\n"
    filled = rows.reindex(columns=used, fill_value="")
    return str(filled.to_csv(index=False, header=False, lineterminator=end))


def with_whole_numbers(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table to be written as text, in which whole numbers are none with `.0`.

    Its columns are of objects: as numbers, counts would be fractions beside sums of losses, and
    years beside the empty cells of other sections.

    >>> years = pd.DataFrame({"year": pd.array([2024, None], dtype="Int16")})
    >>> with_whole_numbers(years)["year"].tolist()
    [2024, <NA>]
    """
    written = frame.astype(object)
    if not is_of_figures(frame):
        return written
    counts = zip(frame["kind"], frame["value"], strict=True)
    values = [whole(value) if kind == "count" else value for kind, value in counts]
    sums = [whole(count) for count in frame["count"]]
    return written.assign(
        value=pd.Series(values, frame.index, dtype=object),
        count=pd.Series(sums, frame.index, dtype=object),
    )


def formula_safe(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose text no spreadsheet takes for a formula and no terminal for a command.

    >>> formula_safe(pd.DataFrame({"player": ["=1+1", "Ann"], "value": [-0.5, 1]})).values.tolist()
    [["'=1+1", -0.5], ['Ann', 1.0]]
    """
    texts = [name for name in frame if frame[name].dtype in ("category", "str", "object")]
    return frame.assign(**{name: _safe_column(frame[name]) for name in texts})


def _safe_column(column: pd.Series) -> pd.Series:
    """Names repeat in thousands of rows: each text is made safe once."""
    texts = {text: safe(text) for text in column.unique() if isinstance(text, str)}
    return column.astype(object).map(lambda value: texts.get(value, value))


def render_answer_json(answer: ReportAnswer, setting: OutputOptions) -> Iterator[str]:
    """Yield one object: the question, what was counted and left out, the sections of every report."""
    about = {
        "version": VERSION,
        "rule_book": None
        if answer.is_of_analyses
        else answer.rule_book or title(setting.rule_book),
        "question": {name: _value(value) for name, value in answer.question._asdict().items()},
        "counted": answer.counted,
        "left_out": answer.left_out,
        "files": None if answer.files is None else files_record(answer.files),
    }
    reports = (
        chain([f"{json.dumps(name)}: "], _enclosed("[]", map(_json_section, sections), 2))
        for name, sections in answer.reports.items()
    )
    yield json.dumps(about, indent=2).removesuffix("\n}") + ',\n  "reports": '
    yield from _enclosed("{}", reports, 1)
    yield "\n}\n"


def _json_section(section: Section) -> Iterator[str]:
    about = _indented({"title": section.title, "notes": section.notes}, 3)
    yield about.removesuffix(f"\n{_INDENT * 3}}}") + f',\n{_INDENT * 4}"rows": '
    yield from _enclosed("[]", map(_json_rows, _parts(section.frame)), 4)
    yield f"\n{_INDENT * 3}}}"


def _json_rows(frame: pd.DataFrame) -> Iterator[str]:
    written = with_whole_numbers(frame)
    rows = json.loads(written.to_json(orient="records", date_format="iso", double_precision=12))
    yield f",\n{_INDENT * 5}".join(map(_json_row, rows))


def _json_row(row: dict[str, Any]) -> str:
    """A row of numbers and words, one a line: without `indent` encoded in C, in half the time."""
    line = f"\n{_INDENT * 6}"
    values = json.dumps(row, separators=(f",{line}", ": "))
    return f"{{{line}{values[1:-1]}\n{_INDENT * 5}}}"


_INDENT = "  "


def _indented(value: object, depth: int) -> str:
    """A value as JSON that stands so deep in what encloses it."""
    return json.dumps(value, indent=2).replace("\n", f"\n{_INDENT * depth}")


def _enclosed(brackets: str, members: Iterable[Iterable[str]], depth: int) -> Iterator[str]:
    """Yield a list or an object of JSON, which stands so deep, from the pieces of its members."""
    beginning = brackets[0]
    for member in members:
        yield f"{beginning}\n{_INDENT * (depth + 1)}"
        yield from member
        beginning = ","
    yield brackets if beginning == brackets[0] else f"\n{_INDENT * depth}{brackets[1]}"


def _value(value: object) -> object:
    return value if value is None or isinstance(value, bool | int | tuple) else str(value)


def render_matches_json(reports: Sequence[MatchReport], setting: OutputOptions) -> Iterator[str]:
    """Yield one object with the reports of the matches; pairs hold the left player first."""
    whole = {
        "version": VERSION,
        "rule_book": title(setting.rule_book),
        "left_out": max((report.left_out for report in reports), default=0),
        "matches": [_members(report) for report in reports],
    }
    yield json.dumps(whole, indent=2) + "\n"


NOT_WRITTEN: Mapping[type, tuple[str, ...]] = {
    MatchReport: ("rule_book", "left_out", "replayed", "analyzed"),
    Offer: ("spot",),
    Error: ("spot",),
}
"""The fields that are said once for all matches, and those that a page is made of."""


def _plain(value: object) -> Any:
    """A value in the types of JSON: a structure by the names of its fields, a board as XGID."""
    match value:
        case RuleBook():
            return title(value)
        case Shown():
            return xgid(value.situation)
        case Finding():
            return finding_record(value)
        case Enum():
            return value.value
        case tuple() if hasattr(value, "_asdict"):
            return _members(value)
        case tuple():
            return [_plain(item) for item in value]
    return value


def _members(record: Any) -> dict[str, Any]:
    left_out = NOT_WRITTEN.get(type(record), ())
    return {name: _plain(value) for name, value in record._asdict().items() if name not in left_out}


def write_tables(
    folder: Path, tables: Mapping[str, pd.DataFrame], answer: ReportAnswer, *, force: bool
) -> Iterator[Path]:
    """Write every table and every section of the answer to the folder; yield the files.

    A file with other columns is replaced only with `force`. Raises OSError, which names the file.
    """
    with errors_naming(folder):
        folder.mkdir(parents=True, exist_ok=True)
    frames = (
        (f"{name}-{_word(section.title)}", section.frame) for name, section in _sections(answer)
    )
    for name, frame in chain(tables.items(), frames):
        for kind in ("csv", "parquet") if find_spec("pyarrow") else ("csv",):
            path = inside(folder, name, f".{kind}")
            with errors_naming(path):
                move = Path.replace if force else move_unless_changed(path)
                if path.is_file() and not force and _columns(path) != list(frame.columns):
                    raise NotOursError("exists already, with other columns; --force overwrites it")
                _write(path, frame, move)
            yield path


def _columns(path: Path) -> list[str] | None:
    """The columns of a table written earlier; None where the file is no table."""
    try:
        if path.suffix == ".parquet":
            with path.open("rb") as file:
                return list(pd.read_parquet(file).columns)
        return list(pd.read_csv(path, nrows=0).columns)
    except (ValueError, OSError):
        return None


def _word(title: str) -> str:
    return title.lower().replace(" ", "-").replace(",", "")


def _write(path: Path, frame: pd.DataFrame, move: Move) -> None:
    with atomic_write(path, move) as file:
        if path.suffix == ".parquet":
            with file.open("wb") as written:  # Arrow takes no path that is not UTF-8.
                frame.to_parquet(written, index=False)
        else:
            with file.open("w", encoding="utf-8", newline="") as written:
                written.write(_csv(frame.head(0)))
                for rows in _parts(frame):
                    written.write(_csv(with_whole_numbers(formula_safe(rows)), header=False))
