"""The real files that BGANALYZE_CORPUS names, and the one-fault cases beside them."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from bganalyze.record.reader import read
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Finding, Severity
from bganalyze.validation.replaying import replay

pytestmark = [pytest.mark.corpus, pytest.mark.slow]

RESULT_ROWS = ("dance-but-legal", "????")
"""Anomalies that are resignations if they directly precede a result."""

ANSWERS = {
    "Illegal play": {"P499"},
    "no-checker": {"P401", "T112"},
    "illegal": {"P403", "P404", "T112"},
    "unfinished": {"T107", "R613"},
    "odd-move": {"T103"},
}
"""Codes allowed at the line of an anomaly of each kind.

A `score-jump` follows from the game before it, whose columns are exchanged: R603 is there.
"""


@cache
def findings(path: Path) -> tuple[Finding, ...]:
    return tuple(check(read(path)))


def rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t")


@pytest.fixture(scope="session")
def anomalies(corpus: Path) -> dict[str, list[tuple[int, str]]]:
    """File -> (line, kind) of everything known to be odd."""
    anomalies_of: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for row in rows(corpus / "ANOMALIES.tsv"):
        anomalies_of[row["file"]].append((int(row["line"]), row["kind"]))
    return anomalies_of


@pytest.fixture(scope="session")
def synthetic(corpus: Path) -> set[str]:
    """Files made by a writer's tests, whose plays are no legal sequences."""
    return {row["path"] for row in rows(corpus / "INDEX.tsv") if "SYNTHETIC" in row["producer"]}


def test_clean_files_carry_no_error(
    corpus: Path, anomalies: dict[str, list[tuple[int, str]]], synthetic: set[str]
) -> None:
    raised = []
    for path in sorted((corpus / "mat").iterdir()):
        name = f"mat/{path.name}"
        reported = findings(path)
        if name not in anomalies and name not in synthetic:
            raised += [f for f in reported if f.severity is not Severity.INFO]
    assert raised == []


def test_anomalies_are_met(
    corpus: Path, anomalies: dict[str, list[tuple[int, str]]], synthetic: set[str]
) -> None:
    unmet = []
    for name, expected in anomalies.items():
        if name in synthetic or not (corpus / name).exists():
            continue
        reported = findings(corpus / name)
        for line, kind in expected:
            anywhere = kind == "unfinished"
            codes = {f.code for f in reported if anywhere or f.line == line}
            if kind in ANSWERS and not codes & ANSWERS[kind]:
                unmet.append((name, line, kind, codes))
    assert unmet == []


def test_rolls_before_a_result_are_resignations(
    corpus: Path, anomalies: dict[str, list[tuple[int, str]]]
) -> None:
    """All but two of sixty supposed dances directly precede a result."""
    blamed = []
    for name, expected in anomalies.items():
        reported = findings(corpus / name)
        lines = {line for line, kind in expected if kind in RESULT_ROWS}
        blamed += [f for f in reported if f.line in lines and f.code in ("P411", "D303")]
    assert len(blamed) <= 2


def test_every_replay_is_a_chain(corpus: Path) -> None:
    """Each turn starts from the board that the one before it left."""
    for path in sorted((corpus / "mat").iterdir())[::10]:
        for match in read(path):
            for game in replay(match).games:
                if not game.problems:
                    assert all(
                        turn.after == following.before for turn, following in pairwise(game.turns)
                    )


def test_points_as_recorded_follow_from_the_board(
    corpus: Path, anomalies: dict[str, list[tuple[int, str]]], synthetic: set[str]
) -> None:
    """The three kinds of points of every decided game agree, caps and Jacoby apart."""
    checked = 0
    for path in sorted((corpus / "mat").iterdir()):
        if f"mat/{path.name}" in anomalies or f"mat/{path.name}" in synthetic:
            continue
        for match in read(path):
            for game in replay(match).games:
                ending, context = game.ending, game.context
                if ending.on_board is None or ending.recorded is None or ending.winner is None:
                    continue
                checked += 1
                missing_points = (context.terms.length or 10**6) - context.score[ending.winner]
                fits = {ending.on_board, min(ending.on_board, missing_points)}
                fits.add(min(ending.on_board, context.terms.length or 10**6))
                jacoby = context.terms.jacoby is None
                assert ending.recorded in fits or jacoby, (path.name, context.game, ending)
    assert checked > 1000


def cases(corpus: Path) -> Path:
    folder = corpus.parent / "cases"
    if not folder.is_dir():
        pytest.skip("no folder of one-fault cases beside the real files")
    return folder


def test_one_fault_cases(corpus: Path) -> None:
    """Each fault at its line, and nothing else above info."""
    folder = cases(corpus)
    for row in rows(folder / "EXPECTED.tsv"):
        reported = findings(folder / f"{row['file']}.mat")
        faults = [(f.code, f.line) for f in reported if f.severity is not Severity.INFO]
        remarks = {(f.code, f.line) for f in reported if f.severity is Severity.INFO}
        if row["code"] == "-":
            assert faults == [], row["file"]
            continue
        expected = (row["code"], int(row["line"]))
        silence_is_as_good = row["code"] == "T108"
        assert faults == [expected] or (
            faults == [] and (expected in remarks or silence_is_as_good)
        ), (
            row["file"],
            faults,
        )
