"""`bganalyze examine`: one object for each file, as the function returns it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from bganalyze.app.api.examine import examine
from bganalyze.app.api.schema import schema
from tests.app.api.records import CLEAN, ILLEGAL, NO_RECORD, WON, zip_files
from tests.json_schemas import list_schema_errors

Run = Callable[..., Result]

FILES = {
    "won.mat": (WON, 0),
    "a!b.mat": (ILLEGAL, 1),
    "http:.mat": (ILLEGAL, 1),
    "x.zip!club.mat": (ILLEGAL, 1),
    "empty.mat": (b"", 2),
    "none.zip": (zip_files(notes_txt=NO_RECORD), 2),
    "club.bin": (zip_files(a_mat=ILLEGAL, b_mat=WON), 1),
    "mixed.zip": (zip_files(a_mat=ILLEGAL, c_xg=b"RGMH"), 2),
}


@pytest.fixture
def uploads(folder: Path) -> Path:
    """The folder of the test, with the uploads in it."""
    for name, (content, _) in FILES.items():
        (folder / name).write_bytes(content)
    return folder


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
@pytest.mark.parametrize("name", FILES)
def test_a_file_has_one_object_and_the_status_of_its_findings(
    name: str, run: Run, uploads: Path
) -> None:
    content, status = FILES[name]
    result = run("examine", "--", name)
    (line,) = result.stdout.splitlines()
    assert json.loads(line) == json.loads(json.dumps(examine(content, name).to_dict()))
    assert list_schema_errors("examination", json.loads(line)) == []
    assert (result.exit_code, result.stderr) == (status, "")
    if not name.endswith(".bin"):
        assert run("check", "--no-cache", "--", name).exit_code == status


def test_each_file_has_a_line_and_the_worst_decides(run: Run, uploads: Path) -> None:
    result = run("examine", "a!b.mat", "missing.mat", "won.mat", ".")
    read = list(map(json.loads, result.stdout.splitlines()))
    assert [(one["name"], len(one["unreadable"])) for one in read] == [
        ("a!b.mat", 0),
        ("missing.mat", 1),
        ("won.mat", 0),
        (".", 1),
    ]
    assert result.exit_code == 2


def test_standard_input_has_the_name_that_is_given(run: Run) -> None:
    result = run("examine", "-", "--name", "../etc", input=ILLEGAL)
    (line,) = result.stdout.splitlines()
    assert {one["path"] for one in json.loads(line)["findings"]} == {"../etc"}
    assert run("examine", "-", input=CLEAN).exit_code == 0


def test_a_url_is_never_opened(run: Run) -> None:
    result = run("examine", "https://club.invalid/a.mat")
    assert json.loads(result.stdout)["unreadable"][0]["reason"] == "No such file or directory"


def test_settings_beside_an_upload_do_not_hold(run: Run, uploads: Path) -> None:
    (uploads / "bganalyze.toml").write_text('rules = "usbgf"\n')
    books = [
        json.loads(run("examine", "won.mat", *more).stdout)["rule_book"]
        for more in ((), ("--rules", "usbgf"))
    ]
    assert books[0].startswith("basic")
    assert books[1].startswith("usbgf")


def test_a_name_is_for_one_file(run: Run, uploads: Path) -> None:
    result = run("examine", "a!b.mat", "won.mat", "--name", "x")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--name is for one file" in result.stderr


def test_a_chosen_proposal_is_made_of_standard_input_too(run: Run, uploads: Path) -> None:
    (found, *_) = examine(ILLEGAL, "x").findings
    number = next(one.number for one in found.proposals if one.message.endswith("31: 8/5 6/5"))
    assert run("examine", "a!b.mat", "--choose", number).stdout_bytes == CLEAN
    packed = FILES["club.bin"][0]
    for path in ("x!a.mat", "a.mat"):
        result = run(
            "examine", "-", "--name", "x", "--choose", number, "--path", path, input=packed
        )
        assert (result.exit_code, result.stdout_bytes) == (0, CLEAN)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("a!b.mat", "--choose", "9"), "there is no proposal 9"),
        (("a!b.mat", "--choose", "x"), "'x' is not a number"),
        (
            ("club.bin", "--choose", "1"),
            "club.bin: an archive; name the path of one of its files: club.bin!a.mat",
        ),
        (("club.bin", "--choose", "1", "--path", "b"), "b: no such file in the upload"),
        (("empty.mat", "--choose", "1"), "empty.mat: the file is empty"),
        (("missing.mat", "--choose", "1"), "No such file"),
        (("a!b.mat", "won.mat", "--choose", "1"), "--choose is for one file"),
    ],
)
def test_what_cannot_be_repaired_is_one_line(
    words: tuple[str, ...], problem: str, run: Run, uploads: Path
) -> None:
    result = run("examine", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert problem in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_the_schema_is_that_of_the_library(run: Run) -> None:
    result = run("examine", "--schema")
    assert (result.exit_code, json.loads(result.stdout)) == (0, schema("examination"))
