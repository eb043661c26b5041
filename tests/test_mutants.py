"""Mutants: each is a program that differs in one place, and the same seed draws the same."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from coverage import CoverageData

from tests.mutants import (
    PACKAGE,
    Coverage,
    Mutant,
    PytestRun,
    Share,
    draw_mutants,
    find_killer,
    list_mutants,
    list_runs,
)

PROGRAM = """\
def most(counts):
    # in the comment: x in y
    if counts and len(counts) > 3 or not any(counts):
        counts.clear()
        return max(counts) if 1 not in counts else -2
    return (counts[0] + 1) == 2
"""


def test_each_is_a_program_that_differs_in_one_place(tmp_path: Path) -> None:
    path = tmp_path / "most.py"
    path.write_text(PROGRAM)
    changed = [mutant.apply(path.read_bytes()).decode() for mutant in list_mutants(path)]
    assert len(set(changed)) == len(changed) > 15
    for text in changed:
        ast.parse(text)
        assert text != PROGRAM
    lines = {line.strip() for text in changed for line in text.splitlines()}
    assert {
        "if counts and len(counts) >= 3 or not any(counts):",
        "if counts or len(counts) > 3 or not any(counts):",
        "return min(counts) if 1 not in counts else -2",
        "return max(counts) if 1 in counts else -2",
        "return (counts[0] - 1) == 2",
        "return (counts[0] + 1) != 2",
        "pass",
    } <= lines


def test_the_same_seed_draws_the_same() -> None:
    places = [PACKAGE / "board"]
    assert draw_mutants(5, 1, places) == draw_mutants(5, 1, places) != draw_mutants(5, 2, places)
    assert len(draw_mutants(5, 1, places)) == 5


@pytest.mark.slow
def test_a_mutant_is_killed_where_a_command_fails() -> None:
    (mutant,) = draw_mutants(1, 1, [PACKAGE / "board" / "cube.py"])
    text = mutant.apply(mutant.path.read_bytes())
    name = mutant.path.relative_to(PACKAGE.parent)
    good, bad, none_left = (
        PytestRun(command, is_slow=False)
        for command in (
            ["test", "-f", str(name)],
            ["cmp", str(name), str(mutant.path)],
            ["sh", "-c", "exit 5"],
        )
    )
    assert find_killer(mutant, [good, bad, good], 60) == bad
    assert find_killer(mutant, [good, none_left], 60) is None
    assert text != mutant.path.read_bytes()


def test_the_tests_of_a_statement_are_those_that_run_it(tmp_path: Path) -> None:
    """A statement of several lines is run by a test that runs any of them; its body is not part of it."""
    lines = [
        "def most(a):",
        "    if (a",
        "        > 3):",
        "        return a",
        "    return 3",
        "four = 4",
    ]
    data = CoverageData(tmp_path / ".coverage")
    for context, run in (("t.py::a[x|y]|run", {2, 4}), ("t.py::b|run", {1, 3, 5}), ("", {1})):
        data.set_context(context)
        data.add_lines({"/elsewhere/most.py": run})
    data.write()
    source = tmp_path / "most.py"
    source.write_text("\n".join(lines))
    coverage = Coverage(tmp_path / ".coverage", tmp_path)

    def share_of(line: int) -> Share:
        return coverage.find_tests(Mutant(source, line, 0, 0, ""))

    assert share_of(3) == share_of(2) == Share(["t.py::a[x|y]", "t.py::b"], is_whole=True)
    assert share_of(4) == Share(["t.py::a[x|y]"], is_whole=True)
    assert share_of(5) == Share(["t.py::b"], is_whole=True)
    assert share_of(1) == Share(["t.py::b"], is_whole=False), "it also runs during the import"
    assert share_of(6) == Share([], is_whole=False), "it may run in another process"


def test_a_decorator_is_a_part_of_its_function(tmp_path: Path) -> None:
    source = tmp_path / "a.py"
    source.write_text("from functools import cache\n\n@cache\ndef f(): return 1\n")
    data = CoverageData(tmp_path / ".coverage")
    data.set_context("t.py::a|run")
    data.add_lines({str(source): [3]})
    data.write()
    coverage = Coverage(tmp_path / ".coverage", tmp_path)
    assert coverage.find_tests(Mutant(source, 3, 0, 0, "")).tests == ["t.py::a"]


def test_tests_that_run_the_statement_come_first_and_slow_ones_last(tmp_path: Path) -> None:
    (mutant,) = draw_mutants(1, 1, [PACKAGE / "board" / "cube.py"])
    listed = tmp_path / "listed"
    assert [run.is_slow for run in list_runs(mutant, None, listed, quick=False)] == [False, True]
    assert not any(run.is_slow for run in list_runs(mutant, None, listed, quick=True))
    data = CoverageData(tmp_path / ".coverage")
    data.set_context("t.py::a|run")
    lines = len(mutant.path.read_bytes().splitlines())
    data.add_lines({str(mutant.path): range(1, lines + 1)})
    data.write()
    runs = list(list_runs(mutant, Coverage(tmp_path / ".coverage"), listed, quick=False))
    assert [run.is_slow for run in runs] == [False, True]
    assert all(run.command[-1] == f"@{listed}" for run in runs)
    assert listed.read_text() == "t.py::a"
