"""Replacements that overlap."""

from __future__ import annotations

from bganalyze.record.cleaning.layers import Replacement, drop_overlaps


def test_a_part_right_behind_another_does_not_overlap() -> None:
    parts = [Replacement(1, 2, "b"), Replacement(0, 2, "a"), Replacement(2, 3, "c")]
    assert [part.new for part in drop_overlaps(parts)] == ["a", "c"]
