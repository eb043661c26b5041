"""Points without a cube action that is void: those of the same match in which it was never made."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from bganalyze.record.model import Double
from bganalyze.record.reader import read_bytes
from bganalyze.validation.replaying import replay
from bganalyze.validation.replaying.match import MatchReplay
from bganalyze.validation.replaying.outcomes import Win
from bganalyze.validation.rescoring import rescore, win_without_double
from tests.void_doubles import insert_void_doubles, read_matches, rule_at_moments

MATCH = """\
 3 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 Doubles => 2
  2) Takes                       66: 24/18(2) 13/7(2)
  3) 43: 24/20 13/10             Resigns
      Wins 2 points

 Game 2
 Ann : 2                         Bob : 0
  1) 31: 8/5 6/5                 Doubles => 2
  2) Takes                       66: 24/18(2) 13/7(2)
  3) Resigns
                                  Wins 2 points

 Game 3
 Ann : 2                         Bob : 2
  1) 31: 8/5 6/5                 66: 24/18(2) 13/7(2)
  2) Resigns
                                  Wins 1 point and the match
"""


def replay_text(text: str) -> MatchReplay:
    """Return the replay of a match text."""
    [match] = read_bytes(text.encode(), "a.mat")
    return replay(match)


def without_cube(match: MatchReplay, number: int) -> Win | None:
    """Return the win of a game without its first double."""
    game = match.games[number - 1]
    double = next(turn for turn in game.turns if isinstance(turn.action, Double))
    return win_without_double(game, double)


def test_a_double_in_the_crawford_game_is_taken_out_of_the_score() -> None:
    match = replay_text(MATCH)
    won = without_cube(match, 2)
    assert won == Win(1, 1)
    found = rescore(match, 2, won)
    assert (found.after, found.final, found.winner) == ((2, 1), (2, 2), None)
    assert found.chances == pytest.approx((0.5, 0.5), abs=0.25)


def test_a_game_that_is_played_again_leaves_the_score_open() -> None:
    found = rescore(replay_text(MATCH), 3, None)
    assert found[:5] == (None, None, None, None, 0)
    assert found.chances == pytest.approx((0.5, 0.5))


def test_games_after_the_end_of_the_match_are_not_needed() -> None:
    found = rescore(replay_text(MATCH), 1, Win(0, 3))
    assert (found.final, found.winner, found.unneeded) == ((3, 0), 0, 2)


def test_points_given_after_the_crawford_game_leave_the_cube_in_play() -> None:
    """Two points away against one, the trailer wins nearly half of the matches, as it can double."""
    games = (
        "0-0\nL 31 8/5 6/5\nR 52 13/8 24/22\nL 42 8/4 6/4\nR resigns 2\nL wins 2\n",
        "2-0\nL 31 8/5 6/5\nR 52 13/8 24/22\nL 42 8/4 6/4\nR resigns 2\nL wins 2\n",
        "4-0\nL 31 8/5 6/5\nR 52 13/8 24/22\nL resigns 1\nR wins 1\n",
        "4-1\nL 31 8/5 6/5\nR double\nL pass\nR wins 1\nruling: 1 points to R\n",
        "4-3\nL 31 8/5 6/5\n",
    )
    text = "bganalyze match\nleft: Ann\nright: Bob\nlength: 5\n"
    text += "".join(f"game {n}\nscore {game}" for n, game in enumerate(games, start=1))
    [match] = read_bytes(text.encode(), "a.bgm")
    found = rescore(replay(match), 4, Win(1, 1))
    assert found.after == (4, 3)
    assert found.chances == pytest.approx((0.51, 0.49), abs=0.02)


def test_a_pass_leaves_the_game_open() -> None:
    match = replay_text(MATCH.replace("  2) Takes                       66: 24/18(2) 13/7(2)\n  3) Resigns\n", "  2) Drops\n").replace("Wins 2 points\n\n Game 3", "Wins 1 point\n\n Game 3"))  # fmt: skip
    assert without_cube(match, 2) is None


@pytest.mark.slow
def test_without_a_void_double_the_score_is_that_of_the_match_without_it() -> None:
    draw = Random(7)
    found = Counter[str]()
    for match in read_matches(step=27):
        for doubled in insert_void_doubles(match, draw):
            found["matches"] += 1
            ruled = list(rule_at_moments(doubled))
            assert len(ruled) == 5
            wrong = [one for one in ruled if one is not None and one.words != "open"]
            assert not wrong, match.source.path
            found["open"] += ruled[0] is not None
    assert found["matches"] > 3
    assert found["open"] <= found["matches"] // 10
