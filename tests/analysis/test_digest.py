"""The digest of a match: one for the tables of files, for analyzed matches, and for old databases."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bganalyze.analysis.digest import FEWEST_PLAYS, SHORT, digest_match, digest_rows
from bganalyze.analysis.match import AnalyzedMatch, analyze_match, make_unanalyzed
from bganalyze.analysis.select import find_analyses
from bganalyze.analysis.store import Store
from bganalyze.board.ids import parse_unlimited_xgid
from bganalyze.record.model import Match
from bganalyze.record.reader import read, read_bytes
from bganalyze.statistics.tables.frames import tabulate, tabulate_analyzed
from bganalyze.validation.replaying import replay
from tests.statistics.reports.analyzed import Guesser

SAMPLES = Path(__file__).parents[2] / "samples"
HOLDS_A_SHARED_POINT = "P402-blocked-point.mat"
SAMPLE = SAMPLES / "clean" / "short-match.mat"


def matches() -> list[Match]:
    files = (path for path in sorted(SAMPLES.glob("*/*.[mt]*t")))
    return [match for path in files for match in read(path)]


def analyze_sample() -> AnalyzedMatch:
    [match] = read(SAMPLE)
    return analyze_match(match, Guesser())


@pytest.mark.slow
def test_the_rows_of_a_analyzed_match_have_the_digest_of_its_replay() -> None:
    differing, differing_once_kept = set(), set()
    for match in matches():
        unanalyzed, name = make_unanalyzed(match).match, Path(match.source.path).name
        if (digest_rows(unanalyzed.rows, unanalyzed.results) or "") != unanalyzed.record:
            differing.add(name)
        kept = [row._replace(situation=parse_unlimited_xgid(row.xgid)) for row in unanalyzed.rows]
        if (digest_rows(kept, unanalyzed.results) or "") != unanalyzed.record:
            differing_once_kept.add(name)
    assert not differing
    assert differing_once_kept == {HOLDS_A_SHARED_POINT}


def short_content(plays: int, left: str = "Ada Quill", right: str = "Bruno Vale") -> str | None:
    """Return the digest of a match of some plays by these players."""
    text = (SAMPLES / "clean" / "one-point.mat").read_text(encoding="utf-8")
    named = text.replace("Bruno Vale", right).replace("Ada Quill", left.ljust(len("Ada Quill")))
    [match] = read_bytes(named.encode(), "a.mat")
    replayed = replay(match)
    opening = replayed.games[0]._replace(turns=replayed.games[0].turns[:plays])
    return digest_match(replayed._replace(games=(opening,)))


def test_a_match_of_few_plays_is_recognized_with_its_players_only() -> None:
    enough, fewer = (short_content(FEWEST_PLAYS - less) for less in (0, 1))
    assert enough == short_content(FEWEST_PLAYS, "Cy", "Di")
    assert not (enough or "").startswith(SHORT)
    assert (fewer or "").startswith(SHORT)
    assert fewer == short_content(FEWEST_PLAYS - 1, "ADA QUILL")
    assert fewer != short_content(FEWEST_PLAYS - 1, "Cy", "Di")
    assert fewer != short_content(FEWEST_PLAYS - 2)
    assert short_content(0) is None


def test_the_tables_of_files_and_of_analyzed_matches_join_on_content() -> None:
    files = tabulate([replay(match) for match in read(SAMPLE)]).matches
    analyzed = tabulate_analyzed([analyze_sample()]).matches
    assert len(files.merge(analyzed, on="content")) == 1


def with_other_digest(path: Path) -> Store:
    """Return a database as it was kept when analyzed matches had a digest of their own."""
    store = Store(str(path))
    store.add(analyze_sample())
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("UPDATE matches SET record = ?", ("0f" * 32,))
    return store


def test_an_old_database_has_the_digest_of_today(tmp_path: Path) -> None:
    store = with_other_digest(tmp_path / "a.db")
    match = analyze_sample()
    assert store.find(match.key) == match
    assert store.list_analyses() == [(match.key, match.record, match.length)]


def test_a_match_that_was_kept_before_and_after_is_met_once(tmp_path: Path) -> None:
    store = with_other_digest(tmp_path / "a.db")
    text = SAMPLE.read_text(encoding="utf-8").replace("Ada Quill", "Ada Q.")
    [renamed] = read_bytes(text.encode(), "b.mat")
    assert store.add(analyze_match(renamed, Guesser()))
    assert [match.path for match in find_analyses(store)] == ["b.mat"]


def test_a_match_of_unknown_length_is_analyzed_as_another_one_and_counted_once(
    tmp_path: Path,
) -> None:
    store = Store(str(tmp_path / "a.db"))
    paths = (SAMPLE, SAMPLE.parent / "no-match-line.mat")
    analyzed = [analyze_match(match, Guesser()) for path in paths for match in read(path)]
    assert [store.add(match) for match in analyzed] == [True, True]
    assert analyzed[0].record == analyzed[1].record
    assert len(list(find_analyses(store))) == 2
    assert tabulate_analyzed(analyzed).matches["copy_of"].fillna(-1).tolist() == [-1, 0]


def test_the_order_is_that_of_the_files_whichever_was_kept_first(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "a.db"))
    analyzed = analyze_sample()
    for name in ("c", "a", "b"):
        key = analyzed.key._replace(content=name)
        store.add(analyzed._replace(key=key, path=f"{name}.mat", record=name))
    assert [match.path for match in store.matches()] == ["a.mat", "b.mat", "c.mat"]
    assert [match.path for match in find_analyses(store)] == ["a.mat", "b.mat", "c.mat"]
