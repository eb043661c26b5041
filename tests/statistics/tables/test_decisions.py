"""The tables of analyzed matches: columns as declared, keys that join, and rows as they were kept."""

from __future__ import annotations

import pandas as pd
import pytest

from bganalyze.analysis.analyzed import loss
from bganalyze.analysis.error_rates import METRICS
from bganalyze.statistics.tables.decisions import ANALYZED_SCHEMAS, name_counted_column
from bganalyze.statistics.tables.frames import AnalyzedTables, tabulate_analyzed
from tests.statistics.reports.analyzed import Guesser, analyze_samples, analyze_text
from tests.statistics.tables.test_tables import EXCHANGED, MATCH


@pytest.fixture(scope="module")
def tables() -> AnalyzedTables:
    return tabulate_analyzed(analyze_samples(["short-match.mat", "money-jacoby-beavers.mat"]))


def test_columns_are_as_declared(tables: AnalyzedTables) -> None:
    for schema, frame in zip(ANALYZED_SCHEMAS, tables, strict=True):
        assert list(frame) == [column.name for column in schema.columns]
        for column in schema.columns:
            assert str(frame[column.name].dtype) == column.dtype, column.name
            if column.choices:
                assert tuple(frame[column.name].cat.categories) == column.choices


def test_keys_are_unique_and_join(tables: AnalyzedTables) -> None:
    for schema, frame in zip(ANALYZED_SCHEMAS, tables, strict=True):
        assert not frame.duplicated(list(schema.key)).any()
    games = pd.MultiIndex.from_frame(tables.games[["match", "game"]])
    assert pd.MultiIndex.from_frame(tables.decisions[["match", "game"]]).isin(games).all()
    assert tables.games["match"].isin(tables.matches["match"]).all()


def test_nothing_has_the_same_columns(tables: AnalyzedTables) -> None:
    for empty, full in zip(tabulate_analyzed([]), tables, strict=True):
        assert (len(empty), list(empty)) == (0, list(full))


def test_rows_are_as_they_were_kept() -> None:
    match = analyze_text(MATCH)
    tables = tabulate_analyzed([match])
    [match_row] = tables.matches.to_dict("records")
    assert (match_row["site"], match_row["date"]) == ("Somewhere", pd.Timestamp(2031, 5, 19))
    assert (match_row["left"], match_row["right"], match_row["length"]) == ("Ann", "Bob", 3)
    assert (match_row["engine"], match_row["version"], match_row["level"]) == (
        "guesser",
        "1",
        "0ply",
    )
    games = tables.games
    assert games["opened"].tolist() == ["3-1", "2-1"]
    assert games[["left_away", "right_away"]].to_numpy().tolist() == [[3, 3], [3, 1]]
    assert games["winner"].tolist() == ["right", "left"]
    rows = tables.decisions.to_dict("records")
    assert len(rows) == len(match.rows)
    for row, analyzed_row in zip(rows, match.rows, strict=True):
        cost = loss(analyzed_row)
        assert row["xgid"] == analyzed_row.xgid
        assert pd.isna(row["loss"]) if cost is None else row["loss"] == cost
        for metric in METRICS:
            counts = metric.counts(analyzed_row) and metric.lost(analyzed_row) is not None
            assert row[name_counted_column(metric)] == counts


def test_a_match_met_again_is_a_copy_if_the_same_engine_has_analyzed_it() -> None:
    texts = [text.replace("Ann", "Anna") for text in (MATCH, EXCHANGED)]
    matches = [analyze_text(text) for text in (MATCH, *texts)]
    matches.append(analyze_text(MATCH, Guesser("other")))
    copies = tabulate_analyzed(matches).matches["copy_of"]
    assert [None if pd.isna(copy) else copy for copy in copies] == [None, 0, 0, None]
