"""Trials: how far the plays that follow are carried out."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from bganalyze.board.movement import ROLLS, Dice, legal_turns
from bganalyze.board.position import OFF, Position, Step, start_position
from bganalyze.record.model import LEFT, Play, Span, other_side
from bganalyze.record.reader import read_bytes
from bganalyze.validation.replaying import replay
from bganalyze.validation.replaying.demands import IMPOSSIBLE, find_constraints
from bganalyze.validation.replaying.replayed import as_boards, seen_by
from bganalyze.validation.replaying.trial import TrialResult, try_actions
from tests.repairing.transcripts import ROWS, record

RECORD = """\
 3 point match

 Game 1
 Ann : 0                              Bob : 0
  1) 31: 8/5 6/5                        62: 24/18 13/11
  2) 42: 8/4 6/4                        {last}
"""

START = (start_position("standard").own, start_position("standard").other)
AT_HOME = (((0,) * 6 + (15,) + (0,) * 19),) * 2
SAMPLES = Path(__file__).parents[3] / "samples" / "clean"


def trial_of(last: str) -> TrialResult:
    """Return what becomes of a game that ends so."""
    data = RECORD.format(last=last).encode()
    (match,) = read_bytes(data, "a.mat")
    (turn, *_) = replay(match).games[0].turns
    return try_actions(turn.before, match.games[0].actions, marks_hits=True, side=None)


@pytest.mark.parametrize(
    ("last", "plays"),
    [
        ("61: 18/11", 4),
        ("61: 24/18", 3),
        ("61: 24/18\n      Wins 1 point", 4),
        ("61:\n      Wins 1 point", 4),
        ("61: 24/18\n  3) Doubles => 2                      Drops\n      Wins 1 point", 3),
        ("61: 24/16\n      Wins 1 point", 3),
    ],
)
def test_a_last_play_before_a_result_need_not_be_whole(last: str, plays: int) -> None:
    trial = trial_of(last)
    assert (trial.plays, trial.is_whole) == (plays, plays == 4)


def test_a_trial_ends_at_a_play_out_of_turn() -> None:
    assert trial_of("\n  3) 61: 13/7 8/7").plays == 3


def test_a_mark_for_nothing_is_counted() -> None:
    assert (trial_of("61: 24/18 6/5").odd_marks, trial_of("61: 24/18 6/5*").odd_marks) == (0, 1)


@pytest.mark.slow
@pytest.mark.parametrize("plays", [1, 2, 3, 6])
def test_every_board_from_which_the_plays_can_be_made_is_as_they_demand(plays: int) -> None:
    (match,) = read_bytes(record(*ROWS), "a.mat")
    turns = replay(match).games[0].turns
    actions = match.games[0].actions
    tested = fitting = 0
    for index, turn in enumerate(turns[:-plays]):
        side, following = turn.action.side, actions[index + 1 :]
        position = Position(turn.before[side], turn.before[other_side(side)])
        demands = find_constraints(turn.before, following, side, plays)
        demanded = {
            (dice, result)
            for dice in ROLLS
            for result, _ in demands.find_fitting_plays(position, dice)
        }
        for dice, result, _ in legal_turns(position):
            after = as_boards(result, side)
            trial = try_actions(after, following, marks_hits=True, side=other_side(side))
            tested += 1
            if trial.plays >= plays:
                fitting += 1
                assert (dice, result) in demanded
    assert 0 < fitting < tested / 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["three-point.mat", "eleven-point.mat", "hypergammon.mat"])
@pytest.mark.parametrize("turns_unknown", [1, 2])
def test_what_the_plays_of_a_clean_match_demand_is_so(name: str, turns_unknown: int) -> None:
    (match,) = read_bytes((SAMPLES / name).read_bytes(), name)
    demanding = 0
    for game in replay(match).games:
        turns = [turn for turn in game.turns if isinstance(turn.action, Play)]
        for index in range(len(turns) - turns_unknown):
            unknown, known = turns[index:][:turns_unknown], turns[index + turns_unknown :]
            following = [turn.action for turn in known]
            for turn, plays in product(unknown, (1, 3, 12)):
                side = turn.action.side
                demands = find_constraints(unknown[0].before, following, side, plays)
                demanding += bool(demands.at_least or demands.at_most)
                assert demands.are_met_by(seen_by(turn.after, side)), turn.action
    assert demanding > 50


@pytest.mark.parametrize(
    ("last", "is_possible"),
    [
        ("61: 24/18 18/16", False),
        ("61: 18/24", False),
        ("61: 24/18", True),
        ("61: 24/20 20/17", True),
        ("11: 24/20 6/5", False),
        ("64: 4/off 3/off", True),
    ],
)
def test_of_a_play_of_more_pips_than_its_dice_no_board_makes_a_legal_one(
    last: str, is_possible: bool
) -> None:
    (match,) = read_bytes(RECORD.format(last=last).encode(), "a.mat")
    first, *following = match.games[0].actions
    assert (find_constraints(AT_HOME, following, first.side, 9) != IMPOSSIBLE) is is_possible
    assert find_constraints(AT_HOME, following, first.side, 2) != IMPOSSIBLE


@pytest.mark.parametrize(
    ("dice", "rear", "is_possible"),
    [
        ((6, 6), 4, True),
        ((6, 6), 5, False),
        ((6, 5), 2, True),
        ((6, 5), 3, False),
        ((7, 6), 9, True),
    ],
)
def test_none_bears_off_before_a_turn_and_the_plays_can_bring_its_checkers_home(
    dice: Dice, rear: int, is_possible: bool
) -> None:
    """Each of the rear checkers is twelve pips from home."""
    home = AT_HOME[0]
    own = *home[:6], home[6] - rear, *home[7:18], rear, *home[19:]
    play = Play(Span(1, 1, 2), None, LEFT, dice, (Step((6, OFF), (False,)),))
    assert (find_constraints((own, home), [play], LEFT, 1) != IMPOSSIBLE) is is_possible


def test_where_the_other_side_lands_later_there_must_be_room() -> None:
    data = RECORD.format(last="65: 18/7").encode()
    (match,) = read_bytes(data, "a.mat")
    first, *following = match.games[0].actions
    assert dict(find_constraints(START, following, first.side, 1).at_most) == {7: 1, 14: 1}
    assert dict(find_constraints(START, following, first.side, 3).at_most) == {7: 1, 14: 1, 18: 1}
