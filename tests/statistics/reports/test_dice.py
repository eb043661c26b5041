"""The tests of the dice: fair dice are rejected as often as they should be, biased ones found."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import comb

import numpy as np
import pandas as pd
import pytest

from bganalyze.statistics.estimates import (
    p_value_of_chi_square,
    p_value_of_independence,
    p_value_of_serial_independence,
    p_value_of_shares,
)
from bganalyze.statistics.reports.dice import (
    count_by_value,
    make_roll_count_section,
    run_fairness_tests,
    tabulate_counted_rolls,
)
from bganalyze.statistics.reports.fairness import NOTHING_UNUSUAL, make_fairness_section
from bganalyze.statistics.reports.rolls_by_value import (
    CHANCES,
    OPENING_CHANCES,
    PIPS,
    ROLLS,
    count_rolls_in,
)
from bganalyze.statistics.reports.seats import games_by_side
from tests.statistics.reports.test_small import sections, tables_of

SAMPLES = 600
LEVEL = 0.05
DOUBLE = np.array([high == low for high, low in ROLLS])


def roll_dice(random: np.random.Generator, chances: np.ndarray, count: int = 8000) -> pd.DataFrame:
    """Return rolls in the columns that the tests use: the first of twenty opens its game."""
    value = random.choice(len(ROLLS), count, p=chances)
    return pd.DataFrame({"use": "usual", "roll": value, "counted": 1.0, "rolls": 1.0}).assign(
        before=before(value), doubles=DOUBLE[value]
    )


def before(value: np.ndarray) -> np.ndarray:
    """Return the roll before each roll."""
    return np.concatenate([[-1], value[:-1]])


def fairness_of(rows: pd.DataFrame, by: tuple[str, ...] = ()) -> pd.DataFrame:
    """Return the fairness tests of the rolls in rows."""
    keys = [rows[name] for name in by] or np.zeros(len(rows), dtype=int)
    sums = rows.groupby(keys)[["doubles", "rolls", "counted"]].sum().reset_index()
    return run_fairness_tests(sums, [rows], by)


AT_ONCE = 60
"""Runs of rolls that are tested together, each as a group of its own."""


def p_values(runs: Iterator[pd.DataFrame]) -> pd.DataFrame:
    """Return the p-values of runs of rolls, a row for each run."""
    frames = []
    while some := list(islice(runs, AT_ONCE)):
        rolls = pd.concat([run.assign(run=number) for number, run in enumerate(some)])
        tests = fairness_of(rolls, ("run",))
        frames.append(tests.pivot_table("p", "run", "test"))
    return pd.concat(frames, ignore_index=True)


@pytest.mark.slow
def test_fair_dice_are_rejected_at_the_nominal_level() -> None:
    random = np.random.default_rng(1)
    values = p_values(roll_dice(random, CHANCES) for _ in range(SAMPLES))
    assert set(values) == {"doubles", "all rolls", "doubles after doubles", "pairs of rolls"}
    assert values.notna().all(axis=None)
    assert len(values) == SAMPLES
    rejected = (values < LEVEL).mean()
    assert (rejected < LEVEL + 0.025).all(), rejected
    assert (rejected > LEVEL - 0.03).all(), rejected


@pytest.mark.slow
def test_corrected_p_values_reject_some_of_many_fair_groups_no_more_often() -> None:
    random = np.random.default_rng(2)
    groups = [
        roll_dice(random, CHANCES, 700).assign(player=f"{n}", run=n // 20) for n in range(1200)
    ]
    all_runs = pd.concat(groups)
    lowest = [
        fairness_of(run, ("player",))["corrected"].min() < LEVEL
        for _, run in all_runs.groupby("run")
    ]
    assert np.mean(lowest) <= LEVEL + 0.03


@pytest.mark.parametrize("roll", [(6, 6), (2, 1)])
def test_a_planted_bias_is_found(roll: tuple[int, int]) -> None:
    """A roll that falls half as often again, in eight thousand rolls."""
    chances = CHANCES * np.where([combination == roll for combination in ROLLS], 1.5, 1)
    frame = fairness_of(roll_dice(np.random.default_rng(3), chances / chances.sum()))
    assert frame.set_index("test")["corrected"]["all rolls"] < LEVEL


def test_a_planted_dependence_is_found() -> None:
    """Dice that repeat the roll before one time in ten."""
    random = np.random.default_rng(4)
    rolls = roll_dice(random, CHANCES, 20_000)
    value = rolls["roll"].to_numpy().copy()
    for index in np.flatnonzero(random.random(len(value)) < 0.1):
        value[index] = value[index - 1]
    rolls = rolls.assign(roll=value, before=before(value), doubles=DOUBLE[value])
    corrected = fairness_of(rolls).set_index("test")["corrected"]
    assert corrected["pairs of rolls"] < LEVEL
    assert corrected["doubles after doubles"] < LEVEL


@pytest.mark.slow
def test_opening_rolls_have_outcomes_of_their_own() -> None:
    random = np.random.default_rng(5)
    values = p_values(
        roll_dice(random, OPENING_CHANCES, 300).assign(rolls=0.0, use="opening")
        for _ in range(SAMPLES)
    )
    assert len(values) == SAMPLES
    assert abs((values["opening rolls"] < LEVEL).mean() - LEVEL) < 0.025


def test_few_rolls_are_tested_for_doubles_only() -> None:
    tests = fairness_of(roll_dice(np.random.default_rng(6), CHANCES, 30))
    assert tests["test"].tolist() == ["doubles"]


def test_tests_by_hand() -> None:
    tail = sum(comb(12, k) * 5 ** (12 - k) for k in range(5, 13)) / 6**12
    shares = p_value_of_shares(np.array([0, 5, 2]), np.array([12, 12, 12]), 1 / 6)
    assert shares.tolist() == pytest.approx([2 * (5 / 6) ** 12, 2 * tail, 1])
    assert p_value_of_chi_square(np.array([30, 10]), np.array([0.5, 0.5])) == pytest.approx(
        0.001565, abs=1e-6
    )
    assert p_value_of_independence(np.array([[5, 0], [0, 5]])) == pytest.approx(2 / 252)


CLOSED = """\
bganalyze match
left: Ann
right: Bob
length: 5

game 1
score 0-0
board L 6(2) 5(2) 4(2) 3(2) 2(2) 1(2) 13(3) R bar 6(5) 8(3) 13(6) cube 1 turn L
L 21 13/10
R 66 dance
L 31 10/6
R 66 dance
"""


@pytest.mark.slow
def test_rolls_against_a_closed_board_are_left_out_and_told() -> None:
    (_, rolls, *_) = sections("dice", tables_of(CLOSED), by=())
    figures = rolls.frame.set_index("figure")
    assert figures.loc["rolls", "count"] == 2
    assert figures.loc["doubles", "count"] == 0
    assert "2 rolls against a closed board left out" in rolls.notes


OPEN = CLOSED.replace("1(2) 13(3)", "1 13(4)").replace("R 66 dance", "R 65 dance", 1)


@pytest.mark.slow
def test_dances_tell_how_many_are_double_sixes() -> None:
    (_, rolls, *_) = sections("dice", tables_of(OPEN), by=())
    dances = rolls.frame.set_index("figure").loc["6-6 of dances"]
    assert (dances["count"], dances["of"]) == (1, 2)
    assert dances["expected"] == pytest.approx(1 / 25)


@pytest.mark.slow
def test_double_sixes_for_any_dance_are_told() -> None:
    """With fair dice, one dance in 25 against five points is with 6-6; here all ten are."""
    rows = CLOSED.replace("1(2) 13(3)", "1 13(4)").partition("L 21")[0]
    later_rows = "L 21 13/10\nR 66 dance\nL 12 10/7\nR 66 dance\nL 11 7/5 7/6\nR 66 dance\n"
    dice_sections = sections("dice", tables_of(rows + later_rows), by=())
    frame = next(section.frame for section in dice_sections if section.title == "Invented dances")
    assert frame[["dances", "6-6"]].to_numpy().tolist() == [[3, 3]]
    assert frame["p"][0] == pytest.approx(1 / 25**3)
    values = dice_sections[-1]
    assert values.frame["rolled"].sum() == 0
    assert values.notes[0] == "1 match with invented dances left out"
    _, rolls, tests, oddest, *_ = dice_sections
    assert "1 match with invented dances, left out of everything except the dances" in rolls.notes
    assert rolls.frame[["figure", "count", "of"]].to_numpy().tolist() == [["6-6 of dances", 3, 3]]
    assert tests.frame.empty
    assert oddest.frame.empty
    assert tests.notes[0] == oddest.notes[0] == "1 match with invented dances left out"
    of_one = sections("dice", tables_of(OPEN), by=())
    assert "Invented dances" not in [section.title for section in of_one]


def test_a_play_that_is_not_from_the_bar_is_no_dance_whose_roll_is_invented() -> None:
    """All of Bob's checkers are behind a prime of six points, and none is on the bar."""
    blocked = CLOSED.replace(
        "6(2) 5(2) 4(2) 3(2) 2(2) 1(2) 13(3)", "7(2) 6(3) 5(2) 4(2) 3(2) 2(2) 13(2)"
    )
    blocked = blocked.replace("R bar 6(5) 8(3) 13(6)", "R 24(15)").replace("10/6", "10/7 13/12")
    tables = tables_of(blocked)
    assert tables.turns["danced"].sum() == 2
    (_, rolls, *_) = sections("dice", tables, by=())
    assert "6-6 of dances" not in set(rolls.frame["figure"])


@pytest.mark.slow
def test_overlapping_pairs_of_fair_rolls_are_rejected_as_often_as_stated() -> None:
    """One in a hundred; Pearson's test of all pairs rejects one and a half."""
    random, p = np.random.default_rng(8), []
    for _ in range(2000):
        value = random.choice(len(ROLLS), 4000, p=CHANCES)
        pairs = np.bincount(value[:-1] * 21 + value[1:], minlength=441).reshape(21, 21)
        p.append(p_value_of_serial_independence(pairs, CHANCES))
    assert np.mean(np.array(p) < 0.01) < 0.0145
    assert np.mean(np.array(p) < 0.05) == pytest.approx(0.05, abs=0.015)


def test_how_far_a_roll_is_off() -> None:
    """One of 36 rolls is expected to be 1-1, with a variance of 35/36."""
    rows = pd.DataFrame({"use": "usual", "roll": [0, 1], "counted": [3.0, 33.0]})
    assert count_by_value(count_rolls_in(rows))["off"][0] == pytest.approx(2 / (35 / 36) ** 0.5)
    assert count_by_value(count_rolls_in(rows.head(0)))["off"].eq(0).all()


BENT = np.where(DOUBLE, CHANCES, CHANCES * 0.7) / np.where(DOUBLE, CHANCES, CHANCES * 0.7).sum()
"""The chances of rolls at a site that leaves many of them out."""


def sites(**chances: np.ndarray) -> pd.DataFrame:
    random = np.random.default_rng(9)
    rolls = [roll_dice(random, of).assign(site=site) for site, of in chances.items()]
    return pd.concat(rolls, ignore_index=True)


def test_rolls_by_value_are_told_apart_by_site() -> None:
    section = make_roll_count_section(sites(Fair=CHANCES, Other=CHANCES))
    rolled_at = section.frame.groupby("site", sort=False)["rolled"].sum()
    assert rolled_at.to_dict() == {"all": 16000, "Fair": 8000, "Other": 8000}
    assert not any("left out" in note for note in section.notes)


def test_rolls_of_a_site_whose_records_bend_them_are_not_among_those_of_all() -> None:
    section = make_roll_count_section(sites(Fair=CHANCES, Bent=BENT, Other=CHANCES))
    rolled_at = section.frame.groupby("site", sort=False)["rolled"].sum()
    assert list(rolled_at.index) == ["all", "Bent", "Fair", "Other"]
    assert rolled_at["all"] == 16000
    assert "the rolls of Bent are not those of fair dice" in section.notes[0]


def test_a_site_with_few_rolls_and_one_alone_are_in_all() -> None:
    few_rolls = sites(Few=CHANCES).head(1000)
    for rows in (few_rolls, sites(Alone=CHANCES), few_rolls.head(0)):
        assert make_roll_count_section(rows).frame["site"].unique().tolist() == ["all"]
        assert make_roll_count_section(rows).frame["rolled"].sum() == len(rows)


def fairness(rolled: np.ndarray, dances: tuple[int, float, float] = (0, 0.0, 0.0)) -> pd.DataFrame:
    """Return the tests of rolls counted by value, and of dances: number, expected, variance."""
    sums = {
        "rolls": rolled.sum(),
        "doubles": rolled[DOUBLE].sum(),
        "pips_rolled": rolled @ PIPS,
        "entering": 100,
        **dict(zip(("dances", "dances_expected", "dances_variance"), dances, strict=True)),
    }
    return make_fairness_section(pd.Series(sums, dtype=float), rolled).frame.set_index("measure")


def test_deviations_that_rolls_would_show_by_hand() -> None:
    """600 of 3,600 rolls are doubles; with three tests the quantiles are 2.394 and 0.842."""
    frame = fairness((CHANCES * 3600).round().astype(int))
    doubles, pips = frame.loc["doubles (%)"], frame.loc["pips a roll"]
    assert (doubles["actual"], doubles["p"]) == pytest.approx((100 / 6, 1))
    assert doubles["bias noticed above"] == pytest.approx(
        100 / 6 + 3.2356 * 100 * (5 / 36 / 3600) ** 0.5, abs=1e-3
    )
    assert (pips["actual"], pips["fair"]) == pytest.approx((49 / 6, 49 / 6))
    variance = sum(pips**2 * chance for pips, chance in zip(PIPS, CHANCES, strict=True))
    error = ((variance - (49 / 6) ** 2) / 3600) ** 0.5
    assert pips["bias noticed below"] == pytest.approx(49 / 6 - 3.2356 * error, abs=1e-3)
    assert len(frame) == 3


def test_dances_are_tested_against_the_chances_of_their_boards() -> None:
    rolled = (CHANCES * 3600).round().astype(int)
    dances = fairness(rolled, (40, 25.0, 16.0)).loc["dances from the bar (%)"]
    assert (dances["actual"], dances["fair"]) == (40, 25)
    assert dances["p"] == pytest.approx(0.000177, abs=1e-6)
    assert dances["corrected"] == pytest.approx(4 * dances["p"])


def test_the_roll_furthest_off_is_named_and_told() -> None:
    rolled = (CHANCES * 3600).round().astype(int)
    rolled[ROLLS.index((6, 6))] += 60
    section = make_fairness_section(
        pd.Series({"rolls": rolled.sum(), "doubles": 660, "pips_rolled": rolled @ PIPS}).reindex(
            ["rolls", "doubles", "pips_rolled", "entering", "dances_variance"], fill_value=0
        ),
        rolled,
    )
    assert "furthest off: 6-6 (%)" in section.frame["measure"].tolist()
    assert section.notes[0] == "unusual: pips a roll, furthest off: 6-6 (%)"


def test_few_rolls_say_nothing() -> None:
    section = make_fairness_section(pd.Series({"rolls": 100}), np.zeros(21, dtype=int))
    assert section.frame.empty
    assert section.notes == ("fewer than 180 rolls: too few to say anything about the dice",)


@pytest.mark.slow
def test_fair_dice_are_seldom_unusual_and_the_named_deviations_are_shown() -> None:
    """Fair dice in at most 5 of 100 tables; doubles at the limit of the table in 80."""
    random = np.random.default_rng(11)
    fair = [fairness(random.multinomial(2000, CHANCES)) for _ in range(200)]
    assert np.mean([frame["corrected"].min() < LEVEL for frame in fair]) <= LEVEL + 0.03
    limit = fair[0].loc["doubles (%)", "bias noticed above"] / 100
    bent = np.where(DOUBLE, limit / 6, (1 - limit) / 15)
    shown = [
        fairness(random.multinomial(2000, bent)).loc["doubles (%)", "corrected"] < LEVEL
        for _ in range(200)
    ]
    assert np.mean(shown) == pytest.approx(0.8, abs=0.08)


def test_expected_dances_are_the_sums_of_exact_chances() -> None:
    """Bob is twice on the bar against five points; a checker enters with 11 of 36 rolls."""
    tables = tables_of(OPEN)
    rows = tabulate_counted_rolls(tables, games_by_side(tables))
    assert rows["entering"].sum() == rows["dances"].sum() == 2
    assert rows["dances_expected"].sum() == pytest.approx(2 * 25 / 36)
    assert rows["dances_variance"].sum() == pytest.approx(2 * 25 / 36 * 11 / 36)


@pytest.mark.slow
def test_the_verdict_comes_first_and_names_the_player() -> None:
    section, *_ = sections("dice", tables_of(OPEN), player="Ann", by=("player",))
    assert section.title == "Are the dice fair?"
    assert any(note.startswith("the rolls of Ann alone; ") for note in section.notes)
    frame = make_fairness_section(
        pd.Series({"rolls": 3600, "doubles": 600, "pips_rolled": 29400}).reindex(
            ["rolls", "doubles", "pips_rolled", "entering", "dances_variance"], fill_value=0
        ),
        (CHANCES * 3600).round().astype(int),
    )
    assert frame.notes[0] == NOTHING_UNUSUAL
