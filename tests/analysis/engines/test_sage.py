"""Open Sage: its own results for single decisions, luck that comes to nothing, and its absence."""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bganalyze.analysis.analyzed import loss, make_rows_with_evaluations
from bganalyze.analysis.decisions import Decision, Kind, decisions_of_match
from bganalyze.analysis.engines import (
    CubeEvaluation,
    EngineError,
    PlayEvaluation,
    PlayingOn,
    sage,
    start,
)
from bganalyze.analysis.engines.networks import (
    SageCube,
    board_of,
    load_networks,
    position_of,
    possible_chances,
)
from bganalyze.analysis.engines.sage import ROLLS, equities
from bganalyze.board.movement import Dice
from bganalyze.board.plays import legal_plays
from bganalyze.board.position import (
    BAR,
    OFF,
    Points,
    Position,
    points,
    start_position,
    swap_sides,
)
from bganalyze.packages import OPEN_SAGE, install_command
from bganalyze.record.reader import read, read_bytes
from bganalyze.validation.replaying import replay
from tests.analysis.test_match import OVERFULL

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).parents[3] / "samples"


def read_decisions(name: str) -> list[Decision]:
    [match] = read(str(SAMPLES / name))
    return list(decisions_of_match(replay(match)))


def equal(equities: Any) -> Any:
    """Return equities to be compared: the order of a sum may differ from processor to processor."""
    return pytest.approx(equities, abs=1e-5)


@pytest.fixture(scope="module")
def bgsage() -> Any:
    return pytest.importorskip("bgsage")


def on_its_board(decision: Decision) -> dict[str, Any]:
    """Return a decision of a match as the package's functions for one decision take it."""
    answers = decision.kind in (Kind.TAKE, Kind.PASS)
    side = 1 - decision.side if answers else decision.side
    position = swap_sides(decision.position) if answers else decision.position
    score, length = decision.context.score, decision.length
    owners = {None: "centered", side: "player", 1 - side: "opponent"}
    return {
        "board": board_of(position),
        "cube_value": decision.cube,
        "cube_owner": owners[decision.owner],
        "away1": length - score[side],
        "away2": length - score[1 - side],
        "is_crawford": decision.context.crawford,
    }


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Draw a position of 15 checkers a side, with no point held by both."""
    own = draw(st.lists(st.integers(0, 25), min_size=15, max_size=15))
    free = [point for point in range(26) if point in (0, 25) or 25 - point not in own]
    other = draw(st.lists(st.sampled_from(free), min_size=15, max_size=15))
    return Position(
        *(points({point: side.count(point) for point in side}) for side in (own, other))
    )


@given(positions())
def test_a_board_can_be_read_back(position: Position) -> None:
    assert position_of(board_of(position), position) == position


def test_a_board_seen_from_the_other_side_is_flipped(bgsage: Any) -> None:
    for decision in read_decisions("clean/short-match.mat"):
        flipped = bgsage.flip_board(board_of(decision.position))
        assert list(flipped) == board_of(swap_sides(decision.position))


@pytest.mark.oracle
def test_at_1ply_all_is_as_the_package_says_of_single_decisions(bgsage: Any) -> None:
    match_decisions = read_decisions("clean/short-match.mat")
    analyzer = bgsage.BgBotAnalyzer(eval_level="1ply")
    for decision, evaluation in zip(
        match_decisions, start("sage", "1ply").evaluate(match_decisions), strict=True
    ):
        arguments = on_its_board(decision)
        if isinstance(evaluation, PlayEvaluation):
            high, low = decision.dice or (0, 0)
            expected = analyzer.checker_play(die1=high, die2=low, **arguments).moves
            assert [candidate.equity for candidate in evaluation.candidates] == equal(
                [m.equity for m in expected[:10]]
            )
        elif isinstance(evaluation, CubeEvaluation):
            expected = analyzer.cube_action(**arguments)
            assert [evaluation.no_double, evaluation.take, evaluation.passed] == equal(
                [expected.equity_nd, expected.equity_dt, expected.equity_dp]
            )


@pytest.mark.oracle
def test_at_2ply_too_where_all_is_looked_at(bgsage: Any) -> None:
    game = [
        decision
        for decision in read_decisions("clean/short-match.mat")
        if decision.context.game == 1
    ][:7]
    analyzer = bgsage.BgBotAnalyzer(eval_level="2ply")
    for decision, evaluation in zip(
        game, start("sage", "2ply-exhaustive").evaluate(game), strict=True
    ):
        arguments = on_its_board(decision)
        if isinstance(evaluation, PlayEvaluation):
            high, low = decision.dice or (0, 0)
            forced = [board_of(decision.after)] if decision.after else []
            expected = analyzer.checker_play(
                die1=high, die2=low, force_boards=forced, **arguments
            ).moves
            assert [candidate.equity for candidate in evaluation.candidates] == equal(
                [m.equity for m in expected[:10]]
            )
        elif isinstance(evaluation, CubeEvaluation):
            assert evaluation.no_double == equal(analyzer.cube_action(**arguments).equity_nd)


@pytest.mark.oracle
@pytest.mark.parametrize("level", ["1ply", "2ply", "standard", "3ply"])
@pytest.mark.parametrize("away", [3, 5])
def test_waiting_costs_nothing_after_the_crawford_game(bgsage: Any, level: str, away: int) -> None:
    """The side behind, at an odd number of points, can as well double at its next turn."""
    opening = start_position("standard")
    roll = make_roll_decision((opening.own, opening.other), (3, 1), 7, (7 - away, 6))
    turn = roll.turn._replace(context=roll.context._replace(crawford=False))
    decision = roll._replace(kind=Kind.NO_DOUBLE, turn=turn, dice=None)
    [evaluation] = start("sage", level).evaluate([decision])
    assert isinstance(evaluation, CubeEvaluation)
    assert 0.2 < evaluation.take < 0.5 < evaluation.passed
    assert evaluation.no_double == pytest.approx(evaluation.take, abs=0.005)


FIFTH = (
    points({1: 1, 2: 2, 4: 3, 5: 2, 6: 2, 9: 1, 15: 2, 18: 2}),
    points({1: 1, 2: 2, 3: 2, 4: 2, 6: 2, 8: 3, 13: 2, 22: 1}),
)
"""From the final of the Japan Open 2010. With 4-3 the best play is fifth at 1ply."""


def make_roll_decision(
    board: tuple[Points, Points], dice: Dice, length: int, score: tuple[int, int]
) -> Decision:
    """Return the decision of left to play a roll on a board."""
    roll = next(
        decision
        for decision in read_decisions("clean/short-match.mat")
        if decision.kind is Kind.PLAY
    )
    context = roll.context._replace(
        terms=roll.context.terms._replace(length=length),
        score=score,
        crawford=length - max(score) == 1,
    )
    turn = roll.turn._replace(before=board, context=context)
    return roll._replace(side=0, turn=turn, dice=dice, after=None)


@pytest.mark.oracle
def test_the_best_play_is_looked_at_though_far_behind(bgsage: Any) -> None:
    roll = make_roll_decision(FIFTH, (4, 3), 7, (0, 5))
    screened, exhaustive = (
        start("sage", level).evaluate([roll])[0] for level in ("2ply", "2ply-exhaustive")
    )
    assert isinstance(screened, PlayEvaluation)
    assert isinstance(exhaustive, PlayEvaluation)
    [best, *_] = screened.candidates
    assert best == exhaustive.candidates[0]
    [at_1ply] = equities([roll.situation])
    assert max(at_1ply.values()) - at_1ply[best.after] > 0.25


DECIDED = (points({1: 2, 2: 4, 3: 2, OFF: 7}), points({3: 7, 6: 3, 18: 1, 19: 1, OFF: 3}))
"""A race that left has won. The network alone gives 37 to 89 % gammons, whatever is rolled."""


@pytest.mark.parametrize("mirrored", [False, True])
def test_no_gammon_is_lost_by_who_has_borne_off(bgsage: Any, mirrored: bool) -> None:
    board = DECIDED[::-1] if mirrored else DECIDED
    for dice in ((5, 2), (6, 3), (3, 3)):
        [evaluation] = start("sage", "1ply").evaluate([make_roll_decision(board, dice, 5, (0, 0))])
        assert isinstance(evaluation, PlayEvaluation)
        [best, *_] = evaluation.candidates
        assert best.chances is not None
        assert best.chances[1:] == (0.0, 0.0, 0.0, 0.0)
        assert best.equity == pytest.approx(-1.0 if mirrored else 1.0, abs=0.001)
        assert evaluation.luck == pytest.approx(0.0, abs=0.001)


@pytest.mark.parametrize(
    ("own", "other", "lost"),
    [
        ({18: 1, 6: 14}, {1: 1, OFF: 14}, [0.5, 0.0]),
        ({19: 1, 6: 14}, {1: 1, OFF: 14}, [0.5, 0.25]),
        ({18: 1, 6: 14}, {8: 1, OFF: 14}, [0.5, 0.25]),
        ({18: 1, 6: 14}, {BAR: 1, OFF: 14}, [0.5, 0.25]),
        ({BAR: 1, 6: 13, OFF: 1}, {1: 1, OFF: 14}, [0.0, 0.0]),
    ],
)
def test_what_can_still_be_lost(
    own: dict[int, int], other: dict[int, int], lost: list[float]
) -> None:
    board = board_of(Position(points(own), points(other)))
    assert possible_chances(board, [0.1, 0.0, 0.0, 0.5, 0.25])[3:] == lost
    flipped = board_of(Position(points(other), points(own)))
    assert possible_chances(flipped, [0.9, 0.5, 0.25, 0.0, 0.0])[1:3] == lost


def test_a_double_is_analyzed_without_impossible_gammons(bgsage: Any) -> None:
    cube = SageCube(1, "CENTERED", (5, 5), crawford=False, jacoby=False)
    board = board_of(Position(*DECIDED))
    evaluation = load_networks().cube_without_search(board, cube)
    assert evaluation.chances is not None
    assert evaluation.chances[1:] == (0.0, 0.0, 0.0, 0.0)
    [left] = load_networks().evaluate_boards_after_plays([board], cube)
    assert left.probs[1:] == [0.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize("with_cube", [True, False])
def test_short_bear_offs_with_a_cube_are_the_first_part(with_cube: bool) -> None:
    match = read_decisions("clean/short-match.mat")
    last = match[-1]
    terms = last.context.terms._replace(cube_limit=None if with_cube else 1)
    turn = last.turn._replace(
        before=(points({1: 2}), points({2: 1})), context=last.context._replace(terms=terms)
    )
    match[10:12] = [last._replace(turn=turn)] * 2
    parts = sage.Sage("2.0", "2ply").split_decisions(match)
    assert sorted(place for part in parts for place in part) == list(range(len(match)))
    assert ({10, 11} <= {*parts[0]}) is with_cube
    assert all(len(part) <= sage.PART for part in parts[1:])


@pytest.mark.oracle
def test_what_is_screened_is_analyzed_as_it_is_where_all_is_looked_at() -> None:
    pytest.importorskip("bgsage")
    opening = read_decisions("clean/short-match.mat")[:24]
    screened, exhaustive = (
        list(make_rows_with_evaluations(opening, start("sage", level).evaluate(opening)))
        for level in ("2ply", "2ply-exhaustive")
    )
    for row, other in zip(screened, exhaustive, strict=True):
        assert (row.better, row.best, row.luck) == (other.better, other.best, other.luck)
        assert row.reached == other.reached
        assert loss(row) == equal(loss(other))


@pytest.mark.oracle
def test_waiting_is_worth_the_best_play_of_every_roll(bgsage: Any) -> None:
    """The package's function for cubes is lower here: it leaves out the best play of a 1-1."""
    board = [0, 0, 0, 0, 0, 0, 5, 0, 4, -2, 2, 0, -2, 2, -2, 0, 0, -4, 2, -3, 0, -2, 0, 0, 0, 0]
    cube = SageCube(1, "CENTERED", (3, 7), crawford=False, jacoby=False)
    total = 0.0
    for high, low in ROLLS:
        left = [
            {
                "board": bgsage.flip_board(after),
                "cube_value": 1,
                "cube_owner": "centered",
                "away1": 7,
                "away2": 3,
            }
            for after in bgsage.possible_moves(board, high, low)
        ]
        cubes = bgsage.batch_cube_action(left, jacoby=False, beaver=False, n_threads=1)
        best = max(-max(cube.equity_nd, min(cube.equity_dt, cube.equity_dp)) for cube in cubes)
        total += best * (1 if high == low else 2)
    waiting, _ = load_networks().search_no_double_and_take(board, cube, 2)
    assert waiting == pytest.approx(total / 36, abs=2e-5)
    assert load_networks().search_cube(board, cube, 2).no_double < waiting - 0.002


class Asked:
    """Networks that say what waiting and a take are worth, by either function."""

    def __init__(self, cost: float, take: float) -> None:
        self._waiting, self._take = min(take, 1.0) + cost, take

    def cube_without_search(self, *_: object) -> CubeEvaluation:
        return CubeEvaluation(self._waiting, self._take)

    def search_no_double_and_take(self, *_: object) -> tuple[float, float]:
        return self._waiting, self._take


@pytest.mark.parametrize("take", [0.5, 1.75])
@pytest.mark.parametrize(
    ("cost", "is_searched"),
    [
        (-0.5, False),
        (0.0, False),
        (0.004, False),
        (0.006, True),
        (0.12, True),
        (0.135, False),
        (0.2, False),
        (0.21, True),
    ],
)
def test_a_double_that_is_a_mistake_is_left_to_the_search_for_plays(
    cost: float, is_searched: bool, take: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = next(
        decision
        for decision in read_decisions("clean/short-match.mat")
        if decision.kind is Kind.NO_DOUBLE
    )
    monkeypatch.setattr(sage, "load_networks", lambda: Asked(cost, take))
    monkeypatch.setattr(sage, "_search_cube", lambda *_: CubeEvaluation(-9.0, -9.0))
    [evaluation] = sage.Sage("2.0", "2ply").evaluate([waited])
    assert isinstance(evaluation, CubeEvaluation)
    assert (evaluation.take == take) is is_searched


@pytest.mark.oracle
def test_the_equities_of_plays_are_those_of_the_network_alone() -> None:
    pytest.importorskip("bgsage")
    roll = read_decisions("clean/short-match.mat")[0]
    [evaluation] = start("sage", "1ply").evaluate([roll])
    assert isinstance(evaluation, PlayEvaluation)
    [worth] = equities([roll.situation])
    assert worth == equal({play.after: play.equity for play in evaluation.candidates})


@pytest.mark.oracle
def test_every_play_is_found_among_the_legal_ones(bgsage: Any) -> None:
    match_decisions = read_decisions("clean/short-match.mat")
    for decision, evaluation in zip(
        match_decisions, start("sage").evaluate(match_decisions), strict=True
    ):
        if isinstance(evaluation, PlayEvaluation):
            assert decision.dice
            legal = legal_plays(decision.position, decision.dice)
            assert {candidate.after for candidate in evaluation.candidates} <= set(legal)
            assert evaluation.reached is not None
            assert evaluation.reached.after == decision.after


@pytest.mark.oracle
def test_luck_comes_to_nothing_over_all_rolls(bgsage: Any) -> None:
    plays = [
        decision
        for decision in read_decisions("clean/short-match.mat")
        if decision.kind is Kind.PLAY
    ]
    roll = plays[5]
    rolls = [roll._replace(dice=dice, after=None) for dice in ROLLS]
    evaluations = start("sage").evaluate(rolls)
    luck = [evaluation.luck for evaluation in evaluations if isinstance(evaluation, PlayEvaluation)]
    weights = [1 if high == low else 2 for high, low in ROLLS]
    total = sum(value * weight for value, weight in zip(luck, weights, strict=True) if value)
    assert total == pytest.approx(0, abs=1e-9)


@pytest.mark.oracle
def test_luck_of_the_first_roll_may_be_the_other_sides(bgsage: Any) -> None:
    first, *_ = read_decisions("clean/short-match.mat")
    singles = [dice for dice in ROLLS if dice[0] != dice[1]]
    evaluations = start("sage").evaluate(
        [first._replace(dice=dice, after=None) for dice in singles]
    )
    luck = [evaluation.luck for evaluation in evaluations if isinstance(evaluation, PlayEvaluation)]
    assert sum(filter(None, luck)) > 0, "to roll the higher die is luck already"


@pytest.mark.oracle
def test_an_illegal_play_is_analyzed_by_what_it_left(bgsage: Any) -> None:
    match_decisions = read_decisions("faulty/P404-small-die.mat")
    rows = list(
        make_rows_with_evaluations(match_decisions, start("sage").evaluate(match_decisions))
    )
    [illegal] = [row for row in rows if row.legal is False]
    assert loss(illegal) is not None


@pytest.mark.oracle
def test_bearing_off_the_last_checker_is_never_an_error(bgsage: Any) -> None:
    last = next(
        decision
        for decision in read_decisions("clean/short-match.mat")
        if decision.kind is Kind.PLAY
    )
    one_left, other = points({OFF: 14, 3: 1}), points({20: 2, 6: 13})
    turn = last.turn._replace(before=(one_left, other)[:: 1 if last.side == 0 else -1])
    won = last._replace(turn=turn, dice=(4, 1), after=Position(points({OFF: 15}), other))
    [evaluation] = start("sage").evaluate([won])
    assert isinstance(evaluation, PlayEvaluation)
    assert evaluation.reached
    assert evaluation.reached.equity == equal(evaluation.candidates[0].equity)


def test_a_board_with_too_many_checkers_is_not_analyzed(bgsage: Any) -> None:
    del bgsage
    (match,) = read_bytes(OVERFULL.format("CDEF").encode(), "a.mat")
    decisions = list(decisions_of_match(replay(match)))
    assert len(decisions) == 4
    assert start("sage", "1ply").evaluate(decisions) == [None] * 4


def test_a_long_match_is_refused() -> None:
    from bganalyze.analysis.engines.sage import Sage

    first, *_ = read_decisions("clean/short-match.mat")
    terms = first.context.terms._replace(length=31)
    context = first.context._replace(terms=terms)
    long = first._replace(turn=first.turn._replace(context=context))
    with pytest.raises(EngineError, match="25 points"):
        Sage("2.0", "1ply").evaluate([long])


def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bgsage", None)
    with pytest.raises(EngineError) as caught:
        start("sage")
    assert install_command(OPEN_SAGE) in str(caught.value)


def test_a_package_that_cannot_be_loaded_says_why(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("bgsage")
    (tmp_path / "bgsage.py").write_text("raise OSError('no weights')", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "bgsage")
    with pytest.raises(EngineError, match=r"cannot be loaded: OSError\('no weights'\); choose"):
        start("sage")


def test_an_old_package_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("bgsage")
    monkeypatch.setattr("bganalyze.analysis.engines.sage.version", lambda _: "1.9")
    assert importlib.metadata.version("bgsage") != "1.9"
    with pytest.raises(EngineError, match=r"1\.9 is too old"):
        start("sage")


RESIGNED = (
    b"bganalyze match\nlength: 7\n\ngame 1\nL 31 8/5 6/5\nR 42 8/4 6/4\nL 66 24/18(2) 13/7(2)\n"
)


@pytest.mark.oracle
def test_a_game_given_up_is_worth_what_it_is_before_the_roll(bgsage: Any) -> None:
    rolls, resigns = (
        list(decisions_of_match(replay(read_bytes(RESIGNED + ending, "some.bgm")[0])))
        for ending in (b"R 31 24/20\n", b"R resigns 1\nL wins 1\n")
    )
    evaluation = start("sage").evaluate(rolls)[-2]
    resigned, accepted = start("sage").evaluate(resigns)[-2:]
    assert isinstance(evaluation, CubeEvaluation)
    worth = max(evaluation.no_double, min(evaluation.take, evaluation.passed))
    assert isinstance(resigned, PlayingOn)
    assert resigned.equity == pytest.approx(worth, abs=1e-5)
    assert accepted == resigned
