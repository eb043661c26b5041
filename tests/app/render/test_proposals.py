"""Headers of a diff, and plays of a proposal in words."""

from __future__ import annotations

from bganalyze.app.render.proposals import _make_diff_header, _name_other_plays


def test_a_name_with_a_blank_ends_in_a_tab() -> None:
    assert _make_diff_header(b"a/", b"a b.mat") == b"a/a b.mat\t"


def test_a_few_other_plays_are_all_named() -> None:
    assert _name_other_plays(["8/6(2)", "9/5"]) == "8/6(2), 9/5"
