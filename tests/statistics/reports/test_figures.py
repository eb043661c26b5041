"""Every figure of every report against a second computation, on samples and on real files."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

from bganalyze.record.reader import read
from bganalyze.statistics.reports import REPORTS, load_report
from bganalyze.statistics.reports.figures import Section
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.tables.frames import Tables, tabulate
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Severity
from bganalyze.validation.replaying import MatchReplay, replay
from tests.statistics.reports import naive
from tests.statistics.reports.asked import sections_of

pytestmark = pytest.mark.slow

CLEAN = Path(__file__).parents[3] / "samples" / "clean"
NAMES = (
    "galaxy.txt",
    "studio.txt",
    "redoubles.mat",
    "money-jacoby-beavers.mat",
    "short-match.mat",
    "xg-mat.mat",
    "unfinished.mat",
)
EACH = 200
"""One real file in this many is looked at."""

UNITED = ("Games", "Matches", "Plays", "Hits and shots", "Doubles", "Answers", "Races")
"""Sections whose groups are the players and nothing else."""


def replay_files(paths: list[Path]) -> list[MatchReplay]:
    """Replay the files, but for those with a fault: what a fault does to figures has its own tests."""
    matches = [match for path in paths for match in read(path)]
    clean = [
        match
        for match in matches
        if all(finding.severity is Severity.INFO for finding in check([match]))
    ]
    return [replay(match) for match in clean]


@pytest.fixture(scope="module")
def samples() -> list[MatchReplay]:
    """The samples, but for one that is an early save of another: a match counts once."""
    return replay_files([CLEAN / name for name in NAMES if name != "unfinished.mat"])


@pytest.fixture(scope="module")
def real_files(corpus: Path) -> list[MatchReplay]:
    return replay_files(sorted((corpus / "mat").iterdir())[::EACH])


_TABULATED: dict[int, tuple[list[MatchReplay], Tables]] = {}


def tables_of(replays: list[MatchReplay]) -> Tables:
    """Return the tables of matches, made once for all tests of these."""
    if id(replays) not in _TABULATED:
        _TABULATED[id(replays)] = replays, tabulate(replays)
    return _TABULATED[id(replays)][1]


def sections(
    name: str, replays: list[MatchReplay], by: tuple[str, ...] = ("player",)
) -> list[Section]:
    return sections_of(name, tables_of(replays), Question(by=by))


def sums(sections_of_report: list[Section]) -> dict[tuple[str, ...], tuple[float, float, float]]:
    """Return the counts of the sections whose groups are players."""
    totals = {}
    for section in sections_of_report:
        if section.title in UNITED:
            for row in section.frame.to_dict("records"):
                expected = 0.0 if pd.isna(row["expected"]) else row["expected"] * row["of"]
                totals[row["player"], section.title, row["figure"]] = (
                    row["count"],
                    row["of"],
                    expected,
                )
    return totals


Pass = Callable[[list[MatchReplay]], naive.Sums]
PASSES: dict[str, Pass] = {"points": naive.points, "checker": naive.checker, "cube": naive.cube}
OF_RARE_RACES = {
    f"{formula}: {what}"
    for formula in ("Keith", "Trice")
    for what in ("double", "turned when due", "takes", "passes")
}
"""Figures that `naive` counts in real files: nobody doubles in a race of the samples."""

COUNTS = (
    "games",
    "matches",
    "plays",
    "chances to double",
    "doubles faced",
    "doubles in a race",
)
"""Plain counts, which are of nothing."""


@cache
def find_named_strings() -> set[object]:
    """Return the strings of the tests of the reports, which name the figures that they count."""
    paths = Path(__file__).parent.glob("*.py")
    nodes = (node for path in paths for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    return {node.value for node in nodes if isinstance(node, ast.Constant)}


_COUNTED: dict[tuple[str, int], tuple[list[MatchReplay], naive.Sums]] = {}


def count_again(name: str, replays: list[MatchReplay]) -> dict[tuple[str, ...], list[float]]:
    """Return the sums of `naive`, made once for all tests of the same matches."""
    key = name, id(replays)
    if key not in _COUNTED:
        _COUNTED[key] = replays, PASSES[name](replays)
    return _COUNTED[key][1].sums


def compare(name: str, replays: list[MatchReplay]) -> int:
    """Compare the figures that are counted a second time; others are counted on paper."""
    counted_here = {key: pair for key, pair in count_again(name, replays).items() if len(key) == 3}
    counted_keys = {key[1:] for key in counted_here}
    figures = {
        key: pair for key, pair in sums(sections(name, replays)).items() if key[1:] in counted_keys
    }
    assert set(figures) >= set(counted_here)
    for key, (count, of, expected) in figures.items():
        second = counted_here.get(key, [0.0, 0.0, 0.0])
        assert count == pytest.approx(second[0], rel=1e-5), key
        if key[2] not in COUNTS:
            assert of == pytest.approx(second[1]), key
        known = 0.0 if pd.isna(second[2]) else second[2]
        assert expected == pytest.approx(known, abs=1e-4), key
    return len(figures)


@pytest.mark.parametrize("name", REPORTS)
def test_every_figure_is_counted_in_a_test(name: str, samples: list[MatchReplay]) -> None:
    """On paper, of a match so small that it can be, or a second time by `naive`."""
    counted_names = {key[-1] for key in count_again(name, samples)} if name in PASSES else set()
    figures = {figure.name for figures in load_report(name).sections.values() for figure in figures}
    assert figures <= {*counted_names, *OF_RARE_RACES, *find_named_strings()}


@pytest.mark.parametrize("name", PASSES)
def test_samples(name: str, samples: list[MatchReplay]) -> None:
    assert compare(name, samples) > 50


@pytest.mark.corpus
@pytest.mark.parametrize("name", PASSES)
def test_real_files(name: str, real_files: list[MatchReplay]) -> None:
    assert compare(name, real_files) > 50


def test_endings_and_the_ledger(samples: list[MatchReplay]) -> None:
    frames = {section.title: section.frame for section in sections("points", samples)}
    expected = count_again("points", samples)
    ledger = frames["Ledger"].set_index(["player", "ending"])
    for (player, title, entry, figure), (count, _, _) in (
        (key, entry_sums) for key, entry_sums in expected.items() if len(key) == 4
    ):
        if title == "Ledger":
            assert ledger.loc[(player, entry), figure] == count
        else:
            rows = frames[title][
                (frames[title]["player"] == player) & (frames[title]["ending"] == entry)
            ]
            assert rows[rows["figure"] == figure]["count"].tolist() == [count]
    total = ledger.xs("total", level="ending")
    entries = ledger.drop("total", level="ending").groupby("player", observed=True).sum()
    assert total["net"].sum() == 0
    assert (entries.loc[total.index] == total).all(axis=None)


@pytest.mark.parametrize("name", REPORTS)
def test_parts_add_up_to_the_whole(name: str, samples: list[MatchReplay]) -> None:
    """The counts of the players add up to the counts of all."""
    of_all = {section.title: section.frame for section in sections(name, samples, by=())}
    for section in sections(name, samples):
        if (
            "player" not in section.frame
            or section.title == "Moving window"
            or "figure" not in section.frame
        ):
            continue
        frame, everybody = section.frame, of_all[section.title]
        for figure in frame["figure"].unique():
            parts = frame[frame["figure"] == figure]["count"].sum()
            assert parts == pytest.approx(
                everybody[everybody["figure"] == figure]["count"].sum()
            ), figure


NOBODY: list[MatchReplay] = []


@pytest.mark.parametrize("name", REPORTS)
def test_every_report_answers_nothing(name: str) -> None:
    for section in sections(name, NOBODY):
        assert section.frame.empty or section.title == "Rolls by value"
