"""Decisions: what was to be decided, with the cube, the score and the legality of that moment."""

from __future__ import annotations

from pathlib import Path

from bganalyze.analysis.decisions import (
    GIVING_UP,
    Decision,
    Kind,
    decisions_of_match,
    is_forced,
    is_short_bearoff,
)
from bganalyze.board.plays import legal_plays
from bganalyze.board.position import OFF, Position, points
from bganalyze.record.reader import read, read_bytes
from bganalyze.validation.replaying import replay

SAMPLE = Path(__file__).parents[2] / "samples" / "clean" / "short-match.mat"

HEADER = " {length} point match\n\n Game 1\n Ann : {left}     Bob : {right}\n"
OPENING = "  1) 31: 8/5 6/5                 42: 8/4 6/4\n"


def read_decisions(rows: str, length: int = 5, left: int = 0, right: int = 0) -> list[Decision]:
    """Return the decisions of a game that begins at this score."""
    text = HEADER.format(length=length, left=left, right=right) + rows
    [match] = read_bytes(text.encode(), "test.mat")
    return list(decisions_of_match(replay(match)))


def kinds(rows: str, length: int = 5, left: int = 0, right: int = 0) -> list[str]:
    return [str(decision.kind) for decision in read_decisions(rows, length, left, right)]


def test_every_roll_but_the_first_is_a_cube_decision_too() -> None:
    assert kinds(OPENING) == ["play", "no-double", "play"]


def test_no_cube_decision_in_the_crawford_game() -> None:
    assert kinds(OPENING, left=4) == ["play", "play"]


def test_no_cube_decision_with_a_dead_cube() -> None:
    assert kinds(OPENING, length=1) == ["play", "play"]


def test_only_the_holder_of_the_cube_decides_after_a_take() -> None:
    rows = OPENING + "  2)  Doubles => 2                Takes\n  3) 31: 24/20   31: 24/20\n"
    tail = read_decisions(rows)[3:]
    assert [str(decision.kind) for decision in tail] == [
        "double",
        "take",
        "play",
        "no-double",
        "play",
    ]
    assert [(decision.cube, decision.owner, decision.offer) for decision in tail] == [
        (1, None, 2),
        (1, None, 2),
        (2, 1, 0),
        (2, 1, 0),
        (2, 1, 0),
    ]


def test_beaver_and_its_drop() -> None:
    rows = OPENING + "  2)  Doubles => 2                Beavers => 4\n  3)  Drops\n"
    double, beaver, passed = read_decisions(rows, length=0)[3:]
    assert (double.offer, beaver.kind, beaver.offer) == (2, Kind.BEAVER, 4)
    assert (passed.kind, passed.side, passed.cube, passed.offer) == (Kind.PASS_BEAVER, 0, 1, 4)
    assert [decision.doubler for decision in (double, beaver, passed)] == [0, 0, 0]


def test_a_raccoon_and_its_take() -> None:
    rows = OPENING + "  2)  Doubles => 2                Beavers => 4\n"
    rows += "  3)  Raccoons => 8               Takes\n"
    raccoon, take = read_decisions(rows, length=0)[5:]
    assert (raccoon.kind, raccoon.side, raccoon.doubler) == (Kind.RACCOON, 0, 0)
    assert (take.kind, take.side, take.doubler, take.offer) == (Kind.TAKE_RACCOON, 1, 0, 8)


def test_nothing_is_decided_after_the_end() -> None:
    dropped = "  2)  Doubles => 2                Drops\n      Wins 1 point\n  3) 31: 8/5 6/5\n"
    assert kinds(OPENING + dropped)[-1] == "pass"


def test_nothing_is_decided_after_the_last_checker_is_off() -> None:
    text = "bganalyze match\nlength: 5\n\ngame 1\nscore 0-0\nboard L 2 off(14) R 24(2) off(13) turn L\n"
    text += "L 21 2/off\nR 31 24/20\nL 42 8/4\n"
    [match] = read_bytes(text.encode(), "test.bgm")
    assert [str(decision.kind) for decision in decisions_of_match(replay(match))] == [
        "no-double",
        "play",
    ]


def test_a_result_that_nothing_led_to_is_a_resignation() -> None:
    resigned, accepted = read_decisions(OPENING + "      Wins 2 points\n")[-2:]
    assert (resigned.kind, resigned.side, resigned.points) == (Kind.RESIGNATION, 1, 2)
    assert (accepted.kind, accepted.side, accepted.points) == (Kind.ACCEPT, 0, 2)
    assert resigned.on_roll == accepted.on_roll == 0


def test_who_has_rolled_resigns_with_the_roll_before_him() -> None:
    rows = OPENING + "  2) 64: ????\n                                  Wins 1 point\n"
    resigned = read_decisions(rows)[-2]
    assert (resigned.side, resigned.on_roll, resigned.dice) == (0, 0, (6, 4))


def test_a_resignation_that_is_declined_and_one_of_the_match() -> None:
    text = b"bganalyze match\nlength: 5\n\ngame 1\nscore 0-2\nL 31 8/5 6/5\nR 42 8/4 6/4\n"
    text += b"L resigns 2 declined\nL 31 24/20\nR resigns match\nL wins 5\n"
    [match] = read_bytes(text, "test.bgm")
    resignations = [
        decision for decision in decisions_of_match(replay(match)) if decision.kind in GIVING_UP
    ]
    assert [
        (decision.kind, decision.side, decision.points, decision.on_roll)
        for decision in resignations
    ] == [
        (Kind.RESIGNATION, 0, 2, 0),
        (Kind.DECLINE, 1, 2, 0),
        (Kind.RESIGNATION, 1, 5, 1),
        (Kind.ACCEPT, 0, 5, 1),
    ]


def test_to_lose_on_time_is_no_decision() -> None:
    text = b"bganalyze match\nlength: 5\n\ngame 1\nL 31 8/5 6/5\nR loses on time\n"
    [match] = read_bytes(text, "test.bgm")
    assert [decision.kind for decision in decisions_of_match(replay(match))] == [Kind.PLAY]


def test_with_a_cube_on_offer_it_is_not_known_what_a_resignation_gives_up() -> None:
    rows = OPENING + "  2)  Doubles => 2                Resigns\n      Wins 1 point\n"
    assert [decision.points for decision in read_decisions(rows) if decision.kind in GIVING_UP] == [
        None,
        None,
    ]


def test_a_play_keeps_its_legality_and_the_board_it_left() -> None:
    legal, _, illegal = read_decisions("  1) 31: 8/5 6/5                 42: 8/4 6/3\n")
    assert legal.legal is True
    assert legal.after in legal_plays(legal.position, (3, 1))
    assert illegal.legal is False
    assert illegal.after is not None
    assert illegal.after.own[3] == 1


def test_a_corrected_play_is_no_decision_but_its_correction_is() -> None:
    rows = "  1) 31: 8/5 6/4                 42: 8/4 6/4\n"
    wrong_then_right = "  1) 31: 8/5 6/4\n  1) 31: 8/5 6/5                 42: 8/4 6/4\n"
    assert [decision.legal for decision in read_decisions(rows) if decision.kind is Kind.PLAY] == [
        False,
        True,
    ]
    plays = [
        decision for decision in read_decisions(wrong_then_right) if decision.kind is Kind.PLAY
    ]
    assert [play.legal for play in plays] == [True, True]


def test_a_roll_without_its_play_shows_no_board() -> None:
    rows = OPENING + "  2) 64: ????\n                                  Wins 1 point\n"
    play, resignation, _ = read_decisions(rows)[-3:]
    assert (play.dice, play.after, play.legal) == ((6, 4), None, None)
    assert resignation.kind is Kind.RESIGNATION


def test_a_dance_is_forced() -> None:
    closed = "  1) 31: 8/5 6/5\n"
    assert [decision.forced for decision in read_decisions(closed)] == [False]
    [match] = read(str(SAMPLE))
    dances = [
        decision
        for decision in decisions_of_match(replay(match))
        if decision.dice and not decision.steps
    ]
    assert dances
    assert all(dance.forced and dance.legal and dance.after == dance.position for dance in dances)


def legal_of_cubes(rows: str, length: int = 5, left: int = 0, right: int = 0) -> list[bool | None]:
    """Return whether each double, beaver and answer to one is legal."""
    of_game = read_decisions(rows, length, left, right)
    return [row.legal for row in of_game if row.kind not in (Kind.PLAY, Kind.NO_DOUBLE)]


def test_a_double_in_the_crawford_game_is_illegal_and_so_is_its_answer() -> None:
    first = OPENING + "  2)  Doubles => 2                Drops\n      Wins 1 point\n"
    second = first + "\n Game 2\n Ann : 1     Bob : 0\n" + first
    assert legal_of_cubes(second, length=3) == [None] * 4
    assert legal_of_cubes(second, length=2) == [None, None, False, False]
    assert legal_of_cubes(first, length=2, left=1) == [False, False]
    assert legal_of_cubes(first, length=3, left=2, right=1) == [
        None,
        None,
    ]  # It may be over already.


def test_who_does_not_own_the_cube_doubles_illegally() -> None:
    taken = OPENING + "  2)  Doubles => 2                Takes\n  3) 31: 24/20   31: 24/20\n"
    rows = taken + "  4)  Doubles => 4                Takes\n  5) 21: 6/4 24/23   21: 6/4 24/23\n"
    assert legal_of_cubes(rows) == [None, None, False, False]
    again = rows + "  6) 21: 6/4 24/23   Doubles => 8\n  7)  Drops\n"
    assert legal_of_cubes(again) == [None, None, False, False, None, None]


def test_an_opening_double_and_a_wrong_value_are_illegal() -> None:
    assert legal_of_cubes("  1)  Doubles => 2                Takes\n") == [False, False]
    assert legal_of_cubes(OPENING + "  2)  Doubles => 8                Drops\n") == [False, False]


def test_a_dead_cube_may_be_turned() -> None:
    rows = OPENING + "  2)  Doubles => 2                Takes\n  3) 31: 24/20   31: 24/20\n"
    rows += "  4) 21: 6/4 24/23                Doubles => 4\n  5)  Drops\n"
    assert legal_of_cubes(rows, length=2) == [None, None, None, None]


def test_a_last_checker_is_forced_and_few_checkers_are_a_short_bearoff() -> None:
    last = Position(points({3: 1, OFF: 14}), points({23: 1, 1: 14}))
    assert is_forced(last, (4, 1))
    assert is_short_bearoff(Position(points({5: 1, 2: 1}), points({1: 1})))
