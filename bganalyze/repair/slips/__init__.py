"""The slips of a scribe, each a function that suggests what was meant; the registry of them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bganalyze.repair.evidence import Evidence
from bganalyze.repair.slips import cells
from bganalyze.repair.suggestion import Suggestion

Hypothesis = Callable[[Evidence], Iterator[Suggestion]]

HYPOTHESES: tuple[Hypothesis, ...] = (
    cells.misread_throw,
    cells.wrong_play,
)
"""All hypotheses, those of layout before those of play."""
