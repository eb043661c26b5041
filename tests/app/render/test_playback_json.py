"""The data of the match viewer, packed to be short: boards that follow from moves are left out."""

from __future__ import annotations

import json

from bganalyze.analysis.match import analyze_matches
from bganalyze.app.render.playback import Playback, make_playback
from bganalyze.app.render.playback_json import move_checkers, playback_json
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
