"""Small binary files that would exhaust the machine are refused before anything unpacks them."""

from __future__ import annotations

import copy
import gzip
import json
import struct
import tracemalloc
import zlib
from collections.abc import Callable
from typing import Any

import gvformat
import pytest

import bganalyze
from bganalyze.record import bgblitz_limits, binary_limits, xg
from bganalyze.record.builder import DamagedError
from bganalyze.record.reader import read_bytes
from tests.fuzzing.binary import BGBLITZ, DOCUMENT
from tests.fuzzing.smile import HEAD, bgf
from tests.record.test_xg import END, GAME, HEADED, PLAYED, make_roll, xg_file

MIB = 1 << 20


def find_refusal(data: bytes) -> str:
    """Return why a file is refused, and see that it took little memory."""
    tracemalloc.start()
    try:
        with pytest.raises(bganalyze.NotATranscript) as caught:
            read_bytes(data, "small")
        assert tracemalloc.get_traced_memory()[1] < 100 * MIB
    finally:
        tracemalloc.stop()
    assert "\n" not in caught.value.reason
    return caught.value.reason


def change_game(change: Callable[[dict[str, Any]], object]) -> bytes:
    """Return a BGBlitz file whose first game is another one."""
    content = copy.deepcopy(BGBLITZ)
    change(content["games"][0])
    return bgf(content)


def test_usual_files_are_read() -> None:
    for data in (bgf(BGBLITZ), bgf(BGBLITZ, zlib.compress), bgf(BGBLITZ, bytes), PLAYED):
        assert read_bytes(data, "usual")[0].games[0].actions


@pytest.mark.slow
@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress])
def test_what_inflates_to_much_more_is_refused(pack: Callable[[bytes], bytes]) -> None:
    bomb = pack(bytes(bgblitz_limits.MOST_CONTENT + 1))
    assert len(bomb) < 100_000
    assert "inflates to more than 16 MiB" in find_refusal(HEAD + b"\n" + bomb)


def test_every_gzip_member_counts() -> None:
    half = gzip.compress(bytes(bgblitz_limits.MOST_CONTENT // 2 + 1))
    assert "inflates to more than 16 MiB" in find_refusal(HEAD + b"\n" + half + half)
    members = b"".join(map(gzip.compress, (b"ab", b"", b"c"))) + b"\0\0 and what follows"
    assert bgblitz_limits._inflate_members(members) == b"abc"  # noqa: SLF001


def test_nothing_is_compressed_twice() -> None:
    twice = bgf(BGBLITZ, lambda content: gzip.compress(gzip.compress(content)))
    assert find_refusal(twice).startswith("compressed twice")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda game: game["initial"].update(points=[10**8] + [0] * 25), "more checkers"),
        (lambda game: game["initial"].update(points=["100000000"] * 26), "more checkers"),
        (lambda game: game["initial"].update(points=[15] * 26), "more checkers"),
        (lambda game: game.update(moves=[{}] * 501), "objects in a list"),
        (lambda game: game["moves"][0].update({"from": [8] * 200}), "steps in a play"),
        (lambda game: game.update(comment=[[]] * 1_000), "objects"),
    ],
)
def test_a_match_has_only_so_much_of_anything(
    change: Callable[[dict[str, Any]], object], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bgblitz_limits, "_MOST_CONTAINERS", 1_000)
    monkeypatch.setitem(bgblitz_limits._MOST_IN, b"moves", 500)  # noqa: SLF001
    assert reason in find_refusal(change_game(change))


def test_a_number_has_only_so_many_digits() -> None:
    endless = bgf(BGBLITZ, bytes).replace(b"\x87matchlen", b"\x87matchlen\x24" + b"\x01" * MIB)
    assert "damaged" in find_refusal(endless)


def test_lists_are_nested_only_so_deep() -> None:
    deep: list[Any] = []
    for _ in range(100):
        deep = [deep]
    assert "objects in one another" in find_refusal(bgf({**BGBLITZ, "comment": deep}))


@pytest.mark.slow
def test_the_records_of_extreme_gammon_inflate_to_a_size_in_proportion() -> None:
    bomb = xg_file([HEADED, bytes(binary_limits.ALWAYS_INFLATED)])
    assert len(bomb) < 100_000
    assert "inflates to more than 16 MiB" in find_refusal(bomb)
    # Records that compress less may be larger.
    packed = zlib.compress(bytes(range(256)) * (80 * 1024), 0)
    assert len(binary_limits.inflate(packed)) == 20 * MIB
    with pytest.raises(DamagedError):
        binary_limits.inflate(packed, MIB)


def test_comments_of_extreme_gammon_inflate_to_little() -> None:
    bomb = xg_file([HEADED], [b"\\u-1?" * (xg.MOST_COMMENTS // 5 + 1)])
    assert "inflates to more than 1 MiB" in find_refusal(bomb)


def test_only_comments_that_records_name_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[bytes] = []
    monkeypatch.setattr(xg, "read_rtf_text", lambda rtf: read.append(rtf) or "")
    records = [HEADED, GAME, make_roll(1, 0), END]
    read_bytes(xg_file(records, [b"{\\rtf1 a}"] * 50_000), "a.xg")
    assert sum(map(bool, read)) == 2


@pytest.mark.parametrize("write", [gvformat.write_gvab, gvformat.write_gvab_v1])
def test_games_of_ogxm_take_only_so_many_bytes(
    write: Callable[[Any], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = write(DOCUMENT)
    assert read_bytes(data, "a.gvab")[0].games[0].actions
    monkeypatch.setattr(binary_limits, "MOST_GAME_BYTES", 40)
    assert "bytes of actions" in find_refusal(data)


def test_automatic_doubles_of_ogxm_are_few() -> None:
    document = copy.deepcopy(DOCUMENT)
    document["games"][0]["auto_doubles"] = 4
    binary_limits.check_ogxm(gvformat.write_gvab(document))
    document["games"][0]["auto_doubles"] = 100
    assert "cube doubled" in find_refusal(gvformat.write_gvab(document))


@pytest.mark.slow
def test_a_document_has_only_so_many_actions() -> None:
    action = json.dumps({"color": 1, "action_id": 22})
    plies = ",".join([action] * (binary_limits.MOST_ACTIONS + 1))
    assert "actions" in find_refusal(f'{{"games": [{{"plies": [{plies}]}}]}}'.encode())


@pytest.mark.parametrize(
    "text",
    [
        '{"games": [{"plies": []}], "match_length": ' + "9" * 5_000 + "}",
        '{"games": [{"plies": []}], "match_length": 1e999}',
        '{"games": [{"plies": []}], "match_length": NaN}',
        '{"plies": [], "games": ' + "[" * 100_000,
        '{"games": [{"plies": [' + '{"a":' * 50_000,
        '{"games": [{"plies": [{"action_id": 1e400, "color": 1}]}]}',
    ],
)
def test_json_that_python_does_not_take_is_damaged(text: str) -> None:
    assert "damaged" in find_refusal(text.encode())


def test_the_last_of_equal_keys_counts() -> None:
    text = '{"match_length": 3, "match_length": 5, "games": [{"plies": []}]}'
    assert read_bytes(text.encode(), "a.gva")[0].length is not None


def test_a_truncated_game_of_ogxm_is_damaged() -> None:
    data = gvformat.write_gvab(DOCUMENT)
    at = data.index(b"GAME")
    for length in range(3):
        cut = data[: at + 4] + struct.pack("<I", length) + data[at + 8 :]
        assert find_refusal(cut)
