"""Checker play: what was done with the throws, and what the throws allowed."""

from __future__ import annotations

import pandas as pd

from bganalyze.reports.figures import (
    OF_GAMES,
    Figure,
    Section,
    acting,
    count_note,
    estimated,
    rows_for,
    sides,
    summed,
)
from bganalyze.reports.question import Question
from bganalyze.tables.frames import Tables

GROUPS = frozenset(("checker", "shots"))

LONG_PRIME = 5
"""Points in a row that make a prime worth counting."""

ALL_CLOSED = 6

PLAYS = (
    Figure("plays", "plays", "", "count", "Legal plays, dances included, on boards beyond doubt."),
    Figure(
        "forced",
        "forced",
        "plays",
        "share",
        "Plays that were the only legal ones; dances are none.",
    ),
    Figure("pips a play", "pips_moved", "plays", "rate", "Pips that own checkers moved."),
    Figure(
        "crossovers a play",
        "crossovers",
        "plays",
        "rate",
        "Quarters of the board crossed, entering and bearing off included.",
    ),
    Figure("on the bar", "barred", "plays", "share", "Plays that began with a checker on the bar."),
    Figure(
        "dances",
        "danced",
        "enterable",
        "share",
        "No checker entered, of the throws with one on the bar and a point open; expected by the exact chance of each.",
        "dance_chance",
    ),
    Figure(
        "entered some",
        "entered_some",
        "enterable",
        "share",
        "Some entered and some did not.",
        "entering_some_chance",
    ),
    Figure(
        "entered, then stopped",
        "stopped",
        "enterable",
        "share",
        "All entered, dice were left, and nothing more could be played.",
        "stopping_chance",
    ),
    Figure(
        "points made a play",
        "points_gained",
        "plays",
        "rate",
        "Points held after the play and not before it.",
    ),
    Figure("blots left", "blots_left", "plays", "rate", "Own blots on the board after the play."),
    Figure("longest prime", "longest_prime", "plays", "rate", "Points in a row after the play."),
    Figure(
        f"primes of {LONG_PRIME} or 6",
        "primes",
        "plays",
        "share",
        "Plays that ended with so long a prime.",
    ),
    Figure(
        "anchors",
        "anchored",
        "contact",
        "share",
        "Of plays with contact, those that ended with a point held in the opponent's home board.",
    ),
    Figure(
        "pips wasted a turn",
        "pips_wasted",
        "bearing_off",
        "rate",
        "Pips thrown in bearing off that moved nothing; without contact, the winning throw apart.",
    ),
)

HITS = (
    Figure("hits a play", "hits", "plays", "rate", "Opposing checkers sent to the bar."),
    Figure(
        "shots thrown",
        "shot_thrown",
        "shooting",
        "share",
        "Throws that could hit, of those before which some throw could; expected over the 36 throws.",
        "shot_chance",
    ),
    Figure(
        "hit when thrown",
        "hitting",
        "shot_thrown",
        "share",
        "Plays that hit, of the throws that could.",
    ),
    Figure(
        "shots left",
        "shot_left",
        "plays",
        "share",
        "Plays that left the opponent a throw that hits.",
    ),
    Figure("throws that hit, left", "shots_left", "shot_left", "rate", "Of 36, after such plays."),
    Figure(
        "hits suffered a play",
        "suffered",
        "plays",
        "rate",
        "Own checkers sent to the bar, per own play.",
    ),
    Figure(
        "shots suffered",
        "their_shot_thrown",
        "their_shooting",
        "share",
        "The opponent's throws that could hit, of those before which some throw could; expected over the 36 throws.",
        "their_shot_chance",
    ),
    Figure(
        "pips lost a play",
        "pips_lost",
        "plays",
        "rate",
        "Pips that own checkers were sent back, per own play: recirculation.",
    ),
)

SECTIONS = {"Plays": PLAYS, "Hits and shots": HITS}
"""The figures of each section."""


def report(tables: Tables, question: Question) -> list[Section]:
    """Return plays, and hits and shots: made, and against what was to be expected."""
    rows = rows_for(plays(tables), question)
    by = [name for name in question.by if name in rows]
    return [
        Section("Plays", estimated(rows, PLAYS, by), left_out(tables.turns)),
        Section("Hits and shots", estimated(rows, HITS, by)),
    ]


def left_out(turns: pd.DataFrame) -> tuple[str, ...]:
    """Return notes on how many throws have no play that is counted, and why."""
    unverified = int((~turns["verified"]).sum())
    verdicts = turns.loc[turns["verified"], "verdict"].value_counts()
    return (
        *count_note(unverified, "throw", "on boards in doubt left out"),
        *count_note(int(verdicts["illegal"] + verdicts["corrected"]), "illegal play", "left out"),
        *count_note(int(verdicts["unjudged"]), "throw", "without a play left out"),
    )


def plays(tables: Tables) -> pd.DataFrame:
    """Return every legal play seen by its side, and again by its opponent, who suffers it."""
    turns = tables.turns
    legal = turns[turns["verified"] & (turns["verdict"] == "legal") & (turns["high"] > 0)]
    both = sides(tables)
    parts = [_made(acting(legal, both)), _suffered(acting(legal, both, theirs=True))]
    sums = [name for part in parts for name in part if name not in _KEYS]
    return pd.concat(parts, ignore_index=True).fillna(dict.fromkeys(sums, 0))


_KEYS = (*OF_GAMES, "match", "game", "phase")


def _with_sums(rows: pd.DataFrame, sums: dict[str, pd.Series]) -> pd.DataFrame:
    numbers = {name: values.astype(float) for name, values in sums.items()}
    return rows[list(_KEYS)].assign(**numbers)


def _made(rows: pd.DataFrame) -> pd.DataFrame:
    """The plays with what figures sum: columns of the table, and what is made of them."""
    enterable = (rows["on_bar"] > 0) & (rows["closed"] < ALL_CLOSED)
    contact = rows["phase"].isin(["opening", "contact"])
    return _with_sums(
        rows,
        {
            **{name: rows[name] for name in summed((*PLAYS, *HITS)) if name in rows},
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
    return _with_sums(
        rows,
        {
            "suffered": rows["hits"],
            "pips_lost": rows["pips_sent_back"],
            "their_shooting": rows["shots"] > 0,
            "their_shot_thrown": rows["shot_thrown"],
            "their_shot_chance": rows["shots"] / 36,
        },
    )
