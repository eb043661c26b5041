"""The moving window of the report `trend`, counted a second time by slices of lists."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pandas as pd
import pytest

from bganalyze.statistics.reports import points
from bganalyze.statistics.reports.points import MOVING, WINDOW, compute_moving_windows


class PlayedMatch(NamedTuple):
    """The points and games of one player in one match."""

    player: str
    date: str
    points: int
    games: int


def make_matches(chance: Random, player: str, number: int) -> list[PlayedMatch]:
    days = pd.date_range("2031-05-01", periods=number).strftime("%Y-%m-%d")
    return [PlayedMatch(player, day, chance.randint(-4, 4), chance.randint(1, 5)) for day in days]


@pytest.mark.parametrize("at_once", [1, 2, 1000])
def test_each_window_has_the_points_per_game_of_its_last_matches(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(points, "AT_ONCE", at_once)
    chance = Random(1)
    played = {
        name: make_matches(chance, name, WINDOW + more) for name, more in (("Ann", 3), ("Bob", 1))
    }
    played["Cid"] = make_matches(chance, "Cid", WINDOW - 1)
    unplayed = PlayedMatch("Cid", "2031-06-30", 0, 0)
    rows = [*(one for matches in played.values() for one in matches), unplayed]
    chance.shuffle(rows)
    units = pd.DataFrame(rows).assign(
        match=range(len(rows)), date=lambda of: pd.to_datetime(of["date"])
    )
    made = compute_moving_windows(
        units.rename(columns={"points": MOVING.above, "games": MOVING.below}), ["player"]
    )
    expected = [
        (
            player,
            window[-1].date,
            sum(one.points for one in window),
            sum(one.games for one in window),
        )
        for player, matches in played.items()
        for window in (matches[end - WINDOW : end] for end in range(WINDOW, len(matches) + 1))
    ]
    assert len(expected) == 6
    assert (
        list(zip(*(made[name] for name in ("player", "date", "count", "of")), strict=True))
        == expected
    )
    assert made["value"].tolist() == pytest.approx([won / games for *_, won, games in expected])
    assert set(made["matches"]) == {WINDOW}
