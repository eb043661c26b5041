"""The report of time: how long decisions took by the clock of the record, and who overstepped it."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from bganalyze.board.position import PHASES
from bganalyze.statistics.reports.figures import (
    Section,
    count,
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
from bganalyze.statistics.tables.matches import CLOCK_SETTINGS
from bganalyze.text import number_of

DECISIONS = ("play", "double", "take", "pass")
_ANSWERS = {"take": "take", "beaver": "take", "pass": "pass"}
"""A beaver is a take, with another double."""

LONG = 30
"""Seconds after which a decision was a long one."""

TIMES = (
    count(
        "timed decisions",
        "timed",
        "",
        "Rolls with their plays, doubles and answers of which the clock tells how long they took; not the first of a game.",
    ),
    rate("seconds a decision", "seconds", "timed", "Since the action before, whoever made it."),
    share(f"over {LONG} seconds", "long", "timed", "Decisions that took longer."),
    share(
        "overstepped",
        "overstepped",
        "limited",
        "Decisions after which the time of their player was used up: the reserve of the clock with its increments, less what each decision in the match took beyond the delay; of those with a clock whose settings are known.",
    ),
)

SECTIONS = {
    "Time": TIMES,
    "Time by decision": TIMES[:3],
    "Time by phase": TIMES[:3],
    "Time by score": TIMES[:3],
}

_KEYS = [*KEY, "turn", "phase", "taken", "decision"]


def timed(tables: Tables, both: pd.DataFrame) -> pd.DataFrame:
    """Return every decision whose time is known, seen by the side that decides."""
    cubes = tables.cubes
    answered = cubes[cubes["answer"].isin(list(_ANSWERS))]
    parts = [
        acting(tables.turns, both).assign(taken=lambda rows: rows["seconds"], decision="play"),
        acting(cubes, both).assign(taken=lambda rows: rows["seconds"], decision="double"),
        acting(answered, both, theirs=True).assign(
            taken=lambda rows: rows["answer_seconds"],
            decision=lambda rows: rows["answer"].astype(object).map(_ANSWERS),
        ),
    ]
    rows = pd.concat([part[_KEYS] for part in parts], ignore_index=True)
    rows = rows[rows["taken"].notna()].reset_index(drop=True)
    left = _time_left(rows, tables.matches)
    numbers = {
        "timed": rows["taken"] >= 0,
        "seconds": rows["taken"],
        "long": rows["taken"] > LONG,
        "limited": left.notna(),
        "overstepped": left < 0,
    }
    return with_sums(rows, numbers)


def _time_left(rows: pd.DataFrame, matches: pd.DataFrame) -> pd.Series:
    """Return the seconds that each player has left after each decision; missing without a clock."""
    settings = matches.set_index("match")[list(CLOCK_SETTINGS)]
    clock = settings.loc[rows["match"]].set_axis(rows.index)
    beyond = (rows["taken"] - clock["delay"].fillna(0)).clip(lower=0)
    used = (beyond - clock["increment"].fillna(0)).rename("used")
    ordered = rows.assign(used=used).sort_values(["match", "game", "turn"], kind="stable")
    so_far = ordered.groupby(["match", "seat"], observed=True)["used"].cumsum()
    return clock["reserve"].where(clock["reserve"] > 0) - so_far.reindex(rows.index)


TIMED = Base(
    "times",
    timed,
    tuple(summed(TIMES)),
    {"phase": PHASES, "decision": DECISIONS},
)


@reporting(SECTIONS, TIMED)
def time(chosen: ChosenSums, _: Question) -> Iterator[Section]:
    """Time: how long decisions took, by the clock of the record, and whether it was overstepped.

    OGXM and GammonView keep the clock; other formats do not. What a decision took is the time
    since the action before it: a player who only waits for the opponent to pick up the dice is on
    the clock all the same.
    """
    by = chosen.by(TIMED)
    turns = chosen.total(TURNS, "turns", "timed")
    without = int(turns["turns"] - turns["timed"])
    notes = (f"{number_of(without, 'roll')} without a time left out",) if without else ()
    whole = chosen.counted("Time", TIMED, TIMES, by, *notes)
    yield whole
    if whole.frame.empty:
        return
    yield chosen.counted("Time by decision", TIMED, TIMES[:3], [*by, "decision"])
    yield chosen.counted("Time by phase", TIMED, TIMES[:3], chosen.by(TIMED, "phase"))
    yield chosen.counted("Time by score", TIMED, TIMES[:3], chosen.by(TIMED, "score"))
