"""A player's matches one by one: result, PR of both players, and cost of the player's errors."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import pandas as pd

from bganalyze.analysis.decisions import GIVING_UP
from bganalyze.record.players import plain_name
from bganalyze.statistics.estimates import FEWEST_UNITS
from bganalyze.statistics.profiles.player_pr import METRIC
from bganalyze.statistics.reports.analyzed_counts import (
    list_analyzed_games_by_side,
    list_decisions_by_side,
)
from bganalyze.statistics.reports.points import winner_is_disputed
from bganalyze.statistics.reports.question import Question, is_player
from bganalyze.statistics.tables.decisions import name_counted_column
from bganalyze.statistics.tables.frames import AnalyzedTables

WON, LOST, OPEN, LEVEL, UNKNOWN = "won", "lost", "open", "level", "unknown"
DISPUTED = "disputed"
"""Outcomes of a match; level is a session of money play without a net win. A disputed one does not count."""


class RecordedWinner(NamedTuple):
    """The winner of a match, as the report `points` counts it."""

    name: str | None
    """None for a match short of its length, and if the winner is disputed."""
    is_disputed: bool = False
    """Whether the match file and the boards name different winners."""


Winners: TypeAlias = Mapping[int, RecordedWinner]
"""The winner of each match by its number in the tables."""


class MatchRate(NamedTuple):
    """A match of a player. In pairs, the player's value comes before the opponent's."""

    path: str
    """The file; of several, that of the first game."""
    number: int
    """The number of the match in its file, from 1."""
    date: dt.date | None
    opponent: str
    length: int
    """Points to win; 0 for money play."""
    games: int
    outcome: str
    """`WON`, `LOST`, `LEVEL`, `OPEN` (a match short of its length), `DISPUTED` or `UNKNOWN`."""
    points: tuple[int, int] | None
    """The final score; in money play the points won. None if a result is unknown or disputed."""
    decisions: tuple[int, int]
    """Decisions that the PR counts."""
    rates: tuple[float | None, float | None]
    """The PRs; None without a decision that counts."""
    lost: float
    """Equity (EMG) that the player lost in these decisions."""
    cost: float
    """The same as match-winning chance; in money play, as points."""
    resigned_lost: float = 0.0
    """Equity (EMG) that the player lost by resignations and answers to them, which no PR counts."""
    resigned_cost: float = 0.0
    """The same as match-winning chance; in money play, as points."""


def find_winners(analyzed: pd.DataFrame, recorded: pd.DataFrame) -> Winners:
    """Return the winner of each analyzed match, as the table of recorded matches has it.

    The keys are the match numbers in `analyzed`. `recorded` has the matches read from the same
    files.
    """
    rows = recorded.assign(is_disputed=winner_is_disputed(recorded)).to_dict("records")
    winners = {
        (row["path"], row["number"]): RecordedWinner(
            None if pd.isna(row["winner"]) else str(row[row["winner"]]), row["is_disputed"]
        )
        for row in rows
    }
    keys = zip(analyzed["path"], analyzed["number"], strict=True)
    found = zip(analyzed["match"], keys, strict=True)
    return {int(match): winners[key] for match, key in found if key in winners}


def rate_matches(
    tables: AnalyzedTables, question: Question, winners: Winners
) -> tuple[MatchRate, ...]:
    """Return the matches of the question's player by date, with results, error rates and costs.

    `winners` has the recorded winner of each match, by match number.
    """
    own, theirs = _sum_losses(tables, question)
    resigned = _sum_resignations(tables, question)
    games = list_analyzed_games_by_side(tables)
    games = games[is_player(games["player"], str(question.player))]
    of_match = dict(iter(games.groupby("match")))
    rated = {
        row["match"]: _rate_match(row, of_match[row["match"]], own, theirs)
        for row in tables.matches.to_dict("records")
        if row["match"] in of_match
    }
    for number in resigned.index.intersection(list(rated)):
        lost, cost = (float(resigned.loc[number, name]) for name in ("loss", "cost"))
        rated[number] = rated[number]._replace(resigned_lost=lost, resigned_cost=cost)
    corrected = (
        _correct_outcome(match, winners[number], question) if number in winners else match
        for number, match in rated.items()
    )
    return tuple(
        sorted(
            corrected, key=lambda one: (one.date is not None, str(one.date), one.path, one.number)
        )
    )


def _sum_losses(tables: AnalyzedTables, question: Question) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Sum up by match the losses that count in PR, first the player's, then the opponents'."""
    rows = list_decisions_by_side(tables)
    rows = rows[rows[name_counted_column(METRIC)].eq(True)]
    is_own = is_player(rows["player"], str(question.player))
    own, theirs = (
        of_side.groupby("match").agg(
            decisions=("loss", "size"), lost=("loss", "sum"), cost=("cost", "sum")
        )
        for of_side in (rows[is_own], rows[~is_own])
    )
    return own, theirs


def _sum_resignations(tables: AnalyzedTables, question: Question) -> pd.DataFrame:
    """Sum up by match what a player lost by resignations and by answers to resignations."""
    rows = list_decisions_by_side(tables)
    is_own = is_player(rows["player"], str(question.player))
    resigned = rows[is_own & rows["kind"].isin(GIVING_UP)]
    return resigned.groupby("match")[["loss", "cost"]].sum()


def _rate_match(
    row: dict[Any, Any], games: pd.DataFrame, own: pd.DataFrame, theirs: pd.DataFrame
) -> MatchRate:
    """Return one match of a player, with its result and both players' error rates.

    `row` is from the table of matches. `own` and `theirs` are the losses of player and opponents,
    by match.
    """
    match = row["match"]
    length = 0 if pd.isna(row["length"]) else int(row["length"])
    points = _find_final_points(games, length)
    sums = [of.loc[match] if match in of.index else None for of in (own, theirs)]
    decisions = tuple(0 if of is None else int(of["decisions"]) for of in sums)
    rates = tuple(
        None if of is None else float(METRIC.factor * of["lost"] / of["decisions"]) for of in sums
    )
    return MatchRate(
        str(row["path"]),
        int(row["number"]),
        None if pd.isna(row["date"]) else row["date"].date(),
        ", ".join(dict.fromkeys(map(str, games["opponent"]))),
        length,
        len(games),
        _name_outcome(points, length),
        points,
        (decisions[0], decisions[1]),
        (rates[0], rates[1]),
        0.0 if sums[0] is None else float(sums[0]["lost"]),
        0.0 if sums[0] is None else float(sums[0]["cost"]),
    )


def _correct_outcome(match: MatchRate, winner: RecordedWinner, question: Question) -> MatchRate:
    """Return a match with the outcome that follows from `winner`, or money play unchanged."""
    if not match.length:
        return match
    if winner.is_disputed:
        return match._replace(outcome=DISPUTED)
    if winner.name is None:
        return match._replace(outcome=OPEN if match.points else UNKNOWN)
    is_own = plain_name(winner.name) == plain_name(str(question.player))
    return match._replace(outcome=WON if is_own else LOST)


def _find_final_points(games: pd.DataFrame, length: int) -> tuple[int, int] | None:
    """Return the points of player and opponent after the last game, or None if unknown.

    `games` are as the player sees them. A `length` of 0 is money play.
    """
    counted = games if not length else games.tail(1)
    points = counted["points"].where(counted["ended"], 0)
    if length and _is_one_point_enough(counted.iloc[-1], length):
        points = points.fillna(1)
    if points.isna().any():
        return None
    won, lost = (int(points.where(counted[which], 0).sum()) for which in ("won", "lost"))
    if not length:
        return won, lost
    scores = counted[["own_score", "other_score"]].iloc[-1]
    if scores.isna().any():
        return None
    own, other = int(scores.iloc[0]) + won, int(scores.iloc[1]) + lost
    return min(own, length), min(other, length)


def _is_one_point_enough(game: pd.Series, length: int) -> bool:
    """Whether the winner of a game needed only one point to win the match."""
    score = game["own_score"] if game["won"] else game["other_score"]
    return bool(game["ended"]) and not pd.isna(score) and int(score) + 1 >= length


def _name_outcome(points: tuple[int, int] | None, length: int) -> str:
    """Return the outcome of a match from the final points of player and opponent.

    A `length` of 0 is money play.

    >>> _name_outcome((7, 3), 7), _name_outcome((5, 3), 7), _name_outcome(None, 5)
    ('won', 'open', 'unknown')
    """
    if points is None:
        return UNKNOWN
    if length and max(points) < length:
        return OPEN
    own, other = points
    if own == other:
        return LEVEL
    return WON if own > other else LOST


def name_two_periods(dates: Sequence[dt.date]) -> str:
    """Return the last two years or, failing that, two other periods for `stats --compare`.

    `dates` has the date of each match. For few matches the result is "".

    >>> year = [dt.date(2023, month, 1) for month in (1, 1, 2, 3, 5, 6)]
    >>> name_two_periods(year)
    '2023-01..2023-02,2023-03..2023-06'
    >>> name_two_periods([*year, *(one.replace(year=2024) for one in year)])
    '2023,2024'
    """
    # The last two years or, else, two parts of all dates.
    by_year = Counter(date.year for date in dates)
    years = sorted(by_year)[-2:]
    if len(years) == 2 and all(by_year[year] >= FEWEST_UNITS for year in years):
        return ",".join(map(str, years))
    months = sorted(f"{date:%Y-%m}" for date in dates)
    later = bisect_left(months, months[len(months) // 2]) if months else 0
    if later < FEWEST_UNITS or len(months) - later < FEWEST_UNITS:
        return ""
    first, last = months[:later], months[later:]
    return f"{first[0]}..{first[-1]},{last[0]}..{last[-1]}"
