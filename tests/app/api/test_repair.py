"""`repair`: the proposals of the command as values, and the file with those that are chosen."""

from __future__ import annotations

from pathlib import Path

import pytest

from bganalyze.app.api.check import check
from bganalyze.app.api.convert import convert
from bganalyze.app.api.read import read
from bganalyze.app.api.repair import repair
from bganalyze.app.render import PROPOSAL_FORMATS
from bganalyze.files.reading import UnreadableError
from tests.app.api.conftest import Run
from tests.app.api.records import CLEAN, ILLEGAL, SLIPPED

SWAPPED = Path("samples/faulty/P410-larger-die.mat").read_bytes()


def test_what_is_chosen_is_changed_and_nothing_else() -> None:
    found = repair(ILLEGAL, name="a.mat")
    assert len(found.causes) == 1
    number = next(n for n, one in found.proposals.items() if one.message.endswith("31: 8/5 6/5"))
    repaired = found.apply([number])
    assert (repaired.data, repaired.errors_before, repaired.errors_after) == (CLEAN, 1, 0)
    assert found.apply([]).data == ILLEGAL
    assert found.text == ILLEGAL


def test_without_a_choice_what_is_proved_is_made() -> None:
    found = repair(SLIPPED, name="a.mat")
    assert found.apply().made == tuple(choice for choice in found.apply(found.proved).made)
    assert (found.apply().data == SLIPPED) == (not found.proved)


def test_a_diff_shows_what_is_changed() -> None:
    found = repair(SWAPPED, name="a.mat")
    changed = [line for line in found.diff(["1"]).splitlines() if line[0] in "+-"]
    assert changed[:2] == ["--- a/a.mat", "+++ b/a.mat"]
    assert [line.split() for line in changed[2:]] == [
        ["-", "20)", "51:", "25/20", "54:", "6/2"],
        ["+", "20)", "51:", "25/20", "44:", "6/2"],
    ]
    assert found.diff([]) == ""


@pytest.mark.parametrize("choice", ["3", "1.9", 0, "x", -1])
def test_a_number_that_no_proposal_has_is_refused(choice: object) -> None:
    with pytest.raises(ValueError, match=r"no proposal|is not a number|numbers start at 1"):
        repair(SWAPPED, name="a.mat").apply([choice])  # type: ignore[list-item]


@pytest.mark.parametrize("known_as", PROPOSAL_FORMATS)
def test_it_is_written_as_the_command_writes_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known_as: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.mat").write_bytes(SWAPPED)
    command = run("repair", "a.mat", "--format", known_as).stdout
    assert repair("a.mat").render(known_as) == command


def test_a_binary_file_is_repaired_as_text() -> None:
    binary = convert(ILLEGAL, "gvab", name="a.mat").data
    found = repair(binary, name="a.gvab")
    assert found.text == convert(binary, "bgm", name="a.gvab").data
    assert found.apply(["1"]).errors_after == 0
    changed = [line for line in found.diff("1").splitlines() if line[0] in "+-"]
    assert changed == ["--- a/a.bgm", "+++ b/a.bgm", "-L 13 8/5 6/4", "+L 13 8/5 6/5"]
    assert {one.path for one in found.apply([]).errors_left} == {"a.bgm"}


def test_an_error_has_the_place_that_a_check_gives() -> None:
    binary = convert(ILLEGAL, "gvab", name="a.mat").data
    for content, name in ((ILLEGAL, "a.mat"), (binary, "a.gvab")):
        [error] = [one for one in check(content, name=name) if one.severity == "error"]
        found = repair(content, name=name)
        place = error.path, error.code, error.line, error.column
        assert [(one.path, one.code, one.line, one.column) for one in found.errors] == [place]
        assert [cause.finding.line for cause in found.causes] == [error.line]
        rows = found.to_frame()[["path", "code", "line", "column"]]
        assert {tuple(row) for row in rows.itertuples(index=False)} == {place}


def test_the_reason_is_named_where_nothing_is_proposed() -> None:
    found = repair("samples/faulty/C501-not-owner.mat")
    assert (len(found.errors), found.proposals) == (1, {})
    assert found.no_repair_reason == "none of the slips that are searched explains this"
    assert repair(CLEAN, name="a.mat").no_repair_reason == ""
    assert repair(ILLEGAL, name="a.mat").no_repair_reason == ""


def test_a_notebook_and_a_frame_show_the_proposals() -> None:
    found = repair(ILLEGAL, name="a.mat")
    shown = found._repr_html_()
    assert "<svg" in shown
    assert "31: 8/5 6/5" in shown
    assert len(found.to_frame()) == len(found.proposals)
    assert repair(CLEAN, name="a.mat")._repr_html_() == "<p>no repair found</p>"
    assert len(repair(CLEAN, name="a.mat").to_frame()) == 0


def test_one_file_is_repaired_at_a_time(tmp_path: Path) -> None:
    for name in ("a.mat", "b.mat"):
        (tmp_path / name).write_bytes(ILLEGAL)
    with pytest.raises(UnreadableError, match="one file expected, not 2: call it for each of them"):
        repair(tmp_path)
    with pytest.raises(TypeError, match="of a file expected, not a Match: its text is edited"):
        repair(read(ILLEGAL)[0])
