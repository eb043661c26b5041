"""Decisions picked out of matches: by player, kind and loss."""

from __future__ import annotations

from bganalyze.judging.decisions import Kind
from bganalyze.judging.match import JudgedMatch
from bganalyze.judging.metrics.figures import GameResult
from bganalyze.judging.select import DecisionFilter, select_decisions
from tests.match_report.judged import MATCH, judged


def match() -> JudgedMatch:
    return judged(MATCH)[1]


def found(wanted: DecisionFilter) -> list[tuple[int, str, str, str]]:
    return [
        (each.row.game, (each.row.row or "").strip(), each.player, str(each.row.kind))
        for each in select_decisions([match()], wanted)
    ]


def test_everything_in_its_order() -> None:
    every = list(select_decisions([match()]))
    assert [each.row for each in every] == list(match().rows)
    assert [each.place for each in every] == list(range(1, len(every) + 1))


def test_the_costliest_come_first() -> None:
    assert found(DecisionFilter(costliest=2)) == [(1, "3", "Bob", "drop"), (1, "2", "Ann", "play")]


def test_by_player_kind_and_loss() -> None:
    cubes = frozenset((Kind.DOUBLE, Kind.TAKE, Kind.DROP))
    assert found(DecisionFilter(kinds=cubes)) == [
        (1, "3", "Ann", "double"),
        (1, "3", "Bob", "drop"),
    ]
    assert found(DecisionFilter(player="BOB,1800", least=0.04)) == [
        (1, "1", "Bob", "play"),
        (1, "3", "Bob", "drop"),
    ]


def test_players_who_change_columns_are_known_by_their_names() -> None:
    changed = tuple(
        GameResult(*result[:-2], "Bob", "Ann") if result.game == 2 else result
        for result in match().results
    )
    of_ann = select_decisions([match()._replace(results=changed)], DecisionFilter(player="Ann"))
    assert {(each.row.game, each.row.side) for each in of_ann} == {(1, 0), (2, 1)}
