"""Texts over several lines, and with marks of the format in them, in the formats that lose nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bganalyze
from bganalyze.transcript.model import Comment, Span, Unread
from bganalyze.writing import write
from tests.writing import records

TEXTS = st.text(st.sampled_from('ab ;"\\\n#:1|')).map(str.strip).filter(bool)


@pytest.mark.parametrize("known_as", ["scribe", "json"])
@given(text=TEXTS)
def test_a_text_comes_back_as_it_is(known_as: str, text: str) -> None:
    match = records.match(1, faults=False)
    place = Span(10_000, 1, 2)
    said = (Comment(place, None, text), Unread(place._replace(line=10_001), None, 0, text))
    game = match.games[-1]._replace(actions=said)
    told = write([bganalyze.replay(match._replace(games=(*match.games[:-1], game)))], known_as)
    (back,) = bganalyze.read_bytes(told.data, "again")
    assert told.losses == ()
    assert [each.text for each in back.games[-1].actions] == [text, text]  # type: ignore[union-attr]
