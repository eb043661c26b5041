"""The program says of the samples what is stored here."""

from __future__ import annotations

from difflib import unified_diff
from itertools import islice

import pandas as pd
import pytest

from tests.stored.answers import ANSWERS, FOLDER, SLOW

MOST_SHOWN = 60
"""Most lines of a difference that are shown."""


IN_ARROW = ("tables.txt", "figures.txt", "analyzed-figures.txt")
"""Answers that are made again with text in Arrow, as pandas keeps it where pyarrow is installed."""

CASES = [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in ANSWERS]


@pytest.mark.parametrize("name", CASES)
def test_answers_are_those_stored(name: str) -> None:
    """`python -m tests.stored` stores others, if they are meant."""
    compare_with_stored(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", IN_ARROW)
def test_answers_are_the_same_with_text_in_arrow(name: str) -> None:
    pytest.importorskip("pyarrow")
    with pd.option_context("mode.string_storage", "pyarrow"):
        compare_with_stored(name)


def compare_with_stored(name: str) -> None:
    """Compare an answer with that stored, and show the first differences."""
    stored = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    differing = unified_diff(
        stored, ANSWERS[name]().splitlines(), "stored", "now", n=1, lineterm=""
    )
    shown = "\n".join(islice(differing, MOST_SHOWN))
    assert not shown, (
        f"{name} is not what is said now (`python -m tests.stored`, if that is meant):\n{shown}"
    )
