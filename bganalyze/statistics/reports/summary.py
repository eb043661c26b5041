"""The report of summaries: one row for each player, with results, PR and losses by kind."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from bganalyze.analysis.decision_kinds import KIND_WORDS
from bganalyze.analysis.error_rates import METRICS, PR_SHOWN
from bganalyze.statistics.reports.analyzed_counts import (
    estimate_rates,
    list_analyzed_games_by_side,
    note_not_analyzed,
    tabulate_losses,
)
from bganalyze.statistics.reports.figures import (
    Section,
    declare_report,
    estimate_figures,
    select_rows_of_question,
)
from bganalyze.statistics.reports.losses import SHARES_OF_LOSS, add_kind_columns
from bganalyze.statistics.reports.question import Question, restrict_to_player
from bganalyze.statistics.tables.frames import AnalyzedTables

_METRIC = next(metric for metric in METRICS if metric.name == PR_SHOWN)

_ABOUT = f"PR ({PR_SHOWN}) with its 95 % interval; errors: equity (EMG) lost per 500 decisions of all kinds, by GNU Backgammon's counting"


@declare_report({})  # no figures: a row is a player
def yield_summary_sections(tables: AnalyzedTables, question: Question) -> Iterator[Section]:
    """Yield the tables of the report `summary`.

    Summary: one row for each player, with results, PR and losses by kind; made for `--format csv`.

    Games and wins are those of analyzed matches. PR has its 95 % interval; the other columns are
    equity lost per 500 decisions of all kinds, as in `losses`.
    """
    games = select_rows_of_question(list_analyzed_games_by_side(tables), question)
    by = [name for name in question.by if name in games]
    results = _count_results(games, by)
    rates = estimate_rates(
        select_rows_of_question(tabulate_losses(tables), question), (_METRIC,), by
    )
    names = {"of": "decisions", "value": "PR", "low": "PR low", "high": "PR high"}
    rates = rates[[*by, *names]].rename(columns=names)
    kinds = estimate_figures(
        select_rows_of_question(add_kind_columns(tables), question), SHARES_OF_LOSS, by
    )
    errors = [words.error for words in KIND_WORDS.values()]
    losses = kinds.assign(row=0).pivot_table(
        "value", [*by, "row"], "figure", observed=True, sort=False
    )
    losses = losses.reindex(columns=errors).reset_index().drop(columns="row")
    frame = _join_by_group(_join_by_group(results, rates, by), losses, by)
    yield Section(
        "Players", frame, (_ABOUT, *note_not_analyzed(restrict_to_player(tables, question)))
    )


def _count_results(sides: pd.DataFrame, group_columns: list[str]) -> pd.DataFrame:
    """Return each group's numbers of matches, games, and games won and lost.

    `sides` has a row for each game and side.
    """
    games = sides.drop_duplicates([*group_columns, "match", "game"])
    columns = {
        "matches": games.groupby(
            _list_group_keys(games, group_columns), observed=True, dropna=False
        )["match"].nunique(),
        "games": games.groupby(
            _list_group_keys(games, group_columns), observed=True, dropna=False
        ).size(),
    }
    results = sides.groupby(_list_group_keys(sides, group_columns), observed=True, dropna=False)
    columns |= {"games won": results["won"].sum(), "games lost": results["lost"].sum()}
    return pd.DataFrame(columns).reset_index(drop=not group_columns)


def _list_group_keys(rows: pd.DataFrame, group_columns: list[str]) -> list[pd.Series]:
    """Return the columns that form groups, or a column of zeros if there are none."""
    return [rows[name] for name in group_columns] or [pd.Series(0, rows.index)]


def _join_by_group(
    rows: pd.DataFrame, others: pd.DataFrame, group_columns: list[str]
) -> pd.DataFrame:
    """Add to each row the columns of the row of `others` with the same group."""
    if not group_columns:
        return pd.concat([rows.reset_index(drop=True), others.reset_index(drop=True)], axis=1)
    return rows.merge(others, on=group_columns, how="left")
