"""Files that cannot be read, and files that are no transcripts: the same for all commands."""

from __future__ import annotations

import json
import os
import shlex
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

pytestmark = pytest.mark.slow

Run = Callable[..., Result]

ANALYZED = """\
(;FF[4]GM[6]AP[GNU Backgammon:1.07]MI[length:3][game:0][ws:0][bs:0]PW[A]PB[B]RU[Crawford]RE[W+1R]
;W[31hefe]A[0][hefe E ver 3 0.55 0.17 0.01 0.12 0.01 0.20 2C 0 1 0.0 1])
"""
"""A play with what GNU Backgammon says of it: all commands can do with that."""

on_every_command = pytest.mark.parametrize(
    "words",
    [
        ("check", "-q"),
        ("stats", "-q"),
        ("analyze", "-q", "--engine", "recorded", "--db", "kept.db"),
        ("export", "-q"),
    ],
    ids=["check", "stats", "analyze", "export"],
)

DAMAGED_XG = b"RGMH" + bytes(9_000)
DAMAGED_JSON = b'{"version": 1, "matches": [{}]}'


def complaints(result: Result) -> list[str]:
    return [line.removeprefix("bganalyze: ") for line in result.stderr.splitlines()]


def about(result: Result) -> list[str]:
    """Return the paths that are complained about."""
    return [complaint.split(": ")[0] for complaint in complaints(result)]


def encrypt_first(path: Path) -> None:
    """Mark the first member of an archive as encrypted."""
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\1\2") + 8] |= 1
    path.write_bytes(bytes(data))


@pytest.fixture
def matches(folder: Path) -> Path:
    """Make a folder with a match and a text without a match."""
    records = folder / "matches"
    records.mkdir()
    (records / "match.sgf").write_text(ANALYZED, encoding="utf-8")
    (records / "notes.txt").write_text("no match at all", encoding="utf-8")
    return records


@pytest.fixture
def unreadable(matches: Path) -> list[str]:
    """Records, and what may hold some, beside the match: none of them can be read."""
    (matches / "broken.zip").write_text("no archive", encoding="utf-8")
    (matches / "damaged.json").write_bytes(DAMAGED_JSON)
    (matches / "damaged.xg").write_bytes(DAMAGED_XG)
    with zipfile.ZipFile(matches / "sealed.zip", "w") as archive:
        archive.writestr("match.mat", "1 point match")
    encrypt_first(matches / "sealed.zip")
    with zipfile.ZipFile(matches / "whole.zip", "w") as archive:
        archive.writestr("damaged.xg", DAMAGED_XG)
    names = ["broken.zip", "damaged.json", "damaged.xg", "sealed.zip", "whole.zip!damaged.xg"]
    return [f"{matches}/{name}" for name in names]


@on_every_command
def test_what_is_no_transcript_costs_nothing_in_a_folder(
    run: Run, matches: Path, words: tuple[str, ...]
) -> None:
    result = run(*words, matches)
    assert (result.exit_code, complaints(result)) == (0, [])


@on_every_command
def test_every_record_that_cannot_be_read_is_told_and_costs_the_status(
    run: Run, matches: Path, unreadable: list[str], words: tuple[str, ...]
) -> None:
    result = run(*words, matches)
    assert result.exit_code == 2, result.output
    assert about(result) == unreadable


def test_conversion_tells_it_too_and_converts_the_rest(
    run: Run, matches: Path, unreadable: list[str], folder: Path
) -> None:
    result = run("convert", "-q", matches, folder / "converted", "--to", "mat")
    assert result.exit_code == 2
    assert about(result) == unreadable
    assert (folder / "converted" / "match.mat").exists()


@pytest.mark.parametrize("words", [("show", "1.1"), ("report",)], ids=["show", "report"])
def test_commands_about_one_match_tell_it(
    run: Run, matches: Path, unreadable: list[str], words: tuple[str, ...]
) -> None:
    name, *addresses = words
    result = run(name, matches / "damaged.xg", *addresses)
    assert (result.exit_code, about(result)) == (2, [f"{matches}/damaged.xg"])


@pytest.mark.skipif(not hasattr(os, "geteuid") or not os.geteuid(), reason="nothing is forbidden")
@on_every_command
def test_what_may_not_be_read_is_told(run: Run, matches: Path, words: tuple[str, ...]) -> None:
    secret = matches / "secret.mat"
    secret.touch(mode=0)
    result = run(*words, matches)
    assert (result.exit_code, complaints(result)) == (2, [f"{secret}: Permission denied"])


@on_every_command
def test_a_folder_of_records_that_need_a_missing_package(
    run: Run, folder: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "gvformat", None)
    (folder / "xg").mkdir()
    (folder / "xg" / "match.xg").write_bytes(DAMAGED_XG)
    result = run(*words, "xg")
    assert result.exit_code == 2
    (complaint,) = complaints(result)
    assert complaint.startswith("xg/match.xg: reading eXtreme Gammon (.xg, .xgp) needs")
    assert shlex.split(complaint)[-1] == "gammonview>=3.1,<4"


def test_the_summary_counts_them(run: Run, matches: Path, unreadable: list[str]) -> None:
    assert "1 file checked, 1 skipped, 5 unreadable" in run("check", matches).stdout
    assert "files: 1 read, 1 skipped, 5 unreadable\n" in run("stats", matches).stdout
    (matches / "match.sgf").unlink()
    assert run("stats", matches).stdout == ""
    assert run("check", matches).stdout == "0 files checked, 1 skipped, 5 unreadable\n"


@pytest.mark.parametrize(
    "words", [("check", "--format", "json-object"), ("stats", "--format", "json")]
)
def test_in_json_they_are_named(
    run: Run, matches: Path, unreadable: list[str], words: tuple[str, ...]
) -> None:
    files = json.loads(run(*words, matches).stdout)["files"]
    assert (files["read"], files["skipped"]) == (1, 1)
    assert [file["path"] for file in files["unreadable"]] == unreadable
    assert all(file["reason"] for file in files["unreadable"])


def test_without_names_they_are_counted_only(
    run: Run, matches: Path, unreadable: list[str]
) -> None:
    output = run("stats", matches, "--format", "json", "--anonymize").stdout
    files = json.loads(output)["files"]
    assert files["unreadable"] == [{"path": None, "reason": None}] * len(unreadable)


def test_a_list_of_findings_stays_one(run: Run, matches: Path, unreadable: list[str]) -> None:
    (matches / "match.sgf").unlink()
    result = run("check", matches, "--format", "json")
    assert (result.exit_code, result.stdout) == (2, "[]\n")
    assert about(result) == unreadable


@on_every_command
@pytest.mark.parametrize("name", ["broken.zip", "notes.txt", "missing.mat", "damaged.xg"])
def test_where_it_is_named_it_costs_the_status(
    run: Run, matches: Path, unreadable: list[str], words: tuple[str, ...], name: str
) -> None:
    result = run(*words, matches / "match.sgf", matches / name)
    assert result.exit_code == 2
    hint = ["bganalyze formats lists what can be read"] if name == "notes.txt" else []
    assert about(result) == [f"{matches}/{name}", *hint]


@on_every_command
def test_every_folder_and_archive_must_hold_a_transcript(
    run: Run, matches: Path, words: tuple[str, ...]
) -> None:
    (matches / "empty").mkdir()
    with zipfile.ZipFile(matches / "other.zip", "w") as archive:
        archive.writestr("notes.txt", "no match at all")
    paths = [matches / "empty", matches / "other.zip"]
    result = run(*words, matches / "match.sgf", *paths)
    assert result.exit_code == 2
    assert complaints(result) == [
        f"{path}: no match file in it; bganalyze formats lists what can be read" for path in paths
    ]


@on_every_command
def test_a_fault_of_the_program_costs_the_status_wherever_it_is(
    run: Run, matches: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> bytes:
        raise KeyError("a fault")

    monkeypatch.setattr("bganalyze.app.jobs.outcome.load_file", crash)
    workers = () if words[0] == "export" else ("--workers", "1")
    result = run(*words, matches, *workers)
    assert result.exit_code == 2
    assert (
        f"{matches}/match.sgf: an internal error of bganalyze, please report it: KeyError"
        in result.stderr
    )


def test_a_hidden_member_that_is_encrypted_is_not_missed(run: Run, folder: Path) -> None:
    with zipfile.ZipFile(folder / "club.zip", "w") as archive:
        archive.writestr(".hidden", "")
        archive.writestr("match.sgf", ANALYZED)
    encrypt_first(folder / "club.zip")
    result = run("check", "-q", "club.zip")
    assert (result.exit_code, result.stderr) == (0, "")


HALF = """\
{"match_length": 1, "player_white": "Ann\\ud800", "player_black": "Bob", "event": "\\udfff", "games": [
{"winner": 1, "points_won": 1, "plies": [
{"color": 1, "action_id": 2, "d1": 3, "d2": 1, "moves": [{"from": 17, "pips": 3}, {"from": 19, "pips": 1}]},
{"color": 0, "action_id": 27}]}]}
"""
"""A match of a player whose name ends with half a character, which no encoding can write."""


@pytest.mark.parametrize(
    "words",
    [
        ("check", "half", "--html", "findings.html"),
        ("check", "half", "--format", "sarif"),
        ("stats", "half", "--report", "all", "--format", "csv"),
        ("stats", "half", "--html", "players.html"),
        ("stats", "half", "--out", "tables"),
        ("collect", "half", "--store", "store"),
        ("report", "half/h.gva", "--html", "match.html"),
        ("report", "half/h.gva", "--format", "json"),
        ("repair", "half", "--write", "--out", "repaired/"),
        ("show", "half/h.gva", "1.1"),
        *(("convert", "half/h.gva", f"h.{kind}") for kind in ("mat", "sgf", "bgm", "json")),
    ],
    ids=" ".join,
)
def test_half_a_character_costs_nothing_but_itself(
    run: Run, folder: Path, words: tuple[str, ...]
) -> None:
    (folder / "half").mkdir()
    (folder / "half" / "h.gva").write_text(HALF, encoding="utf-8")
    (folder / "clean.mat").rename(folder / "half" / "clean.mat")
    result = run(*words)
    assert result.exit_code < 2, result.output
    assert "an internal error of" not in result.stderr


ANALYZED = (
    "(;FF[4]GM[6]AP[GNU Backgammon:1.07]MI[length:3][game:0][ws:0][bs:0]PW[{}]PB[Bob]RU[Crawford]\n"
    ";W[31hefe]A[0][hefe E ver 3 0.55 0.17 0.01 0.12 0.01 0.20 2C 0 1 0.0 1]"
    "[xwmj E ver 3 0.50 0.13 0.01 0.16 0.01 -0.05 2C 0 1 0.0 1]LU[0.15]\n)"
)


def test_an_analyzed_folder_ends_with_a_line_per_player_and_the_next_command(
    run: Run, folder: Path
) -> None:
    (folder / "season").mkdir()
    for name in ("Ann", "Zoe"):
        (folder / "season" / f"{name}.sgf").write_text(ANALYZED.format(name), encoding="utf-8")
    call = ("analyze", "season", "--engine", "recorded", "--db", "kept.db")
    *_, total, first, second, _, wider, following = run(*call).stdout.splitlines()
    assert total.startswith("2 analyzed; kept in ")
    assert [line.partition(":")[0] for line in (first, second)] == ["Ann", "Zoe"]
    assert "PR (xg-b) 0.0" in first
    assert wider.startswith("the interval of bganalyze profile")
    assert following == (
        "next: bganalyze stats --db kept.db --player Bob --report all --html player.html"
    )
    assert run(*call, "--quiet").stdout == ""


def test_the_next_command_makes_the_page_of_the_player_of_all_matches(
    run: Run, folder: Path
) -> None:
    (folder / "season").mkdir()
    for name in ("Cy", "Zoe"):
        text = ANALYZED.format("Ann").replace("PB[", f"PB[{name} ")
        (folder / "season" / f"{name}.sgf").write_text(text, encoding="utf-8")
    call = ("analyze", "season", "--engine", "recorded", "--db", "kept.db")
    following = run(*call).stdout.splitlines()[-1]
    assert following == (
        "next: bganalyze stats --db kept.db --player Ann --report all --html player.html"
    )
