"""The promise of codes and names grows, and is never taken back."""

from __future__ import annotations

import pytest

from tests.stored.codes import PromiseError, extend

OLD = {"P401 empty-point", "T101 unreadable-text"}


def test_a_new_rule_is_added_in_its_place() -> None:
    assert extend(OLD, OLD | {"P402 blocked-point"}) == (
        "P401 empty-point\nP402 blocked-point\nT101 unreadable-text\n"
    )


@pytest.mark.parametrize("given", [set(), {"P401 no-checker"}, {"P499 empty-point"}])
def test_no_rule_is_removed_or_renamed(given: set[str]) -> None:
    with pytest.raises(PromiseError) as error:
        extend(OLD, given | {"T101 unreadable-text"})
    assert "promises P401 empty-point, which no rule has: give" in str(error.value)
    assert "\n" not in str(error.value)
