"""Tables for people on terminals of any width."""

from __future__ import annotations

from functools import cache

import pandas as pd
import pytest
from rich.cells import cell_len

from bganalyze.app.jobs.tabulate import tabulate_files
from bganalyze.app.render import get_answer_renderer
from bganalyze.app.render.answers import select_largest_groups, table_as_text
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.statistics.reports.answer import ReportAnswer, answer_from_tables
from bganalyze.statistics.reports.figures import COLUMNS
from bganalyze.statistics.reports.question import Question

SAMPLE = "samples/clean/several-matches.mat"
NAMES = ("Ada Quill",)


@cache
def answer() -> ReportAnswer:
    return answer_from_tables(tabulate_files([SAMPLE]), ("points", "cube"), Question())


@pytest.fixture(params=[40, 60, 80, 120])
def width(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def tables(width: int) -> list[str]:
    """Return the lines of the tables; notes are left to the terminal to fold."""
    text = "".join(get_answer_renderer("table")(answer(), OutputOptions(full=True, width=width)))
    notes = {
        note
        for sections in answer().reports.values()
        for section in sections
        for note in section.notes
    }
    return [line for line in text.split("counted: ")[0].splitlines() if line not in notes]


@pytest.mark.slow
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    assert max(map(cell_len, tables(width))) <= width


def test_players_and_figures_can_be_read(width: int) -> None:
    output = "\n".join(tables(width))
    assert all(name in output for name in NAMES)
    assert "points a game" in " ".join(output.split())


def test_on_a_narrow_terminal_every_number_is_named() -> None:
    lines = tables(20)
    at = lines.index(NAMES[0])
    assert lines[at + 1].startswith("  games ")


@pytest.mark.slow
def test_figures_that_do_not_fit_stand_in_a_table_below(width: int) -> None:
    lines = tables(width)
    beginnings = [line for line in lines[: lines.index("Matches (points)")] if "player" in line]
    assert (len(beginnings) > 1) == (width < 120)
    assert all(line.startswith("player ") for line in beginnings)


def test_what_is_called_nothing_is_not_unknown() -> None:
    row = ("", 7.0, 1850.0, float("nan"), float("nan"))
    frame = pd.DataFrame([row], columns=["called", "length", "value", "low", "high"]).assign(
        figure="FIBS rating", kind="mean", count=float("nan"), of=pd.NA, matches=2, expected=None
    )
    frame = frame[["called", *COLUMNS]]
    headings, rows = table_as_text(pd.concat([frame, frame.assign(called="expert")]))
    row = next(rows)
    assert row[:2] == ["FIBS rating", "1,850"]
    assert (headings[-1], row[-1]) == ("called", "")
    assert table_as_text(frame)[0][-1] == "matches"


def test_a_hint_on_other_groups_names_only_options_that_help() -> None:
    for player, hint in ((range(30), "--player, --min-games"), ([0] * 30, "--format csv has all")):
        frame = pd.DataFrame({"player": player, "place": range(30), "games": range(30)})
        frame = frame.astype({"player": str, "place": str})
        assert hint in select_largest_groups(pd.concat([frame] * 11), 5)[1]
