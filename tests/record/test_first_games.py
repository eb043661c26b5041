"""A first game that has lost its line is read and reported, never skipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from bganalyze.record.model import Match, Result
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check

CLEAN = Path(__file__).parents[2] / "samples" / "clean"

BGM_TEXT = """\
bganalyze match
left: Ann
right: Bob
length: 3
game 1
score 0-0
L 31 8/5 6/5
R double
L drop
R wins 1
game 2
score 0-1
R 42 8/4 6/4
L double
R drop
L wins 1
"""


def read(text: str) -> Match:
    [match] = read_bytes(text.encode(), "a.txt")
    return match


def codes(match: Match) -> list[str]:
    return [finding.code for finding in check([match]) if finding.severity == "error"]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("redoubles.sgg", "Game 1.0-0/3"),
        ("redoubles.tmg", "Game 1: 0-0"),
        ("redoubles.match", "i 1936773000 Bruno_Vale Dario_Fenn 3 0 0 1 1 0"),
        ("redoubles.fibs", "Score is 0-0 in a 3 point match."),
        ("redoubles.fibs", "Bruno_Vale is X - Dario_Fenn is O"),
        (
            "redoubles.txt",
            "The score (after 0 games) is: Bruno Vale 0, Dario Fenn 0 (match to 3 points)",
        ),
    ],
)
def test_of_other_formats(name: str, line: str) -> None:
    text = (CLEAN / name).read_text(encoding="utf-8")
    assert f"{line}\n" in text
    complete, cut = read(text), read(text.replace(f"{line}\n", "", 1))
    # The lost line holds the result of bgammon.org.
    first = [type(action) for action in complete.games[0].actions]
    wins = [Result] if name.endswith(".match") else []
    assert [type(action) for action in cut.games[0].actions] + wins == first
    assert [len(game.actions) for game in cut.games[1:]] == [
        len(game.actions) for game in complete.games[1:]
    ]
    score = cut.games[0].score
    is_score_lost = line.startswith(("i ", "Score is"))
    assert (score is None) == is_score_lost
    assert score is None or score.names == cut.games[1].score.names  # type: ignore[union-attr]
    assert codes(cut) == ["T120"]


@pytest.mark.parametrize("line", ["game 1", "score 0-0", "game 2", "score 0-1"])
def test_of_the_own_text_any_game(line: str) -> None:
    cut = read(BGM_TEXT.replace(f"{line}\n", "", 1))
    assert [len(game.actions) for game in cut.games] == [4, 4]
    assert codes(cut) == ["T120"]


def test_an_illegal_play_in_it_is_found() -> None:
    text = (CLEAN / "redoubles.sgg").read_text(encoding="utf-8")
    damaged = text.replace("Game 1.0-0/3\n", "").replace("13/9\n2\t66:\n", "13/8\n2\t66:\n", 1)
    assert codes(read(damaged)) == ["T120", "P404"]
