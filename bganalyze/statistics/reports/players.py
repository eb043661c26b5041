"""The report of players: the number of matches, games and rolls of each."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from bganalyze.statistics.reports.figures import Section, declare_report
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.recorded import TURNS
from bganalyze.statistics.reports.selection import ChosenSums

_GAME = ["match", "game"]


@declare_report({}, TURNS)
def players(chosen: ChosenSums, _: Question) -> Iterator[Section]:
    """Players: the number of matches, games and rolls of each player, complete or not."""
    yield Section("Players", count_matches(chosen, chosen.by(TURNS)))


def count_matches(chosen: ChosenSums, by: list[str]) -> pd.DataFrame:
    """Return the matches, games and rolls of each group; a match of both seats counts once."""
    rolls = chosen.counts(TURNS, ["turns"], by).rename(columns={"turns": "rolls"})
    games = chosen.seats[[*by, *_GAME]].drop_duplicates()
    if not by:
        counts = pd.DataFrame({"matches": [games["match"].nunique()], "games": [len(games)]})
        return rolls.assign(**counts.iloc[0])[["matches", "games", "rolls"]].astype(int)
    grouped = games.groupby(by, observed=True, dropna=False)["match"]
    counts = grouped.agg(matches="nunique", games="size").reset_index()
    rows = counts.merge(rolls, on=by).sort_values(by, kind="stable", ignore_index=True)
    return rows.astype({"matches": int, "games": int, "rolls": int})
