"""The report of the dice, the rolls that it counts, and tests of fairness."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from bganalyze.board.position import PHASES
from bganalyze.statistics.estimates import (
    POWER,
    chi_square,
    contingency,
    corrected,
    corrected_of_same,
    exact_shares,
    more_than,
    serial,
    trials_needed,
)
from bganalyze.statistics.reports.figures import (
    Section,
    count,
    count_note,
    mean,
    rate,
    reporting,
    share,
    summed,
    trials,
    with_sums,
    with_whole,
)
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.recorded import TURNS
from bganalyze.statistics.reports.seats import acting
from bganalyze.statistics.reports.selection import ChosenSums
from bganalyze.statistics.reports.sums import Base
from bganalyze.statistics.tables.frames import Tables

ROLLS = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
CHANCES = np.array([(1 if high == low else 2) / 36 for high, low in ROLLS])
OPENING_CHANCES = np.where([high == low for high, low in ROLLS], 0, 1 / 15)

FEWEST_EXPECTED = 5
"""A chi-square test asks for so many of the rarest roll."""

FEWEST = 180
"""Rolls that a group needs for any test but that of its doubles: five of the rarest."""

CERTAIN = 0.001
"""Below this corrected p-value a match is called one with invented dances, and a site one whose records
bend rolls."""

FEWEST_OF_SITE = 1800
"""Rolls that a site needs to be shown by itself: fifty of the rarest."""

EVERYWHERE = "all"
"""What stands for a site where rolls of all of them are counted."""

SEATS_AT_ONCE = 1 << 17
"""The groups of so many seats are tested together: a group may have a row for each pair of
rolls."""

SUSPECTS_AT_ONCE = 1 << 13
"""The dances of so many matches are looked at at once: of each match that takes a few kilobytes."""

HOME_POINTS = 6
BIAS = 0.01
SMALLEST = 10
"""How many matches with the smallest p-values are listed."""

_DANCES = "6-6 of dances"
_WITH_DANCES_ALONE = "with invented dances left out of all but the dances"

FIGURES = (
    count(
        "rolls",
        "rolls",
        "",
        "Rolls that count, without opening rolls and those against a closed board.",
    ),
    trials("doubles", "doubles", "rolls", "Of them; expected is a sixth.", "double_chance"),
    rate(
        "pips a roll",
        "pips_rolled",
        "rolls",
        "Doubles four times; expected is 8 1/6.",
        "pips_expected",
    ),
    share(
        _DANCES,
        "dances_66",
        "dances",
        "Dances from the bar with 6-6, of all those; expected by the exact chances on each board. Where it is far more, 6-6 was written for any dance. As few matches hold most of these, the interval holds less often than 95 % say: in 81 of 100 collections of 100 matches.",
        "expected_66",
    ),
    count("opening rolls", "openings", "", "First rolls of a game from the starting position."),
    mean("pips an opening roll", "pips_opening", "openings", "Expected is 7.", "opening_expected"),
)


class Test(NamedTuple):
    """One test of fairness."""

    name: str
    counted_rolls: int
    p: float


USES = ("usual", "opening", "other")
"""What a roll is to the tests: `other` are doubles that open a game, and rolls against a closed board."""

_OF_TESTS = (
    "p is the chance that fair dice look at least as odd; corrected: for the number of all tests of this table, which depend on each other (Benjamini and Yekutieli)",
    f"to see with a chance of {100 * POWER:.0f} % that doubles are off by {100 * BIAS:.0f} % of their number, relative, which is {100 * (1 + BIAS) / 6:.2f} % instead of {100 / 6:.2f} % of the rolls, takes about {trials_needed(1 / 6, BIAS):,} rolls; with fewer, a test that finds nothing shows little",
    "a test can show that recorded rolls are not those of fair dice; it can not show why: who rolled, who wrote them down, or which matches were kept",
)
_OF_ODDEST = (
    "doubles alone; among many matches some look odd by chance, which is what the correction is for (Benjamini and Hochberg: matches are independent)",
)
_OF_INVENTED = (
    "6-6 stands for far more of the dances than dice give: whoever wrote them down filled in a roll; that these rolls are not those of dice is no fault of the dice, and the other tables leave these matches out",
)
_OF_VALUES = (
    "off: rolled less expected, in standard deviations; of the 21 rolls of fair dice about one is off by 2 or more, and one by 3 or more in 20 such tables",
)
_OF_SITES = (
    f"by themselves: sites of {FEWEST_OF_SITE:,} rolls or more; which rolls are recorded depends on the program that wrote them down",
)


def against_closed_board(turns: pd.DataFrame) -> pd.Series:
    """Return which rolls could play nothing, whatever they were: a checker on the bar, no point open."""
    return (turns["on_bar"] > 0) & (turns["closed"] == HOME_POINTS)


def counted_rolls(tables: Tables, both: pd.DataFrame) -> pd.DataFrame:
    """Return the rolls that count, seen by the side that rolled, with the roll before in the game."""
    rows = acting(tables.turns[tables.turns["counts"]], both)
    double = rows["high"] == rows["low"]
    value = (rows["high"].astype(int) * (rows["high"].astype(int) - 1) // 2 + rows["low"]) - 1
    pips = (rows["high"].astype(int) + rows["low"]) * np.where(double, 2, 1)
    closed = against_closed_board(rows)
    usual, opening = ~rows["opening"] & ~closed, rows["opening"] & ~double
    danced = usual & rows["danced"] & (rows["on_bar"] > 0)
    chance_66 = (rows["dance_66_chance"] / rows["dance_chance"]).where(danced)
    before = value.where(usual).groupby([rows["match"], rows["game"]]).shift().fillna(-1)
    numbers = {
        "rolls": usual,
        "doubles": usual & double,
        "double_chance": usual / 6,
        "pips_rolled": pips.where(usual, 0),
        "pips_expected": usual * 49 / 6,
        "dances": danced,
        "dances_66": danced & double & (rows["high"] == 6),
        "expected_66": chance_66.fillna(0),
        "openings": opening,
        "pips_opening": pips.where(opening, 0),
        "opening_expected": opening * 7,
        "counted": rows["counts"],
        "against_closed": closed,
    }
    use = np.select([usual, opening], USES[:2], USES[2])
    dimensions = {"use": use, "roll": value, "before": before.astype(int), "chance_66": chance_66}
    return with_sums(rows.assign(**dimensions), numbers)


class RollCounts(NamedTuple):
    """How often each of `ROLLS` fell."""

    usual: npt.NDArray[np.int64]
    opening: npt.NDArray[np.int64]
    pairs: npt.NDArray[np.int64]
    """How often each fell after each: a row for the one before."""


def roll_counts(rows: pd.DataFrame) -> RollCounts:
    """Return how often each roll fell, of rows with `counted` of each `use`, and `before` if it is there."""
    return _roll_counts(*_columns(rows))


_Columns: TypeAlias = tuple[npt.NDArray[np.int64], ...]


def _columns(rows: pd.DataFrame) -> _Columns:
    """How often a roll fell, as numbers: its use, its place in `ROLLS`, that of the one before, how often."""
    uses = pd.Categorical(rows["use"], categories=USES).codes
    before = rows["before"] if "before" in rows else pd.Series(-1, index=rows.index)
    columns = (uses, rows["roll"], before, rows["counted"])
    return tuple(np.asarray(column).astype(np.int64) for column in columns)


def _roll_counts(
    uses: npt.NDArray[np.int64],
    rolls: npt.NDArray[np.int64],
    before: npt.NDArray[np.int64],
    counted: npt.NDArray[np.int64],
) -> RollCounts:
    kinds = len(ROLLS)

    def counts(which: npt.NDArray[np.bool_], of: npt.NDArray[np.int64], kinds: int) -> Any:
        return np.bincount(of[which], counted[which], kinds).astype(np.int64)

    usual, opening = uses == 0, uses == 1
    pairs = counts(usual & (before >= 0), before * kinds + rolls, kinds * kinds)
    return RollCounts(
        counts(usual, rolls, kinds), counts(opening, rolls, kinds), pairs.reshape(kinds, kinds)
    )


def _of_each(rows: pd.DataFrame, by: list[str]) -> Iterator[tuple[tuple[object, ...], RollCounts]]:
    """Yield what fell in each group that has enough rolls for its tests."""
    keys = by or np.zeros(len(rows), dtype=int)
    groups = rows.groupby(keys, observed=True, dropna=False).ngroup().to_numpy()
    called, columns = rows[by], _columns(rows)
    order = np.argsort(groups, kind="stable")
    ends = np.flatnonzero(np.diff(groups[order], append=-1)) + 1
    for place in np.split(order, ends[:-1]):
        of_group = [column[place] for column in columns]
        if of_group[-1].sum() >= FEWEST:
            yield tuple(called.iloc[place[0]]), _roll_counts(*of_group)


def fairness(sums: pd.DataFrame, lots: Iterable[pd.DataFrame], by: Sequence[str]) -> pd.DataFrame:
    """Return the tests of each group, with p-values corrected for their number.

    `sums` has the doubles, rolls, and all rolls `counted` of each group; `lots` how often
    each roll was `counted` in some of them, by its `use` and the roll `before`.
    """
    by = list(by)
    sums = sums[sums["rolls"] > 0].sort_values(by) if by else sums[sums["rolls"] > 0]
    p = exact_shares(sums["doubles"].to_numpy(), sums["rolls"].to_numpy(), 1 / 6)
    tests = sums.assign(test="doubles", p=p)[[*by, "test", "rolls", "p"]].astype({"rolls": int})
    others = [
        dict(zip(tests.columns, (*key, *test), strict=True))
        for counts in lots
        for key, of_group in _of_each(counts, by)
        for test in _tests(of_group)
    ]
    frame = pd.concat([tests, with_whole(pd.DataFrame(others), tests, by)]) if others else tests
    frame = frame.sort_values(by, kind="stable") if by else frame
    p_values = frame["p"].tolist()
    return frame.assign(corrected=corrected_of_same(p_values)).reset_index(drop=True)


def _tests(counts: RollCounts) -> Iterator[Test]:
    """The tests that ask for more rolls than doubles do."""
    rolls, openings, pairs = (int(part.sum()) for part in counts)
    if rolls * CHANCES.min() >= FEWEST_EXPECTED:
        yield Test("all rolls", rolls, chi_square(counts.usual, CHANCES))
    if openings / 15 >= FEWEST_EXPECTED:
        yield Test("opening rolls", openings, chi_square(counts.opening, OPENING_CHANCES))
    if pairs / 36 >= FEWEST_EXPECTED:
        doubles = _IS_DOUBLE @ counts.pairs @ _IS_DOUBLE.T
        yield Test("doubles after doubles", pairs, contingency(doubles))
    if pairs * CHANCES.min() ** 2 >= FEWEST_EXPECTED:
        yield Test("pairs of rolls", pairs, serial(counts.pairs, CHANCES))


_IS_DOUBLE = np.array([[high != low, high == low] for high, low in ROLLS], dtype=int).T
"""Adds up the rolls that are no doubles, and those that are."""


def rolls_by_value(rows: pd.DataFrame, notes: Sequence[str] = ()) -> Section:
    """Return how often each roll fell at all sites, and at each that has enough of them.

    Where a site's records bend rolls, they are left out of those of all, and a note says so. `rows`
    says how often each roll was `counted` of each `site` and `use`.
    """
    sites = _large_sites(rows)
    bent = _bent(sites)
    parts = {EVERYWHERE: rows[~rows["site"].isin(bent)]}
    if bent or len(sites) > 1:
        parts |= {site: sites[site] for site in [*bent, *sites]}
    values = [by_value(roll_counts(rolls)).assign(site=site) for site, rolls in parts.items()]
    frame = pd.concat(values, ignore_index=True)
    of_bent = (
        f"the rolls of {site} are not those of fair dice (chi-square, p below {CERTAIN}): whoever wrote them down has bent them, or one match is there many times; from {EVERYWHERE} they are left out"
        for site in bent
    )
    notes = (*notes, *of_bent, *_OF_VALUES, *(_OF_SITES if len(parts) > 1 else ()))
    return Section("Rolls by value", frame[["site", *frame.columns.drop("site")]], notes)


def _large_sites(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The rolls of each site that has enough, the largest first."""
    usual = rows[rows["use"] == USES[0]]
    rolls = usual["counted"].groupby(usual["site"], observed=True).sum()
    large = rolls[rolls >= FEWEST_OF_SITE].sort_values(ascending=False, kind="stable").index
    return {str(site): rows[rows["site"] == site] for site in large}


def _bent(sites: Mapping[str, pd.DataFrame]) -> list[str]:
    """The sites whose rolls are for certain not those of fair dice, whatever the reason."""
    p = [chi_square(roll_counts(rows).usual, CHANCES) for rows in sites.values()]
    return [site for site, value in zip(sites, corrected(p), strict=True) if value < CERTAIN]


def by_value(counts: RollCounts) -> pd.DataFrame:
    """Return how often each roll fell, opening rolls apart, and how often was to be expected."""
    usual, opening = counts.usual, counts.opening
    expected = usual.sum() * CHANCES
    spread = np.sqrt(expected * (1 - CHANCES))
    return pd.DataFrame(
        {
            "roll": [f"{high}-{low}" for high, low in ROLLS],
            "rolled": usual,
            "expected": expected,
            "off": (usual - expected) / np.where(spread > 0, spread, 1),
            "opening": opening,
            "expected of openings": opening.sum() * OPENING_CHANCES,
        }
    )


AVERAGES = Base(
    "dice",
    counted_rolls,
    (*summed(FIGURES), "counted", "against_closed"),
    {"phase": PHASES},
    ("checker",),
)

ROLLED = Base(
    "rolls",
    counted_rolls,
    ("counted",),
    {"phase": PHASES, "use": USES, "roll": int, "before": int, "chance_66": float},
    ("checker",),
)
"""The rolls by what fell, after what roll: those of `ROLLS`, by their place; -1 after none. Dances
have the chance that they are with 6-6."""


@reporting({"Rolls": FIGURES}, AVERAGES, ROLLED)
def dice(chosen: ChosenSums, _: Question) -> Iterator[Section]:
    """The dice: what was rolled against what was to be expected, and what that can show.

    A roll counts if it was recorded whatever its value. Opening rolls are apart: they are no doubles,
    and have 30 outcomes instead of 36. Rolls against a closed board are left out, for nothing can be
    played: many are never rolled, and who writes a match down by hand fills in any roll. The order of
    the two dice is not looked at, for most programs write the higher one first. Matches with invented
    dances are left out of all but the dances: without those dances alone, rolls that enter would be too
    many.
    """
    by = chosen.by(AVERAGES)
    invented = _invented(chosen)
    without = count_note(invented["match"] >= 0, "match", "with invented dances left out")
    others = chosen.of(~chosen.seats["match"].isin(invented["match"]))
    of_rolls = count_note(invented["match"] >= 0, "match", _WITH_DANCES_ALONE)
    notes = (*_notes(chosen), *of_rolls)
    yield _averages(chosen, others, by, notes)
    yield Section("Tests", _tested(chosen, others, by), (*without, *_OF_TESTS))
    yield Section("Oddest matches", _oddest(others), (*without, *_OF_ODDEST))
    if not invented.empty:
        yield Section("Invented dances", invented, _OF_INVENTED)
    values = others.counts(ROLLED, ["counted"], ["site", "use", "roll"], among=chosen)
    yield rolls_by_value(values, without)


def _notes(chosen: ChosenSums) -> tuple[str, ...]:
    return (
        *count_note(chosen.total(TURNS, "uncounted"), "row", "without a roll that counts"),
        *count_note(
            chosen.total(AVERAGES, "against_closed"), "roll", "against a closed board left out"
        ),
        *count_note(
            chosen.games["kind"] == "resigned",
            "game",
            "resigned: some programs do not record the roll that was resigned on, so compare by site",
        ),
    )


def _averages(
    chosen: ChosenSums, others: ChosenSums, by: list[str], notes: Sequence[str]
) -> Section:
    """The averages of the rolls, with the dances of all matches; `others` have no invented ones."""
    names = [figure.name for figure in FIGURES]
    fair = [figure for figure in FIGURES if figure.name != _DANCES]
    dances = [figure for figure in FIGURES if figure.name == _DANCES]
    parts = [
        selection.counted("Rolls", AVERAGES, figures, by)
        for selection, figures in ((others, fair), (chosen, dances))
    ]
    frames = [part.frame for part in parts if len(part.frame)] or [parts[0].frame]
    whole = pd.concat(frames, ignore_index=True)
    ranked = whole.assign(rank=whole["figure"].map(names.index))
    ordered = ranked.sort_values([*by, "rank"], kind="stable", ignore_index=True)
    heavy = (note for part in parts for note in part.notes)
    return Section("Rolls", ordered.drop(columns="rank"), (*notes, *heavy))


def _tested(chosen: ChosenSums, others: ChosenSums, by: list[str]) -> pd.DataFrame:
    """The tests of each group that is asked for, without the matches that have invented dances."""
    sums = others.counts(AVERAGES, ["doubles", "rolls", "counted"], by, among=chosen)
    keys = [*by, "use", "roll", "before"]
    large = sums[sums["counted"] >= FEWEST]
    counts = (
        _in_groups(lot, large).counts(ROLLED, ["counted"], keys, among=chosen)
        for lot in others.lots(ROLLED, by, SEATS_AT_ONCE)
    )
    return fairness(sums, counts, by)


def _in_groups(chosen: ChosenSums, groups: pd.DataFrame) -> ChosenSums:
    """The seats that may be of these groups."""
    names = [name for name in groups if name in chosen.dimensions]
    if not names:
        return chosen
    seats, among = (pd.MultiIndex.from_frame(frame[names]) for frame in (chosen.seats, groups))
    return chosen.of(seats.isin(among))


def _oddest(chosen: ChosenSums) -> pd.DataFrame:
    """The matches whose doubles are least like those of fair dice."""
    sums = chosen.counts(AVERAGES, ["doubles", "rolls"], ["match"]).sort_values("match")
    sums = sums.astype({"doubles": int, "rolls": int}).set_index("match")
    sums = sums[sums["rolls"] > 0]
    p = exact_shares(sums["doubles"].to_numpy(), sums["rolls"].to_numpy(), 1 / 6)
    frame = (
        sums.assign(p=p, corrected=corrected(p.tolist()))
        .sort_values("p", kind="stable")
        .head(SMALLEST)
    )
    path = chosen.matches.set_index("match")["path"].loc[frame.index]
    return frame.assign(path=path).reset_index()[
        ["path", "match", "rolls", "doubles", "p", "corrected"]
    ]


def _invented(chosen: ChosenSums) -> pd.DataFrame:
    """The matches in which 6-6 was written for dances."""
    columns = ["dances", "dances_66", "expected_66"]
    sums = chosen.counts(AVERAGES, columns, ["match"]).sort_values("match").set_index("match")
    sums = sums[sums["dances"] > 0].astype({"dances": int, "dances_66": int})
    p = sums["dances_66"].eq(0).astype(float)
    suspects = sums.index[sums["dances_66"] > 0]
    for start in range(0, len(suspects), SUSPECTS_AT_ONCE):
        chances = _chances_of_66(chosen, suspects[start : start + SUSPECTS_AT_ONCE])
        p.loc[chances.index] = more_than(sums["dances_66"].loc[chances.index], chances)
    frame = sums.assign(p=p, corrected=corrected(p.tolist()))
    frame = frame[frame["corrected"] < CERTAIN].sort_values("p", kind="stable")
    matches = chosen.matches.set_index("match")[["path", "site"]].loc[frame.index]
    frame = frame.assign(path=matches["path"], site=matches["site"]).reset_index()
    names = {"dances_66": "6-6", "expected_66": "expected"}
    columns = ["path", "site", "match", "dances", "dances_66", "expected_66", "p", "corrected"]
    return frame[columns].rename(columns=names)


def _chances_of_66(chosen: ChosenSums, matches: pd.Index) -> pd.DataFrame:
    """The chance of each dance of some matches that it is with 6-6: a row for each match."""
    of_matches = chosen.of(chosen.seats["match"].isin(matches))
    rows = of_matches.counts(ROLLED, ["counted"], ["match", "chance_66"], among=chosen)
    danced = rows[rows["chance_66"].notna()].sort_values(["match", "chance_66"])
    dances = danced.loc[danced.index.repeat(danced["counted"].astype(int))]
    place = dances.groupby("match").cumcount()
    chances = dances.assign(place=place).pivot_table("chance_66", "match", "place")
    return chances.astype(float).fillna(0)
