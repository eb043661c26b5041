"""No line of a record vanishes: it is read, kept as a comment, or reported."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bganalyze.record.model import Match, Unread
from bganalyze.record.reader import read, read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import one_slip
from tests.record.damage import find_vanished
from tests.record.sites import texts
from tests.record.sites.test_fibs import OLD
from tests.record.test_gnubg_text import REPORT

MAT = """\
+-----------------------------+
|  Riverside Open, 2007       |
+-----------------------------+
; [Event "Club night"]
 3 point match

 Game 1
 Ann Lee : 0                     Bob : 0
  1) 31: 8/5 6/5                 42: 8/4 6/4
; a remark
  2)  Doubles => 2                Takes
  3) 66: 24/18(2) 13/7(2)        61: Cannot Move
He was late for the next game.
  4) 21: 6/3                      Resigns
      Wins 2 points

 Game 2
 Ann Lee : 2                     Bob : 0
  1)                             65: 24/13
"""

BGM = """\
bganalyze match 1
left: Ann Lee
right: Bob
length: 3
Event: Club night
; a remark

game 1
score 0-0
1. L 31 8/5 6/5 | R 42 8/4 6/4
2. L double 2 | R take
L 66 24/18(2) 13/7(2)
R 61 dance
L resigns
R wins 2
"""

SGF = """\
(;FF[4]GM[6]MI[length:3][game:0][ws:0][bs:0]PW[Ann]PB[Bob]EV[Club]RU[Crawford]RE[W+2]
;W[31hefe]
;B[42qulu]
;C[a remark]
;W[double]
;B[take]
;W[66xrxrmgmg]
;B[resign:1]
)
"""

BOARD = "-b----E-C---eE---c-e----B-"
POSITIONS = f"""\
A position from the final match of the club.

XGID={BOARD}:0:0:1:31:0:0:0:7:10
X:Ann Lee   O:Bob
Score is X:0 O:0 7 pt.(s) match.

XGID={BOARD}:1:1:-1:62:1:0:0:7:10
"""

PLAYED = "\n".join(line for line in REPORT.split("\n") if not line.startswith("*  "))
"""A report without analysis."""

TEXTS = {
    "mat": MAT,
    "bgm": BGM,
    "sgf": SGF,
    "positions": POSITIONS,
    "gnubg-text": PLAYED + PLAYED.replace("after 1 game", "after 2 games"),
    "fibs": OLD,
    **{
        name.casefold(): getattr(texts, name)
        for name in ("SGG", "TMG", "BGAMMON", "BGROOM", "BKG", "EMPIRE", "PARTY")
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTS)
def test_a_damaged_line_is_read_kept_or_told_of(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        one_slip, "MOST_TRIED", 0
    )  # It takes long, and nobody looks for a lost row.
    assert list(find_vanished(TEXTS[name], "a.txt")) == []


@pytest.mark.parametrize(
    ("line", "damaged"),
    [
        ("bob rolls 6 and 2.", "bob rlls 6 and 2."),
        ("bob rolls 6 and 2.", "BOB ROLLS 6 AND 2."),
        ("bob moves 1-7 12-14 .", "bob mves 1-7 12-14 ."),
        ("bob moves 1-7 12-14 .", "ob moves 1-7 12-14 ."),
        ("ann doubles.", "ann dobles."),
        ("ann can't move.", "ann can't mve."),
        ("ann rolled 3, bob rolled 1", "zz ann rolled 3, bob rolled 1"),
    ],
)
def test_a_damaged_line_of_a_session_is_told_of_and_its_talk_is_not(
    line: str, damaged: str
) -> None:
    lines = texts.FIBS_LOG.split("\n")
    at = lines.index(line)
    findings = check(read_bytes(_with(lines, at, damaged), "a.log"))
    assert (at + 1, "T101") in [(finding.line, finding.code) for finding in findings]
    talk = read_bytes(_with(lines, at, f"{line}\nbob says: what a game\n7 x x logs in."), "a")
    assert "T101" not in [finding.code for finding in check(talk)]


def _with(lines: list[str], at: int, line: str) -> bytes:
    return "\n".join([*lines[:at], line, *lines[at + 1 :]]).encode()


def find_covered_lines(match: Match) -> Iterator[int]:
    """Yield the lines of a file that a match keeps something of."""
    spans = [tag.span for tag in match.tags] + [odd.span for odd in match.oddities]
    spans += [game.span for game in match.games]
    spans += [game.score.span for game in match.games if game.score is not None]
    spans += [match.length.span] if match.length is not None else []
    yield from (span.line for span in spans)
    for game in match.games:
        for action in game.actions:
            last = action.last_line if isinstance(action, Unread) else None
            yield from range(action.span.line, (last or action.span.line) + 1)


EMPTY_ROW = re.compile(r"\s*[0-9]+\)\s*")


def find_uncovered_lines(path: Path) -> list[str]:
    """Return lines with content that is not kept, in formats that need all lines."""
    matches = read(path)
    if matches[0].format not in ("mat", "sgf"):
        return []
    held = {line for match in matches for line in find_covered_lines(match)}
    return [
        text
        for number, text in enumerate(matches[0].source.lines, start=1)
        if number not in held and any(map(str.isalnum, text)) and not EMPTY_ROW.fullmatch(text)
    ]


SAMPLES = [path for path in Path("samples").glob("*/*") if path.suffix in (".mat", ".txt", ".sgf")]


@pytest.mark.slow
@pytest.mark.parametrize("path", SAMPLES, ids=str)
def test_every_line_of_a_sample_is_held(path: Path) -> None:
    assert find_uncovered_lines(path) == []


@pytest.mark.corpus
@pytest.mark.slow
def test_every_line_of_a_real_file_is_held(corpus: Path) -> None:
    files = [path for name in ("mat", "xgtext", "sgf") for path in (corpus / name).iterdir()]
    assert {path.name: lost for path in files if (lost := find_uncovered_lines(path))} == {}
