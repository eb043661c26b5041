"""The binary formats: GammonView's document as a listing, and bytes that are damaged or hostile."""

from __future__ import annotations

import codecs
import gzip
import json
import sys
import zlib
from pathlib import Path
from random import Random
from typing import Any, cast

import gvformat
import pytest

import bganalyze
from bganalyze.packages import GAMMONVIEW, install_command
from bganalyze.record.gva import make_set_up_entries
from bganalyze.record.model import (
    Answer,
    Double,
    Match,
    Play,
    PlayRecord,
    Resignation,
    Result,
    SetUp,
    Unread,
)
from bganalyze.record.reader import read as read_file
from bganalyze.record.reader import read_bytes
from bganalyze.record.xg import HEADER as XG_HEADER
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import replay
from bganalyze.writing import write
from tests import same
from tests.fuzzing.mutants import mutant
from tests.fuzzing.totality import troubles

DOCUMENT: dict[str, Any] = {
    "match_length": 3,
    "player_white": "Ann\nLee",
    "player_black": "Bob",
    "event": "Club night",
    "analysis_info": {"model_id": "xg"},
    "games": [
        {
            "winner": 1,
            "points_won": 2,
            "is_crawford": False,
            "plies": [
                {
                    "color": 1,
                    "action_id": 2,
                    "d1": 3,
                    "d2": 1,
                    "moves": [{"from": 17, "pips": 3}, {"from": 19, "pips": 1}],
                    "analysis": {"best_equity": 0.1, "illegal_move": True},
                },
                {"color": 0, "action_id": 20, "d1": 6, "d2": 6, "moves": [{"from": 24, "pips": 6}]},
                {"color": 1, "action_id": 21},
                {"color": 0, "action_id": 22},
                {"color": 1, "action_id": 20, "d1": 6, "d2": 6, "moves": []},
                {
                    "color": 0,
                    "action_id": 31,
                    "d1": 2,
                    "d2": 1,
                    "set_position": [1] + [0] * 23 + [-2, -3],
                },
                {"color": 1, "action_id": 1, "d1": 2, "d2": 1, "moves": []},
                {"color": 1, "action_id": 27},
            ],
        },
        {"winner": None, "initial_board": [0] * 12 + [5, -5] + [0] * 12, "plies": []},
    ],
}


def read(document: object) -> list[Match]:
    return read_bytes(json.dumps(document).encode(), "a.gva")


def test_a_document() -> None:
    (match,) = read(DOCUMENT)
    first, second = match.games
    assert (match.format, match.names, match.tag("Event")) == (
        "gva",
        ("Ann Lee", "Bob"),
        "Club night",
    )
    kinds = [Play, Play, Double, Answer, Play, Play, Play, Resignation, Result]
    assert [type(action) for action in first.actions] == kinds
    opening, black, _, _, dance, illegal, unplayed, _, result = first.actions
    assert isinstance(opening, Play)
    assert (opening.side, [step.path for step in opening.steps]) == (0, [(8, 5), (6, 5)])
    assert isinstance(black, Play)
    assert (black.side, [step.path for step in black.steps]) == (1, [(24, 18)])
    assert isinstance(dance, Play)
    assert isinstance(unplayed, Play)
    assert (dance.how, unplayed.how) == (PlayRecord.CANNOT_MOVE, PlayRecord.UNPLAYED)
    assert isinstance(illegal, Play)
    assert illegal.left_board is not None
    assert illegal.left_board.boards is not None
    assert (illegal.left_board.boards[0][25], illegal.left_board.boards[1][25]) == (1, 3)
    assert isinstance(result, Result)
    assert (result.side, result.points) == (1, 2)
    assert second.score is not None
    assert second.score.points == (0, 2)
    assert isinstance(second.actions[0], SetUp)


def test_a_byte_order_mark_is_no_part_of_it() -> None:
    data = codecs.BOM_UTF8 + json.dumps(DOCUMENT).encode()
    assert read_bytes(data, "a.gva")[0].games == read(DOCUMENT)[0].games


@pytest.mark.parametrize(
    ("stored", "day", "time"),
    [
        ({"timestamp": 1_700_991_000}, "2023.11.26", "09.30"),
        ({"timestamp": 1_700_956_800, "date_precision": 0}, "2023.11.26", None),
        ({"timestamp": 1_698_796_800, "date_precision": 1}, None, None),
        ({"timestamp": 0}, None, None),
        ({"timestamp": 1 << 70}, None, None),
        ({}, None, None),
    ],
)
def test_the_day_is_that_of_the_time_stored(
    stored: dict[str, int], day: str | None, time: str | None
) -> None:
    (match,) = read(DOCUMENT | stored)
    assert (match.tag("EventDate"), match.tag("EventTime")) == (day, time)


@pytest.mark.parametrize("key", ["player_white", "event", "site"])
def test_half_a_character_is_replaced_and_reported(key: str) -> None:
    (match,) = read(DOCUMENT | {key: "Ann\ud800 \U0001f600"})
    (note,) = match.oddities
    assert note.rule == "undecodable-bytes"
    assert match.source.text_at(note.span) == "\ufffd"
    assert any("Ann\ufffd \U0001f600" in line for line in match.source.lines)


def test_half_a_character_in_the_name_of_an_engine_is_replaced() -> None:
    (match,) = read(DOCUMENT | {"analysis_info": {"model_id": "xg\udfff"}})
    play = next(match.plays())
    assert play.analysis is not None
    assert play.analysis.program == "xg\ufffd"


def test_what_is_stored_stays_with_its_action() -> None:
    play = read(DOCUMENT)[0].games[0].actions[0]
    assert isinstance(play, Play)
    assert play.analysis is not None
    assert play.analysis.program == "xg"
    assert "illegal_move" in play.analysis.entries[0][1]


@pytest.mark.slow
def test_findings_are_placed_in_the_listing() -> None:
    (match,) = read(DOCUMENT)
    findings = [finding for finding in check([match]) if finding.code == "P409"]
    assert match.source.lines[findings[0].line - 1] == "R 66 24/18"


def find_damage(data: bytes) -> str:
    with pytest.raises(bganalyze.NotATranscript) as caught:
        read_bytes(data, "a.xg")
    assert "\n" not in str(caught.value)
    return caught.value.reason


@pytest.mark.parametrize("content", [{"games": [{"plies": [{}]}]}, {"games": 5, "plies": 1}])
def test_a_document_that_is_none(content: object) -> None:
    assert "damaged" in find_damage(json.dumps(content).encode())


def test_without_the_package_it_is_said_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gvformat", None)
    reason = find_damage(b"RGMH" + bytes(XG_HEADER))
    assert reason.startswith("reading eXtreme Gammon (.xg, .xgp) needs the package gammonview")
    assert reason.endswith(install_command(GAMMONVIEW))


def test_it_is_told_as_what_a_damaged_record_is_recognized() -> None:
    with pytest.raises(bganalyze.NotATranscript) as caught:
        read_bytes(b"RGMH" + bytes(XG_HEADER), "a.xg")
    assert caught.value.recognized_as == "xg"
    with pytest.raises(bganalyze.NotATranscript) as caught:
        read_bytes(b"no match at all", "a.txt")
    assert caught.value.recognized_as is None


def test_damaged_bytes() -> None:
    for data in (
        b"RGMH",
        b"RGMH" + bytes(9_000),
        b"OGXM",
        b'{"format": "BGF"}\n\x1f\x8b',
        b"OGXM" * 9,
    ):
        assert "damaged" in find_damage(data)
        assert find_damage(data).endswith(
            "cut off or altered; copy it again, or save the match again"
        )


@pytest.mark.slow
@pytest.mark.oracle
def test_gammonview_writes_what_is_read() -> None:
    samples = Path(__file__).parent.parent.parent / "samples" / "clean"
    for name in ("short-match.mat", "three-point.mat"):
        data = gvformat.write_gvab(gvformat.mat_to_ogxm((samples / name).read_text()))
        (match,) = read_bytes(data, "a.gvab")
        assert (match.format, same.games(match)) == ("ogxm", same.matches(samples / name)[0])


@pytest.mark.oracle
def test_a_copy_of_match_text_implies_resignations_and_the_crawford_rule_as_the_text_does() -> None:
    game = (
        " Game {}\n Ann : {}                         Bob : 0\n"
        "  1) 31: 8/5 6/5                 42: 8/4 6/4\n"
    )
    text = (
        f" 3 point match\n\n{game.format(1, 0)}      Wins 2 points\n\n"
        f"{game.format(2, 2)}      Wins 1 point\n"
    )
    document = gvformat.mat_to_ogxm(text)
    assert (document["crawford"], document["games"][1]["is_crawford"]) == (False, True)
    for data in (gvformat.write_gvab(document), json.dumps(document).encode()):
        (match,) = read_bytes(data, "a")
        assert {"R601", "R612"}.isdisjoint(finding.code for finding in check([match]))


@pytest.mark.slow
@pytest.mark.corpus
def test_one_match_in_four_formats(corpus: Path) -> None:
    expected, *in_other_formats = [
        same.matches(path) for path in corpus.glob("*/kevung+gbf__test.*")
    ]
    assert len(in_other_formats) == 3
    assert [record == expected for record in in_other_formats] == [True] * 3


@pytest.mark.slow
@pytest.mark.corpus
def test_real_files_hold_one_illegal_play(corpus: Path) -> None:
    """The one that eXtreme Gammon itself has marked."""
    findings = [
        finding
        for path in sorted((corpus / "xg").iterdir())
        for finding in check(read_file(path))
        if finding.severity != "info"
    ]
    assert [finding.code for finding in findings] == ["P404"]


@pytest.mark.slow
@pytest.mark.corpus
def test_damaged_real_files_end_well(corpus: Path) -> None:
    bases = [path.read_bytes() for path in sorted((corpus / "xg").iterdir())]
    for number in range(10):
        assert list(troubles(mutant(bases, Random(number)))) == []
    for data in bases:
        packed = zlib.decompress(data[XG_HEADER + int.from_bytes(data[20:24], "little") :])
        broken = bytearray(packed)
        for at in range(8, len(broken), 997):
            broken[at] ^= 255
        header = data[: XG_HEADER + int.from_bytes(data[20:24], "little")]
        assert list(troubles(header + zlib.compress(bytes(broken)))) == []
        assert list(troubles(gzip.compress(data))) == []


class TestClock:
    """Time of each action: the difference of two clock readings within a game."""

    TIMES = (0, 5_230, 9_000, None, 12_000)

    def timed(self) -> dict[str, Any]:
        document = json.loads(json.dumps(DOCUMENT))
        for ply, time in zip(document["games"][0]["plies"], self.TIMES, strict=False):
            if time is not None:
                ply["timestamp_ms"] = time
        return cast("dict[str, Any]", document)

    def test_readings_become_seconds(self) -> None:
        (match,) = read(self.timed())
        seconds = [getattr(action, "seconds", None) for action in match.games[0].actions]
        assert seconds[:5] == [None, 5.23, 3.77, None, None]

    def test_readings_that_run_backwards_take_no_time(self) -> None:
        document = self.timed()
        document["games"][0]["plies"][1]["timestamp_ms"] = -1
        (match,) = read(document)
        assert cast("Any", match.games[0].actions[1]).seconds == 0

    @pytest.mark.slow
    @pytest.mark.parametrize("known_as", ["bgm", "json"])
    def test_they_are_written_and_read_again(self, known_as: str) -> None:
        matches = read(self.timed())
        output = write([replay(match) for match in matches], known_as)
        assert not any("took" in loss.what for loss in output.losses)
        (match_again,) = read_bytes(output.data, f"a.{known_as}")
        assert [getattr(action, "seconds", None) for action in match_again.games[0].actions] == [
            getattr(action, "seconds", None) for action in matches[0].games[0].actions
        ]

    @pytest.mark.slow
    def test_what_cannot_say_them_tells(self) -> None:
        output = write([replay(match) for match in read(self.timed())], "mat")
        assert any("how long an action took" in loss.what for loss in output.losses)

    @pytest.mark.parametrize(
        "stored", ['{"seconds": -1}', '{"seconds": "x"}', '{"seconds": 1e999}']
    )
    def test_what_is_no_time_is_unread(self, stored: str) -> None:
        text = f"bganalyze match\ngame 1\nL 31 8/5 6/5\n@{stored}\n"
        (match,) = read_bytes(text.encode(), "a.bgm")
        assert isinstance(match.games[0].actions[1], Unread)


@pytest.mark.parametrize("owner", [True, False])
@pytest.mark.parametrize("on_roll", [True, False])
def test_who_owns_the_cube_and_is_on_roll_in_a_set_up_of_gammonview(
    owner: bool, on_roll: bool
) -> None:
    words = make_set_up_entries([0] * 26, 4, owner, on_roll)["cube_and_turn"]
    assert words == f"cube 4 {'RL'[owner]} turn {'RL'[on_roll]}"


def test_a_set_up_of_gammonview_may_tell_nothing_of_the_cube() -> None:
    assert make_set_up_entries([0] * 26)["cube_and_turn"] == ""
    assert make_set_up_entries([0] * 26, 1)["cube_and_turn"] == "cube 1"
