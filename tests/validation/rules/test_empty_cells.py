"""An empty cell in the last turn of a game: remarked on if the same player won, and nothing is claimed."""

from __future__ import annotations

from pathlib import Path

import pytest

from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check

SAMPLE = Path("samples/clean/one-point.mat").read_text(encoding="utf-8")
LAST_PLAY = "65: 3/0 3/0"
GIVEN_UP = "not logged, or Ada Quill gave up before it was played"


def list_findings(text: str) -> list[tuple[str, str]]:
    """Return the code and the message of each finding of a match text."""
    return [(one.code, one.message) for one in check(read_bytes(text.encode(), "a.mat"))]


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("65:", f"no play is written for 6-5 (only 3/off(2) was legal): {GIVEN_UP}"),
        ("21:", f"no play is written for 2-1: {GIVEN_UP}"),
    ],
)
def test_the_winner_has_no_play_in_the_last_turn(written: str, message: str) -> None:
    assert SAMPLE.count(LAST_PLAY) == 1
    assert list_findings(SAMPLE.replace(LAST_PLAY, written)) == [("T119", message)]


def test_the_loser_may_have_given_up() -> None:
    rows, won = SAMPLE.rstrip().rsplit("\n", 1)
    before = rows.rsplit("\n", 1)[0]
    assert list_findings(f"{before}\n 25) 61:\n{won}\n") == []


def test_a_recorded_resignation_explains_it() -> None:
    text = "bganalyze match\nleft: Ann\nright: Bob\nlength: 1\ngame 1\nscore 0-0\nL 31 8/5 6/5\nR 52\nL resigns 1\nR wins 1\n"
    assert "T119" not in [code for code, _ in list_findings(text)]
