"""Analyzed decisions: what was decided and what an engine says of it, one flat row for each.

And the results of the games, as flat. Metrics are functions of these rows, and a database keeps
them: nothing else need be known of the record or of the engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from bganalyze.analysis.decisions import (
    ANSWERS,
    GIVING_UP,
    TO_DOUBLER,
    Decision,
    Kind,
    resigner,
)
from bganalyze.analysis.engines import CubeEvaluation, Evaluation, PlayEvaluation, PlayingOn
from bganalyze.board.equities import MatchScore, Stake, chance_after, single, stake
from bganalyze.board.ids import Situation, xgid
from bganalyze.board.plays import legal_plays, notation
from bganalyze.board.position import BAR, OFF, Position, Step, phase_of
from bganalyze.board.position import after as position_after
from bganalyze.validation.replaying.facts import GameReplay
from bganalyze.validation.replaying.outcomes import GameOutcome

CUBE = (Kind.NO_DOUBLE, Kind.DOUBLE, *ANSWERS)
"""The decisions about the cube that every metric knows."""


class AnalyzedDecision(NamedTuple):
    """A decision and its evaluation. Equities are normalized to the cube before the decision."""

    game: int
    row: str | None
    place: str
    """Line and column in the record."""
    side: int
    """Who decided: 0 left, 1 right."""
    kind: Kind
    length: int
    """0 a money game."""
    left: int
    right: int
    """The score before the game."""
    crawford: bool
    cube: int
    owner: int | None
    offer: int
    """The value if a double is taken; where a game is given up, the points."""
    dice: str | None
    situation: Situation
    """The position with cube and score, seen by the side that rolls or doubles."""
    legal: bool | None
    forced: bool
    verified: bool
    played: str | None
    """The play as made, in the customary notation: of an analyzed one as the board shows it."""
    better: str | None
    """The best play, which may be the one that was made."""
    best: float | None = None
    reached: float | None = None
    """Equities of the best play and of what was left; where a game is given up, of the better of
    giving up and playing on, and of what was chosen."""
    spread: float | None = None
    """Between the best and the worst play that the engine tells of."""
    luck: float | None = None
    no_double: float | None = None
    take: float | None = None
    passed: float | None = None
    """Equities of the doubler: without a double, after one that is taken, and passed."""
    phase: str | None = None
    """The phase of the position; of an answer, that in which the double was given."""
    depth: str | None = None
    """How deep the engine looked, where that differs from decision to decision."""

    @property
    def xgid(self) -> str:
        """The position as an XGID."""
        return xgid(self.situation)

    @property
    def score(self) -> MatchScore:
        """The score before the game."""
        return MatchScore(self.length, (self.left, self.right), self.crawford)

    @property
    def doubler(self) -> int:
        """Whose cube decision it was about, or is answered."""
        return 1 - self.side if self.kind in TO_DOUBLER else self.side

    @property
    def stake(self) -> Stake | None:
        """What a point of equity is worth here."""
        return stake(self.score, self.doubler, self.cube)

    @property
    def cube_equities(self) -> tuple[float, float, float]:
        """Equities of the doubler, where they are told: no double, double and take, and pass."""
        assert self.no_double is not None
        assert self.take is not None
        assert self.passed is not None
        return self.no_double, self.take, self.passed

    @property
    def optimal(self) -> float | None:
        """The doubler's equity if both sides decide for the best."""
        if self.no_double is None or self.take is None or self.passed is None:
            return None
        return max(self.no_double, min(self.take, self.passed))


class GameResult(NamedTuple):
    """How a game of an analyzed match ended."""

    game: int
    length: int
    left: int
    right: int
    crawford: bool
    winner: int | None
    """None where the game was not finished."""
    points: int | None
    left_name: str = ""
    right_name: str = ""
    """Who sat where: players may change columns between games."""

    def worth(self) -> float | None:
        """Return what the winner gained: chance to win the match; of a money game, points.

        >>> GameResult(1, 5, 3, 3, False, winner=0, points=2).worth()
        0.5
        """
        if self.winner is None or self.points is None:
            return None
        if not self.length:
            return float(self.points)
        score = MatchScore(self.length, (self.left, self.right), self.crawford)
        before = chance_after(score, self.winner, winner=self.winner, points=0)
        after = chance_after(score, self.winner, winner=self.winner, points=self.points)
        return None if before is None or after is None else single(after - before)


def result_of(replayed: GameReplay, names: tuple[str, str] = ("", "")) -> GameResult:
    """Return the result of a game, with the points that the record gives it.

    `names` are those of the match, for a game without names of its own.
    """
    context, ending = replayed.context, replayed.ending
    left, right = replayed.game.score.names if replayed.game.score else names
    points = ending.on_board if ending.recorded is None else ending.recorded
    return GameResult(
        game=context.game,
        length=context.terms.length or 0,
        left=context.score[0],
        right=context.score[1],
        crawford=context.crawford,
        winner=ending.winner,
        points=points,
        left_name=left,
        right_name=right,
    )


def as_it_counts(result: GameResult, outcome: GameOutcome) -> GameResult:
    """Return a result with the winner and the points that count, where the record's are disputed."""
    if not outcome.disputed:
        return result
    points = None if outcome.counting is None else outcome.counting.points
    return result._replace(winner=outcome.winner, points=points)


def analyzed(
    decisions: Iterable[Decision], evaluations: Iterable[Evaluation | None]
) -> Iterator[AnalyzedDecision]:
    """Yield a row for each decision of a match with its evaluation."""
    decisions = tuple(decisions)
    rolled: PlayEvaluation | None = None
    for decision, phase, evaluation in zip(decisions, _phases(decisions), evaluations, strict=True):
        row = _row(decision)._replace(phase=phase)
        if isinstance(evaluation, PlayEvaluation):
            row, rolled = _with_play(row, decision, evaluation), evaluation
        elif isinstance(evaluation, CubeEvaluation):
            row = row._replace(
                no_double=evaluation.no_double,
                take=evaluation.take,
                passed=evaluation.passed,
                depth=evaluation.depth,
            )
        elif decision.kind in GIVING_UP:
            row = _with_giving_up(row, decision, evaluation or _after(rolled, decision))
        yield row


def unanalyzed(decisions: Sequence[Decision]) -> Iterator[AnalyzedDecision]:
    """Yield the rows of decisions of which nothing is said."""
    return analyzed(decisions, [None] * len(decisions))


def loss(row: AnalyzedDecision) -> float | None:
    """Return the equity given away, 0 or more; None where it cannot be told.

    An illegal play may have gained: then it is less than 0. A beaver is taken at twice, a raccoon
    at four times the equity of a take; whoever passes one loses the cube as it was offered before.
    """
    if row.kind is Kind.PLAY or row.kind in GIVING_UP:
        if row.best is None or row.reached is None:
            return None
        return row.best - row.reached
    if row.optimal is None:
        return None
    no_double, take, passed = row.cube_equities
    match row.kind:
        case Kind.NO_DOUBLE:
            return row.optimal - no_double
        case Kind.DOUBLE:
            return row.optimal - min(take, passed)
        case Kind.TAKE | Kind.PASS if row.offer != 2 * row.cube:
            return None
        case _:
            return max(_MISSED[row.kind](take, passed), 0.0)


_MISSED: Mapping[Kind, Callable[[float, float], float]] = {
    Kind.TAKE: lambda take, passed: take - passed,
    Kind.PASS: lambda take, passed: passed - take,
    Kind.BEAVER: lambda take, _: take,
    Kind.TAKE_BEAVER: lambda take, passed: -2 * (take + passed),
    Kind.PASS_BEAVER: lambda take, passed: 2 * (take + passed),
    Kind.RACCOON: lambda take, passed: 2 * max(take, -passed) - 4 * take,
    Kind.TAKE_RACCOON: lambda take, passed: 4 * (take - passed),
    Kind.PASS_RACCOON: lambda take, passed: 4 * (passed - take),
}
"""What another answer to a cube on offer gains, from the doubler's equities of take and pass."""


def _phases(decisions: Sequence[Decision]) -> list[str]:
    """The phase of each decision's position: which play of its side is the next one matters."""
    plays, rolls = list[int](), Counter[tuple[int, int]]()
    for decision in decisions:
        key = decision.context.game, decision.doubler
        plays.append(rolls[key] + 1)
        rolls[key] += decision.kind is Kind.PLAY
    positions = (decision.position for decision in decisions)
    return list(map(phase_of, positions, plays))


def _row(decision: Decision) -> AnalyzedDecision:
    context, span = decision.context, decision.turn.action.span
    return AnalyzedDecision(
        game=context.game,
        row=decision.turn.action.row,
        place=f"{span.line}:{span.column}",
        side=decision.side,
        kind=decision.kind,
        length=decision.length,
        left=context.score[0],
        right=context.score[1],
        crawford=context.crawford,
        cube=decision.cube,
        owner=decision.owner,
        offer=decision.points or decision.offer,
        dice="{}{}".format(*decision.dice) if decision.dice else None,
        situation=decision.situation,
        legal=decision.legal,
        forced=decision.forced,
        verified=decision.turn.verified,
        played=notation(decision.steps) if decision.steps else None,
        better=None,
    )


def _with_play(
    row: AnalyzedDecision, decision: Decision, evaluation: PlayEvaluation
) -> AnalyzedDecision:
    row = row._replace(luck=evaluation.luck, depth=evaluation.depth, played=_played(decision))
    if evaluation.reached is not None:
        row = row._replace(reached=evaluation.reached.equity)
    if not evaluation.candidates:
        return row
    best = evaluation.candidates[0]
    equities = [candidate.equity for candidate in evaluation.candidates]
    return row._replace(
        better=_written(decision, best.after),
        best=best.equity,
        spread=0.0 if evaluation.alike else max(equities) - min(equities),
    )


def _after(rolled: PlayEvaluation | None, decision: Decision) -> PlayingOn | None:
    """Playing on with the roll that was made: its best play."""
    if decision.dice is None or rolled is None or not rolled.candidates:
        return None
    best = rolled.candidates[0].equity
    return PlayingOn(best if decision.on_roll == resigner(decision) else -best)


def _with_giving_up(
    row: AnalyzedDecision, decision: Decision, evaluation: Evaluation | None
) -> AnalyzedDecision:
    """The equities of giving up and of playing on, for the side that decides."""
    given_up = _equity_given_up(row, decision)
    if not isinstance(evaluation, PlayingOn) or given_up is None:
        return row
    sign = 1 if row.kind is Kind.RESIGNATION else -1
    ended, goes_on = sign * given_up, sign * evaluation.equity
    reached = goes_on if row.kind is Kind.DECLINE else ended
    return row._replace(best=max(ended, goes_on), reached=reached)


def _equity_given_up(row: AnalyzedDecision, decision: Decision) -> float | None:
    """The equity of the side that resigns once it has lost the points."""
    loser = resigner(decision)
    at_stake = stake(row.score, loser, row.cube)
    if decision.points is None or at_stake is None:
        return None
    if not row.length:
        return -decision.points / row.cube
    lost = chance_after(row.score, loser, winner=1 - loser, points=decision.points)
    return None if lost is None else at_stake.equity(lost)


def _played(decision: Decision) -> str | None:
    """The play as made, written as a better one is; its hits are those of the board, marked or not."""
    if not decision.steps:
        return None
    as_legal = None if decision.after is None else _written(decision, decision.after)
    return as_legal or notation(_with_hits(decision.position, decision.steps))


def _with_hits(position: Position, steps: Iterable[Step]) -> Iterator[Step]:
    """The steps of a play with the hits that it makes on a board."""
    for step in steps:
        hits = tuple(
            OFF < landing < BAR and position.other[BAR - landing] == 1 for landing in step.path[1:]
        )
        yield Step(step.path, hits)
        position = position_after(position, step)


def _written(decision: Decision, after: Position) -> str | None:
    """The play that leaves a position, in the customary notation."""
    assert decision.dice is not None
    steps = legal_plays(decision.position, decision.dice).get(after)
    return notation(steps) if steps else None
