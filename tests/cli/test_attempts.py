"""Which files cost a line only, and which the exit status: the same for all commands over many."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Run = Callable[..., Result]

ANALYSED = """\
(;FF[4]GM[6]AP[GNU Backgammon:1.07]MI[length:3][game:0][ws:0][bs:0]PW[A]PB[B]RU[Crawford]RE[W+1R]
;W[31hefe]A[0][hefe E ver 3 0.55 0.17 0.01 0.12 0.01 0.20 2C 0 1 0.0 1])
"""
"""A play with what GNU Backgammon says of it: all commands can do with that."""

on_every_command = pytest.mark.parametrize(
    "words",
    [("check", "-q"), ("stats", "-q"), ("judge", "-q", "--engine", "recorded", "--db", "kept.db")],
    ids=["check", "stats", "judge"],
)


def complaints(ended: Result) -> list[str]:
    return [line.removeprefix("bganalyze: ") for line in ended.stderr.splitlines()]


@pytest.fixture
def matches(folder: Path) -> Path:
    """A folder with a match, a text that is none, and an archive that is broken."""
    made = folder / "matches"
    made.mkdir()
    (made / "match.sgf").write_text(ANALYSED, encoding="utf-8")
    (made / "notes.txt").write_text("no match at all", encoding="utf-8")
    (made / "broken.zip").write_text("no archive", encoding="utf-8")
    return made


@on_every_command
def test_in_a_folder_a_file_that_cannot_be_read_costs_a_line(
    run: Run, matches: Path, words: tuple[str, ...]
) -> None:
    ended = run(*words, matches)
    assert ended.exit_code == 0, ended.output
    assert complaints(ended) == [f"{matches}/broken.zip: broken archive (File is not a zip file)"]


@on_every_command
@pytest.mark.parametrize("name", ["broken.zip", "notes.txt", "missing.mat"])
def test_where_it_is_named_it_costs_the_status(
    run: Run, matches: Path, words: tuple[str, ...], name: str
) -> None:
    ended = run(*words, matches / "match.sgf", matches / name)
    assert ended.exit_code == 2
    assert [line.split(": ")[0] for line in complaints(ended)] == [f"{matches}/{name}"]


@on_every_command
def test_every_folder_and_archive_must_hold_a_transcript(
    run: Run, matches: Path, words: tuple[str, ...]
) -> None:
    (matches / "empty").mkdir()
    with zipfile.ZipFile(matches / "other.zip", "w") as archive:
        archive.writestr("notes.txt", "no match at all")
    named = [matches / "empty", matches / "other.zip"]
    ended = run(*words, matches / "match.sgf", *named)
    assert ended.exit_code == 2
    assert complaints(ended) == [f"{path}: no transcript in it" for path in named]


@on_every_command
def test_a_fault_of_the_program_costs_the_status_wherever_it_is(
    run: Run, matches: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def crashed(*_: object) -> bytes:
        raise KeyError("a fault")

    monkeypatch.setattr("bganalyze.attempts.load", crashed)
    ended = run(*words, matches, "--workers", "1")
    assert ended.exit_code == 2
    assert f"{matches}/match.sgf: a fault of bganalyze, please report it: KeyError" in ended.stderr
