"""The PR of a player by situation: stage, score, cube, length, and what happened just before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from bganalyze.analysis.gnubg_statistics import LUCK_MARKS
from bganalyze.statistics.profiles.player_pr import METRIC
from bganalyze.statistics.reports.analyzed_counts import (
    estimate_rates,
    list_decisions_by_side,
    tabulate_losses,
)
from bganalyze.statistics.reports.figures import Section, select_rows_of_question
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.tables.frames import AnalyzedTables

JOKER = LUCK_MARKS["very lucky"]
"""Luck (EMG) above which GNU Backgammon calls a roll very lucky."""

DOUBLE_MATCH_POINT = "double-match-point"
"""The stage of a match in which both sides need one point, which is also a score."""

STRENGTHS = (5.0, 10.0)
"""PRs between which opponents are grouped."""


class Grouping(NamedTuple):
    """A way to group decisions."""

    title: str
    column: str
    """The column of the groups, which is its heading too."""
    about: str = ""
    """A note on the groups."""


AFTER_A_PLAY = (
    "only decisions after a play of the opponent: takes, passes and first rolls are in no row"
)

SITUATIONS = (
    Grouping("By stage of the match", "stage"),
    Grouping("By match length", "length", "0 is money play"),
    Grouping("By cube value", "cube"),
    Grouping("After a hit", "last play of the opponent", AFTER_A_PLAY),
    Grouping(
        "After a joker",
        "last roll of the opponent",
        f"a joker: luck above {JOKER} EMG, which GNU Backgammon calls very lucky; {AFTER_A_PLAY}",
    ),
    Grouping(
        "By the opponent's strength",
        "opponent's PR",
        "the opponent's PR in the same match: a low PR is a strong opponent; one match shows it only roughly",
    ),
    Grouping("By score", "score", "without double match point, a stage of its own"),
)


def rate_situations(tables: AnalyzedTables, question: Question) -> Iterator[Section]:
    """Yield tables of the player's PR by situation, such as by score."""
    every = tabulate_losses(tables)
    own = select_rows_of_question(every[every["decision"].notna()], question)
    own = _add_opponent_columns(own, tables)
    for grouping in SITUATIONS:
        known = own[own[grouping.column].notna()]
        # Double match point is a stage of the match already.
        if grouping.column == "score":
            known = known[known["stage"].astype(object) != DOUBLE_MATCH_POINT]
        # A table of a single row would repeat the PR of all decisions.
        if len(known[grouping.column].unique()) > 1:
            rates = estimate_rates(known, (METRIC,), (grouping.column,))
            is_shown = {
                "length": (known["length"] == 0).any(),
                "score": len(known) < own["score"].notna().sum(),
            }.get(grouping.column, True)
            notes = (grouping.about,) if grouping.about and is_shown else ()
            yield Section(grouping.title, rates[rates["of"] > 0], notes)


def _add_opponent_columns(own: pd.DataFrame, tables: AnalyzedTables) -> pd.DataFrame:
    """Add to a player's decisions the opponent's last play, last roll and PR, each in words."""
    before = _find_opponents_last_plays(tables.decisions)
    keys = pd.MultiIndex.from_frame(own[["match", "game", "decision"]].astype(np.int64))
    last = before.reindex(keys)
    is_hit, is_joker = last["hit"].to_numpy(), last["luck"].to_numpy() > JOKER
    is_known = last["luck"].notna().to_numpy()
    return own.assign(
        **{
            "last play of the opponent": _choose_words(
                is_hit == 1.0, "hit", "no hit", ~np.isnan(is_hit)
            ),
            "last roll of the opponent": _choose_words(is_joker, "a joker", "no joker", is_known),
            "opponent's PR": _name_opponents_strength(own, tables),
        }
    )


def _choose_words(is_yes: np.ndarray, yes: str, no: str, known: np.ndarray) -> pd.Categorical:
    """Return the word `yes` or `no` for each row, or no word for a row that is not `known`."""
    words = np.where(is_yes, yes, no).astype(object)
    words[~known] = None
    return pd.Categorical(words, categories=[yes, no], ordered=True)


def _find_opponents_last_plays(decisions: pd.DataFrame) -> pd.DataFrame:
    """Return for each decision whether the opponent's last play hit, and how lucky its roll was.

    Both values are NaN if the last play in the game was not the opponent's.
    """
    rows = decisions[["match", "game", "decision", "side", "kind", "made", "luck"]]
    is_play = (rows["kind"] == "play").to_numpy()
    side = rows["side"].astype(str)
    hit = rows["made"].str.contains("*", regex=False).astype(float)
    places = pd.Series(np.where(is_play, np.arange(len(rows)), np.nan), rows.index)
    games = places.groupby([rows["match"], rows["game"]])
    last = games.transform(lambda of_game: of_game.shift().ffill())
    known = last.notna().to_numpy()
    at = last.fillna(0).to_numpy().astype(np.int64)
    is_opponents = known & (side.to_numpy()[at] != side.to_numpy())
    # NaN if the last play was not the opponent's.
    found = pd.DataFrame(
        {
            "hit": np.where(is_opponents, hit.to_numpy()[at], np.nan),
            "luck": np.where(is_opponents, rows["luck"].to_numpy()[at], np.nan),
        }
    )
    found.index = pd.MultiIndex.from_frame(rows[["match", "game", "decision"]].astype(np.int64))
    return found


def _name_opponents_strength(own: pd.DataFrame, tables: AnalyzedTables) -> pd.Categorical:
    """Return for each decision the range of the opponent's PR in the match, such as `below 5`."""
    rows = list_decisions_by_side(tables)
    rows = rows[rows["xg_b_counts"].eq(True)]
    sums = rows.groupby(["match", "player"], observed=True)["loss"].agg(["sum", "size"])
    rates = METRIC.factor * sums["sum"] / sums["size"]
    keys = pd.MultiIndex.from_frame(own[["match", "opponent"]])
    bands = [-np.inf, *STRENGTHS, np.inf]
    low, high = STRENGTHS
    names = [f"below {low:g}", f"{low:g} to {high:g}", f"{high:g} or more"]
    return pd.cut(rates.reindex(keys).to_numpy(), bands, labels=names, right=False)
