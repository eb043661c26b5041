"""`bganalyze profile`: matches are analyzed once, and the page, the text and the row are written."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import bganalyze
from bganalyze.analysis.store import Store

pytestmark = pytest.mark.slow

Run = Callable[..., Result]
SAMPLES = Path(__file__).parents[3] / "samples" / "clean"


@pytest.fixture
def matches(folder: Path) -> str:
    """A folder with two matches of a player, one of others and a file that is no match."""
    pytest.importorskip("bgsage", reason="Open Sage is not installed")
    inside = folder / "club"
    inside.mkdir()
    for name in ("one-point.mat", "short-match.mat"):
        (inside / name).write_bytes((SAMPLES / name).read_bytes())
    other = (inside / "one-point.mat").read_text(encoding="utf-8").replace("Ada Quill", "Zoe Quill")
    (inside / "other.mat").write_text(other, encoding="utf-8")
    return "club"


def test_only_the_matches_of_the_player_are_analyzed_and_only_once(run: Run, matches: str) -> None:
    call = ("profile", matches, "--player", "ada quill", "--level", "1ply", "--db", "club.db")
    first = run(*call, "--quiet")
    assert (first.exit_code, first.stderr) == (0, "")
    kept = list(Store("club.db").matches())
    assert sorted(Path(match.path).name for match in kept) == ["one-point.mat", "short-match.mat"]
    assert "PR (xg-b)" in first.stdout
    again = run(*call, "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(again.stdout))
    assert row["player"] == "Ada Quill"
    assert int(row["decisions"]) > 40
    assert list(Store("club.db").matches()) == kept
    page = run(*call, "--html", "ada.html")
    assert (page.exit_code, page.stdout) == (0, "")
    assert "Where points are lost" in Path("ada.html").read_text(encoding="utf-8")


def test_a_problem_of_many_matches_is_told_once_and_counted(run: Run, folder: Path) -> None:
    text = (SAMPLES / "one-point.mat").read_text(encoding="utf-8")
    for number, name in enumerate(("Ada Quill", "Zoe Quill", "Zoe Quill")):
        other = text.replace("Ada Quill", name).replace("Bruno Vale", f"Player {number}")
        (folder / f"{number}.mat").write_text(other, encoding="utf-8")
    call = ("profile", ".", "--player", "Zoe Quill", "--engine", "recorded", "--db", "club.db")
    result = run(*call, "--quiet")
    assert result.exit_code == 1
    problem = "the file contains no analysis; choose --engine sage or gnubg"
    first, *others = result.stderr.splitlines()
    assert first in (f"bganalyze: ./1.mat: {problem}", f"bganalyze: ./2.mat: {problem}")
    assert others == [f"bganalyze: the same of 1 other match: {problem}"]
    assert "no analyzed decision" in result.stdout


def test_a_player_of_no_match_is_one_line(run: Run, matches: str) -> None:
    result = run("profile", matches, "--player", "Ada Quil", "--level", "1ply", "--db", "club.db")
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].startswith("bganalyze: 'Ada Quil' is in none")


def test_the_library_makes_the_same(run: Run, matches: str) -> None:
    call = ("profile", matches, "--player", "Ada Quill", "--level", "1ply", "--db", "club.db")
    text = run(*call, "--format", "csv").stdout
    made = bganalyze.profile(matches, "Ada Quill", level="1ply", db="club.db")
    assert made.render("csv") == text
    assert made.render("html").startswith("<!DOCTYPE html>")
    with pytest.raises(ValueError, match="pdf"):
        made.render("pdf")
