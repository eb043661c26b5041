"""The table of doubles: a row for each offer of the cube, with its answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from bganalyze.board.position import Position
from bganalyze.features.boards import BoardArrays, boards_of
from bganalyze.features.structure import PHASES, RACE, keith, phases, pips, trice
from bganalyze.findings import Severity
from bganalyze.replaying.facts import GameReplay, Turn
from bganalyze.tables.schema import (
    GAME,
    LINE,
    MATCH,
    SIDES,
    TURN,
    Column,
    Columns,
    Examined,
    Row,
    Schema,
    by_column,
)
from bganalyze.tables.turns import Faulty, own_throws
from bganalyze.transcript.model import Answer, Comment, Double, Play, Span

KINDS = ("double", "redouble", "beaver", "raccoon")
ANSWERS = ("take", "drop", "beaver", "none")

_RECORDED = (
    MATCH,
    GAME,
    TURN,
    LINE,
    Column("side", "category", "Who doubles.", SIDES),
    Column(
        "kind",
        "category",
        "The kind of offer; a redouble is made by the owner of the cube.",
        KINDS,
    ),
    Column(
        "answer",
        "category",
        "What the other side did; `beaver` also stands for a raccoon.",
        ANSWERS,
    ),
    Column("cube", "int32", "The value of the cube before the offer."),
    Column("offer", "int32", "Its value if the offer is taken."),
    Column("legal", "bool", "Whether no error with the cube was found here or at the answer."),
    Column("verified", "bool", "Whether the board is beyond doubt."),
    Column("first", "bool", "Whether it is the first offer of the game."),
    Column("play", "int32", "How many throws the doubler had made before."),
)

_SEEN = (
    Column("phase", "category", "The phase of the position.", PHASES),
    Column("pips", "int16", "The pip count of the doubler."),
    Column("opposing_pips", "int16", "The pip count of the other side."),
    Column("race", "bool", "Whether there was no contact any more."),
    Column(
        "keith_double", "bool", "Whether Keith's formula says to turn the cube. Only in a race."
    ),
    Column("keith_take", "bool", "Whether Keith's formula says that it could be taken."),
    Column("trice_double", "bool", "Whether Trice's formula says to turn the cube."),
    Column("trice_take", "bool", "Whether Trice's formula says that it could be taken."),
)

SCHEMA = Schema(
    "cubes",
    "One row for each offer of the cube, beavers and raccoons included, with its answer.",
    ("match", "game", "turn"),
    (*_RECORDED, *_SEEN),
)


class _Offer(NamedTuple):
    """An offer in its place."""

    game: GameReplay
    place: int
    turn: Turn
    action: Double
    plays: int
    """How many throws the doubler has made before."""
    is_first: bool


def columns(matches: Sequence[Examined]) -> Columns:
    """Return the columns of the offers of some matches, counted from 0."""
    offers, recorded = list[_Offer](), list[Row]()
    for number, (replayed, findings) in enumerate(matches):
        faults = {
            (found.line, found.column)
            for found in findings
            if found.code.startswith("C") and found.severity is Severity.ERROR
        }
        for offer in chain.from_iterable(map(_offers, replayed.games)):
            offers.append(offer)
            recorded.append(_recorded(number, offer, faults))
    made = by_column(recorded, _RECORDED)
    return {**made, **_seen(boards_of(map(_position, offers)), made)}


def _offers(game: GameReplay) -> Iterator[_Offer]:
    """The offers of a game, up to its end."""
    offers = [index for index, turn in enumerate(game.turns) if type(turn.action) is Double]
    if not offers:
        return
    end, is_first = Faulty.of(game).end, True
    thrown = [
        (index, turn.action.side)
        for index, turn in own_throws(game)
        if type(turn.action) is Play and turn.action.dice
    ]
    for place in offers:
        turn = game.turns[place]
        action = turn.action
        if place + 1 < end and type(action) is Double and action.span not in game.not_thrown:
            plays = sum(index <= place and side == action.side for index, side in thrown)
            yield _Offer(game, place + 1, turn, action, plays, is_first)
        is_first = False


def _position(offer: _Offer) -> Position:
    return offer.turn.position(offer.action.side)


def _recorded(number: int, offer: _Offer, faults: set[tuple[int, int]]) -> Row:
    game, index, turn, action, plays, is_first = offer
    reply = _reply(offer)
    after = game.turns[index].cube if index < len(game.turns) else game.cube
    redouble = action.kind == "double" and turn.cube.owner is not None
    return {
        "match": number,
        "game": game.context.game,
        "turn": index,
        "line": action.span.line,
        "side": SIDES[action.side],
        "kind": "redouble" if redouble else action.kind,
        "answer": _answered(reply),
        "cube": turn.cube.value,
        "offer": after.offer or 2 * turn.cube.value,
        "legal": not faults & {_place(action.span), _place(reply.span if reply else action.span)},
        "verified": turn.verified,
        "first": is_first,
        "play": plays,
    }


def _reply(offer: _Offer) -> Answer | Double | None:
    """What the other side answered, if it did before play went on."""
    for turn in islice(offer.game.turns, offer.place, None):
        action = turn.action
        if isinstance(action, Comment):
            continue
        if isinstance(action, Answer | Double) and action.side != offer.action.side:
            return action
        return None
    return None


def _answered(reply: Answer | Double | None) -> str:
    match reply:
        case Answer(taken=taken):
            return "take" if taken else "drop"
        case Double(kind="beaver" | "raccoon"):
            return "beaver"
    return "none"


def _place(span: Span) -> tuple[int, int]:
    return span.line, span.column


def _seen(boards: BoardArrays, recorded: Columns) -> Columns:
    """What the boards show at each offer."""
    phase = phases(boards, np.array(recorded["play"], dtype=int) + 1)
    shown = {
        "phase": phase,
        "pips": pips(boards.own),
        "opposing_pips": pips(boards.other),
        "race": phase >= RACE,
    }
    is_first = np.array(recorded["kind"], dtype=object) == "double"
    for name, verdicts in (("keith", keith(boards)), ("trice", trice(boards))):
        shown[f"{name}_double"] = np.where(is_first, verdicts.double, verdicts.redouble)
        shown[f"{name}_take"] = verdicts.take
    return shown
