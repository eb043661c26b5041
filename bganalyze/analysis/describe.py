"""An analyzed decision as a problem: the question, the action, the best action, and the loss."""

from __future__ import annotations

from typing import NamedTuple

from bganalyze.analysis.analyzed import AnalyzedDecision, loss
from bganalyze.analysis.decisions import ANSWERS, BEAVER_ANSWERS, GIVING_UP, RACCOON_ANSWERS, Kind
from bganalyze.analysis.gnubg_statistics import cube_error, mark
from bganalyze.analysis.metrics import cost
from bganalyze.text import number_of

LEAST = 0.001
"""The smallest loss in EMG that is an error: engines give no more digits."""

NO_PLAY = "no play"
UNTOLD = "a play that is not written out"


class Problem(NamedTuple):
    """A decision and its solution, in players' words."""

    question: str
    """What was to be decided."""
    made: str
    """What was played, offered or answered."""
    best: str
    """What the engine considers best."""
    loss: float
    """The equity that was given away, in EMG; less than 0 where an illegal play gained."""
    cost: float | None
    """The chance to win the match that was given away, or of a money game the points."""
    mark: str
    """GNU Backgammon's mark for the error; empty if there is none."""
    error: str
    """The class of a wrong cube decision; empty for plays and for right decisions."""


def problem(row: AnalyzedDecision) -> Problem | None:
    """Return an analyzed decision as a problem, or None if its loss is unknown."""
    lost = loss(row)
    if lost is None:
        return None
    wrong = cube_error(row)
    degree = mark(lost)
    return Problem(
        question=_question(row),
        made=_made(row),
        best=_best(row),
        loss=lost,
        cost=cost(row),
        mark="" if degree == "unmarked" else degree,
        error="" if wrong is None else wrong[0].value,
    )


def better(row: AnalyzedDecision) -> str | None:
    """Return what would have been better: a play, or what to do with the cube; None if nothing was."""
    lost = loss(row)
    if lost is not None and lost <= 0:
        return None
    if row.kind is Kind.PLAY:
        return row.better if row.better != row.played else None
    return None if lost is None else _best(row)


def _question(row: AnalyzedDecision) -> str:
    match row.kind:
        case Kind.PLAY:
            assert row.dice is not None
            return f"{row.dice[0]}-{row.dice[1]} to play"
        case Kind.NO_DOUBLE | Kind.DOUBLE:
            return f"{_turn(row)} to {2 * row.cube}, or not"
        case Kind.BEAVER:
            return f"doubled to {row.offer // 2}: take, pass or beaver"
        case Kind.RACCOON:
            return f"beavered to {row.offer // 2}: take, pass or raccoon"
        case Kind.RESIGNATION:
            return f"resign {number_of(row.offer, 'point')}, or play on"
        case Kind.ACCEPT | Kind.DECLINE:
            return f"{number_of(row.offer, 'point')} given up: accept or decline"
        case _:
            return f"{_turned(row)} to {row.offer}: take or pass"


def _turned(row: AnalyzedDecision) -> str:
    """How the cube that is answered was turned."""
    if row.kind in BEAVER_ANSWERS:
        return "beavered"
    return "raccooned" if row.kind in RACCOON_ANSWERS else "doubled"


def _made(row: AnalyzedDecision) -> str:
    match row.kind:
        case Kind.PLAY:
            return row.played or (NO_PLAY if row.legal else UNTOLD)
        case Kind.NO_DOUBLE:
            return f"no {_turn(row)}"
        case Kind.DOUBLE:
            return _turn(row)
        case Kind.RESIGNATION:
            return "resign"
        case _:
            return row.kind.value.partition("-")[0]


def _best(row: AnalyzedDecision) -> str:
    """The best play, or the best that both sides can do with the cube."""
    if row.kind is Kind.PLAY:
        return row.better or NO_PLAY
    if row.kind in GIVING_UP:
        return _best_end(row)
    no_double, take, passed = row.cube_equities
    answer = "take" if take <= passed else "pass"
    if row.kind in (*ANSWERS, *RACCOON_ANSWERS):
        return answer
    if row.kind is Kind.BEAVER:
        return "take" if take > 0 else "beaver"
    if row.kind is Kind.RACCOON and take > 0:
        return "raccoon"
    if row.kind in (*BEAVER_ANSWERS, Kind.RACCOON):
        return "take" if take >= -passed else "pass"
    if no_double >= min(take, passed):
        return f"no {_turn(row)}, too good" if no_double > passed else f"no {_turn(row)}"
    return f"{_turn(row)}, {answer}"


def _best_end(row: AnalyzedDecision) -> str:
    """Whether to give up the game, or to be content with what is given up."""
    wrong = row.best != row.reached
    match row.kind:
        case Kind.RESIGNATION:
            return "play on" if wrong else "resign"
        case Kind.ACCEPT:
            return "decline" if wrong else "accept"
        case _:
            return "accept" if wrong else "decline"


def _turn(row: AnalyzedDecision) -> str:
    return "double" if row.owner is None else "redouble"
