"""`bganalyze analyze`: what is analyzed is kept, and one bad match does not cost the others."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from bganalyze.analysis.engines import gnubg
from tests.analysis.test_select import STORED
from tests.app.cli.conftest import CLEAN

pytestmark = pytest.mark.slow

Run = Callable[..., Result]
Start = Callable[..., "subprocess.Popen[str]"]

SAMPLES = Path(__file__).parent.parent.parent.parent / "samples" / "clean"
GNUBG = ("--engine", "gnubg", "--level", "0ply", "--db", "kept.db")

on_posix = pytest.mark.skipif(os.name != "posix", reason="needs a shell and signals")


def list_kept_matches(path: str = "kept.db") -> list[tuple[Any, ...]]:
    """Return the matches of a database: their keys, and how many decisions each has."""
    with closing(sqlite3.connect(path)) as connection:
        query = (
            "select content, engine, level, (select count(*) from decisions where match_id = id)"
        )
        return connection.execute(query + " from matches order by id").fetchall()


@pytest.mark.usefixtures("gnubg_program")
@pytest.mark.oracle
def test_a_match_is_analyzed_and_kept_and_not_analyzed_again(run: Run) -> None:
    first = run("analyze", SAMPLES / "short-match.mat", *GNUBG)
    assert first.exit_code == 0, first.output
    assert "3 points, analyzed by gnubg 1." in first.stdout
    assert "1 analyzed; kept in sqlite:///kept.db" in first.stdout
    second = run("analyze", SAMPLES / "short-match.mat", *GNUBG)
    assert "1 kept before; kept in" in second.stdout
    rates = [result.stdout.splitlines()[:4] for result in (first, second)]
    assert rates[0] == rates[1]
    assert [(row[1], row[2], row[3]) for row in list_kept_matches()] == [("gnubg", "0ply", 84)]


@pytest.mark.usefixtures("gnubg_program")
@pytest.mark.oracle
def test_metrics_are_chosen_and_their_decisions_listed(run: Run) -> None:
    listed = run(
        "analyze", SAMPLES / "short-match.mat", *GNUBG, "--metric", "xg-a,mwc", "--decisions"
    )
    assert "player" in listed.stdout
    assert "snowie" not in listed.stdout
    assert "7:6    Ada Quill  play" in listed.stdout
    assert "xg-a, mwc" in listed.stdout


@pytest.mark.usefixtures("gnubg_program")
@pytest.mark.oracle
def test_quiet_says_nothing_where_all_is_well(run: Run) -> None:
    assert run("analyze", SAMPLES / "short-match.mat", *GNUBG, "--quiet").output == ""


@pytest.mark.oracle
def test_sage_is_the_default(run: Run) -> None:
    pytest.importorskip("bgsage")
    analyzed = run("analyze", "clean.mat", "--db", "kept.db")
    assert "analyzed by sage" in analyzed.stdout, analyzed.output
    assert [row[1:3] for row in list_kept_matches()] == [("sage", "2ply")]


@pytest.mark.oracle
def test_an_exhaustive_level_is_kept_apart(run: Run) -> None:
    pytest.importorskip("bgsage")
    words = (("--level", "2ply-exhaustive"), ("--level", "2ply-exhaustive"), ())
    kinds = [
        run("analyze", SAMPLES / "positions.txt", "--db", "kept.db", *options) for options in words
    ]
    counts = [analyzed.stdout.splitlines()[-2].partition(";")[0] for analyzed in kinds]
    assert counts == ["2 analyzed", "2 kept before", "2 analyzed"]
    assert {row[2] for row in list_kept_matches()} == {"2ply-exhaustive", "2ply"}


def test_several_matches_have_a_line_each_and_skipped_files_are_named(run: Run) -> None:
    Path("club").mkdir()
    Path("club/1.sgf").write_text(STORED, encoding="utf-8")
    Path("club/2.sgf").write_text(STORED.replace("Bob", "Bobby"), encoding="utf-8")
    Path("club/photo.jpg").write_bytes(b"\xff\xd8\xff" * 20)
    Path("aliases.toml").write_text('[players]\nBob = ["Bobby"]\n', encoding="utf-8")
    words = ("analyze", "club", "--engine", "recorded", "--db", "kept.db")
    output = run(*words).stdout
    assert output.count("club/1.sgf") == output.count("club/2.sgf") == 1
    assert "skipped: club/photo.jpg: " in output
    tables = run(*words, "--metric", "mwc").stdout
    assert "Bobby: mwc (% MWC)" in tables
    assert tables.count("luck (EMG)") == 2
    aliased = run(*words, "--metric", "mwc", "--aliases", "aliases.toml").stdout
    assert "Bobby: mwc (% MWC)" not in aliased


def test_presets_are_in_the_help(run: Run) -> None:
    assert "quick (1ply)" in " ".join(run("analyze", "--help").stdout.split())


def test_an_engine_that_is_missing_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gnubg, "PLACES", ("no-such-gnubg",))
    refused = run("analyze", "clean.mat", *GNUBG)
    assert refused.exit_code == 2
    assert refused.stderr.startswith("bganalyze: GNU Backgammon is not installed: install it")
    assert refused.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--engine", "fritz"), "'fritz' is not one of"),
        (("--engine", "gnubg", "--level", "9ply"), "gnubg has no level '9ply'; it has 2ply, 0ply"),
        (("--level", "2pyl"), "; did you mean 2ply?"),
        (("--engine", "sage", "--level", "5ply"), "sage has no level '5ply'"),
        (("--engine", "sage", "--level", ""), "sage has no level ''"),
        (("--db", ""), "an empty path"),
        (("--timeout", "inf"), "is not a whole number"),
        (("--timeout", "9" * 20), "is not in the range"),
        (("--metric", "elo"), "'elo' is no metric; there are gnubg"),
    ],
)
def test_a_wrong_call(run: Run, words: tuple[str, ...], complaint: str) -> None:
    refused = run("analyze", "clean.mat", *words)
    assert (refused.exit_code, complaint in refused.stderr) == (2, True), refused.output


@pytest.mark.usefixtures("gnubg_program")
@pytest.mark.oracle
def test_a_database_that_cannot_be_used_is_one_line(run: Run) -> None:
    Path("letter.db").write_text("this is a letter, " * 100, encoding="utf-8")
    refused = run("analyze", "clean.mat", "--engine", "gnubg", "--db", "letter.db")
    assert refused.exit_code == 2
    assert refused.stderr == "bganalyze: sqlite:///letter.db: file is not a database\n"


@pytest.mark.usefixtures("gnubg_program")
@pytest.mark.oracle
def test_what_is_no_transcript(run: Run) -> None:
    Path("empty").mkdir()
    Path("notes.txt").write_text("hello", encoding="utf-8")
    for path in ("empty", "notes.txt", "missing.mat"):
        assert run("analyze", path, *GNUBG).exit_code == 2


FAILING = """\
#!/bin/sh
case "$*" in *--version*) exec {program} "$@";; esac
folder=$(dirname "$5")
grep -q 'length:1]' "$folder/match.sgf" && kill -9 $$
grep -q 'length:5]' "$folder/match.sgf" && exec sleep 600
exec {program} "$@"
"""


@on_posix
@pytest.mark.oracle
def test_a_match_whose_engine_dies_or_hangs_is_told_and_the_rest_is_analyzed(
    gnubg_program: str, start: Start, folder: Path
) -> None:
    programs = folder / "programs"
    programs.mkdir()
    program = programs / "gnubg"
    program.write_text(FAILING.format(program=gnubg_program), encoding="utf-8")
    program.chmod(0o755)
    for points, name in ((3, "three.mat"), (5, "five.mat")):
        longer = CLEAN.replace("1 point match", f"{points} point match")
        Path(name).write_text(longer.replace(" and the match", ""), encoding="utf-8")
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
    files = ("clean.mat", "five.mat", "three.mat")
    process = start("analyze", *files, *GNUBG, "--timeout", "5", env=environment)
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 1, errors
    assert "clean.mat: GNU Backgammon ended with status -9\n" in errors
    assert "five.mat: took more than 5 seconds\n" in errors
    assert "1 analyzed, 2 not analyzed; kept in" in output
    assert len(list_kept_matches()) == 1


MATCHES = 4


@pytest.fixture
def matches(folder: Path) -> Path:
    """A folder of matches that differ in their players."""
    records = folder / "matches"
    records.mkdir()
    text = (SAMPLES / "short-match.mat").read_text(encoding="utf-8")
    for number in range(MATCHES):
        renamed = text.replace("Ada Quill", f"Player {number}")
        (records / f"{number:02}.mat").write_text(renamed, encoding="utf-8")
    return records


@on_posix
@pytest.mark.usefixtures("gnubg_program")
@pytest.mark.oracle
def test_a_run_that_is_killed_goes_on_where_it_was(start: Start, matches: Path) -> None:
    killed = start("analyze", matches, *GNUBG, start_new_session=True)
    while not list_kept_contents() and killed.poll() is None:
        time.sleep(0.02)
    os.killpg(killed.pid, signal.SIGKILL)
    killed.communicate()
    stored = list_kept_contents()
    assert stored
    last = start("analyze", matches, *GNUBG)
    output, errors = last.communicate(timeout=120)
    assert (last.returncode, errors) == (0, "")
    assert any(line.startswith(f"{MATCHES - len(stored)} analyzed") for line in output.splitlines())
    assert len(list_kept_matches()) == len({row[0] for row in list_kept_matches()}) == MATCHES
    assert {row[3] for row in list_kept_matches()} == {84}


def list_kept_contents() -> set[object]:
    """Return the contents of the matches that are kept by now."""
    with suppress(sqlite3.OperationalError):  # The database is being made.
        return {row[0] for row in list_kept_matches()} if Path("kept.db").exists() else set()
    return set()


def list_begun_decisions() -> list[int]:
    """Return which decisions are kept of matches that are not analyzed to the end."""
    with closing(sqlite3.connect("kept.db")) as connection, suppress(sqlite3.OperationalError):
        return [row[0] for row in connection.execute("select position from begun")]
    return []


@on_posix
@pytest.mark.oracle
def test_what_is_analyzed_of_a_match_outlives_a_run_that_is_killed(start: Start, run: Run) -> None:
    pytest.importorskip("bgsage")
    call = ("analyze", SAMPLES / "one-point.mat", "--level", "2ply", "--db", "kept.db")
    killed = start(*call, start_new_session=True)
    while len(list_begun_decisions()) < 24 and killed.poll() is None:
        time.sleep(0.05)
    os.killpg(killed.pid, signal.SIGKILL)
    killed.communicate()
    assert len(list_begun_decisions()) >= 24
    assert list_kept_matches() == []
    resumed = start(*call)
    output, errors = resumed.communicate(timeout=300)
    assert (resumed.returncode, errors) == (0, "")
    assert "1 analyzed; kept in" in output
    assert list_begun_decisions() == []
    undisturbed = run(*call[:-1], "whole.db")
    assert undisturbed.stdout == output.replace("kept.db", "whole.db")


@on_posix
@pytest.mark.usefixtures("gnubg_program")
@pytest.mark.oracle
def test_two_runs_at_once_keep_every_match_once(start: Start, matches: Path) -> None:
    paths = sorted(matches.iterdir())[:2]
    runs = [start("analyze", *paths, *GNUBG) for _ in range(2)]
    assert [run.communicate(timeout=120)[1] for run in runs] == ["", ""]
    assert [run.returncode for run in runs] == [0, 0]
    assert len(list_kept_matches()) == len({row[0] for row in list_kept_matches()}) == 2


@on_posix
@pytest.mark.usefixtures("gnubg_program")
@pytest.mark.oracle
def test_an_interrupt_ends_it_at_once(start: Start, matches: Path) -> None:
    run = start("analyze", matches, *GNUBG)
    while not list_kept_contents() and run.poll() is None:
        time.sleep(0.05)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=120)
    kept = "analyses made so far are kept; the same command continues where this one ended\n"
    assert (run.returncode, errors) == (130, f"{kept}bganalyze: interrupted\n")


@pytest.mark.parametrize("words", [("analyze", "."), ("profile", ".", "--player", "Ada Quill")])
def test_a_default_database_that_cannot_be_made_names_the_option_for_another(
    run: Run, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    Path("home").write_text("a file, no folder", encoding="utf-8")
    monkeypatch.setattr("bganalyze.analysis.store.default_path", lambda: "home/analyzed.db")
    refused = run(*words, "--engine", "recorded")
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert refused.stderr.endswith("; to keep the analyses in another file: --db FILE\n")
    named = run(*words, "--engine", "recorded", "--db", "home/analyzed.db")
    assert (named.exit_code, "--db" in named.stderr) == (2, False)
