"""Steps of BKG."""

from __future__ import annotations

from bganalyze.record.sites.bkg import _insert_slashes


def test_hyphens_of_steps_are_slashes() -> None:
    assert _insert_slashes("13-8,6-5") == "13/8,6/5"
