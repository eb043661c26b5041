"""Records that continue the match of another record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from bganalyze.statistics.tables.schema import SIDES

_Score = tuple[tuple[str, Any], ...]
"""The players and their points."""


def mark_continuations(matches: pd.DataFrame, games: pd.DataFrame) -> None:
    """Write into the column `continues` the number of the earlier match that a match continues.

    The two matches have the same players, length and day (or an unknown day), and the earlier one
    stops, unfinished, at the score at which the later one begins. If several matches fit, none is
    marked. Statistics count both matches.
    """
    # A game that both matches have is the last of one and the first of the other.
    counted = matches[matches["copy_of"].isna() & (matches["length"] > 0)]
    begun, ended = _find_edges_of_counted_games(games)
    unfinished = counted["winner"].isna() | counted["match"].isin(ended)
    starts = _index_by_score(counted, "before", begun)
    ends = _index_by_score(counted[unfinished], "after", ended)
    days = dict(zip(counted["match"], counted["date"], strict=True))
    # Exactly one match must end, and one begin, at the score.
    fitting = {
        later[0]: ends[score][0]
        for score, later in starts.items()
        if len(later) == len(ends.get(score, ())) == 1 and later != ends[score]
    }
    # Both days are the same, or one is unknown.
    for match, earlier in fitting.items():
        dates = {days[number] for number in (match, earlier)} - {pd.NaT}
        if len(dates) <= 1:
            matches.loc[matches["match"] == match, "continues"] = earlier


def _find_edges_of_counted_games(
    games: pd.DataFrame,
) -> tuple[dict[int, _Score], dict[int, _Score]]:
    """Return the score before the first counted game and that after the last one, by match number.

    The first dictionary only has matches whose first game counts in another file, the second only
    those whose last game does.
    """
    begun, ended = dict[int, _Score](), dict[int, _Score]()
    is_elsewhere = games["counted_elsewhere"].astype(bool)
    concerned = games[games["match"].isin(games.loc[is_elsewhere, "match"])]
    for match, rows in concerned.groupby("match", sort=False):
        counts = np.flatnonzero(~rows["counted_elsewhere"].to_numpy(dtype=bool))
        if not len(counts):
            continue
        first, end = counts[0], counts[-1] + 1
        if first > 0:
            begun[int(match)] = _find_score_before(rows.iloc[first])
        if end < len(rows):
            ended[int(match)] = _find_score_before(rows.iloc[end])
    return begun, ended


def _find_score_before(game: pd.Series) -> _Score:
    """Return each player with the points before a game, which is a row of the table of games."""
    return tuple((str(game[side]), game[f"{side}_score"]) for side in SIDES)


def _index_by_score(
    matches: pd.DataFrame, when: str, known: Mapping[int, _Score]
) -> dict[tuple[object, ...], list[int]]:
    """Return the numbers of matches by length, players and score.

    `when` is `before` or `after` the match. Scores in `known` replace those of the table. Matches
    at an unknown score or at 0-0 are left out.
    """
    found: dict[tuple[object, ...], list[int]] = {}
    names = ("match", "length", "left", "right", f"left_{when}", f"right_{when}")
    for match, length, left, right, *points in zip(*(matches[name] for name in names), strict=True):
        score = known.get(match, ((left, points[0]), (right, points[1])))
        if any(pd.isna(own) or not player.strip() for player, own in score):
            continue
        if any(own for _, own in score):
            found.setdefault((length, *sorted(score)), []).append(match)
    return found
