"""The reports of errors: their rates, the classes of cube errors, and the costliest decisions."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import pandas as pd

from bganalyze.analysis.gnubg_statistics import MARKS, CubeError
from bganalyze.analysis.metrics import METRICS
from bganalyze.board.ids import parse_own_xgid
from bganalyze.statistics.reports.analyzed import (
    chosen,
    decided,
    figures_of,
    losses,
    named,
    not_analyzed,
    of_decisions,
    rates,
)
from bganalyze.statistics.reports.figures import (
    Board,
    Section,
    count,
    counted,
    mean,
    rate,
    reporting,
    rows_for,
    share,
    with_sums,
)
from bganalyze.statistics.reports.question import Question, of_player
from bganalyze.statistics.tables.frames import AnalyzedTables
from bganalyze.text import number_of

OF_SIZE = (
    count("decisions", "counted", "", "Decisions that GNU Backgammon's rate counts."),
    share("errors", "errors", "counted", "Of them, those that lost anything."),
    *(
        share(mark, mark, "counted", f"Those that lost more than {least}, the next mark apart.")
        for mark, least in reversed(MARKS.items())
    ),
)

ILLEGAL = (
    share("illegal plays", "illegal", "rolls", "Of the plays on boards beyond doubt."),
    mean(
        "lost by an illegal play (mEMG)",
        "illegal_lost",
        "illegal_analyzed",
        "By the position it left: less than 0 where it was better than any legal play.",
        factor=1000,
    ),
)

SECTIONS = {
    "Error rates": figures_of(METRICS),
    "Plays": figures_of(of_decisions(METRICS)),
    "Cube": figures_of(of_decisions(METRICS)),
    "By phase": figures_of(of_decisions(METRICS)),
    "Errors by size": OF_SIZE,
    "Illegal plays": ILLEGAL,
}


@reporting(SECTIONS)
def errors(tables: AnalyzedTables, question: Question) -> Iterator[Section]:
    """Errors: what decisions cost, under each published error rate side by side.

    Every rate has its own rule of what counts, which `analyze --decisions` shows decision by decision.
    Illegal plays are in none of them and stand apart.
    """
    rows = rows_for(losses(tables), question)
    by = [name for name in question.by if name in rows]
    metrics = chosen(question)
    of_parts = of_decisions(metrics)
    plays = rows["kind"] == "play"
    phased = [*by, *(name for name in ["phase"] if name not in by)]
    notes = not_analyzed(of_player(tables, question))
    yield Section("Error rates", named(rates(rows, metrics, by)), notes)
    yield Section("Plays", rates(rows[plays], of_parts, by))
    yield Section("Cube", rates(rows[~plays], of_parts, by))
    yield Section("By phase", rates(rows, of_parts, phased))
    yield counted("Errors by size", _sizes(rows), OF_SIZE, by)
    yield counted("Illegal plays", _illegal(rows), ILLEGAL, by)


def _sizes(rows: pd.DataFrame) -> pd.DataFrame:
    """How large each error is, by the largest mark that it has."""
    counts = rows["gnubg_counts"].eq(True)
    lost = rows["loss"].where(counts, 0.0)
    sizes = {"counted": counts, "errors": lost > 0}
    below = float("inf")
    for mark, least in MARKS.items():
        sizes[mark] = (lost > least) & (lost <= below)
        below = least
    return with_sums(rows, sizes)


def _illegal(rows: pd.DataFrame) -> pd.DataFrame:
    """Which plays were illegal, and what they lost."""
    own = rows["decision"].notna()
    checkable = rows["legal"].notna() & own & (rows["kind"] == "play")
    illegal = checkable & rows["legal"].eq(False).fillna(False)
    analyzed = illegal & rows["loss"].notna()
    lost = rows["loss"].where(analyzed, 0.0)
    sums = {
        "rolls": checkable,
        "illegal": illegal,
        "illegal_analyzed": analyzed,
        "illegal_lost": lost,
    }
    return with_sums(rows, sums)


# Cube errors by class.

COULD_BE = {
    CubeError.MISSED_BELOW_CP: ("no-double", "close decisions not to double"),
    CubeError.MISSED_ABOVE_CP: ("no-double", "close decisions not to double"),
    CubeError.WRONG_BELOW_DP: ("double", "doubles"),
    CubeError.WRONG_ABOVE_TG: ("double", "doubles"),
    CubeError.WRONG_TAKE: ("take", "takes"),
    CubeError.WRONG_PASS: ("pass", "passes"),
}
"""The decision in which error error is made, and what such decisions are called."""

DECISIONS = count("decisions", "counted", "", "Close or actual cube decisions.")

MADE = (
    DECISIONS,
    *(
        share(error, f"{error} made", f"{kind} counted", f"Of the {called}.")
        for error, (kind, called) in COULD_BE.items()
    ),
)

COSTS = (
    *(
        rate(
            f"{error} (mEMG)",
            f"{error} lost",
            "counted",
            "Equity lost so, per close or actual decision.",
            factor=1000,
        )
        for error in COULD_BE
    ),
    rate("all six (mEMG)", "lost", "counted", "GNU Backgammon's cube error rate.", factor=1000),
)


@reporting({"How often": MADE, "Costs": COSTS})
def cube_errors(tables: AnalyzedTables, question: Question) -> Iterator[Section]:
    """Cube errors by class: the six ways to err with the cube that GNU Backgammon tells apart.

    CP is the cash point, DP the doubling point, TG the point where a position is too good to double.
    How often: of the decisions in which that error could be made. Costs: per decision that its cube
    error rate counts, which is every double, take and pass, and no double where that was close; so the
    costs of the six add up to that rate.
    """
    rows = rows_for(cubes(tables), question)
    by = [name for name in question.by if name in rows]
    yield counted("How often", rows, MADE, by, *not_analyzed(of_player(tables, question)))
    yield counted("Costs", rows, COSTS, by)


def cubes(tables: AnalyzedTables) -> pd.DataFrame:
    """Return the close or actual cube decisions, error with the error that it was."""
    rows = decided(tables)
    rows = rows[rows["gnubg_counts"] & (rows["kind"] != "play")]
    sums = {"counted": pd.Series(True, index=rows.index), "lost": rows["loss"]}
    sums |= {f"{kind} counted": rows["kind"] == kind for kind, _ in COULD_BE.values()}
    for error in COULD_BE:
        is_so = rows["cube_error"] == error
        sums |= {f"{error} made": is_so, f"{error} lost": rows["loss"].where(is_so, 0.0)}
    return with_sums(rows, sums)


# The costliest decisions.

OF_DECISION = (
    *("player", "opponent", "path", "number", "game", "place", "engine", "score", "kind", "dice"),
    *("played", "better", "loss", "cost", "xgid"),
)


@reporting({"Dearest decisions": ()})  # there are no figures: a row is a decision
def worst(tables: AnalyzedTables, question: Question) -> Iterator[Section]:
    """Worst: the costliest decisions, each with its board, what was played and what was better.

    By equity lost (EMG). Illegal plays are no choices, and are left out.
    """
    rows = rows_for(decided(tables), question)
    wrong = rows[(rows["loss"] > 0) & rows["legal"].ne(False).fillna(True)]
    ordered = wrong.sort_values(["engine", "loss"], ascending=[True, False], kind="stable")
    costliest = ordered.groupby("engine", observed=True, sort=False).head(question.most)
    listed = _described(costliest, tables)
    notes = (
        f"the costliest {len(listed)} of {number_of(len(wrong), 'error')}",
        *not_analyzed(of_player(tables, question)),
    )
    frame = listed[list(OF_DECISION)].reset_index(drop=True)
    yield Section("Dearest decisions", frame, notes, tuple(_boards(listed)))


def _described(rows: pd.DataFrame, tables: AnalyzedTables) -> pd.DataFrame:
    """The decisions with where they stand, and what was better in words."""
    matches = tables.matches.set_index("match").loc[rows["match"]]
    return rows.assign(
        path=matches["path"].to_numpy(),
        number=matches["number"].to_numpy(),
        played=rows["made"],
        better=rows["solution"],
        kind=rows["kind"].astype(str),
    )


def _boards(rows: pd.DataFrame) -> Iterator[Board]:
    for place, row in enumerate(rows.to_dict("records"), 1):
        player, opponent = str(row["player"]), str(row["opponent"])
        names = (player, opponent) if row["side"] == "left" else (opponent, player)
        title = f"{place}. {player} against {opponent}"
        yield Board(title, parse_own_xgid(str(row["xgid"])), names, tuple(_facts(row)))


def _facts(row: dict[Hashable, Any]) -> Iterator[tuple[str, str]]:
    yield "Place", f"{row['path']}:{row['place']}, game {row['game']}"
    if isinstance(row["dice"], str):
        yield "Rolled", "-".join(row["dice"])
    yield "Played", str(row["played"])
    yield "Better", str(row["better"])
    is_money, cost = row["score"] == "none", row["cost"]
    given = f"{cost:.3f} points" if is_money else f"{100 * cost:.2f} % MWC"
    yield "Lost", f"{row['loss']:.3f} EMG, {given}, by {row['engine']}"
    yield "Position", str(row["xgid"])
