"""Results of SQL queries: as a table for people, and as data for programs."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Iterator
from itertools import islice
from typing import Any

from bganalyze.app.render.console import fit_line, make_table, render_to_string
from bganalyze.app.render.csv_lines import escape_formula, format_csv_line
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.statistics.store.query import QueryResult
from bganalyze.text import number_of

MOST_SHOWN = 1000
"""Rows a table shows at most; other formats have all."""


def render_table(answered: QueryResult, setting: OutputOptions) -> Iterator[str]:
    """Yield a table of at most `MOST_SHOWN` rows, and the number of the others."""
    grid = make_table(*(fit_line(name, setting) for name in answered.names))
    for row in islice(answered.rows, MOST_SHOWN):
        grid.add_row(*(_format_cell(value, setting) for value in row))
    yield render_to_string(grid, setting)
    if not grid.row_count:
        yield "0 rows\n"
    more = sum(1 for _ in answered.rows)
    if more:
        yield f"and {number_of(more, 'row')} more: --format csv has all\n"


def render_csv(answered: QueryResult, _: OutputOptions) -> Iterator[str]:
    """Yield a CSV line for each row."""
    yield format_csv_line(map(escape_formula, answered.names))
    for row in answered.rows:
        yield format_csv_line(
            [
                escape_formula(value) if isinstance(value, str) else _format_text(value)
                for value in row
            ]
        )


def render_json(answered: QueryResult, _: OutputOptions) -> Iterator[str]:
    """Yield a list of objects, one for each row."""
    separator = "[\n"
    for row in answered.rows:
        yield separator + json.dumps(
            dict(zip(answered.names, map(_convert_to_json, row), strict=False))
        )
        separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"


def render_jsonl(answered: QueryResult, _: OutputOptions) -> Iterator[str]:
    """Yield each row as a JSON object on a line."""
    for row in answered.rows:
        yield json.dumps(dict(zip(answered.names, map(_convert_to_json, row), strict=False))) + "\n"


def render_parquet(answered: QueryResult, _: OutputOptions) -> Iterator[bytes]:
    """Yield a Parquet file of the rows, with typed columns."""
    import pyarrow.parquet as pq

    file = io.BytesIO()
    pq.write_table(answered.arrow(), file)
    yield file.getvalue()


def _format_cell(value: Any, setting: OutputOptions) -> str:
    """Return a value as text."""
    return "\n".join(fit_line(line, setting) for line in _format_text(value).splitlines())


def _format_text(value: Any) -> str:
    """Return a value as text; "" for None.

    >>> _format_text(2.5), _format_text(None)
    ('2.5', '')
    """
    if value is None:
        return ""
    return value if isinstance(value, str) else str(value)


def _convert_to_json(value: Any) -> Any:
    """Return a value in JSON types."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, list | tuple):
        return [_convert_to_json(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _convert_to_json(item) for key, item in value.items()}
    return str(value)
