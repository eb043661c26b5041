"""The report of openings, with the first two plays of each game."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from bganalyze.board.position import PHASES
from bganalyze.statistics.reports.figures import (
    Section,
    add_number_columns,
    declare_report,
    estimate_figures,
    estimate_shares,
    list_summed_columns,
    make_count_note,
    mean,
    trials,
)
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.recorded_rolls import TURNS
from bganalyze.statistics.reports.seats import (
    add_acting_side,
    compute_net_points,
    order_by_frequency,
)
from bganalyze.statistics.reports.selection import ChosenSums
from bganalyze.statistics.reports.sums import KEY, SummedTable
from bganalyze.statistics.tables.frames import Tables

STANDARD = "standard"
"""The variant whose openings are shown."""

FIGURES = (
    trials("games won", "won", "ended", "Games won, of the finished games with this play."),
    mean("points a game", "net", "ended", "Points won minus points lost in these games."),
)

_NOTES = (
    "results depend on the whole game and on the players; the opening play is the smallest part",
)


def list_openings_and_replies(tables: Tables, sides_of_games: pd.DataFrame) -> pd.DataFrame:
    """Return the opening plays and the replies that count, with columns such as `won`."""
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
    # Unverified boards and games that begin with doubles do not count; nor do other variants.
    counted = first["verified"] & opened & plays.notna() & (~is_reply | answers)
    counted &= ~is_reply | plays.notna().groupby(of_game).shift(fill_value=False)
    rows = first.assign(roll=rolled, play=plays, opened=before)[counted]
    of_sides = add_acting_side(
        rows, sides_of_games, columns=("won", "lost", "ended", "counting", "variant")
    )
    results = {name: of_sides[name] for name in ("won", "ended")}
    sums = {**results, "net": compute_net_points(of_sides), "played": of_sides["play"].notna()}
    kept = [*KEY, "phase", "opened", "roll", "play"]
    return add_number_columns(of_sides[kept], sums)[of_sides["variant"] == STANDARD]


EARLY = SummedTable(
    "early_plays",
    list_openings_and_replies,
    (*list_summed_columns(FIGURES), "played"),
    {"phase": PHASES, "opened": str, "roll": str, "play": str},
    ("plays",),
)
"""`opened` is the opening play before a reply; empty for the opening roll itself."""


@declare_report({"Opening rolls": FIGURES, "Replies": FIGURES}, EARLY)
def yield_openings_sections(chosen: ChosenSums, _: Question) -> Iterator[Section]:
    """Yield the tables of the report `openings`.

    Openings: the plays of each opening roll and the replies, with their results.
    """
    by = [name for name in chosen.list_grouping_columns(EARLY) if name not in ("phase", "opened")]
    plays = chosen.sum_by_match(EARLY, FIGURES, [*by, "opened", "roll", "play"], "played")
    plays = plays.astype({"opened": object, "roll": object, "play": "category"})
    opening, replies = plays[plays["opened"].isna()], plays[plays["opened"].notna()]
    del plays  # For a hundred thousand matches, each of the three tables takes tens of megabytes.
    notes = (*_NOTES, *_note_left_out(chosen))
    yield Section("Opening rolls", _estimate_shares_of_plays(opening, [*by, "roll"]), notes)
    del opening
    yield Section("Replies", _estimate_shares_of_plays(replies, [*by, "opened", "roll"]))


def _note_left_out(chosen: ChosenSums) -> tuple[str, ...]:
    """Return notes on games that begin with doubles or from another starting position."""
    others = chosen.games["variant"].astype(object) != STANDARD
    doubles = chosen.total(TURNS, "opened_with_double", of_both=True)
    return (
        *make_count_note(others, "game", "from another starting position left out"),
        *make_count_note(doubles, "game", "opened with a double left out"),
    )


def _estimate_shares_of_plays(plays: pd.DataFrame, group_columns: list[str]) -> pd.DataFrame:
    """Return how often each play of a roll was chosen, and the results of the games.

    `plays` has the sums of each play and match.
    """
    plays = plays.assign(play=order_by_frequency(plays["play"], plays["played"]))
    chosen = estimate_shares(plays, group_columns, "play", "played")
    results = estimate_figures(plays, FIGURES, [*group_columns, "play"])
    whole = pd.concat([chosen, results], ignore_index=True)
    return whole.sort_values([*group_columns, "play"], kind="stable").reset_index(drop=True)
