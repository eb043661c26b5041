"""The report of the cube, with the chances to double and to answer that it counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from bganalyze.board.equities import TABLE, MatchScore, stake
from bganalyze.board.position import PHASES
from bganalyze.statistics.features.structure import FORMULAS
from bganalyze.statistics.reports.figures import (
    Figure,
    Section,
    add_number_columns,
    chance,
    contests,
    count,
    declare_report,
    list_summed_columns,
    make_count_note,
    make_figure_section,
    mean,
    rate,
    share,
)
from bganalyze.statistics.reports.points import ACCOUNTS
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.recorded_rolls import OFFERS
from bganalyze.statistics.reports.seats import add_acting_side, compute_net_points
from bganalyze.statistics.reports.selection import ChosenSums
from bganalyze.statistics.reports.sums import SummedTable
from bganalyze.statistics.tables.frames import Tables

LEADS = (-1.0, -0.25, -0.1, -0.04, 0.04, 0.08, 0.12, 0.25, 1.0)
"""Ends of the bands of the race lead, as shares of the pips of the side that could double."""

DOUBLES = (
    count(
        "chances to double",
        "could_double",
        "",
        "Turns with access to a live cube, without the opening roll and the Crawford game.",
    ),
    share(
        "doubled",
        "doubled",
        "could_first",
        "First doubles, of the turns with the cube centered.",
    ),
    share("redoubled", "redoubled", "could_again", "Redoubles, of the turns with one's own cube."),
    rate(
        "own rolls before the first double",
        "plays_before",
        "doubled_first",
        "The doubler's rolls, in games in which that side doubled first.",
    ),
    share(
        "doubles taken",
        "was_taken",
        "was_answered",
        "Own doubles and redoubles that the opponent took.",
    ),
)

ANSWERS = (
    count("doubles faced", "faced", "", "The opponent's doubles and redoubles that were answered."),
    share("taken", "took", "faced", "Takes and beavers, of the doubles faced."),
    share("takes won", "take_won", "take_ended", "Games won after a take."),
    chance(
        "needed to take",
        "needed",
        "priced",
        f"Average take point of the doubles taken: the winning chance needed with a dead cube and no gammons. By {TABLE} for the score, if the length is known; 25 % in money play.",
    ),
    mean(
        "points a take",
        "take_net",
        "take_ended",
        "Points won minus points lost in games after a take, in units of the cube before the double; expected: -1, the result of a pass.",
        "take_dropped",
    ),
    share("beavers", "beavered", "beaverable", "Beavers, of the doubles faced in money play."),
)

POINTS = (
    count("games", "finished", "", "Finished games that ended with this cube owner."),
    contests("games won", "won", "finished", "Games won, of these games."),
    mean("points a game", "net", "finished", "Points won minus points lost."),
)

_KEITH = (
    "Doubles that Keith's formula makes too, of doubles in a race.",
    "Turns with a double, of those in which Keith's formula doubles; turns with gammon chances, which it ignores, do not count.",
    "Takes of races that Keith's formula takes.",
    "Passes of races that Keith's formula passes.",
)


def _make_race_figures(formula: str, meanings: Sequence[str]) -> Iterator[Figure]:
    """Yield four statistics on how often players follow a race formula's advice on the cube.

    `formula` is its name, such as `keith`; `meanings` has a sentence on each statistic.
    """
    sums = {
        "double": (f"{formula}_doubled", "race_double"),
        "turned when due": (f"{formula}_due_doubled", f"{formula}_due"),
        "takes": (f"{formula}_took", "race_took"),
        "passes": (f"{formula}_dropped", "race_dropped"),
    }
    for (name, (above, below)), meaning in zip(sums.items(), meanings, strict=True):
        yield share(f"{formula.capitalize()}: {name}", above, below, meaning)


RACES = (
    count("doubles in a race", "race_double", "", "Own doubles and redoubles without contact."),
    *_make_race_figures("keith", _KEITH),
    *_make_race_figures("trice", ("The same by Trice's formula.",) * len(_KEITH)),
)

_ANSWERED = tuple(figure for figure in RACES if figure.name.endswith(("takes", "passes")))
_DOUBLED = tuple(figure for figure in RACES if figure not in _ANSWERED)

BANDED = (*DOUBLES[:3], DOUBLES[4])

SECTIONS = {
    "Doubles": DOUBLES,
    "Answers": ANSWERS,
    "Doubles by cube": BANDED,
    "Doubles by lead": BANDED,
    "Answers by lead": ANSWERS[:4],
    "Points by owner": POINTS,
    "Races": RACES,
}


BANDS = [f"{100 * low:+.0f} to {100 * high:+.0f} %" for low, high in pairwise(LEADS)]
BANDS[0], BANDS[-1] = f"under {100 * LEADS[1]:+.0f} %", f"over {100 * LEADS[-2]:+.0f} %"

RACE_NOTES = (
    "the formulas ignore the match score",
    "turned when due: turns with gammon chances do not count, because playing on for a gammon may be right",
)


def _select_offers(tables: Tables) -> pd.DataFrame:
    """Return the doubles and redoubles that count: those that are legal, on verified boards."""
    cubes = tables.cubes
    return cubes[cubes["verified"] & cubes["legal"] & cubes["kind"].isin(["double", "redouble"])]


def name_lead_bands(rows: pd.DataFrame) -> pd.Series:
    """Return each side on roll's lead in the race as a range of it, such as `+8 to +12 %`."""
    share = (rows["opposing_pips"] - rows["pips"]) / rows["pips"].clip(lower=1)
    inner = np.searchsorted(LEADS[1:-1], share.to_numpy(), side="right")
    return pd.Series(pd.Categorical.from_codes(inner, BANDS, ordered=True), index=rows.index)


_SEEN = [
    *("match", "game", "side", "play", "phase", "pips", "opposing_pips", "cube", "cube_owner"),
    *("race", "keith_double", "trice_double", "may_win_gammon"),
]
"""The columns needed of turns without a double."""


def list_chances_to_double(tables: Tables, sides_of_games: pd.DataFrame) -> pd.DataFrame:
    """Return the turns in which a side could double, with columns such as `doubled` (1 or 0)."""
    turns = tables.turns
    passed = add_acting_side(
        turns.loc[turns["may_double"] & turns["verified"], _SEEN], sides_of_games
    )
    offers = add_acting_side(_select_offers(tables), sides_of_games)
    rows = pd.concat(
        [
            passed.assign(answer="", owner=passed["cube_owner"]),
            offers.assign(owner=np.where(offers["kind"] == "double", "centered", "own")),
        ],
        ignore_index=True,
    )
    doubled = pd.Series(np.arange(len(rows)) >= len(passed))
    first = doubled & (rows["owner"] == "centered")
    again = doubled & (rows["owner"] == "own")
    taken = rows["answer"].isin(["take", "beaver"])
    race = rows["race"].astype(bool)
    numbers = {
        "could_double": pd.Series(True, index=rows.index),
        "could_first": rows["owner"] == "centered",
        "could_again": rows["owner"] == "own",
        "doubled": first,
        "redoubled": again,
        "doubled_first": first & rows["first"].eq(True),
        "plays_before": rows["play"].where(first & rows["first"].eq(True), 0),
        "was_taken": doubled & taken,
        "was_answered": doubled & (taken | (rows["answer"] == "pass")),
        "race_double": doubled & race,
    }
    for name in FORMULAS:
        says_so = race & rows[f"{name}_double"].astype(bool)
        due = says_so & ~rows["may_win_gammon"].astype(bool)
        numbers |= {
            f"{name}_doubled": doubled & says_so,
            f"{name}_due": due,
            f"{name}_due_doubled": doubled & due,
        }
    return add_number_columns(rows.assign(lead=name_lead_bands(rows)), numbers)


def select_answered_doubles(tables: Tables, sides_of_games: pd.DataFrame) -> pd.DataFrame:
    """Return each double that was taken or passed, as a decision of the side that answered."""
    offers = _select_offers(tables)
    of_games = ("stage", "length", "own_score", "other_score", "counting", "ended", "won", "lost")
    rows = add_acting_side(
        offers[offers["answer"] != "none"], sides_of_games, of_opponent=True, columns=of_games
    )
    took, race = rows["answer"].isin(["take", "beaver"]), rows["race"].astype(bool)
    money = rows["stage"] == "money"
    stakes = (rows[name] for name in ("length", "own_score", "other_score", "cube"))
    needed = pd.Series(list(map(compute_take_point, *stakes)), index=rows.index, dtype=float)
    take_ended = took & rows["ended"]
    numbers = {
        "needed": needed.where(take_ended).fillna(0),
        "priced": needed.notna() & take_ended,
        "faced": rows["answer"].notna(),
        "took": took,
        "beaverable": money,
        "beavered": money & (rows["answer"] == "beaver"),
        "take_ended": take_ended,
        "take_won": took & rows["won"],
        "take_net": (compute_net_points(rows) / rows["cube"]).where(took, 0),
        "take_dropped": -take_ended.astype(float),
        "race_took": race & took,
        "race_dropped": race & ~took,
    }
    for name in FORMULAS:
        takes = rows[f"{name}_take"].astype(bool)
        numbers |= {f"{name}_took": race & took & takes, f"{name}_dropped": race & ~took & ~takes}
    return add_number_columns(rows.assign(lead=name_lead_bands(rows)), numbers)


def compute_take_point(length: int, own: int, other: int, cube: int) -> float:
    """Return the winning chance (0 to 1) needed to take a double, without gammons or redoubles.

    A `length` of 0 is money play. `own` and `other` are the points scored by taker and doubler, and
    `cube` is the cube value before the double. NaN means that the chance is unknown, or that
    nothing is at stake.

    >>> compute_take_point(length=0, own=0, other=0, cube=1)
    0.25
    >>> round(compute_take_point(length=7, own=3, other=5, cube=1), 3)
    0.371
    """
    if pd.isna(length):
        return float("nan")
    score = MatchScore(int(length), (int(own), int(other)))
    dropped, doubled = stake(score, 0, int(cube)), stake(score, 0, 2 * int(cube))
    if dropped is None or doubled is None or doubled.win == doubled.lose:
        return float("nan")
    return (dropped.lose - doubled.lose) / (doubled.win - doubled.lose)


CHANCES = SummedTable(
    "chances_to_double",
    list_chances_to_double,
    tuple(list_summed_columns((*DOUBLES, *_DOUBLED))),
    {"phase": PHASES, "cube": int, "lead": BANDS},
    ("race",),
)

ANSWERED = SummedTable(
    "answers",
    select_answered_doubles,
    tuple(list_summed_columns((*ANSWERS, *_ANSWERED))),
    {"phase": PHASES, "lead": BANDS},
)


@declare_report(SECTIONS, CHANCES, ANSWERED, ACCOUNTS, OFFERS)
def yield_cube_sections(chosen: ChosenSums, _: Question) -> Iterator[Section]:
    """Yield the tables of the report `cube`.

    The cube: doubles, takes and passes, and their results.

    Without an engine, only a formula for pure races can show whether a decision was right. So these
    are rates, by cube value, score and lead in the race.
    """
    by, of_games = (
        chosen.list_grouping_columns(CHANCES),
        chosen.list_grouping_columns(ACCOUNTS, "owner"),
    )
    yield chosen.make_group_section("Doubles", CHANCES, DOUBLES, by, *_note_left_out(chosen))
    yield chosen.make_group_section("Answers", ANSWERED, ANSWERS, by)
    yield chosen.make_group_section("Doubles by cube", CHANCES, BANDED, [*by, "cube"])
    yield chosen.make_group_section("Doubles by lead", CHANCES, BANDED, [*by, "lead"])
    yield chosen.make_group_section("Answers by lead", ANSWERED, ANSWERS[:4], [*by, "lead"])
    yield chosen.make_group_section("Points by owner", ACCOUNTS, POINTS, of_games)
    races = [chosen.sum_by_match(table, RACES, by) for table in (CHANCES, ANSWERED)]
    yield make_figure_section("Races", pd.concat(races, ignore_index=True), RACES, by, *RACE_NOTES)


def _note_left_out(chosen: ChosenSums) -> tuple[str, ...]:
    """Return notes on doubles that are left out, such as `3 doubles against the rules left out`."""
    doubles = chosen.total(OFFERS, "in_doubt", "illegal", "unanswered")
    return (
        *make_count_note(doubles["in_doubt"], "double", "on unverified boards left out"),
        *make_count_note(doubles["illegal"], "double", "against the rules left out"),
        *make_count_note(
            doubles["unanswered"], "double", "without an answer left out of the answers"
        ),
    )
