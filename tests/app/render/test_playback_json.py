"""The data of the match viewer, packed to be short: boards that follow from moves are left out."""

from __future__ import annotations

import json

import pytest

from bganalyze.analysis.match import analyze_matches
from bganalyze.app.render.playback import Playback, make_playback
from bganalyze.app.render.playback_analysis import _scale_chance
from bganalyze.app.render.playback_json import (
    move_checkers,
    pack_tenths,
    pack_thousandths,
    playback_json,
)
from bganalyze.record.reader import read_bytes
from bganalyze.validation.replaying import replay
from tests.analysis.engines.test_gnubg_report import MATCH


def play_back() -> Playback:
    """Return a match with the candidates of a GNU Backgammon report."""
    matches = read_bytes(MATCH.encode(), "report.txt")
    (evaluated,) = analyze_matches(matches, "recorded")
    return make_playback(replay(matches[0]), analyzed=evaluated)


def test_moves_lead_to_the_boards_of_candidates() -> None:
    playback = play_back()
    boards, candidates = playback.boards, 0
    for game in playback.games:
        for frame in game.frames:
            for decision in frame.analysis.decisions if frame.analysis else ():
                for choice in decision.choices:
                    if choice.after is not None:
                        left, right = boards[frame.before][:2]
                        moved = move_checkers((left, right), decision.seat, choice.moves)
                        assert moved == boards[choice.after][:2]
                        candidates += 1
    assert candidates > 5


def test_only_boards_that_do_not_follow_are_packed() -> None:
    playback = play_back()
    data = json.loads(playback_json(playback))
    of_frames = {
        playback.boards[index]
        for game in playback.games
        for frame in game.frames
        for index in (frame.before, frame.after)
    }
    assert set(data["boards"]) == {" ".join(board[:2]) for board in of_frames}
    assert len(playback.boards) > len(of_frames)
    names = data["decisionFields"]
    frame = next(
        values
        for values in data["games"][0]["frames"]
        if values[-1] and any(each[0] == "play" for each in values[-1][0])
    )
    decision = dict(zip(names, frame[-1][0][-1], strict=True))
    text, equity, *rest = decision["choices"][0]
    assert isinstance(text, str)
    assert isinstance(equity, int)
    flags, chances, moves = rest[1:4]
    assert flags in (2, 3)  # The first is the best; it may be the one made.
    assert len(chances) == 10
    assert moves


def test_a_step_over_two_dice_hits_on_its_way() -> None:
    assert move_checkers(("g1", "v1"), 0, [(6, 4, 2)]) == ("c1", "z1")


@pytest.mark.parametrize(("written", "packed"), [("+1.000", 1000), ("", "")])
def test_thousandths_are_packed_unless_empty(written: str, packed: int | str) -> None:
    assert pack_thousandths(written) == packed


@pytest.mark.parametrize(("tenths", "packed"), [(0, "00"), (1000, "rs")])
def test_the_ends_of_the_tenths_have_two_letters(tenths: int, packed: str) -> None:
    assert pack_tenths(tenths) == packed


def test_an_unknown_chance_stays_unknown() -> None:
    assert _scale_chance(None, 100) is None
