"""The gain of an illegal play over the best legal one, by an engine."""

from __future__ import annotations

from typing import NamedTuple

from bganalyze.analysis.analyzed import AnalyzedDecision, loss, make_rows_with_evaluations
from bganalyze.analysis.decisions import Decision, Kind, decisions_of_match
from bganalyze.analysis.engines import start
from bganalyze.record.model import Play
from bganalyze.validation.replaying import MatchReplay
from bganalyze.validation.replaying.replayed import Turn


class PlayGain(NamedTuple):
    """An illegal play compared with the best legal one, by an engine."""

    engine: str
    version: str
    level: str
    decision: AnalyzedDecision | None
    """The play with the equities of both; None if its board is in doubt or it was taken back."""

    @property
    def equity(self) -> float | None:
        """The equity (EMG) that the play gained, negative for a loss, if known."""
        lost = None if self.decision is None else loss(self.decision)
        return None if lost is None else -lost

    @property
    def chance(self) -> float | None:
        """The match-winning chance (in money games, points) gained by the play, or None if unknown.

        A loss is negative.
        """
        if self.decision is None or self.equity is None or self.decision.stake is None:
            return None
        gained = self.decision.stake.cost(abs(self.equity))
        return gained if self.equity >= 0 else -gained


def measure_gain(
    replayed: MatchReplay, turn: Turn, name: str | None, level: str | None = None
) -> PlayGain | None:
    """Return how much better or worse a play, legal or not, was than the best legal play.

    The difference is in equity and in the chance to win the match. `name` and `level` choose the
    engine. Return None if the turn has no play. Raise EngineError if
    the engine is missing or fails.
    """
    if not isinstance(turn.action, Play):
        return None
    engine = start(name, level)
    decision = _find_play(replayed, turn)
    if decision is None:
        return PlayGain(engine.name, engine.version, engine.level, None)
    evaluations = engine.evaluate([decision])
    [row] = make_rows_with_evaluations([decision], evaluations)
    return PlayGain(engine.name, *engine.stored_version([decision]), row)


def _find_play(replayed: MatchReplay, turn: Turn) -> Decision | None:
    """Return the play of a turn as a decision.

    Return None for an unverified board, a corrected play or a repeated roll.
    """
    for decision in decisions_of_match(replayed):
        if decision.turn.action.span == turn.action.span and decision.kind is Kind.PLAY:
            return decision if turn.verified else None
    # Statistics leave out corrected plays and repeated rolls.
    return None
