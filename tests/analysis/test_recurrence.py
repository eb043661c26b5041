"""Mistakes in the order of cost times recurrence, counted by hand."""

from __future__ import annotations

from bganalyze.analysis.analyzed import AnalyzedDecision
from bganalyze.analysis.comments import comments_on_decisions
from bganalyze.analysis.decision_kinds import DecisionKind
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.match import AnalyzedMatch
from bganalyze.analysis.position_classes import PositionClass, Role
from bganalyze.analysis.recurrence import Mistake, classify_mistake, rank_mistakes
from bganalyze.analysis.select import DecisionFilter
from bganalyze.record.reader import read_bytes
from bganalyze.validation.replaying import replay
from tests.statistics.match_report.analyzed import MATCH, Dictated, analyze_text

EVERYTHING = DecisionFilter()


def match_with(losses: dict[tuple[int, str, int], float]) -> AnalyzedMatch:
    return analyze_text(MATCH, Dictated(losses))[1]


def ranked(
    matches: list[AnalyzedMatch], criteria: DecisionFilter = EVERYTHING
) -> list[tuple[str, str | None, float, int]]:
    """Return the player, dice, loss to three digits and recurrence of each mistake at a play."""
    return [
        (one.player, one.row.dice, round(one.priority / one.recurs, 3), one.recurs)
        for one in rank_mistakes(matches, criteria)
        if one.row.kind is Kind.PLAY
    ]


BOBS = {(1, "1", 1): 0.05, (1, "2", 1): 0.04, (2, "1", 1): 0.03}
"""Three opening errors of Bob, who is right."""


def test_a_small_mistake_made_often_comes_before_a_larger_one_made_once() -> None:
    found = ranked([match_with({**BOBS, (1, "1", 0): 0.1})])
    assert found == [
        ("Bob", "64", 0.05, 3),  # 0.15
        ("Bob", "32", 0.04, 3),  # 0.12
        ("Ann", "31", 0.1, 1),  # 0.10
        ("Bob", "21", 0.03, 3),  # 0.09
    ]


def test_recurrence_counts_all_matches_whatever_is_selected() -> None:
    matches = [match_with(BOBS), match_with({(1, "1", 1): 0.02})]
    only = DecisionFilter(player="bob", least=0.045, kinds=frozenset((Kind.PLAY,)))
    assert ranked(matches, only) == [("Bob", "64", 0.05, 4)]
    assert ranked(matches, only._replace(least=None, costliest=2)) == [
        ("Bob", "64", 0.05, 4),
        ("Bob", "32", 0.04, 4),
    ]


def test_right_and_illegal_decisions_are_no_mistakes() -> None:
    match = match_with(BOBS)
    illegal = tuple(row._replace(legal=False) for row in match.rows)
    assert rank_mistakes([match._replace(rows=illegal)], EVERYTHING) == []
    assert ranked([match_with({(1, "1", 1): 0.0009})]) == []


def test_mistakes_in_positions_of_no_class_have_nothing_in_common() -> None:
    row = match_with(BOBS).rows[0]
    opening = Mistake(DecisionKind.OPENING_PLAY, PositionClass.OPENING, Role.BOTH)
    assert classify_mistake(row) == opening
    later = row._replace(phase="contact")  # The opening position, which is of no class.
    assert classify_mistake(later) is None
    match = match_with(BOBS)
    unnamed = tuple(map(_in_contact, match.rows))
    assert {recurs for *_, recurs in ranked([match._replace(rows=unnamed)])} == {1}


def _in_contact(row: AnalyzedDecision) -> AnalyzedDecision:
    """Return a decision in the opening position, but counted as a later one."""
    position = match_with({}).rows[0].situation.position
    return row._replace(phase="contact", situation=row.situation._replace(position=position))


COMMENTED = (
    "(;GM[6]MI[length:3]PW[Ann]PB[Bob];W[31hehf]C[sound];C[really];B[64aggk];W[52xvmh]C[ ]"
    ";C[why?];B[32acli])"
)


def test_comments_belong_to_the_action_before_them() -> None:
    (match,) = read_bytes(COMMENTED.encode(), "a.sgf")
    decisions = ["sound\nreally", "", "", "why?", "why?", "", ""]
    assert comments_on_decisions(replay(match)) == tuple(decisions)
    (bare,) = read_bytes(MATCH.encode(), "a.mat")
    assert comments_on_decisions(replay(bare)) == ()
