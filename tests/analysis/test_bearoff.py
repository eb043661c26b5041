"""Short bear-offs: against GNU Backgammon, against counting on paper, and in a match."""

from __future__ import annotations

import pytest

from bganalyze.analysis.analyzed import loss, make_rows_with_evaluations
from bganalyze.analysis.bearoff import ROLLS, BearoffCube, Home, evaluate_exactly, solve_bearoff
from bganalyze.analysis.decisions import Decision, Kind, decisions_of_match
from bganalyze.analysis.engines import CubeEvaluation, PlayEvaluation, PlayingOn, start
from bganalyze.board.equities import MatchScore, stake
from bganalyze.board.position import OFF, points
from bganalyze.record.reader import read_bytes
from bganalyze.validation.replaying import replay

MONEY = MatchScore(0, (0, 0))

BY_GNUBG_FOR_MONEY = [
    ((2, 0, 1, 0, 0, 1), (0, 2, 0, 0, 0, 1), None, (-0.1752, -0.1752, -0.3693)),
    ((0, 2, 0, 0, 0, 1), (0, 0, 0, 0, 1, 1), 0, (0.7428, 0.5159, 0.7428)),
    ((1, 1, 0, 1, 1, 0), (0, 1, 0, 0, 0, 0), None, (-0.8889, -0.8889, -1.7778)),
    ((2, 1, 1, 0, 0, 0), (0, 0, 0, 1, 0, 0), 0, (-0.679, -0.679, -1.5555)),
    ((0, 0, 0, 0, 2, 1), (0, 0, 0, 1, 1, 0), None, (-0.5633, -0.5633, -1.1895)),
    ((0, 0, 1, 1, 2, 0), (0, 0, 0, 1, 0, 1), None, (-0.7536, -0.7536, -1.5073)),
    ((2, 0, 1, 0, 1, 0), (0, 0, 1, 1, 0, 0), None, (-0.3663, -0.3663, -0.7455)),
]
"""Left's and right's checkers, the owner of the cube, and what GNU Backgammon 1.07 says by its
two-sided table: the equity of left, on roll, at best, without doubling and after a take."""

BY_GNUBG_IN_MATCHES = [
    ((0, 0, 1, 0, 2, 1), (0, 1, 1, 1, 0, 0), 2, 0, MatchScore(7, (3, 5)), (-0.263, -0.3746)),
    (
        (0, 1, 0, 1, 0, 1),
        (1, 0, 0, 0, 1, 1),
        1,
        None,
        MatchScore(7, (6, 0), True),
        (0.5638, 0.5638),
    ),
    ((0, 1, 0, 1, 1, 1), (1, 0, 0, 0, 0, 1), 2, 0, MatchScore(3, (1, 0)), (-0.6581, -0.6581)),
    (
        (0, 0, 0, 0, 2, 0),
        (0, 0, 1, 1, 0, 1),
        1,
        None,
        MatchScore(7, (0, 6), True),
        (0.7656, 0.7656),
    ),
    ((0, 0, 1, 1, 2, 0), (0, 0, 0, 2, 0, 1), 4, 0, MatchScore(7, (4, 5)), (0.037, 0.037)),
]
"""The same at 3ply, which guesses what a cube is worth four rolls later."""


def equities(cube: BearoffCube, left: Home, right: Home) -> tuple[float, float, float]:
    """Return what left, on roll, has at best, without doubling and after a take."""
    bearoff = solve_bearoff(cube, left, right)
    at_stake = stake(cube.score, 0, cube.value)
    assert at_stake
    place = bearoff.sides[0].places[left], bearoff.sides[1].places[right]
    best = bearoff.before[0][(bearoff.cubes[cube], *place)]
    waiting = bearoff.rolled[0][(bearoff.cubes[cube], *place)]
    value_taken = bearoff.rolled[0][(bearoff.cubes[cube.after_double_and_take(0)], *place)]
    return (
        at_stake.equity(best),
        at_stake.equity(waiting),
        at_stake.equity(cube.multiple * value_taken),
    )


@pytest.mark.parametrize(("left", "right", "owner", "expected"), BY_GNUBG_FOR_MONEY)
def test_money_is_as_gnu_backgammon_has_it(
    left: Home, right: Home, owner: int | None, expected: tuple[float, ...]
) -> None:
    assert equities(BearoffCube(MONEY, 1, owner), left, right) == pytest.approx(expected, abs=2e-4)


@pytest.mark.parametrize(
    ("left", "right", "value", "owner", "score", "expected"), BY_GNUBG_IN_MATCHES
)
def test_matches_are_nearly_as_gnu_backgammon_has_them(
    left: Home,
    right: Home,
    value: int,
    owner: int | None,
    score: MatchScore,
    expected: tuple[float, ...],
) -> None:
    values = equities(BearoffCube(score, value, owner), left, right)
    assert values[:2] == pytest.approx(expected, abs=0.005)


def test_one_roll_is_counted_on_paper() -> None:
    five_and_two, ace = (0, 1, 0, 0, 1, 0), (1, 0, 0, 0, 0, 0)
    chance = 19 / 36  # 5-2 and better: 6-2 to 6-5, 5-2 to 5-4, and the doubles but 1-1
    best, waiting, doubled = equities(BearoffCube(MONEY, 1, None), five_and_two, ace)
    assert waiting == pytest.approx(2 * chance - 1)
    assert doubled == pytest.approx(2 * waiting)
    assert best == pytest.approx(max(waiting, min(doubled, 1)))


def test_a_cube_that_is_dead_or_out_of_play_is_not_turned() -> None:
    home, other = (0, 0, 0, 0, 0, 2), (0, 0, 0, 0, 0, 1)
    for score, value in ((MatchScore(5, (4, 0), True), 1), (MatchScore(5, (3, 0)), 2)):
        best, waiting, doubled = equities(BearoffCube(score, value, None), home, other)
        assert best == waiting
        assert doubled <= waiting


POSITION = """bganalyze match
left: Ann
right: Bob
length: {length}

game 1
board L 5 2 R 1 turn L
"""
DOUBLED = "L double\nR take\nL 64 5/off 2/off\nL wins 2\n"
WAITED = "L 64 5/off 2/off\nL wins 1\n"


def read_decisions(ending: str, length: str = "money") -> list[Decision]:
    [match] = read_bytes((POSITION.format(length=length) + ending).encode(), "some.bgm")
    return list(decisions_of_match(replay(match)))


def test_a_correct_double_at_the_last_roll_costs_nothing_and_a_missed_one_its_price() -> None:
    doubled, waited = (
        next(
            row
            for row in make_rows_with_evaluations(
                row_decisions, map(evaluate_exactly, row_decisions)
            )
            if row.kind is kind
        )
        for kind, row_decisions in (
            (Kind.DOUBLE, read_decisions(DOUBLED)),
            (Kind.NO_DOUBLE, read_decisions(WAITED)),
        )
    )
    assert loss(doubled) == pytest.approx(0.0)
    assert loss(waited) == pytest.approx(2 * 19 / 36 - 1)


def test_luck_comes_to_nothing_over_all_rolls() -> None:
    roll = next(decision for decision in read_decisions(WAITED) if decision.kind is Kind.PLAY)
    evaluations = [evaluate_exactly(roll._replace(dice=dice, after=None)) for dice in ROLLS]
    luck = [
        play.luck
        for play in evaluations
        if isinstance(play, PlayEvaluation) and play.luck is not None
    ]
    assert {type(value) for value in luck} == {
        float
    }  # Whoever takes it from a process needs no numpy.
    weights = [1 if high == low else 2 for high, low in ROLLS]
    total = sum(value * weight for value, weight in zip(luck, weights, strict=True))
    assert total == pytest.approx(0, abs=1e-9)


def test_a_game_given_up_is_worth_what_it_is_with_the_best_cube() -> None:
    text = POSITION.format(length="money").replace("R 1 turn L", "R 4 turn R")
    [match] = read_bytes(f"{text}R 21 4/1\nR resigns 1\nL wins 1\n".encode(), "a.bgm")
    resigned = [decision for decision in decisions_of_match(replay(match)) if decision.points]
    assert len(resigned) == 2
    for resignation in resigned:
        assert evaluate_exactly(resignation) == PlayingOn(pytest.approx(-2 * (2 * 19 / 36 - 1)))


def test_what_is_not_short_is_left_to_the_engine() -> None:
    roll = next(decision for decision in read_decisions(WAITED) if decision.kind is Kind.PLAY)
    own, other = roll.turn.before
    far = points({OFF: 13, 7: 1, 2: 1})
    crowded = points({OFF: 10, 1: 5})
    for left in (far, crowded):
        turn = roll.turn._replace(before=(left, other))
        assert evaluate_exactly(roll._replace(turn=turn, after=None)) is None
    assert evaluate_exactly(roll) is not None
    assert own != far


@pytest.mark.slow
@pytest.mark.oracle
def test_every_level_says_the_same() -> None:
    pytest.importorskip("bgsage")
    match_decisions = read_decisions(DOUBLED, "7")
    evaluations = [
        start("sage", level).evaluate(match_decisions) for level in ("1ply", "2ply", "standard")
    ]
    assert evaluations[0] == evaluations[1] == evaluations[2]
    assert any(isinstance(answer, CubeEvaluation) for answer in evaluations[0])
