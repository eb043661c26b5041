"""The table of doubles: a row for each offer of the cube, with its answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from bganalyze.board.position import PHASES, RACE
from bganalyze.record.model import Answer, Comment, Double, Play, Span
from bganalyze.statistics.features.boards import Array, boards_of
from bganalyze.statistics.features.structure import (
    FORMULAS,
    RaceAdvice,
    may_win_gammon,
    phases,
    pips,
)
from bganalyze.statistics.tables.rolls import Faulty, own_rolls
from bganalyze.statistics.tables.schema import (
    GAME,
    LINE,
    MATCH,
    SIDES,
    TURN,
    Column,
    Columns,
    Examined,
    Schema,
    as_arrays,
    by_column,
    category,
    flag,
    number,
)
from bganalyze.validation.findings import Severity
from bganalyze.validation.replaying.facts import GameReplay, Turn

_Place: TypeAlias = tuple[int, int]

KINDS = ("double", "redouble", "beaver", "raccoon")
ANSWERS = ("take", "pass", "beaver", "none")


@dataclass(frozen=True)
class _Offer:
    """An offer of the cube in its game, with its answer."""

    match: int
    replayed: GameReplay
    turn: int
    """Its place among the actions of the game."""
    before: Turn
    action: Double
    play: int
    """How many rolls the doubler has made before."""
    first: bool
    faults: frozenset[_Place]
    """Where errors with the cube were found."""

    @property
    def reply(self) -> Answer | Double | None:
        """What the other side answered, if it did before play went on."""
        for turn in islice(self.replayed.turns, self.turn, None):
            action = turn.action
            if isinstance(action, Comment):
                continue
            if isinstance(action, Answer | Double) and action.side != self.action.side:
                return action
            return None
        return None

    @property
    def kind(self) -> str:
        redouble = self.action.kind == "double" and self.before.cube.owner is not None
        return "redouble" if redouble else self.action.kind

    @property
    def answer(self) -> str:
        match self.reply:
            case Answer(taken=taken):
                return "take" if taken else "pass"
            case Double(kind="beaver" | "raccoon"):
                return "beaver"
        return "none"

    @property
    def offer(self) -> int:
        turns = self.replayed.turns
        after = turns[self.turn].cube if self.turn < len(turns) else self.replayed.cube
        return after.offer or 2 * self.before.cube.value

    @property
    def legal(self) -> bool:
        return not self.faults & {
            _place(self.action.span),
            _place((self.reply or self.action).span),
        }


_RECORDED = (
    MATCH,
    GAME._replace(value=lambda o: o.replayed.context.game),
    TURN,
    LINE._replace(value=lambda o: o.action.span.line),
    category("side", "Who doubles.", lambda o: SIDES[o.action.side], SIDES),
    category(
        "kind", "The kind of offer; a redouble is made by the owner of the cube.", choices=KINDS
    ),
    category(
        "answer", "What the other side did; `beaver` also stands for a raccoon.", choices=ANSWERS
    ),
    number("cube", "The value of the cube before the offer.", lambda o: o.before.cube.value),
    number("offer", "Its value if the offer is taken."),
    Column(
        "seconds",
        "float64",
        "How long it took to double, by the clock of the record; missing where that is not known.",
        lambda o: o.action.seconds,
    ),
    Column(
        "answer_seconds",
        "float64",
        "How long the answer took.",
        lambda o: o.reply.seconds if o.reply else None,
    ),
    flag("legal", "Whether no error with the cube was found here or at the answer."),
    flag("verified", "Whether the board is beyond doubt.", lambda o: o.before.verified),
    flag("first", "Whether it is the first offer of the game."),
    number("play", "How many rolls the doubler had made before."),
)


class _Boards(NamedTuple):
    """What the boards show at all offers."""

    phase: Array
    pips: Array
    opposing_pips: Array
    centered: Array
    """Whether the cube was in the middle."""
    advice: dict[str, RaceAdvice]
    """What each formula for races says."""
    may_win_gammon: Array


def race_columns(group: str = "") -> Iterator[Column]:
    """Yield what each formula for races says to a side that may double, and to the other.

    With them comes whether that side has gammon chances, which the formulas ignore.
    """
    for name, where in (("keith", " Only in a race."), ("trice", "")):
        says = f"Whether {name.capitalize()}'s formula says"
        yield flag(f"{name}_double", f"{says} to turn the cube.{where}", _turns(name), (), group)
        yield flag(f"{name}_take", f"{says} that it could be taken.", _takes(name), (), group)
    yield flag(
        "may_win_gammon",
        "Whether, in a race, the side that may double has gammon chances of about 1 % or more: the other side has borne none off, and is not about to.",
        group=group,
    )


def _turns(formula: str) -> Callable[[Any], Array]:
    def turns(boards: Any) -> Array:
        advice: RaceAdvice = boards.advice[formula]
        return np.where(boards.centered, advice.double, advice.redouble)

    return turns


def _takes(formula: str) -> Callable[[Any], Array]:
    return lambda b: b.advice[formula].take


_SEEN = (
    category("phase", "The phase of the position.", choices=PHASES),
    Column("pips", "int16", "The pip count of the doubler."),
    Column("opposing_pips", "int16", "The pip count of the other side."),
    flag("race", "Whether there was no contact any more.", lambda b: b.phase >= RACE),
    *race_columns(),
)

SCHEMA = Schema(
    "cubes",
    "One row for each offer of the cube, beavers and raccoons included, with its answer.",
    ("match", "game", "turn"),
    (*_RECORDED, *_SEEN),
)


def columns(matches: Sequence[Examined]) -> Columns:
    """Return the columns of the offers of some matches, counted from 0."""
    offers = list(chain.from_iterable(_offers(*numbered) for numbered in enumerate(matches)))
    return {**by_column(offers, _RECORDED), **as_arrays(_boards(offers), _SEEN)}


def _offers(number: int, match: Examined) -> Iterator[_Offer]:
    """The offers of a match."""
    faults = frozenset(
        (finding.line, finding.column)
        for finding in match.findings
        if finding.code.startswith("C") and finding.severity is Severity.ERROR
    )
    for game in match.replayed.games:
        yield from _offers_of_game(number, game, faults)


def _offers_of_game(number: int, game: GameReplay, faults: frozenset[_Place]) -> Iterator[_Offer]:
    """The offers of a game, up to its end."""
    offers = [index for index, turn in enumerate(game.turns, 1) if type(turn.action) is Double]
    if not offers:
        return
    end, is_first = Faulty.of(game).end, True
    rolled = [
        (index, turn.action.side)
        for index, turn in own_rolls(game)
        if type(turn.action) is Play and turn.action.dice
    ]
    for index in offers:
        turn = game.turns[index - 1]
        action = turn.action
        if index < end and type(action) is Double and action.span not in game.not_rolled:
            plays = sum(before < index and side == action.side for before, side in rolled)
            yield _Offer(number, game, index, turn, action, plays, is_first, faults)
        is_first = False


def _boards(offers: Sequence[_Offer]) -> _Boards:
    boards = boards_of(offer.before.position(offer.action.side) for offer in offers)
    return _Boards(
        phases(boards, np.array([offer.play + 1 for offer in offers], dtype=int)),
        pips(boards.own),
        pips(boards.other),
        np.array([offer.kind == "double" for offer in offers], dtype=bool),
        {name: formula(boards) for name, formula in FORMULAS.items()},
        may_win_gammon(boards),
    )


def _place(span: Span) -> _Place:
    return span.line, span.column
