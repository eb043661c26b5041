"""Parquet of decisions, which keeps their types; pyarrow writes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bganalyze.judging.select import Picked
from bganalyze.tables.exported import frame


def render(picks: Iterable[Picked]) -> Iterator[bytes]:
    """Yield the file."""
    yield frame(picks).to_parquet(index=False, engine="pyarrow")
