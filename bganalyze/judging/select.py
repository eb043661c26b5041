"""Judged decisions picked out of many matches: whose, which kinds, and how dear."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import nlargest
from typing import NamedTuple

from bganalyze.judging.decisions import Kind
from bganalyze.judging.match import JudgedMatch
from bganalyze.judging.verdict import JudgedDecision, loss
from bganalyze.players import plain_name


class SelectedDecision(NamedTuple):
    """A judged decision, with the match that it belongs to."""

    match: JudgedMatch
    place: int
    """Among the decisions of the match, from 1."""
    row: JudgedDecision

    @property
    def names(self) -> tuple[str, str]:
        """Left and right, as they sat in the game."""
        results = (each for each in self.match.results if each.game == self.row.game)
        of_game = next(((each.left_name, each.right_name) for each in results), ("", ""))
        left, right = (own or name for own, name in zip(of_game, self.match.names, strict=True))
        return left, right

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
    matches: Iterable[JudgedMatch], wanted: DecisionFilter = EVERYTHING
) -> Iterator[SelectedDecision]:
    """Yield the decisions that are wanted."""
    every = (
        SelectedDecision(match, place, row)
        for match in matches
        for place, row in enumerate(match.rows, 1)
    )
    fitting = (each for each in every if _fits(each, wanted))
    if wanted.costliest is None:
        return fitting
    known = (each for each in fitting if loss(each.row) is not None)
    return iter(nlargest(wanted.costliest, known, key=lambda each: loss(each.row) or 0.0))


def _fits(each: SelectedDecision, wanted: DecisionFilter) -> bool:
    if each.row.kind not in wanted.kinds:
        return False
    lost = loss(each.row)
    if wanted.least is not None and not (lost is not None and lost >= wanted.least):
        return False
    return wanted.player is None or plain_name(each.player) == plain_name(wanted.player)
