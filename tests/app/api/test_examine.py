"""`examine`: an upload by one call, equal to what `check`, `repair`, `matches` and `show` say of it."""

from __future__ import annotations

import gzip
import io
import json
import pickle
import re
import tarfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bganalyze.app.api import examine as module
from bganalyze.app.api.arguments import _is_iterable_of, _is_path, _is_whole_number
from bganalyze.app.api.check import check
from bganalyze.app.api.convert import convert
from bganalyze.app.api.examine import Examination, _find_extension, examine
from bganalyze.app.api.matches import matches
from bganalyze.app.api.repair import repair
from bganalyze.app.api.show import show
from bganalyze.app.api.stats import asks_for_analyses
from bganalyze.app.jobs.uploads import ExaminedFinding
from bganalyze.files.limits import UnreadableError
from bganalyze.repairing.applying import ChosenProposal
from bganalyze.text import escape_surrogates
from tests.app.api.records import CLEAN, ILLEGAL, NO_RECORD, WON, zip_files
from tests.app.samples import SAMPLES, list_samples_of_rules
from tests.json_schemas import list_schema_errors

COMPARED = [
    *list_samples_of_rules(),
    *(
        SAMPLES / "faulty" / name
        for name in ("P404-open.mat", "P404-corrected.mat", "T120-score-line-lost.mat")
    ),
    *sorted(path for path in (SAMPLES / "clean").iterdir() if path.suffix != ".zip")[::4],
    SAMPLES / "clean" / "several-matches.mat",
]


def find_errors(examined: Examination) -> list[ExaminedFinding]:
    """Return the errors of an upload."""
    return [one for one in examined.findings if one.severity == "error"]


def tar_files(mode: Literal["w:", "w:gz", "w:xz"], **files: bytes) -> bytes:
    """Return a tar archive of files, as `zip_files` does."""
    archive = io.BytesIO()
    with tarfile.open(mode=mode, fileobj=archive) as written:
        for name, content in files.items():
            info = tarfile.TarInfo(name.replace("_", "."))
            info.size = len(content)
            written.addfile(info, io.BytesIO(content))
    return archive.getvalue()


def test_a_finding_has_its_board_and_its_own_proposals() -> None:
    examined = examine(ILLEGAL, "a.mat")
    (found,) = find_errors(examined)
    assert (found.path, found.line, found.code, found.standing) == ("a.mat", 5, "P404", "stands")
    assert (found.member, found.place) == (None, "game 1, row 1, left: Ann")
    assert found.board == show(ILLEGAL, "5:14", name="a.mat").svg()
    assert found.excerpt == ILLEGAL.decode().splitlines()[4]
    assert [one.number for one in found.proposals][:2] == ["1", "1.2"]
    assert len(found.legal or ()) < (found.legal_count or 0)
    number = next(one.number for one in found.proposals if one.message.endswith("31: 8/5 6/5"))
    assert examined.repaired(number).data == CLEAN
    assert examined.repaired([number], "a.mat").data == CLEAN
    assert not examined.ok
    assert examined.is_search_complete


@pytest.mark.slow
@pytest.mark.parametrize("path", dict.fromkeys(COMPARED), ids=lambda path: path.name)
def test_samples_are_what_the_other_functions_say(path: Path) -> None:
    content = path.read_bytes()
    examined = examine(content, path.name)
    result = check(content, name=path.name)
    assert list_schema_errors("examination", json.loads(json.dumps(examined.to_dict()))) == []
    assert (examined.ok, examined.matches) == (result.ok, matches(content, name=path.name).matches)
    keys = (
        "path",
        "line",
        "column",
        "end_column",
        "code",
        "message",
        "standing",
        "legal",
        "position",
    )
    assert [[getattr(one, key) for key in keys] for one in examined.findings] == [
        [getattr(one, key) for key in keys] for one in result
    ]
    proposed = [
        one for found in (*examined.findings, *examined.appearing) for one in found.proposals
    ]
    assert {(one.number, one.message) for one in proposed} == {
        (str(ChosenProposal(number, rank)), one.message)
        for number, cause in enumerate(repair(content, name=path.name).causes, start=1)
        for rank, one in enumerate(cause.proposals, start=1)
    }


@pytest.mark.slow
def test_an_error_that_only_a_repair_brings_up_is_listed_apart() -> None:
    text = (SAMPLES / "clean" / "short-match.mat").read_bytes()
    text = text.replace(b"33: 13/10 13/10", b"33: 13/10 16/21").replace(b"5/4 6/2", b"5/4 12/20")
    examined = examine(text, "a.mat")
    known = {(one.line, one.column) for one in examined.findings}
    (appearing,) = examined.appearing
    assert (appearing.line, appearing.column) not in known
    assert appearing.board is None
    assert appearing.proposals
    assert list_schema_errors("examination", json.loads(json.dumps(examined.to_dict()))) == []


# Archives, and what cannot be read.


def test_members_of_an_archive_are_repaired_by_their_path() -> None:
    content = zip_files(a_mat=ILLEGAL, b_mat=WON, notes_txt=NO_RECORD, c_xg=b"RGMH", d_mat=ILLEGAL)
    examined = examine(content, "club.zip")
    assert [one.path for one in examined.matches] == [
        f"club.zip!{name}" for name in ("a.mat", "b.mat", "d.mat")
    ]
    assert [one.path for one in find_errors(examined)] == ["club.zip!a.mat", "club.zip!d.mat"]
    assert [one.path for one in examined.unreadable] == ["club.zip!c.xg"]
    assert [one.path for one in examined.skipped] == ["club.zip!notes.txt"]
    first, last = find_errors(examined)
    assert (last.member, last.place) == ("d.mat", "game 1, row 1, left: Ann")
    number = next(one.number for one in last.proposals if one.message.endswith("31: 8/5 6/5"))
    assert examined.repaired(number, last.path).data == CLEAN
    repaired = examined.repaired(number, first.member)
    assert repr(repaired) == f"<repaired file: {len(repaired.data)} bytes, errors 1 → 0>"
    with pytest.raises(UnreadableError, match=r"its files: club\.zip!a\.mat$"):
        examined.repaired(number)
    with pytest.raises(ValueError, match="no proposal 9"):
        examined.repaired("9", last.path)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (zip_files(a_mat=ILLEGAL), "upload.bin"),
        (zip_files(a_mat=ILLEGAL), ""),
        (zip_files(a_mat=ILLEGAL), "club.zip "),
        (zip_files(a_mat=ILLEGAL), "CLUB.MAT"),
        (tar_files("w:", a_mat=ILLEGAL), "club"),
        (tar_files("w:gz", a_mat=ILLEGAL), "club.gz"),
        (tar_files("w:xz", a_mat=ILLEGAL), "club.zip"),
    ],
)
def test_the_content_says_that_it_is_an_archive(content: bytes, name: str) -> None:
    examined = examine(content, name)
    assert [(one.path, one.code) for one in find_errors(examined)] == [(f"{name}!a.mat", "P404")]
    assert examined.repaired("1", f"{name}!a.mat").errors_after == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a.mat", "a.mat.gz", "", "a"])
def test_a_compressed_file_is_read_by_any_name(name: str) -> None:
    assert [one.path for one in find_errors(examine(gzip.compress(ILLEGAL), name))] == [name]


@pytest.mark.parametrize(
    ("content", "name", "reason"),
    [
        (b"", "a.mat", "the file is empty"),
        (b"", "a.zip", "broken archive"),
        (NO_RECORD, "a.mat", "no match found"),
        (b"RGMH", "a.xg", "damaged"),
        (zip_files(a_mat=ILLEGAL)[:60], "a", "broken archive"),
        (b"\x1f\x8b\x08", "a.gz", "broken"),
    ],
)
def test_what_cannot_be_read_is_in_the_answer(content: bytes, name: str, reason: str) -> None:
    examined = examine(content, name)
    (problem,) = examined.unreadable
    assert problem.path == name
    assert reason in str(problem.reason)
    assert not examined.ok
    assert not examined.is_empty
    with pytest.raises(UnreadableError) as raised:
        examined.repaired("1", name)
    assert str(raised.value).startswith(f"{name}: ")
    assert list_schema_errors("examination", examined.to_dict()) == []


@pytest.mark.parametrize("files", [{}, {"notes_txt": NO_RECORD}])
def test_an_archive_without_a_match_is_empty(files: dict[str, bytes]) -> None:
    examined = examine(zip_files(**files), "club.zip")
    assert (examined.is_empty, examined.ok, len(examined.skipped)) == (True, False, len(files))


def test_lines_of_a_binary_file_are_those_of_its_text() -> None:
    path = SAMPLES / "faulty" / "P404-open.mat"
    packed = convert(path, "gvab").data
    (finding,) = (one for one in examine(packed, "a.gvab").findings if one.code == "P404")
    lines = convert(packed, "bgm", name="a.gvab").data.decode().splitlines()
    assert lines[finding.line - 1][finding.column - 1 : finding.end_column - 1]
    assert lines[finding.line - 1] == finding.excerpt
    for proposal in finding.proposals:
        assert all(lines[edit.line - 1] == edit.old for edit in proposal.edits)


# Names are labels.

HOSTILE = [
    "",
    " ",
    "../../etc/passwd",
    "/etc/passwd",
    "-",
    "a\0b.mat",
    "a\nb.mat",
    "a!b.mat",
    "http:.mat",
    "https://club.example/a.mat",
    "x.zip!club.mat",
    "a" * 300,
    "." * 300 + ".mat",
    "a." + "m" * 300,
    "<b>.mat",
    "\udc80.mat",
    "CON.mat",
]


@pytest.fixture
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@cache
def examined_without_name(content: bytes) -> object:
    """Return what is found in an upload with a usual name, without the name."""
    return without_name(examine(content, "upload"))


def without_name(examined: Examination) -> object:
    """Return an examination as a dictionary, its own name taken out of all paths."""
    record = examined.to_dict() | {"name": ""}
    for one in (item for value in record.values() if isinstance(value, list) for item in value):
        assert one["path"].startswith(examined.name)
        one["path"] = one["path"].removeprefix(examined.name)
    return record


@pytest.mark.slow
@pytest.mark.parametrize("content", [ILLEGAL, zip_files(a_mat=ILLEGAL, b=NO_RECORD)])
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_only_a_label(content: bytes, name: str, in_empty_folder: Path) -> None:
    examined = examine(content, name)
    assert examined.name == escape_surrogates(name)
    assert without_name(examined) == examined_without_name(content)
    assert json.loads(json.dumps(examined.to_dict()))["name"] == examined.name
    assert list(in_empty_folder.iterdir()) == []


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.text(st.characters(), max_size=40), st.sampled_from([".mat", "", ".txt", " ", "!a.mat"]))
def test_any_name_is_only_a_label(name: str, ending: str) -> None:
    examined = examine(ILLEGAL, name + ending)
    assert without_name(examined) == examined_without_name(ILLEGAL)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [bytearray, memoryview])
def test_content_may_be_a_buffer(kind: Callable[[bytes], bytearray | memoryview]) -> None:
    examined = examine(kind(ILLEGAL), "a.mat")
    assert examined == examine(ILLEGAL, "a.mat")


def test_a_proposal_without_edits_is_not_made_silently() -> None:
    content = (SAMPLES / "faulty" / "R604-score-mismatch.mat").read_bytes()
    examined = examine(content, "a.mat")
    (number,) = (
        one.number for found in examined.findings for one in found.proposals if not one.edits
    )
    with pytest.raises(ValueError, match=f"^{number}: no edit brings back what is missing$"):
        examined.repaired(number)


def test_a_path_is_no_content() -> None:
    for wrong in ("samples/faulty/P404-open.mat", Path("a.mat"), None):
        with pytest.raises(TypeError, match="content"):
            examine(wrong, "a.mat")  # type: ignore[arg-type]


# Limits.


@pytest.mark.slow
def test_a_search_that_is_cut_short_is_marked() -> None:
    text = (SAMPLES / "clean" / "one-point.mat").read_bytes()
    examined = examine(re.sub(rb"(\) \d)\d:", rb"\1?:", text).replace(b"?:", b"9:"), "a.mat")
    assert len(find_errors(examined)) > 12
    assert not examined.is_search_complete
    reasons = {one.no_proposal_reason for one in find_errors(examined) if not one.proposals}
    assert reasons == {"the search reached its limit of effort"}


def test_after_the_last_board_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BOARDS", 1)
    examined = examine(zip_files(a_mat=ILLEGAL, b_mat=ILLEGAL), "club.zip")
    assert [one.board is None for one in examined.findings] == [False, True, True, True]
    assert list_schema_errors("examination", json.loads(json.dumps(examined.to_dict()))) == []


def test_an_examination_can_be_sent_to_another_process() -> None:
    examined = examine(ILLEGAL, "a.mat")
    assert pickle.loads(pickle.dumps(examined)) == examined
    assert repr(examined) == "<'a.mat': 1 match, 2 findings>"


@pytest.mark.slow
def test_a_contradicted_play_that_stands_is_no_players_error() -> None:
    """The page for developers names this file as the example."""
    path = SAMPLES / "faulty" / "P407-early-bear-off.mat"
    findings = examine(path.read_bytes(), "up.mat").to_dict()["findings"]
    [finding] = [one for one in findings if one["code"] == "P407"]
    assert (finding["standing"], finding["may_be_players"]) == ("stands", False)
    [checked] = [one for one in check(path).findings if one.code == "P407"]
    assert checked.evidence is not None
    assert checked.evidence.kind == "contradicted"


@pytest.mark.parametrize(("name", "extension"), [("x.zip!club.mat", ".mat"), ("a.mat.gz", ".gz")])
def test_the_extension_is_that_of_the_last_name(name: str, extension: str) -> None:
    assert _find_extension(name) == extension


def test_a_text_is_no_list_of_arguments() -> None:
    assert _is_iterable_of([1, 2], _is_whole_number)
    assert not _is_iterable_of("ab", _is_path)


def test_no_reports_need_no_analyses() -> None:
    assert not asks_for_analyses(None)
    assert asks_for_analyses("errors,luck")
