"""Answers to questions in SQL: as a table for people, and for programs."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator
from itertools import islice
from typing import Any

from bganalyze.app.render.console import as_string, fit, table
from bganalyze.app.render.findings.machine import safe
from bganalyze.app.render.setting import OutputOptions
from bganalyze.statistics.store.query import Answered
from bganalyze.text import number_of

MOST_SHOWN = 1000
"""Rows that a table shows; other formats have all."""


def render_table(answered: Answered, setting: OutputOptions) -> Iterator[str]:
    """Yield a table for people, of a thousand rows at most."""
    grid = table(*(fit(name, setting) for name in answered.names))
    for row in islice(answered.rows, MOST_SHOWN):
        grid.add_row(*(_cell(value, setting) for value in row))
    yield as_string(grid, setting)
    more = sum(1 for _ in answered.rows)
    if more:
        yield f"and {number_of(more, 'row')} more: --format csv has all\n"


def render_csv(answered: Answered, _: OutputOptions) -> Iterator[str]:
    """Yield a line for each row; no spreadsheet takes text for a formula."""
    yield _line(map(safe, answered.names))
    for row in answered.rows:
        yield _line([safe(value) if isinstance(value, str) else _text(value) for value in row])


def render_json(answered: Answered, _: OutputOptions) -> Iterator[str]:
    """Yield a list of objects, one for each row."""
    separator = "[\n"
    for row in answered.rows:
        yield separator + json.dumps(dict(zip(answered.names, map(_plain, row), strict=False)))
        separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"


def render_jsonl(answered: Answered, _: OutputOptions) -> Iterator[str]:
    """Yield an object for each row, one a line."""
    for row in answered.rows:
        yield json.dumps(dict(zip(answered.names, map(_plain, row), strict=False))) + "\n"


def render_parquet(answered: Answered, _: OutputOptions) -> Iterator[bytes]:
    """Yield the file, in which columns keep their types."""
    import pyarrow.parquet as pq

    file = io.BytesIO()
    pq.write_table(answered.arrow(), file)
    yield file.getvalue()


def _cell(value: Any, setting: OutputOptions) -> str:
    """A value as it is shown; a plan of DuckDB has several lines."""
    return "\n".join(fit(line, setting) for line in _text(value).splitlines())


def _line(values: Any) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(values)
    return line.getvalue()


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else str(value)


def _plain(value: Any) -> Any:
    """A value in the types of JSON."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return str(value)
