"""Words of analyses in several languages."""

from __future__ import annotations

import pytest

from bganalyze.record.report_words import _ends_with_word, find_best_cube_action


@pytest.mark.parametrize(
    ("line", "action"),
    [
        (" キューブアクション:     :  ダブルせず / 受ける     EMG", "no double / take"),
        ("Best Cube action: No redouble / Take", "no redouble / take"),
        ("Double/Take: +0.689", None),
    ],
)
def test_the_best_cube_action_is_found_in_its_line_only(line: str, action: str | None) -> None:
    assert find_best_cube_action(line) == action


@pytest.mark.parametrize(("text", "ends"), [("no double", True), ("redouble", False)])
def test_a_part_of_a_word_is_no_word(text: str, *, ends: bool) -> None:
    assert _ends_with_word(text, "double") == ends
