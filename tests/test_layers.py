"""Layers of the package: its modules, its imports, and the sizes of classes and functions."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from itertools import groupby
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "bganalyze"

FLOORS = (
    # Vocabulary of all other modules; these know neither each other nor files.
    "text",
    "errors",
    "packages",
    "board",
    # bytes -> matches
    "record",
    "files",
    # matches -> turns, endings and facts -> findings
    "validation.slip_odds",
    "validation.findings",
    "validation.ignores",
    "validation.replaying",
    "validation.rules",
    "validation.rescoring",
    "validation.result_readings",
    "validation.checking",
    "validation.cases",
    "writing",
    # turns -> decisions -> analyses
    "analysis",
    "repairing",
    # turns and analyses -> tables -> reports
    "statistics.features",
    "statistics.estimates",
    "statistics.norms",
    "statistics.precision",
    "statistics.sureness",
    "statistics.match_list",
    "statistics.claimed_results",
    "statistics.tables",
    "statistics.anonymity",
    "statistics.reports",
    "statistics.profiles",
    "statistics.plots",
    "statistics.match_report",
    "statistics.store",
    # what people and programs use
    "app.config",
    "app.jobs",
    "app.render",
    "app.api",
    "app.serving",
    "app.cli",
)
"""The rooms from the ground up: a room imports from those before it, and never from one after it."""

PACKAGES = tuple(dict.fromkeys(name.partition(".")[0] for name in FLOORS))
"""Modules and packages at the root, in the same order."""

FACADE = {"bganalyze", "bganalyze.__main__"}
"""Modules outside the layers: the library's functions and types under one name, and `python -m bganalyze`."""

OF_THE_FACADE = {"NAME", "__file__", "__version__"}
"""Names that layers may import from it: never its functions, which the layers define."""

AT_THE_ROOT = {"errors", "text", "packages"}
"""The rooms that are a single module beside the packages."""

ONLY_IN = {
    "aiohttp": {"files"},
    "backports": {"files"},
    "bgbot_cpp": {"analysis"},
    "bgsage": {"analysis"},
    "chardet": {"record"},
    **({} if "compression" in sys.stdlib_module_names else {"compression": {"files"}}),
    "dask": {"app.jobs"},
    "distributed": {"app.jobs"},
    "defusedxml": {"files"},
    "duckdb": {"statistics.reports", "statistics.store"},
    "fsspec": {"files"},
    "gvformat": {"record", "writing"},
    "jinja2": {"app.render", "app.serving"},
    "lark": {"record"},
    "matplotlib": {"statistics.plots", "app.render"},
    "numpy": {
        "statistics.features",
        "analysis",
        "statistics.plots",
        "statistics.profiles",
        "statistics.reports",
        "statistics.estimates",
        "statistics.tables",
    },
    "pandas": {
        "app.api",
        "app.render",
        "statistics.estimates",
        "statistics.match_report",
        "statistics.plots",
        "statistics.profiles",
        "statistics.reports",
        "statistics.store",
        "statistics.tables",
    },
    "platformdirs": {"analysis", "statistics.store"},
    "ogxm": {"record"},
    "pyarrow": {"app.render", "statistics.reports", "statistics.store"},
    "rich": {"app.render"},
    "scipy": {"statistics.estimates", "statistics.claimed_results"},
    "sqlalchemy": {"analysis"},
    "striprtf": {"files"},
    "typer": {"app.cli"},
}
"""The libraries in use, and the rooms that import each."""

PARSERS_OF_XGIDS = {"bganalyze.analysis.rows", "bganalyze.statistics.reports.errors"}
"""The modules outside `record` where an XGID comes in, with a row of a database or table. Elsewhere a
`Situation` is passed on, which can say more."""

PARSING_XGIDS = ("parse_xgid", "parse_unlimited_xgid")

NOT_IN_PYODIDE = {
    "curses",
    "dbm",
    "ensurepip",
    "fcntl",
    "grp",
    "idlelib",
    "lib2to3",
    "msvcrt",
    "multiprocessing",
    "pwd",
    "readline",
    "resource",
    "subprocess",
    "syslog",
    "tkinter",
    "venv",
    "winreg",
    "winsound",
}
"""Modules of the standard library that Pyodide has not, or that do nothing there."""


def module_name(path: Path) -> str:
    """Return the dotted name of a file of the package."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def room(module: str) -> str:
    """Return the layer of a module; for a package of several layers, the package itself."""
    parts = module.split(".")[1:]
    return ".".join(parts[:2]) if ".".join(parts[:2]) in FLOORS else parts[0]


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}
CORRIDORS = {"bganalyze.app", "bganalyze.statistics", "bganalyze.validation"}
"""Packages that hold nothing but packages and modules."""

INSIDE = [module for module in MODULES if module not in FACADE | CORRIDORS]


KINDS = (ast.Import, ast.ImportFrom, ast.ClassDef, ast.alias)
"""The kinds of nodes that are looked at, beside constants of text and names of modules with a dot."""


@cache
def list_nodes(module: str) -> list[ast.AST]:
    """Return the nodes of a module's syntax tree that these tests look at; the others would fill the memory."""
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if _is_looked_at(node)]


def _is_looked_at(node: ast.AST) -> bool:
    match node:
        case ast.Constant(value=value):
            return isinstance(value, str)
        case ast.Attribute(attr=attribute, value=value):
            named = isinstance(value, ast.Name) and value.id == "bganalyze"
            return named or attribute in PARSING_XGIDS
    return isinstance(node, KINDS)


def find_imports(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the name of every module that is imported, at the top or later, or named in a string."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            assert node.module is not None
            members = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (member if member in MODULES else node.module for member in members)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            module = node.value.partition(":")[0]
            if module in MODULES and module not in FACADE:
                yield module


@cache
def imports_of(module: str) -> set[str]:
    """Return the names of all modules that a module imports."""
    return set(find_imports(list_nodes(module))) - {module}


def neighbors(module: str) -> set[str]:
    """Return the modules of the package that a module imports."""
    return imports_of(module).intersection(INSIDE)


def libraries(module: str) -> set[str]:
    """Return the libraries that a module imports and Python does not bring."""
    tops = {name.partition(".")[0] for name in imports_of(module)}
    return tops - {"bganalyze", "__future__"} - sys.stdlib_module_names


def definitions(kind: type[ast.AST]) -> Iterator[tuple[str, ast.AST]]:
    """Yield every module with each of its definitions of a kind."""
    for module in INSIDE:
        yield from ((module, node) for node in list_nodes(module) if isinstance(node, kind))


def find_taken_names(module: str) -> set[str]:
    """Return what a module takes from the package itself."""
    taken = set()
    for node in list_nodes(module):
        if isinstance(node, ast.ImportFrom) and node.module == "bganalyze":
            taken |= {alias.name for alias in node.names if alias.name not in PACKAGES}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            taken |= {node.attr} if node.value.id == "bganalyze" else set()
    return taken


def rooms_in_strings(module: str) -> set[str]:
    """Return the rooms that strings of a module name, whatever of them is filled in later."""
    strings = (node.value for node in list_nodes(module) if isinstance(node, ast.Constant))
    names = (
        re.match(r"(bganalyze\.[\w.]+)[.:]", text) for text in strings if isinstance(text, str)
    )
    return {room(name[1]) for name in names if name}.intersection(FLOORS)


def floor(module: str) -> int:
    """Return the floor of a module's room, from the ground up."""
    return FLOORS.index(room(module))


@pytest.mark.slow
def test_rooms_import_from_the_floors_below() -> None:
    upwards = [
        f"{module} imports {name}"
        for module in INSIDE
        for name in neighbors(module)
        if floor(name) > floor(module)
    ]
    upwards += [
        f"{module} names {name}"
        for module in INSIDE
        for name in rooms_in_strings(module)
        if FLOORS.index(name) > floor(module)
    ]
    assert upwards == []


@pytest.mark.slow
def test_nothing_inside_needs_the_verbs_of_the_library() -> None:
    taken = {module: find_taken_names(module) - OF_THE_FACADE for module in INSIDE}
    assert {module: names for module, names in taken.items() if names} == {}


def test_the_rooms_of_a_package_are_together() -> None:
    assert [name for name, _ in groupby(FLOORS, lambda name: name.partition(".")[0])] == [*PACKAGES]


@pytest.mark.parametrize("module", sorted(CORRIDORS))
def test_a_package_of_packages_says_what_they_have_in_common_and_no_more(module: str) -> None:
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    assert len(tree.body) == 1


def test_every_room_has_its_floor() -> None:
    assert {room(module) for module in INSIDE} == set(FLOORS)


def test_the_modules_at_the_root_are_these() -> None:
    modules = {path.stem for path in PACKAGE.glob("*.py")}
    assert modules == AT_THE_ROOT | {"__init__", "__main__"}


def test_no_private_name_is_imported() -> None:
    private = [
        f"{module} imports {alias.name}"
        for module in INSIDE
        for node in list_nodes(module)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name.startswith("_") and not alias.name.endswith("__")
    ]
    assert private == []


def test_no_module_depends_on_itself_by_way_of_others() -> None:
    graph = {module: neighbors(module) for module in INSIDE}
    assert list(TopologicalSorter(graph).static_order())


def test_xgids_are_parsed_where_they_come_in() -> None:
    parsers = {
        module
        for module in INSIDE
        for node in list_nodes(module)
        if (isinstance(node, ast.alias) and node.name in PARSING_XGIDS)
        or (isinstance(node, ast.Attribute) and node.attr in PARSING_XGIDS)
    }
    assert {module for module in parsers if room(module) != "record"} == PARSERS_OF_XGIDS


def test_libraries_stay_in_their_rooms() -> None:
    strangers = [
        f"{module} imports {name}"
        for module in INSIDE
        for name in libraries(module)
        if room(module) not in ONLY_IN.get(name, ())
    ]
    assert strangers == []


def test_every_permission_is_used() -> None:
    used = {(name, room(module)) for module in INSIDE for name in libraries(module)}
    assert {(name, place) for name, places in ONLY_IN.items() for place in places} == used


def test_a_public_class_has_a_name_of_its_own() -> None:
    names = Counter(
        node.name for _, node in definitions(ast.ClassDef) if isinstance(node, ast.ClassDef)
    )
    assert [name for name, count in names.items() if count > 1 and name[0] != "_"] == []


def find_loaded_modules(code: str, *arguments: str) -> set[str]:
    """Return the full names of the modules that are loaded after a program has run."""
    process = subprocess.run(
        [
            sys.executable,
            "-c",
            f"{code}\nimport sys; print(*sys.modules, file=sys.stderr)",
            *arguments,
        ],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return set(process.stderr.split())


@pytest.mark.slow
def test_the_command_that_checks_loads_no_engine_and_nothing_that_draws_or_tabulates() -> None:
    code = "from bganalyze.app.cli import main\ntry: main()\nexcept SystemExit: pass"
    # For a person, the result of a single file is shown too, for which it is read again.
    call = (code, "check", "samples/clean/one-point.mat", "--format", "jsonl")
    loaded = find_loaded_modules(*call)
    assert "lark" in loaded
    assert not loaded & (set(ONLY_IN) - {"lark", "rich", "typer"})
    # The patterns of all cleanings take longer to compile than all else takes to start.
    folder = "bganalyze.record.cleaning"
    assert f"{folder}.signs" in loaded
    assert not loaded & {f"{folder}.{name}" for name in ("frames", "pages", "rows", "typed")}
    assert find_loaded_modules(*call) & set(ONLY_IN) == {"typer"}  # The result was kept.


@pytest.mark.slow
def test_checking_in_a_page_needs_lark_and_what_pyodide_brings() -> None:
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({sorted(NOT_IN_PYODIDE)!r}))\n"
        "import bganalyze\n"
        "result = bganalyze.check('samples/faulty/P410-larger-die.mat')\n"
        "assert [finding.code for finding in result] == ['P410']\n"
        "for name in [name for name, module in sys.modules.items() if module is None]:\n"
        "    del sys.modules[name]"
    )
    loaded = {name.partition(".")[0] for name in find_loaded_modules(code)}
    standard = sys.stdlib_module_names - NOT_IN_PYODIDE
    own = {"sitecustomize", "usercustomize"}  # What an installation of Python loads at its start.
    assert {name for name in loaded - standard - own if name[0] != "_"} == {"bganalyze", "lark"}


def test_every_package_is_installed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = set(project["tool"]["setuptools"]["packages"])
    outside = {name for name in project["tool"]["setuptools"]["package-dir"] if "." in name}
    files = (path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix != ".pyc")
    folders = {path.parent.relative_to(ROOT) for path in files}
    assert listed - outside == {".".join(folder.parts) for folder in folders}
