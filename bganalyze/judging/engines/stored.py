"""What a program has stored with one action: of its throw, and of the cube before it."""

from __future__ import annotations

from typing import NamedTuple

from bganalyze.judging.evaluation import CubeJudgement, PlayJudgement


class Stored(NamedTuple):
    """What is stored with an action; None what is not."""

    play: PlayJudgement | None = None
    cube: CubeJudgement | None = None
    level: str | None = None
    """How deep the program says it looked."""
