"""Cube habits counted on paper, and the words on those of opponents beside the player's."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pandas as pd
import pytest

from bganalyze.analysis.decisions import Kind
from bganalyze.record.players import Players
from bganalyze.statistics.estimates import student_to_normal
from bganalyze.statistics.reports.cube_habits import (
    DOUBLES,
    DOUBLING,
    TAKING,
    _add_balance_terms,
    _mark_cube_errors,
    _test_balances,
    compare_with_opponents,
    yield_cube_habits_sections,
)
from bganalyze.statistics.reports.figures import estimate_figures
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.sureness import MAY_BE_CHANCE, NOT_TESTED
from bganalyze.statistics.tables.frames import tabulate_analyzed
from tests.analysis.rows import cube
from tests.statistics.match_report.analyzed import MATCH, analyze_text


@pytest.mark.parametrize(
    ("called", "theirs", "words"),
    [
        (
            "more often too late, sure",
            "more often too late, fairly sure",
            "more often double too late as well, fairly sure: 64.8 percentage points (48.8 to 80.8) against the player's 55.3",
        ),
        (
            "more often too early, sure",
            "more often too late, sure",
            "more often double too late, sure: 64.8 percentage points (48.8 to 80.8) against the player's 55.3",
        ),
        (
            "more often too late, sure",
            MAY_BE_CHANCE,
            "show no habit: 64.8 percentage points (48.8 to 80.8) against the player's 55.3",
        ),
    ],
)
def test_opponents_double_too_late(called: str, theirs: str, words: str) -> None:
    row = {"called": theirs, "value": 64.8, "low": 48.8, "high": 80.8}
    said = compare_with_opponents(DOUBLING, called, 55.3, row)
    assert said == (
        f"the opponents in the same matches {words} (the difference between them: not tested)"
    )


def test_opponents_take_too_much() -> None:
    taking, (takes, _) = "more often take wrongly as well", TAKING.called
    row = {"called": f"{takes}, sure", "value": 21.1, "low": 16.4, "high": 25.7}
    said = compare_with_opponents(TAKING, f"{takes}, fairly sure", 11.0, row)
    assert said.startswith(f"the opponents in the same matches {taking}, sure: 21.1 ")


@pytest.mark.parametrize(
    ("called", "low", "said"),
    [
        (MAY_BE_CHANCE, -10.0, "show no habit: 15.0"),
        (MAY_BE_CHANCE, -10.1, "too few data to say"),
        (NOT_TESTED, 0.0, "too few data to say"),
        ("more often too late, sure", -10.1, "more often double too late, sure: 15.0"),
    ],
)
def test_opponents_show_no_habit_only_if_their_interval_is_narrow(
    called: str, low: float, said: str
) -> None:
    """From -10 to 40 are 50 percentage points, the widest."""
    row = {"called": called, "value": 15.0, "low": low, "high": 40.0}
    assert said in compare_with_opponents(DOUBLING, MAY_BE_CHANCE, 5.0, row)


@pytest.mark.slow
def test_errors_are_compared_where_they_cost_the_same() -> None:
    """The example of docs/profile.md: 20 points at a cost of 0.05, -16.7 at 0.1, together 6.25.

    The two rates beside the balance are 31.25 and 25 %, so that they differ by it.

    The weights of Mantel and Haenszel are 10 x 5 / 15 and 6 x 3 / 9.
    """
    rows = (
        *4 * (cube(Kind.NO_DOUBLE, 0.5, 0.55),),
        *6 * (cube(Kind.DOUBLE, 0.5, 0.55),),
        *1 * (cube(Kind.DOUBLE, 0.5, 0.45),),
        *4 * (cube(Kind.NO_DOUBLE, 0.5, 0.45),),
        *1 * (cube(Kind.NO_DOUBLE, 0.5, 0.6),),
        *5 * (cube(Kind.DOUBLE, 0.5, 0.6),),
        *1 * (cube(Kind.DOUBLE, 0.5, 0.4),),
        *2 * (cube(Kind.NO_DOUBLE, 0.5, 0.4),),
    )
    _, analyzed = analyze_text(MATCH)
    tables = tabulate_analyzed([analyzed._replace(rows=rows)], Players())
    section = next(yield_cube_habits_sections.report(tables, Question(by=(), player="Ann")))
    values = section.frame.set_index("figure")["value"]
    assert math.isclose(values["missed doubles, any loss"], 5 / 16)
    assert math.isclose(values["early doubles, any loss"], 2 / 13)
    assert math.isclose(values["missed doubles, comparable"], (10 * 0.4 / 3 + 2 / 6) / (10 / 3 + 2))
    assert math.isclose(values["early doubles, comparable"], (10 * 0.2 / 3 + 2 / 3) / (10 / 3 + 2))
    assert math.isclose(values[DOUBLING.figure], 6.25)
    compared = section.frame.set_index("figure")["of"]
    assert [compared[figure] for figure in (*DOUBLING.compared_errors, DOUBLING.figure)] == [
        *(16, 8),
        24,
    ]
    lost = section.frame.set_index("figure").loc[list(DOUBLING.compared_loss_names)]
    assert lost["count"].tolist() == pytest.approx([4 * 0.05 + 0.1, 0.05 + 0.1])
    assert lost["of"].tolist() == [1, 1]


@pytest.mark.slow
def test_the_cost_at_equal_cost_leaves_out_clear_decisions_and_possible_slips() -> None:
    """Wrong takes of 0.1 and 0.6 are compared with a wrong pass of 0.1 and a right take worth 0.7.

    The doubles missed by 0.3 and made too early by 0.3 are not close, so none of them is compared.
    """
    answers = (
        *(cube(Kind.TAKE, 0.7, 1.1), cube(Kind.TAKE, 0.7, 1.6)),
        *(cube(Kind.PASS, 0.7, 0.9), cube(Kind.TAKE, 0.7, 0.3)),
    )
    doubles = (cube(Kind.NO_DOUBLE, 0.5, 0.8), cube(Kind.DOUBLE, 0.5, 0.2))
    rows = (*(answer._replace(side=0) for answer in answers), *doubles)
    _, analyzed = analyze_text(MATCH)
    tables = tabulate_analyzed([analyzed._replace(rows=rows)], Players())
    doubling, taking = yield_cube_habits_sections.report(tables, Question(by=(), player="Ann"))
    lost = taking.frame.set_index("figure")["count"]
    assert lost["lost by wrong takes (EMG per 100 games)"] == pytest.approx(0.7)
    assert [lost[figure] for figure in TAKING.compared_loss_names] == pytest.approx([0.1, 0.1])
    assert DOUBLING.figure not in set(doubling.frame["figure"])
    of_doubles = doubling.frame.set_index("figure")["count"]
    assert [of_doubles[figure] for figure in DOUBLING.compared_loss_names] == [0, 0]


def test_a_habit_must_also_be_sure_by_the_number_of_errors() -> None:
    """Three matches alike: 2 of 2 doubles due missed, 0 of 2 early ones made; so 6 of 6 and 0 of 6.

    The excess of missed doubles is 6 - 6 x 6 / 12 = 3, its variance 6 x 6 x 6 x 6 / (12 x 12 x 11) =
    0.818; with the continuity correction the distance is 2.5 / 0.905 = 2.764 standard errors, p 0.0057,
    and for two questions 0.0114. One more match without errors makes the matches differ.
    """
    missed, held = cube(Kind.NO_DOUBLE, 0.5, 0.6), cube(Kind.NO_DOUBLE, 0.5, 0.4)
    _, analyzed = analyze_text(MATCH)
    rows = pd.DataFrame({"value": [100.0], "low": [99.0], "high": [101.0], "matches": [3]})
    matches = [
        analyzed._replace(path=f"{n}.mat", record=f"{n}", rows=(missed, missed, held, held))
        for n in range(3)
    ]
    decisions = _add_balance_terms(
        DOUBLING, _mark_cube_errors(tabulate_analyzed(matches, Players())), []
    )
    (p_value,) = _test_balances(DOUBLING, decisions, rows, [])
    assert math.isclose(p_value, 0.0114, abs_tol=0.0001)


@pytest.mark.slow
@pytest.mark.parametrize("matches", [40, 200])
def test_intervals_are_those_of_leaving_each_match_out(matches: int) -> None:
    """Random decisions: each match is left out in turn, and the whole comparison made anew."""
    rows = draw_decisions(matches)
    terms = _add_balance_terms(DOUBLING, rows, [])
    figures = [*DOUBLING.compared_errors, DOUBLING.figure]
    frame = estimate_figures(terms, [one for one in DOUBLES if one.name in figures], [])
    plain = [compare_plainly(rows[rows["match"] != match]) for match in range(matches)]
    reach = np.std(plain, axis=0) * math.sqrt(matches - 1) * student_to_normal(matches - 1) * 1.96
    assert frame["value"].tolist() == pytest.approx(compare_plainly(rows))
    half = (frame["high"] - frame["low"]) / 2
    assert half.tolist() == pytest.approx(reach.tolist(), rel=0.06)


def draw_decisions(matches: int) -> pd.DataFrame:
    """Return decisions in bands of cost; each match has a share of errors and a number of its own."""
    draw = np.random.default_rng(matches)
    rows = []
    for match in range(matches):
        tendency, size = draw.normal(0, 0.1), draw.gamma(2)
        for band, side in product(range(4), (1, 2)):
            chance = np.clip((0.5, 0.2)[side - 1] - 0.04 * band + tendency, 0.01, 0.9)
            wrong = draw.random(draw.poisson(size * (5 - band))) < chance
            rows += [(match, band, side, one and side == 1, one and side == 2) for one in wrong]
    names = ("match", "missed_band", "missed_side", "missed", "early")
    return pd.DataFrame(rows, columns=names).assign(missed_lost=0.0, early_lost=0.0).astype(float)


def compare_plainly(rows: pd.DataFrame) -> list[float]:
    """Return both rates of comparable decisions and, in percentage points, their difference, by a plain pass."""
    sums = np.zeros(3)
    for _, band in rows.groupby("missed_band"):
        first, second = (band[band["missed_side"] == side] for side in (1, 2))
        if len(first) and len(second):
            weight = len(first) * len(second) / len(band)
            sums += [weight * first["missed"].mean(), weight * second["early"].mean(), weight]
    one, other = sums[:2] / sums[2]
    return [one, other, 100 * (one - other)]
