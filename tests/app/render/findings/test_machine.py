"""Values of findings in formats for machines."""

from __future__ import annotations

from bganalyze.app.render.findings.machine import (
    _describe_place,
    _describe_slip,
    _make_csv_cell,
    _make_repository_path,
)
from bganalyze.validation.slip_odds import SlipChance


def test_an_address_is_no_path_in_the_repository() -> None:
    assert _make_repository_path("https://club.example/a.mat") == "https://club.example/a.mat"


def test_a_place_without_a_line_is_named() -> None:
    assert _describe_place("end-of-record") == "end-of-record"
    assert _make_csv_cell(None) == ""


def test_a_chance_of_a_slip_without_stated_odds_has_a_range() -> None:
    assert _describe_slip(SlipChance(lowest=0.03, highest=0.71, stated=None)) == (
        "3 % at odds of 1 slip to 9 player's errors, 71 % at odds of 9 slips to 1 player's error"
    )
