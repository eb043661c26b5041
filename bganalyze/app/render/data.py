"""Statistics and match reports for programs: CSV, JSON, and the files of `--out`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any, Literal, TypedDict

import pandas as pd

from bganalyze.app.config import rule_book_title
from bganalyze.app.render.csv_lines import escape_formula
from bganalyze.app.render.findings.machine import files_record, finding_record
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.board.ids import xgid
from bganalyze.board.rule_book import RuleBook
from bganalyze.files.outputs import (
    Move,
    NotOursError,
    atomic_write,
    make_move_if_unchanged,
    make_safe_path,
    name_path_in_errors,
)
from bganalyze.statistics.match_report import MatchReport
from bganalyze.statistics.match_report.boards import Error, Offer
from bganalyze.statistics.reports.answer import ReportAnswer
from bganalyze.statistics.reports.figures import Section, as_int_if_whole, has_figures
from bganalyze.statistics.reports.question import Question
from bganalyze.text import Files
from bganalyze.validation.findings import Finding
from bganalyze.validation.rules.explained import FindingBoard

VERSION = 1
"""The version of the schemas of statistics and of match reports."""


class SectionRecord(TypedDict):
    """A section of a report; its rows have the columns of `docs/reports.md` and those grouped by."""

    title: str
    """Its subject."""
    notes: tuple[str, ...]
    """Notes on the cases counted and left out."""
    rows: tuple[Mapping[str, str | float | bool | None], ...]
    """The rows, by column."""


class AnswerObject(TypedDict):
    """The answer to a question, as `stats --format json` writes it."""

    version: Literal[1]
    """The version of this schema."""
    rule_book: str | None
    """The rule book the matches were checked by; None if only evaluations are reported."""
    question: Question
    """The question."""
    counted: tuple[str, ...]
    """The cases counted, in words."""
    left_out: tuple[str, ...]
    """The cases that no report counts, with the reason, in words; `notes` of a section say what it
    leaves out besides, such as matches with invented dances."""
    files: Files | None
    """Numbers of files read, skipped and unreadable; None for a store or a database."""
    reports: Mapping[str, tuple[SectionRecord, ...]]
    """The sections of every report, by its name."""


class ReportsObject(TypedDict):
    """The reports of the matches of a file, as `report --format json` writes them.

    The first of a pair is the player in the left column of the first game.
    """

    version: Literal[1]
    """The version of this schema."""
    rule_book: str
    """The rule book the matches were checked by."""
    left_out: int
    """Matches of the file beyond the limit, which are not reported."""
    matches: tuple[MatchReport, ...]
    """The reports in the order of the file."""


def render_answer_csv(answer: ReportAnswer, _: OutputOptions) -> Iterator[str]:
    """Yield all tables of the reports as a single CSV table."""
    columns = {name: None for _, section in _yield_sections(answer) for name in section.frame}
    first = ["report", "section"] if answer.reports else []
    whole = pd.DataFrame(columns=[*first, *columns])
    yield _write_csv(whole)
    for name, section in _yield_sections(answer):
        place = {"report": name, "section": section.title}
        for rows in _split_rows(section.frame):
            written = convert_whole_numbers(escape_formulas(rows)).assign(**place)
            yield _write_csv_with_columns(written, list(whole))


ROWS_AT_ONCE = 1 << 14
"""Rows converted to text at once. Text takes ten times the memory of the rows."""


def _split_rows(frame: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Yield parts of a table, each with at most `ROWS_AT_ONCE` rows."""
    for start in range(0, len(frame), ROWS_AT_ONCE):
        yield frame.iloc[start : start + ROWS_AT_ONCE]


def _yield_sections(answer: ReportAnswer) -> Iterator[tuple[str, Section]]:
    """Yield each table of the reports after the name of its report."""
    for name, sections in answer.reports.items():
        for section in sections:
            yield name, section


def _write_csv(rows: pd.DataFrame, *, header: bool = True) -> str:
    """Return rows as CSV, below the column names if `header` is true."""
    return str(rows.to_csv(index=False, header=header, lineterminator="\n"))


def _write_csv_with_columns(rows: pd.DataFrame, columns: list[str]) -> str:
    """Return rows as CSV with the given columns; missing ones are empty."""
    return _write_csv(rows.reindex(columns=columns, fill_value=""), header=False)


def convert_whole_numbers(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table in which whole numbers are integers, so that they are written without `.0`.

    >>> years = pd.DataFrame({"year": pd.array([2024, None], dtype="Int16")})
    >>> convert_whole_numbers(years)["year"].tolist()
    [2024, <NA>]
    """
    written = frame.astype(object)
    if not has_figures(frame):
        return written
    counts = zip(frame["kind"], frame["value"], strict=True)
    values = [as_int_if_whole(value) if kind == "count" else value for kind, value in counts]
    sums = [as_int_if_whole(count) for count in frame["count"]]
    return written.assign(
        value=pd.Series(values, frame.index, dtype=object),
        count=pd.Series(sums, frame.index, dtype=object),
    )


def escape_formulas(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table in which all texts are made safe for spreadsheets and terminals.

    >>> escape_formulas(pd.DataFrame({"player": ["=1+1", "Ann"]})).values.tolist()
    [["'=1+1"], ['Ann']]
    """
    texts = [name for name in frame if frame[name].dtype in ("category", "str", "object")]
    return frame.assign(**{name: _escape_column(frame[name]) for name in texts})


def _escape_column(column: pd.Series) -> pd.Series:
    """Return a column in which texts that look like spreadsheet formulas are escaped."""
    texts = {text: escape_formula(text) for text in column.unique() if isinstance(text, str)}
    return column.astype(object).map(lambda value: texts.get(value, value))


def render_answer_json(answer: ReportAnswer, setting: OutputOptions) -> Iterator[str]:
    """Yield reports over many matches as one JSON object."""
    about = {
        "version": VERSION,
        "rule_book": None
        if answer.is_of_analyses
        else answer.rule_book or rule_book_title(setting.rule_book),
        "question": {
            name: _convert_option(value)
            for name, value in answer.question._asdict().items()
            if name not in NOT_WRITTEN[Question]
        },
        "counted": answer.counted,
        "left_out": answer.left_out,
        "files": None if answer.files is None else files_record(answer.files),
    }
    reports = (
        chain(
            [f"{json.dumps(name)}: "],
            _wrap_in_brackets("[]", map(_write_json_section, sections), 2),
        )
        for name, sections in answer.reports.items()
    )
    yield json.dumps(about, indent=2).removesuffix("\n}") + ',\n  "reports": '
    yield from _wrap_in_brackets("{}", reports, 1)
    yield "\n}\n"


def _write_json_section(section: Section) -> Iterator[str]:
    """Yield a table of a report as JSON: its title, notes and rows."""
    about = _write_indented_json({"title": section.title, "notes": section.notes}, 3)
    yield about.removesuffix(f"\n{_INDENT * 3}}}") + f',\n{_INDENT * 4}"rows": '
    yield from _wrap_in_brackets("[]", map(_write_json_rows, _split_rows(section.frame)), 4)
    yield f"\n{_INDENT * 3}}}"


def _write_json_rows(frame: pd.DataFrame) -> Iterator[str]:
    """Yield all rows of a table as one piece of indented JSON text."""
    written = convert_whole_numbers(frame)
    rows = json.loads(written.to_json(orient="records", date_format="iso", double_precision=12))
    yield f",\n{_INDENT * 5}".join(map(_write_json_row, rows))


def _write_json_row(row: dict[str, Any]) -> str:
    """Return a row as a JSON object, one value on each line."""
    line = f"\n{_INDENT * 6}"
    values = json.dumps(row, separators=(f",{line}", ": "))
    return f"{{{line}{values[1:-1]}\n{_INDENT * 5}}}"


_INDENT = "  "


def _write_indented_json(value: object, depth: int) -> str:
    """Return a value as JSON, indented by `depth` levels."""
    return json.dumps(value, indent=2).replace("\n", f"\n{_INDENT * depth}")


def _wrap_in_brackets(brackets: str, members: Iterable[Iterable[str]], depth: int) -> Iterator[str]:
    r"""Yield the pieces of a JSON list or object, between its two `brackets`.

    `members` are the items, each in pieces. `depth` is the level of indentation.

    >>> "".join(_wrap_in_brackets("[]", [["1"], ["2"]], 0))
    '[\n  1,\n  2\n]'
    """
    beginning = brackets[0]
    for member in members:
        yield f"{beginning}\n{_INDENT * (depth + 1)}"
        yield from member
        beginning = ","
    yield brackets if beginning == brackets[0] else f"\n{_INDENT * depth}{brackets[1]}"


def _convert_option(value: object) -> object:
    """Return an option's value for JSON; as text if JSON has no such type.

    >>> _convert_option(3), _convert_option({1})
    (3, '{1}')
    """
    return value if value is None or isinstance(value, bool | int | tuple) else str(value)


def render_matches_json(reports: Sequence[MatchReport], setting: OutputOptions) -> Iterator[str]:
    """Yield one JSON object with the reports of the matches."""
    whole = {
        "version": VERSION,
        "rule_book": rule_book_title(setting.rule_book),
        "left_out": sum({report.heading.path: report.left_out for report in reports}.values()),
        "matches": [_convert_fields(report) for report in reports],
    }
    yield json.dumps(whole, indent=2) + "\n"


NOT_WRITTEN: Mapping[type, tuple[str, ...]] = {
    MatchReport: ("rule_book", "left_out", "replayed", "analyzed"),
    Offer: ("spot",),
    Error: ("spot",),
    Question: ("own_norms",),
}
"""Fields left out of JSON: written once for all matches, named in a section, or needed by pages only."""


def _convert_to_json_types(value: object) -> Any:
    """Return a value in JSON types: a named tuple as an object, a board as its XGID."""
    match value:
        case RuleBook():
            return rule_book_title(value)
        case FindingBoard():
            return xgid(value.situation)
        case Finding():
            return finding_record(value)
        case Enum():
            return value.value
        case tuple() if hasattr(value, "_asdict"):
            return _convert_fields(value)
        case tuple():
            return [_convert_to_json_types(item) for item in value]
    return value


def _convert_fields(record: Any) -> dict[str, Any]:
    """Return the fields of a named tuple in JSON types, by name."""
    left_out = NOT_WRITTEN.get(type(record), ())
    return {
        name: _convert_to_json_types(value)
        for name, value in record._asdict().items()
        if name not in left_out
    }


def write_tables(
    folder: Path, tables: Mapping[str, pd.DataFrame], answer: ReportAnswer, *, force: bool
) -> Iterator[Path]:
    """Write tables and reports into a folder as CSV and Parquet; yield the paths.

    An existing file with other columns is overwritten only with `force`. Raises OSError, whose
    message names the file.
    """
    with name_path_in_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    frames = (
        (f"{name}-{_make_file_name(section.title)}", section.frame)
        for name, section in _yield_sections(answer)
    )
    for name, frame in chain(tables.items(), frames):
        for kind in ("csv", "parquet") if find_spec("pyarrow") else ("csv",):
            path = make_safe_path(folder, name, f".{kind}")
            with name_path_in_errors(path):
                move = Path.replace if force else make_move_if_unchanged(path)
                if (
                    path.is_file()
                    and not force
                    and _read_existing_columns(path) != list(frame.columns)
                ):
                    raise NotOursError("already exists with other columns; --force overwrites it")
                _write_table(path, frame, move)
            yield path


def _read_existing_columns(path: Path) -> list[str] | None:
    """Return the column names of an existing CSV or Parquet file; None for any other."""
    try:
        if path.suffix == ".parquet":
            from pyarrow.parquet import read_schema

            with path.open("rb") as file:
                return list(read_schema(file).names)
        return list(pd.read_csv(path, nrows=0).columns)
    except (ValueError, OSError):
        return None


def _make_file_name(title: str) -> str:
    """Return a title as part of a file name, such as `points-won-by-day`."""
    return title.lower().replace(" ", "-").replace(",", "")


def _write_table(path: Path, frame: pd.DataFrame, move: Move) -> None:
    """Write a table to `path`, as CSV or Parquet by its extension.

    `move` puts the finished file in its place.
    """
    with atomic_write(path, move) as file:
        if path.suffix == ".parquet":
            with file.open("wb") as written:  # Arrow accepts only UTF-8 paths.
                frame.to_parquet(written, index=False)
        else:
            with file.open("w", encoding="utf-8", newline="") as written:
                written.write(_write_csv(frame.head(0)))
                for rows in _split_rows(frame):
                    written.write(
                        _write_csv(convert_whole_numbers(escape_formulas(rows)), header=False)
                    )
