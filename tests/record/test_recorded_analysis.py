"""Numbers in stored analyses that no program can have meant are left out, and a finding says so."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from bganalyze.analysis.engines import EngineError, start
from bganalyze.analysis.match import AnalyzedMatch, analyze_match
from bganalyze.record.model import Match
from bganalyze.record.reader import read_bytes
from bganalyze.statistics.tables.frames import tabulate_analyzed
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import replay
from bganalyze.writing import write
from tests.fuzzing.binary import DOCUMENT

IMPOSSIBLE: tuple[Any, ...] = (
    *(float("nan"), float("inf"), -float("inf"), 1e300, -501.5, 10**30, "0.1", True, [], {}),
)
KEYS = ("best_equity", "played_equity", "luck")


def document(key: str, value: Any) -> dict[str, Any]:
    """Return a document with another value of a key, wherever the first play has it."""

    def put(held: Any) -> None:
        for inner in held.values() if isinstance(held, dict) else held:
            if isinstance(inner, dict | list):
                put(inner)
        if isinstance(held, dict) and key in held:
            held[key] = value

    changed = copy.deepcopy(DOCUMENT)
    put(changed["games"][0]["plies"][0]["analysis"])
    return changed


def read(content: dict[str, Any]) -> Match:
    (match,) = read_bytes(json.dumps(content).encode(), "a.gva")
    return match


def messages(match: Match) -> list[str]:
    return [finding.message for finding in check([match]) if finding.code == "T116"]


def analyze_stored(match: Match) -> AnalyzedMatch | None:
    try:
        return analyze_match(match, start("recorded"))
    except EngineError:
        return None


def test_what_is_possible_stays_as_it_is() -> None:
    match = read(DOCUMENT)
    assert messages(match) == []
    recorded = analyze_stored(match)
    assert recorded is not None
    assert recorded.rows[0].best == 0.15


@pytest.mark.slow
@pytest.mark.parametrize("value", IMPOSSIBLE, ids=repr)
@pytest.mark.parametrize("key", [*KEYS, "equity", "double_take_equity", "win", "bg_loss"])
def test_an_impossible_number_is_ignored_and_named(key: str, value: Any) -> None:
    match = read(document(key, value))
    (message,) = messages(match)
    assert message.startswith("impossible number in the stored analysis, ignored: ")
    assert f"ignored: {key} " in message
    recorded = analyze_stored(match)
    if recorded is not None:
        json.dumps(recorded.rows, allow_nan=False)
        assert tabulate_analyzed([recorded]).decisions is not None


@pytest.mark.parametrize("value", [1.5, -0.2, 7])
def test_a_chance_is_between_0_and_1(value: float) -> None:
    assert messages(read(document("gammon_win", value)))


def test_rounded_chances_and_large_equities_of_long_matches_are_possible() -> None:
    for key, value in (("win", 1.0000001), ("bg_win", -1e-9), ("double_take_equity", -12.5)):
        assert messages(read(document(key, value))) == []


@pytest.mark.parametrize("sentinel", [-999.0, -1000])
def test_what_stands_for_none_is_left_out_in_silence(sentinel: float) -> None:
    match = read(document("luck", sentinel))
    assert messages(match) == []
    recorded = analyze_stored(match)
    assert recorded is not None
    assert (recorded.rows[0].luck, recorded.rows[0].best) == (None, 0.15)


def test_one_finding_tells_how_many_there_are() -> None:
    (message,) = messages(read(document("equity", 1e300)))
    assert message.endswith("1e+300 (and 1 more like it)")


@pytest.mark.parametrize("known_as", ["json", "bgm"])
def test_other_formats_that_keep_analyses_are_looked_at_too(known_as: str) -> None:
    data = write([replay(read(DOCUMENT))], known_as).data
    for luck in (b"1e999", b"NaN", b'\\"x\\"', b"-7e77"):
        changed = data.replace(b'\\"luck\\": 0.1', b'\\"luck\\": ' + luck)
        assert changed != data
        assert messages(read_bytes(changed, "a")[0])
    spelled = data.replace(b'\\"luck\\": 0.1', b'\\"l\\\\u0075ck\\": 777')
    assert messages(read_bytes(spelled, "a")[0])


HEAD = "(;FF[4]GM[6]AP[GNU Backgammon:1.07]MI[length:3][game:0][ws:0][bs:0]PW[A]PB[B]RU[Crawford]"
CANDIDATE = "hefe E ver 3 0.55 0.17 0.01 0.12 0.01 0.20 2C 0 1 0.0 1"
CUBE = "E ver 3 2C 1 0.0 1 0.5 0.1 0.01 0.1 0.01 0.0 0.55 0.5 0.1 0.01 0.1 0.01 0.0 0.53"


@pytest.mark.parametrize(
    ("entry", "is_possible"),
    [
        (f"A[0][{CANDIDATE}]", True),
        (f"A[0][{CANDIDATE.replace('0.20', '-2.50')}]", True),
        (f"A[0][{CANDIDATE.replace('0.20', '999999999.5')}]", False),
        (f"A[0][{CANDIDATE.replace('0.17', '1.7')}]", False),
        (f"A[0][{CANDIDATE.replace('0.55', '-0.55')}]", False),
        (f"DA[{CUBE}]", True),
        (f"DA[{CUBE.replace('0.53', '123456.0')}]", False),
        (f"DA[{CUBE.replace('0.55 0.5 ', '0.55 5.5 ')}]", False),
        ("LU[0.15 good]", True),
        ("LU[-777.5]", False),
    ],
)
def test_evaluations_of_smart_game_format(entry: str, is_possible: bool) -> None:
    (match,) = read_bytes(f"{HEAD};W[31hefe]{entry})".encode(), "a.sgf")
    assert (messages(match) == []) is is_possible
    recorded = analyze_stored(match)
    if not is_possible and recorded is not None:
        assert all(row.luck is None and row.best is None for row in recorded.rows)


def test_an_endless_time_is_ignored() -> None:
    changed = copy.deepcopy(DOCUMENT)
    for number, ply in enumerate(changed["games"][0]["plies"]):
        ply["timestamp_ms"] = number * 10**15
    match = read(changed)
    assert messages(match)[0].startswith(
        "impossible number in the stored analysis, ignored: seconds"
    )
    assert all(getattr(action, "seconds", None) is None for action in match.games[0].actions)
