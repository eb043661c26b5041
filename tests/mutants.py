"""Mutants of the program: one place changed, and the tests run, to see which changes no test notices.

    python -m tests.mutants --count 20 --seed 1 [--quick] [PATH …]

Places are drawn at random from the code of `bganalyze`, or of the files and folders named. Each mutant
is made in a copy of the tree, tests and all, and counts as killed if a test fails or takes longer than
`--most` seconds. The tests of its own room come first, and those of what is stored of the samples: they
notice most changes. Those that survive are printed with their place: either a test is missing there, or the
change makes no difference.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice
from pathlib import Path
from random import Random
from typing import NamedTuple

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

    def applied(self, source: bytes) -> bytes:
        """Return the file with the change made."""
        return source[: self.start] + self.text.encode() + source[self.end :]


def mutants_of(path: Path) -> list[Mutant]:
    """Return every mutant of a file."""
    source = Source(path.read_bytes())
    changes = (
        change
        for node in ast.walk(ast.parse(source.text))
        for kind in (_of_operators, _of_values, _of_statements)
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
        """Return from where to where a node stands."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start, end = self._starts[node.lineno - 1], self._starts[node.end_lineno - 1]
        return start + node.col_offset, end + node.end_col_offset

    def written(self, node: ast.expr) -> str:
        """Return a node as it is written."""
        start, end = self.span(node)
        return self.text[start:end].decode()

    def between(self, left: ast.expr, right: ast.expr, old: str, new: str) -> Iterator[Change]:
        """Yield the change of what stands between two nodes."""
        start, end = self.span(left)[1], self.span(right)[0]
        at = self.text.find(old.encode(), start, end)
        if at >= 0:
            yield left.lineno, at, at + len(old), new

    def instead(self, node: ast.expr | ast.stmt, text: str) -> Iterator[Change]:
        """Yield the change that writes a text instead of a node."""
        yield node.lineno, *self.span(node), text


def _of_operators(node: ast.AST, source: Source) -> Iterator[Change]:
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            yield from source.between(left, right, *COMPARISONS[type(operator)])
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in OPERATORS:
            yield from source.between(left, right, *OPERATORS[type(operator)])
        case ast.BoolOp(op=operator, values=[first, second, *_]):
            yield from source.between(first, second, *BOOLEANS[type(operator)])
            yield from source.instead(node, source.written(first))
            yield from source.instead(node, source.written(node.values[-1]))


def _of_values(node: ast.AST, source: Source) -> Iterator[Change]:
    match node:
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield from source.instead(node, f"({source.written(operand)})")
        case ast.Constant(value=bool(value)):
            yield from source.instead(node, str(not value))
        case ast.Constant(value=int(value) | float(value)):
            yield from source.instead(node, str(value + 1))
        case ast.Call(func=ast.Name(id=name) as called) if name in CALLS:
            yield from source.instead(called, CALLS[name])
        case ast.IfExp(orelse=orelse):
            yield from source.instead(node, f"({source.written(orelse)})")


def _of_statements(node: ast.AST, source: Source) -> Iterator[Change]:
    match node:
        case ast.If(test=test) | ast.IfExp(test=test):
            yield from source.instead(test, f"(not ({source.written(test)}))")
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield from source.instead(node, "pass")


def drawn(count: int, seed: int, places: Sequence[Path]) -> list[Mutant]:
    """Draw so many mutants; the same seed draws the same."""
    files = sorted(
        {file for place in places for file in ([place] if place.is_file() else place.rglob("*.py"))}
    )
    rng = Random(seed)
    mutants = [mutant for file in files for mutant in mutants_of(file)]
    rng.shuffle(mutants)
    return list(islice(filter(_is_readable, mutants), count))


def _is_readable(mutant: Mutant) -> bool:
    """Whether a mutant is a program at all: an operator may stand in a comment."""
    try:
        ast.parse(mutant.applied(mutant.path.read_bytes()))
    except SyntaxError:
        return False
    return True


def is_killed(mutant: Mutant, commands: Iterable[Sequence[str]], most: float) -> bool:
    """Whether one of some commands fails with a mutant, in a copy of the tree."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place, "tree")
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT))
        changed = copy / mutant.path.relative_to(ROOT)
        changed.write_bytes(mutant.applied(changed.read_bytes()))
        return any(_fails(command, copy, most) for command in commands)


def _fails(command: Sequence[str], copy: Path, most: float) -> bool:
    try:
        ran = subprocess.run(
            command,
            cwd=copy,
            env=_environment(copy),
            capture_output=True,
            timeout=most,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return True
    return ran.returncode != 0


def commands_for(mutant: Mutant, *, quick: bool) -> Iterator[list[str]]:
    """Yield the calls of the tests: first of those that likely notice a mutant, then of all."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    rooms = [parent.name for parent in mutant.path.relative_to(PACKAGE).parents[:-1]]
    own = [f"tests/{room}" for room in rooms[-1:] if (ROOT / "tests" / room).is_dir()]
    yield [*command, "-m", "not slow", "tests/stored", *own]
    yield [*command, *(["-m", "not slow"] if quick else [])]


def _environment(copy: Path) -> dict[str, str]:
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
    parser.add_argument("--most", type=float, default=900)
    options = parser.parse_args()
    places = [place.resolve() for place in options.places] or [PACKAGE]
    killed = 0
    mutants = drawn(options.count, options.seed, places)
    for number, mutant in enumerate(mutants, start=1):
        if is_killed(mutant, commands_for(mutant, quick=options.quick), options.most):
            killed += 1
        else:
            old = mutant.path.read_bytes()[mutant.start : mutant.end].decode()
            place = f"{mutant.path.relative_to(ROOT)}:{mutant.line}"
            print(f"{place}: {old!r} → {mutant.text!r} is noticed by no test", flush=True)
        print(f"{number} of {len(mutants)}: {killed} killed", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
