"""Twice as much of anything takes twice as many steps: to read, to replay, to check and to show.

Steps are lines of Python as they are run: each is counted by itself, so that one that is
done too often shows beside thousands that are not. Counting does not see what C does in one step:
how long a copied slice is, or the text that a pattern searches. `backtracking.py` finds patterns that
may read a text over and over by their form.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

import bganalyze
from bganalyze import board, record
from bganalyze.app.jobs import check as check_job
from bganalyze.app.jobs.check import check_file
from bganalyze.app.render.findings.text import render
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.board import ids, movement, position
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.files.reading import FileToRead
from bganalyze.record.reader import FORMATS, _recognize_format, read_bytes
from bganalyze.record.text_caches import clear_all_caches
from bganalyze.validation import replaying
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Selection
from bganalyze.validation.replaying import board_guesses, faults, match, one_slip
from bganalyze.validation.replaying import possible_scores as scores
from bganalyze.validation.replaying.state import Doubt, GameState
from tests.backtracking import has_ambiguous_loops
from tests.constructs import CONSTRUCTS, ONCE
from tests.constructs.coverage import counting
from tests.fuzzing.parts import DESCRIBED
from tests.patterns import patterns

pytestmark = pytest.mark.slow

TIMES = 16
"""Numbers of repetitions of a construct: n and 2n."""

GROWTH = 2.5
"""Greatest growth of a count. Work for each construct doubles; work for each pair grows fourfold."""

FEW = 10
"""So often for each of a construct a step may be done, whatever the growth: some come only later."""

PACKAGE = str(Path(bganalyze.__file__).parent)

BOUNDED = {module.__file__ for module in (ids, movement, position)}
"""Modules whose work a roll or a position bounds; there and in libraries only calls are counted."""

SETTING = OutputOptions(quiet=True)

STRICT = RuleBook(name="strict", after_illegal="left-out", stands_after="roll-or-double")


@pytest.fixture(autouse=True)
def short_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look but a little way ahead: how far is bounded, and takes many steps until it is."""
    monkeypatch.setattr(match, "GameState", lambda *of: GameState(*of, doubt=Doubt(budget=0)))
    monkeypatch.setattr(scores, "MOST_SCORES", 4)
    monkeypatch.setattr(check_job, "MOST_BYTES_EXPLAINED", 0)
    monkeypatch.setattr(one_slip, "MOST_TRIED", 0)
    for module in (board_guesses, faults):
        monkeypatch.setattr(module, "HORIZON", 4)


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_twice_as_many_take_twice_as_many_steps(name: str) -> None:
    _check_growth(name, BASIC)


@pytest.mark.parametrize(
    "rows", ["wrong dice", "two rolls", "doubles", "beavers", "dances", "half read plays"]
)
def test_so_they_do_under_other_rule_books(rows: str) -> None:
    _check_growth(f"mat: rows of {rows}", STRICT)


def test_every_format_of_text_and_every_part_of_its_rules_is_among_them() -> None:
    """A new format, or a new rule of one, belongs into `tests/constructs/`."""
    formats = {name: _recognize_format(text(2)) for name, text in CONSTRUCTS.items()}
    unread = {text_format.name for text_format in {*FORMATS} - {*formats.values()}}
    assert unread == set(), "write a module of tests/constructs/ for these formats"
    with counting() as coverage:
        doubled = {
            part
            for name, text_format in formats.items()
            if text_format in DESCRIBED
            for part in coverage.find_doubled(text_format, CONSTRUCTS[name])
        }
    missing = {part[0:1] + part[2:] for part in coverage.parts - doubled}
    assert missing == ONCE, (
        "repeat the part in a construct, or name it in ONCE of tests/constructs/"
    )


def _check_growth(name: str, rule_book: RuleBook) -> None:
    text = CONSTRUCTS[name]
    _check(text(2), rule_book)  # Caches are filled now.
    short, long = _steps(text(TIMES), rule_book), _steps(text(2 * TIMES), rule_book)
    too_often = {
        f"{code.co_filename}:{line}": (short[code, line], count)
        for (code, line), count in long.items()
        if count > max(GROWTH * short[code, line], FEW * 2 * TIMES)
    }
    assert not too_often


class _Lines:
    """Executions of each line of a function; line 0 counts calls."""

    def __init__(self, code: CodeType) -> None:
        self.code, self.steps = code, defaultdict[int, int](int)
        is_bounded = code.co_filename in BOUNDED or not code.co_filename.startswith(PACKAGE)
        self.trace = None if is_bounded else self._make_trace()

    def _make_trace(self) -> Callable[[FrameType, str, object], Any]:
        steps = self.steps

        def count_line(frame: FrameType, event: str, arg: object) -> Any:
            steps[frame.f_lineno] += 1
            return count_line

        return count_line


def _steps(text: str, rule_book: RuleBook) -> Counter[tuple[CodeType, int]]:
    """Count the executions of each line of the program for a text, with empty caches."""
    clear_all_caches()
    functions: dict[int, _Lines] = {}  # By identity: to hash a code object takes long.

    def count_call(frame: FrameType, event: str, arg: object) -> Any:
        code = frame.f_code
        lines = functions.get(id(code)) or functions.setdefault(id(code), _Lines(code))
        lines.steps[0] += 1
        return lines.trace

    before = sys.gettrace()
    sys.settrace(count_call)
    try:
        _check(text, rule_book)
    finally:
        sys.settrace(before)
    steps = Counter[tuple[CodeType, int]]()
    for lines in functions.values():
        steps.update({(lines.code, line): count for line, count in lines.steps.items()})
    return steps


def _check(text: str, rule_book: RuleBook) -> None:
    """Check a text as the command does, and write what was found."""
    checked = check_file(FileToRead("a", "a", held=text.encode("latin-1")), rule_book, Selection())
    list(render([checked], SETTING))
    assert "an internal error of bganalyze" not in (checked.error or "")


def test_where_many_scores_are_possible_none_is_held_against_the_record() -> None:
    text = CONSTRUCTS["mat: games without score lines, endless"](9)
    text += " Game 10\n Ann : 999                       Bob : 0\n  1) 31: 8/5 6/5\n"
    findings = check(read_bytes(text.encode(), "a.mat"))
    assert "R604" not in {finding.code for finding in findings}


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"[ \t]*x?[ \t]*y", True),
        (r"[ \t]*+x?[ \t]*y", False),
        (r"[ \t]*x[ \t]*y", False),
        (r"(?:a*b)*a*c", False),
        (r"(?:a*b?)*c", True),
        (r"a*(?=a*b)", True),
        (r".* of .* of x", True),
        (r".* of .*", False),
    ],
)
def test_two_loops_may_share_a_text(pattern: str, expected: bool) -> None:
    assert has_ambiguous_loops(pattern) == expected


def test_no_pattern_looks_at_a_text_over_and_over() -> None:
    found = patterns(board, replaying, record)
    assert {name for name, pattern, flags in found if has_ambiguous_loops(pattern, flags)} == set(
        ALLOWED
    )


ALLOWED = {
    "mat.RAGGED_ROW": "the loops inside stand behind a word, which the first one stops at",
    "gnubg_text._NEXT": "`on roll` goes on to the end of the line, which is all that is asked for",
    "gnubg_text.MATCH_INFORMATION": "has _NEXT in it",
    "gnubg_text.ANNOTATION": "has _NEXT in it",
    "bganalyze.record.cleaning.rows._ONLY_STEPS": "is for lines of 200 characters at most",
    "bganalyze.record.cleaning.columns._SCORE": "is for lines of 200 characters at most",
}
"""Patterns in which two loops could share a text, but never fail after it, or only a short one."""
