"""`bganalyze repair`: what it proposes, what it writes, and where."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from bganalyze.app.render.proposals import STILL_A_GUESS, RepairTally
from bganalyze.record.reader import read
from bganalyze.repairing.edits import edit_bytes
from bganalyze.repairing.search import find_repairs_in_file
from bganalyze.validation.checking import check
from tests.nasty import FILE_NAMES

Run = Callable[..., Result]

FAULTY = Path(__file__).parent.parent.parent.parent / "samples" / "faulty"
PROVED = (FAULTY / "D301-impossible-die.mat").read_bytes()
REPAIRED = PROVED.replace(b"72: 8/4 6/4", b"42: 8/4 6/4")
OPEN = (FAULTY / "P410-larger-die.mat").read_bytes()
CLEAN = (FAULTY.parent / "clean" / "one-point.mat").read_bytes()
NO_ERROR = "there is no error to repair"
NOT_PROVED = "no repair is proved; --choose takes a proposal by its number"
KEYS = (
    "path, match, game, cause, code, line, column,"
    " rank, kind, probability, probability_range, proved, evidence, slip, edits, side, row, message,"
    " errors_before, errors_after, other_rolls, doubt"
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a record whose repair is proved, and one with several proposals."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "proved.mat").write_bytes(PROVED)
    (folder / "open.mat").write_bytes(OPEN)
    return folder


def names(folder: Path) -> list[str]:
    """Return the names in a folder, hidden files included."""
    return sorted(path.name for path in folder.iterdir())


# Output and exit status


def test_what_is_proved_is_shown_as_a_diff_and_nothing_is_written(run: Run, here: Path) -> None:
    result = run("repair", "proved.mat")
    assert result.exit_code == 0
    assert result.stdout.startswith("--- a/proved.mat\n+++ b/proved.mat\n@@ -4,7 +4,7 @@\n")
    assert "\n+  1) 52: 13/8 24/22              42: 8/4 6/4\n" in result.stdout
    assert (
        "1    line 7, game 1, row 1, Cleo Hart: 72: 8/4 6/4 → 42: 8/4 6/4 (roll misread; proved"
        in (result.stdout)
    )
    assert (
        "1 file, 1 error, 1 proposal, 1 proved, 0 errors left after the proved repair\n"
        in result.stdout
    )
    assert result.stdout.endswith("Rule book: basic (base rules, player-error rule of 1931)\n")
    assert result.stderr == (
        "nothing written; to write it, use --write --in-place, or --write --out PLACE\n"
    )
    assert ((here / "proved.mat").read_bytes(), names(here)) == (PROVED, ["open.mat", "proved.mat"])


def test_what_is_not_proved_is_listed_with_its_numbers(run: Run, here: Path) -> None:
    result = run("repair", "open.mat")
    hint = (
        "nothing is proved; to make a proposal, add its number: --choose 1 --write --out fixed.mat"
    )
    assert (result.exit_code, result.stderr) == (1, f"{hint}\n")
    first, note, *proposals, _, _, _ = result.stdout.splitlines()
    assert first.startswith("open.mat:26:38: P410 error: ")
    assert note.endswith("it may really have been made. If it is a transcription slip:")
    assert [line.split()[0] for line in proposals][:2] == ["1", "1.2"]
    assert "54: 6/2 → 54: 6/1 (play miswritten; " in result.stdout
    assert "line 26, game 1, row 20, Bruno Vale: 54: 6/2" in proposals[0]
    assert "not proved" not in result.stdout


@pytest.mark.slow
def test_the_offered_number_is_of_a_proposal_that_can_be_made_alone(run: Run, here: Path) -> None:
    """Without four cells, the first proposal reveals errors, and is refused alone."""
    text = (FAULTY.parent / "clean" / "xg-mat.mat").read_text("utf-8")
    (here / "gaps.mat").write_text(
        re.sub(r"(?m)^(  [2-5]\) .{28})[0-9]{2}:.*$", r"\1", text, count=4), "utf-8"
    )
    result = run("repair", "gaps.mat")
    assert "(columns swapped; " in result.stdout.splitlines()[1]
    assert "errors 1 → 3" in result.stdout.splitlines()[1]
    offered = "nothing is proved; to make a proposal, add its number: --choose 1.2 --write --out fixed.mat"
    assert result.stderr.splitlines()[-1] == offered
    refused = run("repair", "gaps.mat", "--choose", "1")
    assert "1 is left out: alone it would leave 3 errors instead of 1" in refused.stderr
    chosen = run("repair", "gaps.mat", "--choose", "1.2", "--write", "--out", "fixed.mat")
    assert (here / "fixed.mat").exists(), chosen.stderr


def test_a_note_is_not_repeated_for_the_next_error(run: Run, here: Path) -> None:
    sample = FAULTY / "P404-two-in-a-row.mat"
    for name in ("two.mat", "three.mat"):
        (here / name).write_bytes(sample.read_bytes())
    lines = run("repair", "two.mat", "three.mat").stdout.splitlines()
    notes = [line.strip() for line in lines if line.endswith(("slip:", "The same holds here:"))]
    assert notes[1::2] == ["The same holds here:"] * 2
    assert all(note.startswith("Nothing later in the game") for note in notes[::2])


def test_swapped_sides_explain_the_end_of_a_match_that_the_other_side_would_have_won(
    run: Run, here: Path
) -> None:
    rows = """ 3 point match

 Game 1
 Ann : 0                         Bob : 2
  1) 31: 8/5 6/5                   65: 24/13
  2) 42: 8/4 6/4                   53: 8/3 6/3
  3) Doubles => 2                  Drops
      Wins 1 point and the match
"""
    (here / "end.mat").write_text(rows, encoding="utf-8")
    listed = run("repair", "end.mat").stdout
    assert "R607 error: marked as the end of the match" in listed
    assert "swap the sides of game 1 (sides; " in listed
    assert "not proved: swapping the sides explains any result of a game" in listed
    chosen = run("repair", "end.mat", "--choose", "1", "--write", "--out", "mended.mat")
    assert chosen.exit_code == 0
    assert run("check", "mended.mat").exit_code == 0


def test_a_record_without_an_error_needs_no_repair(run: Run, here: Path) -> None:
    (here / "clean.mat").write_bytes(CLEAN)
    result = run("repair", "clean.mat")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("1 file, 0 errors")
    assert run("repair", "clean.mat", "--quiet").output == ""


def test_the_lines_of_json_are_the_proposals_of_the_library(run: Run, here: Path) -> None:
    result = run("repair", "open.mat", "proved.mat", "--format", "jsonl")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert {", ".join(line) for line in lines} == {KEYS}
    proposals = [
        (name, number, rank, proposal.message, [edit._asdict() for edit in proposal.edits])
        for name, data in (("open.mat", OPEN), ("proved.mat", PROVED))
        for number, cause in enumerate(find_repairs_in_file(data, name), start=1)
        for rank, proposal in enumerate(cause.proposals, start=1)
    ]
    keys = ("path", "cause", "rank", "message", "edits")
    assert [tuple(line[key] for key in keys) for line in lines] == proposals


def test_sarif_has_the_proposals_as_fixes(run: Run, here: Path) -> None:
    (log,) = json.loads(run("repair", "open.mat", "--format", "sarif").stdout)["runs"]
    (result,) = log["results"]
    change = result["fixes"][0]["artifactChanges"][0]["replacements"][0]
    assert change["deletedRegion"]["startLine"] == 26
    assert change["insertedContent"]["text"] == " 20) 51: 25/20                   44: 6/2 "


def test_the_page_of_a_check_says_what_is_most_likely(run: Run, here: Path) -> None:
    run("check", "proved.mat", "--html", "page.html")
    page = (here / "page.html").read_text(encoding="utf-8")
    assert "Most likely" in page
    assert "line 7, 72: 8/4 6/4 → 42: 8/4 6/4; the rest of the game then replays (proved)" in page


def test_errors_that_follow_are_counted_apart() -> None:
    tally = RepairTally(errors=1, causes=6, proposals=6)
    first, *_ = tally.in_words()
    assert first == "1 error (6 with those that follow from repairing them)"


def test_files_that_are_no_records_are_told(run: Run, here: Path) -> None:
    (here / "notes.txt").write_text("nothing of the kind\n", encoding="utf-8")
    assert run("repair", "notes.txt").exit_code == 2
    assert run("repair", "missing.mat").exit_code == 2
    assert run("repair", ".").exit_code == 1


ONE_PROVED = "1 file, 1 error, 1 proposal, 1 proved"
NONE_PROVED = "1 file, 1 error, 2 proposals, none proved"
TWO_ERRORS = "1 file, 2 errors, 3 proposals, 1 proved"
TWO_FILES = "2 files, 2 errors, 3 proposals, 1 proved"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "summary"),
    [
        ("proved.mat", f"{ONE_PROVED}, 0 errors left after the proved repair"),
        ("proved.mat --write --out o", f"{ONE_PROVED} and written, 0 errors left"),
        ("open.mat", NONE_PROVED),
        ("open.mat --write --out o", NONE_PROVED),
        (
            "open.mat --choose 1",
            f"{NONE_PROVED}, 1 chosen (not proved), 0 errors left after the chosen repair",
        ),
        (
            "open.mat --choose 1 --write --out o",
            f"{NONE_PROVED}, 1 chosen (not proved) and written, 0 errors left",
        ),
        ("proved.mat open.mat", f"{TWO_FILES}, 1 error left after the proved repair"),
        ("proved.mat open.mat --write --out o/", f"{TWO_FILES} and written, 1 error left"),
        (
            "both.mat --choose 2",
            f"{TWO_ERRORS}, 1 chosen (not proved), 0 errors left after the proved and chosen repairs",
        ),
        (
            "both.mat --choose 2 --write --in-place",
            f"{TWO_ERRORS} and written, 1 chosen (not proved) and written, 0 errors left",
        ),
        (
            "lost.mat",
            "1 file, 1 error, no repair found: none of the slips that are searched explains this",
        ),
        (
            "again.mat proved.mat --write --out o/",
            "2 files, 2 errors, 2 proposals, 2 proved, 1 of them written, 1 error left",
        ),
    ],
)
def test_the_summary_says_what_is_proposed_and_what_was_done(
    run: Run, here: Path, words: str, summary: str
) -> None:
    (here / "both.mat").write_bytes(PROVED.rstrip() + b"\n\n" + OPEN)
    (here / "lost.mat").write_bytes((FAULTY / "C501-not-owner.mat").read_bytes())
    (here / "again.mat").write_bytes(PROVED)
    (here / "o").mkdir()
    (here / "o" / "again.mat").write_text("mine", encoding="utf-8")
    words = words.replace("out o", "out new.mat") if words.endswith(" o") else words
    lines = run("repair", *words.split()).stdout.removesuffix(f"{STILL_A_GUESS}\n").splitlines()
    assert lines[-2] == summary


OF_SEVERAL = (
    "nothing is proved; to make a proposal, name its file and its number:"
    " bganalyze repair open.mat --choose 1 --write --out fixed.mat"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "note"),
    [
        ("open.mat --write --out o/", f"nothing written: {NOT_PROVED}"),
        ("open.mat --write --in-place", f"nothing written: {NOT_PROVED}"),
        ("open.mat --format diff", f"the diff is empty: {NOT_PROVED}"),
        ("clean.mat --format diff", f"the diff is empty: {NO_ERROR}"),
        ("open.mat open.mat --write --out o/", f"nothing written: {NOT_PROVED}"),
        ("open.mat clean.mat --write --out o/", "nothing written: no repair is proved"),
        ("clean.mat open.mat", OF_SEVERAL),
    ],
)
def test_a_run_that_writes_nothing_says_why(run: Run, here: Path, words: str, note: str) -> None:
    (here / "clean.mat").write_bytes(CLEAN)
    assert run("repair", *words.split()).stderr == f"{note}\n"
    assert run("repair", *words.split(), "--quiet").stderr == ""
    assert not (here / "o").exists()


# The diff, for other programs.


ENDINGS = {
    "unix": lambda data: data,
    "windows": lambda data: data.replace(b"\n", b"\r\n"),
    "no end": lambda data: data.rstrip(b"\n"),
    "cp1252": lambda data: data.replace(b"Cleo", b"Cl\xe9o"),
    "a mark": lambda data: b"\xef\xbb\xbf" + data,
    "utf-16": lambda data: data.decode().encode("utf-16"),
}


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("patch"), reason="needs patch")
@pytest.mark.parametrize("how", ENDINGS)
@pytest.mark.parametrize("name", ["m.mat", "a b.mat", "deep/er.mat"])
@pytest.mark.parametrize("program", [("patch", "-p1", "--binary"), ("git", "apply")])
def test_the_diff_can_be_applied(
    run: Run, here: Path, how: str, name: str, program: tuple[str, ...]
) -> None:
    path = here / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(ENDINGS[how](PROVED))
    patch = run("repair", name, "--format", "diff").stdout_bytes
    subprocess.run(program, input=patch, check=True, capture_output=True)
    assert path.read_bytes() == ENDINGS[how](REPAIRED)


def test_a_diff_of_an_absolute_path_is_below_this_folder(run: Run, here: Path) -> None:
    result = run("repair", here / "proved.mat", "--format", "diff")
    assert result.stdout.startswith("--- a/proved.mat\n")


def test_a_diff_obeys_nothing_that_a_name_says(run: Run, here: Path) -> None:
    (here / "proved.mat").rename(here / "a\n+++ b.mat")
    result = run("repair", "a\n+++ b.mat", "--format", "diff")
    assert result.stdout.startswith('--- "a/a\\012+++ b.mat"\n')


# Files written


def test_write_needs_a_place(run: Run, here: Path) -> None:
    for words in (["--write"], ["--write", "--in-place", "--out", "x.mat"]):
        assert "where to? " in run("repair", "proved.mat", *words).stderr
    assert "go with --write" in run("repair", "proved.mat", "--in-place").stderr
    assert names(here) == ["open.mat", "proved.mat"]


def test_a_file_is_changed_in_its_place(run: Run, here: Path) -> None:
    os.chmod("proved.mat", 0o600)
    (here / "link.mat").symlink_to("proved.mat")
    result = run("repair", "link.mat", "--write", "--in-place")
    assert (result.exit_code, result.stderr) == (0, "wrote link.mat\n")
    assert (here / "proved.mat").read_bytes() == REPAIRED
    assert (here / "link.mat").is_symlink()
    assert (here / "proved.mat").stat().st_mode & 0o777 == 0o600
    later = run("repair", "link.mat", "--write", "--in-place")
    assert (later.exit_code, later.stderr) == (0, f"nothing written: {NO_ERROR}\n")


def test_a_file_that_is_protected_is_left_as_it_is(
    run: Run, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # The tests may be run by root.
    result = run("repair", "proved.mat", "--write", "--in-place")
    assert (result.exit_code, "proved.mat: Permission denied" in result.stderr) == (2, True)
    assert (here / "proved.mat").read_bytes() == PROVED


def test_a_file_with_another_name_is_changed_only_by_force(run: Run, here: Path) -> None:
    (here / "other.mat").hardlink_to("proved.mat")
    result = run("repair", "proved.mat", "--write", "--in-place")
    reason = "has 2 names (hard links), and only one would be changed; --force rewrites it"
    assert (result.exit_code, result.stderr) == (2, f"bganalyze: proved.mat: {reason}\n")
    assert (here / "proved.mat").read_bytes() == PROVED
    assert run("repair", "proved.mat", "--write", "--in-place", "--force").exit_code == 0
    assert (here / "proved.mat").read_bytes() == REPAIRED
    assert (here / "other.mat").read_bytes() == PROVED


def test_a_file_is_written_elsewhere(run: Run, here: Path) -> None:
    result = run("repair", "proved.mat", "--write", "--out", "new/repaired.mat")
    assert (result.exit_code, result.stderr) == (0, "wrote new/repaired.mat\n")
    assert (here / "new" / "repaired.mat").read_bytes() == REPAIRED
    assert (here / "proved.mat").read_bytes() == PROVED


def test_no_file_of_somebody_else_is_written_over(run: Run, here: Path) -> None:
    result = run("repair", "proved.mat", "--write", "--out", "open.mat")
    assert (result.exit_code, "--force overwrites it" in result.stderr) == (2, True)
    assert (here / "open.mat").read_bytes() == OPEN
    assert run("repair", "proved.mat", "--write", "--out", "open.mat", "--force").exit_code == 0
    assert (here / "open.mat").read_bytes() == REPAIRED


def test_out_is_not_the_file_itself(run: Run, here: Path) -> None:
    result = run("repair", "proved.mat", "--write", "--out", "./proved.mat", "--force")
    assert (result.exit_code, "only --in-place" in result.stderr) == (2, True)
    assert (here / "proved.mat").read_bytes() == PROVED


def test_of_several_files_those_with_a_repair_are_written_into_a_folder(
    run: Run, here: Path
) -> None:
    result = run("repair", ".", "--write", "--out", "../out", "--quiet")
    assert result.exit_code == 1
    assert {path.name: path.read_bytes() for path in (here.parent / "out").iterdir()} == {
        "proved.mat": REPAIRED
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", FILE_NAMES)
def test_members_of_archives_stay_inside_the_folder(run: Run, here: Path, name: str) -> None:
    with zipfile.ZipFile("in.zip", "w") as archive:
        archive.writestr(name, PROVED)
    outside = names(here.parent)
    run("repair", "in.zip", "--write", "--out", "out/")
    assert names(here.parent) == outside
    assert set(names(here)) <= {"in.zip", "open.mat", "out", "proved.mat"}
    assert (here / "proved.mat").read_bytes() == PROVED


def test_an_archive_is_not_changed(run: Run, here: Path) -> None:
    with zipfile.ZipFile("in.zip", "w") as archive:
        archive.writestr("m.mat", PROVED)
    content = (here / "in.zip").read_bytes()
    result = run("repair", "in.zip", "--write", "--in-place")
    assert (result.exit_code, "--out" in result.stderr) == (2, True)
    assert (here / "in.zip").read_bytes() == content
    assert (
        run("repair", "in.zip").stderr == "nothing written; to write it, use --write --out PLACE\n"
    )
    standard_input = run("repair", "-", input=PROVED)
    assert standard_input.stderr == "nothing written; to write it, use --write --out PLACE\n"


def test_it_can_be_a_filter(run: Run, here: Path) -> None:
    result = run("repair", "-", "--write", "--out", "-", input=PROVED)
    assert (result.exit_code, result.stdout_bytes) == (0, REPAIRED)
    clean = run("repair", "-", "--write", "--out", "-", input=CLEAN)
    assert (clean.exit_code, clean.stdout_bytes) == (0, CLEAN)


def test_a_binary_file_is_repaired_as_text_beside_it(run: Run, here: Path) -> None:
    assert run("convert", "open.mat", "m.gvab").exit_code == 0
    binary = (here / "m.gvab").read_bytes()
    for words in (["--in-place"], ["--out", "m.mat"]):
        result = run("repair", "m.gvab", "--choose", "1", "--write", *words)
        assert (result.exit_code, (here / "m.gvab").read_bytes()) == (0, binary)
    for name in ("m.bgm", "m.mat"):
        assert not [f for f in check(read(name)) if f.severity == "error"]
    assert run("repair", "m.gvab", "--choose", "1", "--write", "--out", "m.sgf").exit_code == 2


def test_proposals_for_a_binary_file_edit_no_lines_of_it(run: Run, here: Path) -> None:
    run("convert", "open.mat", "m.gvab")
    lines = run("repair", "m.gvab", "--format", "jsonl").stdout.splitlines()
    assert lines
    assert not any(json.loads(line)["edits"] for line in lines)
    assert run("repair", "m.gvab", "--choose", "1", "--format", "diff").stdout == ""


# Choice of proposals


def test_a_proposal_is_chosen_by_its_number(run: Run, here: Path) -> None:
    for number, text in (("1", b"44: 6/2"), ("1.2", b"54: 6/1")):
        name = f"{number}.mat"
        result = run("repair", "open.mat", "--choose", number, "--write", "--out", name)
        assert (result.exit_code, (here / name).read_bytes()) == (
            0,
            OPEN.replace(b"54: 6/2", text),
        )


def test_what_is_written_is_shown_as_a_diff_with_the_errors_left(run: Run, here: Path) -> None:
    lines = run("repair", "open.mat", "--choose", "1", "--write", "--out", "o.mat").stdout
    diff, result = lines.split("\n\n")
    assert diff.startswith("--- a/open.mat\n+++ b/open.mat\n@@ ")
    assert "P410" not in diff
    assert "roll misread" not in diff
    assert result.startswith("1 file, 1 error, ")
    inserted = (FAULTY / "T120-score-line-lost.mat").read_bytes().rstrip() + b"\n\n" + OPEN
    (here / "both.mat").write_bytes(inserted)
    output = run("repair", "both.mat", "--write", "--out", "left.mat").stdout
    (error,) = (line for line in output.splitlines() if " error: " in line)
    checked = run("check", "left.mat", "--severity", "error", "--no-board").stdout
    assert error in checked.splitlines()
    assert "if it is a slip" not in output


def test_a_probability_names_its_condition_only_if_the_player_may_have_erred(
    run: Run, here: Path
) -> None:
    proposals = run("repair", "open.mat").stdout.splitlines()[2:4]
    assert all(re.search(r"; \d+ % if it is a slip, errors 1 → 0", line) for line in proposals)
    assert "(roll misread; proved, 98 %, errors 1 → 0)" in run("repair", "proved.mat").stdout


def test_other_plays_that_fit_stand_below_a_proposal_without_a_number(run: Run, here: Path) -> None:
    game = " 3 point match\n\n Game 1\n Ann : 0                       Bob : 0\n"
    (here / "a.mat").write_text(f"{game}  1) 31: 8/5 6/5                66: 13/7 13/7 7/1 12/6\n")
    listed = run("repair", "a.mat").stdout
    found = re.search(r"\n       or (.*), (.*), (.*) and [0-9]+ more\n  1\.2", listed)
    assert found is not None
    assert {"24/18(2) 13/7 8/2", "13/7 8/2(3)"} <= {*found.groups()}


def test_a_choice_alone_shows_what_it_would_write(run: Run, here: Path) -> None:
    result = run("repair", "open.mat", "--choose", "1.2")
    assert (result.exit_code, "\n+ 20) 51: 25/20                   54: 6/1 " in result.stdout) == (
        0,
        True,
    )


@pytest.mark.slow
def test_a_choice_that_uncovers_errors_is_left_out_with_what_it_needs(run: Run, here: Path) -> None:
    match = FAULTY.parent / "clean" / "bgtournament.mat"
    lines = match.read_bytes().splitlines(keepends=True)
    (here / "row-lost.mat").write_bytes(b"".join(lines[:30] + lines[31:]))
    result = run("repair", "row-lost.mat", "--choose", "1", "--write", "--out", "o.mat")
    message = r"row-lost\.mat: 1 is left out: alone it would leave \d errors instead of 1; choose"
    assert re.search(message, result.stderr)
    assert result.exit_code == 1


@pytest.mark.parametrize("numbers", ["9", "1.99", "0", "x", "1.x", "", "1,1.2"])
def test_what_cannot_be_chosen_is_refused(run: Run, here: Path, numbers: str) -> None:
    result = run("repair", "open.mat", "--choose", numbers, "--write", "--in-place")
    assert (result.exit_code, (here / "open.mat").read_bytes()) == (2, OPEN)


def test_numbers_are_of_one_file(run: Run, here: Path) -> None:
    assert run("repair", "open.mat", "proved.mat", "--choose", "1").exit_code == 2
    assert run("repair", ".", "--choose", "1").exit_code == 2


def test_applied_edits_are_what_is_written(run: Run, here: Path) -> None:
    run("repair", "open.mat", "--choose", "1", "--write", "--out", "repaired.mat")
    (cause,) = find_repairs_in_file(OPEN, "open.mat")
    assert (here / "repaired.mat").read_bytes() == edit_bytes(OPEN, cause.proposals[0].edits)


LOST_GAME = """\
 7 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                  Doubles => 2
  2) Drops
                                  Wins 1 point

 Game 2
 Ann : 2                         Bob : 1
  1) 31: 8/5 6/5                  Doubles => 2
  2) Drops
                                  Wins 1 point

 Game 3
 Ann : 2                         Bob : 2
  1) 31: 8/5 6/5                  42: 8/4 6/4
"""


COPIED_PLAY = """\
11 point match

 Game 1
 Ann : 0                         Bob : 0
  1)                             21: 13/11 6/5
  2) 51: 13/8 24/23              54: 6/1 5/1
  3) 52: 25/23 13/8              43: 24/20 24/21
  4) 21: 6/4 6/5                 32: 25/23 25/22
  5) 66: 13/7 13/7 8/2 8/2       54: 25/20 20/16
  6) 51: 25/20 4/3               63: 25/22 11/5
  7) 54: 25/21 25/20             54: 25/20 16/12
  8) 43: 25/21 23/20             31: 12/9 9/8
  9) 52: 23/18 18/16             65: 20/14 14/9
 10) 63: 25/22 22/16             51: 25/20 22/21
 11) 61: 16/10 6/5               33: 25/22 13/10 13/10 13/10
 12) 43: 8/4 8/5                 22: 6/4 6/4 24/22 24/22
 13)  Doubles => 2                Drops
      Wins 1 point
"""


def test_a_repair_that_nothing_tests_has_no_number_and_names_whom_to_ask(
    run: Run, here: Path
) -> None:
    """A dance is proposed for a play of a checker that is not there, the last one before a pass."""
    (here / "guess.mat").write_text(COPIED_PLAY)
    output = run("repair", "guess.mat").stdout
    edit = "22: 6/4 6/4 24/22 24/22 → 22: dance (play miswritten; errors 1 → 0; not proved: nothing later"
    assert edit in output
    assert "%" not in output
    assert "ask Bob and the opponent, or look at the video: game 1, row 12\n" in output
    checked = run("check", "guess.mat", "--full").stdout
    assert "; the rest of the game then replays (nothing later tests this: " in checked
    assert "to be sure: ask Bob and the opponent, or look at the video: game 1, row 12\n" in checked


def test_how_to_mark_a_guess_is_said_once_it_is_written(run: Run, here: Path) -> None:
    (here / "guess.mat").write_text(COPIED_PLAY)
    (here / "proved.mat").write_bytes((FAULTY / "D301-impossible-die.mat").read_bytes())
    assert STILL_A_GUESS not in run("repair", "guess.mat", "--choose", "1").stdout
    assert STILL_A_GUESS not in run("repair", "proved.mat", "--write", "--out", "p.mat").stdout
    options = ("--choose", "1", "--write", "--out", "marked.mat")
    assert run("repair", "guess.mat", *options).stdout.endswith(f"{STILL_A_GUESS}\n")
    above, row, below = (here / "marked.mat").read_text().partition(" 12)")
    (here / "marked.mat").write_text(f"{above}; not proved: ask Bob\n{row}{below}")
    assert run("check", "marked.mat").exit_code == 0


def test_what_is_missing_is_a_cause_that_cannot_be_written(run: Run, here: Path) -> None:
    (here / "lost.mat").write_text(LOST_GAME)
    result = run("repair", "lost.mat")
    assert re.search(
        r"1    line 9: a game seems to be missing between games 1 and 2"
        r" \(game lost; \d+ % that this is right, no edit can restore it\)",
        result.stdout,
    )
    result = run("repair", "lost.mat", "--write", "--choose", "1", "--out", "repaired.mat")
    assert "lost.mat: 1 is left out: no edit brings back what is missing" in result.stderr
    assert not (here / "repaired.mat").exists()
    sarif = json.loads(run("check", "lost.mat", "--format", "sarif").stdout)
    finding, *_ = (one for one in sarif["runs"][0]["results"] if one["ruleId"] == "R604")
    assert finding["properties"]["cause"]["kind"] == "game-lost"
    assert all(fix["artifactChanges"][0]["replacements"] for fix in finding.get("fixes", ()))


def test_a_missing_turn_is_no_play_that_was_really_made(run: Run) -> None:
    output = run("repair", FAULTY / "T105-missing-turn.mat").stdout
    assert "may really have been made" not in output
    assert "The file does not show which roll it was: look at the video" in output
    first, others = (line for line in output.splitlines() if "13/7" in line)
    assert (
        "1    line 9, game 1, row 3, right: insert the lost turn 61: 13/7 7/6 (lost turn; " in first
    )
    assert re.search(r"or 1\.2 64: 13/7 7/3 \(\d+ %\), 1\.3 ", others)


@pytest.mark.parametrize("cell", ["00: ????", "61: ????"])
def test_a_turn_that_is_unknown_can_be_written(run: Run, here: Path, cell: str) -> None:
    data = (FAULTY / "T105-missing-turn.mat").read_text(encoding="utf-8")
    row = "  3) 52: 25/23 13/8              "
    (here / "unknown.mat").write_text(data.replace(row, f"{row}{cell}"), encoding="utf-8")
    checked = run("check", "unknown.mat", "--full")
    assert checked.exit_code == 0
    assert "D303 warning: the " in checked.stdout
    assert "written down wrong" not in checked.stdout


@pytest.mark.slow
def test_two_unknown_turns_cause_no_other_error(run: Run, here: Path) -> None:
    """The later plays fit some play of some rolls, so they are not errors, and no row is inserted."""
    lines = (FAULTY.parent / "clean" / "three-point.mat").read_text(encoding="utf-8").split("\n")
    row = next(number for number, line in enumerate(lines) if line.startswith("  5)"))
    lines[row] = "  5) 00: ????                    00: ????"
    (here / "unknown.mat").write_text("\n".join(lines), encoding="utf-8")
    checked = run("check", "unknown.mat")
    assert checked.stdout.count("D303 warning: the turn is not recorded") == 2
    assert " error: " not in checked.stdout
    assert "insert the lost" not in run("repair", "unknown.mat").stdout


def test_a_diff_needs_no_hint_how_to_write(run: Run, folder: Path) -> None:
    text = (
        " 5 point match\n\n Game 1\n Ann : 0                          Bob : 0\n"
        "  1) 31: 8/5 6/5                   42: 8/4 6/4\n  2)  Doubles => 2                 Drops\n"
        "      Wins 1 point\n\n Game 2\n"
        "  1) 31: 8/5 6/5                   42: 8/4 6/4\n  2)  Doubles => 2                 Drops\n"
        "      Wins 1 point\n\n Game 3\n Ann : 2                          Bob : 0\n"
        "  1) 31: 8/5 6/5                   42: 8/4 6/4\n"
    )
    (folder / "lost.mat").write_text(text)
    assert "nothing written" in run("repair", "lost.mat").stderr
    assert run("repair", "lost.mat", "--format", "diff").stderr == ""
