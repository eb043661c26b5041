"""Patterns that some Pythons match wrongly, and searches that read a long run many times, are found."""

from __future__ import annotations

import re

import pytest

import bganalyze
from tests.patterns import (
    begins_with_loop,
    find_searched_patterns,
    may_be_matched_wrongly,
    patterns,
    patterns_of_rules,
)

CASES = [
    (r"(?:ab?c)*+", "a", True),  # of issue 106052
    (r"(?:(?!C).)++", "ABC", True),  # of issue 100061
    (r"(?:(?:b+(a)|bb*?)(?:(?=aa)|[^a]))*+b", "bacbcba", True),  # as of issue 101955
    (r"(?:ab+)*+", "acbb", True),
    (r"(?:a[0-9]{3})?+", "a12", True),
    (r'(?:[^"\n]|"[^"\n]*+")*+', 'a"b', True),
    (r"[^a]*+a", "ba", False),
    (r"(?:abc)*+", "abcab", False),
    (r"(?:[^\s]|,)++", "a,b", False),
    (r"(?:\\.[^\]]*+)*+\]", r"\]a\\]", False),
    (r"(?:[a-c]++|\[[^\]]*+\]?)*+", "ab[c", False),
    (r"(?>(?:ab?c)*)", "a", False),
]


@pytest.mark.parametrize(("pattern", "text", "is_unsafe"), CASES)
def test_a_group_is_safe_if_it_fails_before_it_moved(
    pattern: str, text: str, *, is_unsafe: bool
) -> None:
    assert may_be_matched_wrongly(pattern) == is_unsafe
    if not is_unsafe:
        atomic = re.sub(r"(\(\?:.*\)|\[.*?\])([*+?])\+", r"(?>\1\2)", pattern, count=1)
        assert re.match(pattern, text) is not None
        assert re.match(pattern, text)[0] == re.match(atomic, text)[0]


@pytest.mark.slow
def test_no_pattern_of_the_program_has_an_unsafe_group() -> None:
    found = [*patterns(bganalyze), *patterns_of_rules()]
    assert len(found) > 500
    assert {
        name for name, pattern, flags in found if may_be_matched_wrongly(pattern, flags)
    } == set()


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"[a-z]*[0-9]", True),
        (r"(?:x|[a-z]+)[0-9]", True),
        (r"(?=a)a{1,600}b", True),
        (r"[ ]?(\s+)and", True),
        (r"(?<![a-z])[a-z]*[0-9]", False),
        (r"^[a-z]*[0-9]", False),
        (r"x[a-z]*[0-9]", False),
        (r"[a-z]+(?: [a-z]+)*", False),
        (r"[a-z]{0,4}[0-9]", False),
    ],
)
def test_a_search_may_read_a_run_from_each_of_its_places(pattern: str, *, expected: bool) -> None:
    assert begins_with_loop(pattern) == expected


@pytest.mark.slow
def test_no_pattern_that_is_searched_begins_with_a_loop() -> None:
    searched = find_searched_patterns(bganalyze)
    found = [each for each in patterns(bganalyze) if each[0] in searched]
    assert len(found) > 100
    assert {name for name, pattern, flags in found if begins_with_loop(pattern, flags)} == set()
