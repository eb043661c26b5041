"""Open Sage (PyPI `bgsage`), an engine with its networks inside: works at once and offline.

What it says of a decision is what its function for one decision says, the recorded play being
always evaluated at the full level. Its functions for many at once are faster, but do without its
bear-off database (and above 1ply say something else): they serve at 1ply, and for luck, as long as
one side is not home. Luck is taken at 1ply. Beavers are not foreseen: the equity
after a double is that of a take. A game is worth going on with what it is before the throw, with
the cube used for the best.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from bganalyze.board.ids import Situation
from bganalyze.board.movement import HOME
from bganalyze.board.position import (
    BAR,
    OFF,
    Points,
    Position,
    checkers,
    is_possible,
    start_position,
    swapped,
)
from bganalyze.judging.decisions import (
    ANSWERS,
    TO_OFFERS,
    Decision,
    Kind,
    is_before_throw,
    resigner,
)
from bganalyze.judging.engines import (
    MOST_KEPT,
    PRESETS,
    Candidate,
    Chances,
    CubeJudgement,
    Engine,
    EngineError,
    Judgement,
    Limits,
    PlayingOn,
    PlayJudgement,
    as_kept,
    check_variants,
)
from bganalyze.judging.verdict import JudgedDecision, judged, loss
from bganalyze.packages import OPEN_SAGE, install_command

# Screening: everything is judged at one level, and what is wrong or close again at a deeper one.
#
# A decision has one judgement in the end, the deeper where there are two.

CLOSE_PLAY = 0.04
"""A play is close where the second best is no further behind (EMG)."""

CLOSE_CUBE = 0.16
"""A cube is close where doubling or not, or taking or not, makes no larger difference (EMG)."""


class Screened(Engine):
    """An engine at two of its levels."""

    def __init__(self, first: Engine, second: Engine) -> None:
        """Take the level for all decisions, and the one for those that are wrong or close."""
        self._first, self._second = first, second
        self.name, self.version = first.name, first.version
        self.level = f"{first.level}+{second.level}"

    def judge(self, decisions: Sequence[Decision]) -> list[Judgement | None]:
        """Return what it says of each decision of one match; raise EngineError."""
        judgements = self._first.judge(decisions)
        rows = zip(judged(decisions, judgements), judgements, strict=True)
        again = [index for index, (row, judgement) in enumerate(rows) if is_open(row, judgement)]
        if not again:
            return judgements
        deeper = self._second.judge([decisions[index] for index in again])
        for index, judgement in zip(again, deeper, strict=True):
            judgements[index] = judgement or judgements[index]
        return judgements


def is_open(row: JudgedDecision, judgement: Judgement | None) -> bool:
    """Whether a deeper look may change the verdict: the decision is wrong, or close."""
    if judgement is None or row.forced:
        return False
    if (loss(row) or 0.0) > 0:
        return True
    if isinstance(judgement, PlayJudgement):
        best = [candidate.equity for candidate in judgement.candidates[:2]]
        return len(best) == 2 and best[0] - best[1] <= CLOSE_PLAY
    if not isinstance(judgement, CubeJudgement):
        return False
    other = judgement.take if row.kind in ANSWERS else judgement.no_double
    doubled = judgement.drop if row.kind in ANSWERS else min(judgement.take, judgement.drop)
    return abs(other - doubled) <= CLOSE_CUBE


PLIES = ("1ply", "2ply", "3ply", "4ply")
"""They count from 1, which is the network alone."""

LEVELS = (*PLIES, *PRESETS, *(level for level in PRESETS.values() if level not in PLIES))

PACKAGE = "bgsage"
OLDEST = 2
LONGEST_MATCH = 25
"""Its match equities go no further."""

MOST_MOVED = 4

ROLLS = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
"""All throws, each once."""

_ABOUT_CUBE = (Kind.NO_DOUBLE, Kind.DOUBLE, *TO_OFFERS)


class Sage(Engine):
    """The engine at one level, on so many threads (0: as many as there are cores)."""

    name = "sage"

    def __init__(self, version: str, level: str, threads: int = 0) -> None:
        self.version, self.level, self.threads = version, level, threads

    def judge(self, decisions: Sequence[Decision]) -> list[Judgement | None]:
        """Return what it says of each decision of one match; raise EngineError."""
        check_variants(decisions)
        if any(decision.length > LONGEST_MATCH for decision in decisions):
            raise EngineError(f"Open Sage judges matches of up to {LONGEST_MATCH} points")
        judged: list[Judgement | None] = [None] * len(decisions)
        possible = [
            index for index, decision in enumerate(decisions) if is_possible(decision.position)
        ]
        plays = [index for index in possible if decisions[index].kind is Kind.PLAY]
        cubes = [index for index in possible if decisions[index].kind in _ABOUT_CUBE]
        for index, play in zip(plays, self._plays([decisions[i] for i in plays]), strict=True):
            judged[index] = play
        for index, cube in zip(cubes, self._cubes([decisions[i] for i in cubes]), strict=True):
            judged[index] = cube
        for index in possible:
            if is_before_throw(decisions[index]):
                judged[index] = self._playing_on(decisions[index])
        return judged

    def _playing_on(self, decision: Decision) -> PlayingOn:
        """What the game is worth to the side that resigns."""
        rules = {"jacoby": _jacoby(decision), "beaver": False}
        answer = self._analyzer(self.level).cube_action(**_asked(decision), **rules)
        turns = decision.owner in (None, decision.on_roll) and not decision.context.crawford
        equity = answer.optimal_equity if turns else answer.equity_nd
        return PlayingOn(equity if decision.on_roll == resigner(decision) else -equity)

    def _plays(self, decisions: Sequence[Decision]) -> Iterator[PlayJudgement]:
        luck = self._luck(decisions)
        for decision, moves, lucky in zip(decisions, self._moves(decisions), luck, strict=True):
            candidates = tuple(_candidate(decision.position, move) for move in moves)
            reached = self._reached(decision, candidates)
            yield PlayJudgement(candidates[:MOST_KEPT], reached, lucky)

    def _moves(self, decisions: Sequence[Decision]) -> Iterator[Sequence[Any]]:
        """Its moves for each throw, the best first."""
        alike = [decision for decision in decisions if self._by_many(decision)]
        many = self._best_moves([_throw(decision) for decision in alike], alike)
        analyzer = self._analyzer(self.level)
        for decision in decisions:
            if self._by_many(decision):
                yield next(many)
                continue
            played = [] if decision.after is None else [board_of(decision.after)]
            arguments = {**_throw(decision), "jacoby": _jacoby(decision), "force_boards": played}
            yield analyzer.checker_play(**arguments).moves

    def _by_many(self, decision: Decision) -> bool:
        """Whether its function for many throws says the same as that for one."""
        return self.level == "1ply" and not _may_reach_bear_off(decision)

    def _best_moves(
        self, throws: Sequence[dict[str, Any]], decisions: Sequence[Decision]
    ) -> Iterator[Sequence[Any]]:
        """Its moves at 1ply for each of many throws, all of one match."""
        from bgsage import batch_checker_play

        if throws:
            jacoby = _jacoby(decisions[0])
            answers = batch_checker_play(throws, "1ply", n_threads=self.threads, jacoby=jacoby)
            yield from (answer.moves for answer in answers)

    def _cubes(self, decisions: Sequence[Decision]) -> Iterator[CubeJudgement]:
        from bgsage import batch_cube_action

        if not decisions:
            return
        rules = {"jacoby": _jacoby(decisions[0]), "beaver": False}
        alike = [
            decision
            for decision in decisions
            if self.level == "1ply" and not _is_bear_off(decision)
        ]
        arguments = [_asked(decision) for decision in alike]
        many = iter(batch_cube_action(arguments, "1ply", n_threads=self.threads, **rules))
        analyzer = self._analyzer(self.level)
        for decision in decisions:
            by_many = self.level == "1ply" and not _is_bear_off(decision)
            answer = next(many) if by_many else analyzer.cube_action(**_asked(decision), **rules)
            chances = _chances(answer.probs)
            yield CubeJudgement(answer.equity_nd, answer.equity_dt, answer.equity_dp, chances)

    def _analyzer(self, level: str) -> Any:
        from bgsage import BgBotAnalyzer

        return BgBotAnalyzer(eval_level=level, parallel_threads=self.threads)

    def _luck(self, decisions: Sequence[Decision]) -> Iterator[float]:
        """The equity of the best play, less the mean over the throws there could have been.

        The first throw of a game could have been the other side's, and no double: then the mean is
        over these 30.
        """
        best = self._best(decisions)
        for decision in decisions:
            dice = decision.dice
            assert dice is not None
            if _is_first(decision):
                own, other = ({roll: next(best) for roll in _SINGLES} for _ in range(2))
                mean = (sum(own.values()) - sum(other.values())) / 30
            else:
                own = {roll: next(best) for roll in ROLLS}
                mean = sum(own[roll] * (1 if roll in _DOUBLES else 2) for roll in ROLLS) / 36
            yield own[max(dice), min(dice)] - mean

    def _best(self, decisions: Sequence[Decision]) -> Iterator[float]:
        """The equity of the best play for every throw that there could have been."""
        alike = [decision for decision in decisions if not _may_reach_bear_off(decision)]
        throws = [throw for decision in alike for throw in _other_throws(decision)]
        many = self._best_moves(throws, alike)
        analyzer = self._analyzer("1ply")
        for decision in decisions:
            by_one = _may_reach_bear_off(decision)
            for throw in _other_throws(decision):
                arguments = {**throw, "jacoby": _jacoby(decision)}
                moves = analyzer.checker_play(**arguments).moves if by_one else next(many)
                yield moves[0].equity

    def _reached(self, decision: Decision, candidates: Sequence[Candidate]) -> Candidate | None:
        """What the recorded play left; of an illegal one, compared with the best by what it left."""
        after = decision.after
        if after is None or not candidates or not is_possible(after):
            return None
        if decision.legal and not checkers(after.own):
            return candidates[0]._replace(after=after)  # It is borne off: dice left over or not.
        same = next((candidate for candidate in candidates if candidate.after == after), None)
        return same or self._compared(decision, after, candidates[0])

    def _compared(self, decision: Decision, after: Position, best: Candidate) -> Candidate:
        from bgsage import batch_post_move_evaluate

        arguments = [
            {**_asked(decision), "board": board_of(position)} for position in (after, best.after)
        ]
        jacoby = _jacoby(decision)
        own, other = batch_post_move_evaluate(arguments, self.level, n_threads=1, jacoby=jacoby)
        equity = best.equity + own.cubeful_equity - other.cubeful_equity
        return Candidate(after, equity, _chances(own.probs))


_SINGLES = tuple(roll for roll in ROLLS if roll[0] != roll[1])
_DOUBLES = tuple(roll for roll in ROLLS if roll[0] == roll[1])


def start(level: str, limits: Limits) -> Engine:
    """Return the engine; raise EngineError where it is missing or too old."""
    try:
        installed = version(PACKAGE)
    except PackageNotFoundError as error:
        raise EngineError(f"Open Sage is not installed: {_remedy()}") from error
    if int(installed.partition(".")[0]) < OLDEST:
        raise EngineError(f"Open Sage {installed} is too old, {OLDEST}.0 is needed: {_remedy()}")
    _load()
    stages = as_kept(level).split("+")
    first, *deeper = (Sage(installed, stage, limits.threads) for stage in stages)
    return Screened(first, *deeper) if deeper else first


def equities(situations: Sequence[Situation]) -> list[dict[Position, float]]:
    """Return for each throw the equity at 1ply of every legal play, by what it leaves.

    Raise EngineError where the engine is not installed.
    """
    _load()
    from bgsage import batch_checker_play

    asked = [_situation(situation) for situation in situations]
    answers = batch_checker_play(asked, "1ply", n_threads=1, jacoby=False) if asked else ()
    return [
        {position_of(move.board, situation.position): move.equity for move in answer.moves}
        for situation, answer in zip(situations, answers, strict=True)
    ]


def _situation(situation: Situation) -> dict[str, Any]:
    """A throw as the engine is asked about it."""
    side, dice = situation.on_roll, situation.dice
    assert dice is not None
    owner = "centered"
    if situation.cube_owner is not None:
        owner = "player" if situation.cube_owner == side else "opponent"
    arguments = {
        "board": board_of(situation.position),
        "cube_value": situation.cube_value,
        "cube_owner": owner,
        "die1": dice[0],
        "die2": dice[1],
    }
    away = [situation.length - score for score in situation.scores]
    if situation.length and all(1 <= points <= LONGEST_MATCH for points in away):
        arguments |= {
            "away1": away[side],
            "away2": away[1 - side],
            "is_crawford": situation.crawford,
        }
    return arguments


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


def board_of(position: Position) -> list[int]:
    """A position as the engine writes it: own checkers positive, the other's bar at 0.

    >>> board_of(start_position("standard"))[:7]
    [0, -2, 0, 0, 0, 0, 5]
    """
    own, other = position
    points = (own[point] - other[BAR - point] for point in range(1, BAR))
    return [other[BAR], *points, own[BAR]]


def position_of(board: Sequence[int], before: Position) -> Position:
    """The position that a board of the engine shows; what is missing since `before` is off.

    >>> start = start_position("standard")
    >>> position_of(board_of(start), start) == start
    True
    """
    own = (0, *(max(count, 0) for count in board[1:]))
    theirs = [max(-count, 0) for count in board[BAR - 1 : OFF : -1]]
    other = (0, *theirs, board[0])
    return Position(_with_off(own, sum(before.own)), _with_off(other, sum(before.other)))


def _with_off(points: Points, all_checkers: int) -> Points:
    return (all_checkers - sum(points), *points[1:])


def _candidate(before: Position, move: Any) -> Candidate:
    return Candidate(position_of(move.board, before), move.equity, _chances(move.probs))


def _chances(probs: Any) -> Chances:
    return Chances(*probs.to_list())


def _jacoby(decision: Decision) -> bool:
    return bool(decision.context.terms.jacoby)


def _is_bear_off(decision: Decision) -> bool:
    """Whether all of both sides' checkers are home: the bear-off database knows it."""
    return all(not any(side[HOME + 1 :]) for side in decision.position)


def _may_reach_bear_off(decision: Decision) -> bool:
    """Whether a play may leave what the bear-off database knows: no throw moves more than four."""
    own, other = decision.position
    return not any(other[HOME + 1 :]) and sum(own[HOME + 1 :]) <= MOST_MOVED


def _is_first(decision: Decision) -> bool:
    dice = decision.dice
    start = start_position(decision.context.terms.variant)
    return decision.position == start and dice is not None and dice[0] != dice[1]


def _asked(decision: Decision) -> dict[str, Any]:
    """The position and the cube, as the side sees it that throws next or doubles."""
    side = decision.doubler if decision.on_roll is None else decision.on_roll
    position = decision.position if side == decision.side else swapped(decision.position)
    return _state(decision, position, side)


def _state(decision: Decision, position: Position, side: int) -> dict[str, Any]:
    context, length = decision.context, decision.length
    owner = "centered"
    if decision.owner is not None:
        owner = "player" if decision.owner == side else "opponent"
    arguments = {"board": board_of(position), "cube_value": decision.cube, "cube_owner": owner}
    if length:
        away = (length - context.score[side], length - context.score[1 - side])
        arguments |= {"away1": away[0], "away2": away[1], "is_crawford": context.crawford}
    return arguments


def _throw(decision: Decision) -> dict[str, Any]:
    assert decision.dice is not None
    return {**_asked(decision), "die1": decision.dice[0], "die2": decision.dice[1]}


def _other_throws(decision: Decision) -> Iterator[dict[str, Any]]:
    """The throws that there could have been."""
    side = decision.side
    arguments = _asked(decision)
    first = _is_first(decision)
    for high, low in _SINGLES if first else ROLLS:
        yield {**arguments, "die1": high, "die2": low}
    if first:
        theirs = _state(decision, swapped(decision.position), 1 - side)
        for high, low in _SINGLES:
            yield {**theirs, "die1": high, "die2": low}
