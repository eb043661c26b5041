"""The plays that an engine lists for a roll, and the chances it gives, as text beside a decision.

Statistics over many matches read the text without taking it apart; a page or a card takes apart
that of one decision.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from bganalyze.analysis.engines import MOST_KEPT, Candidate, Chances, PlayEvaluation
from bganalyze.board.position import Position

NO_PLAY = "no play"
"""The name of a dance in place of a notation."""

_EQUITY_DIGITS, _CHANCE_DIGITS = 6, 4

_NUMBER = r"-?[0-9]{1,10}(?:\.[0-9]{1,6})?"
_CHANCE = r"[01](?:\.[0-9]{1,4})?"
CHANCES_FORM = rf"{_CHANCE}(?:,{_CHANCE}){{4}}"
"""Pattern of chances as text: the five numbers of `Chances`."""
_PLAY_FORM = rf"[0-9a-z/*() ]{{1,99}}=\*?{_NUMBER}(?:,{CHANCES_FORM})?"
_PLAY = re.compile(_PLAY_FORM)
PLAYS_FORM = rf"{_PLAY_FORM}(?:;{_PLAY_FORM}){{0,{MOST_KEPT}}}"
"""Pattern of plays as text: `8/5 6/5=0.123,0.51,0.14,0.01,0.12,0.004;24/20=*0.1`. The star marks
the play that was made."""


class RatedPlay(NamedTuple):
    """A play with the equity an engine gives it."""

    play: str
    """The play in the usual notation."""
    equity: float
    chances: Chances | None
    """Cubeless chances of the side that plays; None if they are unknown."""
    is_made: bool
    """Whether this is the play that was made."""


def write_plays(evaluation: PlayEvaluation, notations: Mapping[Position, str | None]) -> str | None:
    """Return the best plays of a roll and the play made as text: `24/20=0.125;8/5 6/5=*-0.5`.

    A star marks the play made. `notations` maps positions to the notation of the play that leads
    there; plays without a notation are left out. The result is None without any play.
    """
    made = evaluation.reached
    listed = dict[Position, Candidate]()
    for one in (*evaluation.candidates[:MOST_KEPT], *filter(None, (made,))):
        listed.setdefault(one.after, one)
    texts = (
        _write_play(one, notations.get(after), is_made=made is not None and after == made.after)
        for after, one in listed.items()
    )
    return ";".join(filter(None, texts)) or None


def _write_play(candidate: Candidate, play_notation: str | None, *, is_made: bool) -> str:
    """Return a play with its equity and chances as text: `8/5 6/5=*-0.5,0.51,0.14,0.01,0.12,0`.

    The star marks the play made (`is_made`).
    """
    chances = write_chances(candidate.chances)
    number = _write_number(candidate.equity, _EQUITY_DIGITS)
    text = f"{play_notation or ''}={'*' * is_made}{number}{',' * bool(chances)}{chances or ''}"
    # Empty without notation, or if the equity is no finite number.
    return text if _PLAY.fullmatch(text) else ""


def write_chances(chances: Chances | None) -> str | None:
    """Return chances as text, or None if they are unknown or impossible.

    >>> write_chances(Chances(0.5, 0.125, 0.01, 0.12, 0.0))
    '0.5,0.125,0.01,0.12,0'
    """
    if chances is None or not all(-0.00005 < chance < 1.00005 for chance in chances):
        return None
    return ",".join(_write_number(abs(chance), _CHANCE_DIGITS) for chance in chances)


def _write_number(value: float, digits: int) -> str:
    """Return a number with at most `digits` decimals, without zeros at the end."""
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def read_plays(text: str | None) -> tuple[RatedPlay, ...]:
    """Return the plays in a text made by `write_plays`.

    >>> [play.equity for play in read_plays("24/20=0.125;8/5 6/5=*-0.5")]
    [0.125, -0.5]
    """
    return tuple(map(_read_play, text.split(";"))) if text else ()


def rank_plays(text: str | None) -> tuple[RatedPlay, ...]:
    """Return the plays in a text made by `write_plays`: the best one, then the others by equity."""
    best, others = read_plays(text)[:1], read_plays(text)[1:]
    return *best, *sorted(others, key=lambda play: -play.equity)


def _read_play(text: str) -> RatedPlay:
    """Return one play from its text, as written by `_write_play`."""
    name, numbers = text.split("=")
    equity, _, chances = numbers.lstrip("*").partition(",")
    return RatedPlay(name, float(equity), read_chances(chances), numbers.startswith("*"))


def read_chances(text: str | None) -> Chances | None:
    """Return the chances in a text made by `write_chances`, or None without text."""
    return Chances(*map(float, text.split(","))) if text else None
