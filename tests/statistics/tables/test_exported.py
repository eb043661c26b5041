"""Exported decisions: a flat row for each, as declared, and harmless in a spreadsheet."""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections.abc import Iterable

import pandas as pd
import pytest

from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.match import AnalyzedMatch
from bganalyze.analysis.select import DecisionFilter, select_decisions
from bganalyze.app.render import decisions as decisions_csv
from bganalyze.app.render import render_decisions
from bganalyze.statistics.tables.frames import SCHEMA, tabulate_decisions
from bganalyze.text import printable
from tests.nasty import NAMES
from tests.statistics.match_report.analyzed import MATCH, analyze_text


def match() -> AnalyzedMatch:
    return analyze_text(MATCH)[1]._replace(date=dt.date(2024, 5, 6), site="Club")


def as_csv(matches: Iterable[AnalyzedMatch]) -> list[dict[str, str]]:
    text = b"".join(render_decisions(select_decisions(matches), "csv")).decode()
    return list(csv.DictReader(io.StringIO(text)))


def test_a_play() -> None:
    decision_filter = DecisionFilter(player="Bob", kinds=frozenset((Kind.PLAY,)), least=0.04)
    (row,) = tabulate_decisions(select_decisions([match()], decision_filter)).to_dict("records")
    assert {name: row[name] for name in ("player", "opponent", "own_score", "other_score")} == {
        "player": "Bob",
        "opponent": "Ann",
        "own_score": 0,
        "other_score": 0,
    }
    assert (row["date"], row["site"]) == (pd.Timestamp(2024, 5, 6), "Club")
    assert (row["game"], row["row"], row["place"]) == (1, "1", "5:34")
    assert (row["kind"], row["dice"], row["made"], row["solution"]) == (
        "play",
        "64",
        "24/14",
        "24/18 13/9",
    )
    assert (row["loss"], row["cost"], row["mark"]) == (
        pytest.approx(0.05),
        pytest.approx(0.005, rel=0.1),
        "doubtful",
    )
    assert (row["engine"], row["version"], row["level"]) == ("dictated", "1", "high")


def test_a_drop() -> None:
    (row,) = tabulate_decisions(select_decisions([match()], DecisionFilter(costliest=1))).to_dict(
        "records"
    )
    assert (row["kind"], row["made"], row["solution"], row["cube_error"]) == (
        "pass",
        "pass",
        "take",
        "wrong pass",
    )
    assert (row["no_double"], row["take"], row["passed"]) == (0.8, 0.7, 1.0)
    assert pd.isna(row["best"])


def test_the_types_are_those_declared() -> None:
    table = tabulate_decisions(select_decisions([match()]))
    assert list(table.columns) == [column.name for column in SCHEMA.columns]
    assert {column.name: str(table[column.name].dtype) for column in SCHEMA.columns} == {
        column.name: column.dtype for column in SCHEMA.columns
    }
    assert not table.duplicated(list(SCHEMA.key)).any()


def test_nothing_is_a_table_too() -> None:
    assert as_csv([]) == []
    assert len(b"".join(render_decisions([], "csv")).splitlines()) == 1


@pytest.mark.slow
def test_batches_have_one_header(monkeypatch: pytest.MonkeyPatch) -> None:
    in_one_batch = b"".join(render_decisions(select_decisions([match()] * 3), "csv"))
    monkeypatch.setattr(decisions_csv, "BATCH", 4)
    assert b"".join(render_decisions(select_decisions([match()] * 3), "csv")) == in_one_batch


def test_parquet_keeps_the_types() -> None:
    pytest.importorskip("pyarrow")
    content = b"".join(
        render_decisions(select_decisions([match()._replace(path="\udce4.mat")]), "parquet")
    )
    table = pd.read_parquet(io.BytesIO(content))
    assert len(table) == len(match().rows)
    assert table["loss"].max() == pytest.approx(0.3)
    assert table["date"].iloc[0] == pd.Timestamp(2024, 5, 6)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_no_name_is_a_formula_or_breaks_a_row(name: str) -> None:
    renamed = match()
    results = tuple(result._replace(left_name=name) for result in renamed.results)
    rows = as_csv([renamed._replace(names=(name, "Bob"), results=results, path=name)])
    assert len(rows) == len(renamed.rows)
    for row in rows:
        for text in (row["player"], row["opponent"], row["path"]):
            assert not text.startswith(("=", "+", "-", "@", "\t", "\r"))
            assert printable(text) == text
