"""Verdicts that there are already: the last kept, of whoever is asked for, else the file's own."""

from __future__ import annotations

from pathlib import Path

import pytest

import bganalyze
from bganalyze.judging.match import prepare
from bganalyze.judging.sources import Judge, verdict
from bganalyze.judging.store import Store
from tests.match_report.judged import MATCH, judged

STORED = """\
(;GM[6]CA[UTF-8]AP[GNU Backgammon:1.07]RU[Crawford]
MI[length:3][game:0][ws:0][bs:0]PW[Ann]PB[Bob]
;B[31hehf]A[0][hehf E ver 3 0.55 0.15 0.01 0.12 0.01 0.15 2C 1 0.0 0 1 0.0]LU[+0.1])
"""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A database in which a match was judged by two engines, and by one of them twice."""
    _, said = judged(MATCH)
    kept = Store(str(tmp_path / "kept.db"))
    for engine, level in (("sage", "3ply"), ("gnubg", "0ply"), ("gnubg", "2ply")):
        kept.add(said._replace(key=said.key._replace(engine=engine, level=level)))
    return kept


@pytest.mark.parametrize(
    ("judge", "key"),
    [
        (Judge(), ("gnubg", "2ply")),
        (Judge("gnubg"), ("gnubg", "2ply")),
        (Judge("sage"), ("sage", "3ply")),
        (Judge(level="0ply"), ("gnubg", "0ply")),
        (Judge("sage", "0ply"), None),
    ],
)
def test_whose_verdicts_are_taken(store: Store, judge: Judge, key: tuple[str, str] | None) -> None:
    match, _ = judged(MATCH)
    found = verdict(match, store, judge)
    assert (found and (found.key.engine, found.key.level)) == key


def test_a_match_that_differs_in_one_play_is_another(store: Store) -> None:
    match, _ = judged(MATCH.replace("24/22 13/8", "24/22 6/1"))
    assert verdict(match, store) is None


def test_what_the_file_holds_is_taken_where_nothing_is_kept() -> None:
    (match,) = bganalyze.read_bytes(STORED.encode(), "stored.sgf")
    found = verdict(match, None)
    assert found is not None
    assert (found.key.engine, found.key.content) == ("recorded", prepare(match).match.key.content)
    assert verdict(match, None, Judge("sage")) is None


def test_nobody_has_judged_it() -> None:
    match, _ = judged(MATCH)
    assert verdict(match, None) is None
