"""Problems that several matches of a profile have are told once."""

from __future__ import annotations

from collections import Counter

import pytest

from bganalyze.app.cli.profile import _print_repeated


def test_only_problems_of_several_matches_are_told_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _print_repeated(Counter({"no engine": 1, "no analysis": 2, "too long": 3}))
    assert capsys.readouterr().err.splitlines() == [
        "bganalyze: the same of 1 other match: no analysis",
        "bganalyze: the same of 2 other matches: too long",
    ]
