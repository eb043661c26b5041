"""The report of the cube, and the chances to double and to answer that it counts."""

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
    chance,
    contests,
    count,
    count_note,
    counted,
    mean,
    rate,
    reporting,
    share,
    summed,
    with_sums,
)
from bganalyze.statistics.reports.points import ACCOUNTS
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.recorded import OFFERS
from bganalyze.statistics.reports.seats import acting, net_points
from bganalyze.statistics.reports.selection import ChosenSums
from bganalyze.statistics.reports.sums import Base
from bganalyze.statistics.tables.frames import Tables

LEADS = (-1.0, -0.25, -0.1, -0.04, 0.04, 0.08, 0.12, 0.25, 1.0)
"""Where the bands of the lead in the race end: shares of the pips of the side that could double."""

DOUBLES = (
    count(
        "chances to double",
        "could_double",
        "",
        "Turns in which the cube was in reach and not dead, the opening and the Crawford game apart.",
    ),
    share(
        "doubled",
        "doubled",
        "could_first",
        "First doubles, of the turns with the cube in the middle.",
    ),
    share("redoubled", "redoubled", "could_again", "Redoubles, of the turns with the own cube."),
    rate(
        "own rolls before the first double",
        "plays_before",
        "doubled_first",
        "Of the doubler, in games in which that side doubled first.",
    ),
    share(
        "doubles taken",
        "was_taken",
        "was_answered",
        "Own doubles and redoubles that the opponent took.",
    ),
)

ANSWERS = (
    count(
        "doubles faced", "faced", "", "Doubles and redoubles of the opponent that were answered."
    ),
    share("taken", "took", "faced", "Of them, beavers included."),
    share("takes won", "take_won", "take_ended", "Games won after a take."),
    chance(
        "needed to take",
        "needed",
        "priced",
        f"What the same takes need to be right: the chance to win, on average, were the cube dead and no gammon possible. By {TABLE} for the score, where the length is known; 25 % in money play.",
    ),
    mean(
        "points a take",
        "take_net",
        "take_ended",
        "Points won less points lost in the game after a take, per value of the cube before the double; expected is what a pass gives, -1.",
        "take_dropped",
    ),
    share("beavers", "beavered", "beaverable", "Of the doubles faced in money play."),
)

POINTS = (
    count("games", "finished", "", "Finished games that ended with the cube there."),
    contests("games won", "won", "finished", "Of them."),
    mean("points a game", "net", "finished", "Points won less points lost."),
)

_KEITH = (
    "Of these, turned when Keith's formula says so.",
    "Of the turns when Keith's formula says so, those with a double; without those with gammon chances, of which it knows nothing.",
    "Takes of races that Keith's formula takes.",
    "Passes of races that Keith's formula passes.",
)


def _races(formula: str, meanings: Sequence[str]) -> Iterator[Figure]:
    """Yield how often doubles and answers in races agree with a formula."""
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
    *_races("keith", _KEITH),
    *_races("trice", ("The same by Trice's formula.",) * len(_KEITH)),
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
    "the formulas leave the score of the match out of account",
    "turned when due: without turns with gammon chances, where playing on for a gammon may be right",
)


def _offers(tables: Tables) -> pd.DataFrame:
    """The doubles and redoubles that count."""
    cubes = tables.cubes
    return cubes[cubes["verified"] & cubes["legal"] & cubes["kind"].isin(["double", "redouble"])]


def lead(rows: pd.DataFrame) -> pd.Series:
    """Return the band of the lead in the race, as a share of the pips of the side that could double."""
    share = (rows["opposing_pips"] - rows["pips"]) / rows["pips"].clip(lower=1)
    inner = np.searchsorted(LEADS[1:-1], share.to_numpy(), side="right")
    return pd.Series(pd.Categorical.from_codes(inner, BANDS, ordered=True), index=rows.index)


_SEEN = [
    *("match", "game", "side", "play", "phase", "pips", "opposing_pips", "cube", "cube_owner"),
    *("race", "keith_double", "trice_double", "may_win_gammon"),
]
"""The columns of the turns without a double that its figures need."""


def chances(tables: Tables, both: pd.DataFrame) -> pd.DataFrame:
    """Return the turns in which a side could double: those when it did, and those when not."""
    turns = tables.turns
    passed = acting(turns.loc[turns["may_double"] & turns["verified"], _SEEN], both)
    offers = acting(_offers(tables), both)
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
    return with_sums(rows.assign(lead=lead(rows)), numbers)


def answered(tables: Tables, both: pd.DataFrame) -> pd.DataFrame:
    """Return the doubles that were answered, seen by the side that answers."""
    offers = _offers(tables)
    of_games = ("stage", "length", "own_score", "other_score", "counting", "ended", "won", "lost")
    rows = acting(offers[offers["answer"] != "none"], both, theirs=True, columns=of_games)
    took, race = rows["answer"].isin(["take", "beaver"]), rows["race"].astype(bool)
    money = rows["stage"] == "money"
    stakes = (rows[name] for name in ("length", "own_score", "other_score", "cube"))
    needed = pd.Series(list(map(take_point, *stakes)), index=rows.index, dtype=float)
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
        "take_net": (net_points(rows) / rows["cube"]).where(took, 0),
        "take_dropped": -take_ended.astype(float),
        "race_took": race & took,
        "race_dropped": race & ~took,
    }
    for name in FORMULAS:
        takes = rows[f"{name}_take"].astype(bool)
        numbers |= {f"{name}_took": race & took & takes, f"{name}_dropped": race & ~took & ~takes}
    return with_sums(rows.assign(lead=lead(rows)), numbers)


def take_point(length: int, own: int, other: int, cube: int) -> float:
    """Return the chance to win from which on a double is to be taken, the cube dead after it.

    Gammons are left out of account. `length` is 0 in money play; `cube` is the value before the
    double. NaN where the length is not known, the table does not reach, or nothing is at stake.

    >>> take_point(0, 0, 0, 1), round(take_point(7, 5, 5, 1), 3), round(take_point(7, 3, 5, 1), 3)
    (0.25, 0.323, 0.371)
    """
    if pd.isna(length):
        return float("nan")
    score = MatchScore(int(length), (int(own), int(other)))
    dropped, doubled = stake(score, 0, int(cube)), stake(score, 0, 2 * int(cube))
    if dropped is None or doubled is None or doubled.win == doubled.lose:
        return float("nan")
    return (dropped.lose - doubled.lose) / (doubled.win - doubled.lose)


CHANCES = Base(
    "chances_to_double",
    chances,
    tuple(summed((*DOUBLES, *_DOUBLED))),
    {"phase": PHASES, "cube": int, "lead": BANDS},
    ("race",),
)

ANSWERED = Base(
    "answers",
    answered,
    tuple(summed((*ANSWERS, *_ANSWERED))),
    {"phase": PHASES, "lead": BANDS},
)


@reporting(SECTIONS, CHANCES, ANSWERED, ACCOUNTS, OFFERS)
def cube(chosen: ChosenSums, _: Question) -> Iterator[Section]:
    """The cube: who doubles, takes and passes when, and what becomes of it.

    Without an engine nothing says whether a decision was right, save in pure races by a formula. So
    these are rates, by the value of the cube, the score and the lead in the race.
    """
    by, of_games = chosen.by(CHANCES), chosen.by(ACCOUNTS, "owner")
    yield chosen.counted("Doubles", CHANCES, DOUBLES, by, *_left_out(chosen))
    yield chosen.counted("Answers", ANSWERED, ANSWERS, by)
    yield chosen.counted("Doubles by cube", CHANCES, BANDED, [*by, "cube"])
    yield chosen.counted("Doubles by lead", CHANCES, BANDED, [*by, "lead"])
    yield chosen.counted("Answers by lead", ANSWERED, ANSWERS[:4], [*by, "lead"])
    yield chosen.counted("Points by owner", ACCOUNTS, POINTS, of_games)
    races = [chosen.units(base, RACES, by) for base in (CHANCES, ANSWERED)]
    yield counted("Races", pd.concat(races, ignore_index=True), RACES, by, *RACE_NOTES)


def _left_out(chosen: ChosenSums) -> tuple[str, ...]:
    doubles = chosen.total(OFFERS, "in_doubt", "illegal", "unanswered")
    return (
        *count_note(doubles["in_doubt"], "double", "on boards in doubt left out"),
        *count_note(doubles["illegal"], "double", "against the rules left out"),
        *count_note(doubles["unanswered"], "double", "without an answer left out of the answers"),
    )
