r"""Decisions: what the players of a replayed match had to decide, in the order of the record.

A throw asks for a play, and before it, where the cube could be turned, for a double or none; a
double asks for an answer. Nothing is judged here by its worth, only by the rules.

>>> from bganalyze.replaying import replay
>>> from bganalyze.transcript.reader import read_bytes
>>> text = b" 5 point match\n\n Game 1\n A : 0    B : 0\n  1) 31: 8/5 6/5   42: 8/4 6/4\n"
>>> [match] = read_bytes(text + b"  2)  Doubles => 2   Drops\n      Wins 1 point\n", "a.mat")
>>> [str(decision.kind) for decision in decisions(replay(match))]
['play', 'no-double', 'play', 'double', 'drop']
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from bganalyze.board.movement import Dice, are_dice
from bganalyze.board.plays import legal_plays
from bganalyze.board.position import OFF, Position, Step
from bganalyze.board.scoring import is_dead
from bganalyze.board.variants import VARIANTS
from bganalyze.facts import Context, GameReplay, Turn
from bganalyze.findings import Standing
from bganalyze.replaying import MatchReplay
from bganalyze.transcript.model import (
    Analysis,
    Answer,
    Double,
    Play,
    Resignation,
    Result,
    Side,
    Span,
)


class Kind(StrEnum):
    """What was decided."""

    PLAY = "play"
    NO_DOUBLE = "no-double"
    DOUBLE = "double"
    BEAVER = "beaver"
    RACCOON = "raccoon"
    TAKE = "take"
    DROP = "drop"
    RESIGNATION = "resignation"


class Decision(NamedTuple):
    """One decision, with all that it depends on."""

    kind: Kind
    side: Side
    """Who decides."""
    position: Position
    """Before it, seen by `side`."""
    context: Context
    """Score, length, Crawford and money rules of the game."""
    cube: int
    """What the cube shows; where it is on offer, before the first offer."""
    owner: Side | None
    """Whose cube it was then; None in the centre."""
    row: str | None
    span: Span
    """Where it stands in the record: for no double, where its throw stands."""
    verified: bool = True
    """False where the board is in doubt since a fault of the record."""
    offer: int = 0
    """The value if a double is taken; of an answer, the value in answer to which it was given."""
    dice: Dice | None = None
    left: Position | None = None
    """What the play left, seen by `side`; None where the record does not show a play."""
    legal: bool | None = None
    """Whether the play is legal; None where there is none to judge."""
    forced: bool = False
    """Whether the throw left no choice: one play, or none."""
    steps: tuple[Step, ...] = ()
    """The play as recorded."""
    stored: Analysis | None = None
    """What a program has stored in the record, with this action."""
    points: int | None = None
    """What a resignation was worth, where the record says."""

    @property
    def length(self) -> int:
        """The points that the match is played to; 0 where it is played for money or unknown."""
        return self.context.length or 0


def decisions(replayed: MatchReplay) -> Iterator[Decision]:
    """Yield the decisions of a match as they stood: corrected plays and repetitions left out."""
    for game in replayed.games:
        yield from decisions_of_game(game)


def decisions_of_game(game: GameReplay) -> Iterator[Decision]:
    """Yield the decisions of one game, up to the one that ended it."""
    corrected = _corrected(game)
    thrown, taken_back = False, None
    for turn in game.turns:
        span = turn.action.span
        if span in corrected:
            taken_back = turn
        if span in corrected or span in game.not_thrown:
            continue
        if taken_back is not None:
            turn = turn._replace(before=taken_back.before, cube=taken_back.cube)  # noqa: PLW2901
            taken_back = None
        yield from _decided(turn, game, thrown)
        if _ends(turn):
            return
        thrown = thrown or (isinstance(turn.action, Play) and turn.action.dice is not None)


def may_double(turn: Turn, side: Side) -> bool:
    """Whether `side`, about to throw, has a cube that can be turned and is worth turning.

    It is none in the Crawford game, and for a side whose plain win at the present value already
    takes the match.
    """
    context, cube = turn.context, turn.cube
    if not context.cube_in_play or context.crawford or cube.is_open:
        return False
    if context.cube_limit is not None and cube.value >= context.cube_limit:
        return False
    dead = is_dead(cube.value, context.length or 0, context.score[side])
    return cube.may_double(side) and not dead


def is_forced(position: Position, dice: Dice) -> bool:
    """Whether a throw leaves no choice: one play, none, or several ways to bear off the last one.

    >>> from bganalyze.board.position import points
    >>> blot = points({23: 1, 1: 14})
    >>> is_forced(Position(points({3: 1, OFF: 14}), blot), (4, 1))
    True
    """
    results = legal_plays(position, dice)
    return len({result if any(result.own[1:]) else None for result in results}) == 1


def _corrected(game: GameReplay) -> frozenset[Span]:
    """Where plays stand that were corrected in time: what replaces them starts from their board."""
    corrected = (fact.turn for fact in game.facts if fact.standing is Standing.CORRECTED)
    return frozenset(
        turn.action.span for turn in corrected if turn and isinstance(turn.action, Play)
    )


def _decided(turn: Turn, game: GameReplay, thrown: bool) -> Iterator[Decision]:
    """What the action of a turn decides."""
    match turn.action:
        case Play() as play:
            yield from _throw(turn, play, thrown)
        case Double() as double:
            yield _double(turn, double)
        case Answer() as answer if turn.cube.is_open:
            yield _answer(turn, answer)
        case Resignation() as given_up if not given_up.declined:
            yield _resignation(turn, given_up.side, given_up.points)
        case Result() as result if game.ending.kind == "resigned":
            loser: Side = 1 if result.side == 0 else 0
            yield _resignation(turn, loser, result.points)
        case _:
            pass


def _ends(turn: Turn) -> bool:
    """Whether the game is over with this turn: what follows decides nothing."""
    match turn.action:
        case Play():
            return any(side[OFF] and not any(side[1:]) for side in turn.after)
        case Answer() as answer:
            return not answer.taken and turn.cube.is_open
        case Resignation() as given_up:
            return not given_up.declined
        case _:
            return isinstance(turn.action, Result)


def _throw(turn: Turn, play: Play, thrown: bool) -> Iterator[Decision]:
    if play.dice is None or not are_dice(play.dice):
        return
    base = _base(turn, Kind.PLAY, play.side)
    start = VARIANTS[turn.context.variant].start
    opening = not thrown and turn.before == (start, start)
    if may_double(turn, play.side) and not opening:
        yield base._replace(kind=Kind.NO_DOUBLE)
    yield base._replace(
        dice=play.dice,
        left=_left(turn, play),
        legal=False if play.called_illegal else turn.verdict and turn.verdict.fault is None,
        forced=is_forced(base.position, play.dice),
        steps=play.steps,
    )


def _left(turn: Turn, play: Play) -> Position | None:
    """What a play left, where the record tells it."""
    shown = turn.verdict is not None or (play.called_illegal and turn.after != turn.before)
    own, other = turn.after[play.side], turn.after[1 - play.side]
    return Position(own, other) if shown else None


def _double(turn: Turn, double: Double) -> Decision:
    cube = turn.cube
    offer = (cube.offer if cube.is_open else cube.value) * 2
    return _base(turn, Kind(double.kind), double.side)._replace(offer=offer)


def _answer(turn: Turn, answer: Answer) -> Decision:
    kind = Kind.TAKE if answer.taken else Kind.DROP
    return _base(turn, kind, answer.side)._replace(offer=turn.cube.offer)


def _resignation(turn: Turn, side: Side, points: int | None) -> Decision:
    return _base(turn, Kind.RESIGNATION, side)._replace(points=points)


def _base(turn: Turn, kind: Kind, side: Side) -> Decision:
    """What every kind of decision has."""
    return Decision(
        kind=kind,
        side=side,
        position=turn.position(side),
        context=turn.context,
        cube=turn.cube.value,
        owner=turn.cube.owner,
        row=turn.action.row,
        span=turn.action.span,
        verified=turn.verified,
        stored=getattr(turn.action, "analysis", None),
    )
