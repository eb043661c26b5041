"""Checking one file: what becomes of it, whatever it holds."""

import pickle
from pathlib import Path

import pytest

from bganalyze.app.jobs import check as checking
from bganalyze.app.jobs.check import EXCERPT_LIMIT, check_file
from bganalyze.app.jobs.checked import CheckOutcome
from bganalyze.board.rule_book import BASIC
from bganalyze.files.reading import FileToRead
from bganalyze.validation.findings import Selection

FAULTY = """\
 1 point match

 Game 1
 Alice : 0                          Bob : 0
  1) 31: 8/5 6/5                    65: 24/13
  2) 42: 8/4                        61: 13/7 8/7
      Wins 1 point and the match
"""


ALL = Selection()


def check(text: str | bytes, selection: Selection = ALL, root: str = "a.mat") -> CheckOutcome:
    content = text if isinstance(text, bytes) else text.encode()
    return check_file(FileToRead("a.mat", root, held=content), BASIC, selection)


def test_findings_come_with_their_lines_and_players() -> None:
    checked = check(FAULTY)
    assert [finding.code for finding in checked.findings] == ["P409"]
    assert checked.excerpts == {6: "  2) 42: 8/4                        61: 13/7 8/7"}
    assert checked.names == {1: ("Alice", "Bob")}


def test_of_several_matches_those_with_findings_are_named_and_no_others() -> None:
    clean = FAULTY.replace("8/4   ", "8/4 6/4").replace("Alice", "Cleo").replace("Bob", "Dan")
    checked = check(clean + FAULTY)
    assert {finding.match for finding in checked.findings} == {2}
    assert checked.names == {2: ("Alice", "Bob")}
    assert dict(checked.facts[2])["Played"] == "to 1 point"
    assert list(checked.facts) == [2]
    assert list(checked.excerpts) == [8, 13]


def test_where_much_is_at_fault_no_cause_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    slip = FAULTY.replace("42: 8/4   ", "42: 8/4 6/3")
    for limit, is_explained in ((1, True), (0, False)):
        monkeypatch.setattr(checking, "MOST_ERRORS_EXPLAINED", limit)
        [finding] = check(slip).findings
        assert bool(finding.if_slip) is is_explained


def test_what_the_record_holds_is_counted() -> None:
    record = check(FAULTY).record
    assert record is not None
    assert record.turns == 4
    assert record.notes


def test_a_result_can_be_sent_about() -> None:
    checked = check(FAULTY)
    assert pickle.loads(pickle.dumps(checked)) == checked
    assert len(pickle.dumps(checked)) < 4000


def test_only_what_is_wanted() -> None:
    assert check(FAULTY, Selection(ignore=("P409",))).findings == ()


def test_ignored_findings_are_counted() -> None:
    checked = check(FAULTY.replace("  2)", "  ; bganalyze: ignore P409\n  2)"))
    assert (checked.findings, checked.silenced) == ((), 1)


def test_what_is_not_wanted_is_not_silenced() -> None:
    text = FAULTY.replace("  2)", "  ; bganalyze: ignore P409\n  2)")
    assert check(text, Selection(ignore=("P409",))).silenced == 0


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b"\0\1\2" * 1000, "no match line"),
        (b"no transcript", "no match line"),
        (b" " * (64 * 2**20 + 1), "larger than 64 MiB"),
    ],
    ids=["empty", "binary", "text", "large"],
)
def test_what_is_no_transcript(content: bytes, reason: str) -> None:
    by_name, in_folder = (
        check_file(FileToRead("a.txt", root, held=content), BASIC, ALL)
        for root in ("a.txt", "folder")
    )
    assert by_name.error is not None
    assert reason in by_name.error
    assert (in_folder.error, in_folder.skipped) == (None, by_name.error)


@pytest.mark.parametrize("content", [b"", b"\0\1\2" * 1000, b"no transcript"])
def test_a_damaged_file_with_the_name_of_one_is_named(content: bytes) -> None:
    in_folder = check(content, root="folder")
    assert in_folder.error is not None
    assert in_folder.skipped is None


def test_a_large_file_in_a_folder_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(200 * 2**20)
    checked = check_file(FileToRead(str(path), str(tmp_path)), BASIC, Selection())
    assert checked.skipped is not None


def test_an_unreadable_file_in_a_folder_is_an_error() -> None:
    checked = check_file(FileToRead("a.mat", "folder", problem="locked"), BASIC, Selection())
    assert (checked.error, checked.skipped) == ("locked", None)


def test_a_fault_of_the_program_costs_one_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "findings_of", lambda *_: {}[1])
    error = check(FAULTY).error
    assert error is not None
    assert error.startswith("an internal error of bganalyze, please report it: KeyError")


def test_of_very_long_lines_a_part_is_kept() -> None:
    checked = check(FAULTY.replace("42: 8/4", "42: 8/4 " + "~" * 5000))
    assert checked.findings
    assert max(map(len, checked.excerpts.values())) == EXCERPT_LIMIT
