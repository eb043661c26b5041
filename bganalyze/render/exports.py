"""The formats of `export`: what becomes of the decisions that were picked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bganalyze.picking import Picked

FORMATS = {
    "xgid": "bganalyze.render.xgids",
    "cards": "bganalyze.render.cards",
}
"""The formats and the modules that write them, imported when they are used."""


def render(picks: Iterable[Picked], name: str) -> Iterator[str]:
    """Yield decisions in a format."""
    pieces: Iterator[str] = import_module(FORMATS[name]).render(picks)
    return pieces
