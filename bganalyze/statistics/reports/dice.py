"""The report of the dice, with the rolls that it counts and tests of fairness."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from bganalyze.board.position import PHASES
from bganalyze.statistics.estimates import (
    POWER,
    correct_dependent_p_values,
    correct_independent_p_values,
    count_trials_needed,
    p_value_of_chi_square,
    p_value_of_independence,
    p_value_of_serial_independence,
    p_value_of_shares,
    p_value_of_too_many,
)
from bganalyze.statistics.reports.fairness import (
    FAIRNESS_SUMS,
    make_fairness_section,
)
from bganalyze.statistics.reports.figures import (
    Section,
    add_number_columns,
    count,
    declare_report,
    list_summed_columns,
    make_count_note,
    mean,
    rate,
    restore_whole_types,
    share,
    trials,
)
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.recorded_rolls import TURNS
from bganalyze.statistics.reports.rolls_by_value import (
    CHANCES,
    MEAN_PIPS,
    OPENING_CHANCES,
    PIPS,
    ROLLS,
    USES,
    RollCounts,
    count_rolls,
    count_rolls_in,
    extract_roll_columns,
)
from bganalyze.statistics.reports.seats import add_acting_side
from bganalyze.statistics.reports.selection import ChosenSums
from bganalyze.statistics.reports.sums import SummedTable
from bganalyze.statistics.tables.frames import Tables

FEWEST_EXPECTED = 5
"""Fewest expected occurrences of the rarest roll for a chi-square test."""

FEWEST = 180
"""Fewest rolls of a group for any test except that of doubles: five of the rarest."""

CERTAIN = 0.001
"""Corrected p-value below which a match counts as having invented dances, and a site as having
altered rolls."""

FEWEST_OF_SITE = 1800
"""Fewest rolls of a site that is shown separately: fifty of the rarest."""

EVERYWHERE = "all"
"""Name shown as the site for the rolls of all sites."""

SEATS_AT_ONCE = 1 << 17
"""Number of seats whose groups are tested together: a group may have a row for each pair of
rolls."""

SUSPECTS_AT_ONCE = 1 << 13
"""Number of matches whose dances are examined at once; each takes a few kilobytes."""

HOME_POINTS = 6
BIAS = 0.01
SMALLEST = 10
"""Number of matches listed, those with the smallest p-values."""

_DANCES = "6-6 of dances"
_WITH_DANCES_ALONE = "with invented dances, left out of everything except the dances"

FIGURES = (
    count(
        "rolls",
        "rolls",
        "",
        "Rolls that count; opening rolls and rolls against a closed board do not.",
    ),
    trials(
        "doubles", "doubles", "rolls", "Doubles, of the rolls; expected: a sixth.", "double_chance"
    ),
    rate(
        "pips a roll",
        "pips_rolled",
        "rolls",
        "Pips per roll, with doubles played four times; expected: 8 1/6.",
        "pips_expected",
    ),
    share(
        _DANCES,
        "dances_66",
        "dances",
        "6-6, of all dances from the bar; expected: the exact chances on each board. If it is far more, 6-6 was written for any dance. A few matches have most of these, so the interval covers less than 95 %: 81 of 100 collections of 100 matches.",
        "expected_66",
    ),
    count("opening rolls", "openings", "", "First rolls of a game from the starting position."),
    mean(
        "pips an opening roll",
        "pips_opening",
        "openings",
        "Pips per opening roll; expected: 7.",
        "opening_expected",
    ),
)


class Test(NamedTuple):
    """The result of one test of whether dice are fair."""

    name: str
    counted_rolls: int
    p: float
    """The p-value, not corrected for the number of tests."""


_OF_TESTS = (
    "p: the chance of a result at least as odd with fair dice; corrected: p adjusted for the number of tests in this table, which depend on each other (Benjamini and Yekutieli)",
    f"about {count_trials_needed(1 / 6, BIAS):,} rolls are needed to detect a relative bias of {100 * BIAS:.0f} % in doubles ({100 * (1 + BIAS) / 6:.2f} % instead of {100 / 6:.2f} % of the rolls) with a chance of {100 * POWER:.0f} %; with fewer rolls, a test without a finding shows little",
    "a test can show that recorded rolls differ from fair dice, but not why: the dice, the transcriber, or the choice of matches",
)
_OF_ODDEST = (
    "doubles only; among many matches some look odd by chance, so p is corrected for their number (Benjamini and Hochberg: matches are independent)",
)
_OF_INVENTED = (
    "far more dances are 6-6 than dice give, so the transcriber filled in a roll; this says nothing about the dice, and the other tables leave these matches out",
)
_OF_VALUES = (
    "off: rolled minus expected, in standard deviations; with fair dice about one of the 21 rolls is off by 2 or more, and by 3 or more one roll in 20 such tables",
)
_OF_SITES = (
    f"shown separately: sites with {FEWEST_OF_SITE:,} rolls or more; which rolls are recorded depends on the program that wrote them",
)


def is_against_closed_board(turns: pd.DataFrame) -> pd.Series:
    """Return for each roll whether the side was on the bar against six blocked points."""
    return (turns["on_bar"] > 0) & (turns["closed"] == HOME_POINTS)


def tabulate_counted_rolls(tables: Tables, sides_of_games: pd.DataFrame) -> pd.DataFrame:
    """Return the rolls that count in statistics, with columns of observed and expected numbers.

    For example, `doubles` is 1 or 0, and `double_chance` is the chance with fair dice.
    """
    rows = add_acting_side(tables.turns[tables.turns["counts"]], sides_of_games)
    double = rows["high"] == rows["low"]
    value = (rows["high"].astype(int) * (rows["high"].astype(int) - 1) // 2 + rows["low"]) - 1
    pips = pd.Series(PIPS[value], rows.index)
    closed = is_against_closed_board(rows)
    usual, opening = ~rows["opening"] & ~closed, rows["opening"] & ~double
    entering = usual & (rows["on_bar"] > 0)
    danced = entering & rows["danced"]
    dance_chance = rows["dance_chance"].astype(float).where(entering, 0.0)
    chance_66 = (rows["dance_66_chance"] / rows["dance_chance"]).where(danced)
    before = value.where(usual).groupby([rows["match"], rows["game"]]).shift().fillna(-1)
    numbers = {
        "rolls": usual,
        "doubles": usual & double,
        "double_chance": usual / 6,
        "pips_rolled": pips.where(usual, 0),
        "pips_expected": usual * MEAN_PIPS,
        "entering": entering,
        "dances": danced,
        "dances_expected": dance_chance,
        "dances_variance": dance_chance * (1 - dance_chance),
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
    return add_number_columns(rows.assign(**dimensions), numbers)


def _count_rolls_of_groups(
    rows: pd.DataFrame, group_columns: list[str]
) -> Iterator[tuple[tuple[object, ...], RollCounts]]:
    """Yield the name and the roll counts of each group that has at least `FEWEST` rolls.

    The name of a group is the tuple of its values in the `group_columns`.
    """
    keys = group_columns or np.zeros(len(rows), dtype=int)
    groups = rows.groupby(keys, observed=True, dropna=False).ngroup().to_numpy()
    called, columns = rows[group_columns], extract_roll_columns(rows)
    order = np.argsort(groups, kind="stable")
    ends = np.flatnonzero(np.diff(groups[order], append=-1)) + 1
    for place in np.split(order, ends[:-1]):
        of_group = [column[place] for column in columns]
        if of_group[-1].sum() >= FEWEST:
            yield tuple(called.iloc[place[0]]), count_rolls(*of_group)


def run_fairness_tests(
    sums: pd.DataFrame, parts: Iterable[pd.DataFrame], group_columns: Sequence[str]
) -> pd.DataFrame:
    """Test the dice of each group, and return raw and corrected p-values.

    `sums` has the numbers of rolls and doubles of each group. `parts` say how often (`counted`)
    each roll came after each previous roll (`before`).
    """
    group_columns = list(group_columns)
    sums = (
        sums[sums["rolls"] > 0].sort_values(group_columns)
        if group_columns
        else sums[sums["rolls"] > 0]
    )
    p = p_value_of_shares(sums["doubles"].to_numpy(), sums["rolls"].to_numpy(), 1 / 6)
    tests = sums.assign(test="doubles", p=p)[[*group_columns, "test", "rolls", "p"]].astype(
        {"rolls": int}
    )
    others = [
        dict(zip(tests.columns, (*key, *test), strict=True))
        for counts in parts
        for key, of_group in _count_rolls_of_groups(counts, group_columns)
        for test in _make_tests(of_group)
    ]
    frame = (
        pd.concat([tests, restore_whole_types(pd.DataFrame(others), tests, group_columns)])
        if others
        else tests
    )
    frame = frame.sort_values(group_columns, kind="stable") if group_columns else frame
    p_values = frame["p"].tolist()
    return frame.assign(corrected=correct_dependent_p_values(p_values)).reset_index(drop=True)


def _make_tests(counts: RollCounts) -> Iterator[Test]:
    """Yield the results of those tests of a group's dice for which it has enough rolls."""
    rolls, openings, pairs = (int(part.sum()) for part in counts)
    if rolls * CHANCES.min() >= FEWEST_EXPECTED:
        yield Test("all rolls", rolls, p_value_of_chi_square(counts.usual, CHANCES))
    if openings / 15 >= FEWEST_EXPECTED:
        yield Test(
            "opening rolls", openings, p_value_of_chi_square(counts.opening, OPENING_CHANCES)
        )
    if pairs / 36 >= FEWEST_EXPECTED:
        doubles = _IS_DOUBLE @ counts.pairs @ _IS_DOUBLE.T
        yield Test("doubles after doubles", pairs, p_value_of_independence(doubles))
    if pairs * CHANCES.min() ** 2 >= FEWEST_EXPECTED:
        yield Test("pairs of rolls", pairs, p_value_of_serial_independence(counts.pairs, CHANCES))


_IS_DOUBLE = np.array([[high != low, high == low] for high, low in ROLLS], dtype=int).T
"""Sums the rolls that are not doubles, and those that are."""


def make_roll_count_section(rows: pd.DataFrame, notes: Sequence[str] = ()) -> Section:
    """Return a table of how often each roll came and was expected, in all and at large sites.

    `rows` has the number (`counted`) of each roll by `site` and `use`, one of `USES`.
    """
    sites = _select_large_sites(rows)
    bent = _find_altered_sites(sites)
    parts = {EVERYWHERE: rows[~rows["site"].isin(bent)]}
    if bent or len(sites) > 1:
        parts |= {site: sites[site] for site in [*bent, *sites]}
    values = [
        count_by_value(count_rolls_in(rolls)).assign(site=site) for site, rolls in parts.items()
    ]
    frame = pd.concat(values, ignore_index=True)
    of_bent = (
        f"the rolls of {site} are not those of fair dice (chi-square, p below {CERTAIN}): they were altered when written down, or one match appears many times; {EVERYWHERE} leaves them out"
        for site in bent
    )
    notes = (*notes, *of_bent, *_OF_VALUES, *(_OF_SITES if len(parts) > 1 else ()))
    return Section("Rolls by value", frame[["site", *frame.columns.drop("site")]], notes)


def _select_large_sites(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the rolls of each site that has enough rolls, the largest site first."""
    usual = rows[rows["use"] == USES[0]]
    rolls = usual["counted"].groupby(usual["site"], observed=True).sum()
    large = rolls[rolls >= FEWEST_OF_SITE].sort_values(ascending=False, kind="stable").index
    return {str(site): rows[rows["site"] == site] for site in large}


def _find_altered_sites(sites: Mapping[str, pd.DataFrame]) -> list[str]:
    """Return the sites whose recorded rolls cannot come from fair dice."""
    p = [p_value_of_chi_square(count_rolls_in(rows).usual, CHANCES) for rows in sites.values()]
    # The cause need not be the dice: rolls may be left out or filled in.
    return [
        site
        for site, value in zip(sites, correct_independent_p_values(p), strict=True)
        if value < CERTAIN
    ]


def count_by_value(counts: RollCounts) -> pd.DataFrame:
    """Return how often each of the 21 rolls came and was expected, with opening rolls apart.

    The column `off` has the difference in standard errors.
    """
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


AVERAGES = SummedTable(
    "dice",
    tabulate_counted_rolls,
    tuple(
        dict.fromkeys((*list_summed_columns(FIGURES), *FAIRNESS_SUMS, "counted", "against_closed"))
    ),
    {"phase": PHASES},
    ("checker",),
)

ROLLED = SummedTable(
    "rolls",
    tabulate_counted_rolls,
    ("counted",),
    {"phase": PHASES, "use": USES, "roll": int, "before": int, "chance_66": float},
    ("checker",),
)
"""The rolls by value and previous roll, as indexes of `ROLLS`; -1 without a previous roll. Dances
have their chance of being 6-6."""


@declare_report({"Rolls": FIGURES}, AVERAGES, ROLLED)
def yield_dice_sections(chosen: ChosenSums, question: Question) -> Iterator[Section]:
    """Yield the tables of the report `dice`.

    The dice: actual rolls compared with the expected ones.

    A roll counts if it was recorded independently of its value. Opening rolls are apart, because
    they are never doubles and have 30 outcomes instead of 36. Rolls against a closed board are left
    out: they cannot be played, so many are not rolled at all, and transcribers write any roll. The
    order of the two dice is ignored, because most programs write the higher one first. Matches with
    invented dances count only for the dances: if only these dances were left out, too many of the
    other rolls would enter. The table `Are the dice fair?` has a few tests of all rolls together,
    each with the deviations that this number of rolls would show.
    """
    by = chosen.list_grouping_columns(AVERAGES)
    invented = _find_invented_dances(chosen)
    without = make_count_note(invented["match"] >= 0, "match", "with invented dances left out")
    with_true_dances = chosen.select_sides(~chosen.seats["match"].isin(invented["match"]))
    of_rolls = make_count_note(invented["match"] >= 0, "match", _WITH_DANCES_ALONE)
    notes = (*_make_notes(chosen), *of_rolls)
    values = with_true_dances.sum_by(
        ROLLED, ["counted"], ["site", "use", "roll"], counted_in=chosen
    )
    sums = with_true_dances.sum_by(AVERAGES, FAIRNESS_SUMS, [], counted_in=chosen)[
        list(FAIRNESS_SUMS)
    ].sum()
    fairness = make_fairness_section(sums, count_rolls_in(values).usual)
    yield fairness._replace(notes=(*fairness.notes, *_note_on_side(question), *without))
    yield _make_averages(chosen, with_true_dances, by, notes)
    yield Section("Tests", _test_groups(chosen, with_true_dances, by), (*without, *_OF_TESTS))
    yield Section("Oddest matches", _find_oddest(with_true_dances), (*without, *_OF_ODDEST))
    if not invented.empty:
        yield Section("Invented dances", invented, _OF_INVENTED)
    yield make_roll_count_section(values, without)


def _note_on_side(question: Question) -> Iterator[str]:
    """Yield a note such as `the rolls of Ann alone; …` if a question names only a player."""
    if question.player is not None and question.opponent is None:
        yield f"the rolls of {question.player} alone; bganalyze stats --report dice --opponent NAME tests those of the opponents"


def _make_notes(chosen: ChosenSums) -> tuple[str, ...]:
    """Return notes on left out rolls, such as `3 rolls against a closed board left out`."""
    return (
        *make_count_note(chosen.total(TURNS, "uncounted"), "row", "without a roll that counts"),
        *make_count_note(
            chosen.total(AVERAGES, "against_closed"), "roll", "against a closed board left out"
        ),
        *make_count_note(
            chosen.games["kind"] == "resigned",
            "game",
            "resigned: some programs do not record the roll before a resignation, so compare by site",
        ),
    )


def _make_averages(
    chosen: ChosenSums, with_true_dances: ChosenSums, group_columns: list[str], notes: Sequence[str]
) -> Section:
    """Return a table of each group's averages: doubles (such as 3-3), pips and dances.

    Doubles and pips come from `with_true_dances`: the matches in which no 6-6 was invented for a
    dance.
    """
    names = [figure.name for figure in FIGURES]
    fair = [figure for figure in FIGURES if figure.name != _DANCES]
    dances = [figure for figure in FIGURES if figure.name == _DANCES]
    parts = [
        selection.make_group_section("Rolls", AVERAGES, figures, group_columns)
        for selection, figures in ((with_true_dances, fair), (chosen, dances))
    ]
    frames = [part.frame for part in parts if len(part.frame)] or [parts[0].frame]
    whole = pd.concat(frames, ignore_index=True)
    ranked = whole.assign(rank=whole["figure"].map(names.index))
    ordered = ranked.sort_values([*group_columns, "rank"], kind="stable", ignore_index=True)
    heavy = (note for part in parts for note in part.notes)
    return Section("Rolls", ordered.drop(columns="rank"), (*notes, *heavy))


def _test_groups(chosen: ChosenSums, tested: ChosenSums, group_columns: list[str]) -> pd.DataFrame:
    """Test the dice of each group with enough games, and return the p-values.

    `tested` are the matches to test. `chosen` are all matches, in which a group's games are
    counted.
    """
    sums = tested.sum_by(
        AVERAGES, ["doubles", "rolls", "counted"], group_columns, counted_in=chosen
    )
    keys = [*group_columns, "use", "roll", "before"]
    large = sums[sums["counted"] >= FEWEST]
    counts = (
        _select_groups(lot, large).sum_by(ROLLED, ["counted"], keys, counted_in=chosen)
        for lot in tested.split_groups(ROLLED, group_columns, SEATS_AT_ONCE)
    )
    return run_fairness_tests(sums, counts, group_columns)


def _select_groups(chosen: ChosenSums, groups: pd.DataFrame) -> ChosenSums:
    """Return the part of the sums that belongs to the given groups.

    `groups` has a row for each group, with columns such as `player`.
    """
    names = [name for name in groups if name in chosen.dimensions]
    if not names:
        return chosen
    seats, among = (pd.MultiIndex.from_frame(frame[names]) for frame in (chosen.seats, groups))
    return chosen.select_sides(seats.isin(among))


def _find_oddest(chosen: ChosenSums) -> pd.DataFrame:
    """Return the matches with the least likely numbers of doubles (such as 3-3), with p-values."""
    sums = chosen.sum_by(AVERAGES, ["doubles", "rolls"], ["match"]).sort_values("match")
    sums = sums.astype({"doubles": int, "rolls": int}).set_index("match")
    sums = sums[sums["rolls"] > 0]
    p = p_value_of_shares(sums["doubles"].to_numpy(), sums["rolls"].to_numpy(), 1 / 6)
    frame = (
        sums.assign(p=p, corrected=correct_independent_p_values(p.tolist()))
        .sort_values("p", kind="stable")
        .head(SMALLEST)
    )
    path = chosen.matches.set_index("match")["path"].loc[frame.index]
    return frame.assign(path=path).reset_index()[
        ["path", "match", "rolls", "doubles", "p", "corrected"]
    ]


def _find_invented_dances(chosen: ChosenSums) -> pd.DataFrame:
    """Return the matches with far too many 6-6 among their dances, which were surely invented."""
    columns = ["dances", "dances_66", "expected_66"]
    sums = chosen.sum_by(AVERAGES, columns, ["match"]).sort_values("match").set_index("match")
    sums = sums[sums["dances"] > 0].astype({"dances": int, "dances_66": int})
    p = sums["dances_66"].eq(0).astype(float)  # 1 for a match without any 6-6
    suspects = sums.index[sums["dances_66"] > 0]
    for start in range(0, len(suspects), SUSPECTS_AT_ONCE):
        chances = _tabulate_chances_of_66(chosen, suspects[start : start + SUSPECTS_AT_ONCE])
        p.loc[chances.index] = p_value_of_too_many(sums["dances_66"].loc[chances.index], chances)
    frame = sums.assign(p=p, corrected=correct_independent_p_values(p.tolist()))
    frame = frame[frame["corrected"] < CERTAIN].sort_values("p", kind="stable")
    matches = chosen.matches.set_index("match")[["path", "site"]].loc[frame.index]
    frame = frame.assign(path=matches["path"], site=matches["site"]).reset_index()
    names = {"dances_66": "6-6", "expected_66": "expected"}
    columns = ["path", "site", "match", "dances", "dances_66", "expected_66", "p", "corrected"]
    return frame[columns].rename(columns=names)


def _tabulate_chances_of_66(chosen: ChosenSums, matches: pd.Index) -> pd.DataFrame:
    """Return a row for each match, with the chances that its dances were 6-6.

    `matches` are match numbers. Rows with fewer dances end in zeros.
    """
    of_matches = chosen.select_sides(chosen.seats["match"].isin(matches))
    rows = of_matches.sum_by(ROLLED, ["counted"], ["match", "chance_66"], counted_in=chosen)
    danced = rows[rows["chance_66"].notna()].sort_values(["match", "chance_66"])
    dances = danced.loc[danced.index.repeat(danced["counted"].astype(int))]
    place = dances.groupby("match").cumcount()
    chances = dances.assign(place=place).pivot_table("chance_66", "match", "place")
    return chances.astype(float).fillna(0)
