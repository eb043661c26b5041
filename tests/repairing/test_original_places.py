"""Places in a binary file, from those in the text in which it is repaired."""

from __future__ import annotations

from bganalyze.record.reader import read_bytes
from bganalyze.repairing.original_places import OriginalPlaces

ORIGINAL = """bganalyze match 1
producer: GammonView
left: Ann
right: Bob
length: 1
conventions: dances resignations capped

game 1
score 0-0
L 13 8/5 6/4
R 25 13/8 24/22
L 46 24/18 13/9
"""
TEXT = ORIGINAL.replace("producer: GammonView\n", "").replace("6/4\n", '6/4\n@{"seconds": 3.0}\n')
"""The same match with another header and a line of data below the first play."""


def places() -> OriginalPlaces:
    """Return the places of the text in the original."""
    both = (tuple(read_bytes(text.encode(), "a.bgm")) for text in (ORIGINAL, TEXT))
    return OriginalPlaces(*both)


def test_each_line_that_both_have_is_found() -> None:
    found, lines, original = places(), TEXT.splitlines(), ORIGINAL.splitlines()
    for number, line in enumerate(lines, start=1):
        if not line.startswith("@"):
            assert original[found.find_place(number, 1)[0] - 1] == line, line


def test_columns_stay_within_their_action() -> None:
    line = TEXT.splitlines().index("R 25 13/8 24/22") + 1
    assert places().find_place(line, 12) == (ORIGINAL.splitlines().index("R 25 13/8 24/22") + 1, 12)


def test_a_line_of_data_stands_for_its_action() -> None:
    lines = TEXT.splitlines()
    [line] = (number for number, text in enumerate(lines, start=1) if text.startswith("@"))
    assert ORIGINAL.splitlines()[places().find_line(line) - 1] == "L 13 8/5 6/4"
