"""Baselines: known findings, findings that are gone, and files that are no baseline."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bganalyze.app.jobs.baseline import (
    Baseline,
    BaselineError,
    _make_absolute,
    load_baseline,
    make_empty_baseline,
)
from bganalyze.app.jobs.check import check_file
from bganalyze.app.jobs.checked import CheckOutcome
from bganalyze.app.jobs.outcome import CLEAN, FileCounts
from bganalyze.board.rule_book import BASIC
from bganalyze.files.reading import find_files
from bganalyze.validation.findings import Finding, Selection, Severity

TEXT = """\
 3 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 42: 8/4
  2) 65: 24/18                   61: 13/7 8/7
"""
"""Two dice are not played: P409 in row 1 on the right and in row 2 on the left."""

PLAYS = Selection(select=("P",))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.mat").write_text(TEXT, encoding="utf-8")
    return tmp_path


def check_paths(*paths: str, selection: Selection = PLAYS) -> list[CheckOutcome]:
    return [check_file(item, BASIC, selection) for item in find_files(paths)]


def write_known(*paths: str, file: str = "known.jsonl") -> Path:
    """Write all that is found under some paths as known."""
    baseline = make_empty_baseline(Path(file))
    list(baseline.leave_out_listed(check_paths(*paths)))
    baseline.write(baseline.find_stale(paths, PLAYS))
    return Path(file)


def new(baseline: Baseline, results: Iterable[CheckOutcome]) -> list[tuple[str, str | None]]:
    """Return rule and row of the new findings."""
    return [
        (f.code, f.row and f.row.strip())
        for c in baseline.leave_out_listed(results)
        for f in c.findings
    ]


@pytest.mark.slow
def test_what_is_known_is_left_out() -> None:
    baseline = load_baseline(write_known("a.mat"))
    assert new(baseline, check_paths("a.mat")) == []
    assert (baseline.left_out.total(), baseline.find_stale(["a.mat"], PLAYS).total()) == (2, 0)


def test_the_file_can_be_read() -> None:
    assert write_known("a.mat").read_text(encoding="utf-8") == (
        '{"baseline": "made by bganalyze", "version": 1}\n'
        '{"path": "a.mat", "match": 1, "game": 1, "row": "1", "side": "right", "code": "P409",'
        ' "text": "42: 8/4"}\n'
        '{"path": "a.mat", "match": 1, "game": 1, "row": "2", "side": "left", "code": "P409",'
        ' "text": "65: 24/18"}\n'
    )


def test_lines_and_columns_may_move() -> None:
    file = write_known("a.mat")
    moved = '; [Site "Home"]\n; a comment\n\n' + TEXT.replace("24/18     ", "24/18  ")
    Path("a.mat").write_text(moved, encoding="utf-8")
    assert new(load_baseline(file), check_paths("a.mat")) == []


@pytest.mark.slow
def test_another_text_is_new_and_the_former_gone() -> None:
    file = write_known("a.mat")
    Path("a.mat").write_text(TEXT.replace("65: 24/18", "65: 13/8 "), encoding="utf-8")
    baseline = load_baseline(file)
    assert new(baseline, check_paths("a.mat")) == [("P409", "2")]
    assert [listed.text for listed in baseline.find_stale(["."], PLAYS)] == ["65: 24/18"]
    baseline.write(baseline.find_stale(["."], PLAYS))
    assert [listed.text for listed in load_baseline(file).listed] == ["42: 8/4", "65: 13/8"]


@pytest.mark.slow
def test_a_file_that_moves_is_new() -> None:
    file = write_known("a.mat")
    Path("a.mat").rename("b.mat")
    baseline = load_baseline(file)
    assert len(new(baseline, check_paths("."))) == 2
    assert baseline.find_stale(["."], PLAYS).total() == 2


def test_what_was_not_looked_for_is_not_gone() -> None:
    Path("in").mkdir()
    Path("a.mat").rename("in/a.mat")
    Path("in/b.mat").write_text(TEXT, encoding="utf-8")
    baseline = load_baseline(write_known("in"))
    Path("in/a.mat").unlink()
    assert new(baseline, check_paths("in/b.mat")) == []
    assert baseline.find_stale(["in/b.mat"], PLAYS).total() == 0
    assert baseline.find_stale(["in"], PLAYS).total() == 2
    assert baseline.find_stale(["in"], Selection(select=("C",))).total() == 0
    list(baseline.leave_out_listed([CheckOutcome("in", "in", error="Permission denied")]))
    assert baseline.find_stale(["in"], PLAYS).total() == 0


def test_paths_are_seen_from_the_folder_of_the_baseline(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("ci").mkdir()
    file = write_known("a.mat", file="ci/known.jsonl").absolute()
    assert {listed.path for listed in load_baseline(file).listed} == {"../a.mat"}
    monkeypatch.chdir(folder.parent)
    baseline = load_baseline(file)
    assert new(baseline, check_paths(f"{folder.name}/a.mat")) == []
    assert baseline.find_stale([str(folder.parent)], PLAYS).total() == 0


@pytest.mark.slow
def test_moved_files_are_noticed(folder: Path) -> None:
    Path("in").mkdir()
    Path("a.mat").rename("in/a.mat")
    file = write_known("in")

    def seems_moved(*paths: str, selection: Selection = PLAYS) -> bool:
        baseline = load_baseline(file)
        list(baseline.leave_out_listed(check_paths(*paths, selection=selection)))
        return baseline.seems_moved(paths, selection)

    assert not seems_moved("in")
    Path("b.mat").write_text(TEXT, encoding="utf-8")
    assert not seems_moved("b.mat")  # A new file, and the listed one is where it was.
    Path("other").mkdir()
    Path("b.mat").rename("other/b.mat")
    assert seems_moved("other")
    Path("in/a.mat").write_text(TEXT[: TEXT.index("  1)")], encoding="utf-8")
    assert not seems_moved("other", "in")  # The listed file is in the second, without an error.
    Path("in/a.mat").write_text(TEXT, encoding="utf-8")
    assert not seems_moved(".")
    Path("in").rename("elsewhere")
    assert seems_moved("elsewhere/a.mat")
    assert seems_moved("elsewhere")
    assert seems_moved(".")
    assert not seems_moved("elsewhere", selection=Selection(select=("C",)))


def test_a_known_unreadable_file_is_no_error() -> None:
    Path("in").mkdir()
    Path("in/bad.xg").write_bytes(b"")
    Path("in/worse.mat").write_bytes(b"junk")
    file = write_known("in")
    assert [listed.path for listed in load_baseline(file).listed] == ["in/bad.xg", "in/worse.mat"]
    baseline = load_baseline(file)
    outcomes = list(baseline.leave_out_listed(check_paths("in")))
    assert [outcome.error for outcome in outcomes] == [None, None]
    assert outcomes[0].known_error == "the file is empty"
    assert not any(outcome.is_read for outcome in outcomes)
    counts = FileCounts()
    list(counts.count_each(outcomes))
    assert (counts.status(["in"]), counts.find_empty_paths(["in"]), counts.known_unreadable) == (
        CLEAN,
        [],
        2,
    )
    assert baseline.find_stale(["in"], PLAYS).total() == 0


def test_another_reason_is_new_and_the_former_gone() -> None:
    Path("bad.xg").write_bytes(b"")
    baseline = load_baseline(write_known("bad.xg"))
    Path("bad.xg").write_bytes(b"junk")
    (outcome,) = baseline.leave_out_listed(check_paths("bad.xg"))
    assert outcome.error is not None
    assert [listed.text for listed in baseline.find_stale(["."], PLAYS)] == ["the file is empty"]


def test_a_readable_file_is_no_longer_listed_as_unreadable() -> None:
    Path("bad.xg").write_bytes(b"")
    baseline = load_baseline(write_known("bad.xg"))
    Path("bad.xg").write_text(TEXT, encoding="utf-8")
    assert len(new(baseline, check_paths("bad.xg"))) == 2
    assert baseline.find_stale(["bad.xg"], PLAYS).total() == 1


def test_a_missing_file_and_a_folder_are_never_known() -> None:
    unread = [CheckOutcome("none.mat", "none.mat", error="No such file or directory")]
    Path("locked").mkdir()
    unread.append(CheckOutcome("locked", "locked", error="Permission denied"))
    baseline = make_empty_baseline(Path("known.jsonl"))
    list(baseline.leave_out_listed(unread))
    assert not baseline.write(baseline.find_stale(["."], PLAYS))


def finding(text: str) -> tuple[Finding, str]:
    end = len(text) + 1
    return Finding("a.mat", 1, 1, end, "P409", "x", Severity.INFO, "", 1), text


texts = st.lists(st.sampled_from(["31: 8/5", "42:", "é\u2028\udc80"]), max_size=6)


@pytest.mark.slow
@given(before=texts, after=texts)
def test_of_those_that_are_alike_so_many_are_known(
    before: list[str], after: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    def results(lines: list[str]) -> list[CheckOutcome]:
        findings = [finding(text)[0]._replace(line=at) for at, text in enumerate(lines)]
        return [
            CheckOutcome(
                "a.mat", "a.mat", findings=tuple(findings), excerpts=dict(enumerate(lines))
            )
        ]

    file = tmp_path_factory.mktemp("known") / "known.jsonl"
    first = make_empty_baseline(file)
    list(first.leave_out_listed(results(before)))
    first.write(first.find_stale(["."], PLAYS))
    second = load_baseline(file)
    (passed,) = second.leave_out_listed(results(after))
    stale = second.find_stale(["."], PLAYS)
    for text in {*before, *after}:
        count = sum(after[f.line] == text for f in passed.findings)
        assert count == max(after.count(text) - before.count(text), 0)
    assert stale.total() == len(before) - second.left_out.total()
    second.write(stale)
    assert load_baseline(file).listed == second.reported


HEAD = '{"baseline": "made by bganalyze", "version": 1}\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a baseline"),
        (TEXT, "not a baseline"),
        ("[1]", "not a baseline"),
        ('{"version": 1}', "not a baseline"),
        (HEAD.replace("1}", "2}"), "a baseline of version 2; this program reads version 1"),
        (HEAD.replace("1}", "true}"), "not a baseline"),
        (HEAD + "<<<<<<< HEAD\n", ":2: not a finding of a baseline"),
        (HEAD + '\n{"path": "a.mat"}', ":3: not a finding of a baseline"),
        (HEAD + '{"path": "a", "match": "1", "code": "P409", "text": ""}', ":2: not a finding"),
        (HEAD + '{"path": "a", "match": 1, "code": "P409", "text": "", "line": 2}', ":2: not a"),
        (HEAD + '{"path": "a", "match": 1, "code": "P409", "text": "", "times": "2"}', ":2: not a"),
        (HEAD + "[" * 100_000, ":2: not a finding of a baseline"),
    ],
)
def test_damaged_files_are_refused(text: str, message: str) -> None:
    Path("known.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(BaselineError, match="known") as error:
        load_baseline(Path("known.jsonl"))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_lines_that_two_have_merged() -> None:
    line = json.dumps({"path": "a", "match": 1, "code": "P409", "text": "31:"})
    Path("known.jsonl").write_text(f"\ufeff{HEAD}{line}\n\n{line}\r\n", encoding="utf-8")
    assert load_baseline(Path("known.jsonl")).listed.total() == 1


def test_a_baseline_that_changed_meanwhile_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    new = make_empty_baseline(path)
    other = make_empty_baseline(path)
    other.write(Counter())
    with pytest.raises(OSError, match="made by somebody else meanwhile"):
        new.write(Counter())
    loaded = load_baseline(path)
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(OSError, match="changed by somebody else meanwhile"):
        loaded.write(Counter())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_baseline_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "baseline.json")
    with pytest.raises(BaselineError, match="not a regular file"):
        load_baseline(tmp_path / "baseline.json")


def test_urls_and_standard_input_stay_beside_absolute_paths() -> None:
    places = [_make_absolute(path, "/a") for path in ("-", "https://b/c.mat", "c.mat")]
    assert places == ["-", "https://b/c.mat", os.path.abspath("/a/c.mat")]
