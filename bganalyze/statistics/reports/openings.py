"""The report of openings, and the first two plays of each game that it counts."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from bganalyze.board.position import PHASES
from bganalyze.statistics.reports.figures import (
    Section,
    count_note,
    estimated,
    mean,
    reporting,
    shares,
    summed,
    trials,
    with_sums,
)
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.recorded import TURNS
from bganalyze.statistics.reports.seats import acting, by_size, net_points
from bganalyze.statistics.reports.selection import ChosenSums
from bganalyze.statistics.reports.sums import Base
from bganalyze.statistics.tables.frames import Tables

STANDARD = "standard"
"""The variant whose openings are told."""

FIGURES = (
    trials("games won", "won", "ended", "Of the finished games in which it was played."),
    mean("points a game", "net", "ended", "Points won less points lost in them."),
)

_NOTES = (
    "results depend on the whole game and on who plays it; the choice of a play is the smallest part of them",
)


def early_plays(tables: Tables, both: pd.DataFrame) -> pd.DataFrame:
    """Return the opening plays and the replies to them, with the results of their games."""
    turns = tables.turns
    first = turns[turns["counts"]].groupby(["match", "game"], observed=True).head(2)
    plays, of_game = first["written"].astype(object), [first["match"], first["game"]]
    rolls = [f"{high}-{low}" for high, low in zip(first["high"], first["low"], strict=True)]
    rolled = pd.Series(rolls, index=first.index, dtype=object)
    is_reply = first.groupby(of_game).cumcount() == 1
    opens = first["opening"] & (first["high"] != first["low"])
    opened = opens.groupby(of_game).transform("first")
    answers = is_reply & (
        first["side"].cat.codes != first["side"].cat.codes.groupby(of_game).shift()
    )
    before = (rolled.astype(str) + " " + plays.astype(str)).astype(object).groupby(of_game).shift()
    counted = first["verified"] & opened & plays.notna() & (~is_reply | answers)
    counted &= ~is_reply | plays.notna().groupby(of_game).shift(fill_value=False)
    rows = first.assign(roll=rolled, play=plays, opened=before)[counted]
    of_sides = acting(rows, both, columns=("won", "lost", "ended", "counting", "variant"))
    results = {name: of_sides[name] for name in ("won", "ended")}
    sums = {**results, "net": net_points(of_sides), "played": of_sides["play"].notna()}
    return with_sums(of_sides, sums)[of_sides["variant"] == STANDARD]


EARLY = Base(
    "early_plays",
    early_plays,
    (*summed(FIGURES), "played"),
    {"phase": PHASES, "opened": str, "roll": str, "play": str},
    ("plays",),
)
"""`opened` is the play that a reply answers: of an opening roll there is none."""


@reporting({"Opening rolls": FIGURES, "Replies": FIGURES}, EARLY)
def openings(chosen: ChosenSums, _: Question) -> Iterator[Section]:
    """Openings: how each opening roll was played, and each reply, with the results."""
    by = [name for name in chosen.by(EARLY) if name not in ("phase", "opened")]
    plays = chosen.units(EARLY, FIGURES, [*by, "opened", "roll", "play"], "played")
    plays = plays.astype({"opened": object, "roll": object, "play": "category"})
    opening, replies = plays[plays["opened"].isna()], plays[plays["opened"].notna()]
    del plays  # Of a hundred thousand matches each of the three takes tens of megabytes.
    notes = (*_NOTES, *_left_out(chosen))
    yield Section("Opening rolls", _played(opening, [*by, "roll"]), notes)
    del opening
    yield Section("Replies", _played(replies, [*by, "opened", "roll"]))


def _left_out(chosen: ChosenSums) -> tuple[str, ...]:
    others = chosen.games["variant"].astype(object) != STANDARD
    doubles = chosen.total(TURNS, "opened_with_double", of_both=True)
    return (
        *count_note(others, "game", "from another starting position left out"),
        *count_note(doubles, "game", "opened with a double left out"),
    )


def _played(plays: pd.DataFrame, among: list[str]) -> pd.DataFrame:
    """How often each play was chosen among those of the same roll, and the results.

    Of the plays of a roll the one that was chosen most often is the first.
    """
    plays = plays.assign(play=by_size(plays["play"], plays["played"]))
    chosen = shares(plays, among, "play", "played")
    results = estimated(plays, FIGURES, [*among, "play"])
    whole = pd.concat([chosen, results], ignore_index=True)
    return whole.sort_values([*among, "play"], kind="stable").reset_index(drop=True)
