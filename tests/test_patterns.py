"""No pattern needs what some Pythons match wrongly: possessive groups that fail late."""

from __future__ import annotations

import re

import pytest

import bganalyze
from tests.patterns import may_be_matched_wrongly, patterns, patterns_of_rules

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
