"""Trials: how far the plays that follow are carried out."""

from __future__ import annotations

import pytest

import bganalyze
from bganalyze.replaying.trial import Trial, tried

RECORD = """\
 3 point match

 Game 1
 Ann : 0                              Bob : 0
  1) 31: 8/5 6/5                        62: 24/18 13/11
  2) 42: 8/4 6/4                        {last}
"""


def trial_of(last: str) -> Trial:
    """Return what becomes of a game that ends so."""
    data = RECORD.format(last=last).encode()
    (match,) = bganalyze.read_bytes(data, "a.mat")
    (turn, *_) = bganalyze.replay(match).games[0].turns
    return tried(turn.before, match.games[0].actions, marks_hits=True, side=None)


@pytest.mark.parametrize(
    ("last", "plays"),
    [
        ("61: 18/11", 4),
        ("61: 24/18", 3),
        ("61: 24/18\n      Wins 1 point", 4),
        ("61:\n      Wins 1 point", 4),
        ("61: 24/18\n  3) Doubles => 2                      Drops\n      Wins 1 point", 3),
        ("61: 24/16\n      Wins 1 point", 3),
    ],
)
def test_a_last_play_before_a_result_need_not_be_whole(last: str, plays: int) -> None:
    trial = trial_of(last)
    assert (trial.plays, trial.is_whole) == (plays, plays == 4)


def test_a_trial_ends_at_a_play_out_of_turn() -> None:
    assert trial_of("\n  3) 61: 13/7 8/7").plays == 3


def test_a_mark_for_nothing_is_counted() -> None:
    assert (trial_of("61: 24/18 6/5").odd_marks, trial_of("61: 24/18 6/5*").odd_marks) == (0, 1)
