"""One line for every column of every table, about its values in the samples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import chdir
from functools import cache
from typing import Any
from zlib import crc32

import numpy as np
import pandas as pd

from bganalyze.analysis.select import select_decisions
from bganalyze.app.jobs.tabulate import tabulate_files
from bganalyze.statistics.tables.decisions import ANALYZED_SCHEMAS
from bganalyze.statistics.tables.fragments import SCHEMAS
from bganalyze.statistics.tables.frames import SCHEMA as EXPORTED
from bganalyze.statistics.tables.frames import Tables, tabulate_analyzed, tabulate_decisions
from tests.statistics.reports.analyzed import analyze_samples
from tests.stored.findings import SAMPLES

ROWS_SHOWN = 8
COMMONEST = 3


def tables() -> str:
    """Return what the tables of all samples hold."""
    made = tabulate_samples()
    return _describe(zip((schema.name for schema in SCHEMAS), made, strict=True))


def tabulate_samples() -> Tables:
    """Return the tables of all samples, made once for each way in which pandas keeps text."""
    return _tabulate_samples(pd.get_option("mode.string_storage"))


@cache
def _tabulate_samples(_string_storage: str) -> Tables:
    with chdir(SAMPLES.parent):
        return tabulate_files(["samples/clean", "samples/faulty"])


def write_analyzed_tables() -> str:
    """Return what the tables of analyzed matches hold, and the decisions that are exported."""
    matches = analyze_samples(["short-match.mat", "money-jacoby-beavers.mat"])
    matches = [match._replace(path=f"{number}.mat") for number, match in enumerate(matches)]
    names = (*(schema.name for schema in ANALYZED_SCHEMAS), EXPORTED.name)
    made = (*tabulate_analyzed(matches), tabulate_decisions(select_decisions(matches)))
    return _describe(zip(names, made, strict=True))


def _describe(made: Iterable[tuple[str, pd.DataFrame]]) -> str:
    return "\n".join("".join(f"{line}\n" for line in _table(*one)) for one in made)


def _table(name: str, rows: pd.DataFrame) -> Iterator[str]:
    yield f"== {name}: {len(rows)} rows"
    for column in rows:
        yield f"{column}: {_column(rows[column])}"


def _column(column: pd.Series) -> str:
    """Describe a column: type, missing values, what is in it, some rows, and a digest of all."""
    known = column.dropna()
    is_number = pd.api.types.is_numeric_dtype(column) and column.dtype not in ("bool", "boolean")
    parts = [str(column.dtype), f"{column.isna().sum()} missing"]
    parts.append(_range(known.astype(float).to_numpy()) if is_number else _commonest(known))
    places = np.linspace(0, len(column) - 1, ROWS_SHOWN).astype(int)
    parts.append(f"rows {' | '.join(_write_value(column.iloc[place]) for place in places)}")
    if column.dtype.kind != "f":
        parts.append(f"digest {crc32(' '.join(map(_write_value, column)).encode()):08x}")
    return "; ".join(parts)


def _range(numbers: Sequence[float]) -> str:
    """Describe numbers, with a mean whose weights rise by half from first to last, so that order matters."""
    if not len(numbers):
        return "nothing"
    rising = np.linspace(1, 1.5, len(numbers))
    mean, in_order = np.mean(numbers), np.mean(rising * numbers)
    return f"{min(numbers):.5g} to {max(numbers):.5g}, mean {mean:.5g}, in order {in_order:.5g}"


def _commonest(values: pd.Series) -> str:
    counts = values.map(_write_value).value_counts()
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    listed = ", ".join(f"{value} {count}" for value, count in ordered[:COMMONEST])
    return f"{len(counts)} values: {listed}"


def _write_value(value: Any) -> str:
    if pd.isna(value):
        return "-"
    if isinstance(value, pd.Timestamp):
        return str(value.date())
    if isinstance(value, float):
        return f"{value:.5g}"
    if isinstance(value, bytes):
        return value.hex()
    return str(value)
