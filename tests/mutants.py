"""Mutants of the program: one place changed, and the tests run, to see which changes no test notices.

    python -m tests.mutants --count 20 --seed 1 [--quick] [--coverage FILE] [PATH …]

Places are drawn at random from the code of `bganalyze`, or of the files and folders named. Each mutant
is made in a copy of the tree, tests included, and is killed if a test fails or a run takes longer than
`--most` seconds. The tests that are not slow come first. Mutants that survive are printed with their
place: either a test is missing there, or the change makes no difference.

With `--coverage`, only the tests that run the changed statement are run, which takes a tenth of the time:

    pip install pytest-cov
    python -m pytest --cov=bganalyze --cov-context=test --cov-report=
    python -m tests.mutants --count 150 --seed 1 --coverage .coverage

Statements that run while a module is imported, or only in a process of their own, may matter to tests
that do not run them; such mutants meet all tests in the end.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice
from pathlib import Path
from random import Random
from typing import NamedTuple

from coverage import CoverageData

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "bganalyze"
LEFT_OUT = (
    ".git",
    ".venv",
    ".hypothesis",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    "__pycache__",
)

PYTEST = (sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider")
NO_TESTS = 5
"""The exit status of pytest if no test is left to run."""
FEW = 200
"""The number of tests that finish before other processes have started."""

COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
OPERATORS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.FloorDiv: ("//", "*"),
    ast.Div: ("/", "*"),
}
BOOLEANS: dict[type[ast.boolop], tuple[str, str]] = {ast.And: ("and", "or"), ast.Or: ("or", "and")}
CALLS = {"any": "all", "all": "any", "min": "max", "max": "min"}


class Mutant(NamedTuple):
    """A place in a file, and what is written there instead."""

    path: Path
    line: int
    start: int
    end: int
    """Where it stands in the file, in bytes."""
    text: str

    def apply(self, source: bytes) -> bytes:
        """Return the bytes of the file with the change made."""
        return source[: self.start] + self.text.encode() + source[self.end :]


def list_mutants(path: Path) -> list[Mutant]:
    """Return every mutant of a file."""
    source = Source(path.read_bytes())
    changes = (
        change
        for node in ast.walk(ast.parse(source.text))
        for kind in (_change_operators, _change_values, _change_statements)
        for change in kind(node, source)
    )
    return [Mutant(path, *change) for change in changes]


Change = tuple[int, int, int, str]
"""A line, from where to where something stands, and what is written instead."""


class Source:
    """A file, and where its nodes stand in it."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self._starts = [0, *accumulate(map(len, text.splitlines(keepends=True)))]

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Return the start and the end of a node in the file, in bytes."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start, end = self._starts[node.lineno - 1], self._starts[node.end_lineno - 1]
        return start + node.col_offset, end + node.end_col_offset

    def text_of(self, node: ast.expr) -> str:
        """Return the text of a node in the file."""
        start, end = self.span(node)
        return self.text[start:end].decode()

    def change_operator(
        self, left: ast.expr, right: ast.expr, old: str, new: str
    ) -> Iterator[Change]:
        """Yield the change of the operator `old` between two nodes to `new`, if it is found there."""
        start, end = self.span(left)[1], self.span(right)[0]
        at = self.text.find(old.encode(), start, end)
        if at >= 0:
            yield left.lineno, at, at + len(old), new

    def replace_node(self, node: ast.expr | ast.stmt, text: str) -> Iterator[Change]:
        """Yield the change that replaces a node by a text."""
        yield node.lineno, *self.span(node), text


def _change_operators(node: ast.AST, source: Source) -> Iterator[Change]:
    """Yield changes of a comparison, an arithmetic or a Boolean operator: `<` to `<=`, `and` to `or`."""
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            yield from source.change_operator(left, right, *COMPARISONS[type(operator)])
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in OPERATORS:
            yield from source.change_operator(left, right, *OPERATORS[type(operator)])
        case ast.BoolOp(op=operator, values=[first, second, *_]):
            yield from source.change_operator(first, second, *BOOLEANS[type(operator)])
            yield from source.replace_node(node, source.text_of(first))
            yield from source.replace_node(node, source.text_of(node.values[-1]))


def _change_values(node: ast.AST, source: Source) -> Iterator[Change]:
    """Yield changes of a value: a number, a negation, `any`, a conditional expression."""
    match node:
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield from source.replace_node(node, f"({source.text_of(operand)})")
        case ast.Constant(value=bool(value)):
            yield from source.replace_node(node, str(not value))
        case ast.Constant(value=int(value) | float(value)):
            yield from source.replace_node(node, str(value + 1))
        case ast.Call(func=ast.Name(id=name) as called) if name in CALLS:
            yield from source.replace_node(called, CALLS[name])
        case ast.IfExp(orelse=orelse):
            yield from source.replace_node(node, f"({source.text_of(orelse)})")


def _change_statements(node: ast.AST, source: Source) -> Iterator[Change]:
    """Yield changes that negate a condition, or leave out a call or an assignment such as `x += 1`."""
    match node:
        case ast.If(test=test) | ast.IfExp(test=test):
            yield from source.replace_node(test, f"(not ({source.text_of(test)}))")
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield from source.replace_node(node, "pass")


def draw_mutants(count: int, seed: int, places: Sequence[Path]) -> list[Mutant]:
    """Draw `count` mutants from files and folders; the same seed draws the same."""
    files = sorted(
        {file for place in places for file in ([place] if place.is_file() else place.rglob("*.py"))}
    )
    rng = Random(seed)
    mutants = [mutant for file in files for mutant in list_mutants(file)]
    rng.shuffle(mutants)
    return list(islice(filter(_is_valid_python, mutants), count))


def _is_valid_python(mutant: Mutant) -> bool:
    """Whether a mutant can be parsed; if the operator found was in a comment, it may not be."""
    try:
        ast.parse(mutant.apply(mutant.path.read_bytes()))
    except SyntaxError:
        return False
    return True


class PytestRun(NamedTuple):
    """A call of pytest."""

    command: Sequence[str]
    is_slow: bool
    """Whether it runs the slow tests."""


def find_killer(mutant: Mutant, runs: Iterable[PytestRun], most: float) -> PytestRun | None:
    """Return the first run of tests that fails with a mutant, in a copy of the tree, or None.

    `most` is the time limit of a run, in seconds; a run that takes longer fails.
    """
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place, "tree")
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT))
        changed = copy / mutant.path.relative_to(ROOT)
        changed.write_bytes(mutant.apply(changed.read_bytes()))
        return next((run for run in runs if _fails(run.command, copy, most)), None)


def _fails(command: Sequence[str], copy: Path, most: float) -> bool:
    """Whether a run of tests in the folder `copy` fails or takes more than `most` seconds."""
    try:
        ran = subprocess.run(
            command,
            cwd=copy,
            env=_make_environment(copy),
            capture_output=True,
            timeout=most,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return True
    return ran.returncode not in (0, NO_TESTS)


class Share(NamedTuple):
    """The tests that run a statement."""

    tests: list[str]
    is_whole: bool
    """Whether no other test can notice a change: the statement runs in tests only."""


class Coverage:
    """The tests that run each statement, from the data that coverage.py keeps with `--cov-context=test`."""

    def __init__(self, path: Path, root: Path = ROOT) -> None:
        self._data = CoverageData(path)
        self._data.read()
        self._files = {Path(file): file for file in self._data.measured_files()}
        self._root = root

    def find_tests(self, mutant: Mutant) -> Share:
        """Return the tests that run the statement changed by a mutant."""
        lines = self._find_contexts(mutant.path.relative_to(self._root))
        contexts = {context for line in _find_statement(mutant) for context in lines.get(line, ())}
        tests = {context.rpartition("|")[0] for context in contexts}
        return Share(sorted(tests - {""}), bool(tests) and "" not in tests)

    def _find_contexts(self, path: Path) -> dict[int, list[str]]:
        """Return the contexts (tests) that ran each line of a file, by line number."""
        parts = path.parts
        same = (name for file, name in self._files.items() if file.parts[-len(parts) :] == parts)
        return self._data.contexts_by_lineno(next(same, ""))


def _find_statement(mutant: Mutant) -> range:
    """Return the lines of the statement that a mutant changes, without the statements inside it."""
    tree = ast.parse(mutant.path.read_bytes())
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and _first_line(node) <= mutant.line <= (node.end_lineno or 0)
    ]
    innermost = max(around, key=_first_line)
    start, body = _first_line(innermost), getattr(innermost, "body", None)
    end = body[0].lineno if body else (innermost.end_lineno or innermost.lineno) + 1
    return range(start, max(end, start + 1))


def _first_line(node: ast.stmt) -> int:
    """Return the line where a statement begins: that of the first decorator, if there is one."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(one.lineno for one in decorators)])


def list_runs(
    mutant: Mutant, coverage: Coverage | None, listed: Path, *, quick: bool
) -> Iterator[PytestRun]:
    """Yield runs of tests for a mutant: first those that run its statement, slow tests last.

    The names of the tests are written to the file `listed`, as they are too long for a command line.
    Without `coverage`, all tests are run; `quick` leaves out slow ones.
    """
    share = coverage.find_tests(mutant) if coverage else Share([], is_whole=False)
    listed.write_text("\n".join(share.tests))
    chosen = ["-n", "0" if len(share.tests) < FEW else "auto", f"@{listed}"]
    choices = [chosen] if share.is_whole else [chosen, []] if share.tests else [[]]
    for is_slow in [False] if quick else [False, True]:
        marked = ["-m", "slow" if is_slow else "not slow"]
        yield from (PytestRun([*PYTEST, *marked, *choice], is_slow) for choice in choices)


def _make_environment(copy: Path) -> dict[str, str]:
    """Return the environment in which tests use the program in the folder `copy`."""
    return {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}


def main() -> int:
    """Draw mutants, run the tests on each, and print those that survive."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("places", nargs="*", type=Path, metavar="PATH")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="run only the tests that are not slow")
    parser.add_argument(
        "--coverage", type=Path, metavar="FILE", help="run only tests that run the place"
    )
    parser.add_argument(
        "--most", type=float, default=900, help="the seconds of one run of the tests"
    )
    options = parser.parse_args()
    places = [place.resolve() for place in options.places] or [PACKAGE]
    coverage = Coverage(options.coverage) if options.coverage else None
    mutants = draw_mutants(options.count, options.seed, places)
    killers: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        for number, mutant in enumerate(mutants, start=1):
            runs = list_runs(mutant, coverage, Path(place, "tests"), quick=options.quick)
            run = find_killer(mutant, runs, options.most)
            killer = "no test" if run is None else "slow tests" if run.is_slow else "quick tests"
            killers[killer] += 1
            if killer != "quick tests":
                print(f"{_describe(mutant)} is noticed by {killer}", flush=True)
            counts = ", ".join(f"{count} by {name}" for name, count in sorted(killers.items()))
            print(f"{number} of {len(mutants)} noticed: {counts}", file=sys.stderr, flush=True)
    return 0


def _describe(mutant: Mutant) -> str:
    """Return where a mutant is, what was there, and what is there now."""
    old = mutant.path.read_bytes()[mutant.start : mutant.end].decode()
    return f"{mutant.path.relative_to(ROOT)}:{mutant.line}: {old!r} → {mutant.text!r}"


if __name__ == "__main__":
    sys.exit(main())
