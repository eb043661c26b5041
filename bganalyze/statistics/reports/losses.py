"""The report of losses: which kinds of decision cost how much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from bganalyze.analysis.decision_kinds import ALL_KINDS, KIND_WORDS, DecisionKind
from bganalyze.statistics.estimates import (
    FEWEST_UNITS,
    MeasuredFigures,
    correct_dependent_p_values,
    p_value_of_differences,
)
from bganalyze.statistics.norms import FACTOR, Norm, NormTable
from bganalyze.statistics.reports.analyzed_counts import list_decisions_by_side, note_not_analyzed
from bganalyze.statistics.reports.figures import (
    COLUMNS,
    Section,
    add_number_columns,
    declare_report,
    make_figure_section,
    rate,
    select_rows_of_question,
)
from bganalyze.statistics.reports.question import Question, restrict_to_player
from bganalyze.statistics.sureness import describe_differences
from bganalyze.statistics.tables.frames import AnalyzedTables

SHARES_OF_LOSS = (
    *(
        rate(
            words.error,
            f"{kind} lost",
            "counted",
            f"Equity lost by {words.error}, per {FACTOR} decisions of all kinds.",
            factor=FACTOR,
        )
        for kind, words in KIND_WORDS.items()
    ),
    rate(
        ALL_KINDS,
        "lost",
        "counted",
        f"The sum: GNU Backgammon's error rate, per {FACTOR} decisions.",
        factor=FACTOR,
    ),
)
"""Loss of each kind over the decisions of all kinds; these figures add up to the last."""

RATES = tuple(
    rate(words.counted, f"{kind} lost", f"{kind} counted", words.meaning, factor=FACTOR)
    for kind, words in KIND_WORDS.items()
)
"""Loss of each kind over the decisions of that kind."""

LOSSES_A_GAME = (
    *(
        rate(words.error, f"{kind} lost", "games", f"Equity lost by {words.error}, per game.")
        for kind, words in KIND_WORDS.items()
    ),
    rate(ALL_KINDS, "lost", "games", "Equity lost per game."),
)


@declare_report(
    {
        "Where points are lost": SHARES_OF_LOSS,
        "By kind of decision": RATES,
        "Compared with norms": (),
        "A game": LOSSES_A_GAME,
    }
)
def yield_losses_sections(tables: AnalyzedTables, question: Question) -> Iterator[Section]:
    """Yield the tables of the report `losses`.

    Losses: where points are lost, by kind of decision, the costliest kind first.

    Each decision that GNU Backgammon's error rate counts is of one kind. There are plays in the
    opening, in contact, in a race and in a bear-off; decisions not to double below and above the
    cash point, where the equity after double and take is 1; doubles, takes and passes. Where points
    are lost: equity lost by errors of one kind, per 500 decisions of all kinds. The kinds add up to
    the error rate. By kind of decision: equity lost per 500 decisions of that kind. Compared with
    norms: the same rates beside those of the norms (`bganalyze norms show`, or `--norms`). The
    p-values are corrected for the number of comparisons by Benjamini and Yekutieli. A game: equity
    lost per game in which the player had a decision.
    """
    rows = select_rows_of_question(add_kind_columns(tables), question)
    by = [name for name in question.by if name in rows]
    notes = note_not_analyzed(restrict_to_player(tables, question))
    section = make_figure_section("Where points are lost", rows, SHARES_OF_LOSS, by, *notes)
    yield section._replace(frame=_sort_by_cost(section.frame, by))
    rates = make_figure_section("By kind of decision", rows, RATES, by)
    yield rates
    norms = question.norms
    compared = compare_with_norms(rates.frame, norms)[[*by, *SHOWN]]
    about = f"norms: {norms.usual_group}, from {norms.source}; {norms.engine}"
    yield Section("Compared with norms", compared, (about,) if len(compared) else ())
    yield make_figure_section("A game", _mark_first_decisions(rows, by), LOSSES_A_GAME, by)


def add_kind_columns(tables: AnalyzedTables) -> pd.DataFrame:
    """Return decisions with two columns for each kind, such as `take counted` and `take lost`.

    For a take that counts in GNU Backgammon's error rate, `take counted` is 1 and `take lost` is
    its loss; for other decisions both are 0. `counted` and `lost` are the same for all kinds
    together.
    """
    rows = list_decisions_by_side(tables)
    counts = rows["gnubg_counts"].eq(True)
    lost = rows["loss"].where(counts, 0.0)
    sums = {"counted": counts, "lost": lost}
    for kind in DecisionKind:
        is_so = rows["decision_kind"] == kind
        sums |= {f"{kind} counted": counts & is_so, f"{kind} lost": lost.where(is_so, 0.0)}
    return add_number_columns(rows, sums)


MORE, LESS = "loses more", "loses less"

COMPARED = (
    *("kind", "decisions", "rate", "low", "high", "norm", "norm_low", "norm_high"),
    *("p", "corrected", "verdict"),
)

SHOWN = ("kind", "decisions", "rate", "norm", "corrected", "verdict")
"""The columns of `COMPARED` that the report shows."""


def compare_with_norms(rates: pd.DataFrame, norms: NormTable) -> pd.DataFrame:
    """Return error rates by kind of decision beside the norms (usual rates), costliest first.

    A rate over at least three matches has a test of its difference from the norm. The p-values are
    corrected for the number of rows.
    """
    kinds = {words.counted: str(kind) for kind, words in KIND_WORDS.items()}
    by = [str(name) for name in rates if name not in COLUMNS]
    found = [norms.find(kinds[figure], norms.usual_group) for figure in rates["figure"]]
    rows = rates[np.array([norm is not None for norm in found], dtype=bool)]
    usual = pd.DataFrame([norm for norm in found if norm is not None], columns=Norm._fields)
    p = _test_differences(rows, usual)
    corrected = np.full(len(p), np.nan)
    corrected[~np.isnan(p)] = correct_dependent_p_values(p[~np.isnan(p)].tolist())
    is_more = rows["value"].to_numpy() > usual["rate"].to_numpy()
    verdicts = describe_differences([MORE if more else LESS for more in is_more], corrected)
    compared = rows[by].assign(
        kind=usual["kind"].to_numpy(),
        decisions=rows["of"],
        rate=rows["value"],
        low=rows["low"],
        high=rows["high"],
        norm=usual["rate"].to_numpy(),
        norm_low=usual["low"].to_numpy(),
        norm_high=usual["high"].to_numpy(),
        p=p,
        corrected=corrected,
        verdict=verdicts,
        cost=-rows["count"],
    )
    ordered = compared.sort_values([*by, "cost"], kind="stable")
    return ordered[[*by, *COMPARED]].reset_index(drop=True)


def _test_differences(rows: pd.DataFrame, usual: pd.DataFrame) -> npt.NDArray[np.float64]:
    """Return the p-value of each error rate's difference from its norm, or NaN for few matches.

    `rows` has the rates, and `usual` has the norm of each rate in the same order.
    """
    value, matches = rows["value"].to_numpy(dtype=float), rows["matches"].to_numpy(dtype=float)
    decisions = np.maximum(rows["of"].to_numpy(dtype=float), 1)
    norm = MeasuredFigures(
        *(usual[name].to_numpy(dtype=float) for name in ("rate", "low", "high", "matches"))
    )
    reach = (
        (norm.high - norm.low) / 2 * np.sqrt(usual["decisions"].to_numpy(dtype=float) / decisions)
    )
    low = np.fmin(rows["low"].to_numpy(dtype=float), value - reach)
    high = np.fmax(rows["high"].to_numpy(dtype=float), value + reach)
    p = p_value_of_differences(MeasuredFigures(value, low, high, matches), norm)
    # A few matches may agree by chance; an interval is at least as wide as the norm's.
    return np.where(matches < FEWEST_UNITS, np.nan, p)


def _mark_first_decisions(rows: pd.DataFrame, group_columns: Sequence[str]) -> pd.DataFrame:
    """Add a column `games`: 1 for a player's first decision in a game and group, else 0."""
    keys = [*dict.fromkeys([*group_columns, "match", "game", "player"])]
    return add_number_columns(rows, {"games": ~rows.duplicated(keys)})


def _sort_by_cost(frame: pd.DataFrame, group_columns: Sequence[str]) -> pd.DataFrame:
    """Sort a table by group, then by cost, with the row of all kinds at the end of its group."""
    ranks = frame["value"].where(frame["figure"] != ALL_KINDS, -1.0)
    ordered = frame.assign(rank=-ranks).sort_values([*group_columns, "rank"], kind="stable")
    return ordered.drop(columns="rank").reset_index(drop=True)
