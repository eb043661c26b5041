"""Tables of a given width: no word is broken, and rows are stacked if columns cannot fit."""

import pytest

from bganalyze.app.render.console import make_table, render_to_string
from bganalyze.app.render.output_options import OutputOptions

WORDS = (
    "resignation",
    "Harmand/Unger",
    "no-double play snowie",
    "a much longer text of many words",
)


@pytest.mark.parametrize("width", [60, 70, 80])
def test_no_word_is_broken(width: int) -> None:
    grid = make_table("place", "player", "decision", "counted by")
    for _ in range(3):
        grid.add_row(*WORDS)
    shown = render_to_string(grid, OutputOptions(width=width))
    assert max(map(len, shown.splitlines())) <= width
    assert {*" ".join(WORDS).split()} <= {*shown.split()}


def test_rows_are_stacked_if_the_columns_do_not_fit() -> None:
    grid = make_table(*(f"column{number}" for number in range(20)))
    grid.add_row(*(f"value{number}" for number in range(20)))
    lines = render_to_string(grid, OutputOptions(width=80)).splitlines()
    assert (lines[0], lines[19]) == ("column0   value0", "column19  value19")
