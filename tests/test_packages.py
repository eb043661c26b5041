"""Packages that may be missing, and the command that a message offers for each."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

from bganalyze import packages
from bganalyze.analysis.engines import gnubg
from bganalyze.analysis.engines.sage import how_to_install
from bganalyze.packages import (
    DASK,
    GAMMONVIEW,
    HEAVY,
    OPEN_SAGE,
    PSYCOPG,
    PYARROW,
    describe_missing_package,
    how_to_add,
    install_command,
)

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_command_is_that_of_the_python_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "find_spec", lambda _: object())
    words = shlex.split(install_command(GAMMONVIEW))
    assert words == [sys.executable, "-m", "pip", "install", GAMMONVIEW]


def test_the_command_where_there_is_no_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "find_spec", lambda _: None)
    words = shlex.split(install_command(PSYCOPG))
    assert words == ["uv", "pip", "install", "--python", sys.executable, PSYCOPG]


@pytest.mark.parametrize(
    ("system", "path", "word"),
    [
        ("posix", "/home/Ann Lee/$x/python", "'/home/Ann Lee/$x/python'"),
        ("nt", r"C:\Program Files\python.exe", r'"C:\Program Files\python.exe"'),
        ("nt", r"C:\venv\python.exe", r"C:\venv\python.exe"),
        ("nt", r"C:\a&b\python.exe", r'"C:\a&b\python.exe"'),
        ("nt", r"C:\a(1);b\python.exe", r'"C:\a(1);b\python.exe"'),
    ],
)
def test_any_path_is_one_word(
    monkeypatch: pytest.MonkeyPatch, system: str, path: str, word: str
) -> None:
    monkeypatch.setattr(packages, "os", SimpleNamespace(name=system))
    monkeypatch.setattr(packages, "sys", SimpleNamespace(executable=path))
    monkeypatch.setattr(packages, "find_spec", lambda _: object())
    assert install_command(GAMMONVIEW) == f'{word} -m pip install "{GAMMONVIEW}"'


@pytest.mark.slow
def test_the_command_can_be_typed() -> None:
    """pip understands it; nothing is fetched."""
    pytest.importorskip("pip")
    command = f"{install_command('pip')} --no-index --dry-run --quiet"
    process = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr


def test_what_is_asked_for_is_what_is_declared() -> None:
    extras = PROJECT["optional-dependencies"]
    assert GAMMONVIEW in PROJECT["dependencies"]
    assert extras["cluster"] == [DASK]
    assert (extras["parquet"], extras["postgres"]) == ([PYARROW], [PSYCOPG])
    (engine,) = extras["engine"]
    assert engine.partition(";")[0] == OPEN_SAGE


@pytest.mark.parametrize(
    ("machine", "system", "is_installed"),
    [
        ("x86_64", "Linux", True),
        ("arm64", "Darwin", True),
        ("AMD64", "Windows", True),
        ("aarch64", "Linux", False),
        ("ARM64", "Windows", False),
    ],
)
def test_the_engine_is_left_out_where_it_has_no_wheels(
    machine: str, system: str, is_installed: bool
) -> None:
    marker = pytest.importorskip("packaging.markers")
    (engine,) = PROJECT["optional-dependencies"]["engine"]
    condition = marker.Marker(engine.partition(";")[2])
    where = {"platform_machine": machine, "platform_system": system}
    assert condition.evaluate(where) is is_installed


def test_missing_packages_are_named_with_all_that_lack(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = ("pandas", "sqlalchemy")
    monkeypatch.setattr(packages, "find_spec", lambda name: None if name in lacking else object())
    error = ModuleNotFoundError("No module named 'pandas.api'", name="pandas.api")
    assert describe_missing_package(error) == (
        f"this needs pandas, which is missing: {install_command(HEAVY['pandas'], HEAVY['sqlalchemy'])}"
    )


def test_other_import_errors_are_no_missing_package() -> None:
    assert describe_missing_package(ModuleNotFoundError("no pandas", name="pandas")) is None
    assert describe_missing_package(ModuleNotFoundError("no such", name="bganalyze.x")) is None
    assert describe_missing_package(ImportError("pandas", name="pandas")) is None


def test_a_single_file_program_names_no_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(packages, "find_spec", lambda _: None)
    assert "install" not in how_to_add(GAMMONVIEW)
    monkeypatch.setattr(gnubg, "is_installed", lambda: True)
    assert how_to_install().startswith("choose --engine gnubg")
    message = describe_missing_package(ModuleNotFoundError("No module", name="numpy"))
    remedy = "use the full one, or for stores and clusters the Python package"
    assert message == f"this needs numpy, which the small program lacks; {remedy}"


@pytest.mark.parametrize(
    ("command", "words"),
    [("report", "use check FILE --html PAGE"), ("matches", "use matches without --html")],
)
def test_the_small_program_says_what_to_use_instead(
    monkeypatch: pytest.MonkeyPatch, command: str, words: str
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "argv", ["bganalyze", command, "a.mat"])
    monkeypatch.setattr(packages, "find_spec", lambda _: None)
    message = describe_missing_package(ModuleNotFoundError("No module", name="numpy"))
    assert message is not None
    assert words in message
    assert "the full program" in message


def test_heavy_packages_are_declared_as_they_are_asked_for() -> None:
    light = {"lark", "chardet", "typer", "rich", "platformdirs", "backports.zstd"}
    declared = {need for need in PROJECT["dependencies"] if re.split("[<>=]", need)[0] not in light}
    assert set(HEAVY.values()) == declared


def test_nobody_is_told_to_fetch_bganalyze_from_an_index() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "bganalyze").rglob("*.py")]
    assert not [text for text in sources if re.search(r"bganalyze\[|install.{0,9} bganalyze", text)]
