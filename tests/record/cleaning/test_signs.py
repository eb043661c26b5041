"""Signs of damage are those of the whole text where a reading of the text leaves lines out of the search."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random

import pytest

from bganalyze.record import reader
from bganalyze.record.cleaning.signs import find_patterns, make_character_finder
from bganalyze.record.match_text import reader as match_text
from bganalyze.record.model import Source
from tests.fuzzing.mutants import MUTATORS
from tests.pasting import FORMS, PAIRS, paste

TEXTS = [
    Path("samples/clean", name).read_text(encoding="utf-8")
    for name in ("gnubg.mat", "redoubles.mat", "three-point.mat")
]


def read_early(text: str) -> match_text.EarlyReading | None:
    """Read a text before it is cleaned, if it may be clean."""
    if not match_text.can_read_early(text):
        return None
    return match_text.read_early(text, Source("a.mat", "utf-8", text.split("\n")))


@pytest.mark.slow
@pytest.mark.parametrize("form", ["", *FORMS, *PAIRS])
def test_lines_that_are_not_searched_have_no_signs(form: str) -> None:
    random = Random(form)
    for text in TEXTS:
        pasted = paste(text, form) if form else text
        mutants = (random.choice(MUTATORS)(pasted.encode(), random) for _ in range(8))
        for damaged in (pasted, *(mutant.decode("utf-8", "ignore") for mutant in mutants)):
            early = read_early(damaged)
            if early is not None:
                assert find_patterns(damaged) <= find_patterns(damaged, early.unusual_lines)


def test_only_other_lines_than_rows_of_plays_and_header_entries_are_searched() -> None:
    rows = " 1) 31: 8/5 6/5     42: 8/4 6/4\n 2) 65: 24/13      61: 13/7 8/7\n"
    early = read_early(f'; [Event "Club"]\n 5 point match\n{rows}      Wins 1 point\n')
    assert early is not None
    assert early.unusual_lines == "\n 5 point match\n\n      Wins 1 point\n"


@pytest.mark.parametrize("form", ["tabs of 8", "runs of spaces collapsed", "mail quotes"])
def test_a_text_that_needs_cleaning_throughout_is_not_read_early(form: str) -> None:
    assert not any(read_early(paste(text, form)) for text in TEXTS)


@pytest.mark.parametrize("form", ["non-breaking spaces everywhere", "arrows", "entities"])
def test_a_text_with_damaged_characters_is_read_once(
    monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.setattr(match_text, "read_early", partial(pytest.fail, "read before it is cleaned"))
    assert all(reader.read_bytes(paste(text, form).encode(), "a.mat") for text in TEXTS)


def test_a_clean_text_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_text, "read", partial(pytest.fail, "read again"))
    assert all(reader.read_bytes(text.encode(), "a.mat") for text in TEXTS)


def test_a_header_entry_has_no_free_bracket() -> None:
    assert not set(make_character_finder("*<\x80")('; [Event "Club"]'))


def test_loose_and_wrapped_rows_have_signs() -> None:
    assert set(find_patterns("1) 31: 8/5* 6/5 42: 8 / 4\n6/4")) == {
        *("loose_sign", "narrow_gap", "other_line", "wrapped_rest"),
    }


LINES = """\
 5 point match

 Game 1
 Bob : 0                       Al : 2
 1) 31: 8/5 6/5                42: 8/4 6/4
 2)  Doubles => 2              Drops{blanks}
{line}
"""


@pytest.mark.parametrize(
    ("line", "signs"),
    [
        ("      Wins 2 points", set()),
        ("  Wins 2 points", {"margin_result"}),
        (" Game 2", {"wrapped_cell"}),
        (" 31: 8/5 6/5", {"wrapped_cell", "other_line"}),
        ("\n> Bob : 2   Al : 2", {"quote_mark"}),
        ("\nJB> Bob : 2   Al : 2", {"quote_mark"}),
        ("\n* Bob : 2   Al : 2", {"line_decoration"}),
        ("\n 3) | 31: 8/5", {"other_line", "cell_separator"}),
        ("\n takes", {"other_line", "lone_cell"}),
        (" 3)  Losses 2 points\n\n      Wins 2 points", {"wrapped_cell"}),
        (" 3)  Losses 2 points\n\n  Wins 2 points", {"wrapped_cell", "margin_result"}),
    ],
)
def test_a_line_among_usual_ones_has_its_signs(line: str, signs: set[str]) -> None:
    assert find_patterns(LINES.format(line=line, blanks="  ")) == signs
