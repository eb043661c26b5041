"""The books of the real files: every clean match balances, and Galaxy's final scores agree."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pandas as pd
import pytest

from bganalyze.app.jobs.tabulate import tabulate_files
from bganalyze.record.reader import read
from bganalyze.statistics.reports.points import balance_books
from bganalyze.statistics.tables.frames import Tables

pytestmark = pytest.mark.corpus

_SCORE = re.compile(r"\s*(\d+)")


@pytest.fixture(scope="module")
def tables(corpus: Path) -> Tables:
    return tabulate_files([str(corpus / "mat")], groups=())


@pytest.fixture(scope="module")
def odd(corpus: Path) -> set[str]:
    """Files that are known to have a fault, or that were made by a writer's tests."""
    with (corpus / "ANOMALIES.tsv").open(encoding="utf-8", newline="") as file:
        odd_paths = {row["file"] for row in csv.DictReader(file, delimiter="\t")}
    with (corpus / "INDEX.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        odd_paths |= {row["path"] for row in rows if "SYNTHETIC" in row["producer"]}
    return {Path(name).name for name in odd_paths}


def clean(frame: pd.DataFrame, tables: Tables, odd: set[str]) -> pd.DataFrame:
    """Return the rows of matches in files without a known fault."""
    names = tables.matches.set_index("match")["path"].map(lambda path: Path(path).name)
    return frame[~frame["match"].map(names).isin(odd)]


@pytest.mark.slow
def test_every_clean_match_balances(tables: Tables, odd: set[str]) -> None:
    books = clean(balance_books(tables), tables, odd)
    assert len(books) > 900
    assert books[~books["balances"]]["match"].tolist() == []


@pytest.mark.slow
def test_the_last_score_of_galaxy_is_that_of_its_header(tables: Tables, odd: set[str]) -> None:
    """Its `Elo` entries hold the final score, no more than the length."""
    matches = clean(tables.matches, tables, odd)
    galaxy = matches[(matches["producer"] == "Backgammon Galaxy") & (matches["length"] > 0)]
    count = 0
    for row in galaxy.to_dict("records"):
        (match,) = read(row["path"])
        stated = [_SCORE.match(match.tag(f"Player {n} Elo") or "") for n in (1, 2)]
        if None in stated or pd.isna(row["left_after"]):
            continue
        scores = [min(row[f"{side}_after"], row["length"]) for side in ("left", "right")]
        assert scores == [int(score.group(1)) for score in stated if score], row["path"]
        count += 1
    assert count > 600


@pytest.mark.slow
def test_points_of_board_record_and_score_agree(tables: Tables, odd: set[str]) -> None:
    """A game's points by the board, cut to what is needed, count; so do those recorded."""
    games = clean(tables.games, tables, odd)
    finished = games[
        games["winner"].notna() & games["on_board"].notna() & games["recorded"].notna()
    ]
    away = finished["left_away"].where(finished["winner"] == "left", finished["right_away"])
    missing_points = away.astype("Int32").fillna(10**6).astype(int)
    by_board = finished["on_board"].astype(int).clip(upper=missing_points)
    jacoby = (finished["stage"] == "money") & finished["jacoby"].isna() & (finished["cube"] == 1)
    differing = finished[(by_board != finished["counting"]) & ~jacoby]
    assert len(finished) > 2500
    assert differing[["match", "game"]].to_numpy().tolist() == []
