"""The program says of the samples what is stored here."""

from __future__ import annotations

from difflib import unified_diff
from itertools import islice

import pytest

from tests.stored.answers import ANSWERS, FOLDER, SLOW

MOST_SHOWN = 60
"""Most lines of a difference that are shown."""


CASES = [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in ANSWERS]


@pytest.mark.parametrize("name", CASES)
def test_answers_are_those_stored(name: str) -> None:
    """`python -m tests.stored` stores others, if they are meant."""
    stored = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    differing = unified_diff(
        stored, ANSWERS[name]().splitlines(), "stored", "now", n=1, lineterm=""
    )
    shown = "\n".join(islice(differing, MOST_SHOWN))
    assert not shown, (
        f"{name} is not what is said now (`python -m tests.stored`, if that is meant):\n{shown}"
    )
