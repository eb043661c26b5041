"""Imports run one way: from what the file says over the law to what the user sees, never back."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "bganalyze"

MAY_IMPORT = {
    "about": set(),
    "aliases": {"files", "names"},
    "anonymity": {"judging", "names", "replaying", "tables", "transcript"},
    "board": set(),
    "checking": {"board", "findings", "law", "replaying", "rules", "transcript"},
    "config": {"board", "files", "findings", "law"},
    "counts": set(),
    "equities": set(),
    "features": {"board"},
    "files": {"transcript"},
    "findings": set(),
    "ignores": {"findings"},
    "jobs": {
        "checking",
        "counts",
        "files",
        "findings",
        "ignores",
        "judging",
        "law",
        "replaying",
        "rules",
        "tables",
        "transcript",
    },
    "judging": {
        "board",
        "counts",
        "features",
        "names",
        "packages",
        "replaying",
        "single",
        "stakes",
        "transcript",
    },
    "law": set(),
    "match_report": {
        "board",
        "checking",
        "findings",
        "ignores",
        "judging",
        "law",
        "replaying",
        "reports",
        "rules",
        "tables",
        "transcript",
    },
    "names": set(),
    "packages": set(),
    "plots": {"files", "reports"},
    "printable": set(),
    "render": {
        "about",
        "board",
        "config",
        "counts",
        "equities",
        "files",
        "findings",
        "jobs",
        "judging",
        "law",
        "match_report",
        "printable",
        "replaying",
        "reports",
        "rules",
        "statistics",
        "tables",
        "transcript",
        "writing",
    },
    "replaying": {"board", "checking", "findings", "law", "names", "transcript"},
    "reports": {"counts", "equities", "judging", "names", "stakes", "statistics", "tables"},
    "rules": {"board", "findings", "law", "replaying", "transcript"},
    "single": set(),
    "stakes": {"equities", "single"},
    "statistics": set(),
    "tables": {
        "board",
        "checking",
        "features",
        "findings",
        "judging",
        "law",
        "names",
        "replaying",
        "transcript",
    },
    "transcript": {"board", "packages"},
    "writing": {
        "about",
        "board",
        "findings",
        "ignores",
        "law",
        "packages",
        "replaying",
        "transcript",
    },
}
"""The parts of the package, and the other parts each may import. `cli` and the package's own
`__init__` compose them all."""

ABOVE_ALL = {"cli", "__init__", "__main__"}

ONLY_IN = {
    "bgsage": {"judging"},
    "gvformat": {"transcript", "writing"},
    "jinja2": {"render"},
    "lark": {"transcript"},
    "matplotlib": {"plots", "render"},
    "numpy": {"features", "plots", "reports", "statistics", "tables"},
    "pandas": {"match_report", "plots", "render", "reports", "statistics", "tables"},
    "platformdirs": {"judging"},
    "rich": {"render"},
    "scipy": {"statistics"},
    "sqlalchemy": {"judging"},
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
