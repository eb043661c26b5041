"""Imports run one way: from what the file says over the law to what the user sees, never back."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "bganalyze"

TEXT = {"board", "transcript"}
JUDGING = {*TEXT, "facts", "findings", "law"}
FILES = {"archives", "corpus", "files"}

MAY_IMPORT = {
    # the words everything is said in
    "about": set(),
    "board": set(),
    "counts": set(),
    "findings": set(),
    "law": set(),
    "names": set(),
    "outputs": set(),
    "packages": set(),
    "facts": {"board", "findings", "transcript"},
    # bytes -> Match -> turns and facts -> findings
    "transcript": {"board", "packages"},
    "replaying": {*JUDGING, "names"},
    "rules": JUDGING,
    "writing": {*JUDGING, "about", "ignores", "packages", "replaying"},
    "wording": {*JUDGING, "replaying", "rules"},
    # turns -> tables
    "features": {"board"},
    "tables": {
        *JUDGING,
        "decisions",
        "features",
        "judge",
        "judged",
        "metrics",
        "names",
        "picking",
        "problems",
        "replaying",
        "wording",
    },
    # tables -> reports
    "aliases": {"files", "names"},
    "anonymity": {"judge", "metrics", "names", "replaying", "tables", "transcript"},
    "equities": set(),
    "statistics": set(),
    "reports": {"counts", "equities", "metrics", "names", "statistics", "tables"},
    "plots": {"outputs", "reports"},
    # one match -> its report
    "match_report": {
        *JUDGING,
        "decisions",
        "ignores",
        "judge",
        "judged",
        "metrics",
        "places",
        "problems",
        "replaying",
        "reports",
        "rules",
        "tables",
        "wording",
    },
    # turns -> decisions
    "decisions": {*TEXT, "facts", "findings", "replaying"},
    "judgements": {"board"},
    "engines": {"board", "decisions", "equities", "facts", "judged", "judgements", "packages"},
    # decisions and judgements -> rows -> figures
    "judged": {"board", "decisions", "equities", "features", "judgements"},
    "metrics": {"decisions", "equities", "facts", "judged"},
    "problems": {"counts", "decisions", "judged", "metrics"},
    "judge": {
        *TEXT,
        "decisions",
        "engines",
        "judged",
        "judgements",
        "metrics",
        "names",
        "replaying",
    },
    "store": {"decisions", "judge", "judged", "metrics", "packages"},
    "kept": {"engines", "judge", "store", "transcript"},
    "picking": {"decisions", "judge", "judged", "metrics", "names", "problems"},
    "judging": {
        "attempts",
        "corpus",
        "engines",
        "judge",
        "judgements",
        "store",
        "transcript",
        "watched",
    },
    # files and settings
    "files": {"transcript"},
    "archives": {"files", "transcript"},
    "corpus": {"archives", "files", "transcript"},
    "memory": set(),
    "pool": {"memory"},
    "watched": {"pool"},
    "config": {"board", "files", "findings", "law"},
    "ignores": {"findings"},
    "lookup": {"rules"},
    "places": {*TEXT, "facts", "replaying", "wording"},
    "attempts": {*FILES, "counts", "transcript"},
    "checking": {
        *FILES,
        "attempts",
        "findings",
        "ignores",
        "law",
        "rules",
        "transcript",
        "wording",
    },
    "tabulating": {
        *FILES,
        "attempts",
        "ignores",
        "law",
        "pool",
        "replaying",
        "tables",
        "transcript",
        "wording",
    },
    "tally": {"attempts", "checking", "findings"},
    # what the user sees: whatever is above, but not the command line, and no files
    "render": {
        *JUDGING,
        "about",
        "attempts",
        "checking",
        "config",
        "counts",
        "decisions",
        "equities",
        "match_report",
        "outputs",
        "judge",
        "judged",
        "kept",
        "metrics",
        "picking",
        "places",
        "problems",
        "replaying",
        "reports",
        "rules",
        "statistics",
        "tables",
        "tally",
        "writing",
    },
}
"""The parts of the package, and the other parts each may import. `cli` and the package's own
`__init__` compose them all."""

ABOVE_ALL = {"cli", "__init__", "__main__"}

ONLY_IN = {
    "bgsage": {"engines"},
    "gvformat": {"transcript", "writing"},
    "lark": {"transcript"},
    "matplotlib": {"plots", "render"},
    "numpy": {"features", "plots", "reports", "statistics", "tables"},
    "pandas": {"match_report", "plots", "render", "reports", "statistics", "tables"},
    "jinja2": {"render"},
    "scipy": {"statistics"},
    "rich": {"render"},
    "platformdirs": {"store"},
    "sqlalchemy": {"store"},
    "typer": {"cli"},
}
"""The libraries in use, and the parts that may import each."""

HEAVY = {
    "bgsage",
    "gnubg_nn",
    "gvformat",
    "jinja2",
    "matplotlib",
    "numpy",
    "pandas",
    "platformdirs",
    "scipy",
    "sqlalchemy",
}
"""What checking must do without."""


def part(module: str) -> str:
    """Return the part of the package that a module belongs to."""
    return module.split(".")[1] if "." in module else "__init__"


def module_name(path: Path) -> str:
    """Return the dotted name of a file of the package."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def imported(path: Path) -> Iterator[str]:
    """Yield the name of every module that a file imports, at its top or later."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield node.module or ""


def libraries(path: Path) -> set[str]:
    """Return the libraries that a file imports and Python does not bring."""
    tops = {name.partition(".")[0] for name in imported(path)}
    return tops - {"bganalyze", "__future__"} - sys.stdlib_module_names


in_every_module = pytest.mark.parametrize("module", MODULES)


@in_every_module
def test_parts_import_what_they_may(module: str) -> None:
    own = part(module)
    others = {part(name) for name in imported(MODULES[module]) if name.startswith("bganalyze")}
    assert own in ABOVE_ALL or others - {own} <= MAY_IMPORT[own]


@in_every_module
def test_libraries_stay_in_their_part(module: str) -> None:
    found = libraries(MODULES[module])
    assert {name for name in found if part(module) not in ONLY_IN.get(name, ())} == set()


def test_every_part_has_its_place() -> None:
    assert {part(module) for module in MODULES} == set(MAY_IMPORT) | ABOVE_ALL


def test_no_part_depends_on_itself_by_way_of_others() -> None:
    assert list(TopologicalSorter(MAY_IMPORT).static_order())


def test_checking_loads_no_engine_and_nothing_that_draws_or_tabulates() -> None:
    code = (
        "import sys; from bganalyze.cli import main\n"
        "try: main()\n"
        "except SystemExit: print(*sys.modules, file=sys.stderr)"
    )
    sample = ROOT / "samples" / "clean" / "one-point.mat"
    ended = subprocess.run(
        [sys.executable, "-c", code, "check", str(sample)],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {name.partition(".")[0] for name in ended.stderr.split()}
    assert "lark" in loaded
    assert not loaded & HEAVY
