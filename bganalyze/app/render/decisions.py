"""Decisions for other programs: CSV, Parquet and XGIDs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from bganalyze.analysis.select import SelectedDecision
from bganalyze.app.render.data import escape_formulas
from bganalyze.statistics.tables.frames import tabulate_decisions

BATCH = 10_000
"""Rows of CSV held in memory at once."""


def render_csv(selected: Iterable[SelectedDecision]) -> Iterator[str]:
    """Yield a CSV header and a row for each decision."""
    decisions = iter(selected)
    batch, is_first = tabulate_decisions(islice(decisions, BATCH)), True
    while is_first or len(batch):
        yield str(escape_formulas(batch).to_csv(index=False, header=is_first, lineterminator="\n"))
        batch, is_first = tabulate_decisions(islice(decisions, BATCH)), False


def render_parquet(selected: Iterable[SelectedDecision]) -> Iterator[bytes]:
    """Yield a Parquet file of the decisions, with typed columns."""
    yield tabulate_decisions(selected).to_parquet(index=False, engine="pyarrow")


def render_xgids(selected: Iterable[SelectedDecision]) -> Iterator[str]:
    """Yield the XGID of each position, one per line and each only once."""
    for xgid in dict.fromkeys(decision.row.xgid for decision in selected):
        yield f"{xgid}\n"
