"""JavaFIBS's own records of matches."""

from __future__ import annotations

from bganalyze.record.model import Answer, Double, Match, Play, Resignation, Result, Span, Unread
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import replay
from bganalyze.writing import write

TEXT = """\
JavaFIBS internal match representation v1.1
8:bob:3
13:bob:
6:You:bob
11:You:3 1
1:You:17-20 19-20
0:bob:6 2
1:bob: 24-18 13-11
0:You:5 5
1:You:12-17 12-17 1-6 1-6
2:bob:
4:You:
0:bob:6 6
15:bob:
3:You:2
12:bob:
0:You:2 1
1:You:6-8 1-2
3:bob:2
7:You:2
14:ann-2:bob-0
13:bob:
6:You:bob
11:bob:4 2
1:bob: 17-21 19-21
0:You:6 4
1:You:24-18 18-14
2:bob:
5:You:
7:bob:1
14:bob-1:ann-2
"""


def read(text: str) -> Match:
    (match,) = read_bytes(text.encode(), "a.match")
    return match


def steps(match: Match, game: int, action: int) -> list[tuple[int, ...]]:
    play = match.games[game].actions[action]
    assert isinstance(play, Play)
    return [step.path for step in play.steps]


def test_reads_players_scores_and_plays_in_either_numbering() -> None:
    match = read(TEXT)
    first, second = match.games
    assert (match.format, match.names) == ("javafibs", ("ann", "bob"))
    assert match.length == (Span(2, 1, 8), 3)
    assert second.score is not None
    assert (second.score.points, second.score.spans[1]) == ((2, 0), Span(21, 14, 15))
    assert steps(match, 0, 0) == [(8, 5), (6, 5)]
    assert steps(match, 0, 1) == [(24, 18), (13, 11)]
    assert steps(match, 1, 0) == [(8, 4), (6, 4)]
    assert [type(action) for action in first.actions[3:]] == [
        *(Double, Answer, Play, Resignation, Play, Resignation, Result),
    ]
    declined = first.actions[6]
    assert isinstance(declined, Resignation)
    assert (declined.side, declined.points, declined.declined) == (0, 2, True)
    assert [type(action) for action in second.actions[2:]] == [Double, Answer, Result]


def test_other_writers_keep_plays_and_results() -> None:
    match = read(TEXT)
    replays = [replay(match)]
    for name in ("mat", "json"):
        (again,) = read_bytes(write(replays, name).data, f"a.{name}")
        assert [play[2:5] for play in again.plays()] == [play[2:5] for play in match.plays()]
        results = [[a for a in game.actions if isinstance(a, Result)] for game in again.games]
        assert [[(r.side, r.points) for r in found] for found in results] == [[(0, 2)], [(1, 1)]]


def test_unknown_lines_are_unread() -> None:
    match = read(TEXT.replace("0:bob:6 2\n", "10:bob:x\n7:carl:2\n9:bob:3\n0:bob:6 2\n"))
    unread = [action for action in match.games[0].actions if isinstance(action, Unread)]
    assert [action.text for action in unread] == ["10:bob:x", "7:carl:2", "9:bob:3"]


def test_a_match_without_its_heading_or_scores_is_read() -> None:
    lines = [line for line in TEXT.splitlines(keepends=True) if not line.startswith("14:")]
    match = read("".join(lines[2:]))
    assert (match.names, match.length, len(match.games)) == (("You", "bob"), None, 2)
    assert [
        one.length and one.length.points
        for one in read_bytes(
            ("".join(lines) + "".join(lines[1:]).replace(":3\n", ":9999\n", 1)).encode(), "a.match"
        )
    ] == [3, 0]


def test_the_last_result_may_be_that_of_the_match() -> None:
    match = read(TEXT.replace("7:You:2\n14:ann-2:bob-0\n", "7:You:3\n9:You:3\n"))
    assert isinstance(match.games[0].actions[-1], Result)
    assert match.games[0].actions[-1].match
    assert check([match])  # The record goes on after its end.
