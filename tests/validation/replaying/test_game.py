"""Usual plays, which are carried out in one go, and the closer look at each: both find the same."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

import pytest

from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import findings_of
from bganalyze.validation.replaying import replay
from bganalyze.validation.replaying.replayed import Turn, Turns, UsualPlays

SAMPLES = Path(__file__).parents[3] / "samples"

BOARD = "board L 24(2) 13(5) 8(3) 6(5) R 24(2) 13(5) 8(3) 6(5)"

BOARD_BETWEEN_TWO_PLAYS_OF_A_SIDE = f"""\
bganalyze match
length: 5
game 1
score 0-0
  L 31 8/5 6/5
  {BOARD}
  turn L
  L 42 8/4 6/4
  R 31 8/5 6/5
"""
TURN_BEFORE_THE_FIRST_PLAY = """\
bganalyze match
length: 5
game 1
score 0-0
  turn R
  L 42 8/4 6/4
  R 31 8/5 6/5
"""

INLINE = [
    BOARD_BETWEEN_TWO_PLAYS_OF_A_SIDE,
    TURN_BEFORE_THE_FIRST_PLAY,
]


def texts() -> Iterator[tuple[bytes, str]]:
    for text in INLINE:
        yield text.encode(), "a.bgm"
    for path in sorted((SAMPLES / "faulty").glob("*.mat")):
        yield path.read_bytes(), path.name
    for path in sorted((SAMPLES / "clean").glob("*.sgf")):
        yield path.read_bytes(), path.name


def drop_marks(turn: Turn) -> Turn:
    """Return a turn without the marks of its play, which only the closer look finds."""
    legal = turn.legality and turn.legality._replace(unmarked=(), mismarked=(), remark="")
    return turn._replace(legality=legal)


@pytest.mark.slow
@pytest.mark.parametrize(("data", "name"), list(texts()))
def test_usual_plays_are_what_a_closer_look_finds(data: bytes, name: str) -> None:
    matches = read_bytes(data, name)
    usual = [replay(match) for match in matches]
    none = patch(
        "bganalyze.validation.replaying.game.collect_ordinary_plays",
        lambda boards, *_, **__: ([], boards),
    )
    with none:
        closer = [replay(match) for match in matches]
    assert findings_of(usual) == findings_of(closer)
    for one, other in zip(usual, closer, strict=True):
        assert [list(map(drop_marks, game.turns)) for game in one.games] == [
            list(map(drop_marks, game.turns)) for game in other.games
        ]


def test_turns_of_usual_plays_are_made_when_one_is_asked_for() -> None:
    """Whatever is asked first, and however the game goes on after that."""
    (match,) = read_bytes((SAMPLES / "clean" / "short-match.mat").read_bytes(), "a.mat")
    game = replay(match).games[0]
    with patch(
        "bganalyze.validation.replaying.replayed.try_plain_play", side_effect=AssertionError
    ):
        assert len(game.turns) == len(game.game.actions)
    assert {game} == {replay(match).games[0]}
    made = tuple(game.turns)
    assert repr(game.turns) == repr([*made])
    again = Turns()
    again.extend(UsualPlays(game.context, game.cube, made[0].before, [made[0].action]))
    assert again[0] == made[0]._replace(cube=game.cube)
    again.append(made[1])
    assert (len(again), *reversed(again)) == (2, made[1], again[0])
    assert again[1:] == [made[1]]
    for turn, following in pairwise(made):
        assert turn.after == following.before
