"""The model read back from JSON: damage is reported with its place."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

import bganalyze
from bganalyze.record.json import _find_lone_surrogates
from bganalyze.record.json_records import shape_of_number
from bganalyze.record.model import Match, Span
from bganalyze.record.reader import read_bytes
from bganalyze.validation.replaying import replay
from bganalyze.writing import write
from tests.test_samples import CLEAN

TEXT = "bganalyze match\nleft: Ann\nright: Bob\nlength: 3\nEvent: Club\ngame 1\nscore 0-0\n"
ROWS = "1. L 31 8/5 6/5 | R double 2\n2. L take | R 66 24/18 24/18 13/7*/1\nL resigns gammon\nR wins 4\n"


ODDITY: dict[str, Any] = {
    "rule": "row-number",
    "text": "4",
    "game": 1,
    "at": {"line": 1, "column": 1, "end_column": 2},
}


def document(text: str = TEXT + ROWS) -> Any:
    replays = [replay(match) for match in read_bytes(text.encode(), "a.bgm")]
    return json.loads(write(replays, "json").data)


def read(content: Any, indent: int | None = 1) -> list[Match]:
    return read_bytes(json.dumps(content, indent=indent).encode(), "a.json")


def find_refusal(content: Any) -> str:
    with pytest.raises(bganalyze.NotATranscript) as caught:
        read(content)
    return caught.value.reason


def test_actions_stand_at_their_name_in_the_file() -> None:
    (match,) = read(document())
    assert (match.format, match.names, match.tag("event")) == ("json", ("Ann", "Bob"), "Club")
    lines = match.source.lines
    for action in match.games[0].actions:
        assert '"action": ' in lines[action.span.line - 1]
    play, double, take = match.games[0].actions[:3]
    assert play.span.line == double.span.line < take.span.line
    assert play.span < double.span


def test_every_match_has_a_place() -> None:
    matches = read(document(TEXT + ROWS + "\n" + TEXT + ROWS))
    lines = matches[0].source.lines
    starts = [match.length.span.line for match in matches if match.length is not None]
    assert starts == [n for n, line in enumerate(lines, start=1) if '"path": "' in line]
    assert len(starts) == 2


def test_a_document_in_one_line_is_laid_out() -> None:
    (match,) = read(document(), indent=None)
    assert len(match.source.lines) > 100
    assert match.games == read(document())[0].games


@pytest.mark.parametrize("indent", [1, None])
def test_half_a_character_is_replaced_and_reported(indent: int | None) -> None:
    content = document()
    content["matches"][0]["games"][0]["names"] = ["A\ud800", "line\nend"]
    match = read(content, indent=indent)[0]
    assert match.names == ("A\ufffd", "line end")
    (note,) = match.oddities
    assert note.rule == "undecodable-bytes"
    assert match.source.text_at(note.span) in ("\\ud800", "\ufffd")


def test_two_halves_are_a_character() -> None:
    content = document()
    content["matches"][0]["games"][0]["names"] = ["\U0001f600", "C:\\ud800"]
    match = read(content)[0]
    assert (match.names, match.oddities) == (("\U0001f600", "C:\\ud800"), ())


def at(*path: str | int, value: Any) -> Callable[[Any], None]:
    """Put a value in its place in the first match."""

    def put(content: Any) -> None:
        place = content["matches"][0]
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value

    return put


FIRST = ("games", 0, "actions", 0)
WHERE = "matches[0].games[0].actions[0]"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (at("games", value=5), "matches[0].games: 5 is not an array"),
        (at("length", value=-1), "matches[0].length: -1 is not a whole number from 0"),
        (at("odd", value=1), "matches[0]: the key 'odd' is not known"),
        (at(*FIRST, "odd", value=1), f"{WHERE}: the key 'odd' is not known"),
        (at(*FIRST, value=[]), f"{WHERE}: [] is not an object"),
        (at(*FIRST, value={}), f"{WHERE}.action: None is not one of play, double"),
        (at(*FIRST, "action", value="castle"), f"{WHERE}.action: 'castle' is not one of play"),
        (at(*FIRST, "action", value=["play"]), f"{WHERE}.action: ['play'] is not one of play"),
        (at(*FIRST, "dice", value=[3]), f"{WHERE}.dice: 1 values, not 2"),
        (at(*FIRST, "dice", value=[3, 10**30]), f"{WHERE}.dice[1]: {10**30} is not a whole number"),
        (at(*FIRST, "side", value="up"), f"{WHERE}.side: 'up' is not one of left, right"),
        (at(*FIRST, "how", value=None), f"{WHERE}.how: None is not one of played, empty"),
        (at(*FIRST, "called_illegal", value=1), f"{WHERE}.called_illegal: 1 is not true or false"),
        (at(*FIRST, "steps", 0, "path", value=[8]), f"{WHERE}.steps[0].path: 1 values, not at l"),
        (at(*FIRST, "steps", 0, "hits", value=[True] * 2), f"{WHERE}.steps[0].hits: 2 values, not"),
        (at("conventions", "notes", value=[1]), "matches[0].conventions.notes: [1] is not an obj"),
        (at("tags", 0, "value", value={}), "matches[0].tags[0].value: {} is not a string"),
        (at("games", 0, "at", value={"x": 1}), "matches[0].games[0].at: the key 'x' is not known"),
        (
            at("games", 0, "at", "column", value=0),
            "matches[0].games[0].at.column: 0 is not a whole",
        ),
        (at(*FIRST, "row", value=None), f"{WHERE}.row: None is not a string"),
        (at("oddities", value=[ODDITY | {"rule": "x"}]), "matches[0].oddities[0].rule: 'x' is not"),
        (
            at("oddities", value=[ODDITY | {"game": 99}]),
            "matches[0].oddities[0].game: there is no game 99; the match has",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_place(change: Callable[[Any], None], reason: str) -> None:
    content = copy.deepcopy(document())
    change(content)
    assert f"damaged JSON: {reason}" in find_refusal(content)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"version": 2, "matches": []}', "version 2: this program reads version 1"),
        ('{"version": 1}', "matches: is missing"),
        ('{"version": 1, "matches": []}', "no match found"),
        ('{"version": 1, "matches": [', "damaged JSON: Expecting value"),
        ('{"matches": ' + "[" * 100_000, "damaged JSON: RecursionError"),
        ('{"matches": ' + "1" * 10_000 + "}", "damaged JSON: ValueError"),
    ],
)
def test_other_documents_are_refused(text: str, reason: str) -> None:
    with pytest.raises(bganalyze.NotATranscript) as caught:
        read_bytes(text.encode(), "a.json")
    assert reason in caught.value.reason


def test_oddities_stand_beside_what_they_are_about() -> None:
    text = (CLEAN / "one-point.mat").read_text(encoding="utf-8").replace("  3) ", "  4) ", 1)
    (match,) = read_bytes(text.encode(), "a.mat")
    (back,) = read(json.loads(write([replay(match)], "json").data))
    before, after = match.oddities[0], back.oddities[0]
    assert after._replace(span=before.span) == before
    assert after.span in [action.span for action in back.games[0].actions]
    assert isinstance(after.span, Span)


@pytest.mark.parametrize("count", [100, 10**8, -1])
def test_a_point_holds_only_so_many_checkers(count: int) -> None:
    """Some formats write each of them."""
    content = document(TEXT + "board L 6(5) 8(3) R 6(5)\nL 31 8/5 6/5\n")
    content["matches"][0]["games"][0]["actions"][0]["boards"][0][6] = count
    assert "boards[0][6]" in find_refusal(content)


def test_an_escaped_backslash_begins_no_character() -> None:
    assert _find_lone_surrogates(r'["\ud83d\ude00", "\\ud83d", "a\ud83d"]') == [(30, 36)]


def test_a_number_within_its_limits_is_read() -> None:
    assert shape_of_number(1, 6).read(3, "die") == 3
