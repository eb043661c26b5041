"""The reports of luck: luck of the dice, results without luck, and ratings by errors and luck."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bganalyze.analysis.error_rates import LEAST_DEVIATION
from bganalyze.analysis.gnubg_statistics import (
    LOWEST_DIFFERENCE,
    LUCK_MARKS,
    LUCK_RATINGS,
    fibs_difference_of,
    fibs_rating_of,
    luck_rating_name,
    rating_name,
)
from bganalyze.statistics.estimates import jackknife_interval
from bganalyze.statistics.reports.analyzed_counts import (
    list_analyzed_games_by_side,
    list_decisions_by_side,
    name_certain_grades,
    note_not_analyzed,
    scale_to_matches,
)
from bganalyze.statistics.reports.figures import (
    CALLED,
    COLUMNS,
    Figure,
    Section,
    add_number_columns,
    count,
    declare_report,
    estimate_figures,
    make_count_note,
    make_figure_section,
    mean,
    rate,
    restore_whole_types,
    round_counts,
    select_rows_of_question,
    share,
)
from bganalyze.statistics.reports.question import Question, restrict_to_player
from bganalyze.statistics.tables.frames import AnalyzedTables

VERY, LESS = LUCK_MARKS["very lucky"], LUCK_MARKS["lucky"]

BANDS = {
    "very lucky": (VERY, float("inf"), f"Rolls that gained more than {VERY}."),
    "lucky": (LESS, VERY, f"Rolls that gained more than {LESS} and at most {VERY}."),
    "unlucky": (-VERY, -LESS, f"Rolls that lost more than {LESS} and at most {VERY}."),
    "very unlucky": (-float("inf"), -VERY, f"Rolls that lost more than {VERY}."),
}
"""GNU Backgammon's marks of rolls: the ends and the meaning of each."""

LUCK = (
    count("rolls", "rolls", "", "Rolls with known luck."),
    mean(
        "luck a roll (mEMG)",
        "luck",
        "rolls",
        "Equity of the best play minus the mean over all rolls.",
        factor=1000,
    ),
    *(share(mark, mark, "rolls", about) for mark, (_, _, about) in BANDS.items()),
)

ADJUSTED = {
    "result": ("result", "Wins minus losses."),
    "own luck": ("own", "Total luck of the player's own rolls."),
    "opponent's luck": ("other", "Total luck of the opponent's rolls."),
    "luck-adjusted result": ("adjusted", "The result minus one's own luck, plus the opponent's."),
}
"""The parts of a result: the column of each, and its meaning."""


def _make_result_figures(unit: str, denominator: str, factor: float) -> tuple[Figure, ...]:
    """Return statistics on the result, on both players' luck and on the luck-adjusted result.

    Each divides a sum by the sum of the column `denominator` and multiplies by `factor`. Its name
    ends with `unit`.
    """
    return tuple(
        mean(f"{name} ({unit})", column, denominator, about, factor=factor)
        for name, (column, about) in ADJUSTED.items()
    )


MATCHES = _make_result_figures("% MWC a match", "matches", 100)
GAMES = _make_result_figures("points a game", "games", 1)

SECTIONS = {"Rolls": LUCK, "Results of matches": MATCHES, "Results of money games": GAMES}


@declare_report(SECTIONS)
def yield_luck_sections(tables: AnalyzedTables, question: Question) -> Iterator[Section]:
    """Yield the tables of the report `luck`.

    Luck: the luck of the dice, and the results without luck.

    The luck of a roll is the equity of its best play minus the mean over all rolls; each side has
    its own. A luck-adjusted result is the result minus the player's own luck, plus the opponent's
    (GNU Backgammon). It varies less than the result, and says more about the players. A match counts
    if it is recorded to its end, and the results of all its games are recorded and undisputed.
    """
    rolls = select_rows_of_question(select_rolls_with_luck(tables), question)
    ended = select_rows_of_question(tabulate_game_results(tables), question)
    by = [name for name in question.by if name in rolls]
    of_games = [name for name in by if name in ended]
    matches = weigh_games_by_match(ended, of_games)
    money = ended[ended["games"] > 0]
    of_matches, of_money = _note_unknown_results(tables)
    yield make_figure_section(
        "Rolls", rolls, LUCK, by, *_note_unknown_luck(restrict_to_player(tables, question))
    )
    lucky = make_count_note(_is_luck_unknown(tables), "game", "without known luck left out")
    notes = (*of_matches, *lucky)
    yield make_figure_section("Results of matches", matches, MATCHES, of_games, *notes)
    yield make_figure_section("Results of money games", money, GAMES, of_games, *of_money)


def select_rolls_with_luck(tables: AnalyzedTables) -> pd.DataFrame:
    """Return the rolls with known luck, with 0 or 1 in columns such as `very lucky`."""
    rows = list_decisions_by_side(tables)
    rows = rows[rows["luck"].notna() & rows["legal"].notna()]
    gain = rows["luck"]
    marks = {
        mark: ((gain > low) & (gain <= high) if low > 0 else (gain >= low) & (gain < high))
        for mark, (low, high, _) in BANDS.items()
    }
    return add_number_columns(rows.assign(rolls=1.0), marks)


def tabulate_game_results(tables: AnalyzedTables) -> pd.DataFrame:
    """Return two rows for each game: each side's result, its own luck and the other side's luck.

    The unit is match-winning chance (0 to 1) or, in money play, points. Games without known luck
    are left out, and matches that are unfinished or lack a result.
    """
    by_side = list_analyzed_games_by_side(tables)
    is_known = by_side["worth"].notna()
    is_whole = is_known.groupby(by_side["match"], observed=True).transform("all")
    is_counted = is_whole & ~by_side["match"].isin(_find_open_matches(tables))
    by_side = by_side[is_counted | (is_known & (by_side["length"] == 0))]
    without_luck = _index_by_game(tables.games[_is_luck_unknown(tables)])
    by_side = by_side[~_index_by_game(by_side).isin(without_luck)]
    rolls = select_rolls_with_luck(tables)
    sums = rolls.groupby(["match", "game", "side"], observed=True)["luck_cost"].sum()
    other = by_side["side"].map({"left": "right", "right": "left"})
    own_luck, other_luck = (
        _look_up_luck(sums, by_side, sides) for sides in (by_side["side"], other)
    )
    sign = by_side["won"].astype(float) - by_side["lost"].astype(float)
    result = sign * by_side["worth"]
    is_money = by_side["length"] == 0
    return by_side.assign(
        result=result,
        own=own_luck,
        other=other_luck,
        adjusted=result - own_luck + other_luck,
        matches=(~is_money).astype(float),
        games=is_money.astype(float),
    )


def _find_open_matches(tables: AnalyzedTables) -> pd.Series:
    """Return the match numbers of unfinished matches in which every game has a result."""
    games = tables.games[tables.games["winner"].notna() & tables.games["worth"].notna()]
    last = games.drop_duplicates("match", keep="last")
    score = last["left_score"].where(last["winner"] == "left", last["right_score"])
    lengths = last["match"].map(tables.matches.set_index("match")["length"])
    is_ended = (score.astype(float) + last["points"].astype(float)) >= lengths.astype(float)
    is_match = tables.matches["length"].fillna(0) > 0
    unknown = tables.games.loc[tables.games["worth"].isna(), "match"]
    ended = last.loc[is_ended, "match"]
    found = tables.matches.loc[is_match, "match"]
    return found[~found.isin(ended) & ~found.isin(unknown)]


def _is_luck_unknown(tables: AnalyzedTables) -> pd.Series:
    """Return for each game whether it has plays but no roll with known luck."""
    plays = tables.decisions[tables.decisions["kind"] == "play"]
    games, known = _index_by_game(tables.games), plays[plays["luck"].notna()]
    is_unknown = games.isin(_index_by_game(plays)) & ~games.isin(_index_by_game(known))
    return pd.Series(is_unknown, index=tables.games.index)


def _index_by_game(rows: pd.DataFrame) -> pd.MultiIndex:
    """Return each row's match number and game number as an index."""
    return pd.MultiIndex.from_frame(rows[["match", "game"]].astype(np.int64))


def weigh_games_by_match(games: pd.DataFrame, group_columns: Sequence[str]) -> pd.DataFrame:
    """Give games weights so that those of each player, match and group add up to 1.

    The weights are in the column `matches`. Money play is left out.
    """
    # `matches` is 0 for games of money play.
    return scale_to_matches(games[games["matches"] > 0], "matches", group_columns)


def _look_up_luck(luck: pd.Series, games: pd.DataFrame, sides: pd.Series) -> pd.Series:
    """Return for each game the luck of the side named in `sides`, or 0 if it has no roll."""
    keys = pd.MultiIndex.from_arrays([games["match"], games["game"], sides.astype(str)])
    by_name = luck.rename(index=str, level="side")
    return pd.Series(by_name.reindex(keys).fillna(0.0).to_numpy(), index=games.index)


def _note_unknown_results(tables: AnalyzedTables) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return notes on matches without a known result, and notes on money games without one."""
    unknown = tables.games.loc[tables.games["worth"].isna(), "match"]
    lengths = tables.matches.set_index("match")["length"]
    is_money = unknown.map(lengths) == 0
    left_out = make_count_note(
        unknown[~is_money].nunique(),
        "match",
        "left out: the result of a game is disputed or not recorded",
    )
    is_open = make_count_note(
        len(_find_open_matches(tables)), "match", "left out: not recorded to the end"
    )
    return (
        (*left_out, *is_open),
        make_count_note(is_money, "game", "left out: its result is disputed or not recorded"),
    )


def _note_unknown_luck(tables: AnalyzedTables) -> tuple[str, ...]:
    """Return notes on rolls left out because their board is unverified or their luck unknown."""
    rows = tables.decisions[tables.decisions["kind"] == "play"]
    silent = rows["verified"] & (rows["luck"].isna() | rows["legal"].isna())
    return (
        *make_count_note(~rows["verified"], "roll", "on unverified boards left out"),
        *make_count_note(silent, "roll", "without a play or without known luck left out"),
    )


# Ratings.

NO_RATING = (
    "FIBS rating: estimated from error rates by K. van den Doel's formula (GNU Backgammon's manual); no"
    " rating on FIBS or on any other site. XG's rule of 33 Elo for each point of PR is an assumption, too"
)
"""What a rating estimated from errors is worth."""

RATES = (
    rate(
        "overall (mEMG)",
        "lost",
        "counted",
        "Equity lost per unforced play and close or actual cube decision.",
        factor=1000,
    ),
    rate("plays (mEMG)", "checker_lost", "checker", "Per unforced play.", factor=1000),
    rate("cube (mEMG)", "cube_lost", "cube", "Per close or actual decision.", factor=1000),
)

FIBS = mean("FIBS rating", "", "", "Rating estimated from the error rates of plays and cube.")

DIFFERENCE = mean(
    "FIBS difference",
    "",
    "",
    "Difference to the opponents' ratings, estimated from the luck-adjusted result.",
)

LUCKY = LUCK[1]
RESULT = MATCHES[-1]


@declare_report({"By errors": (*RATES, FIBS), "By luck": (LUCKY, RESULT, DIFFERENCE)})
def yield_ratings_sections(tables: AnalyzedTables, question: Question) -> Iterator[Section]:
    """Yield the tables of the report `ratings`.

    Ratings: GNU Backgammon's ratings for these error rates and this luck.

    The FIBS rating estimated from errors depends on the length of the matches (K. van den Doel's
    formula, GNU Backgammon's manual), so each length is shown separately; money play has no rating.
    Luck-adjusted results give an estimate of the difference to the opponents' ratings. Both are
    formulas for matches on FIBS, and no ratings anywhere else.
    """
    rows = select_rows_of_question(_select_rated_decisions(tables), question)
    rolls = select_rows_of_question(select_rolls_with_luck(tables), question)
    games = select_rows_of_question(tabulate_game_results(tables), question)
    by = [name for name in question.by if name in games and name != "length"] + ["length"]
    yield Section(
        "By errors",
        estimate_ratings_by_errors(rows, by),
        (*note_not_analyzed(restrict_to_player(tables, question)), NO_RATING),
    )
    of_matches, _ = _note_unknown_results(tables)
    yield Section("By luck", estimate_ratings_by_luck(rolls, games, by), of_matches)


def estimate_ratings_by_errors(rows: pd.DataFrame, group_columns: list[str]) -> pd.DataFrame:
    """Return the error rates of each group with GNU Backgammon's grades, and the FIBS rating.

    `rows` are decisions. The last of the `group_columns` must be `length`.
    """
    rates = _add_grades(estimate_figures(rows, RATES, group_columns), rating_name, LEAST_DEVIATION)
    sums = ["checker_lost", "checker", "cube_lost", "cube"]
    units = rows.groupby([*group_columns, "match"], observed=True)[sums].sum().reset_index()
    fibs = [
        {
            **dict(zip(group_columns, key, strict=True)),
            **_estimate_fibs_rating(group[sums].to_numpy(float), int(key[-1])),
        }
        for key, group in units.groupby(group_columns, observed=True)
        if key[-1] > 0 and group["checker"].sum() > 0
    ]
    return _append_figure(rates, fibs, FIBS, group_columns)


def estimate_ratings_by_luck(
    rolls: pd.DataFrame, games: pd.DataFrame, group_columns: list[str]
) -> pd.DataFrame:
    """Return each group's luck, luck-adjusted result and FIBS rating minus the opponents' rating.

    `rolls` have the luck of each roll, `games` the results. One of the `group_columns` must be
    `length`.
    """
    rolls = _add_grades(estimate_figures(rolls, (LUCKY,), group_columns), _name_luck)
    adjusted = estimate_figures(
        weigh_games_by_match(games, group_columns), (RESULT,), group_columns
    )
    differences = [
        {
            **{name: row[name] for name in group_columns},
            "value": fibs_difference_of(0.5 + row["value"] / 100, row["length"]),
            **{
                end: _estimate_rating_difference(row[end], row["length"]) for end in ("low", "high")
            },
            "matches": row["matches"],
        }
        for row in adjusted.to_dict("records")
    ]
    whole = pd.concat([rolls, adjusted.assign(**{CALLED: ""})], ignore_index=True)
    return _append_figure(whole, differences, DIFFERENCE, group_columns)


def _select_rated_decisions(tables: AnalyzedTables) -> pd.DataFrame:
    """Return the decisions that GNU Backgammon's error rates count, with their losses."""
    rows = list_decisions_by_side(tables)
    rows = rows[rows["gnubg_counts"]]
    is_play = (rows["kind"] == "play").astype(float)
    lost = rows["loss"].astype(float)
    return rows.assign(
        lost=lost,
        counted=1.0,
        checker=is_play,
        checker_lost=lost * is_play,
        cube=1 - is_play,
        cube_lost=lost * (1 - is_play),
    )


def _name_luck(rate: float) -> str:
    """Return GNU Backgammon's name for a luck rate.

    >>> _name_luck(0.0), _name_luck(0.2)
    ('usual', 'Go to Las Vegas')
    """
    name = luck_rating_name(rate)
    return "usual" if name == LUCK_RATINGS["unmarked"] else name


def _add_grades(
    frame: pd.DataFrame, grade_of: Callable[[float], str], spread: float = 0.0
) -> pd.DataFrame:
    """Add GNU Backgammon's grade of each rate, such as `Expert`, or "" for an uncertain grade.

    The rates are in mEMG, but `grade_of` takes EMG. `spread` is the smallest standard deviation
    (EMG) assumed for a loss.
    """
    names = name_certain_grades(frame, lambda value: grade_of(value / 1000), 1000 * spread)
    return frame.assign(**{CALLED: names})


def _estimate_fibs_rating(units: npt.NDArray[np.float64], length: int) -> dict[str, Any]:
    """Return the FIBS rating, with interval, that error rates in matches of one length imply.

    `units` has a row for each match: loss and number of plays, loss and number of cube decisions.
    """

    def estimate(sums: npt.NDArray[np.float64]) -> float:
        """Return the FIBS rating implied by sums of losses and decisions."""
        lost, plays, cube_lost, cubes = sums.tolist()
        checker, cube = lost / plays if plays else 0.0, cube_lost / cubes if cubes else 0.0
        return fibs_rating_of(checker, cube, length)

    low, high = jackknife_interval(units, estimate)
    value = estimate(units.sum(axis=0))
    return {"value": value, "low": low, "high": high, "matches": len(units)}


def _estimate_rating_difference(result: float, length: int) -> float:
    """Return the difference of FIBS ratings that gives a player this chance to win a match.

    `result` is the chance minus 50 %, in percentage points.

    >>> round(_estimate_rating_difference(5.0, 7), 1)
    65.9
    """
    if math.isnan(result):
        return result
    chance = 0.5 + result / 100
    difference = fibs_difference_of(chance, length)
    if difference is not None:
        return difference
    return LOWEST_DIFFERENCE if chance <= 0 else -LOWEST_DIFFERENCE


def _append_figure(
    frame: pd.DataFrame, rows: Sequence[dict[str, Any]], figure: Figure, group_columns: list[str]
) -> pd.DataFrame:
    """Append the `rows` of another statistic to a table of statistics, and sort it by group."""
    others = pd.DataFrame(rows).assign(figure=figure.name, kind=figure.kind, **{CALLED: ""})
    columns = [*group_columns, CALLED, *COLUMNS]
    others = restore_whole_types(others.reindex(columns=columns), frame, group_columns)
    whole = pd.concat([frame, others], ignore_index=True)
    return round_counts(
        whole[columns].sort_values(group_columns, kind="stable").reset_index(drop=True)
    )
