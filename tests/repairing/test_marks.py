"""Hits that are marked and none."""

from __future__ import annotations

from tests.repairing.clean import MATCH
from tests.repairing.test_games import causes, make_slip, repair_text


def test_the_mark_of_a_hit_that_is_none_is_taken_out() -> None:
    text = make_slip(("62: 24/22 13/7", "62: 24/22 13/7*"))
    (cause,) = causes(text)
    assert cause.proposals[0].kind == "mark"
    assert repair_text(text, cause) == MATCH
