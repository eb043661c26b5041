"""Scripts of GNU Backgammon's commands."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bganalyze.record.model import (
    Double,
    Match,
    Play,
    PlayRecord,
    Resignation,
    Result,
    SetUp,
    Unread,
)
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import replay
from bganalyze.writing import write
from tests import same

HEAD = """\
set player 0 human
set player 1 human
set automatic game off
set automatic roll off
set automatic move off
set confirm new off
set defaultnames Ann Bob
new match 3
"""
SCRIPT = f"""\
{HEAD}set turn 0
set dice 3 1
move 8/5 6/5
set dice 6 2
move 24/18 13/11
double
take
set dice 5 5
move 8/3(2) 6/1*(2)
set dice 66
move
set dice 21
move 13/10
double
drop
new game
set turn Bob
set dice 42
8/4 6/4
set dice 6 4
move 24 18 18 14
resign gammon
decline
set dice 3 2
m 24/21 13/11
resign single
accept
"""
PART = f"""\
{HEAD}set score 1 1
set turn 1
set board simple 0 3 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 -13 0
set dice 6 5
move 1/off(2)
set dice 2 1
move
set dice 5 5
move 1/off
"""


def read(text: str) -> list[Match]:
    return read_bytes(text.encode(), "a.txt")


def test_plays_cube_actions_and_results_are_read() -> None:
    (match,) = read(SCRIPT)
    first, second = match.games
    assert (match.format, match.names) == ("gnubg-script", ("Ann", "Bob"))
    assert check([match]) == []
    assert second.score is not None
    assert second.score.points == (0, 2)
    danced = first.actions[5]
    assert isinstance(danced, Play)
    assert (danced.side, danced.how) == (1, PlayRecord.CANNOT_MOVE)
    declined = second.actions[2]
    assert isinstance(declined, Resignation)
    assert (declined.size, declined.declined) == (2, True)
    assert isinstance(second.actions[-1], Result)
    assert (second.actions[-1].side, second.actions[-1].points) == (1, 1)


@pytest.mark.slow
@pytest.mark.parametrize("text", [SCRIPT, PART])
def test_gnu_backgammon_makes_the_same_of_a_script(
    gnubg_program: str, tmp_path: Path, text: str
) -> None:
    (tmp_path / "a.txt").write_text(f"{text}save match a.sgf\n")
    subprocess.run(
        [gnubg_program, "-t", "-q", "-c", "a.txt"],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    (match,) = read(text)
    assert same.games(match) == same.matches(tmp_path / "a.sgf")[0]


def test_a_position_is_set_up_and_a_game_ends_by_bearing_off() -> None:
    (match,) = read(PART)
    (game,) = match.games
    set_up, *plays, result = game.actions
    assert isinstance(set_up, SetUp)
    assert set_up.boards is not None
    assert (set_up.boards[1][1], set_up.boards[0][1], set_up.on_roll) == (3, 13, 1)
    assert [len(play.steps) for play in plays if isinstance(play, Play)] == [2, 2, 1]
    assert isinstance(result, Result)
    assert (result.side, result.points) == (1, 1)
    assert [finding.code for finding in check([match])] == ["R608", "R608"]


@pytest.mark.parametrize(
    ("checkers", "point", "points"),
    [(14, 19, 1), (15, 24, 2), (15, 7, 2), (15, 6, 3), (15, 1, 3)],
)
def test_a_win_by_bearing_off_counts_by_the_checkers_of_the_loser(
    checkers: int, point: int, points: int
) -> None:
    """Ann bears off her last checker; all of Bob's are on a point, counted as Ann counts."""
    board = ["0"] * 26
    board[point], board[2] = str(-checkers), "1"
    script = f"{HEAD}set turn 0\nset board simple {' '.join(board)}\nset dice 3 3\nmove 2/off\n"
    result = read(script)[0].games[0].actions[-1]
    assert isinstance(result, Result)
    assert (result.side, result.points) == (0, points)


def test_more_than_15_checkers_are_no_board() -> None:
    board = " ".join(["16", *["0"] * 25])
    (match,) = read(f"{HEAD}set turn 0\nset board simple {board}\nset dice 3 1\n")
    assert not any(isinstance(action, SetUp) for action in match.games[0].actions)


def test_the_cube_is_set_up_by_parts() -> None:
    head = f"{HEAD}set turn 0\nset board 4HPwATDgc/ABMA\nset cube value 4\nset cube owner Bob\n"
    for more, expected in (("", (4, 1)), ("set cube center\n", (4, None))):
        (match,) = read(f"{head}{more}set dice 3 1\n")
        set_up = match.games[0].actions[0]
        assert isinstance(set_up, SetUp)
        assert (set_up.cube_value, set_up.cube_owner) == expected


def test_an_identifier_begins_a_match_and_names_x_player_1() -> None:
    board = "-b----E-C---eE---c-e----B-"
    (match,) = read(f"set xgid XGID={board}:1:1:1:31:2:1:0:5:10\nmove 8/5 6/5\n")
    set_up, play = match.games[0].actions
    assert isinstance(set_up, SetUp)
    assert isinstance(play, Play)
    assert (set_up.cube_value, set_up.cube_owner, set_up.on_roll, play.side) == (2, 1, 1, 1)
    assert match.games[0].score is not None
    assert (match.games[0].score.points, play.dice) == ((1, 2), (3, 1))


def test_other_writers_keep_plays_and_results() -> None:
    (match,) = read(SCRIPT.replace("resign gammon\ndecline\n", ""))
    for name in ("mat", "json"):
        (again,) = read_bytes(write([replay(match)], name).data, f"a.{name}")
        assert same.games(again) == same.games(match)
        assert check([again]) == []


def test_unknown_commands_are_unread_and_others_left_out() -> None:
    (match,) = read(SCRIPT.replace("double\ntake\n", "set dice 7 1\nplay\nset rng isaac\n"))
    unread = [action.text for action in match.games[0].actions if isinstance(action, Unread)]
    assert unread == ["set dice 7 1", "play"]
    assert next(a for a in match.games[0].actions if isinstance(a, Double)).side == 1
