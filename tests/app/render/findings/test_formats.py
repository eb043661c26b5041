"""The machine-readable formats."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bganalyze.app.jobs.checked import CheckOutcome
from bganalyze.app.render import FINDING_FORMATS, get_finding_renderer
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.board.rule_book import USBGF
from bganalyze.validation.findings import FINDING_KEYS, Severity, Standing

Make = Callable[..., Any]


SKIPPED = CheckOutcome("notes.txt", "folder", skipped="no match")
LOCKED = CheckOutcome("b,c.mat", "folder", error="locked, 100%")
FILES = {
    "read": 1,
    "skipped": 1,
    "unreadable": [{"path": "b,c.mat", "reason": "locked, 100%"}],
}


def render(name: str, *results: CheckOutcome, setting: OutputOptions | None = None) -> str:
    return "".join(get_finding_renderer(name)(results, setting or OutputOptions()))


@pytest.mark.parametrize("name", FINDING_FORMATS)
def test_results_are_written_as_they_arrive(name: str, finding: Make, checked: Make) -> None:
    """The second file is not asked for before the first is written."""

    def results() -> Any:
        yield checked(finding(message="first"))
        pytest.fail("asked for too much")

    pieces = get_finding_renderer(name)(results(), OutputOptions())
    assert any("first" in next(pieces) for _ in range(3))


@pytest.mark.parametrize("name", FINDING_FORMATS)
def test_no_control_character_gets_through(name: str, finding: Make, checked: Make) -> None:
    hostile = "a\x1b[2Jb\x07c\x9bd\u202ee\udc80\x7f"
    hostile_finding = finding(
        message=hostile, player=hostile, path=f"{hostile}.mat", reading=hostile
    )
    text = render(name, checked(hostile_finding, path=hostile, line=hostile))
    assert not {"\x1b", "\x07", "\x9b", "\u202e", "\udc80", "\x7f"} & set(text)


@pytest.mark.parametrize("name", FINDING_FORMATS)
def test_the_rule_book_is_named(name: str, finding: Make, checked: Make) -> None:
    assert "usbgf" in render(name, checked(finding()), setting=OutputOptions(USBGF))


class TestJson:
    def test_no_finding_is_an_empty_list(self, checked: Make) -> None:
        assert render("json", checked()) == "[]\n"

    def test_all_keys_are_always_there(self, finding: Make, bare: Make, checked: Make) -> None:
        full, empty = json.loads(render("json", checked(finding()), checked(bare())))
        assert list(full) == list(empty) == [*FINDING_KEYS, "rule_book"]
        assert (full["dice"], full["severity"], full["standing"]) == ([4, 2], "error", "stands")
        assert full["legal"] == ["8/4 6/4", "24/22 8/4"]
        assert empty["dice"] is empty["standing"] is empty["game"] is None

    def test_lines_hold_one_finding_each(self, finding: Make, checked: Make) -> None:
        text = render("jsonl", checked(finding(line=1), finding(line=2)), checked())
        assert [json.loads(line)["line"] for line in text.splitlines()] == [1, 2]

    def test_an_object_holds_findings_and_files(self, finding: Make, checked: Make) -> None:
        data = json.loads(render("json-object", checked(finding()), SKIPPED, LOCKED))
        assert data["findings"] == json.loads(render("json", checked(finding())))
        assert data["files"] == FILES

    def test_an_object_without_findings(self) -> None:
        nothing = {
            "version": 1,
            "findings": [],
            "files": {"read": 0, "skipped": 0, "unreadable": []},
        }
        assert json.loads(render("json-object")) == nothing


class TestSarif:
    def test_what_could_not_be_read(self, checked: Make) -> None:
        (run,) = json.loads(render("sarif", checked(), SKIPPED, LOCKED))["runs"]
        (invocation,) = run["invocations"]
        (notification,) = invocation["toolExecutionNotifications"]
        assert not invocation["executionSuccessful"]
        assert (notification["level"], notification["message"]) == (
            "error",
            {"text": "locked, 100%"},
        )
        place = notification["locations"][0]["physicalLocation"]
        assert place == {"artifactLocation": {"uri": "b%2Cc.mat"}}
        assert run["properties"]["files"] == FILES

    def test_where_all_is_read(self, checked: Make) -> None:
        (run,) = json.loads(render("sarif", checked()))["runs"]
        assert run["invocations"] == [
            {"executionSuccessful": True, "toolExecutionNotifications": []}
        ]

    def test_an_empty_run(self, checked: Make) -> None:
        log = json.loads(render("sarif", checked()))
        assert log["version"] == "2.1.0"
        assert log["runs"][0]["results"] == []
        assert log["runs"][0]["tool"]["driver"]["rules"] == []

    def test_a_result(self, finding: Make, checked: Make) -> None:
        (run,) = json.loads(render("sarif", checked(finding())))["runs"]
        (result,) = run["results"]
        assert run["columnKind"] == "unicodeCodePoints"
        assert (result["ruleId"], result["level"]) == ("P409", "error")
        assert result["message"] == {"text": "more of 4-2 can be played"}
        assert result["locations"][0]["physicalLocation"] == {
            "artifactLocation": {"uri": "a.mat"},
            "region": {"startLine": 12, "startColumn": 6, "endColumn": 13},
        }
        assert result["properties"]["standing"] == "stands"

    def test_rules_are_those_that_fired(self, finding: Make, checked: Make) -> None:
        findings = [finding(), finding(code="T108", severity=Severity.INFO), finding()]
        (run,) = json.loads(render("sarif", checked(*findings)))["runs"]
        rules = run["tool"]["driver"]["rules"]
        assert [rule["id"] for rule in rules] == ["P409", "T108"]
        assert [result["ruleIndex"] for result in run["results"]] == [0, 1, 0]
        assert run["results"][1]["level"] == rules[1]["defaultConfiguration"]["level"] == "note"
        assert all(rule["shortDescription"]["text"] for rule in rules)

    def test_places_are_uris(self, finding: Make, checked: Make, tmp_path: Path) -> None:
        findings = [
            finding(path="a b/ü#1.zip!m.mat"),
            finding(path=str(tmp_path / "a b.mat"), column=5, end_column=5),
        ]
        (run,) = json.loads(render("sarif", checked(*findings)))["runs"]
        places = [result["locations"][0]["physicalLocation"] for result in run["results"]]
        assert places[0]["artifactLocation"]["uri"] == "a%20b/%C3%BC%231.zip!m.mat"
        assert places[1]["artifactLocation"]["uri"] == (tmp_path / "a b.mat").as_uri()
        assert "endColumn" not in places[1]["region"]


class TestGithub:
    def test_what_could_not_be_read_is_an_error(self) -> None:
        line = render("github", LOCKED).splitlines()[1]
        assert line == "::error file=b%2Cc.mat,title=unreadable::locked, 100%25"

    def test_a_command_a_finding(self, finding: Make, checked: Make) -> None:
        lines = render("github", checked(finding(), finding(severity=Severity.INFO))).splitlines()
        assert lines[0].startswith("::debug::")
        assert lines[1] == (
            "::error file=a.mat,line=12,col=6,endColumn=13,title=P409 unplayed-die"
            "::more of 4-2 can be played"
        )
        assert lines[2].startswith("::notice file=a.mat,")

    def test_a_file_is_named_as_the_repository_names_it(self, finding: Make, checked: Make) -> None:
        """GitHub shows an annotation of `./a.mat` in no file."""
        lines = render(
            "github",
            checked(finding(path="./a.mat"), finding(path="./2024/b.mat")),
            CheckOutcome("./c.mat", "folder", error="locked"),
        )
        named = [line.partition("file=")[2].partition(",")[0] for line in lines.splitlines()]
        assert named[1:] == ["a.mat", "2024/b.mat", "c.mat"]

    def test_escaping(self, finding: Make, checked: Make) -> None:
        hostile_finding = finding(path="a,b:c%.mat", message="100%\r\n::error::x")
        line = render("github", checked(hostile_finding)).splitlines()[1]
        assert line.startswith("::error file=a%2Cb%3Ac%25.mat,line=12,")
        assert line.endswith("::100%25%0D%0A::error::x")


def test_an_unreadable_file_has_a_line(finding: Make, checked: Make) -> None:
    output = render("jsonl", LOCKED, SKIPPED, checked(finding()))
    unreadable, found = map(json.loads, output.splitlines())
    assert unreadable == {
        "path": "b,c.mat",
        "name": "unreadable-file",
        "severity": "error",
        "message": "locked, 100%",
    }
    assert found["code"] == "P409"


class TestCsv:
    def rows(self, *results: CheckOutcome) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(render("csv", *results))))

    def test_a_header_even_without_findings(self, checked: Make) -> None:
        assert render("csv", checked()) == ",".join([*FINDING_KEYS, "rule_book"]) + "\n"

    def test_values(self, finding: Make, bare: Make, checked: Make) -> None:
        full, empty = self.rows(checked(finding(), bare()))
        assert (full["line"], full["dice"], full["standing"]) == ("12", "4; 2", "stands")
        assert full["legal"] == "8/4 6/4; 24/22 8/4"
        assert empty["game"] == empty["legal"] == empty["consequences"] == ""

    def test_a_spreadsheet_reads_the_cells_as_text(self, finding: Make, checked: Make) -> None:
        (row,) = self.rows(checked(finding(closed_by="487:6")))
        assert row["closed_by"] == "line 487, column 6"
        (row,) = self.rows(checked(finding(closed_by="end-of-record")))
        assert row["closed_by"] == "end-of-record"

    def test_an_unreadable_file_has_a_row(self, finding: Make, checked: Make) -> None:
        _, row = self.rows(checked(finding()), SKIPPED, LOCKED)
        assert {key: value for key, value in row.items() if value} == {
            "path": "b,c.mat",
            "name": "unreadable-file",
            "severity": "error",
            "message": "locked, 100%",
        }

    @pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
    def test_nothing_is_a_formula(self, finding: Make, checked: Make, start: str) -> None:
        name = f"{start}cmd|' /C calc'!A0"
        (row,) = self.rows(checked(finding(player=name, legal=(name,))))
        assert row["player"].startswith("'")
        assert row["legal"].startswith("'")


def test_a_corrected_finding_says_so(finding: Make, checked: Make) -> None:
    corrected = finding(standing=Standing.CORRECTED)
    assert '"standing": "corrected"' in render("json", checked(corrected))
