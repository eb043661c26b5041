"""Recurring mistakes: errors of one kind in positions of one class, in several matches."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from bganalyze.analysis.decision_kinds import KIND_WORDS, DecisionKind
from bganalyze.analysis.describe import LEAST
from bganalyze.analysis.position_classes import PositionClass, Role
from bganalyze.statistics.reports.analyzed_counts import decisions_by_side
from bganalyze.statistics.reports.errors import boards_of
from bganalyze.statistics.reports.figures import Board, rows_for
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.tables.frames import AnalyzedTables

MOST_SHOWN = 3
"""Recurring mistakes that are shown, and boards of each."""

FEWEST_ERRORS, FEWEST_MATCHES = 3, 2
"""Fewest errors, and matches with one, of a mistake that recurs."""

_KEYS = ["decision_kind", "position_class", "class_role"]

_PLANS = {
    PositionClass.OPENING: {
        Role.BOTH: "the first three plays, with a table of openings and replies",
    },
    PositionClass.BLITZ: {
        Role.OWN: "attacking: whom to hit, which points to make, and when to double",
        Role.OPPONENT: "defending against an attack: anchors, and takes and passes",
        Role.BOTH: "positions in which both sides attack",
    },
    PositionClass.PRIME: {
        Role.OWN: "priming: keeping the points in a row, and spare checkers for them",
        Role.OPPONENT: "escaping from behind a prime, and waiting at its edge",
        Role.BOTH: "two primes: which side has to break first",
    },
    PositionClass.PRIME_VS_PRIME: {
        Role.BOTH: "two primes: which side has to break first",
    },
    PositionClass.HOLDING: {
        Role.OWN: "holding an anchor: when to run, and what to play while waiting",
        Role.OPPONENT: "coming home past an anchor: clearing points, and doubling",
        Role.BOTH: "two anchors: who may leave first",
    },
    PositionClass.MUTUAL_HOLDING: {
        Role.BOTH: "two anchors: who may leave first",
    },
    PositionClass.BACK_GAME: {
        Role.OWN: "back games: keeping the home board until the shot comes",
        Role.OPPONENT: "bearing in against a back game: clearing from the rear",
        Role.BOTH: "back games of both sides",
    },
    PositionClass.ACE_POINT_GAME: {
        Role.OWN: "low anchors: when to stay, and the home board for a shot",
        Role.OPPONENT: "bearing off against a low anchor: which point to clear",
        Role.BOTH: "low anchors of both sides",
    },
    PositionClass.CONTAINMENT: {
        Role.OWN: "containing a last checker: which points to make in its way",
        Role.OPPONENT: "bringing a last checker home",
        Role.BOTH: "last checkers of both sides",
    },
    PositionClass.BEAR_IN: {
        Role.OWN: "bearing in with contact: safe numbers, clearing from the rear",
        Role.OPPONENT: "waiting for a shot while the opponent bears in",
        Role.BOTH: "bearing in with contact: safe numbers, clearing from the rear",
    },
    PositionClass.RACE: {
        Role.BOTH: "races: bringing checkers home without waste, and counting for the cube",
    },
    PositionClass.BEAR_OFF: {
        Role.BOTH: "bearing off: checkers off or gaps filled, and counting for the cube",
    },
}
"""The subject to study for each class of position, by the side whose plan it is."""


class Recurring(NamedTuple):
    """Errors of one kind in positions of one class."""

    kind: DecisionKind
    position: PositionClass
    role: Role
    """The side whose plan gives the class its name, seen by the player."""
    errors: int
    matches: int
    """Matches with such an error."""
    lost: float
    """The equity (EMG) that they cost together."""
    boards: tuple[Board, ...]
    """The costliest of them, one of each match."""

    @property
    def error(self) -> str:
        """The name of the error, in the plural."""
        return KIND_WORDS[self.kind].error

    @property
    def study(self) -> str:
        """The subject to study, in words."""
        return subject_to_study(self.position, self.role)


def subject_to_study(position: PositionClass, role: Role) -> str:
    """Return the subject to study for a class of positions, in words.

    >>> subject_to_study(PositionClass.BLITZ, Role.OWN)
    'attacking: whom to hit, which points to make, and when to double'
    """
    return _PLANS[position][role]


def find_recurring(tables: AnalyzedTables, question: Question) -> tuple[Recurring, ...]:
    """Return the costliest recurring mistakes of the question's player, at most `MOST_SHOWN`.

    Positions of no named class are left out: their errors have nothing in common.
    """
    rows = rows_for(decisions_by_side(tables), question)
    wrong = rows[rows["gnubg_counts"].eq(True) & (rows["loss"] >= LEAST)]
    wrong = wrong[wrong["position_class"] != PositionClass.OTHER]
    found = [
        _make_recurring(
            DecisionKind(str(kind)), PositionClass(str(named)), Role(str(role)), errors, tables
        )
        for (kind, named, role), errors in wrong.groupby(_KEYS, observed=True)
        if len(errors) >= FEWEST_ERRORS and len(errors["match"].unique()) >= FEWEST_MATCHES
    ]
    return tuple(sorted(found, key=lambda one: -one.lost)[:MOST_SHOWN])


def _make_recurring(
    kind: DecisionKind,
    position: PositionClass,
    role: Role,
    errors: pd.DataFrame,
    tables: AnalyzedTables,
) -> Recurring:
    """Return the given errors, all of one kind and class of position, as a recurring mistake."""
    costliest = errors.sort_values("loss", ascending=False, kind="stable").drop_duplicates("match")
    return Recurring(
        kind,
        position,
        role,
        len(errors),
        len(errors["match"].unique()),
        float(errors["loss"].sum()),
        tuple(boards_of(costliest.head(MOST_SHOWN), tables)),
    )
