"""The files of online rooms: one small record of each, and what is peculiar to it."""

from __future__ import annotations

import pytest

import bganalyze
from bganalyze.transcript.model import (
    Action,
    Answer,
    Comment,
    Double,
    Game,
    How,
    Match,
    Play,
    Resignation,
    Result,
    Span,
    Unread,
)

SGG = """\
bob vs. alice
Monday, January 5, 2004
GamesGrid
Match Length: 0
Variant: Nackgammon
Jacoby: Yes
Beavers: Yes
Doubling Cube: Yes
Game 1.0-0
11: Automatic double
1\t31:
1\t31:
1\t31: 8/5, 6/5
1\t31: 8/5, 6/5
1\t\t42:
1\t\t42: 8/4, 6/4
a remark
2\tDouble to 4
2\t\tBeaver to 8
2\t66: 24/18(2), 13/7(2)
3\t\t62: O-O
3\t -
4\t\t54: Resign
bob wins 16 points.
Game 2.16-0
"""

TMG = """\
MatchId: 100001
Player1: 11 alice 1000.00
Player2: 22 bob 1000.00
Jacoby: 1
Crawford: 0
Cube: 1
Length: 0
Variant: 1

Game 1: 0-0
  0 2 Automatic to 2
  1 1 31:
  1 4 8/5 6/5
 -1 1 42:
 -1 4 8/4 6/4
  2 5 Double to 4
 -2 8 Beaver to 8
  3 1 66:
  3 4 0/0
 -3 1 ?
 -3 17 bob out of time
  3 14 8 alice wins 8 points
"""

BGAMMON = """\
bgammon-replay 00000048
bgammon-replay 00000100
i 1702738670 ann bob 3 0 0 1 1 0
1 r 3-1 8/5 6/5
2 r 6-2 1/7 12/14
1 r 6-6
2 d 2 1
1 t
1 x
i 1702738671 ann bob 3 1 0 2 2 0
2 r 6-5 1/12
1 d 2 0
i 1702738672 ann bob 3 0 0 2 1 2
1 r 6-5 1/12
"""

BGROOM = """\
BGF version 1.2
Game 1 - alice (X) vs. bob (0)
Single game
1.X:(3 1)8/5 6/5
2.0:(6 6)24/18(2) 13/7(2)
3.X:Double
3.0:Beaver
4.0:can't say
5.X:(5 5)can't move
6.0:Resign
"""

BKG = """\
Black (3 1) 8-5,6-5
White (6 2) 1-7,12-14
Black Doubles        Accepted
Black (6 6)
White wins a gammon
Black (4 2) 8-4,6-4
"""

EMPIRE = """\
alice bob
 1) 31: 8/5 6/5                   42: 8/4 6/4
 2) Double                        Take
 3) 66: 24/18(2) 13/7(2)          Drop
Resign
Win 2
alice bob
 1)                               31: 8/5 6/5
"""

PARTY = """\
BOARDID=1
CREATOR=alice
MATCHLENGTH=3
GAME_1_PLAYER_1=alice
GAME_1_PLAYER_2=bob
GAME_1_GAMEPLAY=1 a b 31 8/5 6/5#2 a b 66 24/18 24/18 13/7 13/7#1Double#2Take#1 dances#2 a b 11
GAME_1_SCORE1=0
GAME_1_SCORE2=2
GAME_2_GAMEPLAY=
"""


def read(text: str) -> list[Match]:
    return bganalyze.read_bytes(text.encode(), "a.txt")


def kinds(game: Game) -> list[type]:
    return [type(action) for action in game.actions]


def play(action: Action) -> Play:
    assert isinstance(action, Play)
    return action


def test_games_grid() -> None:
    (match,) = read(SGG)
    game = match.games[0]
    assert (match.format, match.names, game.cube) == ("sgg", ("bob", "alice"), 2)
    assert match.length is not None
    assert (match.length.points, match.tag("Variation"), match.tag("Jacoby")) == (
        0,
        "Nackgammon",
        "Yes",
    )
    assert kinds(game) == [
        Play,
        Play,
        Comment,
        Double,
        Double,
        Play,
        Play,
        Play,
        Resignation,
        Result,
    ]
    assert [each.kind for each in game.actions if isinstance(each, Double)] == ["double", "beaver"]
    assert play(game.actions[0]).place(1) == Span(13, 12, 15)
    assert [play(game.actions[at]).how for at in (6, 7)] == [How.CANNOT_MOVE, How.UNPLAYED]
    assert match.games[1].score is not None
    assert match.games[1].score.points == (16, 0)


def test_true_money_games() -> None:
    (match,) = read(TMG)
    (game,) = match.games
    assert (match.format, match.names, game.cube) == ("tmg", ("alice", "bob"), 2)
    assert match.tag("Jacoby") == "On"
    assert kinds(game) == [Play, Play, Double, Double, Play, Resignation, Result]
    assert game.actions[3] == Double(Span(17, 7, 18), "2", 1, 8, "beaver")
    assert play(game.actions[4]).how is How.CANNOT_MOVE
    assert play(game.actions[1]).place(0) == Span(15, 7, 10)
    resigned = game.actions[5]
    assert isinstance(resigned, Resignation)
    assert resigned.manner == "time"


def test_bgammon() -> None:
    first, second = read(BGAMMON)
    assert (first.format, first.names, len(first.games)) == ("bgammon", ("ann", "bob"), 2)
    one, two = first.games
    assert kinds(one) == [Play, Play, Play, Double, Answer, Unread, Resignation, Result]
    assert [step.path for step in play(one.actions[1]).steps] == [(24, 18), (13, 11)]
    assert play(one.actions[1]).place(1) == Span(5, 13, 18)
    assert play(one.actions[2]).how is How.EMPTY
    assert kinds(two) == [Play, Double, Answer, Result]
    assert kinds(second.games[0]) == [Comment, Result]


def test_bg_room() -> None:
    (match,) = read(BGROOM)
    (game,) = match.games
    assert (match.format, match.names, match.length) == ("bgroom", ("alice", "bob"), None)
    assert kinds(game) == [Comment, Play, Play, Double, Double, Unread, Play, Resignation]
    assert play(game.actions[1]).place(1) == Span(4, 14, 17)


def test_bkg() -> None:
    (match,) = read(BKG)
    first, second = match.games
    assert (match.format, match.names) == ("bkg", ("Black", "White"))
    assert kinds(first) == [Play, Play, Double, Answer, Play, Result]
    assert [step.path for step in play(first.actions[0]).steps] == [(8, 5), (6, 5)]
    assert [step.path for step in play(first.actions[1]).steps] == [(24, 18), (13, 11)]
    result = first.actions[-1]
    assert isinstance(result, Result)
    assert (result.side, result.points) == (1, 4)
    assert kinds(second) == [Play]


def test_gammon_empire() -> None:
    (match,) = read(EMPIRE)
    assert (match.format, match.names, len(match.games)) == ("gammon-empire", ("alice", "bob"), 2)
    assert kinds(match.games[0]) == [Play, Play, Double, Answer, Play, Answer, Comment]
    assert play(match.games[1].actions[0]).side == 1


def test_party_gammon() -> None:
    (match,) = read(PARTY)
    game = match.games[0]
    assert (match.format, match.names) == ("party", ("alice", "bob"))
    assert kinds(game) == [Play, Play, Double, Answer, Unread, Play, Result]
    assert play(game.actions[0]).place(0) == Span(6, 26, 29)
    assert match.games[1].score is not None
    assert match.games[1].score.points == (0, 2)


@pytest.mark.parametrize("text", [SGG, TMG, BGAMMON, BGROOM, EMPIRE, PARTY])
def test_damaged_plays_stand_in_their_place(text: str) -> None:
    damaged = text.replace("6/5", "6?5", 1).replace("6-5", "6?5", 1)
    unread = [
        (each.span.line, each.text)
        for match in read(damaged)
        for game in match.games
        for each in game.actions
        if isinstance(each, Unread)
    ]
    line = next(number for number, each in enumerate(damaged.split("\n"), 1) if "6?5" in each)
    assert (line, "6?5") in unread


@pytest.mark.parametrize("text", [SGG, TMG, BGAMMON, BGROOM, BKG, EMPIRE, PARTY])
def test_half_a_file_is_read_as_far_as_it_goes(text: str) -> None:
    for end in range(0, len(text), 7):
        try:
            matches = read(text[:end])
        except bganalyze.NotATranscript:
            continue
        bganalyze.check(matches)
