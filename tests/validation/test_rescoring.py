"""Points without a cube action that is void: those of the same match in which it was never made."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from bganalyze.board.cube import is_dead
from bganalyze.record.model import Action, Answer, Double, Match, Play, Result, other_side
from bganalyze.record.reader import read, read_bytes
from bganalyze.record.refused import NotATranscript
from bganalyze.validation.replaying import replay
from bganalyze.validation.replaying.facts import GameReplay
from bganalyze.validation.replaying.match import MatchReplay
from bganalyze.validation.replaying.outcomes import MatchOutcome, Win, outcome_of
from bganalyze.validation.rescoring import rescore, win_without_double

SAMPLES = Path(__file__).parents[2] / "samples" / "clean"

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


def replayed(text: str) -> MatchReplay:
    """Return the replay of a match text."""
    [match] = read_bytes(text.encode(), "a.mat")
    return replay(match)


def without_cube(match: MatchReplay, number: int) -> Win | None:
    """Return the win of a game without its first double."""
    game = match.games[number - 1]
    double = next(turn for turn in game.turns if isinstance(turn.action, Double))
    return win_without_double(game, double)


def test_a_double_in_the_crawford_game_is_taken_out_of_the_score() -> None:
    match = replayed(MATCH)
    won = without_cube(match, 2)
    assert won == Win(1, 1)
    found = rescore(match, 2, won)
    assert (found.after, found.final, found.winner) == ((2, 1), (2, 2), None)
    assert found.chances == pytest.approx((0.5, 0.5), abs=0.25)


def test_a_game_that_is_played_again_leaves_the_score_open() -> None:
    found = rescore(replayed(MATCH), 3, None)
    assert found[:5] == (None, None, None, None, 0)
    assert found.chances == pytest.approx((0.5, 0.5))


def test_games_after_the_end_of_the_match_are_not_needed() -> None:
    found = rescore(replayed(MATCH), 1, Win(0, 3))
    assert (found.final, found.winner, found.unneeded) == ((3, 0), 0, 2)


def test_a_pass_leaves_the_game_open() -> None:
    match = replayed(MATCH.replace("  2) Takes                       66: 24/18(2) 13/7(2)\n  3) Resigns\n", "  2) Drops\n").replace("Wins 2 points\n\n Game 3", "Wins 1 point\n\n Game 3"))  # fmt: skip
    assert without_cube(match, 2) is None


Case = tuple[Match, int, MatchOutcome]
"""A match with a double that counts for nothing, the index of its game, and the outcome without it."""


def doubled_in_vain(match: Match, draw: Random) -> Iterator[Case]:
    """Yield a match for each game in which a void double and its take can be put: they double its points."""
    true = replay(match)
    outcome = outcome_of(true)
    if not outcome.length or outcome.disputed or any(game.facts for game in true.games):
        return
    for index, (game, result) in enumerate(zip(true.games, outcome.games, strict=True)):
        places = list(void_places(game, outcome.length))
        if not places or result.counting is None or result.counting.points is None:
            continue
        turn = game.turns[draw.choice(places)]
        play, actions = turn.action, list(game.game.actions)
        assert isinstance(play, Play)
        at = actions.index(play)
        actions[at:at] = [
            Double(play.span, play.row, play.side, 2 * turn.cube.value),
            Answer(play.span, play.row, other_side(play.side), True),
        ]
        needed = outcome.length - game.context.score[result.counting.side]
        points = min(2 * (result.counting.points + result.cut), needed)
        changed = [
            action._replace(points=points) if isinstance(action, Result) else action
            for action in actions
        ]
        games = list(match.games)
        games[index] = game.game._replace(actions=tuple(changed))
        yield match._replace(games=tuple(games)), index, outcome


def void_places(game: GameReplay, length: int) -> Iterator[int]:
    """Yield the turns before which a double is void: the Crawford game, and a cube that is dead."""
    for index in range(2, len(game.turns)):
        turn, before = game.turns[index], game.turns[index - 1]
        if not isinstance(turn.action, Play) or not isinstance(before.action, Play):
            continue
        side = turn.action.side
        dead = is_dead(turn.cube.value, length, game.context.score[side])
        if game.context.crawford or (dead and turn.cube.may_double(side)):
            yield index


def real_matches() -> Iterator[Match]:
    """Yield the matches of the samples, and of some real files if they are there."""
    corpus = os.environ.get("BGANALYZE_CORPUS")
    folder = Path(corpus, "mat") if corpus else SAMPLES
    for path in sorted({*SAMPLES.glob("*.mat"), *islice(sorted(folder.glob("*")), 0, None, 9)}):
        try:
            yield from read(path)
        except NotATranscript:
            continue


def test_without_a_void_double_the_score_is_that_of_the_match_without_it() -> None:
    draw = Random(7)
    cases = open_points = 0
    for match in real_matches():
        for changed, index, true in doubled_in_vain(match, draw):
            found = replay(changed)
            game = found.games[index]
            double = next(turn for turn in game.turns if is_added(turn.action, match, index))
            won = win_without_double(game, double)
            cases += 1
            if won is None:
                open_points += 1
                continue
            assert rescore(found, game.context.game, won).final == true.counting.after
    assert cases > 3
    assert open_points <= cases // 10


def is_added(action: Action, original: Match, index: int) -> bool:
    """Whether an action is a double that the original match has not."""
    return isinstance(action, Double) and action not in original.games[index].actions
