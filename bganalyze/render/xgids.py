"""Positions as a list of XGIDs, each once: what analysis programs take by the line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bganalyze.judging.select import Picked


def render(picks: Iterable[Picked]) -> Iterator[str]:
    """Yield a line for each position."""
    for each in dict.fromkeys(pick.row.xgid for pick in picks):
        yield f"{each}\n"
