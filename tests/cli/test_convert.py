"""`bganalyze convert`: files, folders and archives, and what stands in the way."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import bganalyze
from tests import same

Run = Callable[..., Result]

DECLINED = "bganalyze match\nlength: 1\ngame 1\nscore 0-0\nL 31 8/5 6/5\nL resigns 1 declined\n"
SAMPLES = Path(__file__).parent.parent.parent / "samples" / "clean"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.mat").write_bytes((SAMPLES / "one-point.mat").read_bytes())
    return tmp_path


@pytest.mark.parametrize("name", ["one.sgf", "one.bgm", "one.txt"])
def test_the_extension_tells_the_format(run: Run, here: Path, name: str) -> None:
    result = run("convert", "one.mat", name)
    assert (result.exit_code, result.output) == (0, "")
    assert same.matches(name) == same.matches("one.mat")
    assert not [path for path in here.iterdir() if path.name.startswith(".")]


def test_a_format_may_be_named(run: Run, here: Path) -> None:
    assert run("convert", "one.mat", "deep/er/out", "--to", "json").exit_code == 0
    assert (here / "deep" / "er" / "out").read_text().startswith('{\n "version": 1')


def test_an_unknown_extension_is_refused(run: Run, here: Path) -> None:
    result = run("convert", "one.mat", "one.doc")
    assert (result.exit_code, "which format?" in result.stderr) == (2, True)


def test_nothing_is_written_over_without_force(run: Run, here: Path) -> None:
    (here / "one.sgf").write_text("mine")
    result = run("convert", "one.mat", "one.sgf")
    assert (result.exit_code, (here / "one.sgf").read_text()) == (2, "mine")
    assert result.stderr == (
        "bganalyze: one.mat: one.sgf: it is there already, and not made by bganalyze; "
        "--force writes over it\n"
    )
    assert run("convert", "one.mat", "one.sgf", "--force").exit_code == 0
    assert same.matches("one.sgf") == same.matches("one.mat")


def test_losses_are_told_unless_they_are_not_wanted(run: Run, here: Path) -> None:
    (here / "a.bgm").write_text(DECLINED)
    result = run("convert", "a.bgm", "a.mat")
    lost = "a.bgm: not said in a.mat: a resignation that was declined (line 6)\n"
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", lost)
    assert run("convert", "a.bgm", "a.mat", "--force", "--quiet").stderr == ""


def test_a_folder_in_one_call(run: Run, here: Path) -> None:
    (here / "in" / "deep").mkdir(parents=True)
    (here / "in" / "a.mat").write_bytes((SAMPLES / "short-match.mat").read_bytes())
    (here / "in" / "deep" / "b.mat").write_bytes((SAMPLES / "redoubles.sgf").read_bytes())
    (here / "in" / "notes.txt").write_text("no match at all")
    assert run("convert", "in", "out", "--to", "sgf").exit_code == 0
    made = sorted(str(path.relative_to(here)) for path in (here / "out").rglob("*.*"))
    assert made == [str(Path("out/a.sgf")), str(Path("out/deep/b.sgf"))]
    assert same.matches("out/a.sgf") == same.matches("in/a.mat")


def test_what_is_no_transcript_in_a_folder_is_told(run: Run, here: Path) -> None:
    (here / "notes.txt").write_text("no match at all")
    result = run("convert", ".", "out", "--to", "sgf")
    assert result.exit_code == 0
    assert "1 file holds no transcript: ./notes.txt: nothing in it" in result.stderr
    assert run("convert", ".", "again", "--to", "sgf", "--quiet").stderr == ""


def test_standard_input_and_output(run: Run, here: Path) -> None:
    text = (here / "one.mat").read_text()
    result = run("convert", "-", "-", "--to", "scribe", input=text)
    assert (result.exit_code, result.stdout[:15]) == (0, "bganalyze match")
    assert not (here / "-").exists()
    assert run("convert", "-", ".", "--to", "sgf", input=text).exit_code == 0
    assert (here / "standard-input.sgf").exists()
    assert run("convert", ".", "-", "--to", "sgf").exit_code == 2


def test_a_folder_that_is_not_there_yet(run: Run, here: Path) -> None:
    assert run("convert", "one.mat", "made/", "--to", "sgf").exit_code == 0
    assert (here / "made" / "one.sgf").exists()


def test_archives_in_a_folder_become_folders(run: Run, here: Path) -> None:
    with zipfile.ZipFile(here / "a.zip", "w") as archive:
        archive.write("one.mat", "deep/two.mat")
    run("convert", ".", "out", "--to", "sgf")
    assert (here / "out" / "a.zip" / "deep" / "two.sgf").exists()
    assert run("convert", "a.zip!deep/two.mat", "out", "--to", "sgf").exit_code == 0
    assert (here / "out" / "two.sgf").exists()


def test_words_of_a_file_do_not_steer_the_terminal(run: Run, here: Path) -> None:
    kept = '@{"program": "\\u001b[2J", "entries": []}'
    (here / "a.bgm").write_text(f"bganalyze match\ngame 1\nscore 0-0\nL 31 8/5 6/5\n{kept}\n")
    result = run("convert", "a.bgm", "a.mat")
    assert (result.exit_code, "\x1b" in result.stderr) == (0, False)


def test_two_files_do_not_become_one(run: Run, here: Path) -> None:
    (here / "in").mkdir()
    for name in ("a.mat", "a.txt"):
        (here / "in" / name).write_bytes((SAMPLES / "one-point.mat").read_bytes())
    result = run("convert", "in", "out", "--to", "sgf", "--force")
    assert (result.exit_code, "is written already, from another file" in result.stderr) == (2, True)


def test_members_of_an_archive_stay_inside_the_folder(run: Run, here: Path) -> None:
    with zipfile.ZipFile(here / "a.zip", "w") as archive:
        archive.write(here / "one.mat", "../../../evil.mat")
        archive.write(here / "one.mat", "sub/good.mat")
    run("convert", "a.zip", "out", "--to", "sgf")
    made = {path.name for path in here.rglob("*.sgf")}
    assert "good.sgf" in made
    assert not list(here.parent.glob("*.sgf"))


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["none.mat", "a.sgf"], "none.mat: No such file or directory"),
        (["notes.txt", "a.sgf"], "notes.txt: nothing in it is a match"),
        (["empty", "out", "--to", "sgf"], "empty: no transcript in it"),
    ],
)
def test_what_cannot_be_converted(run: Run, here: Path, words: list[str], problem: str) -> None:
    (here / "notes.txt").write_text("no match at all")
    (here / "empty").mkdir()
    result = run("convert", *words)
    assert (result.exit_code, problem in result.stderr) == (2, True)
    assert not list(here.rglob("*.sgf"))


def test_findings_are_the_same_after_a_conversion(run: Run, here: Path) -> None:
    faulty = SAMPLES.parent / "faulty" / "P404-corrected.mat"
    assert run("convert", str(faulty), "a.sgf").exit_code == 0
    codes = [
        [(each.code, each.standing) for each in bganalyze.check(bganalyze.read(path))]
        for path in (faulty, Path("a.sgf"))
    ]
    assert codes[0] == codes[1]
