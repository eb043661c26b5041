"""Count recurring mistakes: the same kind of mistake in positions of the same class.

What a mistake costs says how bad it was; how often it recurs says what there is to gain from studying it.
Their product orders mistakes for study.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from bganalyze.analysis.analyzed import AnalyzedDecision, loss
from bganalyze.analysis.decision_kinds import DecisionKind, kind_of_decision
from bganalyze.analysis.describe import LEAST
from bganalyze.analysis.match import AnalyzedMatch
from bganalyze.analysis.position_classes import PositionClass, Role, classify_decision
from bganalyze.analysis.select import (
    DecisionFilter,
    SelectedDecision,
    meets_criteria,
    select_decisions,
)
from bganalyze.record.players import plain_name


class Mistake(NamedTuple):
    """A kind of mistake: the kind of decision and the class of the position."""

    kind: DecisionKind
    position: PositionClass
    role: Role
    """The side whose plan gives the class its name, seen by the player."""


def classify_mistake(row: AnalyzedDecision) -> Mistake | None:
    """Return the kind of a mistake (kind of decision and class of position), or None if unknown."""
    kind, position = kind_of_decision(row), classify_decision(row)
    if kind is None or position is None or position.kind is PositionClass.OTHER:
        return None
    return Mistake(kind, *position)


def is_mistake(row: AnalyzedDecision) -> bool:
    """Whether a decision lost `LEAST` (EMG) or more; an illegal play is no mistake."""
    return row.legal is not False and (loss(row) or 0.0) >= LEAST


def rank_mistakes(
    matches: Iterable[AnalyzedMatch], criteria: DecisionFilter
) -> list[SelectedDecision]:
    """Return a player's mistakes that meet `criteria`, the most worth studying first.

    The order is by the loss, multiplied by the number of mistakes of the same kind.
    """
    of_player = DecisionFilter(player=criteria.player)
    mistakes = [
        selected._replace(match=selected.match._replace(rows=(), comments=()))
        for selected in select_decisions(matches, of_player)
        if is_mistake(selected.row)
    ]
    counts = Counter(map(_make_key_of_kind, mistakes))
    counted = (
        selected._replace(recurs=counts[key] if key[1] else 1)
        for selected in mistakes
        for key in (_make_key_of_kind(selected),)
        if meets_criteria(selected, criteria)
    )
    return sorted(counted, key=lambda selected: -selected.priority)[: criteria.costliest]


def _make_key_of_kind(selected: SelectedDecision) -> tuple[str, Mistake | None]:
    """Return a key that all mistakes of the same kind by the same player share."""
    return plain_name(selected.player), classify_mistake(selected.row)
