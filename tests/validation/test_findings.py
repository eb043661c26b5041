"""Selecting findings, and when one fails a check."""

import pytest

from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import PlaceWords, check
from bganalyze.validation.findings import (
    Finding,
    Selection,
    Severity,
    Standing,
    UnknownCodeError,
    parse_prefixes,
)

KNOWN = ("T101", "T108", "P401", "P406", "C501")


def finding(severity: Severity, standing: Standing | None = None) -> Finding:
    return Finding(
        "a.mat", 1, 1, 2, "P406", "bar-first", severity, "text", match=1, standing=standing
    )


@pytest.mark.parametrize(
    ("select", "ignore", "expected"),
    [
        ((), (), "T101 T108 P401 P406 C501"),
        (("P", "C"), (), "P401 P406 C501"),
        (("P",), ("P406",), "P401"),
        ((), ("P",), "T101 T108 C501"),
        ((), ("P", "T"), "C501"),
        (("P406",), ("P",), "P406"),
        (("P4",), ("P4",), ""),
        (("P", "T108"), ("T",), "T108 P401 P406"),
    ],
)
def test_the_longest_prefix_decides(
    select: tuple[str, ...], ignore: tuple[str, ...], expected: str
) -> None:
    selection = Selection(select, ignore)
    assert [code for code in KNOWN if selection.wants(code)] == expected.split()


def test_comma_lists_may_be_repeated() -> None:
    assert parse_prefixes(["P4, t1", "C501"], KNOWN) == ("P4", "T1", "C501")


def test_an_unknown_prefix_names_the_codes() -> None:
    with pytest.raises(
        UnknownCodeError,
        match=r"'X9' begins no rule code; the families are T \(transcript\), U \(set-up\)",
    ):
        parse_prefixes(["P4,X9"], KNOWN)


@pytest.mark.parametrize(
    ("severity", "threshold", "fails"),
    [
        (Severity.ERROR, Severity.ERROR, True),
        (Severity.WARNING, Severity.ERROR, False),
        (Severity.WARNING, Severity.WARNING, True),
        (Severity.INFO, Severity.INFO, True),
        (Severity.ERROR, None, False),
    ],
)
def test_a_finding_fails_from_the_threshold_on(
    severity: Severity, threshold: Severity | None, fails: bool
) -> None:
    assert finding(severity).fails(threshold) is fails


def test_a_corrected_error_does_not_fail() -> None:
    assert not finding(Severity.ERROR, Standing.CORRECTED).fails(Severity.INFO)
    assert finding(Severity.ERROR, Standing.STANDS).fails(Severity.ERROR)


ROWS = """\
 5 point match
 Game 1
 Ann : 0                         Bob : 0
  1) 62: 24/18 13/11               64: 24/20 13/7*
  2) 42: {}             31: 8/5 6/5
"""


def find_finding(play: str) -> Finding:
    """Return the finding about a play from the bar."""
    matches = read_bytes(ROWS.format(play).encode(), "a.mat")
    (finding,) = (finding for finding in check(matches) if finding.code.startswith("P"))
    return finding


@pytest.mark.parametrize("bar", ["25", "bar"])
def test_messages_spell_the_bar_as_the_file_does(bar: str) -> None:
    assert find_finding(f"{bar}/22 8/4").message.startswith(f"{bar}/22 needs a 3")


def test_a_finding_about_a_play_has_the_board_that_it_left() -> None:
    finding = find_finding("bar/22 8/4")
    assert finding.situation is not None
    assert finding.after is not None
    before = finding.situation.position.own
    left = list(before)
    for source, target in ((25, 22), (8, 4)):
        left[source] -= 1
        left[target] += 1
    assert finding.after.own == tuple(left)


def test_a_false_dance_leaves_no_other_board() -> None:
    assert find_finding("Cannot Move").after is None


def test_values_show_themselves_in_a_line() -> None:
    (match,) = read_bytes(ROWS.format("Cannot Move").encode(), "a\x1b.mat")
    assert repr(match) == "<Match a\\x1b.mat: Ann – Bob, 5 points, 1 game>"
    finding = find_finding("bar/22 8/4")
    assert repr(finding).startswith("<Finding a.mat:5:10 P404 die-not-rolled error: bar/22 needs")
    assert "\n" not in repr(finding)


def test_values_show_themselves_in_a_notebook() -> None:
    (match,) = read_bytes(ROWS.replace("Ann", "<b>A").format("").encode(), "a.mat")
    assert "<td>&lt;b&gt;A – Bob</td>" in match._repr_html_()
    table = find_finding("bar/22 8/4")._repr_html_()
    assert "<th>place</th><td>a.mat:5:10, game 1, row 2</td>" in table
    assert "<th>standing</th><td>stands</td>" in table


NUMBERED = """\
 5 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 64: 24/14
  2) 55: 13/3(2)                 41: 24/23 14/10
  3) 62: 24/22 8/2*              31: {played}
"""


@pytest.mark.parametrize(
    ("elsewhere", "bar"), [("25/24", "25"), ("bar/24", "bar"), ("Bar/24", "bar"), ("", "bar")]
)
def test_legal_plays_are_spelled_as_the_file_spells_others(elsewhere: str, bar: str) -> None:
    """The illegal play moves a checker other than the one on the bar, so it shows no spelling."""
    entered = f"  4) 61: 13/7 8/7                51: {elsewhere} 13/8\n" if elsewhere else ""
    text = NUMBERED.format(played="10/7 8/7") + entered
    matches = read_bytes(text.encode(), "a.mat")
    reported = next(finding for finding in check(matches) if finding.code == "P406")
    assert reported.legal
    assert all(play.startswith(f"{bar}/") for play in reported.legal)


def cut_text(end: str) -> list[str]:
    """Return the messages about an SGF file that ends with this text."""
    text = f"(;FF[4]GM[6]MI[length:3][game:0][ws:0][bs:0]PW[A]PB[B];W[31hefe]{end}"
    return [f.message for f in check(read_bytes(text.encode(), "a.sgf")) if f.code == "T101"]


@pytest.mark.parametrize("end", [";B", ";B[52", "\nGS", "GS[M:1 2\n3 4"])
def test_a_cut_sgf_file_is_called_so(end: str) -> None:
    messages = cut_text(end)
    assert messages
    assert all(one.startswith("the file seems to be cut off here: ") for one in messages)


@pytest.mark.parametrize("end", [";B junk;W[52hebd])", ";B[what])", "B)"])
def test_other_text_in_an_sgf_file_is_not_called_cut_off(end: str) -> None:
    messages = cut_text(end)
    assert messages
    assert not any("cut off" in one for one in messages)


def test_a_family_of_rules_ignored_is_not_wanted() -> None:
    assert not Selection(ignore=("T1", "T108")).wants("T101")


def test_a_bar_of_25_is_the_word_for_the_bar() -> None:
    assert PlaceWords().updated_by("25/22 6/5").bar == "25"
