"""Names and rounds that claims spell in other ways."""

from __future__ import annotations

from bganalyze.statistics.claimed_results.names import NearNames, is_near, normalized_spellings
from bganalyze.statistics.claimed_results.verdicts import _combine_costs, _split_round


def test_an_umlaut_may_be_two_letters() -> None:
    assert normalized_spellings("Müller") & normalized_spellings("Mueller")


def test_a_name_may_be_near_by_a_part_or_by_letters() -> None:
    assert is_near("Vale", "Bruno Vale")
    assert NearNames(["Bruno Vale", "Ada Quill"]).find("Brnuo Vale") == ["Bruno Vale"]


def test_a_round_is_known_by_its_number_or_its_word() -> None:
    assert _split_round("r2") == _split_round("2")
    assert list(_split_round("Final")) == ["final"]


def test_a_greater_cost_outweighs_smaller_ones() -> None:
    assert _combine_costs([1, 0, 2], base=10) == 102.0
