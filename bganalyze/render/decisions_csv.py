"""CSV of decisions: one in each row, for spreadsheets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from bganalyze.judging.select import Picked
from bganalyze.render.answer_csv import spelled
from bganalyze.tables.exported import frame

BATCH = 10_000
"""So many rows are held at once."""


def render(picks: Iterable[Picked]) -> Iterator[str]:
    """Yield the header and the rows; no text is taken for a formula."""
    rest = iter(picks)
    held, heading = frame(islice(rest, BATCH)), True
    while heading or len(held):
        yield str(spelled(held).to_csv(index=False, header=heading, lineterminator="\n"))
        held, heading = frame(islice(rest, BATCH)), False
