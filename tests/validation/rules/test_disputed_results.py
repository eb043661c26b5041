"""Disputed results of a match and its games, in words."""

from __future__ import annotations

from bganalyze.record.reader import read_bytes
from bganalyze.validation.replaying.match import replay
from bganalyze.validation.replaying.outcomes import outcome_of
from bganalyze.validation.rules.disputed_results import find_disputes, list_names_of_games


def test_a_player_without_a_name_is_named_by_the_column() -> None:
    """The game was won by the right player, and is written as won by the left one."""
    text = b"""\
 5 point match

 Game 1
 Ann : 0                              : 0
  1) 31: 8/5 6/5                 Doubles => 2
  2) Drops
      Wins 1 point
"""
    replayed = replay(read_bytes(text, "a.mat")[0])
    names = list_names_of_games(replayed)
    assert names == [("Ann", "right")]
    words = [dispute.words for dispute in find_disputes(outcome_of(replayed), names)]
    assert words[-1] == (
        "as recorded, Ann wins 1 point; by the board, right wins 1 point;"
        " statistics count the game by the board"
    )
