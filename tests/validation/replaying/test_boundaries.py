"""A game whose header is lost is a game of its own; the lost line is the one finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import replay
from tests.conftest import check_text

CLEAN = Path(__file__).parents[3] / "samples" / "clean"

FIRST = """\
 7 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                   65: 24/13
"""
DROPPED = """\
  2)  Doubles => 2                 Drops
      Wins 1 point
"""
SECOND = """\
  1) 52: 13/8 13/11                43: 13/10 13/9
  2) 61: 13/7 8/7                  31: 10/7 8/7
"""
LONG = (
    FIRST.split("  1)", maxsplit=1)[0]
    + """\
  1)                               42: 8/4 6/4
  2) 32: 13/10 24/22               65: 24/18 18/13
  3) 54: 22/18 18/13               54: 24/20 20/15
  4) 54: 25/20 24/20               21: 15/13 4/3
  5) 22: 6/4 6/4 20/18 20/18       52: 13/8 6/4
  6) 64: 13/7 13/9                 52: 13/8 8/6
  7) 31: 8/5 6/5                    Doubles => 2
"""
)
SCORE = " Ann : 1                         Bob : 0\n"


def find_codes(text: str) -> list[tuple[str, int]]:
    """Return code and line of each finding that is no remark."""
    return [
        (finding.code, finding.line) for finding in check_text(text) if finding.severity != "info"
    ]


CASES = {
    "nothing is lost": (FIRST + DROPPED + "\n Game 2\n" + SCORE + SECOND, []),
    "the header": (FIRST + DROPPED + "\n" + SECOND, [("T120", 9)]),
    "the game line": (FIRST + DROPPED + "\n" + SCORE + SECOND, [("T120", 9)]),
    "the score line": (FIRST + DROPPED + "\n Game 2\n" + SECOND, [("T120", 9)]),
    "the header of the first game": (
        (FIRST + DROPPED).replace(" Game 1\n Ann : 0                         Bob : 0\n", "")
        + "\n Game 2\n"
        + SCORE
        + SECOND,
        [("T120", 3)],
    ),
    "the header, and an illegal play behind it": (
        FIRST
        + DROPPED
        + "\n"
        + SECOND.replace("8/7                  31", "8/6                  31"),
        [("T120", 9), ("P404", 10)],
    ),
    "the header after a game that was given up after the roll": (
        FIRST + "  2) 42:\n" + " " * 36 + "Wins 1 point\n\n" + SECOND,
        [("T120", 9)],
    ),
    "the header and the result before it": (
        FIRST + "  2)  Doubles => 2                 Drops\n" + SECOND,
        [("R606", 6), ("T120", 7)],
    ),
    "the header, where the rows go on counting": (
        FIRST + DROPPED + "  3) 52: 13/8 13/11                43: 13/10 13/9\n"
        "  4) 31: 8/5 6/5                   31: 8/5 6/5\n",
        [("T120", 8)],
    ),
    "the headers of two games": (
        FIRST
        + DROPPED
        + SECOND
        + "  3)  Doubles => 2                 Drops\n      Wins 1 point\n"
        + SECOND,
        [("T120", 8), ("T120", 12)],
    ),
    "a game line that cannot be read is not also missing": (
        FIRST + DROPPED + "\n Gmae 2\n" + SCORE + SECOND,
        [("T101", 9)],
    ),
    "a score line that cannot be read is not also missing": (
        FIRST + DROPPED + "\n Game 2\n Ann : x                         Bob\n" + SECOND,
        [("T101", 10)],
    ),
    "the game after one without a game line follows": (
        FIRST
        + DROPPED
        + SCORE
        + SECOND
        + "  3)  Doubles => 2                 Drops\n      Wins 1 point\n Game 3\n"
        + SCORE.replace("1", "2")
        + SECOND,
        [("T120", 8)],
    ),
    "a result written twice": (FIRST + DROPPED + "      Wins 1 point\n", [("R615", 8)]),
    "a pass that was a take: the game goes on and is checked": (
        FIRST + "  2)  Doubles => 2                 Drops\n"
        "  3) 31: 24/23 13/10               42: 8/4 6/4\n"
        "  4) 64: 24/14                     31: 6/5 6/4\n",
        [("T106", 7), ("P404", 8)],
    ),
    "a pass that was a take in a long game, which goes on with plays that fit the start as well": (
        LONG + "  8)  Drops                        53: 13/8 8/5\n"
        "  9) 33: 9/6 6/3 13/10 10/7        41: 13/9 9/8\n"
        " 10) 53: 8/3 8/5                   51: 13/8 6/5\n"
        " 11) 62: 13/7 13/11                31: 8/5 5/4\n",
        [("T106", 12)],
    ),
    "a result in the middle of the game, which goes on and is checked": (
        FIRST + "      Wins 1 point\n"
        "  2) 22: 5/3 5/3 13/11 13/11       42: 8/4 6/4\n"
        "  3) 64: 24/14                     31: 6/5 6/4\n",
        [("T106", 7), ("P404", 8)],
    ),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=list(CASES))
def test_the_lost_line_is_the_finding(text: str, expected: list[tuple[str, int]]) -> None:
    assert find_codes(text) == expected


def test_the_score_goes_on_over_a_lost_header() -> None:
    [match] = read_bytes((FIRST + DROPPED + "\n" + SECOND).encode(), "test.mat")
    games = replay(match).games
    assert [game.context.score for game in games] == [(0, 0), (1, 0)]
    assert [len(game.turns) for game in games] == [5, 4]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "bgtournament.mat",
        "dailygammon.txt",
        "galaxy.txt",
        "hypergammon.mat",
        "no-match-line.mat",
        "opengammon.txt",
        "redoubles.fibs",
        "redoubles.match",
        "redoubles.sgf",
        "redoubles.sgg",
        "short-match.sgf",
        "studio.txt",
        "xg-text.txt",
    ],
)
def test_a_header_is_missed_in_every_format(name: str) -> None:
    """The lines of the second game are left out, from its header to its first action."""
    data = (CLEAN / name).read_bytes().decode()
    game = read_bytes(data.encode(), name)[0].games[1]
    lines = data.split("\n")
    first = next(action.span.line for action in game.actions if action.span > game.span)
    before = check(read_bytes(data.encode(), name))
    broken = "\n".join(lines[: game.span.line - 1] + lines[first - 1 :])
    after = check(read_bytes(broken.encode(), name))
    graver = [finding.code for finding in after if finding.severity != "info"]
    assert graver == [finding.code for finding in before if finding.severity != "info"] + ["T120"]
