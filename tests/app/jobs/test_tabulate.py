"""Files tabulated a few at a time: no more, and no less, than one by one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bganalyze.app.jobs import tabulate as tabulating
from bganalyze.app.jobs.budget import HOW_TO_REPORT
from bganalyze.app.jobs.tabulate import tabulate_read_files
from bganalyze.board.rule_book import BASIC
from bganalyze.files.reading import find_files
from bganalyze.statistics.tables.fragments import ALL_GROUPS, TableFragment, make_fragment
from bganalyze.statistics.tables.schema import Examined

SAMPLES = Path(__file__).parents[3] / "samples"
FILES = sorted(SAMPLES.rglob("*.mat"))[::3]


def rows_of(*paths: Path) -> TableFragment:
    """Return the rows of some files, tabulated together."""
    [rows] = tabulate_read_files(list(find_files(map(str, paths))), BASIC, ALL_GROUPS).rows
    return rows


def end_to_end(fragments: Sequence[TableFragment], table: str, column: str) -> list[Any]:
    """Return a column of several fragments, as if they were one."""
    values, matches = list[Any](), 0
    for part in fragments:
        column_values = list(getattr(part, table)[column])
        values += (
            [number + matches for number in column_values] if column == "match" else column_values
        )
        matches += len(part.matches["match"])
    return values


def comparable(value: Any) -> Any:
    """Return a value of a column; missing numbers become equal."""
    return None if value != value else value  # noqa: PLR0124 - NaN alone differs from itself


@pytest.mark.slow
def test_files_tabulated_together_have_the_rows_of_each() -> None:
    assert len(FILES) > 20
    together, alone = rows_of(*FILES), [rows_of(path) for path in FILES]
    for table in TableFragment._fields:
        for column, values in getattr(together, table).items():
            alone_values = end_to_end(alone, table, column)
            assert [*map(comparable, values)] == [*map(comparable, alone_values)], (table, column)


def test_no_file_makes_no_rows() -> None:
    rows = rows_of()
    assert all(len(values) == 0 for columns in rows for values in columns.values())


def test_a_file_that_the_program_fails_at_costs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    broken, *sound = FILES[:4]

    def faulty(items: Sequence[Examined], *options: Any) -> TableFragment:
        if any(each.replayed.match.source.path == str(broken) for each in items):
            raise OverflowError("too many checkers")
        return make_fragment(items, *options)

    monkeypatch.setattr(tabulating, "make_fragment", faulty)
    outcome = tabulate_read_files(
        list(find_files([str(sound[0]), str(broken), *map(str, sound[1:])])), BASIC, ()
    )
    fault = "an internal error of bganalyze, please report it: OverflowError('too many checkers')"
    message = f"{fault}; {HOW_TO_REPORT}"
    assert [file.error for file in outcome.files] == [None, message, None, None]
    lines = np.concatenate([rows.turns["line"] for rows in outcome.rows])
    assert lines.tolist() == rows_of(*sound).turns["line"].tolist()
