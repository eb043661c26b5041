"""`bganalyze export`: decisions of a database or of files, in the formats of other programs."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import Result

from bganalyze.analysis.store import Store
from bganalyze.app.cli import export
from bganalyze.packages import PYARROW, install_command
from tests.analysis.test_select import STORED
from tests.statistics.match_report.analyzed import MATCH, analyze_text

Run = Callable[..., Result]

SAGE, PASS = ("--engine", "sage"), ("--kind", "pass")
POSITION = "XGID=----aBD-C--adDa--c-e--A-A-:0:0:1:D:0:0:0:3:10\n"


@pytest.fixture(autouse=True)
def stored_matches(folder: Path) -> Store:
    """A database of one match, analyzed twice."""
    (folder / "analyzed.mat").write_text(MATCH, encoding="utf-8")
    _, match = analyze_text(MATCH)
    store = Store("kept.db")
    for engine in ("sage", "gnubg"):
        store.add(match._replace(key=match.key._replace(engine=engine)))
    return store


def test_all_of_the_database(run: Run) -> None:
    result = run("export", "--db", "kept.db", "--format", "xgid", *PASS)
    assert (result.exit_code, result.stdout, result.stderr) == (0, POSITION, "")


def test_a_table_is_the_default(run: Run) -> None:
    result = run("export", "--db", "kept.db", "--most", "1")
    heading, row = result.stdout.splitlines()
    assert heading.startswith("path,number,site,date,engine,version,level,player,opponent,")
    assert row.startswith(
        "test.mat,1,unknown,,gnubg,1,high,Bob,Ann,3,0,0,False,very bad,1,9,3,7:35,"
    )
    decision = dict(zip(heading.split(","), row.split(","), strict=False))
    assert (decision["made"], decision["solution"]) == ("pass", "take")


def test_a_player_under_several_names(run: Run) -> None:
    Path("aliases.toml").write_text('[players]\nRobert = ["Bob"]\n', encoding="utf-8")
    words = ("export", "--db", "kept.db", "--player", "Robert")
    assert "'Robert' is in none of the matches" in run(*words).stderr
    by_option = run(*words, "--aliases", "aliases.toml")
    assert ",Robert,Ann," in by_option.stdout
    assert run(*words[:-1], "bob", "--aliases", "aliases.toml").stdout == by_option.stdout
    two = run(*words[:-1], "Robert", "--player", "Bob").stdout
    assert two == run(*words[:-1], "Robert", "--aliases", "aliases.toml").stdout
    Path("bganalyze.toml").write_text('aliases = "aliases.toml"\n', encoding="utf-8")
    assert run(*words).stdout == by_option.stdout


def test_parquet(run: Run) -> None:
    pytest.importorskip("pyarrow")
    result = run("export", "--db", "kept.db", "--format", "parquet", "--out", "kept.parquet")
    assert result.exit_code == 0
    assert len(pd.read_parquet("kept.parquet")) == len(analyze_text(MATCH)[1].rows)


def test_without_pyarrow(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "find_spec", lambda _: None)
    result = run("export", "--db", "kept.db", "--format", "parquet", "--out", "kept.parquet")
    assert (result.exit_code, result.stderr) == (
        2,
        f"bganalyze: parquet needs pyarrow: {install_command(PYARROW)}\n",
    )


def test_only_the_matches_of_some_files(run: Run, folder: Path) -> None:
    (folder / "stored.sgf").write_text(STORED, encoding="utf-8")
    output = run("export", "analyzed.mat", "stored.sgf", "--db", "kept.db", "--format", "xgid")
    assert POSITION in output.stdout
    assert "31:0:0:0:3:10" in output.stdout
    result = run(
        "export", "analyzed.mat", "clean.mat", "--db", "kept.db", "--format", "xgid", *PASS
    )
    assert (result.exit_code, result.stdout) == (0, POSITION)
    assert result.stderr == (
        "bganalyze: not analyzed: match 1 of clean.mat; to analyze:"
        " bganalyze analyze analyzed.mat clean.mat --db kept.db\n"
    )


def test_the_last_analyze_counts_unless_another_is_named(run: Run) -> None:
    words = ("export", "--db", "kept.db", "--format", "cards", *PASS)
    assert run(*words).stdout.count("Analyzed by gnubg") == 1
    assert run(*words, *SAGE).stdout.count("Analyzed by sage") == 1
    assert "Analyzed by" not in run(*words, "--engine", "recorded").stdout


@pytest.mark.slow
def test_a_file_is_written_over_only_by_force(run: Run, folder: Path) -> None:
    words = ("export", "--db", "kept.db", "--format", "xgid", "--out", "positions.txt", *PASS)
    first = run(*words)
    assert (first.exit_code, first.stdout, first.stderr) == (0, "", "wrote positions.txt\n")
    Path("positions.txt").write_text("mine", encoding="utf-8")
    second = run(*words)
    assert (second.exit_code, second.stderr) == (
        2,
        "bganalyze: positions.txt: already exists; --force overwrites it\n",
    )
    assert Path("positions.txt").read_text(encoding="utf-8") == "mine"
    assert run(*words, "--force").exit_code == 0
    assert Path("positions.txt").read_text(encoding="utf-8") == POSITION
    assert not [name for name in os.listdir(folder) if name.startswith(".")]


@pytest.mark.slow
def test_nobody_is_named(run: Run) -> None:
    words = ("export", "--db", "kept.db", "--format", "cards", "--anonymize", "--player", "bob")
    output = run(*words).stdout
    assert "Player B – Player A" in output
    assert "played by Player A" in output
    for word in ("Ann", "Bob", "analyzed.mat"):
        assert word not in output


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ((), "analyzed.db: no such database; bganalyze analyze creates it"),
        (("--db", "none.db"), "none.db: no such database; bganalyze analyze creates it"),
        (("--db", "analyzed.mat"), "analyzed.mat: file is not a database"),
        (("--db", "kept.db", "--engine", "fritz"), "no such analyses; there are those of gnubg 1"),
        (("--db", "kept.db", "--out", "."), ".: already exists and is not a regular file"),
        (("none.mat", "--db", "kept.db"), "none.mat: No such file or directory"),
        (("--kind", "guess"), "'guess' is no kind of decision; there are play, no-double"),
        (("--kind", ","), "'' is no kind of decision; there are play, no-double"),
        (("--db", "kept.db", "--out", "none/x.txt"), "No such file or directory"),
    ],
)
def test_what_is_not_there(run: Run, words: tuple[str, ...], problem: str) -> None:
    result = run("export", "--format", "xgid", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert problem in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_player_whom_nobody_has_met_is_told(run: Run, folder: Path) -> None:
    result = run("export", "--db", "kept.db", "--player", "Bop", "--out", "none.csv")
    message = "bganalyze: 'Bop' is in none of the matches; there is 'Bob', and 1 other name: "
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(message)
    assert not (folder / "none.csv").exists()
    hidden = run("export", "--db", "kept.db", "--player", "Bop", "--anonymize")
    assert (hidden.exit_code, hidden.stdout) == (2, "")
    assert "Bob" not in hidden.stderr
    assert run("export", "--db", "kept.db", "--player", "bob", "--least", "9").exit_code == 0


def test_whole_matches_with_their_analyses(run: Run, folder: Path) -> None:
    words = ("export", "analyzed.mat", "--db", "kept.db")
    result = run(*words, "--format", "gvab", "--out", "ann.gvab", *SAGE)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "wrote ann.gvab\n")
    listed = run("export", "ann.gvab", "--kind", "pass", "--engine", "recorded").stdout
    heading, row = listed.splitlines()
    decision = dict(zip(heading.split(","), row.split(","), strict=False))
    assert (decision["version"], decision["made"], decision["loss"][:3]) == (
        "sage 1",
        "pass",
        "0.3",
    )
    lost = run(*words, "--format", "sgf", "--out", "ann.sgf").stderr
    assert "analyzed.mat: lost in ann.sgf: an evaluation (14 times, first in line 5)\n" in lost
    assert "XA[gnubg 1]" in (folder / "ann.sgf").read_text(encoding="utf-8")


def test_a_folder_of_whole_matches(run: Run, folder: Path) -> None:
    (folder / "stored.sgf").write_text(STORED, encoding="utf-8")
    words = ("export", "analyzed.mat", "stored.sgf", "clean.mat", "--db", "kept.db")
    result = run(*words, "--format", "gvab", "--out", "made/")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "not analyzed: clean.mat; to analyze: bganalyze analyze" in result.stderr
    assert result.stderr.endswith("wrote 2 files to made\n")
    assert sorted(os.listdir("made")) == ["analyzed.gvab", "stored.gvab"]
    refused = run(*words, "--format", "gvab")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "only one file goes to standard output; name a folder with --out" in refused.stderr


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ((), "sgf needs the match files: name them"),
        (("clean.mat",), "not analyzed: clean.mat; to analyze: bganalyze analyze clean.mat"),
        (("analyzed.mat", "--player", "Ann"), "--player does not work with sgf"),
        (("analyzed.mat", "--anonymize"), "--anonymize does not work with sgf"),
        (("none.mat",), "none.mat: No such file or directory"),
    ],
)
def test_no_whole_matches(run: Run, words: tuple[str, ...], problem: str) -> None:
    result = run("export", "--format", "sgf", "--db", "kept.db", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert problem in result.stderr
    assert result.stderr.count("\n") == 1


COMMENTED = """\
(;GM[6]CA[UTF-8]AP[GNU Backgammon:1.07]RU[Crawford]
MI[length:3][game:0][ws:0][bs:0]PW[Ann]PB[Bob]
;W[31hehg]A[1][hefe E ver 3 0.57 0.17 0.01 0.11 0.01 0.20 2C 1 0.0 0 1 0.0]
[hehg E ver 3 0.55 0.15 0.01 0.12 0.01 0.15 2C 1 0.0 0 1 0.0]LU[+0.1]C[too hasty])
"""


@pytest.mark.parametrize("target", ["cards", "markdown"])
def test_mistakes_have_the_comment_of_the_file(run: Run, folder: Path, target: str) -> None:
    (folder / "commented.sgf").write_text(COMMENTED, encoding="utf-8")
    words = ("export", "commented.sgf", "--format", target)
    output = run(*words).stdout
    assert "8/5 6/5" in output
    assert "too hasty" in output
    assert "too hasty" not in run(*words, "--anonymize").stdout


def test_most_counts_by_cost_times_recurrence(run: Run) -> None:
    cards = run("export", "--db", "kept.db", "--format", "cards", "--most", "2").stdout
    lines = [line.split("\t") for line in cards.splitlines()[5:]]
    priorities = [float(priority) for *_, priority in lines]
    assert len(priorities) == 2
    assert priorities == sorted(priorities, reverse=True)
