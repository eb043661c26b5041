"""Finding stored analyses, and selecting decisions from them.

Analyses come from a database, or from the file of a match. If several engines have analyzed a
match, the engine used last counts, at the deepest of its levels.
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
    unanalyzed_from_replay,
    with_evaluations,
)
from bganalyze.record.model import Match
from bganalyze.record.players import plain_name
from bganalyze.validation.replaying import MatchReplay, replay

if TYPE_CHECKING:
    from bganalyze.analysis.store import Store

RECORDED = "recorded"
"""The engine that uses the analysis stored in the match file."""


def name_edition(engine: str, version: str, level: str) -> str:
    """Return words for the engine, version and level that made an analysis.

    >>> name_edition("gnubg", "1.07", "2ply")
    'gnubg 1.07 at 2ply'
    """
    if engine != RECORDED:
        return f"{engine} {version} at {level}"
    program = "a program not named" if version == UNNAMED else version
    depth = ", at unknown depth" if level == UNKNOWN_LEVEL else f" at {level}"
    return f"{program}{depth}{STORED}"


UNNAMED, UNKNOWN_LEVEL = "as stored", "stored"
"""Version and level of a stored analysis if the match file does not name them."""

STORED = " (stored in the file)"
"""Ending of the name of an analysis that a match file stores."""


class EngineChoice(NamedTuple):
    """The engine and level whose analyses are wanted; None means any."""

    engine: str | None = None
    level: str | None = None

    def accepts(self, key: Key) -> bool:
        """Whether an analysis with this key was made by a wanted engine and level."""
        return self.engine in (None, key.engine) and self.level in (None, key.level)


ANY_ENGINE = EngineChoice()


def find_analysis(
    match: Match, store: Store | None, choice: EngineChoice = ANY_ENGINE
) -> AnalyzedMatch | None:
    """Return an analysis of a match from the database or, if it has none, from the match file.

    If the database has several, return the deepest one by the engine used last. Raise StoreError if
    the database cannot be read.
    """
    may_be_analyzed = store is not None or _has_stored_analysis(match)
    return find_analysis_of_replay(replay(match), store, choice) if may_be_analyzed else None


def find_analysis_of_replay(
    replayed: MatchReplay, store: Store | None, choice: EngineChoice = ANY_ENGINE
) -> AnalyzedMatch | None:
    """Return an analysis of a replayed match, chosen as in `find_analysis`.

    The match must have been replayed by the default rule book.
    """
    if store is None and not _has_stored_analysis(replayed.match):
        return None
    to_analyze = unanalyzed_from_replay(replayed)
    kept = () if store is None else store.find_by_content(to_analyze.match.key.content)
    fitting = [analyses for analyses in kept if choice.accepts(analyses.key)]
    if not fitting:
        return _read_analysis_in_file(to_analyze, choice)
    shown = choose_analysis([analyses.key for analyses in reversed(fitting)])
    return next(analyses for analyses in fitting if analyses.key == shown)


def find_analyses(
    store: Store, choice: EngineChoice = ANY_ENGINE, digests: frozenset[str] | None = None
) -> Iterator[AnalyzedMatch]:
    """Yield one analysis of each match in the database, in the order of the match files.

    If `digests` is given, only matches with one of them are wanted. Raise StoreError if the
    database cannot be read.
    """
    keys = set(map(choose_analysis, _group_keys_by_match(store, choice, digests)))
    yield from (match for match in store.matches(*choice) if match.key in keys)


class CountedAnalyses(NamedTuple):
    """Analyses in a database that statistics count, and the number of those they leave out."""

    matches: Iterator[AnalyzedMatch]
    """Each match by one engine; a match analyzed from two files appears twice."""
    left_out: int
    """Number of analyses that do not count, because the match was analyzed deeper, or later by
    another engine."""


def select_counted_analyses(
    store: Store, choice: EngineChoice = ANY_ENGINE, digests: frozenset[str] | None = None
) -> CountedAnalyses:
    """Return the analyses in the database that statistics count, and how many they leave out.

    If `digests` is given, only matches with one of them are wanted. Raise StoreError if the
    database cannot be read.
    """
    keys, left_out = set[Key](), 0
    for analyses in _group_keys_by_match(store, choice, digests):
        shown = choose_analysis(analyses)
        same = [key for key in analyses if key[1:] == shown[1:]]
        keys.update(same)
        left_out += len(analyses) - len(same)
    return CountedAnalyses((one for one in store.matches(*choice) if one.key in keys), left_out)


def choose_analysis(analyses: Sequence[Key]) -> Key:
    """Return the key of the analysis to show: the deepest one by the engine used last.

    `analyses` are the keys of one match's analyses, oldest first.
    """
    of_engine = [key for key in analyses if key.engine == analyses[-1].engine]
    return max(reversed(of_engine), key=lambda key: depth_of(key.level))


def _group_keys_by_match(
    store: Store, choice: EngineChoice, digests: frozenset[str] | None
) -> Iterable[Sequence[Key]]:
    """Return the keys of analyses, grouped by match, oldest first.

    If `digests` is given, only matches with one of them are wanted.
    """
    of_matches = defaultdict[tuple[str, int], list[Key]](list)
    for key, record, length in store.list_analyses():
        if choice.accepts(key) and (digests is None or record in digests):
            of_matches[record or key.content, length].append(key)
    return of_matches.values()


def _read_analysis_in_file(
    to_analyze: UnanalyzedMatch, choice: EngineChoice
) -> AnalyzedMatch | None:
    """Return the analysis that the match file stores, if a wanted engine made it."""
    engine = start(RECORDED)
    key = to_analyze.key(engine)
    if not choice.accepts(key):
        return None
    try:
        return with_evaluations(to_analyze, key, engine.evaluate(to_analyze.decisions))
    except EngineError:
        return None


def _has_stored_analysis(match: Match) -> bool:
    """Whether the match file stores an analysis of any action."""
    actions = (action for game in match.games for action in game.actions)
    return any(getattr(action, "analysis", None) for action in actions)


# Selecting analyzed decisions from many matches: by player, kind and loss.


class SelectedDecision(NamedTuple):
    """An analyzed decision with its match."""

    match: AnalyzedMatch
    place: int
    """Number of the decision in the match, from 1."""
    row: AnalyzedDecision
    comment: str = ""
    """The comments on it in the match file; empty if the file was not at hand."""
    recurs: int = 1
    """Number of mistakes of the same kind by the same player, with this one."""

    @property
    def names(self) -> tuple[str, str]:
        """The left and the right player of the game."""
        results = (result for result in self.match.results if result.game == self.row.game)
        left, right = next(((result.left_name, result.right_name) for result in results), ("", ""))
        return left or self.match.names[0], right or self.match.names[1]

    @property
    def player(self) -> str:
        """The player who decided."""
        return self.names[self.row.side]

    @property
    def priority(self) -> float:
        """The loss of a mistake (EMG) times the number of mistakes of its kind."""
        return (loss(self.row) or 0.0) * self.recurs


class DecisionFilter(NamedTuple):
    """Criteria for selecting decisions."""

    player: str | None = None
    """Only the decisions of this player; rating, case and Unicode form of the name are ignored."""
    kinds: frozenset[Kind] = frozenset(Kind)
    least: float | None = None
    """Smallest loss (EMG)."""
    costliest: int | None = None
    """Number of decisions, costliest first; None for all in the order of the matches."""


EVERYTHING = DecisionFilter()


def select_decisions(
    matches: Iterable[AnalyzedMatch], criteria: DecisionFilter = EVERYTHING
) -> Iterator[SelectedDecision]:
    """Yield the decisions of analyzed matches that meet `criteria`: player, kind and loss."""
    every = (
        SelectedDecision(match, place, row, comment)
        for match in matches
        for place, (row, comment) in enumerate(
            zip(match.rows, match.comments or ("",) * len(match.rows), strict=True), 1
        )
    )
    fitting = (selected for selected in every if meets_criteria(selected, criteria))
    if criteria.costliest is None:
        return fitting
    analyzed = (selected for selected in fitting if loss(selected.row) is not None)
    return iter(
        nlargest(criteria.costliest, analyzed, key=lambda selected: loss(selected.row) or 0.0)
    )


def meets_criteria(selected: SelectedDecision, criteria: DecisionFilter) -> bool:
    """Whether a decision has the player, kind and loss that `criteria` ask for."""
    if selected.row.kind not in criteria.kinds:
        return False
    lost = loss(selected.row)
    if criteria.least is not None and not (lost is not None and lost >= criteria.least):
        return False
    return criteria.player is None or plain_name(selected.player) == plain_name(criteria.player)
