"""Match text as JellyFish and GNU Backgammon spell it: each die a step, 25 the bar, 0 off."""

from __future__ import annotations

from collections.abc import Sequence

from bganalyze.board.position import Step
from bganalyze.replaying import MatchReplay
from bganalyze.writing.match_text import Spelling, written
from bganalyze.writing.written import Written


def _steps(steps: Sequence[Step]) -> str:
    return " ".join(f"{path[0]}/{path[-1]}" + "*" * marked[-1] for path, marked in steps)


SPELLING = Spelling(
    encoding="utf-8",
    line_end="\n",
    indent=" ",
    column=33,
    dance="",
    unplayed="???",
    is_plural=True,
    and_the_match=False,
    bar="25",
    off="0",
    steps=_steps,
)


def write(replays: Sequence[MatchReplay]) -> Written:
    """Return the matches as match text."""
    return written(replays, SPELLING)
