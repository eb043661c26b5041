"""Probabilities of proposals, and their order."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from bganalyze.board.movement import Dice
from bganalyze.board.rule_book import BASIC
from bganalyze.repairing.error_context import ErrorContext
from bganalyze.repairing.file_to_repair import read_file_to_repair
from bganalyze.repairing.prior import rate_plays_by_appearance
from bganalyze.repairing.proof import ROW_MAY_BE_MISSING
from bganalyze.repairing.ranking import Repair, TriedSuggestion, rank_repairs, rate_suggestions
from bganalyze.repairing.search import find_repairs_in_file
from bganalyze.repairing.suggestion import Suggestion
from bganalyze.validation.findings import Edit
from tests.repairing.transcripts import ROWS, record, row

RANKED = """
import sys
from bganalyze.repairing.search import find_repairs_in_file
for cause in find_repairs_in_file(sys.stdin.buffer.read(), "a.mat"):
    for proposal in cause.proposals:
        print(ascii(proposal.message), proposal.probability)
"""


@pytest.mark.slow
def test_proposals_that_are_equally_likely_stand_in_the_same_order_in_every_process() -> None:
    data = record(*ROWS, row("", "Wins 4 points"))
    answers = {_run_repair(data, seed) for seed in range(4)}
    assert len(answers) == 1
    [answer] = answers
    assert b"point match" in answer


def test_a_play_of_which_every_step_would_be_another_is_hardly_meant() -> None:
    data = record(
        row("31: 8/5 6/5", "66: 23/17 23/17 22/16 22/16"),
        row("41: 13/9 24/23"),
    )
    [cause] = find_repairs_in_file(data, "a.mat")
    assert all(proposal.probability < 0.05 for proposal in cause.proposals)
    assert not cause.explained


def test_the_same_play_with_other_rolls_is_one_suggestion_at_one_place_alone() -> None:
    def suggest_lost_turn(line: int, roll: Dice) -> Suggestion:
        edits = (Edit(line, "  9)", f"  9) {roll[0]}{roll[1]}:"),)
        return Suggestion("lost turn", "", edits, 5, None, None, 0.0, rolls=(roll,), plays=((),))

    suggestions = [
        suggest_lost_turn(12, (6, 3)),
        suggest_lost_turn(12, (3, 3)),
        suggest_lost_turn(13, (6, 3)),
    ]
    folded = [
        candidate.suggestion
        for candidate in rate_suggestions(suggestions, rate_plays_by_appearance)
    ]
    assert [(one.edits[0].line, one.other_rolls) for one in folded] == [
        (12, (((3, 3),),)),
        (13, ()),
    ]


@pytest.mark.parametrize(
    ("rolls", "rival", "proved"),
    [((), -5.0, True), ((), -4.2, False), (((3, 1),), -5.0, False), (((3, 1),), -8.0, True)],
)
def test_a_play_of_a_roll_that_is_a_guess_is_proved_beside_unlikelier_rivals_only(
    rolls: tuple[Dice, ...], rival: float, *, proved: bool
) -> None:
    first, _ = _rank(rolls, 0.0, rival)
    assert (first.likelihood, first.proved) == (0.0, proved)


def test_nothing_is_proved_that_is_unlikely_in_itself() -> None:
    likely, unlikely = _rank((), -3.0)[0], _rank((), -5.0)[0]
    assert (likely.proved, unlikely.proved) == (True, False)
    assert likely.probability > 0.9 > unlikely.probability


@pytest.mark.parametrize(
    ("likelihoods", "doubt"),
    [
        ((0.0,), None),
        ((0.0, -1.0), "another edit fits as well"),
        ((0.0, -1.0, -2.0, -3.0), "3 other edits fit as well"),
        ((-5.0,), "the slip is unlikely in itself"),
        ((0.0, -4.1, -4.2), "other edits together are too likely"),
    ],
)
def test_the_first_repair_has_the_reason_why_it_is_not_proved(
    likelihoods: tuple[float, ...], doubt: str | None
) -> None:
    assert _rank((), *likelihoods)[0].doubt == doubt


def test_a_lost_row_among_the_rivals_is_named() -> None:
    assert _rank((), 0.0, -1.0, rival="lost row")[0].doubt == ROW_MAY_BE_MISSING


def _rank(rolls: tuple[Dice, ...], *likelihoods: float, rival: str = "play") -> list[Repair]:
    """Return other plays of these likelihoods beside a miswritten one, likeliest first."""

    def make_tried(likelihood: float) -> TriedSuggestion:
        kind = "play" if likelihood == likelihoods[0] else rival
        suggestion = Suggestion(kind, "", (), 5, None, None, likelihood, rolls=rolls)
        return TriedSuggestion(suggestion, likelihood, 0, 0, frozenset())

    data = record(*ROWS[:-1], row("53: bar/20 14/10*", "51: bar/24 21/16"))
    draft = read_file_to_repair(data, "a.mat", BASIC)
    evidence = ErrorContext(draft.replays[0], draft.errors[0], draft.lines)
    return rank_repairs(map(make_tried, likelihoods), (), evidence, rate_plays_by_appearance)


def _run_repair(data: bytes, seed: int) -> bytes:
    """Return the proposals for a record, from a process whose sets have another order."""
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    command = [sys.executable, "-c", RANKED]
    run = subprocess.run(command, input=data, env=environment, capture_output=True, check=True)
    return run.stdout
