"""The report of openings, and the first two plays of each game that it counts."""

from __future__ import annotations

import pandas as pd

from bganalyze.reports.figures import (
    Section,
    acting,
    by_size,
    count_note,
    estimated,
    mean,
    net_points,
    reporting,
    rows_for,
    shares,
    sides,
    trials,
)
from bganalyze.reports.question import Question
from bganalyze.tables.frames import Tables

STANDARD = "standard"
"""The variant whose openings are told."""

FIGURES = (
    trials("games won", "won", "ended", "Of the finished games in which it was played."),
    mean("points a game", "net", "ended", "Points won less points lost in them."),
)

_NOTES = (
    "results depend on the whole game and on who plays it; the choice of a play is the smallest part of them",
)


@reporting({"Opening throws": FIGURES, "Replies": FIGURES}, "plays")
def openings(tables: Tables, question: Question) -> list[Section]:
    """Openings: how each opening throw was played, and each reply, with the results."""
    rows = rows_for(early_plays(tables), question)
    by = [name for name in question.by if name in rows and name not in ("phase", "opened")]
    opening = rows[rows["opening"]]
    replies = rows[~rows["opening"]]
    return [
        Section("Opening throws", _played(opening, [*by, "throw"]), (*_NOTES, *_left_out(tables))),
        Section("Replies", _played(replies, [*by, "opened", "throw"])),
    ]


def _left_out(tables: Tables) -> tuple[str, ...]:
    turns, others = tables.turns, tables.games["variant"].astype(object) != STANDARD
    doubles = turns["opening"] & (turns["high"] == turns["low"])
    return (
        *count_note(others, "game", "from another starting position left out"),
        *count_note(doubles, "game", "opened with a double left out"),
    )


def _played(rows: pd.DataFrame, among: list[str]) -> pd.DataFrame:
    """How often each play was chosen among those of the same throw, and the results.

    Of the plays of a throw the one that was chosen most often is the first.
    """
    rows = rows.assign(play=by_size(rows["play"].astype("category")))
    chosen = shares(rows, among, "play", "played")
    results = estimated(rows, FIGURES, [*among, "play"])
    whole = pd.concat([chosen, results], ignore_index=True)
    return whole.sort_values([*among, "play"], kind="stable").reset_index(drop=True)


def early_plays(tables: Tables) -> pd.DataFrame:
    """Return the opening plays and the replies to them, with the results of their games."""
    both, turns = sides(tables), tables.turns
    first = turns[turns["counts"]].groupby(["match", "game"], observed=True).head(2)
    plays, of_game = first["written"].astype(object), [first["match"], first["game"]]
    throws = [f"{high}-{low}" for high, low in zip(first["high"], first["low"], strict=True)]
    thrown = pd.Series(throws, index=first.index, dtype=object)
    is_reply = first.groupby(of_game).cumcount() == 1
    opens = first["opening"] & (first["high"] != first["low"])
    opened = opens.groupby(of_game).transform("first")
    answers = is_reply & (
        first["side"].cat.codes != first["side"].cat.codes.groupby(of_game).shift()
    )
    before = (thrown.astype(str) + " " + plays.astype(str)).astype(object).groupby(of_game).shift()
    counted = first["verified"] & opened & plays.notna() & (~is_reply | answers)
    counted &= ~is_reply | plays.notna().groupby(of_game).shift(fill_value=False)
    rows = first.assign(throw=thrown, play=plays, opened=before)[counted]
    of_sides = acting(rows, both, columns=("won", "lost", "ended", "counting", "variant"))
    of_sides = of_sides.assign(net=net_points(of_sides))
    return of_sides[of_sides["variant"] == STANDARD]
