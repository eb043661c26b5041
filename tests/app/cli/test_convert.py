"""`bganalyze convert`: files, folders and archives, and files it refuses."""

from __future__ import annotations

import tempfile
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import Result

from bganalyze import convert
from bganalyze.app.jobs.budget import HOW_TO_REPORT
from bganalyze.files.reading import find_files
from bganalyze.record.reader import read
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import MatchReplay
from bganalyze.writing import Written, write
from tests import same
from tests.nasty import FILE_NAMES

Run = Callable[..., Result]

DECLINED = "bganalyze match\nlength: 1\ngame 1\nscore 0-0\nL 31 8/5 6/5\nL resigns 1 declined\n"
SAMPLES = Path(__file__).parent.parent.parent.parent / "samples" / "clean"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.mat").write_bytes((SAMPLES / "one-point.mat").read_bytes())
    return tmp_path


def test_a_file_that_cannot_be_written_costs_the_others_nothing(
    run: Run, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "in").mkdir()
    (here / "in" / "bad.bgm").write_text(DECLINED, encoding="utf-8")
    (here / "one.mat").rename(here / "in" / "one.mat")

    def failing(replays: list[MatchReplay], name: str) -> Written:
        if replays[0].match.source.path.endswith("bad.bgm"):
            raise OverflowError("too large")
        return write(replays, name)

    monkeypatch.setattr("bganalyze.app.api.convert.write", failing)
    result = run("convert", "in", "out", "--to", "sgf")
    fault = (
        "in/bad.bgm: an internal error of bganalyze, please report it: OverflowError('too large')"
    )
    assert (result.exit_code, result.stderr) == (
        2,
        f"bganalyze: {fault}; {HOW_TO_REPORT}\nwrote 1 file to out: 1 game\n",
    )
    assert [path.name for path in (here / "out").iterdir()] == ["one.sgf"]


@pytest.mark.parametrize("name", ["one.sgf", "one.bgm", "one.txt"])
def test_the_extension_tells_the_format(run: Run, here: Path, name: str) -> None:
    result = run("convert", "one.mat", name)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"wrote {name}: 1 game\n"
    assert run("convert", "one.mat", name, "--force", "--quiet").output == ""
    assert same.matches(name) == same.matches("one.mat")
    assert not [path for path in here.iterdir() if path.name.startswith(".")]


def test_a_format_may_be_named(run: Run, here: Path) -> None:
    assert run("convert", "one.mat", "deep/er/out", "--to", "json").exit_code == 0
    assert (here / "deep" / "er" / "out").read_text().startswith('{\n "version": 1')


@pytest.mark.parametrize("words", [["one.xg"], ["one.XG"], ["one", "--to", "xg"], ["one.xgp"]])
def test_extreme_gammon_files_are_not_written_but_imported(
    run: Run, here: Path, words: list[str]
) -> None:
    result = run("convert", "one.mat", *words)
    assert result.exit_code == 2
    assert "eXtreme Gammon imports mat and xg-text" in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("lines", "is_lost"),
    [
        ("; bganalyze: ignore P404\n  1) 41: 8/5 6/5", False),
        ("; bganalyze: ignore P404\n  1) 41: 8/5 6/5                65: 24/13", False),
        ("  1) 41: 8/5 6/5                65: 24/13  ; bganalyze: ignore P404", True),
        (
            "  1) 31: 8/5 6/5                65: 24/13\n; bganalyze: ignore P\n  2) 41: 6/2 6/5",
            False,
        ),
    ],
)
def test_only_the_effect_of_a_comment_that_is_lost_is_listed(
    run: Run, here: Path, lines: str, *, is_lost: bool
) -> None:
    head = " 3 point match\n\n Game 1\n Ann : 0                       Bob : 0\n"
    (here / "silent.mat").write_text(f"{head}{lines}\n", encoding="utf-8")
    stderr = run("convert", "silent.mat", "silent.sgf").stderr
    assert ("the effect of comments that silence rules" in stderr) is is_lost


def test_an_unknown_extension_is_refused(run: Run, here: Path) -> None:
    result = run("convert", "one.mat", "one.doc")
    assert (result.exit_code, "which format?" in result.stderr) == (2, True)


def test_nothing_is_written_over_without_force(run: Run, here: Path) -> None:
    (here / "one.sgf").write_text("mine")
    result = run("convert", "one.mat", "one.sgf")
    assert (result.exit_code, (here / "one.sgf").read_text()) == (2, "mine")
    assert result.stderr == ("bganalyze: one.mat: one.sgf: already exists; --force overwrites it\n")
    assert run("convert", "one.mat", "one.sgf", "--force").exit_code == 0
    assert same.matches("one.sgf") == same.matches("one.mat")


def test_losses_are_told_unless_they_are_not_wanted(run: Run, here: Path) -> None:
    (here / "a.bgm").write_text(DECLINED)
    result = run("convert", "a.bgm", "a.mat")
    message = (
        "a.bgm: lost in a.mat: a resignation that was declined (line 6)\nwrote a.mat: 1 game\n"
    )
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", message)
    assert run("convert", "a.bgm", "a.mat", "--force", "--quiet").stderr == ""


MAIL = """\
Hi Tom,
here is the match from Saturday, I typed it last night.

> ; played on the terrace
> 3 point match
>
> Game 1
> Ann : 0                         Bob : 0
>  1) 31: 8/5 6/5                   65: 24/13
"""


def test_a_mail_loses_nothing_and_its_greeting_becomes_comments(run: Run, here: Path) -> None:
    (here / "mail.txt").write_text(MAIL, encoding="utf-8")
    kept = "mail.txt: 2 lines around the match are kept as comments; --no-prose leaves them out\n"
    assert run("convert", "mail.txt", "a.mat").stderr == f"{kept}wrote a.mat: 1 game\n"
    assert "T121" not in run("check", "a.mat").stdout
    assert (here / "a.mat").read_text(encoding="utf-8").startswith("; Hi Tom,\n; here is the")
    assert run("convert", "a.mat", "b.sgf").stderr == "wrote b.sgf: 1 game\n"
    assert run("convert", "b.sgf", "c.mat").stderr == "wrote c.mat: 1 game\n"
    (here / "mail.txt").write_text(MAIL.partition("\n")[2], encoding="utf-8")
    kept = "mail.txt: 1 line around the match is kept as a comment; --no-prose leaves it out\n"
    assert run("convert", "mail.txt", "d.mat").stderr == f"{kept}wrote d.mat: 1 game\n"
    assert "kept as" not in run("convert", "mail.txt", "e.gvab").stderr


def test_the_prose_of_a_mail_can_be_left_out_but_not_a_comment(run: Run, here: Path) -> None:
    (here / "mail.txt").write_text(MAIL, encoding="utf-8")
    assert run("convert", "mail.txt", "a.mat", "--no-prose").stderr == "wrote a.mat: 1 game\n"
    text = (here / "a.mat").read_text(encoding="utf-8")
    assert text.startswith("; played on the terrace\n")
    assert "Tom" not in text
    assert convert(MAIL.encode(), "mat", name="mail.txt", no_prose=True).text == text


def test_a_guessed_encoding_is_no_loss(run: Run, here: Path) -> None:
    text = (
        MAIL.partition("terrace\n")[2]
        .replace("> ", "")
        .replace(">", "")
        .replace("Bob", "Šárka Dvořáková")
    )
    (here / "czech.mat").write_bytes(text.replace("Ann", "Jiří Kučera").encode("cp1250"))
    assert "T122" in run("check", "czech.mat").stdout
    assert run("convert", "czech.mat", "utf.mat").stderr == "wrote utf.mat: 1 game\n"


def test_a_folder_in_one_call(run: Run, here: Path) -> None:
    (here / "in" / "deep").mkdir(parents=True)
    (here / "in" / "a.mat").write_bytes((SAMPLES / "short-match.mat").read_bytes())
    (here / "in" / "deep" / "b.mat").write_bytes((SAMPLES / "redoubles.sgf").read_bytes())
    (here / "in" / "notes.txt").write_text("no match at all")
    assert run("convert", "in", "out", "--to", "sgf").exit_code == 0
    paths = sorted(str(path.relative_to(here)) for path in (here / "out").rglob("*.*"))
    assert paths == [str(Path("out/a.sgf")), str(Path("out/deep/b.sgf"))]
    assert same.matches("out/a.sgf") == same.matches("in/a.mat")


def test_what_is_no_transcript_in_a_folder_is_told(run: Run, here: Path) -> None:
    (here / "notes.txt").write_text("no match at all")
    result = run("convert", ".", "out", "--to", "sgf")
    assert result.exit_code == 0
    assert "1 file holds no match: ./notes.txt: no match found" in result.stderr
    assert run("convert", ".", "again", "--to", "sgf", "--quiet").stderr == ""


def test_standard_input_and_output(run: Run, here: Path) -> None:
    text = (here / "one.mat").read_text()
    result = run("convert", "-", "-", "--to", "bgm", input=text)
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
    entry = '@{"program": "\\u001b[2J", "entries": []}'
    (here / "a.bgm").write_text(f"bganalyze match\ngame 1\nscore 0-0\nL 31 8/5 6/5\n{entry}\n")
    result = run("convert", "a.bgm", "a.mat")
    assert (result.exit_code, "\x1b" in result.stderr) == (0, False)


def test_two_files_do_not_become_one(run: Run, here: Path) -> None:
    (here / "in").mkdir()
    for name in ("a.mat", "a.txt"):
        (here / "in" / name).write_bytes((SAMPLES / "one-point.mat").read_bytes())
    result = run("convert", "in", "out", "--to", "sgf", "--force")
    message = (
        "bganalyze: in/a.txt: out/a.sgf holds in/a.mat already; "
        "convert this file alone, to another OUT\nwrote 1 file to out: 1 game\n"
    )
    assert (result.exit_code, result.stderr) == (2, message)


def test_what_is_no_transcript_takes_no_place(run: Run, here: Path) -> None:
    (here / "in").mkdir()
    (here / "in" / "a.mat").write_bytes((SAMPLES / "one-point.mat").read_bytes())
    (here / "in" / "a.txt").write_text("no match at all")
    result = run("convert", "in", "out", "--to", "sgf")
    assert (result.exit_code, "already" in result.stderr) == (0, False)


def test_no_file_gives_way_before_it_is_read(run: Run, here: Path) -> None:
    (here / "in").mkdir()
    (here / "in" / "a.bgm").write_text(DECLINED)
    (here / "in" / "a.mat").write_bytes((SAMPLES / "one-point.mat").read_bytes())
    result = run("convert", "in", "in/../in", "--to", "mat", "--force")
    assert "in/a.bgm: in/../in/a.mat is to be converted itself; " in result.stderr
    assert result.exit_code == 2
    assert same.matches("in/a.mat") == same.matches("one.mat")


def refusals(result: Result) -> int:
    """Return how many files were not written: another has their name, or no file can have it."""
    reasons = (" already; convert this file alone", ": this system does not allow that file name")
    return sum(map(result.stderr.count, reasons))


def test_names_that_differ_in_case_never_write_over_each_other(run: Run, here: Path) -> None:
    zip_record(here / "a.zip", "x.mat", "X.mat", "\u00e9.mat", "e\u0301.mat", "x.mat")
    result = run("convert", "a.zip", "out", "--to", "sgf", "--force")
    refused = refusals(result)
    assert (len(files(here / "out")) + refused, refused >= 1) == (5, True)


def zip_record(path: Path, *names: str) -> None:
    """Make an archive with the same record under each name, spelled exactly as given."""
    with zipfile.ZipFile(path, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # A name may occur twice.
        for name in names:
            info = zipfile.ZipInfo()
            info.filename = name
            archive.writestr(info, (SAMPLES / "one-point.mat").read_bytes())


def files(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder and its subfolders, hidden files and links to files included."""
    paths = [path for path in folder.rglob("*") if not path.is_dir()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


@pytest.fixture
def among_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with other people's files around and above the target, and links to them in it."""
    names = ("x.sgf", "deep/x.sgf", "home/x.sgf", "home/y.sgf", "home/elsewhere/x.sgf")
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("not ours")
    (tmp_path / "home" / "out").mkdir()
    (tmp_path / "home" / "out" / "link").symlink_to("../elsewhere")
    (tmp_path / "home" / "out" / "file.sgf").symlink_to("../y.sgf")
    monkeypatch.chdir(tmp_path / "home")
    return tmp_path


def outside(folder: Path) -> dict[str, bytes]:
    return {
        name: content for name, content in files(folder).items() if not name.startswith("home/out/")
    }


@pytest.mark.slow
@pytest.mark.parametrize("force", [(), ("--force",)])
def test_members_stay_inside_the_folder_whatever_they_are_called(
    run: Run, among_others: Path, force: tuple[str, ...]
) -> None:
    zip_record(among_others / "home" / "a.zip", *FILE_NAMES, "link/x.mat", "file.mat")
    before = outside(among_others)
    result = run("convert", "a.zip", "out", "--to", "sgf", *force)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert outside(among_others) == before
    assert "a link in it leads out of out" in result.stderr
    written = [
        name
        for name, content in files(among_others / "home" / "out").items()
        if content[:1] == b"("
    ]
    assert len(written) > 20


@pytest.mark.slow
@pytest.mark.parametrize("name", [*FILE_NAMES, "link/x.mat"])
@pytest.mark.parametrize("force", [(), ("--force",)])
def test_one_member_stays_inside_the_folder(
    run: Run, among_others: Path, name: str, force: tuple[str, ...]
) -> None:
    zip_record(among_others / "home" / "a.zip", name)
    before = outside(among_others)
    for source in ("a.zip", f"a.zip!{name}"):
        result = run("convert", source, "out", "--to", "sgf", *force)
        assert result.exception is None or isinstance(result.exception, SystemExit)
        assert outside(among_others) == before


NAMES = st.text("aA\u00e9:\\/.! ", min_size=1, max_size=4).map("{}.mat".format)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(names=st.lists(NAMES, min_size=2, max_size=8))
def test_every_member_is_written_or_told(run: Run, folder: Path, names: list[str]) -> None:
    place = Path(tempfile.mkdtemp(dir=folder))
    zip_record(place / "a.zip", *names)
    listed = list(find_files(str(place / "a.zip")))
    result = run("convert", place / "a.zip", place / "out", "--to", "sgf", "--force")
    refused = refusals(result)
    assert len(files(place / "out")) + refused == len(listed)
    assert set(files(place)) == {"a.zip", *(f"out/{name}" for name in files(place / "out"))}


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["none.mat", "a.sgf"], "none.mat: No such file or directory"),
        (["notes.txt", "a.sgf"], "notes.txt: no match found"),
        (["empty", "out", "--to", "sgf"], "empty: no match file in it"),
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
        [(finding.code, finding.standing) for finding in check(read(path))]
        for path in (faulty, Path("a.sgf"))
    ]
    assert codes[0] == codes[1]


FAULTY = SAMPLES.parent / "faulty"


def test_errors_of_the_source_are_counted(run: Run, here: Path) -> None:
    (here / "bad.mat").write_bytes((FAULTY / "P409-open.mat").read_bytes())
    result = run("convert", "bad.mat", "bad.sgf")
    note = "bad.mat: has 1 error, not repaired; to list: bganalyze check bad.mat\n"
    assert (result.exit_code, result.stderr.splitlines(keepends=True)[-1]) == (0, note)
    assert run("convert", "bad.mat", "quiet.sgf", "--quiet").stderr == ""
    assert "error" not in run("convert", "one.mat", "one.sgf").stderr
    shown = run("check", "bad.mat", "--format", "jsonl").stdout
    assert shown.count('"severity": "error"') == 1


def test_errors_of_a_folder_are_counted_together(run: Run, here: Path) -> None:
    (here / "in").mkdir()
    for number, name in enumerate(("P409-open.mat", "P402-open.mat")):
        (here / "in" / f"{number}.mat").write_bytes((FAULTY / name).read_bytes())
    last = run("convert", "in", "out", "--to", "sgf").stderr.splitlines()[-1]
    assert last == "in: 2 files have 2 errors, not repaired; to list: bganalyze check in"


def test_silenced_errors_are_not_counted(run: Run, here: Path) -> None:
    text = (FAULTY / "P409-open.mat").read_text(encoding="utf-8")
    (here / "silent.mat").write_text("; bganalyze: ignore P409\n" + text, encoding="utf-8")
    assert run("check", "silent.mat").exit_code == 0
    assert "error" not in run("convert", "silent.mat", "silent.sgf").stderr
