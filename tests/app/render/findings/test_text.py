"""Text for people: the line, what a terminal adds, and the summary."""

from collections.abc import Callable
from typing import Any

import pytest
from rich.cells import cell_len

from bganalyze.app.jobs.checked import CheckOutcome, Record
from bganalyze.app.render.findings import standing_in_words
from bganalyze.app.render.findings.explained import BOARD_NEEDS, explain_finding
from bganalyze.app.render.findings.summary import _count_corrected, _count_unless_zero
from bganalyze.app.render.findings.text import render
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.board.ids import parse_xgid
from bganalyze.board.position import Position, Step, after, pips, points
from bganalyze.validation.findings import Severity, Standing
from tests.app.render.conftest import POSITION

Make = Callable[..., Any]

QUIET = OutputOptions(quiet=True)
FULL = OutputOptions(full=True, quiet=True)


def text(*results: CheckOutcome, setting: OutputOptions = QUIET) -> str:
    return "".join(render(results, setting))


class TestLine:
    def test_a_line_a_finding(self, finding: Make, checked: Make) -> None:
        assert text(checked(finding(), finding(line=13, severity=Severity.INFO))) == (
            "a.mat:12:6: P409 error: more of 4-2 can be played (stands since line 12, right)\n"
            "a.mat:13:6: P409 info: more of 4-2 can be played (stands since line 12, right)\n"
        )

    @pytest.mark.parametrize(
        ("standing", "words"),
        [
            (Standing.OPEN, " (can still be corrected)"),
            (Standing.CORRECTED, " (corrected in line 12, right)"),
            (None, ""),
        ],
    )
    def test_the_line_ends_with_the_standing(
        self, finding: Make, checked: Make, standing: Standing | None, words: str
    ) -> None:
        closer = None if standing is Standing.OPEN else finding().closer
        line = text(checked(finding(standing=standing, closer=closer)))
        assert line == f"a.mat:12:6: P409 error: more of 4-2 can be played{words}\n"

    def test_a_page_that_is_not_utf_8(self, finding: Make, checked: Make) -> None:
        line = text(checked(finding(message="Bodø")), setting=QUIET._replace(encoding="ascii"))
        assert line == "a.mat:12:6: P409 error: Bod\\xf8 (stands since line 12, right)\n"

    def test_what_was_inferred_is_told_on_request(self, finding: Make, checked: Make) -> None:
        skipped = CheckOutcome("b.txt", "b.txt", skipped="the file is empty")
        output = text(checked(), skipped, setting=QUIET._replace(verbose=True))
        assert output == "a.mat: hits: marked\nb.txt: skipped: the file is empty\n"


class TestExplained:
    def shown(
        self, finding: Any, checked: Make, setting: OutputOptions = FULL, **fields: Any
    ) -> str:
        return explain_finding(finding, checked(finding, **fields), setting)

    def test_all_of_it(self, finding: Make, checked: Make) -> None:
        assert self.shown(finding(reading="8/4 6/4"), checked) == (
            """\
a.mat:12:6: P409 error: more of 4-2 can be played
game 1, row 2, left: Alice
12 |   2) 42: 8/4                       61: 13/7 8/7
   |      ^^^^^^^
    ○ Bob  156 pips  0 of 5
    ┌─13─14─15─16─17─18─┬───┬─19─20─21─22─23─24─┐
    │ ●           ○     │   │ ○              ●  │
    │ ●           ○     │   │ ○              ●  │
    │ ●           ○     │   │ ○                 │
    │ ●                 │   │ ○                 │
    │ ●                 │   │ ○                 │
    │                   │   │        4 2        │ [1]
    │ 6                 │   │                   │
    │ ○                 │   │ ●                 │
    │ ○                 │   │ ●                 │
    │ ○           ●     │   │ ●  ●              │
    │ ○           ●     │   │ ●  ●           ○  │
    └─12─11─10──9──8──7─┴───┴──6──5──4──3──2──1─┘
    ● Alice  163 pips  0 of 5
    position: XGID=-a---BD-B---fE---c-e----B-:0:0:1:42:0:0:0:5:10
    legal plays: 8/4 6/4, 24/22 8/4
    stands: only if it was really played so; too late to correct after the next roll: Bob rolled 6-1 (line 12, right)
    read as: 8/4 6/4: what follows fits this, so it was probably written down wrong
    consequences: 2 later findings follow from this one; not listed

"""
        )

    def test_of_little_little_is_said(self, bare: Make, checked: Make) -> None:
        assert len(self.shown(bare(), checked).splitlines()) == 4

    def test_the_board_shows_what_no_xgid_can_say(self, finding: Make, checked: Make) -> None:
        usual = finding()
        three = usual.situation._replace(
            position=Position(points({24: 3}), points({1: 2, 0: 1})), scores=(1_000_000, 0)
        )
        output = self.shown(usual._replace(situation=three), checked)
        assert "    ● Alice  72 pips  1000000 of 5\n" in output
        assert "│ off 1\n" in output

    @pytest.mark.parametrize("change", [{"width": 59}, {"board": False}])
    def test_without_a_board(self, finding: Make, checked: Make, change: dict[str, Any]) -> None:
        output = self.shown(finding(), checked, FULL._replace(**change))
        assert "●" not in output
        assert "position: XGID" in output

    def test_a_board_fits_the_narrowest_page_that_has_one(
        self, finding: Make, checked: Make
    ) -> None:
        output = self.shown(finding(), checked, FULL._replace(width=BOARD_NEEDS))
        assert "●" in output
        board = output.partition("○")[2].partition("    position")[0]
        assert max(map(cell_len, board.splitlines())) <= BOARD_NEEDS

    @pytest.mark.parametrize(
        ("change", "hints"),
        [({"width": 59}, 1), ({"width": 60}, 0), ({"width": 59, "board": False}, 0)],
    )
    def test_once_it_is_told_why_no_boards_are_shown(
        self, finding: Make, checked: Make, change: dict[str, Any], hints: int
    ) -> None:
        output = text(checked(finding(), finding()), setting=FULL._replace(**change))
        assert output.count("boards are not shown: they need 60 columns\n") == hints
        assert "boards" not in text(checked(), setting=FULL._replace(**change))

    @pytest.mark.parametrize(
        ("standing", "closed_by", "label"),
        [
            (Standing.CORRECTED, "12:36", "corrected: in time (line 12, right)"),
            (
                Standing.OPEN,
                "end-of-record",
                "can still be corrected: either player may call for its correction",
            ),
            (
                Standing.STANDS,
                None,
                "stands: the play stays on the board as made; too late to correct",
            ),
        ],
    )
    def test_standing(
        self, finding: Make, checked: Make, standing: Standing, closed_by: str, label: str
    ) -> None:
        assert label in self.shown(finding(standing=standing, closed_by=closed_by), checked)

    def test_a_play_that_was_probably_not_made_does_not_simply_stand(
        self, finding: Make, checked: Make
    ) -> None:
        misread = finding(standing=Standing.STANDS, closed_by="13:6", reading="8/4 6/4 instead")
        output = self.shown(misread, checked)
        assert "stands: only if it was really played so; " in output
        assert "stays on the board as made" not in output

    def test_the_board_after_an_illegal_play_is_below_the_one_before(
        self, finding: Make, checked: Make
    ) -> None:
        before = parse_xgid(POSITION).position
        left = after(before, Step((8, 4), (False,)))
        lines = self.shown(finding(after=left), checked).splitlines()
        assert lines[4:6] == ["    before:", "    ○ Bob  156 pips  0 of 5"]
        assert lines[20:22] == ["    after, as recorded:", "    ○ Bob  156 pips  0 of 5"]
        assert lines[35].startswith(f"    ● Alice  {pips(left.own)} pips")

    @pytest.mark.parametrize(("width", "beside"), [(119, False), (120, True)])
    def test_the_boards_are_beside_each_other_where_they_fit(
        self, finding: Make, checked: Make, width: int, beside: bool
    ) -> None:
        doubtful = finding(after=parse_xgid(POSITION).position, reading="8/4 6/4 instead")
        lines = self.shown(doubtful, checked, FULL._replace(width=width)).splitlines()
        side_by_side = [
            line for line in lines if "before:" in line and "after, 8/4 6/4 instead:" in line
        ]
        assert bool(side_by_side) == beside
        assert max(map(cell_len, lines[:36])) <= width

    def test_another_reading_is_about_the_record(self, finding: Make, checked: Make) -> None:
        output = self.shown(finding(reading="8/4 6/4 instead"), checked)
        assert "read as: 8/4 6/4 instead: what follows fits this, so it was probably" in output

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"row": " 12)"}, "game 1, row 12), left: Alice"),
            ({"match": 3, "game": 2}, "match 3, game 2, row 2, left: Alice"),
            ({"row": None, "side": None, "player": None, "dice": None}, "game 1"),
            ({"row": "", "player": "Al\x1b[2J"}, "game 1, roll 4-2, left: Al\\x1b[2J"),
        ],
    )
    def test_the_place_in_the_match(
        self, finding: Make, checked: Make, changes: dict[str, Any], words: str
    ) -> None:
        assert self.shown(finding(**changes), checked).splitlines()[1] == words

    def test_a_finding_about_the_record_has_no_place_in_the_match(
        self, bare: Make, checked: Make
    ) -> None:
        assert self.shown(bare(match=1), checked).splitlines()[1].startswith("12 | ")

    def test_color(self, finding: Make, checked: Make) -> None:
        assert "\x1b[1;31mP409 error\x1b[0m" in self.shown(
            finding(), checked, FULL._replace(color=True)
        )

    @pytest.mark.parametrize(
        ("line", "column", "end", "excerpt", "carets"),
        [
            ("ab\tcd", 4, 6, "ab cd", "   ^^"),
            ("日本 x", 4, 5, "日本 x", "     ^"),
            ("日本", 1, 3, "日本", "^^^^"),
            ("a\x1bb", 3, 4, "a\\x1bb", "     ^"),
            ("abc", 4, 4, "abc", "   ^"),
        ],
        ids=["tab", "before wide", "wide", "escaped", "at the end"],
    )
    def test_the_caret_stands_under_its_place(
        self,
        bare: Make,
        checked: Make,
        line: str,
        column: int,
        end: int,
        excerpt: str,
        carets: str,
    ) -> None:
        misplaced = bare(line=1, column=column, end_column=end)
        lines = self.shown(misplaced, checked, line=line).splitlines()
        assert lines[1:3] == [f"1 | {excerpt}", f"  | {carets}"]

    def test_of_a_long_line_the_place_is_seen(self, bare: Make, checked: Make) -> None:
        line = "x" * 500 + "HERE" + "y" * 400
        distant = bare(line=1, column=501, end_column=505)
        excerpt, carets = self.shown(distant, checked, line=line).splitlines()[1:3]
        assert len(excerpt) <= 80
        assert excerpt[carets.index("^") : carets.rindex("^") + 1] == "HERE"

    def test_a_place_beyond_the_line_is_not_shown(self, bare: Make, checked: Make) -> None:
        assert len(self.shown(bare(column=500), checked, line="short").splitlines()) == 2


def test_one_consequence_is_one_fault(finding: Make, checked: Make) -> None:
    single = finding(consequences=1)
    output = explain_finding(single, checked(single), FULL)
    assert "consequences: 1 later finding follows from this one; not listed\n" in output


PRODUCERS = [(21, "GNU", True), (20, "GNU", False), (21, "XG", False)]


class TestSummary:
    def test_one_file(self, finding: Make, checked: Make) -> None:
        lines = text(checked(finding()), setting=OutputOptions()).splitlines()
        assert lines[1:] == [
            "1 file checked, 1 error, 2 consequences not listed",
            "Rule book: basic (base rules, player-error rule of 1931)",
        ]

    def test_one_consequence(self, finding: Make, checked: Make) -> None:
        lines = text(checked(finding(consequences=1)), setting=OutputOptions()).splitlines()
        assert lines[-2] == "1 file checked, 1 error, 1 consequence not listed"

    @pytest.mark.parametrize(("files", "other", "is_compared"), PRODUCERS)
    def test_producers_are_compared_only_if_many_files_come_from_several(
        self, checked: Make, files: int, other: str, *, is_compared: bool
    ) -> None:
        records = [Record("XG", frozenset(), (), 10)] * (files - 1)
        records.append(Record(other, frozenset(), (), 10))
        output = text(*(checked(record=one) for one in records), setting=OutputOptions())
        assert ("Files by producer" in output) is is_compared
        assert ("Conventions of their match files" in output) is is_compared

    def test_counts(self, finding: Make, checked: Make) -> None:
        results = [
            checked(
                finding(standing=Standing.CORRECTED),
                finding(severity=Severity.WARNING),
                finding(severity=Severity.INFO),
                finding(severity=Severity.INFO),
                silenced=1,
            ),
            CheckOutcome("b", "b", skipped="empty"),
            CheckOutcome("c", "c", error="locked"),
        ]
        assert text(*results, setting=OutputOptions()).splitlines()[-2] == (
            "1 file checked, 1 skipped, 1 unreadable, 1 error (corrected), 1 warning, "
            "2 infos, 1 silenced, 8 consequences not listed"
        )

    def test_only_new_findings(self, finding: Make, checked: Make) -> None:
        other = Record("unknown", frozenset(), (), 9)
        known = CheckOutcome("b", "b", known_error="locked")
        results = [checked(finding(), finding()), checked(record=other), known]
        new = OutputOptions(only_new=True)
        output = text(*results, setting=new)
        for heading in ("New findings by rule", "Files with several new errors, the most first"):
            assert heading in output
        assert "1 known to be unreadable" in output
        assert "unknown" not in output
        assert "Conventions" not in output
        assert "2 files checked, no new findings\n" in text(checked(), checked(), setting=new)

    def test_nothing_found(self, checked: Make) -> None:
        assert text(checked(), setting=OutputOptions()).startswith("1 file checked, no findings\n")

    def test_of_a_single_file_without_a_record_nothing_is_said(self) -> None:
        assert not text(CheckOutcome("a", "a", error="locked"), setting=OutputOptions())
        assert not text(CheckOutcome("b", "b", skipped="empty"), setting=OutputOptions())

    def test_without_a_record_that_can_be_read_no_rule_book_is_named(self) -> None:
        results = [CheckOutcome("a", "a", error="locked"), CheckOutcome("b", "b", skipped="empty")]
        totals = "0 files checked, 1 skipped, 1 unreadable\n"
        assert text(*results, setting=OutputOptions()) == totals

    def test_one_error_a_file_makes_no_table(self, finding: Make, checked: Make) -> None:
        output = text(*[checked(finding())] * 3, setting=OutputOptions(width=1000))
        assert "3 errors" in output
        assert "Files with several errors, the most first" not in output

    def test_no_word_is_broken_on_a_narrow_page(self, finding: Make, checked: Make) -> None:
        other = checked(record=Record("unknown", frozenset(), (), 0))
        results = [checked(finding()), *[checked()] * 19, other]
        output = text(*results, setting=OutputOptions(width=60))
        assert "\nBackgammon Studio     20  2,000       1             0.50\n" in output
        assert "\nunknown                1      0       0                -\n" in output
        assert "\nBackgammon Studio  yes   no      no\n" in output

    def test_several_files(self, finding: Make, checked: Make) -> None:
        other = Record("unknown", frozenset(), (), 0)
        results = [
            checked(finding(), finding(code="T108", name="missing-hit-mark"), path="b.mat"),
            checked(finding(), path="a.mat"),
            checked(path="c.mat", record=other),
            checked(finding(), path="d.mat"),
        ]
        summary = text(*results, setting=OutputOptions(width=1000)).split("\n", 4)[4]
        assert summary == (
            """
Findings by rule
code  name              severity  findings
P409  unplayed-die      error            3
T108  missing-hit-mark  error            1

Files with several errors, the most first
file   errors
b.mat       2

4 files checked, 4 errors, 8 consequences not listed
Rule book: basic (base rules, player-error rule of 1931)
"""
        )


def test_a_remedy_of_no_known_standing_is_called_so() -> None:
    assert standing_in_words(None) == "remedy"


def test_counts_of_one_and_of_none_are_shorter() -> None:
    assert _count_corrected(1, 1) == "corrected"
    assert (_count_unless_zero(2, "skipped"), _count_unless_zero(0, "x")) == (["2 skipped"], [])
