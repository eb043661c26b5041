"""A match as data to be played through: every position is the one that `show` shows."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bganalyze.app.render.match_report import match_page
from bganalyze.app.render.playback import Frame, Playback, make_playback
from bganalyze.app.render.playback_json import playback_json
from bganalyze.board.ids import xgid
from bganalyze.board.position import Points, points
from bganalyze.record.reader import read as read_file
from bganalyze.record.reader import read_bytes
from bganalyze.statistics.match_report import make_match_reports, select_reported
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import MatchReplay, replay
from bganalyze.validation.replaying.places import (
    LinePlace,
    parse_place,
    side_of,
    situation_before,
    turn_at,
    turn_on_line,
)
from tests.nasty import NAMES
from tests.statistics.match_report.analyzed import MATCH as ANALYZED
from tests.statistics.match_report.analyzed import analyze_text

CORPUS = os.environ.get("BGANALYZE_CORPUS")
SAMPLES = Path(__file__).parents[3] / "samples"

MATCH = """\
 3 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 64: 24/14
  2) 52: 24/22 13/8              32: 24/21 13/11
  3)  Doubles => 2                Takes
  4) 11: 6/5 6/5 8/7(2)          66: 13/7(4)
  5) 43: 13/9 13/10              65: 13/7
      Wins 2 points
"""


def replays_of(text: str) -> list[MatchReplay]:
    return [replay(match) for match in read_bytes(text.encode(), "test.mat")]


def play_back(text: str) -> Playback:
    (replayed,) = replays_of(text)
    return make_playback(replayed, check([replayed.match]))


def frames(match: Playback) -> dict[str, Frame]:
    return {frame.place: frame for game in match.games for frame in game.frames}


def test_every_action_has_its_frame_and_the_last_board_one_more() -> None:
    match = play_back(MATCH)
    assert [(frame.place, frame.text) for frame in match.games[0].frames][4:] == [
        ("1.3L", "doubles to 2"),
        ("1.3R", "takes"),
        ("1.4L", "11: 8/7(2) 6/5(2)"),
        ("1.4R", "66: 13/7(4)"),
        ("1.5L", "43: 13/10 13/9"),
        ("1.5R", "65: 13/7"),
        ("10:7", "wins 2 points"),
    ]
    last = play_back(MATCH.partition("  5)")[0]).games[0].frames[-1]
    assert (last.place, last.text, last.xgid) == ("1.end", "the file ends here", "")


def test_boards_are_kept_once_and_hold_off_and_bar() -> None:
    late = MATCH.partition(" Game 1")[0] + (
        " Game 1\n Ann : 0                         Bob : 0\n"
        "  1) 21: 13/11 6/5                41: 24/20* 6/5\n"
    )
    match = play_back(late)
    first, _, last = match.games[0].frames
    assert match.boards[first.before] == ("g5i3n5y2", "g5i3n5y2", 167, 167)
    assert match.boards[last.before] == ("g4i3l1n4y2z1", "f1g4i3n5u1y1", 184, 162)
    assert len(match.boards) == len(set(match.boards)) == 3


def test_a_cube_on_offer_goes_to_who_is_to_answer() -> None:
    match = frames(play_back(MATCH))
    assert [match[place].offered for place in ("1.3L", "1.3R", "1.4L")] == [(2, 1), (2, 1), None]
    assert [match[place].cube for place in ("1.3L", "1.3R", "1.4L")] == [1, 1, 2]
    assert match["1.4L"].owner == 1


def test_players_keep_their_seats_where_they_change_columns() -> None:
    text = MATCH + MATCH.partition("\n\n")[2].replace("Game 1", "Game 2").replace(
        "Ann : 0                         Bob : 0", "Bob : 0                         Ann : 2"
    )
    first, second = play_back(text).games
    assert [frame.seat for frame in first.frames[:2]] == [0, 1]
    assert [frame.seat for frame in second.frames[:2]] == [1, 0]
    assert second.score == (2, 0)
    assert (first.frames[0].before, first.frames[1].before) != (
        second.frames[0].before,
        second.frames[1].before,
    )


def test_a_finding_stands_at_its_position_with_its_legal_plays() -> None:
    match = play_back(MATCH.replace("64: 24/14", "64: 24/13"))
    (remark,) = frames(match)["1.1R"].remarks
    assert (remark.severity, remark.title[:4]) == ("error", "P404")
    assert remark.lines[1].startswith("stands: the play stays on the board as made")
    best = remark.plays[0]
    assert (best.text, best.moves) == ("24/14", ((24, 18), (18, 14)))
    assert match.boards[best.after][1] == "g5i3n5o1y1"


def test_an_error_stands_at_its_position_with_the_better_play() -> None:
    match, evaluation = analyze_text(ANALYZED)
    errors = {
        place: decision
        for place, frame in frames(make_playback(replay(match), analyzed=evaluation)).items()
        for decision in (frame.analysis.decisions if frame.analysis else ())
        if decision.severity
    }
    assert {place: decision.title for place, decision in errors.items()} == {
        "1.1R": "doubtful play of 6-4",
        "1.2L": "very bad play of 5-2",
        "1.3L": "bad double to 2: should not double",
        "1.3R": "very bad pass (cube at 2): should take",
    }
    assert [choice.text for choice in errors["1.2L"].choices if choice.best] == ["13/11* 13/8"]
    assert errors["1.3R"].lines[:2] == ("cost 0.300 EMG, 2.98 % MWC", "right: take")


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("66: 24/18", "66: 24/18"),
        ("66: ????", "66: no play recorded"),
        ("21: xyz", "21: cannot be read"),
        ("Doubles => 4", "doubles to 4"),
    ],
)
def test_what_was_done_is_told(cell: str, text: str) -> None:
    assert frames(play_back(MATCH.replace("64: 24/14", cell)))["1.1R"].text == text


def test_data_are_fit_to_stand_in_a_page() -> None:
    for name in NAMES:
        (replayed,) = replays_of(MATCH)
        data = playback_json(make_playback(replayed, names_in_first_game=(name, "Bob")))
        assert "<" not in data
        read = json.loads(data)
        assert read["names"][0].isprintable() or "\u200d" in name
        assert read["fields"] == list(Frame._fields)


@pytest.mark.slow
def test_it_needs_no_more_than_a_check() -> None:
    code = (
        "import bganalyze, sys\n"
        "from bganalyze.app.render.playback_json import playback_json\n"
        "from bganalyze.app.render.playback import make_playback\n"
        "matches = bganalyze.read('samples/faulty/P410-larger-die.mat')\n"
        "playback_json(make_playback(bganalyze.replay(matches[0]), bganalyze.check(matches)))\n"
        "assert not {'pandas', 'numpy', 'rich', 'jinja2', 'sqlalchemy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=SAMPLES.parent)


@pytest.mark.slow
def test_every_position_of_the_samples_is_the_one_that_is_shown() -> None:
    for path in sorted(SAMPLES.glob("*/*.*")):
        if path.suffix in (".tsv", ".py", ".zip"):
            continue
        matches = read_file(str(path))
        replays = [replay(match) for match in matches]
        findings = check(matches)
        for replayed in replays:
            of_match = [finding for finding in findings if finding.match == replayed.match.number]
            assert_shown(make_playback(replayed, of_match), replayed, replays)


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.skipif(not CORPUS, reason="BGANALYZE_CORPUS names no folder of real files")
def test_the_pages_of_the_longest_matches_are_no_larger_than_600_kb() -> None:
    files = sorted(Path(CORPUS or "", "mat").iterdir(), key=lambda path: path.stat().st_size)
    for path in files[-3:]:
        page = match_page(make_match_reports(select_reported(read_file(str(path)))))
        assert len(page.encode()) < 600_000, path


def assert_shown(match: Playback, replayed: MatchReplay, replays: list[MatchReplay]) -> None:
    """Require that every frame has a place of its own, at which `show` has the same position."""
    all_frames = [frame for game in match.games for frame in game.frames]
    assert len({frame.place for frame in all_frames}) == len(all_frames)
    for frame in all_frames:
        if frame.kind == "end" or "-" in frame.place:
            continue
        frame_place = parse_place(frame.place)
        turn = (
            turn_on_line(replays, frame_place)[1]
            if isinstance(frame_place, LinePlace)
            else turn_at(replayed, frame_place)
        )
        assert xgid(situation_before(turn)) == frame.xgid, frame.place
        boards = [points_of(side) for side in match.boards[frame.before][:2]]
        situation = situation_before(turn)
        own_side, other_side = situation.position
        if situation.on_roll != side_of(turn):  # The board is that of a double, which is answered.
            own_side, other_side = other_side, own_side
        assert boards == ([other_side, own_side] if frame.seat else [own_side, other_side])


def points_of(text: str) -> Points:
    """Return the checkers of a side, from the text of a board."""
    pairs = re.findall(r"([a-z])(\d+)", text)
    return points({ord(letter) - ord("a"): int(count) for letter, count in pairs})


@pytest.mark.parametrize(("count", "is_told"), [(1, False), (2, True)])
def test_legal_plays_are_told_in_words_if_not_all_are_listed(count: int, is_told: bool) -> None:
    (replayed,) = replays_of(MATCH.replace("52: 24/22 13/8", "52: 24/22 13/9"))
    findings = [
        one._replace(legal=("24/22 13/8",), legal_count=count)
        for one in check([replayed.match])
        if one.code == "P404"
    ]
    playback = make_playback(replayed, findings)
    (remark,) = (one for game in playback.games for frame in game.frames for one in frame.remarks)
    assert any(line.startswith("legal plays: ") for line in remark.lines) is is_told
