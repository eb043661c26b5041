"""The table of doubles: a row for each offer of the cube, with its answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from bganalyze.board.position import PHASES, RACE
from bganalyze.record.model import Answer, Comment, Double, Play, RulingMade, Span
from bganalyze.statistics.features.boards import Array, boards_of
from bganalyze.statistics.features.structure import (
    FORMULAS,
    RaceAdvice,
    count_pips,
    may_win_gammon,
    phases,
)
from bganalyze.statistics.tables.rolls import SpecialRolls, list_counted_rolls
from bganalyze.statistics.tables.schema import (
    GAME,
    LINE,
    MATCH,
    PLAYER,
    SIDES,
    TURN,
    Column,
    Columns,
    Examined,
    Schema,
    category,
    compute_arrays,
    compute_columns,
    flag,
    number,
)
from bganalyze.validation.findings import Severity
from bganalyze.validation.replaying.replayed import GameReplay, Turn

_Place: TypeAlias = tuple[int, int]

KINDS = ("double", "redouble", "beaver", "raccoon")
ANSWERS = ("take", "pass", "beaver", "none")


@dataclass(frozen=True)
class _Offer:
    """A double, redouble, beaver or raccoon in its game, with the opponent's answer."""

    match: int
    replayed: GameReplay
    turn: int
    """Number of the action in the game."""
    before: Turn
    """The turn of the double, with the board and the cube before it."""
    action: Double
    play: int
    """Number of rolls the doubler made before."""
    first: bool
    """Whether it is the first double of the game."""
    faults: frozenset[_Place]
    """Places of errors with the cube."""

    @property
    def reply(self) -> Answer | Double | None:
        """The opponent's take, pass or beaver, or None without an answer."""
        for turn in islice(self.replayed.turns, self.turn, None):
            action = turn.action
            if isinstance(action, Comment | RulingMade):
                continue
            if isinstance(action, Answer | Double) and action.side != self.action.side:
                return action
            return None
        return None

    @property
    def kind(self) -> str:
        """The kind of offer: double, redouble, beaver or raccoon."""
        redouble = self.action.kind == "double" and self.before.cube.owner is not None
        return "redouble" if redouble else self.action.kind

    @property
    def answer(self) -> str:
        """The opponent's answer as a word: take, pass, beaver or none."""
        match self.reply:
            case Answer(taken=taken):
                return "take" if taken else "pass"
            case Double(kind="beaver" | "raccoon"):
                return "beaver"
        return "none"

    @property
    def offer(self) -> int:
        """The cube value that a take leads to."""
        turns = self.replayed.turns
        after = turns[self.turn].cube if self.turn < len(turns) else self.replayed.cube
        return after.offer or 2 * self.before.cube.value

    @property
    def legal(self) -> bool:
        """Whether the offer and its answer follow the rules of the cube."""
        return not self.faults & {
            _locate(self.action.span),
            _locate((self.reply or self.action).span),
        }


_RECORDED_COLUMNS = (
    MATCH,
    GAME._replace(value=lambda o: o.replayed.context.game),
    TURN,
    LINE._replace(value=lambda o: o.action.span.line),
    category("side", "The side that doubles.", lambda o: SIDES[o.action.side], SIDES),
    PLAYER,
    category(
        "kind", "The kind of offer; a redouble is made by the owner of the cube.", choices=KINDS
    ),
    category("answer", "The other side's answer; a raccoon is a `beaver` too.", choices=ANSWERS),
    number("cube", "The value of the cube before the offer.", lambda o: o.before.cube.value),
    number("offer", "The value of the cube if the offer is taken."),
    Column(
        "seconds",
        "float64",
        "Seconds taken to double, by the recorded clock; missing if unknown.",
        lambda o: o.action.seconds,
    ),
    Column(
        "answer_seconds",
        "float64",
        "Seconds taken to answer.",
        lambda o: o.reply.seconds if o.reply else None,
    ),
    flag("legal", "Whether no error with the cube was found in the offer or its answer."),
    flag("verified", "Whether the board is verified.", lambda o: o.before.verified),
    flag("first", "Whether it is the first offer of the game."),
    number("play", "Number of rolls the doubler had made before."),
)


class _Boards(NamedTuple):
    """Arrays with the phase, pip counts and advice for each offer, as the doubling side sees it."""

    phase: Array
    pips: Array
    opposing_pips: Array
    centered: Array
    """Whether the cube was centered."""
    advice: dict[str, RaceAdvice]
    """The advice of each race formula."""
    may_win_gammon: Array


def declare_race_columns(group: str = "") -> Iterator[Column]:
    """Yield columns with each race formula's advice to double and to take, and one on gammons.

    The last one says whether the doubler may win a gammon. `group` names these columns together.
    """
    for name, where in (("keith", " Only in a race."), ("trice", "")):
        says = f"Whether {name.capitalize()}'s formula says"
        yield flag(
            f"{name}_double", f"{says} to double.{where}", _make_double_advice(name), (), group
        )
        yield flag(f"{name}_take", f"{says} to take.", _make_take_advice(name), (), group)
    yield flag(
        "may_win_gammon",
        "Whether, in a race, the side that may double has gammon chances of about 1 % or more: the other side has no checker off, and will not have one soon.",
        group=group,
    )


def _make_double_advice(formula: str) -> Callable[[Any], Array]:
    """Return a function that says for each board whether `formula` advises to double."""

    def turns(boards: Any) -> Array:
        """Return for each board whether to double or, with the cube owned, to redouble."""
        advice: RaceAdvice = boards.advice[formula]
        return np.where(boards.centered, advice.double, advice.redouble)

    return turns


def _make_take_advice(formula: str) -> Callable[[Any], Array]:
    """Return a function that says for each board whether `formula` advises to take."""
    return lambda b: b.advice[formula].take


_BOARD_COLUMNS = (
    category("phase", "The phase of the position.", choices=PHASES),
    Column("pips", "int16", "The pip count of the doubler."),
    Column("opposing_pips", "int16", "The pip count of the other side."),
    flag("race", "Whether contact was over.", lambda b: b.phase >= RACE),
    *declare_race_columns(),
)

SCHEMA = Schema(
    "cubes",
    "One row for each offer of the cube, beavers and raccoons included, with its answer.",
    ("match", "game", "turn"),
    (*_RECORDED_COLUMNS, *_BOARD_COLUMNS),
)


def tabulate_offers(matches: Sequence[Examined]) -> Columns:
    """Return all doubles, beavers and raccoons of the matches as a dictionary of columns."""
    offers = list(chain.from_iterable(_find_offers(*numbered) for numbered in enumerate(matches)))
    return {
        **compute_columns(offers, [column for column in _RECORDED_COLUMNS if column != PLAYER]),
        **compute_arrays(_make_boards(offers), _BOARD_COLUMNS),
    }


def _find_offers(match_number: int, match: Examined) -> Iterator[_Offer]:
    """Yield the doubles, beavers and raccoons of a match."""
    faults = frozenset(
        (finding.line, finding.column)
        for finding in match.findings
        if finding.code.startswith("C") and finding.severity is Severity.ERROR
    )
    for game in match.replayed.games:
        yield from _find_offers_of_game(match_number, game, faults)


def _find_offers_of_game(
    match_number: int, game: GameReplay, illegal_places: frozenset[_Place]
) -> Iterator[_Offer]:
    """Yield the doubles, beavers and raccoons of a game, up to its end.

    `illegal_places` has the line and column of each illegal cube action.
    """
    offers = [index for index, turn in enumerate(game.turns, 1) if type(turn.action) is Double]
    if not offers:
        return
    end, is_first = SpecialRolls.find_in(game).end, True
    rolled = [
        (index, turn.action.side)
        for index, turn in list_counted_rolls(game)
        if type(turn.action) is Play and turn.action.dice
    ]
    for index in offers:
        turn = game.turns[index - 1]
        action = turn.action
        if index < end and type(action) is Double and action.span not in game.not_rolled:
            plays = sum(before < index and side == action.side for before, side in rolled)
            yield _Offer(match_number, game, index, turn, action, plays, is_first, illegal_places)
        is_first = False


def _make_boards(offers: Sequence[_Offer]) -> _Boards:
    """Return the phase, pip counts and race advice of the boards at all doubles."""
    boards = boards_of(offer.before.position(offer.action.side) for offer in offers)
    return _Boards(
        phases(boards, np.array([offer.play + 1 for offer in offers], dtype=int)),
        count_pips(boards.own),
        count_pips(boards.other),
        np.array([offer.kind == "double" for offer in offers], dtype=bool),
        {name: formula(boards) for name, formula in FORMULAS.items()},
        may_win_gammon(boards),
    )


def _locate(span: Span) -> _Place:
    """Return the line and the column at which a part of the match file begins."""
    return span.line, span.column
