"""Scope of an ignore comment."""

import pytest

from bganalyze.record.model import Comment, Match
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Finding, Severity
from bganalyze.validation.ignores import Ignores, find_ignores
from bganalyze.validation.replaying import replay
from bganalyze.writing import SILENCED, write

RECORD = """\
; [Site "Test"]

5 point match

 Game 1
 Alice : 0                          Bob : 0
  1) 31: 8/5 6/5                   65: 24/13
  2) 42: 8/4 6/4                   61: 13/7 8/7

 Game 2
 Alice : 1                          Bob : 0
  1) 31: 8/5 6/5                   52: 13/8 13/11

; [Site "Test"]
7 point match

 Game 1
 Alice : 0                          Bob : 0
  1) 31: 8/5 6/5                   65: 24/13
""".splitlines()


def silent_in(lines: list[str]) -> Ignores:
    """Return the codes that the comments in a match text silence, by line."""
    return find_ignores(read_bytes("\n".join(lines).encode(), "a.mat"))


def find_silenced_lines(lines: list[str], code: str) -> list[int]:
    """Return the lines of a file that its comments silence."""
    silent = silent_in(lines)
    return [n for n in range(1, len(lines) + 1) if silent.silences(at(n, code))]


def find_silenced_plays(matches: list[Match]) -> list[tuple[int, ...]]:
    """Return the places, in the order of the record, of actions that are silenced."""
    silent = find_ignores(matches)
    return [
        (match.number, game, index)
        for match in matches
        for game, game_played in enumerate(match.games)
        for index, action in enumerate(game_played.actions)
        if silent.silences(at(action.span.line, "P409")) and not isinstance(action, Comment)
    ]


def read_back(matches: list[Match], known_as: str) -> list[Match]:
    """Return the matches, written in a format and read again."""
    output = write([replay(match) for match in matches], known_as)
    return read_bytes(output.data, "again")


def find_silenced(comment: str, above: int, code: str = "P409") -> list[int]:
    """Return the lines, counted without the comment, that a comment above one of them silences."""
    lines = [*RECORD[: above - 1], comment, *RECORD[above - 1 :]]
    silent = silent_in(lines)
    return [
        line - (line > above)
        for line in range(1, len(lines) + 1)
        if line != above and silent.silences(at(line, code))
    ]


def at(line: int, code: str) -> Finding:
    return Finding("a.mat", line, 1, 2, code, "name", Severity.ERROR, "text", match=1)


@pytest.mark.parametrize(
    ("above", "lines"),
    [
        (8, [8]),
        (7, list(range(5, 10))),
        (6, list(range(5, 10))),
        (11, list(range(10, 14))),
        (3, list(range(1, 14))),
        (1, list(range(1, 14))),
        (15, list(range(14, 20))),
        (10, [10]),
        (9, [10]),
    ],
    ids=[
        "above a row",
        "above a first row",
        "under a game line",
        "under a later game line",
        "before the match line",
        "at the top of the header",
        "before the second match line",
        "above a game line",
        "under a last row",
    ],
)
def test_scope(above: int, lines: list[int]) -> None:
    assert find_silenced("; bganalyze: ignore P409", above) == lines


@pytest.mark.parametrize(
    ("comment", "code", "is_silenced"),
    [
        ("; bganalyze: ignore P409", "P409", True),
        ("; bganalyze: ignore P409", "P406", False),
        ("; bganalyze: ignore P4", "P406", True),
        ("; bganalyze: ignore T108, P409", "P409", True),
        ("; bganalyze: ignore T108 P409 as agreed", "P409", True),
        ("; bganalyze: ignore p409", "P409", True),
        ("  ;bganalyze:ignore", "R602", True),
        ("; bganalyze: ignore as agreed", "P409", False),
        ("; bganalyze: ignored P409", "P409", False),
        ("; ignore P409", "P409", False),
    ],
)
def test_codes(comment: str, code: str, is_silenced: bool) -> None:
    assert find_silenced(comment, 8, code) == ([8] if is_silenced else [])


@pytest.mark.parametrize(
    ("comment", "unknown"),
    [
        ("; bganalyze: ignore P999", ["P999"]),
        ("; bganalyze: ignore P409, p999 as agreed", ["P999"]),
        ("; bganalyze: ignore X", ["X"]),
        ("; bganalyze: ignore bar-first here", ["BAR-FIRST"]),
        ("; bganalyze: ignore P409 A reason", []),
        ("; bganalyze: ignore P", []),
        ("; bganalyze: ignore", []),
        ("; bganalyze: ignore , ,", [","]),
        ("; ignore P999", []),
    ],
)
def test_what_begins_no_code_is_known(comment: str, unknown: list[str]) -> None:
    words = silent_in([" Game 1", comment, " 1) 31: 8/5"]).find_unknown_codes(["P409", "T108"])
    assert [(word.line, word.text) for word in words] == [(2, text) for text in unknown]


@pytest.mark.parametrize(
    ("comment", "is_mistyped"),
    [
        ("; bganalyze ignore: T105", True),
        ("; bganalyze ignore T105", True),
        ("; Bganalyze: Ignore T105", True),
        ("; bganalyze: ignored T105", True),
        ("; bganlyze: ignore T105", True),
        ("; bganalyze; ignore T105", True),
        ("; ignore: bganalyze T105", True),
        ("; bganalyze: ignore T105", False),
        ("; bganalyze: ignore nonsense", False),
        ("; ignore T105", False),
        ("; bganalyze wrote this", False),
        ("; Bob ignored the double", False),
    ],
)
def test_a_comment_that_is_mistyped_is_known(comment: str, *, is_mistyped: bool) -> None:
    silent = silent_in([" Game 1", comment, " 1) 31: 8/5"])
    assert silent.mistyped == ((2,) if is_mistyped else ())


@pytest.mark.parametrize(
    ("comment", "code", "is_silenced"),
    [
        ("; bganalyze: ignore T105", "T105", True),
        ("; bganalyze: ignore T", "T105", True),
        ("; bganalyze: ignore P409", "T105", False),
        ("; bganalyze: ignore", "P409", False),
    ],
)
def test_a_comment_at_the_end_of_a_row_counts_for_its_empty_cell(
    comment: str, code: str, *, is_silenced: bool
) -> None:
    lines = list(RECORD)
    lines[6] = f"  1) 31: 8/5 6/5                   {comment}"
    assert silent_in(lines).silences(at(8, code)) is is_silenced
    lines[6] = f"  1) 31: 8/5 6/5                   65: 24/13  {comment}"
    assert not silent_in(lines).silences(at(8, code))


def test_comments_above_each_other_add_up() -> None:
    lines = ["; bganalyze: ignore P409", "; a remark", "; bganalyze: ignore T108", " 1) 31: 8/5"]
    silent = silent_in(lines)
    assert silent.silences(at(4, "P409"))
    assert silent.silences(at(4, "T108"))


def test_without_a_match_line_the_first_game_line_heads_the_match() -> None:
    silent = silent_in(["; bganalyze: ignore T117", "", " Game 1", " A : 0   B : 0", " 1) 31: 8/5"])
    assert all(silent.silences(at(line, "T117")) for line in range(1, 6))


@pytest.mark.parametrize(
    "header",
    [
        ["; bganalyze: ignore P409", "# played in Rome"],
        ["# played in Rome", "# bganalyze: ignore P409"],
        ["; bganalyze: ignore P409", "", "The summer cup", "in Rome", ""],
        ["The summer cup", "; bganalyze: ignore P409"],
    ],
)
@pytest.mark.parametrize("match", [0, 1])
def test_titles_and_other_comments_may_stand_in_a_header(header: list[str], match: int) -> None:
    above = (2, 13)[match]
    lines = [*RECORD[:above], *header, *RECORD[above + (match == 1) :]]
    silent = silent_in(lines)
    rows = [n for n, line in enumerate(lines, start=1) if ") " in line]
    assert [n for n in rows if silent.silences(at(n, "P409"))] == [rows[:3], rows[3:]][match]


def test_what_stands_above_a_line_that_nobody_reads_is_about_that_line() -> None:
    lines = [*RECORD[:12], "; bganalyze: ignore T101", "garbled", *RECORD[13:]]
    silent = silent_in(lines)
    assert [n for n in range(1, len(lines) + 1) if silent.silences(at(n, "T101"))] == [14]


@pytest.mark.parametrize(
    "lines",
    [
        ["; bganalyze: ignore T117", "", " A : 0   B : 0", " 1) 31: 8/5", " 2) 42: 8/4"],
        ["; bganalyze: ignore T117", " A        B", " 1) 31: 8/5", " 2) 42: 8/4"],
        ["; bganalyze: ignore T117", "", " 1) 31: 8/5", " 2) 42: 8/4"],
        ["The cup", "", "; bganalyze: ignore T117", "Game 1", " 1) 31: 8/5"],
    ],
)
def test_a_record_may_begin_with_its_score_its_names_or_its_rows(lines: list[str]) -> None:
    silent = silent_in(lines)
    assert all(silent.silences(at(line, "T117")) for line in range(3, len(lines) + 1))


def test_at_the_end_of_a_row_a_comment_speaks_of_that_row() -> None:
    lines = RECORD.copy()
    lines[7] += "  ; bganalyze: ignore P409"
    assert find_silenced_lines(lines, "P409") == [8]


IN_SGF = r"""
(;FF[4]GM[6]AP[GNU Backgammon:1.07]MI[length:5][game:0][ws:0][bs:0]PW[Ann]PB[Bob]{root}
;B[31hfef]{node}
;W[63axgj]
{apart};B[52hdfd]
;W[11ab])
"""


@pytest.mark.parametrize(
    ("place", "lines"),
    [("root", [1, 2, 3, 4, 5]), ("node", [2]), ("apart", [6])],
)
def test_comments_in_smart_game_format_silence_too(place: str, lines: list[int]) -> None:
    comments = dict.fromkeys(("root", "node", "apart"), "")
    comments[place] = "C[bganalyze: ignore P409]" if place != "apart" else IN_A_NODE
    text = IN_SGF.strip().format(**comments).splitlines()
    assert find_silenced_lines(text, "P409") == lines


IN_A_NODE = ";C[a remark\nbganalyze: ignore P4 as agreed]\n"


@pytest.mark.slow
@pytest.mark.parametrize("known_as", ["mat", "xg-text", "sgf", "bgm", "json"])
@pytest.mark.parametrize("above", [3, 6, 7, 8, 11])
def test_what_is_converted_is_as_silent(above: int, known_as: str) -> None:
    lines = [*RECORD[: above - 1], "; bganalyze: ignore P409", *RECORD[above - 1 :]]
    matches = read_bytes("\n".join(lines).encode(), "a.mat")
    silenced_before, back = (
        find_silenced_plays(matches),
        find_silenced_plays(read_back(matches, known_as)),
    )
    losses = write([replay(match) for match in matches], known_as).losses
    is_told = SILENCED in [loss.what for loss in losses]
    assert silenced_before
    assert is_told == (back != silenced_before)


def test_converted_to_json_the_end_of_a_row_is_one_still() -> None:
    lines = RECORD.copy()
    lines[7] += "  ; bganalyze: ignore P409"
    matches = read_bytes("\n".join(lines).encode(), "a.mat")
    assert find_silenced_plays(read_back(matches, "json")) == find_silenced_plays(matches) != []
    losses = write([replay(match) for match in matches], "mat").losses
    assert SILENCED in [loss.what for loss in losses]


def test_a_file_without_comments_silences_nothing() -> None:
    assert not silent_in(RECORD).by_row


@pytest.mark.parametrize(("above", "is_silenced"), [("  3)", False), ("  2)", True)])
def test_in_a_page_of_one_line_a_comment_reaches_as_far_as_in_lines(
    above: str, is_silenced: bool
) -> None:
    lines = [line.replace("61: 13/7 8/7", "61: 13/8 8/7") for line in RECORD[2:8]]
    lines.append("  3) 43: 13/9 24/21")
    at_row = next(n for n, line in enumerate(lines) if line.startswith(above))
    lines.insert(at_row, "; bganalyze: ignore P404 agreed")
    for text in ("\n".join(lines), f"<html><body>{'<br>'.join(lines)}</body></html>"):
        matches = read_bytes(text.encode(), "a.mat")
        silent = find_ignores(matches)
        (error,) = (finding for finding in check(matches) if finding.code == "P404")
        assert silent.silences(error) == is_silenced, text
