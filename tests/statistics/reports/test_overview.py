"""The overview: its figures, and the differences it mentions."""

from __future__ import annotations

from functools import cache, partial

import numpy as np
import pandas as pd
import pytest

from bganalyze.statistics.estimates import MeasuredFigures, p_value_of_differences
from bganalyze.statistics.reports import list_summed_tables
from bganalyze.statistics.reports.answer import ReportAnswer, answer_from_analyses, answer_from_sums
from bganalyze.statistics.reports.figures import COLUMNS, Section
from bganalyze.statistics.reports.overview import (
    OF_ANALYSES,
    ComparedFigure,
    NamedFigure,
    Overview,
    OverviewSubject,
    make_overview,
)
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.sums import KeptSums, sum_in_memory
from bganalyze.statistics.sureness import SHOWN
from bganalyze.statistics.tables.frames import tabulate_analyzed
from tests.statistics.reports.analyzed import analyze_samples
from tests.statistics.reports.test_small import tables_of

HEADER = """\
; [EventDate "{year}.{month:02}.01"]

 1 point match

"""

WON = """\
 Game 1
 {winner} : 0                     {loser} : 0
  1) 31: 8/5 6/5                 42: 8/4 6/4
      Wins 1 point and the match
"""


@cache
def matches(*winners: str) -> KeptSums:
    """Return matches of Ann and Bob, one a month, with these winners."""
    other = {"Ann": "Bob", "Bob": "Ann"}
    return sums_of_texts(
        *(
            HEADER.format(year=2020 + n // 12, month=n % 12 + 1)
            + WON.format(winner=name, loser=other[name])
            for n, name in enumerate(winners)
        )
    )


def sums_of_texts(*texts: str) -> KeptSums:
    return sum_in_memory(tables_of(*texts), list_summed_tables())


def of_files(sums: KeptSums, **question: str) -> Overview:
    ask = partial(answer_from_sums, sums)
    return make_overview(ask, Question(**question), analyzed=1)  # type: ignore[arg-type]


@pytest.mark.slow
def test_of_a_player_it_has_results_months_and_form() -> None:
    summary = of_files(matches("Ann", "Ann", "Bob", "Ann"), player="Ann")
    values = dict(zip(summary.glance["figure"], summary.glance["value"], strict=True))
    assert values["games"] == 4
    assert values["games won"] == values["matches won"] == 0.75
    assert summary.days == ("2020-01", "2020-04")
    assert summary.form is not None
    assert summary.form.section.frame["value"].tolist() == [1, 1, -1, 1]
    assert summary.players.frame.empty
    assert summary.analyzed == 1


@pytest.mark.slow
def test_of_all_it_has_every_player() -> None:
    summary = of_files(matches("Ann", "Ann", "Bob", "Ann"))
    of_games = summary.players.frame[summary.players.frame["figure"] == "games won"]
    assert dict(zip(of_games["player"], of_games["value"], strict=True)) == {
        "Ann": 0.75,
        "Bob": 0.25,
    }
    assert "games won" not in set(summary.glance["figure"])  # of all it is one half
    assert summary.form is not None
    assert set(summary.form.section.frame["player"]) == {"Ann", "Bob"}


@pytest.mark.slow
def test_with_too_few_matches_nothing_is_compared() -> None:
    assert of_files(matches("Ann", "Bob"), player="Ann").compared.empty
    assert of_files(matches("Ann", "Bob")).compared.empty


@pytest.mark.slow
def test_nobody_and_nothing_have_an_overview() -> None:
    for summary in (of_files(sums_of_texts()), of_files(matches("Ann"), player="Cid")):
        assert summary.form is None
        assert summary.days is None
        assert summary.compared.empty


@pytest.mark.slow
def test_who_wins_nearly_always_is_surely_strong() -> None:
    summary = of_files(matches(*["Ann"] * 19, "Bob"), player="Ann")
    won = summary.compared.set_index("figure").loc["matches won"]
    assert (won["sort"], won["other"]) == ("strong", 0.5)
    assert won["corrected"] < SHOWN
    of_loser = of_files(matches(*["Ann"] * 19, "Bob"), player="Bob").compared.set_index("figure")
    assert of_loser.loc["matches won"]["sort"] == "weak"


# Comparisons

FIGURE = NamedFigure("some", "Section", "figure")


def answers(**rows: tuple[float, float, float]) -> ReportAnswer:
    """Return an answer with a share of each player: numerator, denominator and margin."""
    frame = pd.DataFrame(
        [
            [
                player,
                "figure",
                "share",
                count / of,
                count / of - reach,
                count / of + reach,
                count,
                of,
            ]
            for player, (count, of, reach) in rows.items()
        ],
        columns=["player", *COLUMNS[:7]],
    ).assign(matches=50, expected=0.25)
    return ReportAnswer(Question(), ("50 matches",), (), {"some": [Section("Section", frame)]})


def make_compared(entry: ComparedFigure) -> pd.Series:
    """Return the row of Ann, who has 60 of 100; everybody has 100 of 300."""
    subject = OverviewSubject((FIGURE,), (FIGURE,), (FIGURE,), (entry,), (FIGURE,))
    of_ann, of_all = answers(Ann=(60, 100, 0.1)), answers(all=(100, 300, 0.05))
    (section,) = of_all.reports["some"]
    nameless = {"some": [section._replace(frame=section.frame.drop(columns="player"))]}

    def ask(_: object, question: Question) -> ReportAnswer:
        return of_ann if question.player else of_all._replace(reports=nameless)

    (row,) = make_overview(ask, Question(player="Ann"), subject).compared.to_dict("records")
    return pd.Series(row)


def test_a_player_is_compared_with_all_others() -> None:
    row = make_compared(ComparedFigure(FIGURE, 1))
    assert row["other"] == pytest.approx(40 / 200)
    assert row["sort"] == "strong"
    assert make_compared(ComparedFigure(FIGURE, -1))["sort"] == "weak"
    assert make_compared(ComparedFigure(FIGURE))["sort"] == "style"


def test_or_with_what_is_to_be_expected() -> None:
    assert make_compared(ComparedFigure(FIGURE, 1, expected=0.7))["sort"] == "weak"
    row = make_compared(ComparedFigure(FIGURE, 1, is_luck=True, expected="expected"))
    assert (row["other"], row["sort"]) == (0.25, "lucky")
    assert np.isnan(row["corrected"])  # luck says nothing of a player


def test_an_interval_that_just_excludes_a_number_has_a_p_value_of_its_level() -> None:
    measured = MeasuredFigures(*(np.array([value]) for value in (0.6, 0.5, 0.7, 40.0)))
    exact = MeasuredFigures(*(np.array([value]) for value in (0.5, 0.5, 0.5, 1e6)))
    assert p_value_of_differences(measured, exact)[0] == pytest.approx(0.05)
    without = measured._replace(low=np.array([np.nan]))
    assert np.isnan(p_value_of_differences(without, exact)[0])


def test_the_arm_that_points_at_the_other_counts() -> None:
    measured = MeasuredFigures(*(np.array([value]) for value in (0.1, 0.09, 0.4, 40.0)))
    above, below = (
        MeasuredFigures(*(np.array([value]) for value in (at, at, at, 1e6))) for at in (0.2, 0.0)
    )
    assert p_value_of_differences(measured, above)[0] > 0.4
    assert p_value_of_differences(measured, below)[0] < 0.001


@pytest.mark.slow
def test_of_analyzed_matches_it_has_rates_and_luck() -> None:
    tables = tabulate_analyzed(analyze_samples())
    summary = make_overview(partial(answer_from_analyses, tables), Question(), OF_ANALYSES)
    assert {"PR (xg-b)", "error rate (mEMG)"} <= set(summary.glance["figure"])
    assert {"plays (mEMG)", "luck a roll (mEMG)"} <= set(summary.players.frame["figure"])
    name = str(summary.players.frame["player"].iloc[0])
    of_player = make_overview(
        partial(answer_from_analyses, tables), Question(player=name), OF_ANALYSES
    )
    assert "error rate of plays (mEMG)" in set(of_player.glance["figure"])
