"""Long words in the list of matches."""

from __future__ import annotations

import pytest

from bganalyze.app.render.matches import _fold_path, _wrap_in_two_lines


@pytest.mark.parametrize(
    ("words", "lines"),
    [("winner disputed", ("winner", "disputed")), ("complete", ("complete", ""))],
)
def test_two_words_stand_in_two_lines(words: str, lines: tuple[str, str]) -> None:
    assert _wrap_in_two_lines(words) == lines


def test_a_long_file_name_is_folded_anywhere() -> None:
    assert _fold_path("semifinal.mat", 8) == ["semifina", "l.mat"]
