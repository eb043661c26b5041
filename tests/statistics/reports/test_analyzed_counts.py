"""What is said of analyses by several engines or at several levels."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from weakref import ref

import pandas as pd
import pytest

from bganalyze.statistics.reports.analyzed_counts import _cache_by_tables, note_several_levels
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.tables.frames import AnalyzedTables

SAGE = ("sage", "2.0", "1ply"), ("sage", "2.0", "2ply"), ("sage", "2.0", "3ply")
GNUBG = ("gnubg", "1.07", "2ply")


def note(editions: list[tuple[str, str, str]], *by: str) -> str:
    """Return what is said of matches that were analyzed by these engines, versions and levels."""
    matches = pd.DataFrame(editions, columns=["engine", "version", "level"])
    tables: Any = SimpleNamespace(matches=matches)
    return " ".join(note_several_levels(tables, Question(by=by)))


@pytest.mark.parametrize(
    ("editions", "words"),
    [
        (
            [SAGE[1], SAGE[0], SAGE[1], SAGE[1]],
            "3 of 4 matches are analyzed at 2ply, the other at 1ply",
        ),
        ([SAGE[0], SAGE[0], SAGE[1]], "1 of 3 matches is analyzed at 2ply, the others at 1ply"),
        (
            [SAGE[0], *SAGE, SAGE[2]],
            "2 of 5 matches are analyzed at 3ply, 1 at 2ply, 2 at 1ply",
        ),
        (
            [SAGE[0], GNUBG],
            "1 of 2 matches is analyzed by gnubg 1.07 at 2ply, the other by sage 2.0 at 1ply",
        ),
    ],
)
def test_the_deepest_analyses_come_first(editions: list[tuple[str, str, str]], words: str) -> None:
    assert note(editions) == f"{words}; --level counts one level alone, --by engine each apart"


def test_nothing_is_said_of_one_edition_or_of_each_apart() -> None:
    assert note([]) == note([GNUBG, GNUBG]) == note([GNUBG, *SAGE], "player", "engine") == ""


def test_rows_are_kept_for_the_last_tables_while_these_exist() -> None:
    made: list[tuple[int, bool]] = []

    def make_tables(length: int) -> AnalyzedTables:
        return AnalyzedTables(*(pd.DataFrame({"length": [length]}) for _ in range(3)))

    @_cache_by_tables
    def list_lengths(tables: AnalyzedTables, *, of_opponent: bool = False) -> pd.DataFrame:
        made.append((tables.matches["length"][0], of_opponent))
        return tables.matches

    three, five = make_tables(3), make_tables(5)
    for tables in (three, three, five, three._replace(decisions=five.decisions)):
        rows = list_lengths(tables)
        assert rows["length"].tolist() == tables.matches["length"].tolist()
        rows["length"] = 0
        assert list_lengths(tables, of_opponent=True)["length"].tolist() != [0]
    every = [(3, False), (3, True)]
    assert made == [*every, (5, False), (5, True), *every]
    kept = ref(list_lengths(mixed := make_tables(7)))
    assert kept() is None
    kept = ref(mixed.matches)
    del tables, mixed
    assert kept() is None
