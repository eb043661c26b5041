"""Analyses that there are already, and the decisions that are wanted of them.

Analyses come from a database, or from the file of a match. Where several engines have analyzed a match,
the engine counts that was used last, at the deepest of its levels.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

from bganalyze.analysis.analyzed import AnalyzedDecision, loss
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.engines import EngineError, depth_of, start
from bganalyze.analysis.match import (
    AnalyzedMatch,
    Key,
    UnanalyzedMatch,
    prepare_replayed,
    with_evaluations,
)
from bganalyze.record.model import Match
from bganalyze.record.players import plain_name
from bganalyze.validation.replaying import MatchReplay, replay

if TYPE_CHECKING:
    from bganalyze.analysis.store import Store

RECORDED = "recorded"
"""The engine that takes over what another program has stored in the file."""


class EngineChoice(NamedTuple):
    """Whose analyses are wanted; None: whoever it was."""

    engine: str | None = None
    level: str | None = None

    def is_behind(self, key: Key) -> bool:
        """Whether a match known by this key was analyzed so.

        >>> EngineChoice("sage").is_behind(Key("", "sage", "2.0", "1ply"))
        True
        """
        return self.engine in (None, key.engine) and self.level in (None, key.level)


ANY_ENGINE = EngineChoice()


def find_analysis(
    match: Match, store: Store | None, choice: EngineChoice = ANY_ENGINE
) -> AnalyzedMatch | None:
    """Return what `choice` said of a match: the deepest kept, else what its file says; raise StoreError.

    None where nobody has analyzed it, or not so.
    """
    may_be_analyzed = store is not None or _is_annotated(match)
    return evaluation_on_replay(replay(match), store, choice) if may_be_analyzed else None


def evaluation_on_replay(
    replayed: MatchReplay, store: Store | None, choice: EngineChoice = ANY_ENGINE
) -> AnalyzedMatch | None:
    """Return what `evaluation` does, of a match that is replayed already, by the basic rules."""
    if store is None and not _is_annotated(replayed.match):
        return None
    to_analyze = prepare_replayed(replayed)
    kept = () if store is None else store.analyses(to_analyze.match.key.content)
    fitting = [analyses for analyses in kept if choice.is_behind(analyses.key)]
    if not fitting:
        return _stored(to_analyze, choice)
    shown = shown_analysis([analyses.key for analyses in reversed(fitting)])
    return next(analyses for analyses in fitting if analyses.key == shown)


def find_analyses(
    store: Store, choice: EngineChoice = ANY_ENGINE, among: frozenset[str] | None = None
) -> Iterator[AnalyzedMatch]:
    """Yield what `choice` said of each match that is kept, by their files; raise StoreError.

    `among` has the digests of the matches that are wanted, or is None for all. A match is met once, whatever file it came from and whatever the players were called there;
    but a record that does not know the length was analyzed as another match.
    """
    keys = set(map(shown_analysis, _analyses(store, choice, among)))
    yield from (match for match in store.matches(*choice) if match.key in keys)


class CountedAnalyses(NamedTuple):
    """What is counted of the analyses in a database."""

    matches: Iterator[AnalyzedMatch]
    """Each match by one engine; one that was analyzed from two files is there twice."""
    left_out: int
    """How many analyses are not counted: the matches were analyzed deeper, or by another engine later."""


def counted_analyses(
    store: Store, choice: EngineChoice = ANY_ENGINE, among: frozenset[str] | None = None
) -> CountedAnalyses:
    """Return what `choice` said of each match that is kept; raise StoreError.

    `among` has the digests of the matches that count, or is None for all.
    """
    keys, left_out = set[Key](), 0
    for analyses in _analyses(store, choice, among):
        shown = shown_analysis(analyses)
        same = [key for key in analyses if key[1:] == shown[1:]]
        keys.update(same)
        left_out += len(analyses) - len(same)
    return CountedAnalyses((one for one in store.matches(*choice) if one.key in keys), left_out)


def shown_analysis(analyses: Sequence[Key]) -> Key:
    """Return which analysis of a match is shown, given all in the order in which they were kept.

    The engine used last, at the deepest of its levels; of the same depth the last.

    >>> kept = [Key("", "sage", "2", "3ply"), Key("", "gnubg", "1", "2ply"), Key("", "sage", "2", "1ply")]
    >>> shown_analysis(kept).level, shown_analysis(kept[:2]).engine
    ('3ply', 'gnubg')
    """
    of_engine = [key for key in analyses if key.engine == analyses[-1].engine]
    return max(reversed(of_engine), key=lambda key: depth_of(key.level))


def _analyses(
    store: Store, choice: EngineChoice, among: frozenset[str] | None
) -> Iterable[Sequence[Key]]:
    """The analyses of each match, in the order in which they were kept."""
    of_matches = defaultdict[tuple[str, int], list[Key]](list)
    for key, record, length in store.index():
        if choice.is_behind(key) and (among is None or record in among):
            of_matches[record or key.content, length].append(key)
    return of_matches.values()


def _stored(to_analyze: UnanalyzedMatch, choice: EngineChoice) -> AnalyzedMatch | None:
    """What the file itself says of a match."""
    engine = start(RECORDED)
    key = to_analyze.key(engine)
    if not choice.is_behind(key):
        return None
    try:
        return with_evaluations(to_analyze, key, engine.evaluate(to_analyze.decisions))
    except EngineError:
        return None


def _is_annotated(match: Match) -> bool:
    """Whether a program has stored anything with the actions of a match."""
    actions = (action for game in match.games for action in game.actions)
    return any(getattr(action, "analysis", None) for action in actions)


# Analyzed decisions picked out of many matches: whose, which kinds, and how dear.


class SelectedDecision(NamedTuple):
    """An analyzed decision, with the match that it belongs to."""

    match: AnalyzedMatch
    place: int
    """Among the decisions of the match, from 1."""
    row: AnalyzedDecision

    @property
    def names(self) -> tuple[str, str]:
        """Left and right, as they sat in the game."""
        results = (result for result in self.match.results if result.game == self.row.game)
        left, right = next(((result.left_name, result.right_name) for result in results), ("", ""))
        return left or self.match.names[0], right or self.match.names[1]

    @property
    def player(self) -> str:
        """Who decided."""
        return self.names[self.row.side]


class DecisionFilter(NamedTuple):
    """Which decisions are wanted."""

    player: str | None = None
    """Only those of one player, whatever the rating, case or Unicode form of the name."""
    kinds: frozenset[Kind] = frozenset(Kind)
    least: float | None = None
    """Only those that lost so much, in EMG."""
    costliest: int | None = None
    """Only so many, the costliest first; else all in the order of the matches."""


EVERYTHING = DecisionFilter()


def select_decisions(
    matches: Iterable[AnalyzedMatch], criteria: DecisionFilter = EVERYTHING
) -> Iterator[SelectedDecision]:
    """Yield the decisions that are wanted."""
    every = (
        SelectedDecision(match, place, row)
        for match in matches
        for place, row in enumerate(match.rows, 1)
    )
    fitting = (selected for selected in every if _fits(selected, criteria))
    if criteria.costliest is None:
        return fitting
    analyzed = (selected for selected in fitting if loss(selected.row) is not None)
    return iter(
        nlargest(criteria.costliest, analyzed, key=lambda selected: loss(selected.row) or 0.0)
    )


def _fits(selected: SelectedDecision, criteria: DecisionFilter) -> bool:
    if selected.row.kind not in criteria.kinds:
        return False
    lost = loss(selected.row)
    if criteria.least is not None and not (lost is not None and lost >= criteria.least):
        return False
    return criteria.player is None or plain_name(selected.player) == plain_name(criteria.player)
