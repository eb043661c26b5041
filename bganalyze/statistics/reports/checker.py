"""The report of checker play, and the plays that it counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pandas as pd

from bganalyze.board.position import PHASES
from bganalyze.statistics.reports.figures import (
    Section,
    count,
    count_note,
    rate,
    reporting,
    share,
    summed,
    with_sums,
)
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.recorded import TURNS
from bganalyze.statistics.reports.seats import acting
from bganalyze.statistics.reports.selection import ChosenSums
from bganalyze.statistics.reports.sums import KEY, Base
from bganalyze.statistics.tables.frames import Tables

LONG_PRIME = 5
"""Points in a row that make a prime worth counting."""

ALL_CLOSED = 6

PLAYS = (
    count("plays", "plays", "", "Legal plays, dances included, on boards beyond doubt."),
    share("forced", "forced", "plays", "Plays that were the only legal ones; dances are none."),
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
        "No checker entered, of the rolls with one on the bar and a point open; expected by the exact chance of each.",
        "dance_chance",
    ),
    share(
        "entered some",
        "entered_some",
        "enterable",
        "Some entered and some did not.",
        "entering_some_chance",
    ),
    share(
        "entered, then stopped",
        "stopped",
        "enterable",
        "All entered, dice were left, and nothing more could be played.",
        "stopping_chance",
    ),
    rate(
        "points made a play",
        "points_gained",
        "plays",
        "Points held after the play and not before it.",
    ),
    rate("blots left", "blots_left", "plays", "Own blots on the board after the play."),
    rate("longest prime", "longest_prime", "plays", "Points in a row after the play."),
    share(
        f"primes of {LONG_PRIME} or 6", "primes", "plays", "Plays that ended with so long a prime."
    ),
    share(
        "anchors",
        "anchored",
        "contact",
        "Of plays with contact, those that ended with a point held in the opponent's home board.",
    ),
    rate(
        "pips wasted a turn",
        "pips_wasted",
        "bearing_off",
        "Pips rolled in bearing off that moved nothing; without contact, the winning roll apart.",
    ),
)

HITS = (
    rate("hits a play", "hits", "plays", "Opposing checkers sent to the bar."),
    share(
        "shots rolled",
        "shot_rolled",
        "shooting",
        "Rolls that could hit, of those before which some roll could; expected over the 36 rolls.",
        "shot_chance",
    ),
    share("hit when rolled", "hitting", "shot_rolled", "Plays that hit, of the rolls that could."),
    share("shots left", "shot_left", "plays", "Plays that left the opponent a roll that hits."),
    rate("rolls that hit, left", "shots_left", "shot_left", "Of 36, after such plays."),
    rate(
        "hits suffered a play", "suffered", "plays", "Own checkers sent to the bar, per own play."
    ),
    share(
        "shots suffered",
        "their_shot_rolled",
        "their_shooting",
        "The opponent's rolls that could hit, of those before which some roll could; expected over the 36 rolls.",
        "their_shot_chance",
    ),
    rate(
        "pips lost a play",
        "pips_lost",
        "plays",
        "Pips that own checkers were sent back, per own play: recirculation.",
    ),
)


def plays(tables: Tables, both: pd.DataFrame) -> pd.DataFrame:
    """Return every legal play seen by its side, and again by its opponent, who suffers it.

    Here and in other reports, `both` is what `sides` says of the games of the tables.
    """
    return _together(_seen(tables, both))


def counted_plays(tables: Tables, both: pd.DataFrame) -> pd.DataFrame:
    """Return the same summed by game, seat and phase."""
    # Summed one after the other: both with all columns take 40 MB for some sixty matches.
    return _together(
        part.groupby(_KEYS, observed=True, dropna=False).sum().reset_index()
        for part in _seen(tables, both)
    )


def _seen(tables: Tables, both: pd.DataFrame) -> Iterator[pd.DataFrame]:
    turns = tables.turns
    legal = turns[turns["verified"] & (turns["legality"] == "legal") & (turns["high"] > 0)]
    yield _made(acting(legal, both))
    yield _suffered(acting(legal, both, theirs=True))


def _together(parts: Iterable[pd.DataFrame]) -> pd.DataFrame:
    whole = pd.concat(parts, ignore_index=True)
    return whole.fillna(dict.fromkeys(whole.columns.difference(_KEYS), 0))


_KEYS = [*KEY, "phase"]


def _made(rows: pd.DataFrame) -> pd.DataFrame:
    """The plays with what figures sum: columns of the table, and what is made of them."""
    enterable = (rows["on_bar"] > 0) & (rows["closed"] < ALL_CLOSED)
    contact = rows["phase"].isin(["opening", "contact"])
    return with_sums(
        rows[_KEYS],
        {
            **{name: rows[name] for name in MADE.sums if name in rows},
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


def _suffered(rows: pd.DataFrame) -> pd.DataFrame:
    return with_sums(
        rows[_KEYS],
        {
            "suffered": rows["hits"],
            "pips_lost": rows["pips_sent_back"],
            "their_shooting": rows["shots"] > 0,
            "their_shot_rolled": rows["shot_rolled"],
            "their_shot_chance": rows["shots"] / 36,
        },
    )


MADE = Base(
    "plays",
    counted_plays,
    tuple(summed((*PLAYS, *HITS))),
    {"phase": PHASES},
    ("checker", "shots"),
)


@reporting({"Plays": PLAYS, "Hits and shots": HITS}, MADE)
def checker(chosen: ChosenSums, _: Question) -> Iterator[Section]:
    """Checker play: what was done with the rolls, and what the rolls allowed."""
    by = chosen.by(MADE)
    notes = left_out(chosen.total(TURNS, "in_doubt", "illegal", "unchecked"))
    yield chosen.counted("Plays", MADE, PLAYS, by, *notes)
    yield chosen.counted("Hits and shots", MADE, HITS, by)


def left_out(turns: pd.Series) -> tuple[str, ...]:
    """Return notes on how many rolls have no play that is counted, and why; sums of `TURNS`."""
    return (
        *count_note(turns["in_doubt"], "roll", "on boards in doubt left out"),
        *count_note(turns["illegal"], "illegal play", "left out"),
        *count_note(turns["unchecked"], "roll", "without a play left out"),
    )
