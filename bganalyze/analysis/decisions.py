r"""Decisions of the players in a replayed match, in the order of the match file.

A roll calls for a play. Before it, if the cube is available, the side doubles or not; a double
calls for an answer. The list of decisions depends on the rules only, not on equities.

>>> from bganalyze.validation.replaying import replay
>>> from bganalyze.record.reader import read_bytes
>>> text = b" 5 point match\n\n Game 1\n A : 0    B : 0\n  1) 31: 8/5 6/5   42: 8/4 6/4\n"
>>> [match] = read_bytes(text + b"  2)  Doubles => 2   Drops\n      Wins 1 point\n", "a.mat")
>>> [str(decision.kind) for decision in decisions_of_match(replay(match))]
['play', 'no-double', 'play', 'double', 'pass']
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from bganalyze.board.cube import is_dead
from bganalyze.board.ids import Situation
from bganalyze.board.movement import Dice, are_dice
from bganalyze.board.plays import legal_plays
from bganalyze.board.position import HOME, OFF, Position, Step, checkers
from bganalyze.record.model import (
    Analysis,
    Answer,
    Double,
    Play,
    Resignation,
    Result,
    Side,
    Span,
    other_side,
)
from bganalyze.validation.replaying.replayed import Context, GameReplay, Turn
from bganalyze.validation.replaying.terms import start_of

if TYPE_CHECKING:
    from bganalyze.validation.replaying import MatchReplay


class Kind(StrEnum):
    """Kinds of decisions."""

    PLAY = "play"
    NO_DOUBLE = "no-double"
    DOUBLE = "double"
    BEAVER = "beaver"
    RACCOON = "raccoon"
    TAKE = "take"
    PASS = "pass"
    TAKE_BEAVER = "take-beaver"
    PASS_BEAVER = "pass-beaver"
    TAKE_RACCOON = "take-raccoon"
    PASS_RACCOON = "pass-raccoon"
    RESIGNATION = "resignation"
    ACCEPT = "accept"
    DECLINE = "decline"
    """`ACCEPT` and `DECLINE` answer a resignation."""


ANSWERS = (Kind.TAKE, Kind.PASS)
BEAVER_ANSWERS = (Kind.TAKE_BEAVER, Kind.PASS_BEAVER)
RACCOON_ANSWERS = (Kind.TAKE_RACCOON, Kind.PASS_RACCOON)

TO_OFFERS = (*ANSWERS, Kind.BEAVER, *BEAVER_ANSWERS, Kind.RACCOON, *RACCOON_ANSWERS)
"""Decisions that are made while a cube is on offer."""

TO_DOUBLER = (*ANSWERS, Kind.BEAVER, *RACCOON_ANSWERS)
"""Decisions of the side that was doubled."""

OFFERS = (Kind.DOUBLE, Kind.BEAVER, Kind.RACCOON)

ILLEGAL_OFFERS = frozenset(
    (
        *("not-owner", "double-out-of-turn", "crawford-double", "wrong-value"),
        *("beaver-not-allowed", "opening-cube", "no-cube-game"),
    )
)
"""Rules that an offer of the cube can break. Turning a dead cube is a mistake, but allowed."""

FEW_LEFT = 4
"""Most checkers each side may have in a short bear-off. Four checkers of one side have 210
positions, and solving all of them takes at most a tenth of a second; five would take a second."""

GIVING_UP = (Kind.RESIGNATION, Kind.ACCEPT, Kind.DECLINE)
"""Resignations and the answers to them."""


class Decision(NamedTuple):
    """A choice of a player: a play, a cube action or a resignation, with all it depends on."""

    kind: Kind
    side: Side
    """The side that decides."""
    turn: Turn
    """The recorded action, with the board and the cube before it."""
    offer: int = 0
    """The cube value if the double is taken."""
    dice: Dice | None = None
    """The roll; for a resignation, the roll that was not played."""
    after: Position | None = None
    """The position after the play, seen by `side`; None if the record shows no play."""
    legal: bool | None = None
    """Whether the play is legal; None if there is no play. False for an illegal double and for its
    answers."""
    forced: bool = False
    """Whether the roll left no choice: a single legal play, or no legal play."""
    steps: tuple[Step, ...] = ()
    """The play as recorded."""
    stored: Analysis | None = None
    """The analysis stored with this action in the match file."""
    points: int | None = None
    """The points that a resignation gives up, if known."""
    on_roll: Side | None = None
    """The side to roll when a game is resigned; None if that is unknown."""

    @property
    def context(self) -> Context:
        """The score, match length and rules of the game."""
        return self.turn.context

    @property
    def position(self) -> Position:
        """The board before the decision, seen by the side that decides."""
        return self.turn.position(self.side)

    @property
    def cube(self) -> int:
        """The cube value before the decision; for an answer, the value before the double."""
        return self.turn.cube.value

    @property
    def owner(self) -> Side | None:
        """The side that owns the cube, or None."""
        return self.turn.cube.owner

    @property
    def situation(self) -> Situation:
        """The position, cube, score and dice before the decision, seen by the roller or doubler."""
        on_roll = self.doubler if self.on_roll is None else self.on_roll
        offered = self.kind in TO_OFFERS
        return self.turn.situation(on_roll, self.dice)._replace(offered=offered)

    @property
    def doubler(self) -> Side:
        """The side that may double; for an answer, the side that doubled first."""
        return other_side(self.side) if self.kind in TO_DOUBLER else self.side

    @property
    def length(self) -> int:
        """The match length; 0 in money play or if unknown."""
        return self.context.terms.length or 0


def decisions_of_match(replayed: MatchReplay) -> Iterator[Decision]:
    """Yield the decisions of a match in order, without corrected plays and repeated rolls."""
    for game in replayed.games:
        yield from decisions_of_game(game)


def decisions_of_game(game: GameReplay) -> Iterator[Decision]:
    """Yield the decisions of one game in order, up to its end."""
    rolled, is_illegal_offer = False, False
    last: Decision | None = None
    faulty = _find_illegal_offers(game)
    for turn in find_valid_turns(game):
        is_illegal_offer &= turn.cube.is_open
        for decision in _find_decisions_of_turn(turn, game, rolled):
            if decision.kind is Kind.PLAY:
                last = decision
            if decision.kind in OFFERS:
                is_illegal_offer |= turn.action.span in faulty or _is_illegal_double(decision)
            if is_illegal_offer and decision.kind in (*OFFERS, *TO_OFFERS):
                yield decision._replace(legal=False)
            else:
                yield _add_side_to_roll(decision, last) if decision.kind in GIVING_UP else decision
        rolled = rolled or (isinstance(turn.action, Play) and turn.action.dice is not None)


def find_valid_turns(game: GameReplay) -> Iterator[Turn]:
    """Yield the turns of a game up to its end, without corrected plays and repeated rolls."""
    left_out = game.corrected() | game.not_rolled
    for turn in game.turns:
        if turn.action.span in left_out:
            continue
        yield turn
        if _ends_game(turn):
            return


def may_double(turn: Turn, side: Side) -> bool:
    """Whether a side that is about to roll may double and could gain by it."""
    context, cube = turn.context, turn.cube
    if not context.terms.cube_in_play or context.crawford or cube.is_open:
        return False
    if context.terms.cube_limit is not None and cube.value >= context.terms.cube_limit:
        return False
    dead = is_dead(cube.value, context.terms.length or 0, context.score[side])
    return cube.may_double(side) and not dead


def is_forced(position: Position, dice: Dice) -> bool:
    """Whether all legal plays of a roll lead to the same position or bear off the last checker.

    A roll without a legal play also counts as forced.
    """
    results = legal_plays(position, dice)
    return len({result if any(result.own[1:]) else None for result in results}) == 1


def is_short_bearoff(position: Position) -> bool:
    """Whether each side has 1 to 4 checkers left, all in its home board."""
    return all(0 < checkers(side) <= FEW_LEFT and not any(side[HOME + 1 :]) for side in position)


def is_resignation_before_roll(decision: Decision) -> bool:
    """Whether a decision is a resignation, or its answer, while no roll waits to be played.

    The result is False if the side to roll is unknown.
    """
    return decision.kind in GIVING_UP and decision.on_roll is not None and decision.dice is None


def resigner(decision: Decision) -> Side:
    """Return the side that resigns; `decision` is the resignation or its answer."""
    return decision.side if decision.kind is Kind.RESIGNATION else other_side(decision.side)


def _find_decisions_of_turn(turn: Turn, game: GameReplay, has_rolled: bool) -> Iterator[Decision]:
    """Yield the decisions of one turn, if it has any: cube actions, plays and resignations.

    `has_rolled` says whether a roll came earlier in the game.
    """
    match turn.action:
        case Play() as play:
            yield from _find_decisions_of_roll(turn, play, has_rolled)
        case Double() as double:
            yield _make_decision_to_double(turn, double)
        case Answer() as answer if turn.cube.is_open:
            yield _make_decision_of_answer(turn, answer)
        case Resignation(manner="resigned" | "resigned-match") as given_up:
            points = _find_points_given_up(given_up, turn, game)
            reply = Kind.DECLINE if given_up.declined else Kind.ACCEPT
            yield from _make_decisions_of_resignation(turn, given_up.side, points, reply)
        case Result() as result if game.ending.kind == "resigned":
            yield from _make_decisions_of_resignation(
                turn, other_side(result.side), result.points, Kind.ACCEPT
            )
        case _:
            pass


def _find_illegal_offers(game: GameReplay) -> frozenset[Span]:
    """Return the places in the match file of illegal doubles and beavers."""
    return frozenset(
        problem.span
        for problem in game.problems
        if problem.rule in ILLEGAL_OFFERS and problem.about.get("known", True)
    )


def _is_illegal_double(decision: Decision) -> bool:
    """Whether a decision is a double that the rules forbid."""
    if decision.kind is not Kind.DOUBLE:
        return False
    cube, context = decision.turn.cube, decision.context
    is_crawford = context.crawford and context.crawford_known
    may_double = cube.may_double(decision.side) and not cube.is_open
    # In the Crawford game, without a cube, or with the opponent's cube.
    return is_crawford or not may_double or not context.terms.cube_in_play


def _ends_game(turn: Turn) -> bool:
    """Whether a turn ends the game."""
    match turn.action:
        case Play():
            return any(side[OFF] and not any(side[1:]) for side in turn.after)
        case Answer() as answer:
            return not answer.taken and turn.cube.is_open
        case Resignation() as given_up:
            return not given_up.declined
        case _:
            return isinstance(turn.action, Result)


def _find_decisions_of_roll(turn: Turn, play: Play, has_rolled: bool) -> Iterator[Decision]:
    """Yield the decision not to double before a roll, if a double was possible, and the play.

    `has_rolled` says whether a roll came earlier; before the first roll, nobody may double.
    """
    if play.dice is None or not are_dice(play.dice):
        return
    base = _make_decision(turn, Kind.PLAY, play.side)
    opening = not has_rolled and turn.before == start_of(turn.context.terms.variant)
    if may_double(turn, play.side) and not opening:
        yield base._replace(kind=Kind.NO_DOUBLE)
    yield base._replace(
        dice=play.dice,
        after=_find_position_after_play(turn, play),
        legal=False if play.called_illegal else turn.legality and turn.legality.fault is None,
        forced=is_forced(base.position, play.dice),
        steps=play.steps,
    )


def _find_position_after_play(turn: Turn, play: Play) -> Position | None:
    """Return the position after a play, or None if the play is not recorded."""
    is_recorded = turn.legality is not None or (play.called_illegal and turn.after != turn.before)
    own, other = turn.after[play.side], turn.after[1 - play.side]
    return Position(own, other) if is_recorded else None


def _make_decision_to_double(turn: Turn, double: Double) -> Decision:
    """Return a double, beaver or raccoon as a decision."""
    decision = _make_decision(turn, Kind(double.kind), double.side)
    return decision._replace(offer=turn.cube.next_value)


def _make_decision_of_answer(turn: Turn, answer: Answer) -> Decision:
    """Return the answer to a double, beaver or raccoon as a decision."""
    turned = turn.cube.offer // turn.cube.value
    # An offer of 4 or 8 times the cube is a beaver or raccoon.
    kinds = {4: BEAVER_ANSWERS, 8: RACCOON_ANSWERS}.get(turned, ANSWERS)
    return _make_decision(turn, kinds[not answer.taken], answer.side)._replace(
        offer=turn.cube.offer
    )


def _make_decisions_of_resignation(
    turn: Turn, side: Side, points: int | None, answer: Kind
) -> Iterator[Decision]:
    """Yield the decision of `side` to resign `points`, then the opponent's `answer`."""
    # While a double is open, the cube value is not settled.
    points = None if turn.cube.is_open else points
    yield _make_decision(turn, Kind.RESIGNATION, side)._replace(points=points)
    yield _make_decision(turn, answer, other_side(side))._replace(points=points)


def _find_points_given_up(resignation: Resignation, turn: Turn, game: GameReplay) -> int | None:
    """Return the number of points that a resignation gives up, or None if unknown."""
    context = turn.context
    if resignation.manner == "resigned-match" and context.terms.length:
        return context.terms.length - context.score[other_side(resignation.side)]
    if resignation.points is not None:
        return resignation.points
    if resignation.size is not None:
        return resignation.size * turn.cube.value
    return None if resignation.declined else game.ending.counting


def _add_side_to_roll(decision: Decision, last_roll: Decision | None) -> Decision:
    """Return a decision about a resignation with the side on roll (`on_roll`) added.

    If the `last_roll` was not played before the resignation, its dice are added too.
    """
    if last_roll is None:
        return decision
    # The roll is not played yet.
    if last_roll.after is None:
        return decision._replace(on_roll=last_roll.side, dice=last_roll.dice)
    return decision._replace(on_roll=other_side(last_roll.side))


def _make_decision(turn: Turn, kind: Kind, side: Side) -> Decision:
    """Return a decision of this kind by `side`, still without dice, play and points."""
    return Decision(kind, side, turn, stored=getattr(turn.action, "analysis", None))
