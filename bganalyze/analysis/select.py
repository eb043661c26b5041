"""Verdicts that there are already, and the decisions that are wanted of them.

Verdicts come from a database, or from the file of a match. Where several judges have judged a match,
the engine counts that was used last, at the deepest of its levels.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.engines import EngineError, depth_of, start
from bganalyze.analysis.match import JudgedMatch, Key, UnjudgedMatch, prepare, with_judgements
from bganalyze.analysis.verdict import JudgedDecision, loss
from bganalyze.record.model import Match
from bganalyze.record.players import plain_name

if TYPE_CHECKING:
    from bganalyze.analysis.store import Store

RECORDED = "recorded"
"""The engine that takes over what another program has stored in the file."""


class Judge(NamedTuple):
    """Whose verdicts are wanted; None: whoever it was."""

    engine: str | None = None
    level: str | None = None

    def is_behind(self, key: Key) -> bool:
        """Whether a match known by this key was judged so.

        >>> Judge("sage").is_behind(Key("", "sage", "2.0", "1ply"))
        True
        """
        return self.engine in (None, key.engine) and self.level in (None, key.level)


ANYBODY = Judge()


def verdict(match: Match, store: Store | None, judge: Judge = ANYBODY) -> JudgedMatch | None:
    """Return what `judge` said of a match: the deepest kept, else what its file says; raise StoreError.

    None where nobody has judged it, or not so.
    """
    if store is None and not _is_annotated(match):
        return None
    to_judge = prepare(match)
    kept = () if store is None else store.verdicts(to_judge.match.key.content)
    fitting = [verdicts for verdicts in kept if judge.is_behind(verdicts.key)]
    if not fitting:
        return _stored(to_judge, judge)
    shown = shown_analysis([verdicts.key for verdicts in reversed(fitting)])
    return next(verdicts for verdicts in fitting if verdicts.key == shown)


def every_verdict(store: Store, judge: Judge = ANYBODY) -> Iterator[JudgedMatch]:
    """Yield what `judge` said of each match that is kept, by their files; raise StoreError.

    A match is met once, whatever file it came from and whatever the players were called there;
    but a record that does not know the length was judged as another match.
    """
    keys = set(map(shown_analysis, _analyses(store, judge)))
    yield from (match for match in store.matches(*judge) if match.key in keys)


class CountedVerdicts(NamedTuple):
    """What is counted of the verdicts in a database."""

    matches: Iterator[JudgedMatch]
    """Each match by one judge; one that was judged from two files is there twice."""
    left_out: int
    """How many analyses are not counted: the matches were judged deeper, or by another engine later."""


def counted_verdicts(store: Store, judge: Judge = ANYBODY) -> CountedVerdicts:
    """Return what `judge` said of each match that is kept; raise StoreError."""
    keys, left_out = set[Key](), 0
    for analyses in _analyses(store, judge):
        shown = shown_analysis(analyses)
        same = [key for key in analyses if key[1:] == shown[1:]]
        keys.update(same)
        left_out += len(analyses) - len(same)
    return CountedVerdicts((one for one in store.matches(*judge) if one.key in keys), left_out)


def shown_analysis(analyses: Sequence[Key]) -> Key:
    """Return which analysis of a match is shown, given all in the order in which they were kept.

    The engine used last, at the deepest of its levels; of the same depth the last.

    >>> kept = [Key("", "sage", "2", "3ply"), Key("", "gnubg", "1", "2ply"), Key("", "sage", "2", "1ply")]
    >>> shown_analysis(kept).level, shown_analysis(kept[:2]).engine
    ('3ply', 'gnubg')
    """
    of_engine = [key for key in analyses if key.engine == analyses[-1].engine]
    return max(reversed(of_engine), key=lambda key: depth_of(key.level))


def _analyses(store: Store, judge: Judge) -> Iterable[Sequence[Key]]:
    """The analyses of each match, in the order in which they were kept."""
    of_matches = defaultdict[tuple[str, int], list[Key]](list)
    for key, record, length in store.index():
        if judge.is_behind(key):
            of_matches[record or key.content, length].append(key)
    return of_matches.values()


def _stored(to_judge: UnjudgedMatch, judge: Judge) -> JudgedMatch | None:
    """What the file itself says of a match."""
    engine = start(RECORDED)
    key = to_judge.key(engine)
    if not judge.is_behind(key):
        return None
    try:
        return with_judgements(to_judge, key, engine.judge(to_judge.decisions))
    except EngineError:
        return None


def _is_annotated(match: Match) -> bool:
    """Whether a program has stored anything with the actions of a match."""
    actions = (action for game in match.games for action in game.actions)
    return any(getattr(action, "analysis", None) for action in actions)


# Judged decisions picked out of many matches: whose, which kinds, and how dear.


class SelectedDecision(NamedTuple):
    """A judged decision, with the match that it belongs to."""

    match: JudgedMatch
    place: int
    """Among the decisions of the match, from 1."""
    row: JudgedDecision

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
    matches: Iterable[JudgedMatch], criteria: DecisionFilter = EVERYTHING
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
    judged = (selected for selected in fitting if loss(selected.row) is not None)
    return iter(
        nlargest(criteria.costliest, judged, key=lambda selected: loss(selected.row) or 0.0)
    )


def _fits(selected: SelectedDecision, criteria: DecisionFilter) -> bool:
    if selected.row.kind not in criteria.kinds:
        return False
    lost = loss(selected.row)
    if criteria.least is not None and not (lost is not None and lost >= criteria.least):
        return False
    return criteria.player is None or plain_name(selected.player) == plain_name(criteria.player)
