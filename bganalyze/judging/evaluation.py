"""Judgements: what an engine says of a decision, whatever the engine.

Equities are normalised to the cube (EMG) and those of the side that throws or doubles: +1 is a
plain win at the value of the cube before the decision.
"""

from __future__ import annotations

from typing import NamedTuple

from bganalyze.board.position import Position

MOST_KEPT = 10
"""Plays of a throw that are kept, the best ones."""


class Chances(NamedTuple):
    """Chances to win and lose without the cube; gammons hold the backgammons."""

    win: float
    win_gammon: float
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float


class Candidate(NamedTuple):
    """A play that an engine has looked at."""

    after: Position
    """The position it leaves, seen by the side that made it."""
    equity: float
    chances: Chances | None = None


class PlayJudgement(NamedTuple):
    """What an engine says of a throw."""

    candidates: tuple[Candidate, ...]
    """The best legal plays, the best first, `MOST_KEPT` at most; none where it could not."""
    reached: Candidate | None
    """What the recorded play left, legal or not; None where that is not known."""
    luck: float | None = None
    """How much better than an average throw it was, in equity."""
    alike: bool = False
    """Whether the program itself calls the candidates equal, from digits that it does not tell."""


class CubeJudgement(NamedTuple):
    """What an engine says of a cube that may be turned, or was: all seen by the doubler."""

    no_double: float
    take: float
    """After a double that is taken."""
    drop: float = 1.0
    """After a double that is dropped."""
    chances: Chances | None = None


class PlayingOn(NamedTuple):
    """What an engine says of a game that is given up."""

    equity: float
    """If play goes on, for the side that resigns."""


Judgement = PlayJudgement | CubeJudgement | PlayingOn
