"""The findings of a check as one page."""

import re
from collections.abc import Callable
from typing import Any

from bganalyze import __version__
from bganalyze.app.jobs.checked import CheckOutcome
from bganalyze.app.render.document import Cell, Diagrams, Note
from bganalyze.app.render.findings.page import findings_document, findings_page
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.board.ids import parse_xgid
from bganalyze.validation.findings import Severity
from tests.app.render.conftest import POSITION

Make = Callable[..., Any]


def test_a_chapter_for_each_file_with_findings(finding: Make, checked: Make) -> None:
    results = [
        checked(finding(severity=Severity.WARNING), finding(), path="a.mat"),
        checked(path="b.mat"),
        checked(finding(), path="c.mat"),
        CheckOutcome("d.mat", "d.mat", error="locked"),
    ]
    document = findings_document(results, OutputOptions())
    titles = [chapter.title for chapter in document.chapters]
    clean = "Files without findings to list"
    assert titles == ["a.mat", "c.mat", "Files that could not be read", clean]
    part = document.chapters[3].parts[0]
    assert part.is_background
    assert part.blocks[0].rows == ((Cell("b.mat"), Cell("complete")),)  # type: ignore[union-attr]
    (note,) = document.chapters[2].parts[0].blocks
    assert note == Note("could not read d.mat: locked", tone="error")
    assert [part.title for part in document.chapters[0].parts] == ["Errors", "Warnings"]
    assert document.ending[0].startswith("3 files checked, 1 unreadable, 2 errors, 1 warning")


def test_what_is_less_grave_is_counted(finding: Make, checked: Make) -> None:
    results = [checked(finding(severity=Severity.INFO))]
    document = findings_document(results, OutputOptions(least=Severity.WARNING))
    assert [part.title for chapter in document.chapters for part in chapter.parts] == ["Findings"]
    assert "1 info (not listed here)" in document.ending[0]
    assert document.chapters[0].facts == (("File", "a.mat"),)


def test_files_that_are_not_complete_are_listed_with_what_is_missing(
    finding: Make, checked: Make
) -> None:
    missing = finding(severity=Severity.INFO, name="partial-match", message="no end")
    results = [checked(missing, path="a.mat"), checked(path="b.mat"), checked(missing, path="c")]
    document = findings_document(results, OutputOptions(least=Severity.WARNING))
    titles = [chapter.title for chapter in document.chapters]
    incomplete, clean = "Matches that are not complete", "Files without findings to list"
    assert titles == ["Findings", incomplete, clean]
    rows = [chapter.parts[0].blocks[0].rows for chapter in document.chapters[1:]]  # type: ignore[union-attr]
    assert [[cell.text for cell in row] for row in rows[0]] == [
        ["a.mat", "no end"],
        ["c", "no end"],
    ]
    words = [[cell.text for cell in row] for row in rows[1]]
    assert words == [["a.mat", "not complete"], ["b.mat", "complete"], ["c", "not complete"]]
    assert document.ending[0] == "2 of 3 files are not complete: a.mat, c"


def test_the_foot_names_the_program_and_the_day(finding: Make, checked: Make) -> None:
    ending = findings_document([checked(finding())], OutputOptions()).ending[-1]
    assert re.fullmatch(rf"Checked by bganalyze {__version__} on \d{{4}}-\d\d-\d\d\.", ending)


def test_an_illegal_play_has_the_boards_before_and_after(finding: Make, checked: Make) -> None:
    left = parse_xgid(POSITION).position
    document = findings_document([checked(finding(after=left))], OutputOptions())
    (block,) = document.chapters[0].parts[0].blocks
    assert isinstance(block, Diagrams)
    (diagram,) = block.diagrams
    assert diagram.scene is not None
    assert diagram.after is not None
    assert (diagram.scene.dice, diagram.after.dice) == ((4, 2), None)
    assert "Alice" in diagram.scene.names


def test_the_page_holds_nothing_that_obeys(finding: Make, checked: Make) -> None:
    hostile = "<script>x</script>"
    hostile_finding = finding(message=hostile, player=hostile, path=hostile)
    page = findings_page([checked(hostile_finding, path=hostile, line=hostile)], OutputOptions())
    assert hostile not in page
    assert "&lt;script&gt;x" in page


def test_a_page_about_one_file_is_named_after_the_match(finding: Make, checked: Make) -> None:
    facts = {1: (("Played", "to 5 points"), ("Event", "Club final"))}
    document = findings_document([checked(finding(), facts=facts)], OutputOptions())
    assert document.title == "Alice – Bob"
    assert document.chapters[0].facts == (*facts[1], ("File", "a.mat"))
