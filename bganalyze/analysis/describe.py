"""An analyzed decision as a problem: the question, the action, the best action, and the loss."""

from __future__ import annotations

from typing import NamedTuple

from bganalyze.analysis.analyzed import AnalyzedDecision, loss
from bganalyze.analysis.candidates import NO_PLAY
from bganalyze.analysis.decisions import ANSWERS, BEAVER_ANSWERS, GIVING_UP, RACCOON_ANSWERS, Kind
from bganalyze.analysis.error_rates import cost
from bganalyze.analysis.gnubg_statistics import cube_error, mark_loss
from bganalyze.text import number_of

LEAST = 0.001
"""The smallest loss (EMG) that is an error; engines give three decimals."""

ERROR = 0.02
"""The smallest loss (EMG) that eXtreme Gammon calls an error."""

MAY_BE_SLIP = 0.5
"""Loss (EMG) above which an error may be no choice, but a slip of the hand or of the file."""

PLAY_NOT_WRITTEN = "a play that was not written down"


class Problem(NamedTuple):
    """A decision in words for players: question, action, best action and loss."""

    question: str
    """The question to decide."""
    made: str
    """The recorded play, offer or answer."""
    best: str
    """The best action by the engine's evaluation."""
    loss: float
    """The equity given away (EMG); below 0 if an illegal play gained."""
    cost: float | None
    """The match-winning chance given away; in money games, the points."""
    mark: str
    """GNU Backgammon's mark of the error; empty without one."""
    error: str
    """The class of a wrong cube decision; empty for plays and for right decisions."""


def describe_problem(row: AnalyzedDecision) -> Problem | None:
    """Return a decision as a quiz problem: question, answer given, best answer and loss.

    The result is None if the loss is unknown.
    """
    lost = loss(row)
    if lost is None:
        return None
    wrong = cube_error(row)
    degree = mark_loss(lost)
    return Problem(
        question=_describe_question(row),
        made=_describe_action(row),
        best=_describe_best(row),
        loss=lost,
        cost=cost(row),
        mark="" if degree == "unmarked" else degree,
        error="" if wrong is None else wrong[0].value,
    )


def better_action(row: AnalyzedDecision) -> str | None:
    """Return the best play or cube action, such as `8/5 6/5`, or None after a right decision."""
    lost = loss(row)
    if lost is not None and lost <= 0:
        return None
    if row.kind is Kind.PLAY:
        return row.better if row.better != row.played else None
    return None if lost is None else _describe_best(row)


def _describe_question(row: AnalyzedDecision) -> str:
    """Return the question that a decision answers, such as `double to 2, or not`."""
    match row.kind:
        case Kind.PLAY:
            assert row.dice is not None
            return f"{row.dice[0]}-{row.dice[1]} to play"
        case Kind.NO_DOUBLE | Kind.DOUBLE:
            return f"{_name_double(row)} to {2 * row.cube}, or not"
        case Kind.BEAVER:
            return f"doubled to {row.offer // 2}: take, pass or beaver"
        case Kind.RACCOON:
            return f"beavered to {row.offer // 2}: take, pass or raccoon"
        case Kind.RESIGNATION:
            return f"resign {number_of(row.offer, 'point')}, or play on"
        case Kind.ACCEPT | Kind.DECLINE:
            return f"{number_of(row.offer, 'point')} given up: accept or decline"
        case _:
            return f"{_name_offer_in_past_tense(row)} to {row.offer}: take or pass"


def _name_offer_in_past_tense(row: AnalyzedDecision) -> str:
    """Return the offer that a decision answers as a word: doubled, beavered or raccooned."""
    if row.kind in BEAVER_ANSWERS:
        return "beavered"
    return "raccooned" if row.kind in RACCOON_ANSWERS else "doubled"


def _describe_action(row: AnalyzedDecision) -> str:
    """Return the chosen play or action in words, such as `8/5 6/5` or `no double`."""
    match row.kind:
        case Kind.PLAY:
            return row.played or (NO_PLAY if row.legal else PLAY_NOT_WRITTEN)
        case Kind.NO_DOUBLE:
            return f"no {_name_double(row)}"
        case Kind.DOUBLE:
            return _name_double(row)
        case Kind.RESIGNATION:
            return "resign"
        case _:
            return row.kind.value.partition("-")[0]


def _describe_best(row: AnalyzedDecision) -> str:
    """Return the best play or cube action in words, such as `double, take`."""
    if row.kind is Kind.PLAY:
        return row.better or NO_PLAY
    if row.kind in GIVING_UP:
        return _find_best_about_resigning(row)
    no_double, take, passed = row.cube_equities
    answer = "take" if take <= passed else "pass"
    if row.kind in (*ANSWERS, *RACCOON_ANSWERS):
        # The answer to a double is all that is decided.
        return answer
    if row.kind is Kind.BEAVER:
        return "take" if take > 0 else "beaver"
    if row.kind is Kind.RACCOON and take > 0:
        return "raccoon"
    if row.kind in (*BEAVER_ANSWERS, Kind.RACCOON):
        return "take" if take >= -passed else "pass"
    if no_double >= min(take, passed):
        return (
            f"no {_name_double(row)}, too good" if no_double > passed else f"no {_name_double(row)}"
        )
    return f"{_name_double(row)}, {answer}"


def _find_best_about_resigning(row: AnalyzedDecision) -> str:
    """Return the correct choice about a resignation: `resign`, `play on`, `accept` or `decline`."""
    wrong = row.best != row.reached
    match row.kind:
        case Kind.RESIGNATION:
            return "play on" if wrong else "resign"
        case Kind.ACCEPT:
            return "decline" if wrong else "accept"
        case _:
            return "accept" if wrong else "decline"


def _name_double(row: AnalyzedDecision) -> str:
    """Return "redouble" if a side owns the cube, else "double"."""
    return "double" if row.owner is None else "redouble"
