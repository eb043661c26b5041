"""`check`: the same findings as those of the command, as a value."""

from __future__ import annotations

from pathlib import Path

import pytest

from bganalyze.app.api.check import check
from bganalyze.app.api.read import read
from bganalyze.app.render import FINDING_FORMATS
from bganalyze.board.rule_book import RULE_BOOKS, USBGF
from bganalyze.record.not_a_transcript import NotATranscript
from bganalyze.validation.checking import findings_of
from bganalyze.validation.findings import UnknownCodeError
from bganalyze.validation.replaying import replay
from bganalyze.validation.slip_odds import Odds, Ratio
from tests.app.api.conftest import Run
from tests.app.api.records import CLEAN, ILLEGAL, NO_RECORD, SLIPPED, zip_files


def test_a_match_as_a_value_is_checked_as_it_is() -> None:
    (match,) = read(ILLEGAL, name="a.mat")
    result = check(match)
    assert list(result) == findings_of([replay(match)])
    assert [finding.code for finding in result] == ["P404", "T107"]
    repaired = match._replace(games=read(CLEAN, name="a.mat")[0].games)
    assert [finding.code for finding in check(repaired)] == ["T107"]


def test_a_file_is_searched_for_causes() -> None:
    (finding,) = check(SLIPPED, select="D", name="a.mat")
    assert finding.proposals
    (alone,) = check(read(SLIPPED, name="a.mat"), select="D")
    assert (alone.code, alone.proposals) == (finding.code, None)


def test_codes_and_rule_books_are_chosen() -> None:
    assert [one.code for one in check(ILLEGAL, select=["P"])] == ["P404"]
    assert [one.code for one in check(ILLEGAL, ignore="P,T")] == []
    assert check(ILLEGAL, "usbgf").rule_book == check(ILLEGAL, USBGF).rule_book == USBGF
    with pytest.raises(UnknownCodeError):
        check(ILLEGAL, select="X")
    with pytest.raises(
        ValueError, match=f"'fide' is no rule book; there are {', '.join(RULE_BOOKS)}"
    ):
        check(ILLEGAL, "fide")


def test_whether_all_is_well(tmp_path: Path) -> None:
    assert check(CLEAN).ok
    assert not check(ILLEGAL).ok
    (tmp_path / "a.mat").write_bytes(CLEAN)
    (tmp_path / "letter.txt").write_bytes(NO_RECORD)
    result = check(tmp_path)
    assert (result.ok, result.skipped) == (True, 1)
    assert repr(result) == "<1 file: 0 errors, 0 warnings, 1 info, 1 skipped>"
    (tmp_path / "c.mat").write_bytes(b"\x1f\x8b broken")
    result = check(tmp_path)
    assert (result.ok, [one.path for one in result.unreadable]) == (
        False,
        [str(tmp_path / "c.mat")],
    )
    with pytest.raises(NotATranscript):
        check(tmp_path / "letter.txt")


def test_a_folder_or_archive_without_a_match_is_not_well(run: Run, tmp_path: Path) -> None:
    empty, letters = tmp_path / "empty", tmp_path / "letters"
    for folder in (empty, letters):
        folder.mkdir()
    (letters / "letter.txt").write_bytes(NO_RECORD)
    paths = [str(empty), str(letters)]
    for source in (paths, iter(paths)):
        assert (check(source).ok, check(paths).empty) == (False, (*paths,))
    assert run("check", *paths, "--quiet").exit_code == 2
    archive = zip_files(letter_txt=NO_RECORD)
    assert check(archive, name="club.zip").empty == ("club.zip",)
    assert check(zip_files(), name="club.zip").empty == ("club.zip",)
    assert check(zip_files(a_mat=CLEAN), name="club.zip").ok


@pytest.mark.slow
@pytest.mark.parametrize("known_as", FINDING_FORMATS)
def test_it_is_written_as_the_command_writes_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known_as: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.mat").write_bytes(ILLEGAL)
    command = run("check", "a.mat", "--format", known_as).stdout
    assert check("a.mat").render(known_as) == command.partition("to rule on it: ")[0]


def test_a_page_and_a_notebook_show_the_board() -> None:
    result = check(ILLEGAL, name="a.mat")
    assert result.render("html").startswith("<!DOCTYPE html>")
    assert result._repr_html_().count("<svg") == 2  # before and after the illegal play
    assert check(CLEAN, ignore="T")._repr_html_() == "<p>no findings</p>"
    with pytest.raises(ValueError, match="'pdf' is not a format; choose from text, "):
        result.render("pdf")


def test_a_notebook_shows_the_first_findings_only() -> None:
    many = [read(ILLEGAL, name=f"{n}.mat")[0] for n in range(30)]
    assert "<p>and 40 findings more</p>" in check(many)._repr_html_()


def test_a_frame_has_a_row_for_each_finding() -> None:
    frame = check(ILLEGAL, name="a.mat").to_frame()
    assert frame["code"].tolist() == ["P404", "T107"]
    assert frame["player"].fillna("").tolist() == ["Ann", ""]
    assert list(check(CLEAN, select="P").to_frame().columns) == list(frame.columns)


def test_odds_are_put_on_the_findings() -> None:
    (finding,) = check(ILLEGAL, select="P", odds=Odds({"slips": Ratio(1, 1)}, "club.toml"))
    assert finding.slip is not None
    assert finding.slip.stated is not None
    assert finding.slip.stated.source == "club.toml"
    (unset,) = check(ILLEGAL, select="P")
    assert unset.slip is not None
    assert unset.slip.stated is None
