"""Texts over several lines, and with marks of the format in them, in the formats that lose nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bganalyze.record.model import Comment, Span, Unread
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.ignores import find_ignores
from bganalyze.validation.replaying import replay
from bganalyze.writing import SILENCED, WRITERS, write
from tests.writing import records

MATCH = records.match(1, faults=False)
TEXTS = st.text(st.sampled_from('ab ;"\\\n#:1|')).map(str.strip).filter(bool)


@pytest.mark.slow
@pytest.mark.parametrize("known_as", ["bgm", "json"])
@given(text=TEXTS)
def test_a_text_comes_back_as_it_is(known_as: str, text: str) -> None:
    place = Span(10_000, 1, 2)
    actions = (Comment(place, None, text), Unread(place._replace(line=10_001), None, 0, text))
    game = MATCH.games[0]._replace(actions=actions)
    converted = write([replay(MATCH._replace(games=(game,)))], known_as)
    (back,) = read_bytes(converted.data, "again")
    assert converted.losses == ()
    assert [action.text for action in back.games[0].actions] == [text, text]  # type: ignore[union-attr]


HEADED = """\
; [Event "x"]
; played on the terrace
; bganalyze: ignore P409
 3 point match

 Game 1
 Ann : 0                        Bob : 0
  1) 31: 8/5                     52: 13/8 6/4
"""


@pytest.mark.parametrize("known_as", ["mat", "xg-text", "sgf", "bgm", "json"])
def test_comments_above_the_games_are_kept(known_as: str) -> None:
    [match] = read_bytes(HEADED.encode(), "a.mat")
    converted = write([replay(match)], known_as)
    [back] = read_bytes(converted.data, "b")
    entries = [(tag.key, tag.value) for tag in match.tags]
    assert len(entries) == 3
    assert set(entries) <= {(tag.key, tag.value) for tag in back.tags}


@pytest.mark.parametrize("known_as", list(WRITERS))
def test_a_comment_silences_or_that_is_told(known_as: str) -> None:
    [match] = read_bytes(HEADED.encode(), "a.mat")
    converted = write([replay(match)], known_as)
    matches = read_bytes(converted.data, "b")
    silent = find_ignores(matches)
    is_silent = all(
        silent.silences(finding) for finding in check(matches) if finding.code == "P409"
    )
    assert is_silent == (SILENCED not in [loss.what for loss in converted.losses])
