"""Open Sage (PyPI `bgsage`), an engine with its networks inside: works at once and offline.

At 1ply, and of every decision about a cube that is no clear mistake, it says what its function for
one decision says. At deeper levels plays are screened: those that are far behind at 1ply are not
looked at again. Luck is taken at 1ply. Beavers are not foreseen: the equity after a double is that
of a take. A game is worth going on with what it is before the roll, with the cube used for the
best.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from math import inf
from typing import NamedTuple

from bganalyze.analysis.decisions import (
    TO_OFFERS,
    Decision,
    Kind,
    is_before_roll,
    is_short_bearoff,
    resigner,
)
from bganalyze.analysis.engines import (
    MOST_KEPT,
    PRESETS,
    Candidate,
    Chances,
    CubeEvaluation,
    Engine,
    EngineError,
    Evaluation,
    Limits,
    PlayEvaluation,
    PlayingOn,
    as_kept,
    check_variants,
)
from bganalyze.analysis.engines.networks import (
    Move,
    Roll,
    SageCube,
    board_of,
    move_of,
    networks,
    order,
    position_of,
)
from bganalyze.board.ids import Situation
from bganalyze.board.position import (
    Position,
    checkers,
    is_possible,
    start_position,
    swapped,
)
from bganalyze.packages import OPEN_SAGE, install_command

PLIES = ("1ply", "2ply", "3ply", "4ply")
"""They count from 1, which is the network alone."""

LEVELS = (
    "2ply",
    *(level for level in PLIES if level != "2ply"),
    *PRESETS,
    *(level for level in PRESETS.values() if level not in PLIES),
    *(f"{level}-exhaustive" for level in PLIES[1:]),
)

PACKAGE = "bgsage"
OLDEST = 2
LONGEST_MATCH = 25
"""Its match equities go no further."""

PART = 8
"""Decisions that are analyzed together, in a fraction of a second at most levels."""

ROLLS = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
"""All rolls, each once."""

_SINGLES = tuple(dice for dice in ROLLS if dice[0] != dice[1])
_DOUBLES = tuple(dice for dice in ROLLS if dice[0] == dice[1])

_ABOUT_CUBE = (Kind.NO_DOUBLE, Kind.DOUBLE, *TO_OFFERS)


class Screening(NamedTuple):
    """What is looked at beyond 1ply."""

    widths: tuple[float, ...]
    """How far a play may be behind the best (EMG): at 1ply to be looked at at 2ply, at 2ply to be
    looked at at 3ply, and at 3ply at 4ply. The one that was played always is."""
    first: tuple[int, ...]
    """How many plays of a roll may be twice as far behind at these levels, the best ones."""
    most: int
    """How many plays of a roll are looked at, the best ones."""

    def near(self, moves: Sequence[Move], plies: int) -> list[Move]:
        """Return the moves to be looked at at so many plies, given all, the best one first."""
        width, first = self.widths[plies - 2], self.first[plies - 2]
        return [
            move
            for place, move in enumerate(moves[: self.most])
            if moves[0].equity - move.equity <= (2 * width if place < first else width)
        ]


SCREENED = Screening(widths=(0.2, 0.12, 0.12), first=(6, 1, 1), most=40)
"""Measured beside all plays. At 2ply, of 5,614 rolls, the best play was always among these; with 0.16
instead it was missed once, by 0.004, and with the first four once, by 0.19. At 3ply, of 677, it was
always within 0.12; within 0.06 it was missed once. More than half of the plays are left out."""

EXHAUSTIVE = Screening(widths=(inf, inf, inf), first=(1, 1, 1), most=10_000)

LAST = 4
"""With so many checkers left the other side may end the game with its next roll. All plays are looked
at then: the network alone says little of which plays save a gammon."""

CLEAR = (0.005, 0.05, 0.05)
"""How much worse than waiting a double must be (EMG), at 2ply, 3ply and 4ply, for the search for plays
to tell what waiting is worth, and what a take is. Elsewhere the package's function for cubes speaks,
which loads all networks again for each question and takes eight times as long at 2ply. It leaves
out the best play of some roll, so that waiting comes out lower there in one of twelve, by 0.046 at
most, and a double costlier. At 2ply, of 1,975 decisions in which the search finds a double wrong by
0.05 at most, or by 0.1 to 0.24, the package never finds it right; it calls it costlier by more than
0.005 in 59, by 0.041 at most, and cheaper by more than 0.005 in 5, by 0.016 at most. At 3ply replies
are left out too: of 173 in which the search finds it wrong by 0.04 at most, the package finds it
right in 14, where the search has up to 0.019. 4ply takes the value of 3ply, unmeasured."""

NEARLY_COUNTED = (0.13, 0.205)
"""How much worse it is where metrics hardly count the decision (EMG): they do so up to 0.16 or 0.20,
and the two functions might disagree on whether they do."""


@lru_cache(maxsize=8)
def _searched(board: tuple[int, ...], cube: SageCube, plies: int) -> CubeEvaluation:
    """What doubling and waiting are worth. Who answers a double asks what its giver has asked."""
    return networks().cube(list(board), cube, plies)


class Sage(Engine):
    """The engine at one level."""

    name = "sage"

    def __init__(self, version: str, level: str, screening: Screening = SCREENED) -> None:
        self.version, self.level = version, level
        self._plies, self._screening = int(level[0]), screening

    def evaluate(self, decisions: Sequence[Decision]) -> list[Evaluation | None]:
        """Return what it says of each decision of one match; raise EngineError."""
        check_variants(decisions)
        if any(decision.length > LONGEST_MATCH for decision in decisions):
            raise EngineError(f"Open Sage analyzes matches of up to {LONGEST_MATCH} points")
        return [
            self._evaluation(decision) if is_possible(decision.position) else None
            for decision in decisions
        ]

    def parts(self, decisions: Sequence[Decision]) -> list[Sequence[int]]:
        """Return the places of decisions that are analyzed together: a few at a time.

        All short bear-offs with a cube are one part, the first: so one process loads numpy, and what
        it has worked out of one serves the next.
        """
        is_exact = [
            is_short_bearoff(decision.position) and decision.context.terms.cube_in_play
            for decision in decisions
        ]
        short = [place for place, is_short in enumerate(is_exact) if is_short]
        others = [place for place, is_short in enumerate(is_exact) if not is_short]
        parts = [others[start : start + PART] for start in range(0, len(others), PART)]
        return [short, *parts] if short else [*parts]

    def _evaluation(self, decision: Decision) -> Evaluation | None:
        if is_short_bearoff(decision.position):
            from bganalyze.analysis import bearoff  # It loads numpy.

            exact = bearoff.evaluation(decision)
            if exact is not None:
                return exact
        if decision.kind is Kind.PLAY:
            return self._play(decision)
        if decision.kind in _ABOUT_CUBE:
            return self._cube(decision)
        return self._playing_on(decision) if is_before_roll(decision) else None

    def _playing_on(self, decision: Decision) -> PlayingOn:
        """What the game is worth to the side that resigns."""
        board, cube = _asked(decision)
        answer = (
            networks().at_once(board, cube)
            if self._plies == 1
            else _searched(tuple(board), cube, self._plies)
        )
        turns = decision.owner in (None, decision.on_roll) and not decision.context.crawford
        best = max(answer.no_double, min(answer.take, answer.passed))
        equity = best if turns else answer.no_double
        return PlayingOn(equity if decision.on_roll == resigner(decision) else -equity)

    def _cube(self, decision: Decision) -> CubeEvaluation:
        board, cube = _asked(decision)
        at_once = networks().at_once(board, cube)
        if self._plies == 1:
            return at_once
        if decision.kind is Kind.NO_DOUBLE and _cost(at_once) > 0:
            waiting, taken = networks().undoubled(board, cube, self._plies)
            undoubled = at_once._replace(no_double=waiting, take=taken)
            if _is_clear(_cost(undoubled), self._plies):
                return undoubled
        return _searched(tuple(board), cube, self._plies)

    def _play(self, decision: Decision) -> PlayEvaluation:
        board, cube = _asked(decision)
        rolls = list(_rolls(decision, board, cube))
        answers = networks().plays(rolls)
        dice = decision.dice
        assert dice is not None
        place = [roll[1] for roll in rolls].index((max(dice), min(dice)))
        at_once = sorted(map(move_of, answers[place]), key=order)
        moves = self._looked_at(at_once, decision, board, cube)
        candidates = tuple(_candidate(decision.position, move) for move in moves)
        reached = self._reached(decision, candidates, board, cube)
        luck = _luck(place, rolls, [plays[0]["equity"] for plays in answers])
        return PlayEvaluation(candidates[:MOST_KEPT], reached, luck)

    def _looked_at(
        self, moves: list[Move], decision: Decision, board: list[int], cube: SageCube
    ) -> list[Move]:
        """The plays at the level of the engine, the best first.

        Those that are not looked at at a level stay as far behind the best as they were.
        """
        played = None if decision.after is None else board_of(decision.after)
        is_ending = checkers(decision.position.other) <= LAST
        screening = EXHAUSTIVE if is_ending else self._screening
        for plies in range(2, self._plies + 1):
            near = screening.near(moves, plies)
            chosen = [move for move in moves if move in near or move.board == played]
            deeper = [networks().deeper(move.board, board, cube, plies) for move in chosen]
            deeper.sort(key=order)
            moves = [*deeper, *_behind(deeper[0], moves, chosen)]
        return moves

    def _reached(
        self, decision: Decision, candidates: Sequence[Candidate], board: list[int], cube: SageCube
    ) -> Candidate | None:
        """What the recorded play left; of an illegal one, compared with the best by what it left."""
        after = decision.after
        if after is None or not candidates or not is_possible(after):
            return None
        if decision.legal and not checkers(after.own):
            return candidates[0]._replace(after=after)  # It is borne off: dice left over or not.
        same = next((candidate for candidate in candidates if candidate.after == after), None)
        if same is not None:
            return same
        best = candidates[0]
        own, other = self._left([board_of(after), board_of(best.after)], board, cube)
        equity = best.equity + own.equity - other.equity
        return Candidate(after, equity, Chances(*own.probs))

    def _left(self, left: Sequence[list[int]], before: list[int], cube: SageCube) -> list[Move]:
        """What boards are worth that were left, by legal plays or not."""
        if self._plies == 1:
            return networks().left(left, cube)
        return [networks().deeper(board, before, cube, self._plies) for board in left]


def _is_clear(cost: float, plies: int) -> bool:
    """Whether doubling is so much of a mistake that the search for plays settles it."""
    least, most = NEARLY_COUNTED
    return cost > CLEAR[plies - 2] and not least < cost <= most


def _cost(analyzed: CubeEvaluation) -> float:
    """What a double costs."""
    return analyzed.no_double - min(analyzed.take, analyzed.passed)


def _behind(best: Move, moves: Sequence[Move], better: Sequence[Move]) -> Iterator[Move]:
    """The other moves, as far behind the best one as they were before it was looked at deeper."""
    before = next(move.equity for move in better if move.board == best.board)
    boards = [move.board for move in better]
    for move in moves:
        if move.board not in boards:
            yield move._replace(equity=best.equity - max(before - move.equity, 0.0))


def _rolls(decision: Decision, board: list[int], cube: SageCube) -> Iterator[Roll]:
    """The rolls that there could have been: of the first of a game, those of the other side too."""
    if not _is_first(decision):
        yield from ((board, dice, cube) for dice in ROLLS)
        return
    flipped_board = board_of(swapped(decision.position))
    yield from ((board, dice, cube) for dice in _SINGLES)
    yield from ((flipped_board, dice, cube.flipped()) for dice in _SINGLES)


def _luck(place: int, rolls: Sequence[Roll], best: Sequence[float]) -> float:
    """The equity of the best play, less the mean over the rolls there could have been.

    The first roll of a game could have been the other side's, and no double: then the mean is
    over these 30.
    """
    if len(rolls) != len(ROLLS):
        own, other = best[: len(_SINGLES)], best[len(_SINGLES) :]
        return best[place] - (sum(own) - sum(other)) / 30
    weighted = sum(
        equity * (1 if dice in _DOUBLES else 2)
        for equity, (_, dice, _) in zip(best, rolls, strict=True)
    )
    return best[place] - weighted / 36


def _is_first(decision: Decision) -> bool:
    dice = decision.dice
    start = start_position(decision.context.terms.variant)
    return decision.position == start and dice is not None and dice[0] != dice[1]


def start(level: str, limits: Limits) -> Engine:
    """Return the engine; raise EngineError where it is missing or too old."""
    del limits  # It works in one thread: whoever has more cores starts more processes.
    try:
        installed = version(PACKAGE)
    except PackageNotFoundError as error:
        raise EngineError(f"Open Sage is not installed: {_remedy()}") from error
    if int(installed.partition(".")[0]) < OLDEST:
        raise EngineError(f"Open Sage {installed} is too old, {OLDEST}.0 is needed: {_remedy()}")
    _load()
    depth, _, exhaustive = as_kept(level).partition("-")
    if exhaustive:
        return Sage(installed, level, EXHAUSTIVE)
    first, *deeper = (Sage(installed, stage) for stage in depth.split("+"))
    if not deeper:
        return first
    from bganalyze.analysis.engines.screened import Screened

    return Screened(first, *deeper)


def equities(situations: Sequence[Situation]) -> list[dict[Position, float]]:
    """Return for each roll the equity at 1ply of every legal play, by what it leaves.

    Raise EngineError where the engine is not installed.
    """
    _load()
    answers = networks().plays([_situation(situation) for situation in situations])
    return [
        {position_of(play["board"], situation.position): play["equity"] for play in plays}
        for situation, plays in zip(situations, answers, strict=True)
    ]


def _situation(situation: Situation) -> Roll:
    """A roll as the engine is asked about it; in a match that is too long, as in money play."""
    side, dice = situation.on_roll, situation.dice
    assert dice is not None
    owner = {None: "CENTERED", side: "PLAYER", 1 - side: "OPPONENT"}[situation.cube_owner]
    away = [situation.length - score for score in situation.scores]
    if not (situation.length and all(1 <= points <= LONGEST_MATCH for points in away)):
        away = [0, 0]
    cube = SageCube(
        situation.cube_value, owner, (away[side], away[1 - side]), situation.crawford, jacoby=False
    )
    return board_of(situation.position), dice, cube


def _load() -> None:
    """Load the library; raise EngineError where it cannot be."""
    try:
        import bgsage  # noqa: F401 -- whether it can be loaded
    except ModuleNotFoundError as error:
        raise EngineError(f"Open Sage is not installed: {_remedy()}") from error
    except Exception as error:
        raise EngineError(
            f"Open Sage cannot be loaded: {error!r}; choose --engine gnubg"
        ) from error


def _remedy() -> str:
    return f"{install_command(OPEN_SAGE)}, or choose --engine gnubg"


def _candidate(before: Position, move: Move) -> Candidate:
    return Candidate(position_of(move.board, before), move.equity, Chances(*move.probs))


def _asked(decision: Decision) -> tuple[list[int], SageCube]:
    """The board and the cube, as the side sees them that rolls next or doubles."""
    side = decision.doubler if decision.on_roll is None else decision.on_roll
    position = decision.position if side == decision.side else swapped(decision.position)
    context, length = decision.context, decision.length
    owner = "CENTERED"
    if decision.owner is not None:
        owner = "PLAYER" if decision.owner == side else "OPPONENT"
    score = context.score
    away = (length - score[side], length - score[1 - side]) if length else (0, 0)
    jacoby = bool(context.terms.jacoby) and not length
    return board_of(position), SageCube(decision.cube, owner, away, context.crawford, jacoby)
