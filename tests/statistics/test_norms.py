"""Norms: their file, and the difference of a rate from them."""

from __future__ import annotations

import pandas as pd
import pytest

from bganalyze.analysis.decision_kinds import KIND_WORDS, KINDS_IN, DecisionKind
from bganalyze.statistics.norms import (
    ONE_PLAYER,
    OPPONENTS,
    Norm,
    NormsError,
    NormTable,
    Percentile,
    read_norms,
    read_shipped_norms,
    write_norms,
)
from bganalyze.statistics.reports.losses import LESS, MORE, compare_with_norms
from bganalyze.statistics.sureness import MAY_BE_CHANCE, NOT_TESTED


def norms_of(*rows: tuple[DecisionKind, float]) -> NormTable:
    """Return norms of 100 matches with 400 decisions of each kind, known to a fifth of the rate."""
    norms = (
        Norm("all players", kind, 50, 100, 200, 400, rate, 0.8 * rate, 1.2 * rate)
        for kind, rate in rows
    )
    return NormTable("100 matches", "", "some engine", tuple(norms))


def rates_of(*rows: tuple[DecisionKind, float, float, int, int]) -> pd.DataFrame:
    """Return rates: kind, value, half the interval, decisions, matches."""
    columns = ["figure", "value", "low", "high", "of", "matches"]
    values = [
        (KIND_WORDS[kind].counted, value, value - reach, value + reach, of, matches)
        for kind, value, reach, of, matches in rows
    ]
    frame = pd.DataFrame(values, columns=columns)
    return frame.assign(player="Ann", kind="rate", count=frame["value"] * frame["of"], expected=0.0)


def test_norms_are_read_as_they_were_written() -> None:
    norm = Norm('the "others"', "take", 5, 3, 4, 12, 1.25, 0.5, 2.0)
    percentile = Percentile("plays", 50, 31, 25, 0.8, 5.0, 4.5, 5.5)
    table = NormTable("a\\b", "MIT", "engine", (norm,), (percentile,))
    assert read_norms(write_norms(table)) == table


@pytest.mark.parametrize(
    "text",
    [
        *("", "= 1", "source = 1\nlicense = ''\nengine = ''\ncounting = 'gnubg'\nnorms = [{}]"),
        write_norms(norms_of((DecisionKind.TAKE, 1.0))).replace("take", "token"),
    ],
)
def test_other_files_are_refused(text: str) -> None:
    with pytest.raises(NormsError, match="no file of norms"):
        read_norms(text)


def test_the_shipped_norms_have_every_kind_for_both_groups_and_no_percentiles() -> None:
    table = read_shipped_norms()
    assert (table.counting, table.license, table.usual_group) == ("gnubg", "MIT", OPPONENTS)
    assert {(norm.group, norm.kind) for norm in table.norms} == {
        (group, kind) for group in (ONE_PLAYER, OPPONENTS) for kind in KINDS_IN
    }
    assert not table.percentiles
    assert all(norm.low <= norm.rate <= norm.high for norm in table.norms)


def test_the_shipped_kinds_add_up() -> None:
    table = read_shipped_norms()
    for group in (ONE_PLAYER, OPPONENTS):
        for name, kinds in KINDS_IN.items():
            whole = table.find(name, group)
            parts = [table.find(kind, group) for kind in kinds]
            assert whole
            assert whole.decisions == sum(norm.decisions for norm in parts if norm)
            lost = sum(norm.decisions * norm.rate for norm in parts if norm)
            assert whole.rate == pytest.approx(lost / whole.decisions, abs=0.002)


def test_a_difference_is_stated_only_if_it_is_certain() -> None:
    norms = norms_of(
        (DecisionKind.TAKE, 10.0), (DecisionKind.PASS, 10.0), (DecisionKind.DOUBLE, 10.0)
    )
    rates = rates_of(
        (DecisionKind.TAKE, 20.0, 2.0, 400, 50),
        (DecisionKind.PASS, 4.0, 1.0, 400, 50),
        (DecisionKind.DOUBLE, 11.0, 2.0, 400, 50),
    )
    compared = compare_with_norms(rates, norms).set_index("kind")
    assert compared["verdict"].to_dict() == {
        "take": f"{MORE}, sure",
        "pass": f"{LESS}, sure",
        "double": MAY_BE_CHANCE,
    }
    assert compared.index[0] == "take"  # The costliest is first.
    assert (compared["corrected"] >= compared["p"]).all()


def test_five_right_decisions_prove_nothing() -> None:
    """They agree, so the interval has no width, but five are too few to prove anything."""
    norms = norms_of((DecisionKind.PASS, 30.0))
    few, many = (
        compare_with_norms(rates_of((DecisionKind.PASS, 0.0, float("nan"), of, 50)), norms)
        for of in (5, 400)
    )
    assert few["verdict"].tolist() == [MAY_BE_CHANCE]
    assert many["verdict"].tolist() == [f"{LESS}, sure"]


def test_two_matches_are_too_few() -> None:
    norms = norms_of((DecisionKind.TAKE, 10.0))
    compared = compare_with_norms(rates_of((DecisionKind.TAKE, 90.0, 1.0, 400, 2)), norms)
    assert compared["p"].isna().all()
    assert compared["verdict"].tolist() == [NOT_TESTED]


def test_a_kind_without_a_norm_is_left_out() -> None:
    norms = norms_of((DecisionKind.TAKE, 10.0))
    rates = rates_of((DecisionKind.PASS, 4.0, 1.0, 40, 20), (DecisionKind.TAKE, 4.0, 1.0, 40, 20))
    assert compare_with_norms(rates, norms)["kind"].tolist() == ["take"]
