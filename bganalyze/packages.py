"""Packages that may be missing, and how to add them.

Checking, repairing, showing, ruling, listing and converting need Lark, Typer, Rich, platformdirs and
chardet only. The commands to install other packages name these, because bganalyze is on no package
index.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from importlib.util import find_spec

GAMMONVIEW = "gammonview>=3.1,<4"
OPEN_SAGE = "bgsage>=2.0.20260907,<3"
PYARROW = "pyarrow>=15"
DASK = "distributed>=2025.1,<2027"
DUCKDB = "duckdb>=1.2"
STORE_PACKAGES = {"pyarrow": PYARROW, "duckdb": DUCKDB}
PSYCOPG = "psycopg[binary]>=3.1,<4"
FSSPEC = "fsspec>=2024.6"
ZSTANDARD = "backports.zstd>=1,<2"

HEAVY = {
    "numpy": "numpy>=2,<3",
    "pandas": "pandas>=3,<4",
    "scipy": "scipy>=1.15,<2",
    "matplotlib": "matplotlib>=3.9,<4",
    "jinja2": "jinja2>=3.1,<4",
    "sqlalchemy": "SQLAlchemy>=2,<3",
    "gvformat": GAMMONVIEW,
    "defusedxml": "defusedxml>=0.7,<0.8",
    "striprtf": "striprtf>=0.0.35,<0.1",
}
"""Requirements that a check of a text file does not need, by the names under which they are imported."""

INSTEAD_IN_SMALL = {
    "report": "the small program makes no reports: use check FILE --html PAGE for a page of the findings, or the full program",
    "matches": "the small program makes no pages of matches: use matches without --html, or the full program",
}
"""Messages of commands that the small program does not have, or not with all options: what to use instead."""

_PLAIN_ON_WINDOWS = re.compile(r"[\w.:\\/~-]+")
"""Paths that neither `cmd` nor PowerShell reads as more than one word."""


def describe_missing_package(error: BaseException) -> str | None:
    """Return how to add a missing package, or None for another error."""
    if not isinstance(error, ModuleNotFoundError):
        return None
    package = (error.name or "").partition(".")[0]
    missing = {name: need for name, need in HEAVY.items() if find_spec(name) is None}
    if package not in missing:
        return None
    if is_frozen() and (instead := INSTEAD_IN_SMALL.get("".join(sys.argv[1:2]))):
        return instead
    if is_frozen():
        return f"this needs {_name_of_package(missing[package])}, which the small program lacks; use the full one, or for stores and clusters the Python package"
    return f"this needs {_name_of_package(missing[package])}, which is missing: {how_to_add(*missing.values())}"


def describe_missing_store_packages() -> str | None:
    """Return how to add the missing packages for stores, or None."""
    missing = [need for name, need in STORE_PACKAGES.items() if find_spec(name) is None]
    if not missing:
        return None
    return f"a store needs {' and '.join(map(_name_of_package, missing))}: {how_to_add(*missing)}"


def is_frozen() -> bool:
    """Whether this is the single-file program, to which no package can be added."""
    return getattr(sys, "frozen", False)


def _name_of_package(requirement: str) -> str:
    """Return the name in the requirement of a package, such as `numpy>=2`."""
    return requirement.partition(">")[0]


def how_to_add(*requirements: str) -> str:
    """Return the command that installs packages or, for the single-file program, advice."""
    if is_frozen():
        return "a single-file program cannot be extended; use the Python package instead"
    return install_command(*requirements)


def install_command(*requirements: str) -> str:
    """Return the shell command, of pip or uv, that installs packages for the running Python."""
    python = _quote_for_shell(sys.executable or "python3")
    quoted = " ".join(f'"{requirement}"' for requirement in requirements)
    if find_spec("pip"):
        return f"{python} -m pip install {quoted}"
    return f"uv pip install --python {python} {quoted}"


def _quote_for_shell(path: str) -> str:
    """Return a path as one word for the system's shell."""
    if os.name == "nt":
        return path if _PLAIN_ON_WINDOWS.fullmatch(path) else f'"{path}"'
    return shlex.quote(path)
