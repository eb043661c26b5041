"""`--encoding` of commands that read many files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Run = Callable[..., Result]

TEXT = " 5 point match\n\n Game 1\n Иван : 0      Пётр : 0\n  1) 31: 8/5 6/5    42: 8/4 6/4\n      Wins 1 point\n"


@pytest.fixture
def matches(tmp_path: Path) -> Path:
    """A folder with a match file whose names differ in two Cyrillic encodings."""
    folder = tmp_path / "matches"
    folder.mkdir()
    (folder / "a.mat").write_bytes(TEXT.encode("koi8-r"))
    return folder


@pytest.mark.slow
def test_stats_reads_names_in_the_encoding(run: Run, matches: Path) -> None:
    asked = ("stats", str(matches), "--format", "csv", "--report", "points")
    assert ",Иван,games," in run(*asked, "--encoding", "koi8-r").stdout
    assert ",рЈФТ,games," in run(*asked, "--encoding", "windows-1251").stdout
    (matches.parent / "bganalyze.toml").write_text('encoding = "koi8-r"\n')
    assert ",Иван,games," in run(*asked).stdout


@pytest.mark.slow
def test_collect_reads_unchanged_files_again_and_leaves_its_store_out(
    run: Run, matches: Path
) -> None:
    store = ("--store", str(matches / "store"))
    run("collect", str(matches), *store, "--encoding", "windows-1251")
    again = run("collect", str(matches), *store, "--encoding", "koi8-r")
    assert again.stdout.startswith("1 read again; ")
    assert "Иван" in run("query", "SELECT * FROM matches", *store).stdout
    assert run("collect", str(matches), *store).stdout.startswith("1 unchanged; ")


def test_an_unknown_encoding_is_refused(run: Run, matches: Path) -> None:
    for command in (("stats",), ("collect", "--store", str(matches / "store"))):
        refused = run(*command, str(matches), "--encoding", "nonsense")
        assert refused.exit_code == 2
        assert "is no encoding" in refused.stderr
