"""The report of players: the number of matches, games and rolls of each, and the results."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from bganalyze.statistics.reports.figures import Section, declare_report
from bganalyze.statistics.reports.points import (
    ACCOUNTS,
    OF_MATCHES,
    note_undecided_matches,
    sum_matches,
)
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.recorded_rolls import TURNS
from bganalyze.statistics.reports.selection import ChosenSums

_GAME = ["match", "game"]


@declare_report({}, TURNS, ACCOUNTS)
def yield_players_sections(chosen: ChosenSums, _: Question) -> Iterator[Section]:
    """Yield the tables of the report `players`.

    Players: the number of matches, games and rolls of each player, also of unfinished matches.

    The table has one row for each player, which suits `--format csv`. A game without a winner is
    neither won nor lost, and only a complete match counts as won. For analyzed matches, the report
    `summary` adds the PR and the losses by kind of decision.
    """
    by = chosen.list_grouping_columns(TURNS)
    frame = count_matches(chosen, by)
    notes: tuple[str, ...] = ()
    if "player" in by:
        frame = frame.merge(_count_results(chosen, by), on=by, how="left")
        notes = tuple(f"of the matches won: {note}" for note in note_undecided_matches(chosen))
    yield Section("Players", frame, notes)


_RESULTS = {"won": "games won", "lost": "games lost"}
_MATCH_RESULTS = {"decided": "complete matches", "match_won": "matches won"}


def _count_results(chosen: ChosenSums, group_columns: list[str]) -> pd.DataFrame:
    """Return each group's numbers of games won and lost, complete matches and matches won."""
    games = chosen.sum_by(ACCOUNTS, list(_RESULTS), group_columns).rename(columns=_RESULTS)
    matches = sum_matches(chosen).sum_all_groups(OF_MATCHES, list(_MATCH_RESULTS), group_columns)
    rows = games.merge(matches.rename(columns=_MATCH_RESULTS), on=group_columns, how="left")
    names = [*_RESULTS.values(), *_MATCH_RESULTS.values()]
    return rows.assign(**{name: rows[name].fillna(0).astype(int) for name in names})[
        [*group_columns, *names]
    ]


def count_matches(chosen: ChosenSums, group_columns: list[str]) -> pd.DataFrame:
    """Return the numbers of matches, games and rolls of each group.

    A match between two players of one group counts once.
    """
    rolls = chosen.sum_by(TURNS, ["turns"], group_columns).rename(columns={"turns": "rolls"})
    games = chosen.seats[[*group_columns, *_GAME]].drop_duplicates()
    if not group_columns:
        counts = pd.DataFrame({"matches": [games["match"].nunique()], "games": [len(games)]})
        return rolls.assign(**counts.iloc[0])[["matches", "games", "rolls"]].astype(int)
    grouped = games.groupby(group_columns, observed=True, dropna=False)["match"]
    counts = grouped.agg(matches="nunique", games="size").reset_index()
    rows = counts.merge(rolls, on=group_columns).sort_values(
        group_columns, kind="stable", ignore_index=True
    )
    return rows.astype({"matches": int, "games": int, "rolls": int})
