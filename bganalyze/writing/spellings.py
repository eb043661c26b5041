"""Match text as eXtreme Gammon spells it: the steps of a checker joined, `Bar`, `Off`, `Cannot Move`."""

from __future__ import annotations

from collections.abc import Sequence

from bganalyze.board.notation import notation
from bganalyze.board.position import Step
from bganalyze.replaying import MatchReplay
from bganalyze.writing.match_text import Spelling, write_match_text
from bganalyze.writing.written import Written

# Match text as JellyFish and GNU Backgammon spell it: each die a step, 25 the bar, 0 off.


def _jellyfish_steps(steps: Sequence[Step]) -> str:
    return " ".join(f"{path[0]}/{path[-1]}" + "*" * marked[-1] for path, marked in steps)


JELLYFISH = Spelling(
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
    steps=_jellyfish_steps,
)


def write_jellyfish(replays: Sequence[MatchReplay]) -> Written:
    """Return the matches as match text."""
    return write_match_text(replays, JELLYFISH)


def _xg_steps(steps: Sequence[Step]) -> str:
    return notation(steps).replace("bar", "Bar").replace("off", "Off")


XG_TEXT = Spelling(
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
    steps=_xg_steps,
)


def write_xg_text(replays: Sequence[MatchReplay]) -> Written:
    """Return the matches as match text."""
    return write_match_text(replays, XG_TEXT)
