"""Making norms from analyzed matches: pooled error rates, and percentiles where they mean something."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from bganalyze.analysis.decision_kinds import ALL_KINDS, KINDS_IN, NO_DOUBLES, PLAYS, DecisionKind
from bganalyze.analysis.select import STORED
from bganalyze.statistics.estimates import (
    FEWEST_UNITS,
    LEVEL,
    RESAMPLES,
    bootstrap_interval,
    jackknife_error,
    student_to_normal,
)
from bganalyze.statistics.norms import (
    ALL_PLAYERS,
    FACTOR,
    ONE_PLAYER,
    OPPONENTS,
    Norm,
    NormTable,
    Percentile,
)
from bganalyze.statistics.reports.analyzed_counts import list_decisions_by_side, name_engines
from bganalyze.statistics.reports.question import Question, is_player, restrict_tables
from bganalyze.statistics.tables.frames import AnalyzedTables

PERCENTS = (25, 50, 75)
"""The percentiles given. Intervals of 10 and 90 % hold the true value in 86 of 100 draws of 30 players."""

LEAST_GAMES = {ALL_KINDS: 25, PLAYS: 25, str(DecisionKind.CONTACT_PLAY): 25, NO_DOUBLES: 55}
"""Kinds of decision that have percentiles, with the games from which on a player's rate is mostly skill
(reliability about .7: 3,500 games of 862 players, analyzed by GNU Backgammon at 4ply). Rates of other
kinds are mostly chance even at 100 games."""

FEWEST_PLAYERS = 30
"""Fewest players with enough games for percentiles."""

Numbers = npt.NDArray[np.float64]


def make_norms(
    tables: AnalyzedTables, source: str, license_name: str = "", player: str | None = None
) -> NormTable:
    """Return norms (usual losses by kind of decision) computed from analyzed matches.

    With `player`, the norms are for this player and for the opponents, not for all players.
    `source` and `license_name` describe the matches.
    """
    tables, _ = restrict_tables(tables, Question())
    rows = _select_counted_decisions(tables)
    groups = _split_groups(rows, player)
    norms = [norm for name, of_group in groups.items() for norm in _compute_norms(name, of_group)]
    percentiles = [] if player is not None else _estimate_percentiles(rows)
    return NormTable(source, license_name, _name_engines(tables), tuple(norms), tuple(percentiles))


def _name_engines(tables: AnalyzedTables) -> str:
    """Return the engine, version and level of most analyses, such as `sage 2.0 at 2ply`."""
    counts = name_engines(tables.matches).value_counts()
    if counts.empty:
        return ""
    name = str(counts.index[0]).removesuffix(STORED)
    share = counts.iloc[0] / counts.sum()
    return name if share == 1 else f"{name} ({100 * share:.1f} % of the matches)"


def _split_groups(rows: pd.DataFrame, player: str | None) -> dict[str, pd.DataFrame]:
    """Return the decisions by group of players.

    The groups are `all players` or, with `player`, `one player` and `opponents`.
    """
    if player is None:
        return {ALL_PLAYERS: rows}
    own = is_player(rows["player"], player)
    return {ONE_PLAYER: rows[own], OPPONENTS: rows[~own]}


def _select_counted_decisions(tables: AnalyzedTables) -> pd.DataFrame:
    """Return the decisions that GNU Backgammon's error rate counts, with a match number in `unit`.

    Unlike the column `match`, `unit` is the same for all files of one match.
    """
    rows = list_decisions_by_side(tables)
    rows = rows[rows["gnubg_counts"].eq(True) & rows["loss"].notna()]
    units = tables.matches.set_index("match")["path"].map(strip_game_number)
    numbers = tables.matches.set_index("match")["number"].astype(str)
    names = (units + " " + numbers).astype("category").cat.codes
    chosen = rows[["player", "match", "game", "decision_kind", "loss"]]
    return chosen.assign(unit=names.loc[rows["match"]].to_numpy())


_NUMBERED = re.compile(r"_\d{3}(?=\.[^./]+$)")


def strip_game_number(path: str) -> str:
    """Return a path without the number that GNU Backgammon adds for each game of a match.

    >>> strip_game_number("a/match7_002.txt"), strip_game_number("a/match7.txt")
    ('a/match7.txt', 'a/match7.txt')
    """
    return _NUMBERED.sub("", path)


def _compute_norms(group: str, rows: pd.DataFrame) -> Iterator[Norm]:
    """Yield the usual loss in each kind of decision, with its interval, for the named group."""
    for name, kinds in KINDS_IN.items():
        of_kind = rows[rows["decision_kind"].isin(kinds)]
        if of_kind.empty:
            continue
        sums = _sum_losses_by(of_kind, "unit")
        low, high = bootstrap_interval(sums)
        yield Norm(
            group,
            name,
            players=of_kind["player"].nunique(),
            matches=len(sums),
            games=len(of_kind[["match", "game", "player"]].drop_duplicates()),
            decisions=len(of_kind),
            rate=float(FACTOR * of_kind["loss"].sum() / len(of_kind)),
            low=FACTOR * low,
            high=FACTOR * high,
        )


def _sum_losses_by(rows: pd.DataFrame, *keys: str) -> Numbers:
    """Return a row of total loss and number of decisions for each group with equal `keys`."""
    sums = rows.groupby(list(keys), observed=True)["loss"].agg(["sum", "size"])
    return np.asarray(sums, dtype=float)


# Percentiles of players. Each player's rate contains chance, so the spread of rates is too large.


def _estimate_percentiles(rows: pd.DataFrame) -> Iterator[Percentile]:
    """Yield percentiles of the players' error rates in each kind of decision with enough data."""
    games = rows[["player", "match", "game"]].drop_duplicates().groupby("player", observed=True)
    numbers = games.size()
    for name, least in LEAST_GAMES.items():
        chosen = numbers[numbers >= least].index
        of_kind = rows[rows["decision_kind"].isin(KINDS_IN[name]) & rows["player"].isin(chosen)]
        rates, errors = _rate_players(of_kind)
        if len(rates) < FEWEST_PLAYERS:
            continue
        ends = estimate_percentile_intervals(rates, errors, PERCENTS)
        reliability = estimate_reliability(rates, errors)
        values = estimate_true_percentiles(rates, errors, PERCENTS)
        for percent, value, (low, high) in zip(PERCENTS, values, ends, strict=True):
            yield Percentile(
                *(name, percent, len(rates), least, reliability),
                *(float(value), float(low), float(high)),
            )


def _rate_players(rows: pd.DataFrame) -> tuple[Numbers, Numbers]:
    """Return the error rates of the players with enough matches, and their standard errors."""
    rates, errors = [], []
    for _, own in rows.groupby("player", observed=True):
        sums = _sum_losses_by(own, "unit")
        if len(sums) >= FEWEST_UNITS:
            rates.append(FACTOR * sums[:, 0].sum() / sums[:, 1].sum())
            errors.append(FACTOR * jackknife_error(sums))
    return np.array(rates), np.array(errors)


def estimate_reliability(rates: Numbers, standard_errors: Numbers) -> float:
    """Return the share (0 to 1) of the variance of rates that is not due to chance.

    >>> estimate_reliability(np.array([4.0, 6.0, 8.0]), np.array([1.0, 1.0, 1.0]))
    0.75
    """
    return float(_estimate_reliabilities(rates[None], standard_errors[None])[0])


def estimate_true_percentiles(
    rates: Numbers, standard_errors: Numbers, percents: Sequence[int]
) -> Numbers:
    """Return percentiles of players' true error rates, without the spread that chance adds.

    >>> estimate_true_percentiles(np.array([4.0, 6.0, 8.0]), np.array([0.0, 0.0, 0.0]), [0, 50]).round(2).tolist()
    [4.0, 6.0]
    """
    roots, standard_errors = _take_square_roots(rates, standard_errors)
    return np.asarray(_shrink_percentiles(roots[None], standard_errors[None], percents)[:, 0] ** 2)


def estimate_percentile_intervals(
    rates: Numbers, standard_errors: Numbers, percents: Sequence[int], seed: int = 1
) -> list[tuple[float, float]]:
    """Return the 95 % interval (low, high) of each percentile of players' true rates.

    The method is a bootstrap over players.
    """
    draw, count = np.random.default_rng(seed), len(rates)
    roots, standard_errors = _take_square_roots(rates, standard_errors)
    places = draw.integers(count, size=(RESAMPLES, count))
    drawn = _shrink_percentiles(roots[places], standard_errors[places], percents)
    middle = _shrink_percentiles(roots[None], standard_errors[None], percents)
    ends = np.percentile(drawn, (50 * (1 - LEVEL), 50 * (1 + LEVEL)), axis=1).T
    # Few players: Student's quantile for half their number.
    wider = student_to_normal(count / 2) * np.sqrt(count / (count - 1))
    low, high = np.maximum(middle + wider * (ends - middle), 0).T ** 2
    return list(zip(low.tolist(), high.tolist(), strict=True))


LEAST_RATE = 0.05
"""Rates below count as this one, so that their roots have errors."""


def _take_square_roots(rates: Numbers, standard_errors: Numbers) -> tuple[Numbers, Numbers]:
    """Return the square roots of rates, and the standard errors of these roots."""
    roots = np.sqrt(np.maximum(rates, LEAST_RATE))
    return roots, standard_errors / (2 * roots)


def _estimate_reliabilities(rates: Numbers, standard_errors: Numbers) -> Numbers:
    """Return for each row the share (0 to 1) of the variance of its rates not due to chance.

    A row has the rates of many players.
    """
    variance = np.var(rates, axis=1, ddof=1)
    chance = np.mean(standard_errors**2, axis=1) / np.where(variance > 0, variance, np.inf)
    return np.where(variance > 0, np.clip(1 - chance, 0, 1), 0.0)


def _shrink_percentiles(
    values: Numbers, standard_errors: Numbers, percents: Sequence[int]
) -> Numbers:
    """Return percentiles of the values in each row, without the spread that chance adds.

    A row has the values of many players.
    """
    mean, factor = values.mean(axis=1), np.sqrt(_estimate_reliabilities(values, standard_errors))
    return np.asarray(mean + factor * (np.percentile(values, percents, axis=1) - mean))
