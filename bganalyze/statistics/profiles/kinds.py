"""Where points are lost: each kind of decision beside the same kind of the opponents."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd

from bganalyze.analysis.decision_kinds import KIND_WORDS, DecisionKind
from bganalyze.statistics.estimates import (
    FEWEST_UNITS,
    MeasuredFigures,
    correct_for_dependent,
    p_value_of_differences,
)
from bganalyze.statistics.norms import Norm
from bganalyze.statistics.reports.figures import Figure, estimate_figures, rows_for
from bganalyze.statistics.reports.losses import RATES, SHARES_OF_LOSS, decisions_by_kind
from bganalyze.statistics.reports.overview import FAIRLY_SURE
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.tables.frames import AnalyzedTables


class Estimate(NamedTuple):
    """A rate with its 95 % interval, and the decisions and matches behind it."""

    value: float
    low: float
    high: float
    """The ends of the interval; NaN with too few matches."""
    decisions: int
    matches: int


class KindLoss(NamedTuple):
    """The cost of a kind of decision to a player. Rates are equity (EMG) lost per 500 decisions."""

    kind: DecisionKind
    share: Estimate
    """Over the decisions of all kinds."""
    rate: Estimate
    """Over the decisions of this kind."""
    opponents: Estimate | None
    """The rate of the opponents in the same matches; None if they had none of this kind."""
    norm: Norm | None
    """The rate of many players in other matches, from the norms that come with the program."""
    corrected: float | None
    """p-value of the difference from the opponents, corrected for comparing several kinds; None with
    too few matches."""

    @property
    def error(self) -> str:
        """The name of the errors of this kind, in the plural."""
        return KIND_WORDS[self.kind].error

    @property
    def label(self) -> str:
        """The name of the errors of this kind, for narrow tables."""
        return KIND_WORDS[self.kind].short

    @property
    def share_of_decisions(self) -> float:
        """The share of the decisions of all kinds."""
        return self.rate.decisions / self.share.decisions

    @property
    def is_sure(self) -> bool:
        """Whether the difference to the opponents is fairly sure not to be chance."""
        return self.corrected is not None and self.corrected < FAIRLY_SURE

    @property
    def is_worse(self) -> bool:
        """Whether the player loses more in this kind of decision than the opponents."""
        return self.opponents is not None and self.rate.value > self.opponents.value


def sum_costs(kinds: Iterable[KindLoss]) -> float:
    """Return the equity (EMG) that all kinds of decision cost together, per 500 decisions of all kinds."""
    return sum(loss.share.value for loss in kinds)


def compare_kinds(tables: AnalyzedTables, question: Question) -> tuple[KindLoss, ...]:
    """Return the cost of each kind of decision to the question's player, the costliest first.

    Kinds in which the player lost nothing are left out.
    """
    every = decisions_by_kind(tables)
    own = rows_for(every, question)
    others = rows_for(every, Question(by=(), opponent=question.player))
    shares, rates = _estimate_by_name(own, SHARES_OF_LOSS), _estimate_by_name(own, RATES)
    of_opponents, norms = _estimate_by_name(others, RATES), question.norms
    losses = [
        KindLoss(
            kind,
            shares[words.error],
            rates[words.counted],
            of_opponents.get(words.counted),
            norms.find(kind, norms.usual_group),
            None,
        )
        for kind, words in KIND_WORDS.items()
        if words.counted in rates and shares[words.error].value > 0
    ]
    compared = [loss for loss in losses if _is_comparable(loss)]
    p_values = p_value_of_differences(
        _as_measured([loss.rate for loss in compared]),
        _as_measured([loss.opponents for loss in compared if loss.opponents is not None]),
    )
    corrected = dict(
        zip(
            (loss.kind for loss in compared),
            correct_for_dependent(p_values.tolist()),
            strict=True,
        )
    )
    found = (loss._replace(corrected=corrected.get(loss.kind)) for loss in losses)
    return tuple(sorted(found, key=lambda loss: -loss.share.value))


def _estimate_by_name(rows: pd.DataFrame, figures: tuple[Figure, ...]) -> dict[str, Estimate]:
    """Return the estimates of figures by name; those without a decision are left out."""
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


def _is_comparable(loss: KindLoss) -> bool:
    """Whether both rates have an interval and enough matches."""
    return loss.opponents is not None and all(
        not math.isnan(rate.low) and rate.matches >= FEWEST_UNITS and rate.high > rate.low
        for rate in (loss.rate, loss.opponents)
    )


def _as_measured(rates: list[Estimate]) -> MeasuredFigures:
    """Return rates with their intervals as arrays, for tests."""
    columns = ([getattr(rate, name) for rate in rates] for name in MeasuredFigures._fields)
    return MeasuredFigures(*(np.array(column, dtype=float) for column in columns))
