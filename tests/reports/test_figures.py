"""Every figure of every report against a second computation, on samples and on real files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import bganalyze
from bganalyze.findings import Severity
from bganalyze.replaying import MatchReplay
from bganalyze.reports import REPORTS, report
from bganalyze.reports.figures import COLUMNS, Section
from bganalyze.reports.question import Question
from bganalyze.tables.frames import tabulate
from tests.reports import naive

CLEAN = Path(__file__).parents[2] / "samples" / "clean"
NAMES = (
    "galaxy.txt",
    "studio.txt",
    "redoubles.mat",
    "money-jacoby-beavers.mat",
    "short-match.mat",
    "xg-mat.mat",
    "unfinished.mat",
)
EACH = 75
"""How many of the real files are looked at: one of so many."""

UNITED = ("Games", "Matches", "Plays", "Hits and shots", "Doubles", "Answers", "Races")
"""Sections whose groups are the players and nothing else."""


def replayed(paths: list[Path]) -> list[MatchReplay]:
    """Replay the files, but for those with a fault: what a fault does to figures has its own tests."""
    matches = [match for path in paths for match in bganalyze.read(path)]
    clean = [
        match
        for match in matches
        if all(found.severity is Severity.INFO for found in bganalyze.check([match]))
    ]
    return [bganalyze.replay(match) for match in clean]


@pytest.fixture(scope="module")
def samples() -> list[MatchReplay]:
    return replayed([CLEAN / name for name in NAMES])


def sections(
    name: str, replays: list[MatchReplay], by: tuple[str, ...] = ("player",)
) -> list[Section]:
    return report(name).report(tabulate(replays), Question(by=by))


def sums(made: list[Section]) -> dict[tuple[str, ...], tuple[float, float, float]]:
    """The counts of the sections whose groups are players."""
    found = {}
    for section in made:
        if section.title in UNITED:
            for row in section.frame.to_dict("records"):
                expected = 0.0 if pd.isna(row["expected"]) else row["expected"] * row["of"]
                found[row["player"], section.title, row["figure"]] = (
                    row["count"],
                    row["of"],
                    expected,
                )
    return found


Pass = Callable[[list[MatchReplay]], naive.Sums]
PASSES: dict[str, Pass] = {"points": naive.points, "checker": naive.checker, "cube": naive.cube}
UNCOUNTED = {("Plays", "crossovers a play")}
"""Figures with tests of their own."""


def compare(name: str, replays: list[MatchReplay]) -> int:
    told = sums(sections(name, replays))
    counted = {key: each for key, each in PASSES[name](replays).sums.items() if len(key) == 3}
    assert {key for key in told if key[1:] not in UNCOUNTED} >= set(counted)
    for key, (count, of, expected) in told.items():
        if key[1:] in UNCOUNTED:
            continue
        wanted = counted.get(key, [0.0, 0.0, 0.0])
        assert count == pytest.approx(wanted[0], rel=1e-5), key
        if key[2] not in (
            "games",
            "matches",
            "plays",
            "chances to double",
            "doubles faced",
            "doubles in a race",
        ):
            assert of == pytest.approx(wanted[1]), key
        assert expected == pytest.approx(wanted[2], abs=1e-4), key
    return len(told)


@pytest.mark.parametrize("name", PASSES)
def test_samples(name: str, samples: list[MatchReplay]) -> None:
    assert compare(name, samples) > 50


@pytest.mark.corpus
@pytest.mark.parametrize("name", PASSES)
def test_real_files(name: str, corpus: Path) -> None:
    files = sorted((corpus / "mat").iterdir())[::EACH]
    assert compare(name, replayed(files)) > 100


def test_endings_and_the_ledger(samples: list[MatchReplay]) -> None:
    made = {section.title: section.frame for section in sections("points", samples)}
    counted = naive.points(samples).sums
    ledger = made["Ledger"].set_index(["player", "ending"])
    for (player, title, entry, figure), (count, _, _) in (
        (key, each) for key, each in counted.items() if len(key) == 4
    ):
        if title == "Ledger":
            assert ledger.loc[(player, entry), figure] == count
        else:
            rows = made[title][(made[title]["player"] == player) & (made[title]["ending"] == entry)]
            assert rows[rows["figure"] == figure]["count"].tolist() == [count]
    total = ledger.xs("total", level="ending")
    entries = ledger.drop("total", level="ending").groupby("player", observed=True).sum()
    assert total["net"].sum() == 0
    assert (entries.loc[total.index] == total).all(axis=None)


@pytest.mark.parametrize("name", REPORTS)
def test_parts_add_up_to_the_whole(name: str, samples: list[MatchReplay]) -> None:
    """What is counted for each player is together what is counted for all."""
    whole = {each.title: each.frame for each in sections(name, samples, by=())}
    for section in sections(name, samples):
        if (
            "player" not in section.frame
            or section.title == "Moving window"
            or "figure" not in section.frame
        ):
            continue
        frame, everybody = section.frame, whole[section.title]
        for figure in frame["figure"].unique():
            parts = frame[frame["figure"] == figure]["count"].sum()
            assert parts == pytest.approx(
                everybody[everybody["figure"] == figure]["count"].sum()
            ), figure


@pytest.mark.parametrize("name", REPORTS)
def test_every_report_answers_nothing(name: str) -> None:
    for section in sections(name, []):
        assert section.frame.empty or section.title == "Throws by value"


@pytest.mark.parametrize("name", REPORTS)
@pytest.mark.parametrize("by", ["opponent", "length", "year", "month", "site", "score", "phase"])
def test_every_report_by_every_dimension(name: str, by: str, samples: list[MatchReplay]) -> None:
    for section in sections(name, samples, by=(by,)):
        if set(COLUMNS) <= set(section.frame.columns):
            frame = section.frame
            assert (frame["low"].isna() | (frame["low"] <= frame["value"] + 1e-9)).all()
            assert (frame["high"].isna() | (frame["high"] >= frame["value"] - 1e-9)).all()
