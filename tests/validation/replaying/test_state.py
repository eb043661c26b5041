"""The state of a game: only its own operations change it, and stale state misleads no later action."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from bganalyze.record.model import Span
from bganalyze.validation import replaying
from bganalyze.validation.replaying.board_guesses import CLEAN_STRETCH
from bganalyze.validation.replaying.replayed import MatchProblem
from bganalyze.validation.replaying.state import Doubt, ReportedProblem
from tests.conftest import check_text

FOLDER = Path(replaying.__file__).parent
CHANGES = {"add", "append", "clear", "discard", "extend", "insert", "pop", "remove", "update"}
"""Methods of lists, sets and dictionaries that change them."""


def changes(tree: ast.AST) -> Iterator[str]:
    """Yield what a module does to attributes of anything but `self`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            target = node
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in CHANGES
            and isinstance(node.func.value, ast.Attribute)
        ):
            target = node.func.value
        else:
            continue
        if not (isinstance(target.value, ast.Name) and target.value.id == "self"):
            yield f"line {node.lineno}: {ast.unparse(node)}"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.name)
def test_state_is_changed_by_its_own_operations_only(path: Path) -> None:
    assert not list(changes(ast.parse(path.read_text(encoding="utf-8"))))


def test_a_late_double_that_a_correction_takes_back_is_forgotten() -> None:
    findings = check_text(
        """
          1) 31: 8/5 6/5                 65: 24/12  Doubles => 2
          2)                             65: 24/13
          3) 42: 8/4 6/4                  Doubles => 2
          4)  Takes                      42: 8/4 6/4
        """
    )
    assert [(finding.line, finding.code) for finding in findings] == [
        (5, "P402"),
        (5, "C502"),
        (8, "T107"),
    ]


def test_legal_plays_before_a_doubt_do_not_shorten_it() -> None:
    doubt, cause = Doubt(), ReportedProblem(MatchProblem("missing-turn", Span(1, 1, 1), {}))
    for _ in range(CLEAN_STRETCH):
        doubt.count_legal_play()
    doubt.begin_doubt(cause, lasts=False)
    for _ in range(CLEAN_STRETCH - 1):
        doubt.count_legal_play()
    assert doubt.cause is cause
    doubt.count_legal_play()
    assert doubt.cause is None
