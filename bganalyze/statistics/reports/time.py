"""The report of time: time per decision by the recorded clock, and time limits exceeded."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from bganalyze.board.position import PHASES
from bganalyze.statistics.reports.figures import (
    Section,
    add_number_columns,
    count,
    declare_report,
    list_summed_columns,
    rate,
    share,
)
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.recorded_rolls import TURNS
from bganalyze.statistics.reports.seats import add_acting_side
from bganalyze.statistics.reports.selection import ChosenSums
from bganalyze.statistics.reports.sums import KEY, SummedTable
from bganalyze.statistics.tables.frames import Tables
from bganalyze.statistics.tables.matches import CLOCK_SETTINGS
from bganalyze.text import number_of

DECISIONS = ("play", "double", "take", "pass")
_ANSWERS = {"take": "take", "beaver": "take", "pass": "pass"}
"""A beaver is a take with another double."""

LONG = 30
"""Seconds above which a decision was a long one."""

TIMES = (
    count(
        "timed decisions",
        "timed",
        "",
        "Rolls with their plays, doubles and answers with a recorded time; the first of a game does not count.",
    ),
    rate(
        "seconds a decision",
        "seconds",
        "timed",
        "Seconds since the previous action of either player.",
    ),
    share(
        f"over {LONG} seconds", "long", "timed", "Decisions that took longer, of the timed ones."
    ),
    share(
        "overstepped",
        "overstepped",
        "limited",
        "Decisions after which the player's time was used up (the reserve plus increments, minus the time beyond the delay of each decision in the match), of those with known clock settings.",
    ),
)

SECTIONS = {
    "Time": TIMES,
    "Time by decision": TIMES[:3],
    "Time by phase": TIMES[:3],
    "Time by score": TIMES[:3],
}

_KEYS = [*KEY, "turn", "phase", "taken", "decision"]
_OF_ROWS = ["match", "game", "side", "turn", "phase"]


def select_timed_decisions(tables: Tables, sides_of_games: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each decision with a recorded time, with columns such as `seconds`."""
    turns, cubes = tables.turns, tables.cubes
    answers = cubes["answer"].astype(object).map(_ANSWERS)
    parts = [
        _select_timed(turns, turns["seconds"], "play", sides_of_games),
        _select_timed(cubes, cubes["seconds"], "double", sides_of_games),
        _select_timed(
            cubes,
            cubes["answer_seconds"].where(answers.notna()),
            answers,
            sides_of_games,
            of_opponent=True,
        ),
    ]
    rows = pd.concat(parts, ignore_index=True)
    left = _compute_time_left(rows, tables.matches)
    numbers = {
        "timed": rows["taken"] >= 0,
        "seconds": rows["taken"],
        "long": rows["taken"] > LONG,
        "limited": left.notna(),
        "overstepped": left < 0,
    }
    return add_number_columns(rows, numbers)


def _select_timed(
    rows: pd.DataFrame,
    taken: pd.Series,
    decision: pd.Series | str,
    sides_of_games: pd.DataFrame,
    *,
    of_opponent: bool = False,
) -> pd.DataFrame:
    """Return the rows with a recorded time, with the side that decided.

    `taken` has seconds, `decision` the kind, such as `take`. With `of_opponent`, the opponent of
    the row's side decided.
    """
    timed = rows[_OF_ROWS].assign(taken=taken, decision=decision)[taken.notna()]
    return add_acting_side(timed, sides_of_games, of_opponent=of_opponent)[_KEYS]


def _compute_time_left(rows: pd.DataFrame, matches: pd.DataFrame) -> pd.Series:
    """Return the seconds left to the player after each decision, negative beyond the limit.

    Matches without a clock have NaN.
    """
    settings = matches.set_index("match")[list(CLOCK_SETTINGS)]
    clock = settings.loc[rows["match"]].set_axis(rows.index)
    beyond = (rows["taken"] - clock["delay"].fillna(0)).clip(lower=0)
    used = (beyond - clock["increment"].fillna(0)).rename("used")
    ordered = rows.assign(used=used).sort_values(["match", "game", "turn"], kind="stable")
    so_far = ordered.groupby(["match", "seat"], observed=True)["used"].cumsum()
    return clock["reserve"].where(clock["reserve"] > 0) - so_far.reindex(rows.index)


TIMED = SummedTable(
    "times",
    select_timed_decisions,
    tuple(list_summed_columns(TIMES)),
    {"phase": PHASES, "decision": DECISIONS},
)


@declare_report(SECTIONS, TIMED)
def yield_time_sections(chosen: ChosenSums, _: Question) -> Iterator[Section]:
    """Yield the tables of the report `time`.

    Time: time per decision by the recorded clock, and whether the limit was exceeded.

    OGXM and GammonView record the clock; other formats do not. The time of a decision is the time
    since the previous action: a player who only waits for the opponent to pick up the dice is still
    on the clock.
    """
    by = chosen.list_grouping_columns(TIMED)
    turns = chosen.total(TURNS, "turns", "timed")
    without = int(turns["turns"] - turns["timed"])
    notes = (f"{number_of(without, 'roll')} without a time left out",) if without else ()
    whole = chosen.make_group_section("Time", TIMED, TIMES, by, *notes)
    yield whole
    if whole.frame.empty:
        return
    yield chosen.make_group_section("Time by decision", TIMED, TIMES[:3], [*by, "decision"])
    yield chosen.make_group_section(
        "Time by phase", TIMED, TIMES[:3], chosen.list_grouping_columns(TIMED, "phase")
    )
    yield chosen.make_group_section(
        "Time by score", TIMED, TIMES[:3], chosen.list_grouping_columns(TIMED, "score")
    )
