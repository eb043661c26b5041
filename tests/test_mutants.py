"""Mutants: each is a program that differs in one place, and the same seed draws the same."""

from __future__ import annotations

import ast
import sqlite3
from pathlib import Path

import pytest

from tests.mutants import PACKAGE, Coverage, Mutant, draw_mutants, find_killer, mutants_of

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
    changed = [mutant.applied(path.read_bytes()).decode() for mutant in mutants_of(path)]
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
    text = mutant.applied(mutant.path.read_bytes())
    name = mutant.path.relative_to(PACKAGE.parent)
    same = ["cmp", str(name), str(mutant.path)]
    assert find_killer(mutant, [["true"], same], 60) == 1
    assert find_killer(mutant, [["test", "-f", str(name)]], 60) is None
    assert find_killer(mutant, [["sh", "-c", "exit 5"]], 60) is None, "no test left is no failure"
    assert text != mutant.path.read_bytes()


def test_the_tests_of_a_statement_are_those_that_run_it(tmp_path: Path) -> None:
    """A statement of several lines is run by a test that runs any of them; its body is not part of it."""
    lines = ["def most(a):", "    if (a", "        > 3):", "        return a", "    return 3"]
    data = tmp_path / ".coverage"
    with sqlite3.connect(data) as database:
        database.executescript(
            "create table file (id, path); create table context (id, context);"
            "create table line_bits (file_id, context_id, numbits);"
            "insert into file values (1, '/elsewhere/most.py');"
            "insert into context values (1, 't.py::a[x|y]|run'), (2, 't.py::b|run'), (3, '');"
        )
        shares = [(1, {2, 4}), (2, {3, 5}), (3, {1})]
        database.executemany(
            "insert into line_bits values (1, ?, ?)",
            [(context, bytes([sum(1 << line for line in share)])) for context, share in shares],
        )
    source = tmp_path / "most.py"
    source.write_text("\n".join(lines))
    coverage = Coverage(data, tmp_path)

    def tests_of(line: int) -> list[str] | None:
        return coverage.find_tests(Mutant(source, line, 0, 0, ""))

    assert tests_of(3) == tests_of(2) == ["t.py::a[x|y]", "t.py::b"]
    assert tests_of(4) == ["t.py::a[x|y]"]
    assert tests_of(5) == ["t.py::b"]
    assert tests_of(1) is None, "all tests, for it runs while the module is imported"
