"""Writing evaluations into a match, in the notation of a format that stores them.

Formats store analyses in notations of their own, so an analysis is translated before the match is
written. `attach_analysis` does so, and names what the notation cannot say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from bganalyze.analysis.analyzed import CUBE, AnalyzedDecision, loss, make_rows_with_evaluations
from bganalyze.analysis.candidates import read_plays
from bganalyze.analysis.decisions import Decision, Kind
from bganalyze.analysis.engines import EngineError
from bganalyze.analysis.engines.recorded import LEVELS, StoredAnalysis
from bganalyze.analysis.match import AnalyzedMatch, Key, unanalyzed_from_replay
from bganalyze.analysis.notations import gva, sgf
from bganalyze.analysis.notations.evaluated import Evaluated, EvaluatedAction
from bganalyze.analysis.select import RECORDED
from bganalyze.record.model import Action, Analysis, Match, Span
from bganalyze.validation.replaying import MatchReplay
from bganalyze.writing.losses import LostDetail


class Notation(NamedTuple):
    """A notation for evaluations."""

    names: frozenset[str]
    """Names of the entries of an action."""
    write: Callable[[EvaluatedAction, int], Iterator[tuple[str, str]]]
    """Function that yields the entries of an action of a side."""


NOTATIONS = {
    "sgf": Notation(frozenset(("A", "DA", "LU")), sgf.write_entries),
    "gvab": Notation(frozenset(("gva",)), gva.write_entries),
}
"""The notations, by the name of the format that stores them."""

KINDS = (Kind.PLAY, *CUBE)
"""The decisions whose evaluations are written. Those of beavers follow from the double before."""

ROUNDING = 0.0006
"""Difference of equities (EMG) that formats with four digits may have."""

_LOST = "an evaluation"
_LOST_PLAYS = "plays that the engine lists"
_LOST_LUCK = "the luck of a roll"
_LOST_DEPTH = "the search depth of an evaluation"


class MatchWithAnalysis(NamedTuple):
    """A match with an analysis in the notation of a format."""

    match: Match
    losses: tuple[LostDetail, ...] = ()
    """Parts of the analysis that the notation cannot say."""


def are_analyses_written_as(match: Match, format_name: str) -> bool:
    """Whether all analyses in a match have the notation of a format, such as `sgf`."""
    names = NOTATIONS[format_name].names
    stored = (getattr(action, "analysis", None) for game in match.games for action in game.actions)
    return all(
        any(name in names for name, _ in analysis.entries) for analysis in stored if analysis
    )


def attach_analysis(
    replayed: MatchReplay, analyzed: AnalyzedMatch, target: str
) -> MatchWithAnalysis:
    """Return a match with an engine's analysis stored in its actions, in place of any other.

    `target` is the format to be written, such as `sgf`, and the result lists what this format
    cannot store. The match must have been replayed by the default rule book.
    """
    decisions = unanalyzed_from_replay(replayed).decisions
    actions = defaultdict[Span, EvaluatedAction](EvaluatedAction)
    for decision, row in zip(decisions, analyzed.rows, strict=True):
        if row.kind in KINDS:
            span = decision.turn.action.span
            actions[span] = actions[span].add(Evaluated(decision, row, analyzed.key.level))
    program = name_of_program(analyzed.key)
    stored = {
        span: Analysis(program, entries)
        for span, action in actions.items()
        if (entries := tuple(_write_evaluations(action, target)))
    }
    match = replayed.match
    games = tuple(
        game._replace(actions=tuple(_replace_analysis(action, stored) for action in game.actions))
        for game in match.games
    )
    losses = _find_lost_data(decisions, analyzed, stored)
    return MatchWithAnalysis(match._replace(games=games), tuple(losses))


def name_of_program(key: Key) -> str:
    """Return the program that made an analysis, with its version if known.

    >>> name_of_program(Key("", "sage", "2.0", "1ply"))
    'sage 2.0'
    """
    return key.version if key.engine == RECORDED else f"{key.engine} {key.version}".strip()


def _write_evaluations(action: EvaluatedAction, target: str) -> Iterator[tuple[str, str]]:
    """Yield the evaluations of an action as a format stores them: names and texts."""
    evaluated = action.play or action.cube
    assert evaluated is not None
    return NOTATIONS[target].write(action, evaluated.decision.side)


def _replace_analysis(action: Action, by_span: dict[Span, Analysis]) -> Action:
    """Return an action with its new analysis, or without any if it has no new one.

    `by_span` maps the place of each action in the file to its new analysis.
    """
    found = by_span.get(action.span)
    kept = getattr(action, "analysis", None)
    return action if kept == found else action._replace(analysis=found)  # type: ignore[call-arg]


def _find_lost_data(
    decisions: Sequence[Decision], analyzed: AnalyzedMatch, stored: dict[Span, Analysis]
) -> Iterator[LostDetail]:
    """Yield the parts of an analysis that a match file cannot store.

    `stored` maps the place of each action to its stored analysis, which is read back and compared.
    """
    written = [
        decision._replace(stored=stored.get(decision.turn.action.span)) for decision in decisions
    ]
    try:
        evaluations = StoredAnalysis().evaluate(written)
    except EngineError:
        evaluations = [None] * len(written)
    level = analyzed.key.level
    again = make_rows_with_evaluations(written, evaluations)
    for decision, before, after in zip(decisions, analyzed.rows, again, strict=True):
        if before.kind in KINDS:
            span = decision.turn.action.span
            yield from (
                LostDetail(what, span) for what in _compare_evaluations(before, after, level)
            )


def _compare_evaluations(
    before: AnalyzedDecision, after: AnalyzedDecision, level: str
) -> Iterator[str]:
    """Yield the name of each part of an evaluation that a file has lost.

    `after` is the row read back from the file. `level` is the depth of an evaluation that states
    none.
    """
    lost, lost_again = loss(before), loss(after)
    if before.luck is not None and not _is_close(before.luck, after.luck):
        yield _LOST_LUCK
    if before.forced and before.plays is None:
        return  # No legal play, so nothing was decided.
    if lost is not None and not _is_close(lost, lost_again):
        yield _LOST
        return
    plays, plays_again = read_plays(before.plays), read_plays(after.plays)
    if [play.play for play in plays] != [play.play for play in plays_again]:
        yield _LOST_PLAYS
    has_depth = after.depth is not None and (before.depth or level) not in LEVELS
    if has_depth and (before.depth or level) != after.depth:
        yield _LOST_DEPTH


def _is_close(one: float, other: float | None) -> bool:
    """Whether two equities are equal except for rounding; False if `other` is unknown."""
    return other is not None and abs(one - other) <= ROUNDING
