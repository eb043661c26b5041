"""Match text as eXtreme Gammon spells it: the steps of a checker joined, `Bar`, `Off`, `Cannot Move`."""

from __future__ import annotations

from collections.abc import Sequence

from bganalyze.board.notation import notation
from bganalyze.board.position import Step
from bganalyze.replaying import MatchReplay
from bganalyze.writing.match_text import Spelling, written
from bganalyze.writing.written import Written


def _steps(steps: Sequence[Step]) -> str:
    return notation(steps).replace("bar", "Bar").replace("off", "Off")


SPELLING = Spelling(
    encoding="utf-8-sig",
    line_end="\r\n",
    indent="",
    column=39,
    dance="Cannot Move",
    unplayed="????",
    is_plural=False,
    and_the_match=True,
    bar="Bar",
    off="Off",
    steps=_steps,
)


def write(replays: Sequence[MatchReplay]) -> Written:
    """Return the matches as match text."""
    return written(replays, SPELLING)
