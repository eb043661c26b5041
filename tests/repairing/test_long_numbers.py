"""Numbers of more digits than Python converts: read or reported, and never the end of a search."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

import bganalyze

CLEAN = sorted(
    path
    for path in Path("samples/clean").iterdir()
    if path.suffix in {".mat", ".txt", ".bgm", ".sgf", ".sgg", ".gam", ".fibs", ".log", ".xgtext"}
)
NUMBER = re.compile(rb"\d+")
MANY = b"7" * 5_000
TRIED = 8


@pytest.mark.slow
@pytest.mark.parametrize("path", CLEAN, ids=lambda path: path.name)
def test_a_number_of_thousands_of_digits_stops_nothing(path: Path) -> None:
    data = path.read_bytes()
    numbers = list(NUMBER.finditer(data))
    random = Random(path.name)
    for number in random.sample(numbers, min(TRIED, len(numbers))):
        damaged = data[: number.start()] + MANY + data[number.end() :]
        try:
            repaired = bganalyze.repair(damaged, name=path.name)
        except bganalyze.NotATranscript:
            continue
        assert repaired.apply() is not None
