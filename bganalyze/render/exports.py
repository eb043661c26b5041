"""The formats of `export`: what becomes of the decisions that were picked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bganalyze.judging.select import Picked

FORMATS = {
    "csv": "bganalyze.render.decisions_csv",
    "parquet": "bganalyze.render.decisions_parquet",
    "xgid": "bganalyze.render.xgids",
    "cards": "bganalyze.render.cards",
}
"""The formats and the modules that write them, imported when they are used."""


def render(picks: Iterable[Picked], name: str) -> Iterator[bytes]:
    """Yield decisions in a format; text is UTF-8."""
    for piece in import_module(FORMATS[name]).render(picks):
        yield piece if isinstance(piece, bytes) else piece.encode()
