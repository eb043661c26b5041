"""The command line, called in this process or in one of its own."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from bganalyze.app.cli.app import app

CLEAN = """\
 1 point match

 Game 1
 Alice : 0                          Bob : 0
  1) 31: 8/5 6/5                    65: 24/13
  2) 42: 8/4 6/4                    61: 13/7 8/7
      Wins 1 point and the match
"""


@pytest.fixture
def run() -> Callable[..., Result]:
    """Return a function that calls the command line in this process, with the given words."""
    return lambda *words, **options: CliRunner().invoke(
        app, [str(word) for word in words], **options
    )


@pytest.fixture
def start(heeded_signals: None) -> Callable[..., "subprocess.Popen[str]"]:
    """Return a function that starts the command line in a process of its own, which obeys signals."""

    def start_program(*words: object, **options: Any) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "bganalyze", *map(str, words)]
        usual = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen(command, **{**usual, **options})

    return start_program


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder of a test, with a clean, a faulty and a corrected match file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path.parent / f"{tmp_path.name}-data"))
    monkeypatch.setenv("COLUMNS", "80")
    for variable in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(variable, raising=False)
    write_match_files(tmp_path)
    return tmp_path


def write_match_files(folder: Path) -> None:
    """Write a clean, a faulty and a corrected match file into a folder."""
    faulty = CLEAN.replace("42: 8/4 6/4", "42: 8/4    ")
    corrected = CLEAN.replace("  2) 42:", "  2) 42: 8/4\n  2) 42:")
    for name, text in (("clean", CLEAN), ("faulty", faulty), ("corrected", corrected)):
        (folder / f"{name}.mat").write_text(text, encoding="utf-8")


@pytest.fixture
def match_folder(folder: Path) -> Path:
    """Return a folder of 100 faulty match files of nine games, enough for several processes."""
    text = (folder / "faulty.mat").read_text(encoding="utf-8")
    games = text + text.partition("\n\n")[2] * 8
    matches = folder / "many"
    matches.mkdir()
    for number in range(100):
        (matches / f"{number:03}.mat").write_text(games, encoding="utf-8")
    return matches


@pytest.fixture
def several(folder: Path) -> Path:
    """Return a folder of 40 faulty match files of one game, enough for several processes.

    A check searches a repair for each error, so the folder has no more errors than tests need.
    """
    records = folder / "several"
    records.mkdir()
    for number in range(40):
        shutil.copy(folder / "faulty.mat", records / f"{number:03}.mat")
    return records
