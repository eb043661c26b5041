"""The reports of points: wins and losses by player, opponent and time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from bganalyze.board.equities import MOST_AWAY, TABLE, match_winning_chance
from bganalyze.statistics.estimates import estimate_ratios
from bganalyze.statistics.reports.figures import (
    COLUMNS,
    Rows,
    Section,
    contests,
    count,
    declare_report,
    estimate_figures,
    list_summed_columns,
    make_count_note,
    make_figure_section,
    mean,
    rate,
    round_counts,
    share,
    trials,
)
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.seats import compute_net_points
from bganalyze.statistics.reports.selection import ChosenSums
from bganalyze.statistics.reports.sums import BOTH, KEY, KeptSums, SummedTable
from bganalyze.statistics.tables.frames import Recorded, Tables
from bganalyze.statistics.tables.schema import SIDES
from bganalyze.text import number_of

# The ledger: every point won is a point lost by the other side, and the score lines must agree.

ENDINGS = ("plain", "gammon", "backgammon", "pass", "resigned", "off the board")
"""The entries: kinds of endings. The first three were borne off."""


def classify_endings(games: pd.DataFrame) -> pd.Series:
    """Return how each game ended: a word of `ENDINGS`, such as `gammon` or `pass`."""
    kind = games["kind"].astype(object)
    sizes = games["size"].map(dict(enumerate(ENDINGS[:3], 1)))
    entry = kind.where(kind != "borne-off", sizes)
    entry = entry.replace({"resigned-match": "resigned"})
    return pd.Series(pd.Categorical(entry.where(entry.isin(ENDINGS), ENDINGS[-1]), ENDINGS))


LEDGER = ("won", "gained", "cut", "lost", "given", "net")
"""The columns that the ledger sums."""


def make_ledger(rows: pd.DataFrame, group_columns: Sequence[str]) -> pd.DataFrame:
    """Return the games and points that each group won and lost by each kind of ending.

    The last row of a group has its totals. The column `cut` has points that the winner did not
    need.
    """
    group_columns = list(group_columns)
    entries = _sum_entries(rows, [*group_columns, "ending"])
    total = _sum_entries(rows.assign(ending="total"), [*group_columns, "ending"])
    order = pd.CategoricalDtype([*ENDINGS, "total"], ordered=True)
    whole = pd.concat([entries.astype({"ending": order}), total.astype({"ending": order})])
    return whole.sort_values([*group_columns, "ending"], kind="stable").reset_index(drop=True)


def _sum_entries(rows: pd.DataFrame, group_columns: list[str]) -> pd.DataFrame:
    """Sum up the games and points won and lost in each group that has a finished game."""
    whole = rows.groupby(group_columns, observed=True, dropna=False)[["finished", *LEDGER]].sum()
    names = {
        "won": "games won",
        "gained": "points won",
        "lost": "games lost",
        "given": "points lost",
    }
    sums = whole.loc[whole["finished"] > 0, list(LEDGER)]
    return sums.astype(int).rename(columns=names).reset_index()


def has_all_games(tables: Tables | Recorded | ChosenSums) -> pd.Series:
    """Return for each match whether the tables have all games of its file."""
    matches = tables.matches.set_index("match")["games"]
    games = tables.games.groupby("match").size().reindex(matches.index, fill_value=0)
    return games == matches


def balance_books(tables: Tables | Recorded | ChosenSums) -> pd.DataFrame:
    """Return the scores and points won of each match, and whether they add up.

    The column `balances` is True if the score before the first game and the points won give the
    score after the last game. It is False for a disputed match. Matches with missing games are left
    out.
    """
    matches = tables.matches.set_index("match")[has_all_games(tables)]
    games = tables.games[tables.games["match"].isin(matches.index)]
    players = games[["left", "right"]].astype(object)
    of_match = matches.loc[games["match"], ["left", "right"]].astype(object).to_numpy()
    changed = (players["left"] != of_match[:, 0]) & (players["left"] == of_match[:, 1])
    counting = games["counting"].fillna(0).astype(int)
    points = {}
    for side, other in (SIDES, SIDES[::-1]):
        winner = games["winner"].astype(object)
        wins = (winner == side) & ~changed | (winner == other) & changed
        won = counting.where(wins, 0).groupby(games["match"]).sum()
        points[f"{side}_won"] = won.reindex(matches.index, fill_value=0)
        ruled = games[f"{side}_given"].where(~changed, games[f"{other}_given"])
        given = ruled.groupby(games["match"]).sum()
        points[f"{side}_given"] = given.reindex(matches.index, fill_value=0)
    frame = matches[["left_before", "left_after", "right_before", "right_after"]].assign(**points)
    fits = [
        frame[[f"{side}_{part}" for part in ("before", "won", "given")]]
        .sum(axis=1, skipna=False)
        .eq(frame[f"{side}_after"])
        .fillna(False)
        for side in SIDES
    ]
    is_agreed = matches["disputed"].isna()
    return frame.assign(balances=(fits[0] & fits[1] & is_agreed).astype(bool)).reset_index()


FAR = 3
"""Fewest points behind that count as far behind."""

PLACES = ("ahead", "level", "behind")
"""Position of a side in the score before a game."""

OWNERS = ("centered", "own", "opposing")
"""Cube owner at the end of a game, as seen by a side."""

STAGES = ("crawford", "post-crawford", "double-match-point")

GAMES = (
    count("games", "finished", "", "Games with a winner."),
    contests("games won", "won", "finished", "Games won, of the finished games."),
    mean("points a game", "net", "finished", "Points won minus points lost."),
    rate("points a win", "gained", "won", "Points that count, per game won."),
    rate("points a loss", "given", "lost", "Points that count, per game lost."),
    share(
        "gammons of wins borne off",
        "gammon_won",
        "could_win_gammon",
        "Gammons and backgammons on the final board, of the wins by bearing off in which a gammon counted.",
    ),
    share(
        "gammons of losses borne off",
        "gammon_lost",
        "could_lose_gammon",
        "Gammons and backgammons on the final board, of the losses by bearing off in which a gammon counted.",
    ),
    share(
        "gammons of wins by resignation",
        "conceded_gammon",
        "conceded",
        "Resignations for two or three times the cube, of the opponent's resignations in which a gammon counted.",
    ),
    share(
        "gammons of all wins",
        "any_gammon_won",
        "won",
        "Gammons and backgammons that counted, borne off or resigned, of all games won (passed doubles, plain resignations and games without gammons included).",
    ),
)

MATCHES = (
    count("complete matches", "decided", "", "Matches to a length, recorded to the end."),
    contests(
        "matches won",
        "match_won",
        "decided",
        f"Matches won, of these; expected by {TABLE} for the first recorded score, and unknown if one of them begins at an uneven score more than {MOST_AWAY} points from the end.",
        "chance",
        known="chance_known",
    ),
    trials(
        "won from behind",
        "won_from_behind",
        "behind",
        "Matches won, of those with the side behind before some game.",
    ),
    trials(
        "won from 3 behind",
        "won_from_far",
        "far_behind",
        "Matches won, of those with the side behind by three points or more.",
    ),
)

BY_STAGE = (
    count("games", "finished", "", "Finished games at this stage of a match."),
    contests("games won", "won", "finished", "Games won, of the finished games."),
)

BY_ENDING = (
    contests("wins", "won", "finished", "Games won, of those with this ending."),
    rate("points a win", "gained", "won", "Points that count, per game won with this ending."),
    rate("points a loss", "given", "lost", "Points that count, per game lost with this ending."),
)

SECTIONS = {
    "Games": GAMES,
    "Matches": MATCHES,
    "Games by stage": BY_STAGE,
    "Games by ending": BY_ENDING,
}


ACCOUNTS = SummedTable(
    "accounts",
    lambda _, by_side: tabulate_results_by_side(by_side),
    (*list_summed_columns((*GAMES, *BY_STAGE, *BY_ENDING)), "cut", "sides"),
    {"ending": ENDINGS, "place": PLACES, "owner": OWNERS},
)

OF_MATCHES = SummedTable("matches", lambda _, by_side: by_side, tuple(list_summed_columns(MATCHES)))
"""The sums over whole matches. They depend on the players' identities, so they are never stored."""


@declare_report(SECTIONS, ACCOUNTS)
def yield_points_sections(chosen: ChosenSums, _: Question) -> Iterator[Section]:
    """Yield the tables of the report `points`.

    Points: games and matches won and lost, by kind of ending, and the ledger of the points.
    """
    by = chosen.list_grouping_columns(ACCOUNTS)
    staged = [*dict.fromkeys([*by, "stage"]), "place"]
    unfinished = make_count_note(chosen.games["winner"].isna(), "game", "without a winner left out")
    yield chosen.make_group_section("Games", ACCOUNTS, GAMES, by, *unfinished)
    matches = sum_matches(chosen)
    yield matches.make_group_section(
        "Matches", OF_MATCHES, MATCHES, by, *_make_match_notes(chosen, matches)
    )
    late = chosen.sum_by_match(ACCOUNTS, BY_STAGE, staged)
    yield make_figure_section("Games by stage", late[late["stage"].isin(STAGES)], BY_STAGE, staged)
    yield chosen.make_group_section("Games by ending", ACCOUNTS, BY_ENDING, [*by, "ending"])
    entries = chosen.sum_by(ACCOUNTS, ["finished", *LEDGER], [*by, "ending"])
    yield Section("Ledger", make_ledger(entries, by), tuple(_make_ledger_notes(chosen)))


def tabulate_results_by_side(sides_of_games: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each game and side, with numbers such as the points `gained`."""
    won, lost = sides_of_games["won"], sides_of_games["lost"]
    points = sides_of_games["counting"].fillna(0).astype(int)
    counted = sides_of_games["gammon_counted"].fillna(False).astype(bool)
    on_board, resigned = (
        sides_of_games["kind"] == "borne-off",
        sides_of_games["resigned_size"].notna(),
    )
    large = (sides_of_games["size"] >= 2).fillna(False).astype(bool)
    conceded_large = (sides_of_games["resigned_size"] >= 2).fillna(False).astype(bool)
    numbers = {
        "finished": sides_of_games["ended"],
        "gained": points.where(won, 0),
        "given": points.where(lost, 0),
        "net": compute_net_points(sides_of_games),
        "cut": sides_of_games["cut"].where(won, 0),
        "could_win_gammon": won & on_board & counted,
        "gammon_won": won & on_board & counted & large,
        "could_lose_gammon": lost & on_board & counted,
        "gammon_lost": lost & on_board & counted & large,
        "any_gammon_won": won & counted & (on_board & large | resigned & conceded_large),
        "conceded": won & resigned & counted,
        "conceded_gammon": won & resigned & counted & conceded_large,
        "sides": won.notna(),
    }
    numbers = {name: column.astype(int) for name, column in numbers.items()}
    dimensions = {
        "ending": classify_endings(sides_of_games),
        "place": _place_in_score(sides_of_games),
        "owner": _find_cube_owner(sides_of_games),
    }
    numbers |= {"won": won.astype(int), "lost": lost.astype(int)}
    return pd.DataFrame({**dict(sides_of_games.items()), **dimensions, **numbers}, copy=False)


def _place_in_score(sides_of_games: pd.DataFrame) -> pd.Series:
    """Return whether each side was ahead, level or behind before its game."""
    lead = np.sign(sides_of_games["own_score"] - sides_of_games["other_score"])
    return pd.Series(pd.Categorical.from_codes(1 - lead.to_numpy(dtype=int), list(PLACES)))


def _find_cube_owner(sides_of_games: pd.DataFrame) -> pd.Series:
    """Return who owns the cube at the end of each game: `own`, `opposing` or `centered`."""
    side, holder = sides_of_games["side"].cat.codes, sides_of_games["cube_owner"].cat.codes
    codes = np.select([holder == side, holder >= 0], [1, 2], 0)
    return pd.Series(pd.Categorical.from_codes(codes, list(OWNERS)))


def sum_matches(chosen: ChosenSums) -> ChosenSums:
    """Replace the sums over games by sums over matches, such as the number of matches won."""
    frame = tabulate_match_results(chosen.both, chosen)
    sums = KeptSums(Recorded(chosen.matches, chosen.games), {OF_MATCHES.name: frame})
    return chosen._replace(sums=sums)


def tabulate_match_results(
    sides_of_games: pd.DataFrame, tables: Recorded | ChosenSums
) -> pd.DataFrame:
    """Return a row for each side of each match that has a winner and all of its games.

    A row says whether the side won, whether it was ever behind, and how likely it was to win at the
    start.
    """
    matches = tables.matches.set_index("match")
    decided = matches[matches["winner"].notna() & has_all_games(tables)]
    behind = sides_of_games["other_score"] - sides_of_games["own_score"]
    person = _get_player_numbers(sides_of_games)
    sides_of_games = sides_of_games[[*KEY, "side", "own_away", "other_away", "stage"]].assign(
        person=person
    )
    keys = ["match", "person"]
    deepest = behind.groupby([sides_of_games[key] for key in keys]).max()
    first = sides_of_games.sort_values(["match", "game"], kind="stable").drop_duplicates(
        ["match", "side"]
    )
    first = first[first["match"].isin(decided.index)].reset_index(drop=True)
    trailed = deepest.reindex(pd.MultiIndex.from_frame(first[keys])).to_numpy()
    winner = decided["winner"].astype(object).reindex(first["match"]).to_numpy()
    won = first["side"].astype(object).to_numpy() == winner
    numbers = {
        "decided": np.ones(len(first), dtype=int),
        "match_won": won,
        "behind": trailed > 0,
        "won_from_behind": won & (trailed > 0),
        "far_behind": trailed >= FAR,
        "won_from_far": won & (trailed >= FAR),
    }
    chances = [
        _find_expected_chance(*row)
        for row in zip(first["own_away"], first["other_away"], first["stage"], strict=True)
    ]
    sums = {name: values.astype(int) for name, values in numbers.items()}
    known = (~np.isnan(np.asarray(chances, dtype=float))).astype(int)
    return first[list(KEY)].assign(chance=chances, chance_known=known, **sums)


def _get_player_numbers(sides_of_games: pd.DataFrame) -> pd.Series:
    """Return for each row a number that identifies its player in all games of a match."""
    same = sides_of_games["player"].cat.codes == sides_of_games["opponent"].cat.codes
    # For two players of the same name, the sides differ.
    return sides_of_games["player"].cat.codes.where(~same, -1 - sides_of_games["side"].cat.codes)


def _find_expected_chance(own: int, other: int, stage: str) -> float:
    """Return a side's match-winning chance at a score, or NaN if it is unknown.

    `own` and `other` are points still needed. `stage` is, for example, `post-crawford`.

    >>> _find_expected_chance(3, 3, "unknown")
    0.5
    """
    if pd.isna(own) or pd.isna(other):
        # The points are missing if the length is uncertain.
        return float("nan")
    if own == other:
        return 0.5
    after = stage in ("post-crawford", "double-match-point")
    chance = match_winning_chance(own, other, after_crawford=after)
    return float("nan") if chance is None else chance


def _make_match_notes(chosen: ChosenSums, matches: ChosenSums) -> tuple[str, ...]:
    """Return notes on left out matches, such as `3 matches without all of their games left out`.

    `chosen` has sums over games, `matches` sums over matches.
    """
    sides = matches.sum_by(OF_MATCHES, ["decided", "chance_known"], [])[["decided", "chance_known"]]
    decided, known = sides.sum()
    length = chosen.matches["length"]
    return (
        *note_undecided_matches(chosen),
        *make_count_note(~has_all_games(chosen), "match", "without all of its games left out"),
        *make_count_note(length == 0, "record", "of money play left out"),
        *make_count_note(
            int(decided - known) // 2,
            "match",
            f"beyond {TABLE}: the expected result is unknown",
        ),
    )


def note_undecided_matches(chosen: ChosenSums) -> tuple[str, ...]:
    """Return notes on matches without a certain winner: unfinished ones, then disputed ones."""
    length, winner = chosen.matches["length"], chosen.matches["winner"]
    is_disputed = winner_is_disputed(chosen.matches)
    return (
        *make_count_note(
            (length > 0) & winner.isna() & ~is_disputed, "match", "not recorded to the end left out"
        ),
        *make_count_note((length > 0) & is_disputed, "match", "whose winner is disputed left out"),
    )


def winner_is_disputed(matches: pd.DataFrame) -> pd.Series:
    """Return for each match whether the file names another winner than the replayed games show."""
    recorded, by_board = (
        matches[name].astype(object).fillna("") for name in ("recorded_winner", "board_winner")
    )
    return recorded != by_board


def _make_ledger_notes(chosen: ChosenSums) -> Iterator[str]:
    """Yield notes on the points won and lost, and on how many matches' points add up."""
    won, lost, cut = chosen.total(ACCOUNTS, "gained", "given", "cut")
    yield f"{number_of(won, 'point')} won and {lost:,} lost"
    yield from make_count_note(cut, "point", "cut: won beyond the points the winner needed")
    books = balance_books(chosen)
    if len(books):
        agreeing = f"{books['balances'].sum():,} of {number_of(len(books), 'match')}"
        yield f"{agreeing} in balance: the first score, the points of the games and the last score agree"


# Head to head.

_PAIR = ("player", "opponent")


@declare_report({"Games": GAMES[:3], "Matches": MATCHES[:2]}, ACCOUNTS)
def yield_head_to_head_sections(chosen: ChosenSums, question: Question) -> Iterator[Section]:
    """Yield the tables of the report `head-to-head`.

    Head to head: results of players against each other.
    """
    others = [name for name in chosen.list_grouping_columns(ACCOUNTS) if name not in _PAIR]
    by = (*_PAIR, *others)
    once = _keep_one_side_per_game(chosen._replace(question=question._replace(by=by)))
    yield Section(
        "Games", estimate_figures(once.sum_by_match(ACCOUNTS, GAMES[:3], by), GAMES[:3], by)
    )
    matches = sum_matches(once).sum_by_match(OF_MATCHES, MATCHES[:2], by)
    yield Section(
        "Matches", estimate_figures(matches, MATCHES[:2], by), note_undecided_matches(chosen)
    )


def _keep_one_side_per_game(chosen: ChosenSums) -> ChosenSums:
    """Keep one side of each game, so that each pair of players is counted once.

    It is the side of the player whom the question names, or else of the player with more games.
    """
    if chosen.question.player is not None:  # Only the sides of this player are in the sums.
        return chosen
    # The player with more games has the smaller code.
    return chosen.select_sides(
        chosen.seats["player"].cat.codes <= chosen.seats["opponent"].cat.codes
    )


# Trend.

MOVING = GAMES[2]
WINDOW = 30
"""Matches in the moving window."""

AT_ONCE = 1000
"""Number of windows computed at once."""


@declare_report({"By month": GAMES[:3], "Moving window": (MOVING,)}, ACCOUNTS)
def yield_trend_sections(chosen: ChosenSums, _: Question) -> Iterator[Section]:
    """Yield the tables of the report `trend`.

    Trend: results over time, by month and in a moving window of matches.
    """
    dates = chosen.matches.set_index("match")["date"]
    undated = make_count_note(dates.isna(), "match", "without a date left out")
    dated = chosen.select_sides(chosen.seats["match"].isin(dates.index[dates.notna()]))
    by = [name for name in chosen.list_grouping_columns(ACCOUNTS) if name not in ("month", "year")]
    yield dated.make_group_section("By month", ACCOUNTS, GAMES[:3], [*by, "month"], *undated)
    matches = dated.sum_by_match(ACCOUNTS, (MOVING,), by, BOTH + "sides")
    yield _make_window(matches.assign(date=dates.loc[matches["match"]].to_numpy()), by)


def _make_window(units: pd.DataFrame, group_columns: list[str]) -> Section:
    """Return a table of each group's points per game in every `WINDOW` consecutive matches.

    `units` has a row for each group and match.
    """
    about = f"each value covers {WINDOW} matches; neighboring values share most of them"
    if units[BOTH + "sides"].any():
        about = (
            "no window for both players of a game together: one player's win is the other's loss"
        )
        units = units.head(0)
    return Section("Moving window", compute_moving_windows(units, group_columns), (about,))


def compute_moving_windows(units: pd.DataFrame, group_columns: list[str]) -> pd.DataFrame:
    """Return the points per game in every `WINDOW` consecutive matches, dated by the last match.

    `units` has a row for each group and match.
    """
    units = units[units[MOVING.below] > 0].sort_values(
        [*group_columns, "date", "match"], kind="stable"
    )
    keys = [units[name] for name in group_columns] or np.zeros(len(units), dtype=int)
    place = units.groupby(keys, observed=True, dropna=False).cumcount()
    last = np.flatnonzero(place >= WINDOW - 1)
    lots = [last[start : start + AT_ONCE] for start in range(0, max(len(last), 1), AT_ONCE)]
    windows = pd.concat([_compute_windows(units, lot) for lot in lots], ignore_index=True)
    values = pd.concat(
        [units[[*group_columns, "date"]].iloc[last].reset_index(drop=True), windows], axis=1
    )
    values = values.assign(
        date=values["date"].dt.strftime("%Y-%m-%d"),
        figure=MOVING.name,
        kind=MOVING.kind,
        expected=float("nan"),
    )
    return round_counts(values[[*group_columns, "date", *COLUMNS]])


def _compute_windows(units: pd.DataFrame, last: Rows) -> pd.DataFrame:
    """Return the points per game, with intervals, in several runs of `WINDOW` matches.

    `units` has the matches in order. `last` has the position of the last match of each run.
    """
    of_window = units[[MOVING.above, MOVING.below]].iloc[(last[:, None] - _BACK).ravel()]
    numbered = of_window.assign(window=np.repeat(np.arange(len(last)), WINDOW))
    return estimate_ratios(numbered, ["window"], MOVING.above, MOVING.below)


_BACK = np.arange(WINDOW)[::-1]
