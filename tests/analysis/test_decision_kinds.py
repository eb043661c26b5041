"""Kinds of decision."""

from __future__ import annotations

import pytest

from bganalyze.analysis.decision_kinds import KIND_WORDS, DecisionKind, kind_of_decision
from bganalyze.analysis.decisions import Kind
from bganalyze.board.position import PHASES
from tests.analysis.rows import cube, make_resignation, play


def test_plays_belong_to_their_phase() -> None:
    kinds = [kind_of_decision(play(0.1)._replace(phase=phase)) for phase in PHASES]
    assert kinds == list(DecisionKind)[:4]


@pytest.mark.parametrize(
    ("take", "kind"),
    [
        (0.9, DecisionKind.NO_DOUBLE_BELOW_CASH),
        (1.0, DecisionKind.NO_DOUBLE_BELOW_CASH),
        (1.01, DecisionKind.NO_DOUBLE_ABOVE_CASH),
    ],
)
def test_no_doubles_have_a_side_of_the_cash_point(take: float, kind: DecisionKind) -> None:
    assert kind_of_decision(cube(Kind.NO_DOUBLE, 0.5, take)) is kind


def test_doubles_and_answers_are_kinds_of_their_own() -> None:
    kinds = [kind_of_decision(cube(kind, 0.5, 0.8)) for kind in (Kind.DOUBLE, Kind.TAKE, Kind.PASS)]
    assert kinds == [DecisionKind.DOUBLE, DecisionKind.TAKE, DecisionKind.PASS]


def test_other_decisions_have_no_kind() -> None:
    assert kind_of_decision(cube(Kind.BEAVER, 0.5, 0.8)) is None
    assert kind_of_decision(cube(Kind.PASS_BEAVER, 0.5, 0.8)) is None
    assert kind_of_decision(make_resignation(Kind.RESIGNATION, -1.0, -0.8)) is None
    assert kind_of_decision(cube(Kind.NO_DOUBLE, 0.5, 0.8)._replace(take=None)) is None


def test_every_kind_has_words() -> None:
    assert list(KIND_WORDS) == list(DecisionKind)
    assert len({words.error for words in KIND_WORDS.values()}) == len(DecisionKind)
