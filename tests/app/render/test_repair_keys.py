"""The keys that are offered at an error, by the number of its proposals."""

from __future__ import annotations

import pytest

from bganalyze.app.render.repair_screen import describe_keys


@pytest.mark.parametrize(
    ("proposals", "offered"),
    [
        (0, ""),
        (1, "t take   "),
        (2, "t take   1-2 n p another   "),
        (12, "t take   1-9 n p another   "),
    ],
)
def test_another_proposal_is_offered_only_if_there_is_one(proposals: int, offered: str) -> None:
    assert describe_keys(proposals) == f"{offered}s skip   e edit a line   u undo   q quit"
