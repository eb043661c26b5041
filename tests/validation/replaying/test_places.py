"""Places in a match as people name them."""

import pytest

from bganalyze.analysis.decisions import Kind, decisions_of_match
from bganalyze.board.ids import parse_xgid, xgid
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import replay
from bganalyze.validation.replaying.places import (
    LinePlace,
    PlaceError,
    RowPlace,
    name_places,
    parse_place,
    side_of,
    situation_before,
    turn_at,
    turn_of_finding,
    turn_on_line,
)

RECORD = b"""\
 3 point match

 Game 1
 Alice : 0                          Bob : 0
  1)                                65: 24/13
  2) 42: 8/4 6/4                    Doubles => 2
  3) Drops
                                    Wins 1 point
 Game 2
 Alice : 0                          Bob : 1
  1) 31: 8/5 6/5                    52: 13/8 13/11
"""
REPLAYED = replay(read_bytes(RECORD, "a.mat")[0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2.14R", RowPlace(2, "14", 1)),
        ("1.3", RowPlace(1, "3", None)),
        (" 1.3l ", RowPlace(1, "3", 0)),
        ("41", LinePlace(41)),
        (" 41r", LinePlace(41, 1)),
        ("41:38", LinePlace(41, None, 38)),
    ],
)
def test_reading(text: str, expected: RowPlace) -> None:
    assert parse_place(text) == expected


@pytest.mark.parametrize("text", ["", "2:", "2.", "2:3R", "R", "2.14X", "2.14RR", "-1.2", "2,14"])
def test_what_is_no_place(text: str) -> None:
    with pytest.raises(PlaceError, match=r"is written 2\.14R"):
        parse_place(text)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [("1.1", 5, 37), ("1.1R", 5, 37), ("1.2R", 6, 37), ("1.3", 7, 6), ("2.1L", 11, 6)],
)
def test_the_turn_at_a_place(text: str, line: int, column: int) -> None:
    assert turn_at(REPLAYED, parse_place(text)).action.span[:2] == (line, column)


@pytest.mark.parametrize(
    ("text", "column"),
    [("6", 6), ("6L", 6), ("6R", 37), ("6:6", 6), ("6:36", 6), ("6:40", 37), ("5", 37), ("7:1", 6)],
)
def test_the_turn_on_a_line(text: str, column: int) -> None:
    line_place = parse_place(text)
    assert isinstance(line_place, LinePlace)
    replayed, turn = turn_on_line([REPLAYED], line_place)
    assert (replayed, turn.action.span[:2]) == (REPLAYED, (line_place.line, column))


@pytest.mark.parametrize(
    ("line_place", "problem"),
    [
        (LinePlace(3), "line 3 has no action; the next one is in line 5"),
        (LinePlace(5, 0), "line 5 has no action on the left; the next one is in line 6"),
        (LinePlace(99), "line 99 has no action; the last one is in line 11$"),
    ],
)
def test_a_line_without_an_action(line_place: LinePlace, problem: str) -> None:
    with pytest.raises(PlaceError, match=problem):
        turn_on_line([REPLAYED], line_place)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("3.1", "no game 3; the match has 2"),
        ("0.1", "no game 0"),
        ("1.9", "game 1 has nothing in row 9; its rows go from 1 to 3"),
        ("1.1L", "nothing in row 1 on the left"),
    ],
)
def test_what_is_not_there(text: str, problem: str) -> None:
    with pytest.raises(PlaceError, match=problem):
        turn_at(REPLAYED, parse_place(text))


def test_the_board_before_a_turn() -> None:
    situation = situation_before(turn_at(REPLAYED, parse_place("1.2L")))
    assert (situation.on_roll, situation.dice, situation.scores) == (0, (4, 2), (0, 0))
    doubling = situation_before(turn_at(REPLAYED, parse_place("1.2R")))
    assert (doubling.on_roll, doubling.dice, doubling.cube_value) == (1, None, 1)


RECORD_WITH_CUBE = b"""\
 0 point match

 Game 1
 Alice : 0                          Bob : 0
  1)                                65: 24/13
  2) 42: 8/4 6/4                    Doubles => 2
  3) Beavers                        Takes
  4) 31: 8/5 6/5                    52: 13/8 13/11
  5) Doubles => 8                   Drops
  6) Wins 4 points
"""


@pytest.mark.parametrize("record", [RECORD, RECORD_WITH_CUBE])
def test_identifiers_of_a_turn_are_those_of_its_decision(record: bytes) -> None:
    replayed = replay(read_bytes(record, "a.mat")[0])
    kinds = set()
    for decision in decisions_of_match(replayed):
        if decision.kind is not Kind.NO_DOUBLE:  # its turn is the roll that follows
            assert situation_before(decision.turn) == decision.situation, decision.kind
            kinds.add(decision.kind)
        assert parse_xgid(xgid(decision.situation)) == decision.situation
    assert {Kind.PLAY, Kind.DOUBLE, Kind.PASS} <= kinds


def test_the_doubler_is_on_roll_until_the_answer() -> None:
    answer = turn_at(REPLAYED, parse_place("1.3L"))
    situation = situation_before(answer)
    assert (situation.on_roll, situation.offered) == (1, True)
    [read_again] = read_bytes(xgid(situation).encode(), "a.xgid")
    [game] = replay(read_again).games
    assert [(type(turn.action).__name__, side_of(turn)) for turn in game.turns][-1] == (
        "Double",
        1,
    )
    assert game.turns[-1].before == answer.before


def test_every_turn_has_a_place_of_its_own() -> None:
    (first, second) = REPLAYED.games
    assert name_places(first)[:3] == ("1.1R", "1.2L", "1.2R")
    for game in (first, second):
        for text, turn in zip(name_places(game), game.turns, strict=True):
            parsed = parse_place(text)
            turn_there = (
                turn_on_line([REPLAYED], parsed)[1]
                if isinstance(parsed, LinePlace)
                else turn_at(REPLAYED, parsed)
            )
            assert turn_there == turn


def test_where_turns_share_a_spot_the_earlier_ones_are_counted_back() -> None:
    text = "bganalyze match\nlength: 3\ngame 1\nscore 0-0\nL 31 8/5 6/5\n"
    (match,) = read_bytes(text.encode(), "a.bgm")
    (game,) = match.games
    (play,) = game.actions
    repeated = match._replace(games=(game._replace(actions=(play._replace(row="1"),) * 3),))
    (replayed,) = replay(repeated).games
    assert name_places(replayed) == ("1.1L", "5:3-1", "5:3")


def test_where_no_row_is_numbered_actions_are_counted() -> None:
    text = "bganalyze match\nlength: 3\ngame 1\nscore 0-0\nL 31 8/5 6/5\n; well\nR 42 8/4 6/4\nL 62 24/18 13/11\n"
    [match] = read_bytes(text.encode(), "a.bgm")
    replayed = replay(match)
    assert [turn_at(replayed, parse_place(f"1.{n}")).action.span.line for n in (1, 2, 3)] == [
        5,
        7,
        8,
    ]
    with pytest.raises(PlaceError, match="its rows go from 1 to 3"):
        turn_at(replayed, parse_place("1.4"))


def test_a_finding_in_a_record_without_games_has_the_starting_position() -> None:
    (match,) = read_bytes(b"5 point match\n", "a.mat")
    (finding,) = check([match])
    shown = situation_before(turn_of_finding(replay(match), finding))
    assert xgid(shown) == "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:10"
