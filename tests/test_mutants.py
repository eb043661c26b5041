"""Mutants: each is a program that differs in one place, and the same seed draws the same."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.mutants import PACKAGE, drawn, is_killed, mutants_of

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
    assert drawn(5, 1, places) == drawn(5, 1, places) != drawn(5, 2, places)
    assert len(drawn(5, 1, places)) == 5


@pytest.mark.slow
def test_a_mutant_is_killed_where_a_command_fails() -> None:
    (mutant,) = drawn(1, 1, [PACKAGE / "board" / "cube.py"])
    text = mutant.applied(mutant.path.read_bytes())
    name = mutant.path.relative_to(PACKAGE.parent)
    assert is_killed(mutant, [["true"], ["cmp", str(name), str(mutant.path)]], 60)
    assert not is_killed(mutant, [["test", "-f", str(name)]], 60)
    assert text != mutant.path.read_bytes()
