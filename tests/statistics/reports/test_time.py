"""The report of time: a match so small that its clock can be read on paper."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest

from bganalyze.record.reader import read_bytes
from bganalyze.statistics.tables.frames import Tables, tabulate
from bganalyze.validation.replaying import replay
from tests.statistics.reports.test_small import counts, figures, sections, tables_of
from tests.statistics.tables.test_tables import MATCH

pytestmark = pytest.mark.slow


def ply(color: int, action: int, time: float | None, *moves: tuple[int, int]) -> dict[str, Any]:
    dice = {2: (1, 3), 9: (2, 5)}.get(action)
    return {
        "color": color,
        "action_id": action,
        **({"d1": dice[0], "d2": dice[1]} if dice else {}),
        "moves": [{"from": start, "pips": pips} for start, pips in moves],
        **({} if time is None else {"timestamp_ms": round(1000 * time)}),
    }


GAMES = [
    {
        "winner": 0,
        "points_won": 2,
        "plies": [
            ply(1, 2, 0, (17, 3), (19, 1)),
            ply(0, 9, 40, (13, 5), (24, 2)),
            ply(1, 21, 45),
            ply(0, 22, 65),
            ply(1, 9, 70, (12, 5), (1, 2)),
            ply(0, 27, None),
        ],
    }
]
"""Ann plays; Bob takes 40 seconds; Ann doubles after 5, Bob takes after 20, Ann plays after 5."""

SETTINGS = {"reserve_ms": 30_000, "delay_ms": 10_000, "increment_ms": 0, "start_timestamp": 0}


def read_timed(**clock: object) -> Tables:
    document = {
        "match_length": 5,
        "player_white": "Ann",
        "player_black": "Bob",
        "games": GAMES,
        **clock,
    }
    matches = read_bytes(json.dumps(document).encode(), "a.gva")
    return tabulate(map(replay, matches))


@pytest.fixture(scope="module")
def tables() -> Tables:
    return read_timed(clock_info=SETTINGS)


def test_turns_and_doubles_have_their_seconds(tables: Tables) -> None:
    assert tables.turns["seconds"].tolist()[1:] == [40, 5]
    assert pd.isna(tables.turns["seconds"].iloc[0])
    assert tables.cubes[["seconds", "answer_seconds"]].to_numpy().tolist() == [[5, 20]]
    assert tables.matches[["reserve", "delay", "increment"]].to_numpy().tolist() == [[30, 10, 0]]


def test_time_by_player(tables: Tables) -> None:
    counted = counts(figures(tables, "time", "Time", by=("player",)), "player")
    assert counted["Ann", "timed decisions"][0] == 2
    assert counted["Ann", "seconds a decision"] == (10, 2)
    assert counted["Bob", "seconds a decision"] == (60, 2)
    assert counted["Bob", "over 30 seconds"] == (1, 2)


def test_who_has_used_up_the_reserve_oversteps(tables: Tables) -> None:
    """Bob's 40 seconds are 30 beyond the delay, which is all there is; with 20 more it is too much."""
    counted = counts(figures(tables, "time", "Time", by=("player",)), "player")
    assert counted["Bob", "overstepped"] == (1, 2)
    assert counted["Ann", "overstepped"] == (0, 2)


def test_an_increment_is_added() -> None:
    settings = {**SETTINGS, "increment_ms": 5_000}
    counted = counts(
        figures(read_timed(clock_info=settings), "time", "Time", by=("player",)), "player"
    )
    assert counted["Bob", "overstepped"] == (0, 2)


def test_without_settings_nobody_oversteps() -> None:
    counted = counts(figures(read_timed(), "time", "Time", by=("player",)), "player")
    assert ("Bob", "overstepped") not in counted
    assert counted["Bob", "seconds a decision"] == (60, 2)


@pytest.mark.parametrize(
    ("title", "key", "seconds"),
    [
        ("Time by decision", "decision", {"play": 45, "double": 5, "take": 20}),
        ("Time by phase", "phase", {"opening": 70}),
        ("Time by score", "score", {"5-away 5-away": 70}),
    ],
)
def test_time_by(tables: Tables, title: str, key: str, seconds: dict[str, float]) -> None:
    frame = figures(tables, "time", title, by=())
    averages = {
        name: number
        for (name, figure), (number, _) in counts(frame, key).items()  # type: ignore[misc]
        if figure == "seconds a decision"
    }
    assert averages == seconds


def test_records_without_a_clock_have_nothing_to_count() -> None:
    (only,) = sections("time", tables_of(MATCH))
    assert only.frame.empty
    assert any("without a time left out" in note for note in only.notes)
