"""Kinds of decision: where points are lost, as players talk about it.

Each play belongs to the phase of its position. A cube decision is a double, a take or a pass; a
decision not to double is below or above the cash point, where the opponent may still take or should
pass. So each decision has one kind, each kind one possible error, and the losses of all kinds add up
to the loss of the match.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from bganalyze.analysis.analyzed import AnalyzedDecision
from bganalyze.analysis.decisions import Kind
from bganalyze.board.position import PHASES

CASH_POINT = 1.0
"""Doubler's equity after double and take above which the opponent should pass."""


class DecisionKind(StrEnum):
    """The kinds of decision, plays first."""

    OPENING_PLAY = "opening play"
    CONTACT_PLAY = "contact play"
    RACE_PLAY = "race play"
    BEAR_OFF_PLAY = "bear-off play"
    NO_DOUBLE_BELOW_CASH = "no double below cash"
    NO_DOUBLE_ABOVE_CASH = "no double above cash"
    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"


class KindWords(NamedTuple):
    """Words for one kind of decision, such as takes."""

    error: str
    """The error that can be made in it, in the plural."""
    counted: str
    """The decisions of this kind that GNU Backgammon's error rate counts, in the plural."""
    meaning: str
    label: str = ""
    """A shorter name of the error that says the right answer to a double; empty if it has none."""

    @property
    def short(self) -> str:
        """The name of an error of this kind for narrow tables."""
        return self.label or self.error


_UNFORCED = "rolls with more than one legal play, in positions of this phase"
_CLOSE = "close: doubling would lose less than 0.16"

KIND_WORDS = {
    DecisionKind.OPENING_PLAY: KindWords(
        "opening errors",
        "opening plays",
        f"Each side's first three plays: {_UNFORCED}.",
    ),
    DecisionKind.CONTACT_PLAY: KindWords(
        "contact errors",
        "contact plays",
        f"Later plays while checkers still have to pass each other: {_UNFORCED}.",
    ),
    DecisionKind.RACE_PLAY: KindWords(
        "race errors",
        "race plays",
        f"Plays without contact, before all checkers are home: {_UNFORCED}.",
    ),
    DecisionKind.BEAR_OFF_PLAY: KindWords(
        "bear-off errors",
        "bear-off plays",
        f"Plays without contact, with all checkers of both sides home: {_UNFORCED}.",
    ),
    DecisionKind.NO_DOUBLE_BELOW_CASH: KindWords(
        "missed doubles below the cash point",
        "close no doubles below the cash point",
        f"Decisions not to double where the opponent has a take ({_CLOSE}).",
        "missed double/take",
    ),
    DecisionKind.NO_DOUBLE_ABOVE_CASH: KindWords(
        "missed doubles above the cash point",
        "close no doubles above the cash point",
        f"Decisions not to double where the opponent has a pass ({_CLOSE}).",
        "missed double/pass",
    ),
    DecisionKind.DOUBLE: KindWords(
        "wrong doubles",
        "doubles",
        "Doubles and redoubles; wrong if too early or too good to double.",
    ),
    DecisionKind.TAKE: KindWords("wrong takes", "takes", "Doubles taken; wrong if a pass."),
    DecisionKind.PASS: KindWords("wrong passes", "passes", "Doubles passed; wrong if a take."),
}
"""The table of kinds: possible error, decisions counted, meaning."""

PLAY_KINDS = dict(
    zip(
        PHASES,
        (
            *(DecisionKind.OPENING_PLAY, DecisionKind.CONTACT_PLAY),
            *(DecisionKind.RACE_PLAY, DecisionKind.BEAR_OFF_PLAY),
        ),
        strict=True,
    )
)
"""The kind of a play in each phase."""

_ACTIONS = {
    Kind.DOUBLE: DecisionKind.DOUBLE,
    Kind.TAKE: DecisionKind.TAKE,
    Kind.PASS: DecisionKind.PASS,
}


def kind_of_decision(row: AnalyzedDecision) -> DecisionKind | None:
    """Return the kind of a decision, such as an opening play or a take.

    Return None for beavers, resignations and their answers, and if the evaluation or the phase
    needed to tell the kind is unknown.
    """
    if row.kind is Kind.PLAY:
        return None if row.phase is None else PLAY_KINDS[row.phase]
    if row.kind is not Kind.NO_DOUBLE:
        return _ACTIONS.get(row.kind)
    if row.take is None:
        return None
    is_above = row.take > CASH_POINT
    return DecisionKind.NO_DOUBLE_ABOVE_CASH if is_above else DecisionKind.NO_DOUBLE_BELOW_CASH


ALL_KINDS = "all kinds"
PLAYS = "plays"
CUBE_DECISIONS = "cube decisions"
NO_DOUBLES = "no doubles"

GROUPS_OF_KINDS = {
    ALL_KINDS: tuple(DecisionKind),
    PLAYS: tuple(PLAY_KINDS.values()),
    CUBE_DECISIONS: tuple(kind for kind in DecisionKind if kind not in PLAY_KINDS.values()),
    NO_DOUBLES: (DecisionKind.NO_DOUBLE_BELOW_CASH, DecisionKind.NO_DOUBLE_ABOVE_CASH),
}
"""Several kinds taken together, by name."""

KINDS_IN = GROUPS_OF_KINDS | {str(kind): (kind,) for kind in DecisionKind}
"""The kinds of decision behind every name that a norm can have."""
