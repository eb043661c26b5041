"""Games of BGBlitz: actions without an analysis, unanswered doubles, set-ups, and how games end."""

from __future__ import annotations

from typing import Any

import pytest

from bganalyze.record.model import Answer, Game, Match, Play, Resignation, SetUp, Unread
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from tests.fuzzing.binary import BGBLITZ
from tests.fuzzing.smile import bgf

OPENING, DOUBLE, _ = BGBLITZ["games"][0]["moves"]
NOT_ANALYZED = {"from": [-1] * 4, "to": [-1] * 4, "equity": None, "dancingEquity": None}


def action(player: int, red: int, green: int = 7) -> dict[str, Any]:
    return {**NOT_ANALYZED, "player": player, "red": red, "green": green}


def read(*moves: dict[str, Any], final: dict[str, int] | None = None, **fields: object) -> Match:
    stored = {**BGBLITZ["games"][0], "wasResignation": False, **fields, "moves": [*moves]}
    final = {"finalGreen": 1, "finalRed": 0} if final is None else final
    others = {key: value for key, value in BGBLITZ.items() if not key.startswith("final")}
    (match,) = read_bytes(bgf({**others, **final, "games": [stored]}), "a.bgf")
    return match


def kinds(match: Match) -> list[str]:
    (game,) = match.games
    return [type(one).__name__ for one in game.actions]


def game(match: Match) -> Game:
    return match.games[0]


def test_a_resignation_is_read() -> None:
    match = read(OPENING, action(1, 9), action(-1, 4))
    assert kinds(match) == ["Play", "Resignation", "Result"]
    resignation = game(match).actions[1]
    assert isinstance(resignation, Resignation)
    assert resignation.side == 1
    assert "R601" not in [finding.code for finding in check([match])]


def test_a_resignation_that_is_marked_twice_is_one() -> None:
    match = read(OPENING, action(1, 9), action(-1, 4), wasResignation=True)
    assert kinds(match) == ["Play", "Resignation", "Result"]


@pytest.mark.parametrize(("mark", "manner"), [("lostOnTime", "time"), ("wasForfeit", "forfeit")])
def test_a_game_lost_on_time_or_forfeited(mark: str, manner: str) -> None:
    match = read(OPENING, action(-1, 4), **{mark: True})
    assert kinds(match) == ["Play", "Resignation", "Result"]
    end = game(match).actions[1]
    assert isinstance(end, Resignation)
    assert (end.side, end.manner) == (1, manner)


@pytest.mark.parametrize("final", [{}, {"finalGreen": 0, "finalRed": 0}])
def test_a_game_under_way_has_no_winner(final: dict[str, int]) -> None:
    match = read(OPENING, wonPoints=0, final=final)
    assert kinds(match) == ["Play"]
    assert "T107" in [finding.code for finding in check([match])]


def test_a_match_that_was_not_analyzed_keeps_its_cube_and_its_dances() -> None:
    match = read(OPENING, action(1, 1), action(-1, 2), action(1, 6, 5), action(-1, 4))
    assert kinds(match) == ["Play", "Double", "Answer", "Play", "Result"]
    _, _, answer, dance, _ = game(match).actions
    assert isinstance(answer, Answer)
    assert isinstance(dance, Play)
    assert (answer.side, answer.taken, dance.side, dance.dice) == (0, True, 1, (6, 5))


def test_a_double_that_nobody_answered_is_no_pass() -> None:
    assert kinds(read(OPENING, DOUBLE, wonPoints=0, final={})) == ["Play", "Double"]


def test_an_action_that_is_not_known_is_reported() -> None:
    _, unread = game(read(OPENING, action(1, 8), wonPoints=0, final={})).actions
    assert isinstance(unread, Unread)
    assert unread.text == "action 8 of BGBlitz"


def test_a_set_up_is_read() -> None:
    points = [0] * 28
    points[0], points[23], points[24], points[25] = 14, -14, 1, 1
    initial = {"cube": 4, "points": points, "cubeOwner": -1}
    match = read(action(1, 6, 5), initial=initial, wonPoints=0, final={})
    set_up = game(match).actions[0]
    assert isinstance(set_up, SetUp)
    assert set_up.boards is not None
    assert [(board[24], board[25]) for board in set_up.boards] == [(14, 1), (14, 1)]
    assert (set_up.cube_value, set_up.cube_owner, set_up.on_roll) == (4, 0, 1)
