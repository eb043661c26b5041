"""Totality on a few hundred seeded files; `python -m tests.fuzzing` runs as many as are wanted."""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import chain
from random import Random

import pytest

import bganalyze
from bganalyze.record.reader import read_bytes
from bganalyze.statistics.match_report import make_match_reports, select_reported
from bganalyze.statistics.reports import REPORTS
from bganalyze.statistics.reports.answer import answer_from_tables
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.tables.frames import tabulate
from bganalyze.validation.checking import check
from bganalyze.validation.ignores import find_ignores
from bganalyze.validation.replaying import replay
from tests.fuzzing import binary
from tests.fuzzing.bases import PLAIN, bases
from tests.fuzzing.mutants import MUTATORS, Mutator, mutant
from tests.fuzzing.noise import noise
from tests.fuzzing.totality import troubles, unsteady

pytestmark = pytest.mark.slow

SEED = 64
MUTANTS = 80
NOISE = 40
BATCH = 20
BINARY = 12


def wrong_with(data: bytes) -> list[str]:
    """Return what is wrong, with enough of the file to find it again."""
    problems = chain(troubles(data), unsteady(data))
    return [f"{trouble.what}: {trouble.detail} in {data[:300]!r}" for trouble in problems]


def test_the_plain_base_has_no_error() -> None:
    findings = check(read_bytes(PLAIN, "plain.mat"))
    assert [finding for finding in findings if finding.severity == "error"] == []


@pytest.mark.parametrize("mutator", MUTATORS)
def test_each_mutation_of_a_plain_record_ends_well(mutator: Mutator) -> None:
    for number in range(4):
        assert wrong_with(mutator(PLAIN, Random(f"{SEED}:{number}"))) == []


@pytest.mark.parametrize("batch", range(MUTANTS // BATCH))
def test_mutants_end_well(batch: int) -> None:
    base_files = bases()
    for number in range(batch * BATCH, (batch + 1) * BATCH):
        assert wrong_with(mutant(base_files, Random(f"{SEED}:mutant:{number}"))) == []


@pytest.mark.parametrize("batch", range(NOISE // BATCH))
def test_noise_ends_well(batch: int) -> None:
    for number in range(batch * BATCH, (batch + 1) * BATCH):
        assert wrong_with(noise(Random(f"{SEED}:noise:{number}"))) == []


def test_mutants_can_be_counted() -> None:
    """Every report of the statistics, and for every other file that of its matches, whatever it holds."""
    base_files, replays = bases(), []
    for number in range(BATCH):
        with suppress(bganalyze.NotATranscript):
            data = mutant(base_files, Random(f"{SEED}:{number}"))
            matches = read_bytes(data, f"{number}")
            replays += map(replay, matches)
            if number % 2:
                make_match_reports(select_reported(matches), bganalyze.BASIC, find_ignores(matches))
    answer = answer_from_tables(tabulate(replays), REPORTS, Question(by=("player",)))
    assert set(answer.reports) == set(REPORTS)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="limits of POSIX")
@pytest.mark.parametrize("known_as", list(binary.BASES))
def test_mutants_of_binary_files_take_little(known_as: str) -> None:
    """Each in a process with limits of processor time and memory; whatever the commands do with it."""
    binary.use(binary.BASES["gva"][0])  # Its imports are not counted.
    mutants = (binary.mutant(known_as, Random(f"{SEED}:{number}")) for number in range(BINARY))
    used = [binary.use_file(data) for data in mutants]
    assert [took.trouble for took in used if took.trouble] == []
    assert any(took.is_match for took in used)


def test_numbers_of_nine_digits_can_be_counted() -> None:
    """The most that a record can state: of points, of the cube, of a length."""
    text = b" 999999999 point match\n\n Game 1\n A : 999999998  B : 0\n  1) 31: 8/5 6/5"
    text += b"   Doubles => 999999999\n  2) Takes   Wins 999999999 points\n"
    tables = tabulate(map(replay, read_bytes(text, "large.mat")))
    assert tables.matches["length"].tolist() == [999_999_999]
    assert tables.games["left_score"].tolist() == [999_999_998]


def test_a_cube_turned_forty_times_can_be_counted() -> None:
    turns = ("  2)  Doubles    Takes", "  2)  Takes      Doubles") * 40
    rows = "\n".join(f"{turn}\n  3) 31: 8/5 6/5     42: 8/4 6/4" for turn in turns)
    text = (
        f" Game 1\n A : 0   B : 0\n  1) 31: 8/5 6/5     42: 8/4 6/4\n{rows}\n      Wins 9 points\n"
    )
    replays = list(map(replay, read_bytes(text.encode(), "cube.mat")))
    assert replays[0].games[0].turns[-1].cube.value > 1 << 32
    tables = tabulate(replays)
    largest = (1 << 31) - 1
    assert [tables.turns["cube"].max(), tables.cubes["offer"].max()] == [largest, largest]


@pytest.mark.parametrize("score", ["9" * 9_000, "³", "٦", "-1"])
def test_a_final_score_that_is_no_number_is_none(score: str) -> None:
    text = (
        f"bganalyze match\nproducer: Backgammon Galaxy\nlength: 3\nPlayer 1 Elo: {score}/0\n"
        "Player 2 Elo: 1/0\ngame 1\nscore 0-0\nL 31 8/5 6/5\nR wins 3\n"
    )
    assert wrong_with(text.encode()) == []


@pytest.mark.parametrize("limit", ["¹024", "1" * 900, "-1", "", "٦٤", "102\x1e", "\x1c64"])
def test_a_limit_that_is_no_number_is_none(limit: str) -> None:
    assert wrong_with(f'; [CubeLimit "{limit}"]\n'.encode() + PLAIN) == []
    tree = f"(;GM[6]MI[length:3]PW[Ann]PB[Bob]XH[CubeLimit={limit}];W[31hefe])"
    assert wrong_with(tree.encode()) == []
