"""Analyzed decisions: flat rows, each with one decision and its evaluation by an engine.

The results of the games are flat rows too. Metrics are functions of these rows, and a database
stores them. Neither needs the match file or the engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from bganalyze.analysis.candidates import NO_PLAY, write_chances, write_plays
from bganalyze.analysis.decisions import (
    ANSWERS,
    GIVING_UP,
    TO_DOUBLER,
    Decision,
    Kind,
    resigner,
)
from bganalyze.analysis.engines import CubeEvaluation, Evaluation, PlayEvaluation, PlayingOn
from bganalyze.board.equities import MatchScore, Stake, compute_chance_after, round_to_single, stake
from bganalyze.board.ids import Situation, xgid
from bganalyze.board.plays import legal_plays, notation
from bganalyze.board.position import BAR, OFF, Position, Step, classify_phase
from bganalyze.board.position import after as position_after
from bganalyze.validation.replaying.outcomes import GameOutcome
from bganalyze.validation.replaying.replayed import GameReplay

CUBE = (Kind.NO_DOUBLE, Kind.DOUBLE, *ANSWERS)
"""The cube decisions that every metric counts."""


class AnalyzedDecision(NamedTuple):
    """A decision and its evaluation by an engine, as one row of a table.

    Equities are normalized to the cube value before the decision.
    """

    game: int
    row: str | None
    place: str
    """Line and column in the match file."""
    side: int
    """The side that decided: 0 left, 1 right."""
    kind: Kind
    length: int
    """Match length; 0 for a money game."""
    left: int
    right: int
    """The score before the game."""
    crawford: bool
    cube: int
    owner: int | None
    offer: int
    """The cube value if a double is taken; for a resignation, the points."""
    dice: str | None
    situation: Situation
    """The position with cube and score, seen by the side that rolls or doubles."""
    legal: bool | None
    forced: bool
    verified: bool
    played: str | None
    """The recorded play in the usual notation, with the hits of the board if it was analyzed."""
    better: str | None
    """The best play; it may be the one that was made."""
    best: float | None = None
    reached: float | None = None
    """Equities of the best play and of the recorded play. For a resignation: of the better of
    resigning and playing on, and of the choice made."""
    spread: float | None = None
    """Equity difference between the best and the worst play that the engine lists."""
    luck: float | None = None
    no_double: float | None = None
    take: float | None = None
    passed: float | None = None
    """Equities of the doubler: without a double, after double and take, and after double and
    pass."""
    phase: str | None = None
    """The phase of the position; for an answer, the phase in which the double was given."""
    depth: str | None = None
    """The engine's search depth, if it differs between decisions."""
    plays: str | None = None
    """The best plays of a roll and the play made, with equities and chances; `read_plays` of
    `analysis/candidates.py` reads them."""
    chances: str | None = None
    """The doubler's cubeless chances at a cube decision; `read_chances` reads them."""

    @property
    def xgid(self) -> str:
        """The position as an XGID, the position text of eXtreme Gammon."""
        return xgid(self.situation)

    @property
    def score(self) -> MatchScore:
        """The score before the game."""
        return MatchScore(self.length, (self.left, self.right), self.crawford)

    @property
    def doubler(self) -> int:
        """The side that could double; for an answer to a double, the side that doubled."""
        return 1 - self.side if self.kind in TO_DOUBLER else self.side

    @property
    def stake(self) -> Stake | None:
        """The doubler's chances to win the match after winning, and after losing, a single game.

        In money games, these are points. The stake is None if the match equity table lacks the
        score.
        """
        return stake(self.score, self.doubler, self.cube)

    @property
    def cube_equities(self) -> tuple[float, float, float]:
        """The doubler's equities of no double, of double and take, and of double and pass."""
        assert self.no_double is not None
        assert self.take is not None
        assert self.passed is not None
        return self.no_double, self.take, self.passed

    @property
    def optimal(self) -> float | None:
        """The doubler's equity if both sides act correctly from here, or None if unknown."""
        if self.no_double is None or self.take is None or self.passed is None:
            return None
        return max(self.no_double, min(self.take, self.passed))


class GameResult(NamedTuple):
    """Result of a game of an analyzed match."""

    game: int
    length: int
    left: int
    right: int
    crawford: bool
    winner: int | None
    """0 left, 1 right; None if the game is unfinished. Of a disputed result, the winner that counts."""
    points: int | None
    left_name: str = ""
    right_name: str = ""
    """The players' names in this game; players may change columns between games."""

    def compute_gain_of_winner(self) -> float | None:
        """Return how much match-winning chance the winner gained; in a money game, the points.

        The result is None if the gain is unknown.

        >>> GameResult(1, 5, left=3, right=3, crawford=False, winner=0, points=2).compute_gain_of_winner()
        0.5
        """
        if self.winner is None or self.points is None:
            return None
        if not self.length:
            return float(self.points)
        score = MatchScore(self.length, (self.left, self.right), self.crawford)
        before = compute_chance_after(score, self.winner, winner=self.winner, points=0)
        after = compute_chance_after(score, self.winner, winner=self.winner, points=self.points)
        return None if before is None or after is None else round_to_single(after - before)


def make_result(replayed: GameReplay, header_names: tuple[str, str] = ("", "")) -> GameResult:
    """Return the result of a replayed game: score before it, winner, points won and players.

    `header_names` (left, right) are the players if the game itself names none.
    """
    context, ending = replayed.context, replayed.ending
    left, right = replayed.game.names_or(header_names)
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


def remove_disputed_points(result: GameResult, outcome: GameOutcome) -> GameResult:
    """Return a game's result, without its points if `outcome` says that they are disputed.

    In that case, the result gets the winner in `outcome`.
    """
    return result._replace(winner=outcome.winner, points=None) if outcome.disputed else result


def make_rows_with_evaluations(
    decisions: Iterable[Decision], evaluations: Iterable[Evaluation | None]
) -> Iterator[AnalyzedDecision]:
    """Yield each decision of a match as a row with its evaluation.

    A row without an evaluation has no equities. The exception is a resignation after a roll: it and
    its answer use the evaluation of the roll.
    """
    decisions = tuple(decisions)
    rolled: PlayEvaluation | None = None
    for decision, phase, evaluation in zip(
        decisions, _find_phases(decisions), evaluations, strict=True
    ):
        row = _make_row(decision)._replace(phase=phase)
        if isinstance(evaluation, PlayEvaluation):
            row, rolled = _add_play(row, decision, evaluation), evaluation
        elif isinstance(evaluation, CubeEvaluation):
            row = row._replace(
                no_double=evaluation.no_double,
                take=evaluation.take,
                passed=evaluation.passed,
                depth=evaluation.depth,
                chances=write_chances(evaluation.chances),
            )
        elif decision.kind in GIVING_UP:
            row = _add_resignation(
                row, decision, evaluation or _evaluate_playing_on(rolled, decision)
            )
        yield row


def rows_without_evaluations(decisions: Sequence[Decision]) -> Iterator[AnalyzedDecision]:
    """Yield each decision as a row without equities."""
    return make_rows_with_evaluations(decisions, [None] * len(decisions))


def loss(row: AnalyzedDecision) -> float | None:
    """Return the equity (EMG) that a decision lost, or None if unknown.

    An illegal play that gained equity has a negative loss.
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
            return max(_GAINS_BY_OTHER_ANSWER[row.kind](take, passed), 0.0)


_GAINS_BY_OTHER_ANSWER: Mapping[Kind, Callable[[float, float], float]] = {
    Kind.TAKE: lambda take, passed: take - passed,
    Kind.PASS: lambda take, passed: passed - take,
    Kind.BEAVER: lambda take, _: take,
    Kind.TAKE_BEAVER: lambda take, passed: -2 * (take + passed),
    Kind.PASS_BEAVER: lambda take, passed: 2 * (take + passed),
    Kind.RACCOON: lambda take, passed: 2 * max(take, -passed) - 4 * take,
    Kind.TAKE_RACCOON: lambda take, passed: 4 * (take - passed),
    Kind.PASS_RACCOON: lambda take, passed: 4 * (passed - take),
}
"""Gain in equity from answering a cube differently, computed from the doubler's equities of take
and pass."""


def _find_phases(decisions: Sequence[Decision]) -> list[str]:
    """Return the phase of the game at each decision: opening, contact, race or bear-off."""
    plays, rolls = list[int](), Counter[tuple[int, int]]()
    for decision in decisions:
        key = decision.context.game, decision.doubler
        # Only the first three plays of each side can be in the opening.
        plays.append(rolls[key] + 1)
        rolls[key] += decision.kind is Kind.PLAY
    positions = (decision.position for decision in decisions)
    return list(map(classify_phase, positions, plays))


def _make_row(decision: Decision) -> AnalyzedDecision:
    """Return a decision as a row without equities."""
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


def _add_play(
    row: AnalyzedDecision, decision: Decision, evaluation: PlayEvaluation
) -> AnalyzedDecision:
    """Return a row with the evaluation of its roll: equities, luck, best and recorded play."""
    row = row._replace(
        luck=evaluation.luck, depth=evaluation.depth, played=_write_recorded_play(decision)
    )
    names = {play.after: _write_play_to(decision, play.after) for play in evaluation.candidates}
    better = names[evaluation.candidates[0].after] if evaluation.candidates else None
    if evaluation.reached is not None:
        row = row._replace(reached=evaluation.reached.equity)
        names[evaluation.reached.after] = row.played
    names[decision.position] = names.get(decision.position) or NO_PLAY
    row = row._replace(plays=write_plays(evaluation, names))
    if not evaluation.candidates:
        return row
    best = evaluation.candidates[0]
    equities = [candidate.equity for candidate in evaluation.candidates]
    return row._replace(
        better=better,
        best=best.equity,
        spread=0.0 if evaluation.alike else max(equities) - min(equities),
    )


def _evaluate_playing_on(evaluation: PlayEvaluation | None, decision: Decision) -> PlayingOn | None:
    """Return the resigning side's equity of playing on, if it resigned with a roll to play.

    `decision` is the resignation or its answer. Return None without a roll or its `evaluation`.
    """
    if decision.dice is None or evaluation is None or not evaluation.candidates:
        return None
    best = evaluation.candidates[0].equity
    return PlayingOn(best if decision.on_roll == resigner(decision) else -best)


def _add_resignation(
    row: AnalyzedDecision, decision: Decision, evaluation: Evaluation | None
) -> AnalyzedDecision:
    """Return the row of a resignation or its answer with the equities of its choices added.

    The choices are to end the game and to play on. The row gets the equity of the better choice and
    of the choice made, or is unchanged if an equity is unknown.
    """
    given_up = _find_equity_after_resigning(row, decision)
    if not isinstance(evaluation, PlayingOn) or given_up is None:
        return row
    sign = 1 if row.kind is Kind.RESIGNATION else -1
    ended, goes_on = sign * given_up, sign * evaluation.equity
    reached = goes_on if row.kind is Kind.DECLINE else ended
    return row._replace(best=max(ended, goes_on), reached=reached)


def _find_equity_after_resigning(row: AnalyzedDecision, decision: Decision) -> float | None:
    """Return the resigning side's equity if its resignation is accepted, or None if unknown."""
    loser = resigner(decision)
    at_stake = stake(row.score, loser, row.cube)
    if decision.points is None or at_stake is None:
        return None
    if not row.length:
        return -decision.points / row.cube
    lost = compute_chance_after(row.score, loser, winner=1 - loser, points=decision.points)
    return None if lost is None else at_stake.equity(lost)


def _write_recorded_play(decision: Decision) -> str | None:
    """Return the recorded play in backgammon notation, such as `8/5* 6/5`, or None."""
    if not decision.steps:
        return None
    as_legal = None if decision.after is None else _write_play_to(decision, decision.after)
    # In an illegal play, steps onto a blot are marked as hits.
    return as_legal or notation(_mark_hits(decision.position, decision.steps))


def _mark_hits(position: Position, steps: Iterable[Step]) -> Iterator[Step]:
    """Yield the steps of a play; a step that lands on a blot is marked as a hit."""
    for step in steps:
        hits = tuple(
            OFF < landing < BAR and position.other[BAR - landing] == 1 for landing in step.path[1:]
        )
        yield Step(step.path, hits)
        position = position_after(position, step)


def _write_play_to(decision: Decision, after: Position) -> str | None:
    """Return the notation of the legal play that leads to the position `after`, or None."""
    assert decision.dice is not None
    steps = legal_plays(decision.position, decision.dice).get(after)
    return notation(steps) if steps else None
