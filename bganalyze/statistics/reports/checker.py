"""The report of checker play, with the plays that it counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pandas as pd

from bganalyze.board.position import PHASES
from bganalyze.statistics.reports.figures import (
    Section,
    add_number_columns,
    count,
    declare_report,
    list_summed_columns,
    make_count_note,
    rate,
    share,
)
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.recorded_rolls import TURNS
from bganalyze.statistics.reports.seats import add_acting_side
from bganalyze.statistics.reports.selection import ChosenSums
from bganalyze.statistics.reports.sums import KEY, SummedTable
from bganalyze.statistics.tables.frames import Tables

LONG_PRIME = 5
"""Fewest points in a row that count as a long prime."""

ALL_CLOSED = 6

PLAYS = (
    count("plays", "plays", "", "Legal plays, dances included, on verified boards."),
    share(
        "forced",
        "forced",
        "plays",
        "Forced plays: the only legal play of the roll; dances do not count.",
    ),
    rate("pips a play", "pips_moved", "plays", "Pips that own checkers moved."),
    rate(
        "crossovers a play",
        "crossovers",
        "plays",
        "Quarters of the board crossed, entering and bearing off included.",
    ),
    share("on the bar", "barred", "plays", "Plays that began with a checker on the bar."),
    share(
        "dances",
        "danced",
        "enterable",
        "Rolls with which no checker entered, of those with one on the bar and a point open; expected: the exact chances.",
        "dance_chance",
    ),
    share(
        "entered some",
        "entered_some",
        "enterable",
        "Rolls with which some checkers entered and some did not.",
        "entering_some_chance",
    ),
    share(
        "entered, then stopped",
        "stopped",
        "enterable",
        "Rolls with which all checkers entered and the remaining dice had no legal play.",
        "stopping_chance",
    ),
    rate(
        "points made a play",
        "points_gained",
        "plays",
        "Points held after the play that were not held before it.",
    ),
    rate("blots left", "blots_left", "plays", "Own blots on the board after the play."),
    rate("longest prime", "longest_prime", "plays", "Most points in a row after the play."),
    share(
        f"primes of {LONG_PRIME} or 6",
        "primes",
        "plays",
        "Plays that ended with a prime of this length.",
    ),
    share(
        "anchors",
        "anchored",
        "contact",
        "Plays that ended with a point held in the opponent's home board, of plays with contact.",
    ),
    rate(
        "pips wasted a turn",
        "pips_wasted",
        "bearing_off",
        "Pips rolled but not moved while bearing off without contact; the winning roll does not count.",
    ),
)

HITS = (
    rate("hits a play", "hits", "plays", "Opposing checkers sent to the bar."),
    share(
        "shots rolled",
        "shot_rolled",
        "shooting",
        "Rolls that could hit, of turns in which some roll could; expected over the 36 rolls.",
        "shot_chance",
    ),
    share("hit when rolled", "hitting", "shot_rolled", "Plays that hit, of the rolls that could."),
    share("shots left", "shot_left", "plays", "Plays that left the opponent a roll that hits."),
    rate(
        "rolls that hit, left",
        "shots_left",
        "shot_left",
        "Number of the 36 rolls that hit, after plays that left a shot.",
    ),
    rate(
        "hits suffered a play", "suffered", "plays", "Own checkers sent to the bar, per own play."
    ),
    share(
        "shots suffered",
        "their_shot_rolled",
        "their_shooting",
        "The opponent's rolls that could hit, of turns in which some roll could; expected over the 36 rolls.",
        "their_shot_chance",
    ),
    rate(
        "pips lost a play",
        "pips_lost",
        "plays",
        "Pips that own checkers were sent back, per own play: recirculation.",
    ),
)


def list_plays_of_both_sides(tables: Tables, sides_of_games: pd.DataFrame) -> pd.DataFrame:
    """Return two rows for each legal play: one for the side that played, one for the opponent."""
    return _concatenate_tables(_yield_plays_of_each_side(tables, sides_of_games))


def count_plays(tables: Tables, sides_of_games: pd.DataFrame) -> pd.DataFrame:
    """Return sums over the legal plays, such as `hits`, for each game, side and phase."""
    # The two parts are summed separately: both with all columns take 40 MB for some sixty matches.
    return _concatenate_tables(
        part.groupby(_KEYS, observed=True, dropna=False).sum().reset_index()
        for part in _yield_plays_of_each_side(tables, sides_of_games)
    )


def _yield_plays_of_each_side(
    tables: Tables, sides_of_games: pd.DataFrame
) -> Iterator[pd.DataFrame]:
    """Yield two tables of the legal plays: one for the players, one for their opponents."""
    turns = tables.turns
    legal = turns[turns["verified"] & (turns["legality"] == "legal") & (turns["high"] > 0)]
    yield _make_own_play_columns(add_acting_side(legal, sides_of_games))
    yield _make_suffered_hit_columns(add_acting_side(legal, sides_of_games, of_opponent=True))


def _concatenate_tables(parts: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Return the rows of several tables as one table, with 0 for numbers that a table lacks."""
    whole = pd.concat(parts, ignore_index=True)
    numbers = whole.drop(columns=_KEYS).fillna(0)
    return pd.concat([whole[_KEYS], numbers], axis=1)


_KEYS = [*KEY, "phase"]


def _make_own_play_columns(rows: pd.DataFrame) -> pd.DataFrame:
    """Return a row of numbers for each play, such as `danced` (1 or 0) and `dance_chance`."""
    enterable = (rows["on_bar"] > 0) & (rows["closed"] < ALL_CLOSED)
    contact = rows["phase"].isin(["opening", "contact"])
    return add_number_columns(
        rows[_KEYS],
        {
            **{name: rows[name] for name in MADE.sums if name in rows.columns},
            "plays": rows["high"] > 0,
            "barred": rows["on_bar"] > 0,
            "enterable": enterable,
            "danced": rows["danced"] & enterable,
            "entered_some": enterable & ~rows["danced"] & (rows["left_on_bar"] > 0),
            "stopped": rows["stopped"] & enterable,
            "dance_chance": rows["dance_chance"].where(enterable, 0),
            "entering_some_chance": rows["entering_some_chance"].where(enterable, 0),
            "stopping_chance": rows["stopping_chance"].where(enterable, 0),
            "primes": rows["longest_prime"] >= LONG_PRIME,
            "contact": contact,
            "anchored": contact & (rows["anchors"] > 0),
            "shooting": rows["shots"] > 0,
            "shot_chance": rows["shots"] / 36,
            "hitting": rows["hits"] > 0,
            "shot_left": rows["shots_left"] > 0,
        },
    )


def _make_suffered_hit_columns(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the opponents' plays with columns on the hits and shots that a side suffered."""
    return add_number_columns(
        rows[_KEYS],
        {
            "suffered": rows["hits"],
            "pips_lost": rows["pips_sent_back"],
            "their_shooting": rows["shots"] > 0,
            "their_shot_rolled": rows["shot_rolled"],
            "their_shot_chance": rows["shots"] / 36,
        },
    )


MADE = SummedTable(
    "plays",
    count_plays,
    tuple(list_summed_columns((*PLAYS, *HITS))),
    {"phase": PHASES},
    ("checker", "shots"),
)


@declare_report({"Plays": PLAYS, "Hits and shots": HITS}, MADE)
def yield_checker_sections(chosen: ChosenSums, _: Question) -> Iterator[Section]:
    """Yield the tables of the report `checker`.

    Checker play: the plays that were made, and the chances that the rolls gave.
    """
    by = chosen.list_grouping_columns(MADE)
    notes = note_left_out_rolls(chosen.total(TURNS, "in_doubt", "illegal", "unchecked"))
    yield chosen.make_group_section("Plays", MADE, PLAYS, by, *notes)
    yield chosen.make_group_section("Hits and shots", MADE, HITS, by)


def note_left_out_rolls(turns: pd.Series) -> tuple[str, ...]:
    """Return notes such as `2 illegal plays left out`, from the sums `turns` over all rolls."""
    return (
        *make_count_note(turns["in_doubt"], "roll", "on unverified boards left out"),
        *make_count_note(turns["illegal"], "illegal play", "left out"),
        *make_count_note(turns["unchecked"], "roll", "without a play left out"),
    )
