"""Where points are lost: each kind of decision beside the same kind of the opponents."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from bganalyze.analysis.decision_kinds import (
    ALL_KINDS,
    KIND_WORDS,
    DecisionKind,
)
from bganalyze.analysis.decisions import GIVING_UP
from bganalyze.analysis.describe import ERROR
from bganalyze.statistics.estimates import (
    FEWEST_UNITS,
    MeasuredFigures,
    correct_dependent_p_values,
    p_value_of_differences,
)
from bganalyze.statistics.norms import FACTOR, Norm, NormTable
from bganalyze.statistics.reports.analyzed_counts import list_decisions_by_side
from bganalyze.statistics.reports.figures import Figure, estimate_figures, select_rows_of_question
from bganalyze.statistics.reports.losses import RATES, SHARES_OF_LOSS, add_kind_columns
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.sureness import SHOWN, describe_sureness
from bganalyze.statistics.tables.frames import AnalyzedTables

FEWEST_COMPARED = 30
"""Fewest decisions for a rate that is shown or compared."""


class Estimate(NamedTuple):
    """A rate with its 95 % interval, and the decisions and matches behind it."""

    value: float
    low: float
    high: float
    """The ends of the interval; NaN with too few matches."""
    decisions: int
    matches: int

    @property
    def has_rate(self) -> bool:
        """Whether there are enough decisions to show the rate and to compare it."""
        return self.decisions >= FEWEST_COMPARED


class Cost(NamedTuple):
    """The cost of a player's decisions. Rates are equity (EMG) lost per 500 decisions."""

    rate: Estimate
    opponents: Estimate | None
    """The rate of the opponents in the same matches; None if they had no such decision."""
    norm: Norm | None
    """The rate of many players in other matches, from the norms that come with the program."""
    errors: int
    """Decisions that lost `ERROR` or more."""
    corrected: float | None = None
    """p-value of the difference from the opponents, corrected for comparing several kinds; None with
    too few matches or decisions."""

    @property
    def lost(self) -> float:
        """The equity (EMG) that the decisions lost together.

        >>> rate = Estimate(value=10.0, low=8.0, high=12.0, decisions=250, matches=5)
        >>> Cost(rate, opponents=None, norm=None, errors=90).lost
        5.0
        """
        return self.rate.value * self.rate.decisions / FACTOR

    @property
    def is_difference_shown(self) -> bool:
        """Whether a test shows that the player's and the opponents' rates differ."""
        return self.corrected is not None and self.corrected < SHOWN

    @property
    def sureness(self) -> str:
        """How certain it is that the player's and the opponents' rates differ, in words."""
        return describe_sureness(self.corrected)

    @property
    def is_worse(self) -> bool:
        """Whether the player loses more per decision than the opponents."""
        return self.opponents is not None and self.rate.value > self.opponents.value


class KindLoss(NamedTuple):
    """The cost of a kind of decision to a player."""

    kind: DecisionKind
    share: Estimate
    """Equity (EMG) lost per 500 decisions of all kinds."""
    cost: Cost
    """Over the decisions of this kind."""

    @property
    def error(self) -> str:
        """The plural name of errors of this kind, such as `wrong takes`."""
        return KIND_WORDS[self.kind].error

    @property
    def label(self) -> str:
        """A shorter name of errors of this kind, for narrow tables."""
        return KIND_WORDS[self.kind].short

    @property
    def share_of_decisions(self) -> float:
        """The share (0 to 1) of this kind of decision among all of the player's decisions."""
        return self.cost.rate.decisions / self.share.decisions


def sum_costs(kinds: Iterable[KindLoss]) -> float:
    """Return the equity (EMG) lost in these kinds of decisions, per 500 decisions of all kinds."""
    return sum(loss.share.value for loss in kinds)


class Decisions(NamedTuple):
    """The decisions of a player and of the opponents in the same matches, with their kinds."""

    own: pd.DataFrame
    others: pd.DataFrame


def split_decisions(tables: AnalyzedTables, question: Question) -> Decisions:
    """Return the decisions of the question's player, and of the opponents in the same matches."""
    every = add_kind_columns(tables)
    of_opponents = Question(by=(), opponent=question.player)
    return Decisions(
        select_rows_of_question(every, question), select_rows_of_question(every, of_opponents)
    )


def compare_kinds(decisions: Decisions, norms: NormTable) -> tuple[KindLoss, ...]:
    """Return the cost of each kind of decision to a player, the costliest kind first.

    Each cost stands beside the opponents' cost and the norm. If no decision lost anything, the
    result is empty.
    """
    own = decisions.own
    shares, rates = _estimate_by_name(own, SHARES_OF_LOSS), _estimate_by_name(own, RATES)
    of_opponents = _estimate_by_name(decisions.others, RATES)
    errors = _find_errors(own)["decision_kind"].value_counts()
    losses = [
        KindLoss(
            kind,
            shares[words.error],
            Cost(
                rates[words.counted],
                of_opponents.get(words.counted),
                norms.find(kind, norms.usual_group),
                int(errors.get(kind, 0)),
            ),
        )
        for kind, words in KIND_WORDS.items()
        if words.counted in rates
    ]
    if not sum_costs(losses):
        return ()
    costs = _compare_costs([loss.cost for loss in losses])
    found = (loss._replace(cost=cost) for loss, cost in zip(losses, costs, strict=True))
    return tuple(sorted(found, key=lambda loss: -loss.share.value))


def sum_costs_of_all(decisions: Decisions, norms: NormTable) -> Cost | None:
    """Return the cost of all decisions to a player, or None if no decision counts."""
    rate, theirs = (_estimate_by_name(rows, SHARES_OF_LOSS).get(ALL_KINDS) for rows in decisions)
    if rate is None:
        return None
    norm = norms.find(ALL_KINDS, norms.usual_group)
    (cost,) = _compare_costs([Cost(rate, theirs, norm, len(_find_errors(decisions.own)))])
    return cost


class Resignations(NamedTuple):
    """The resignations of a player, and the answers to the opponents' resignations.

    No kind of decision counts them.
    """

    number: int = 0
    errors: int = 0
    """Those that lost `ERROR` or more."""
    lost: float = 0.0
    """The equity (EMG) that they lost: games given up too early or for too much, offers declined or accepted."""
    unknown: int = 0
    """Those without an evaluation."""


def sum_resignations(tables: AnalyzedTables, question: Question) -> Resignations:
    """Return the number and cost of a player's resignations and answers to resignations."""
    own = select_rows_of_question(list_decisions_by_side(tables), question)
    losses = own.loc[own["kind"].isin(GIVING_UP), "loss"]
    return Resignations(
        len(losses),
        int((losses >= ERROR).sum()),
        float(losses.sum()),
        int(losses.isna().sum()),
    )


class ChanceLost(NamedTuple):
    """The match-winning chance (MWC, 0 to 1) that errors cost a player in matches to a length."""

    matches: int
    """Matches to a length."""
    by_kind: tuple[tuple[DecisionKind, float], ...]
    """Each kind of decision with its cost, the costliest first."""

    @property
    def lost(self) -> float:
        """The chance that errors of all kinds cost.

        >>> costs = (DecisionKind.TAKE, 0.25), (DecisionKind.PASS, 0.125)
        >>> ChanceLost(matches=2, by_kind=costs).lost
        0.375
        """
        return sum(lost for _, lost in self.by_kind)


def sum_chances(rows: pd.DataFrame) -> ChanceLost | None:
    """Return the match-winning chance that decisions cost, or None without matches to a length.

    Decisions that GNU Backgammon's error rate does not count are left out.
    """
    is_of_match = rows["score"].astype(object) != "none"
    counted = rows[is_of_match & rows["gnubg_counts"].eq(True) & rows["loss"].notna()]
    if counted.empty:
        return None
    costs = counted.groupby(counted["decision_kind"].astype(object))["cost"].sum()
    by_kind = tuple((DecisionKind(kind), float(lost)) for kind, lost in costs.items())
    return ChanceLost(
        int(counted["match"].nunique()), tuple(sorted(by_kind, key=lambda pair: -pair[1]))
    )


def _compare_costs(costs: Sequence[Cost]) -> list[Cost]:
    """Test whether the player's and the opponents' rates differ, and return costs with p-values.

    The p-values are corrected for the number of comparisons. A cost gets no p-value if one of its
    rates is based on too few decisions or matches.
    """
    # Only rates that are precise enough are compared.
    compared = [cost for cost in costs if _is_comparable(cost)]
    p_values = p_value_of_differences(
        _convert_to_measured([cost.rate for cost in compared]),
        _convert_to_measured([cost.opponents for cost in compared if cost.opponents is not None]),
    )
    corrected = iter(correct_dependent_p_values(p_values.tolist()))
    return [
        cost._replace(corrected=next(corrected)) if _is_comparable(cost) else cost for cost in costs
    ]


def _find_errors(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the decisions that lost 0.02 EMG or more and count in GNU Backgammon's error rate."""
    return rows[rows["gnubg_counts"].eq(True) & (rows["loss"] >= ERROR)]


def _estimate_by_name(rows: pd.DataFrame, figures: tuple[Figure, ...]) -> dict[str, Estimate]:
    """Map the name of each statistic to its estimate, if the statistic counts any decision."""
    frame = estimate_figures(rows, figures, ())
    return {
        str(row["figure"]): Estimate(
            float(row["value"]),
            float(row["low"]),
            float(row["high"]),
            int(row["of"]),
            int(row["matches"]),
        )
        for row in frame.to_dict("records")
        if row["of"]
    }


def _is_comparable(cost: Cost) -> bool:
    """Whether the player's and the opponents' rates are both precise enough to compare them."""
    return cost.opponents is not None and all(
        not math.isnan(rate.low)
        and rate.matches >= FEWEST_UNITS
        and rate.high > rate.low
        and rate.has_rate
        for rate in (cost.rate, cost.opponents)
    )


def _convert_to_measured(rates: list[Estimate]) -> MeasuredFigures:
    """Return rates as arrays of values, ends of intervals and numbers of matches."""
    columns = ([getattr(rate, name) for rate in rates] for name in MeasuredFigures._fields)
    return MeasuredFigures(*(np.array(column, dtype=float) for column in columns))
