"""Worst: the dearest decisions, each with its board, what was played and what was better.

By equity lost (EMG). Illegal plays are no choices, and are left out.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import pandas as pd

from bganalyze.judging.verdict import situation_of
from bganalyze.reports.figures import Board, Figure, Section, rows_for
from bganalyze.reports.judged import decided, not_judged
from bganalyze.reports.question import Question
from bganalyze.tables.frames import JudgedTables
from bganalyze.text import number_of

SECTIONS: dict[str, tuple[Figure, ...]] = {"Dearest decisions": ()}
"""There are no figures: a row is a decision."""

COLUMNS = (
    *("player", "opponent", "path", "number", "game", "place", "engine", "score", "kind", "dice"),
    *("played", "better", "loss", "cost", "xgid"),
)


def report(tables: JudgedTables, question: Question) -> list[Section]:
    """Return the decisions that lost most, the dearest first, by each engine that has judged."""
    rows = rows_for(decided(tables), question)
    wrong = rows[(rows["loss"] > 0) & rows["legal"].ne(False).fillna(True)]
    ordered = wrong.sort_values(["engine", "loss"], ascending=[True, False], kind="stable")
    dearest = ordered.groupby("engine", observed=True, sort=False).head(question.most)
    listed = _told(dearest, tables)
    notes = (f"the dearest {len(listed)} of {number_of(len(wrong), 'error')}", *not_judged(tables))
    boards = tuple(_boards(listed))
    frame = listed[list(COLUMNS)].reset_index(drop=True)
    return [Section("Dearest decisions", frame, notes, boards)]


def _told(rows: pd.DataFrame, tables: JudgedTables) -> pd.DataFrame:
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
        yield Board(title, situation_of(str(row["xgid"])), names, tuple(_facts(row)))


def _facts(row: dict[Hashable, Any]) -> Iterator[tuple[str, str]]:
    yield "Place", f"{row['path']}:{row['place']}, game {row['game']}"
    if isinstance(row["dice"], str):
        yield "Threw", "-".join(row["dice"])
    yield "Played", str(row["played"])
    yield "Better", str(row["better"])
    cost = (
        f"{row['cost']:.3f} points" if row["score"] == "none" else f"{100 * row['cost']:.2f} % MWC"
    )
    yield "Lost", f"{row['loss']:.3f} EMG, {cost}, by {row['engine']}"
    yield "Position", str(row["xgid"])
