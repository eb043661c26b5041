"""Whether the result of a match follows from its games: sums done by hand."""

from __future__ import annotations

import pytest

from bganalyze.record.reader import read_bytes
from bganalyze.validation.replaying.match import replay
from bganalyze.validation.rules.result_of_games import ResultOfGames, compare_result_with_games
from tests.validation.test_cases import CRAWFORD

TWO_GAMES = """\
 5 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 Doubles => 2
  2) Drops
                                  Wins 1 point

 Game 2
 Ann : 0                         Bob : 1
  1) 31: 8/5 6/5                 Resigns
      Wins 2 points
"""


def compare(text: str) -> ResultOfGames:
    (match,) = read_bytes(text.encode(), "a.mat")
    return compare_result_with_games(replay(match))


def test_a_result_follows_from_the_points_of_its_games() -> None:
    said = compare(TWO_GAMES)
    assert said == ResultOfGames(
        "2–1",
        "follows from both games (1 ended by resignation, for the points recorded)",
        is_confirmed=True,
    )


def test_a_later_start_and_an_open_game_are_named() -> None:
    start = TWO_GAMES.replace("Ann : 0 ", "Ann : 3 ").replace("Bob : 1", "Bob : 2")
    start = start.replace("Bob : 0", "Bob : 1").partition("Resigns")[0]
    assert compare(start).words == "follows from 3–1 and 1 finished game"


@pytest.mark.parametrize("score", ["Bob : 2", "Bob : 0", "Bob : 3"])
def test_a_score_that_does_not_follow_is_disputed(score: str) -> None:
    said = compare(TWO_GAMES.replace("Bob : 1", score))
    assert not said.is_confirmed
    assert said.words.startswith("disputed: ")
    assert "R604" in said.words


def test_a_match_without_a_finished_game_has_no_result_to_confirm() -> None:
    said = compare(TWO_GAMES.partition("Doubles")[0])
    assert (said.words, said.is_confirmed) == ("", False)


def test_games_after_each_other_are_all_counted() -> None:
    said = compare(CRAWFORD)
    assert said.score == "2–2"
    assert said.words.startswith("follows from both finished games (2 ended by resignation")


GAME = """
 Game {number}
 Ann : {ann}                         Bob : 0
  1) 31: 8/5 6/5                 Doubles => 2
  2) Drops
      Wins 1 point
"""
"""A game that Bob has won by Ann's pass, and that is written as won by Ann."""


@pytest.mark.parametrize(("games", "more"), [(2, ""), (3, ", 1 more"), (6, ", 4 more")])
def test_of_many_disputed_results_the_first_are_named(games: int, more: str) -> None:
    text = "".join(GAME.format(number=number + 1, ann=number) for number in range(games))
    assert compare(f" 15 point match\n{text}").words == (
        f"disputed: the match (R603), game 1 (R603), game 2 (R603){more}"
    )


def test_a_game_whose_points_are_unknown_confirms_nothing() -> None:
    said = compare(TWO_GAMES.replace("      Wins 2 points\n", ""))
    assert said == ResultOfGames("", "", is_confirmed=False)
