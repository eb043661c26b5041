"""Facts that gvformat leaves out of a file of eXtreme Gammon: its header and its comments."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable

import pytest

from bganalyze.record.dates import date_of_match
from bganalyze.record.model import Comment, Match
from bganalyze.record.reader import read_bytes
from bganalyze.record.xg import (
    CUBE_RECORD,
    GAME_RECORD,
    HEADER,
    MATCH_RECORD,
    MOVE_RECORD,
    RECORD,
    read_rtf_text,
)
from bganalyze.validation.checking import check
from bganalyze.validation.ignores import find_ignores
from bganalyze.validation.replaying import replay
from bganalyze.writing import WRITERS, write
from tests.fuzzing.totality import troubles

GAME_END, MATCH_END = 4, 5
COMMENTS = [rb"{\rtf1\ansi on a\line play\par}", rb"{\rtf1 on the cube}", rb"{\rtf1 above}"]


def record(kind: int, fields: dict[int, tuple[str, object]]) -> bytes:
    content = bytearray(RECORD)
    content[8] = kind
    for at, (form, value) in fields.items():
        struct.pack_into(f"<{form}", content, at, value)
    return bytes(content)


def wide(text: str) -> tuple[str, bytes]:
    return "258s", text.encode("utf-16-le")


def about_match(**texts: tuple[int, str]) -> bytes:
    return record(
        MATCH_RECORD,
        {at: wide(text) for at, text in texts.values()}
        | {
            92: ("i", 3),
            96: ("i", 1),
            104: ("d", 1712.5),
            112: ("d", 1600.0),
            120: ("i", 42),
            128: ("d", 45256.395833333336),
            268: ("i", -7),
            552: ("i", 32),
            576: ("i", 2),
            580: ("i", -1),
        },
    )


HEADED = about_match(
    left=(880, "Ann"),
    right=(1138, "Bob"),
    event=(622, "Club night"),
    site=(1396, "Hall\0left over from another match"),
    round=(1654, "Final"),
    transcriber=(1960, "Cleo"),
)
GAME = record(GAME_RECORD, {48: ("i", 1), 56: ("i", -1), 60: ("i", -1)})
END = record(GAME_END, {24: ("i", 1), 28: ("i", 1), 32: ("i", 100)}) + record(MATCH_END, {})


def make_roll(player: int, comment: int) -> bytes:
    """Return the record of a roll that was not played."""
    return record(
        MOVE_RECORD,
        {64: ("i", player), 100: ("i", 6), 104: ("i", 6), 2524: ("i", comment)},
    )


def make_double(comment: int) -> bytes:
    return record(CUBE_RECORD, {12: ("i", 1), 16: ("i", 1), 20: ("i", 1), 292: ("i", comment)})


def xg_file(records: Iterable[bytes], comments: Iterable[bytes] = COMMENTS) -> bytes:
    files = {b"temp.xg": b"".join(records), b"temp.xgc": b"".join(c + b"\r\n" for c in comments)}
    data, listed = b"", b""
    for name, content in files.items():
        packed = zlib.compress(content)
        listed += struct.pack(
            "<256p256xiiIIBBxx", name, len(content), len(packed), len(data), 0, 0, 2
        )
        data += packed
    listed = zlib.compress(listed)
    end = struct.pack("<6i12x", 0, len(files), 1, len(listed), len(data), 1)
    return b"RGMH" + bytes(HEADER - 4) + data + listed + end


def read(data: bytes) -> Match:
    (match,) = read_bytes(data, "a.xg")
    return match


PLAYED = xg_file(
    [HEADED, GAME, make_roll(1, 0), make_roll(-1, -1), make_double(1), make_roll(1, -1), END]
)


def test_the_header_says_what_the_text_of_extreme_gammon_does() -> None:
    tags = {tag.key: tag.value for tag in read(PLAYED).tags}
    assert tags == {
        "Site": "Hall",
        "Match ID": "-7",
        "Event": "Club night",
        "Round": "Final",
        "Player 1": "Ann",
        "Player 2": "Bob",
        "Player 1 Elo": "1712.50/42",
        "Player 2 Elo": "1600.00/0",
        "EventDate": "2023.11.26",
        "EventTime": "09.30",
        "Variation": "Nackgammon",
        "Transcriber": "Cleo",
        "Comment": "above",
        "Crawford": "Off",
        "CubeLimit": "1",
    }


def test_comments_stand_behind_a_play_and_behind_what_was_done_with_the_cube() -> None:
    actions = read(PLAYED).games[0].actions
    kinds = [type(action).__name__ for action in actions]
    assert kinds == [
        *("Play", "Comment", "Play", "Double", "Answer", "Comment", "Play"),
        *("Resignation", "Result"),
    ]
    texts = [action.text for action in actions if isinstance(action, Comment)]
    assert texts == ["on a\nplay", "on the cube"]


def test_a_comment_silences_a_rule() -> None:
    comments = [*COMMENTS[:2], rb"{\rtf1 bganalyze: ignore D302}"]
    match = read(xg_file([HEADED, GAME, make_roll(1, -1), make_roll(-1, -1), END], comments))
    silent = find_ignores([match])
    assert [silent.silences(finding) for finding in check([match]) if finding.code == "D302"] == [
        True
    ]


def test_an_old_file_has_its_texts_as_bytes() -> None:
    narrow = record(
        MATCH_RECORD,
        {at: ("20p", text) for at, text in ((9, b"Ann"), (50, b"Bob"), (136, b"Caf\xe9"))}
        | {92: ("i", 3), 552: ("i", 20), 417: ("20p", b"Final"), 576: ("i", -1), 580: ("i", -1)},
    )
    match = read(xg_file([narrow, GAME, make_roll(1, -1), END]))
    assert (match.names, match.tag("Event"), match.tag("Round")) == (
        ("Ann", "Bob"),
        "Café",
        "Final",
    )
    assert match.tag("EventDate") is None
    assert match.tag("Transcriber") is None


@pytest.mark.parametrize("known_as", list(WRITERS))
def test_what_the_file_says_is_written_or_told(known_as: str) -> None:
    match = read(PLAYED)
    output = write([replay(match)], known_as)
    (back,) = read_bytes(output.data, "again")
    losses = " ".join(loss.what for loss in output.losses)
    assert date_of_match(back).day == date_of_match(match).day or "EventDate" in losses
    entries = {(tag.key, tag.value) for tag in back.tags}
    for tag in match.tags:
        if tag.key not in ("Crawford", "EventDate", "Player 1", "Player 2", "Variation"):
            assert (tag.key, tag.value) in entries or tag.key in losses, tag.key
    texts = [a.text for a in back.games[0].actions if isinstance(a, Comment)]
    assert texts == ["on a\nplay", "on the cube"] or "a comment" in losses or "blanks" in losses


@pytest.mark.parametrize("cut", [1, 36, 60, 120])
def test_a_file_without_its_list_has_no_comments_but_its_plays(cut: int) -> None:
    match = read(PLAYED[:-cut])
    assert [type(action).__name__ for action in match.games[0].actions].count("Play") == 3


def test_any_damage_is_endured() -> None:
    start = PLAYED.index(b"\x78\x9c")
    content = bytearray(zlib.decompress(PLAYED[start:]))
    for at in (8, 92, 96, 104, 128, 552, 576, RECORD + 8, RECORD + 56, 2 * RECORD + 2524):
        damaged = bytearray(content)
        damaged[at : at + 4] = b"\xff\xff\xff\x7f"
        assert list(troubles(xg_file([bytes(damaged)]))) == []


@pytest.mark.parametrize(
    ("rtf", "text"),
    [
        (rb"{\rtf1\ansicpg1251 \'d5\'ee\'e4}", "Ход"),
        (rb"{\rtf1{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset128 B;}}\f1 \'83\'54\f0 \'e9}", "サé"),
        (rb"{\rtf1\uc1 \u26481?\u20140? x\u-10179?\u-8704?}", "東京 x😀"),
        (rb"{\rtf1 a \{b\} \\c{\*\generator Riched}\tab d\par e\par}", "a {b} \\c\td\ne"),
        (rb"plain, and no RTF", "plain, and no RTF"),
        (rb"}}}{{{\rtf1\ansicpg77777\u\'zz\'9 a", "zz9 a"),
    ],
)
def test_rich_text(rtf: bytes, text: str) -> None:
    assert read_rtf_text(rtf) == text


@pytest.mark.slow
def test_rich_text_takes_no_longer_than_it_is_long() -> None:
    assert read_rtf_text(b"{\\f1" * 200_000 + b"x") == "x"
