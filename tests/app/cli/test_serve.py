"""`serve --out`: what it says where it cannot write the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from bganalyze.app.cli.app import app
from bganalyze.app.serving.site import LOCK, RUNTIME


@pytest.fixture
def pyodide(tmp_path: Path) -> str:
    """A folder with files that are called as those of the npm package."""
    folder = tmp_path / "pyodide"
    folder.mkdir()
    for name in RUNTIME:
        (folder / name).write_bytes(b"")
    (folder / LOCK).write_text('{"packages": {"numpy": {"file_name": "n.whl", "depends": []}}}')
    return str(folder)


@pytest.mark.slow
def test_the_page_is_written(tmp_path: Path, pyodide: str) -> None:
    site = tmp_path / "site"
    result = CliRunner().invoke(app, ["serve", "--out", str(site), "--pyodide", pyodide])
    assert result.exit_code == 0, result.stderr
    assert result.stderr.endswith(f" files to {site}; any web server can show them\n")
    assert (site / "index.html").is_file()


def test_a_folder_without_pyodide_is_told_with_a_remedy(tmp_path: Path) -> None:
    call = ["serve", "--out", str(tmp_path / "site"), "--pyodide", str(tmp_path)]
    result = CliRunner().invoke(app, call)
    assert result.exit_code == 2
    assert "`npm install --no-save pyodide@314`" in result.stderr
    assert not (tmp_path / "site").exists()


@pytest.mark.slow
def test_a_page_of_somebody_else_stays(tmp_path: Path, pyodide: str) -> None:
    (tmp_path / "index.html").write_text("mine")
    result = CliRunner().invoke(app, ["serve", "--out", str(tmp_path), "--pyodide", pyodide])
    assert result.exit_code == 2
    assert result.stderr == (
        f"bganalyze: {tmp_path}: index.html exists and was not created by bganalyze;"
        " --force overwrites it\n"
    )


@pytest.mark.slow
def test_a_place_that_is_no_folder_is_told(tmp_path: Path, pyodide: str) -> None:
    place = tmp_path / "site"
    place.write_text("mine")
    result = CliRunner().invoke(app, ["serve", "--out", str(place), "--pyodide", pyodide])
    assert result.exit_code == 2
    assert result.stderr.startswith(f"bganalyze: {place}: ")
    assert "Errno" not in result.stderr
