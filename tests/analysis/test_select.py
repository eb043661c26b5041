"""Analyses: the deepest of the engine used last or asked for, else the file's own; and decisions."""

from __future__ import annotations

from pathlib import Path

import pytest

from bganalyze.analysis.analyzed import GameResult
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.match import AnalyzedMatch, Key, make_unanalyzed
from bganalyze.analysis.select import (
    RECORDED,
    UNKNOWN_LEVEL,
    UNNAMED,
    DecisionFilter,
    EngineChoice,
    choose_analysis,
    find_analyses,
    find_analysis,
    name_edition,
    select_counted_analyses,
    select_decisions,
)
from bganalyze.analysis.store import Store
from bganalyze.record.reader import read_bytes
from tests.statistics.match_report.analyzed import MATCH, analyze_text

STORED = """\
(;GM[6]CA[UTF-8]AP[GNU Backgammon:1.07]RU[Crawford]
MI[length:3][game:0][ws:0][bs:0]PW[Ann]PB[Bob]
;B[31hehf]A[0][hehf E ver 3 0.55 0.15 0.01 0.12 0.01 0.15 2C 1 0.0 0 1 0.0]LU[+0.1])
"""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A database in which a match was analyzed by two engines, and by one of them twice."""
    _, match = analyze_text(MATCH)
    filled = Store(str(tmp_path / "kept.db"))
    for engine, level in (("sage", "3ply"), ("gnubg", "0ply"), ("gnubg", "2ply")):
        filled.add(match._replace(key=match.key._replace(engine=engine, level=level)))
    return filled


def add(store: Store, *levels: tuple[str, str]) -> None:
    _, match = analyze_text(MATCH)
    for engine, level in levels:
        store.add(match._replace(key=match.key._replace(engine=engine, level=level)))


def test_a_shallower_look_that_is_kept_later_hides_no_deeper_one(store: Store) -> None:
    add(store, ("sage", "1ply+2ply"), ("sage", "1ply"))
    match, _ = analyze_text(MATCH)
    chosen = find_analysis(match, store)
    assert chosen is not None
    assert (chosen.key.engine, chosen.key.level) == ("sage", "3ply")
    assert [other.key for other in find_analyses(store)] == [chosen.key]
    counted = select_counted_analyses(store)
    assert ([other.key for other in counted.matches], counted.left_out) == ([chosen.key], 4)


def test_a_level_that_is_asked_for_is_counted_alone(store: Store) -> None:
    add(store, ("sage", "1ply"))
    for choice, left_out in ((EngineChoice("gnubg"), 1), (EngineChoice("sage", "1ply"), 0)):
        counted = select_counted_analyses(store, choice)
        assert (len(list(counted.matches)), counted.left_out) == (1, left_out)


def test_the_same_match_of_two_files_is_left_to_the_tables(tmp_path: Path) -> None:
    """They mark it as a copy, and say so."""
    store, (_, match) = Store(str(tmp_path / "two.db")), analyze_text(MATCH)
    for content, level in (("one", "2ply"), ("two", "2ply"), ("two", "0ply")):
        store.add(match._replace(key=match.key._replace(content=content, level=level)))
    counted = select_counted_analyses(store)
    assert ([other.key.content for other in counted.matches], counted.left_out) == (
        ["one", "two"],
        1,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("choice", "key"),
    [
        (EngineChoice(), ("gnubg", "2ply")),
        (EngineChoice("gnubg"), ("gnubg", "2ply")),
        (EngineChoice("sage"), ("sage", "3ply")),
        (EngineChoice(level="0ply"), ("gnubg", "0ply")),
        (EngineChoice("sage", "0ply"), None),
    ],
)
def test_whose_analyses_are_taken(
    store: Store, choice: EngineChoice, key: tuple[str, str] | None
) -> None:
    match, _ = analyze_text(MATCH)
    chosen = find_analysis(match, store, choice)
    assert (chosen and (chosen.key.engine, chosen.key.level)) == key


def test_a_match_that_differs_in_one_play_is_another(store: Store) -> None:
    match, _ = analyze_text(MATCH.replace("24/22 13/8", "24/22 6/1"))
    assert find_analysis(match, store) is None


def test_what_the_file_holds_is_taken_where_nothing_is_kept() -> None:
    (match,) = read_bytes(STORED.encode(), "stored.sgf")
    chosen = find_analysis(match, None)
    assert chosen is not None
    assert (chosen.key.engine, chosen.key.content) == (
        "recorded",
        make_unanalyzed(match).match.key.content,
    )
    assert find_analysis(match, None, EngineChoice("sage")) is None


def test_nobody_has_analyzed_it() -> None:
    match, _ = analyze_text(MATCH)
    assert find_analysis(match, None) is None


def make_analyzed_match() -> AnalyzedMatch:
    return analyze_text(MATCH)[1]


def find_selected(decision_filter: DecisionFilter) -> list[tuple[int, str, str, str]]:
    return [
        (
            selected.row.game,
            (selected.row.row or "").strip(),
            selected.player,
            str(selected.row.kind),
        )
        for selected in select_decisions([make_analyzed_match()], decision_filter)
    ]


def test_everything_in_its_order() -> None:
    selected = list(select_decisions([make_analyzed_match()]))
    assert [decision.row for decision in selected] == list(make_analyzed_match().rows)
    assert [decision.place for decision in selected] == list(range(1, len(selected) + 1))


def test_the_costliest_come_first() -> None:
    assert find_selected(DecisionFilter(costliest=2)) == [
        (1, "3", "Bob", "pass"),
        (1, "2", "Ann", "play"),
    ]


def test_by_player_kind_and_loss() -> None:
    cubes = frozenset((Kind.DOUBLE, Kind.TAKE, Kind.PASS))
    assert find_selected(DecisionFilter(kinds=cubes)) == [
        (1, "3", "Ann", "double"),
        (1, "3", "Bob", "pass"),
    ]
    assert find_selected(DecisionFilter(player="BOB,1800", least=0.04)) == [
        (1, "1", "Bob", "play"),
        (1, "3", "Bob", "pass"),
    ]


def test_players_who_change_columns_are_known_by_their_names() -> None:
    exchanged = tuple(
        GameResult(*result[:-2], "Bob", "Ann") if result.game == 2 else result
        for result in make_analyzed_match().results
    )
    of_ann = select_decisions(
        [make_analyzed_match()._replace(results=exchanged)], DecisionFilter(player="Ann")
    )
    assert {(decision.row.game, decision.row.side) for decision in of_ann} == {(1, 0), (2, 1)}


def test_the_deepest_analysis_by_the_engine_used_last_is_shown() -> None:
    deep, other, shallow = (
        Key("", *rest)
        for rest in (("sage", "2", "3ply"), ("gnubg", "1", "2ply"), ("sage", "2", "1ply"))
    )
    assert choose_analysis([deep, other, shallow]) == deep
    assert choose_analysis([deep, other]) == other


@pytest.mark.parametrize(
    ("program", "level", "said"),
    [
        ("GNU Backgammon", "4ply", "GNU Backgammon at 4ply (stored in the file)"),
        (UNNAMED, UNKNOWN_LEVEL, "a program not named, at unknown depth (stored in the file)"),
    ],
)
def test_an_analysis_of_the_file_is_named_by_its_program(
    program: str, level: str, said: str
) -> None:
    assert name_edition(RECORDED, program, level) == said


def test_an_engine_without_a_version_accepts_every_version() -> None:
    assert EngineChoice("sage").accepts(Key("", "sage", "2.0", "1ply"))
