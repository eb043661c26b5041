"""Where points are lost, as tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from bganalyze.app.render.document import Block, Cell, Grid, Note
from bganalyze.statistics.norms import ALL_PLAYERS, FACTOR, OPPONENTS, NormTable
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.kinds import Estimate, KindLoss, sum_costs
from bganalyze.statistics.profiles.lessons import words_for_class
from bganalyze.statistics.profiles.recurring import FEWEST_COMPARED, Mistakes

MOST_CLASSES = 6
"""Classes of contact positions that have a row of their own."""

FEWEST_EQUAL = 4
"""Kinds whose equal rates cannot be chance."""

ENGINES_DIFFER = 0.4
"""Difference (PR) between the analyses of two good engines, on average over 493 matches."""


def tabulate_kinds(profile: PlayerProfile) -> Iterator[Block]:
    """Yield the cost of each kind of decision as a table, with notes on its columns."""
    if not profile.kinds:
        return
    total = sum_costs(profile.kinds)
    rows = tuple(_kind_cells(loss, total) for loss in profile.kinds)
    headings = (
        *("", "lost", "95 %", "share", "n", "of n"),
        *("rate", "theirs", "compared", "norm"),
    )
    yield Grid("", headings, rows)
    yield Note(
        f"lost: equity (EMG) per {FACTOR} decisions of all kinds, with its 95 % interval and its share;"
        f" n: decisions of the kind, with their share; rate: per {FACTOR} of them"
    )
    yield Note(
        "theirs: the opponents' rate in the same matches. Worse, better: fairly sure, with allowance for"
        " the number of kinds. Take, pass: below and above the cash point"
    )
    yield Note(
        NORM_OF_THESE
        if is_norm_of_these(profile.kinds)
        else norm_in_words(profile.norms, profile.engines)
    )


NORM_OF_THESE = (
    "norm: the same rates as those of the opponents in these matches, so probably made from them: it"
    " confirms nothing"
)


def is_norm_of_these(kinds: Sequence[KindLoss]) -> bool:
    """Whether the norms were probably made from these matches: every rate is that of the opponents."""
    pairs = [
        (f"{loss.norm.rate:.1f}", f"{loss.opponents.value:.1f}")
        for loss in kinds
        if loss.norm is not None and loss.opponents is not None
    ]
    return len(pairs) >= FEWEST_EQUAL and all(norm == theirs for norm, theirs in pairs)


def norm_in_words(norms: NormTable, engines: Sequence[str]) -> str:
    """Return whose rates the norms have, by which engine, and what another engine changes.

    >>> from bganalyze.statistics.norms import read_shipped_norms
    >>> norm_in_words(read_shipped_norms(), ["recorded GNU Backgammon at 4ply"]).partition(" in ")[0]
    'norm: 787 opponents of one strong player'
    """
    norm = norms.find("all kinds", norms.usual_group)
    players = "" if norm is None else f"{norm.players:,} "
    groups = {OPPONENTS: "opponents of one strong player", ALL_PLAYERS: "players"}
    said = f"norm: {players}{groups[norms.usual_group]} in other matches, by {norms.engine}"
    if not engines:
        return said
    mostly = "mostly " if len(engines) > 1 else ""
    return (
        f"{said}; these matches are {mostly}analyzed by {engines[0]}. Two good engines differ by about"
        f" {ENGINES_DIFFER} PR in a match, so a small difference from the norm says nothing"
    )


def _kind_cells(loss: KindLoss, total: float) -> tuple[Cell, ...]:
    """Return the cells of one kind of decision; `total` is the cost of all kinds."""
    opponents = "" if loss.opponents is None else f"{loss.opponents.value:.1f}"
    return (
        Cell(loss.label),
        Cell(f"{loss.share.value:.2f}"),
        Cell(_interval(loss.share)),
        Cell(f"{100 * loss.share.value / total:.0f} %"),
        Cell(f"{loss.rate.decisions:,}"),
        Cell(f"{100 * loss.share_of_decisions:.0f} %"),
        Cell(f"{loss.rate.value:.1f}"),
        Cell(opponents),
        Cell(_compare(loss), tone="info" if loss.is_sure else ""),
        Cell("" if loss.norm is None else f"{loss.norm.rate:.1f}"),
    )


def _interval(rate: Estimate) -> str:
    return "" if math.isnan(rate.low) else f"{rate.low:.2f} to {rate.high:.2f}"


def _compare(loss: KindLoss) -> str:
    """Return whether the player certainly does worse or better than the opponents."""
    if loss.corrected is None:
        return "too few"
    if not loss.is_sure:
        return "not sure"
    return "worse" if loss.is_worse else "better"


def tabulate_contact(profile: PlayerProfile) -> Iterator[Block]:
    """Yield the cost of contact plays by class of position as a table."""
    if profile.study is None or not profile.kinds or len(profile.study.contact) < 2:
        return
    first, rest = profile.study.contact[:MOST_CLASSES], profile.study.contact[MOST_CLASSES:]
    decisions, total = profile.kinds[0].share.decisions, sum_costs(profile.kinds)
    rows = [_class_cells(one, decisions, total) for one in first]
    if rest:
        rows.append(_rest_cells(rest, decisions, total))
    headings = ("", "lost", "share", "n", "of n", "rate", "theirs")
    yield Grid("", headings, tuple(rows))
    yield Note(
        "the columns are those of the table above; docs/norms.md defines the classes of positions;"
        f" theirs: of {FEWEST_COMPARED} decisions or more, not tested"
    )


def _class_cells(mistakes: Mistakes, decisions: int, total: float) -> tuple[Cell, ...]:
    """Return the cells of a class of positions; `decisions` and `total` are those of all kinds."""
    opponents = "" if mistakes.opponents is None else f"{mistakes.opponents:.1f}"
    name = words_for_class(mistakes.position, mistakes.role)
    return (
        *_cost_cells(name, mistakes.lost, mistakes.decisions, decisions, total),
        Cell(opponents),
    )


def _rest_cells(rest: Sequence[Mistakes], decisions: int, total: float) -> tuple[Cell, ...]:
    """Return the cells of several classes of positions together."""
    lost, counted = sum(one.lost for one in rest), sum(one.decisions for one in rest)
    name = f"{len(rest)} other classes" if len(rest) > 1 else "1 other class"
    return (*_cost_cells(name, lost, counted, decisions, total), Cell(""))


def _cost_cells(
    name: str, lost: float, counted: int, decisions: int, total: float
) -> tuple[Cell, ...]:
    """Return the cells of a cost: its name, rate over all decisions, share, decisions, and own rate."""
    cost = FACTOR * lost / decisions
    return (
        Cell(name),
        Cell(f"{cost:.2f}"),
        Cell(f"{100 * cost / total:.0f} %"),
        Cell(f"{counted:,}"),
        Cell(f"{100 * counted / decisions:.0f} %"),
        Cell(f"{FACTOR * lost / counted:.1f}"),
    )
