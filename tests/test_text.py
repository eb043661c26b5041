"""Text from files never reaches a terminal raw."""

import sys
import unicodedata

import pytest

from bganalyze.text import printable


@pytest.mark.slow
def test_no_character_is_dangerous() -> None:
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    shown = printable(everything)
    kinds = {unicodedata.category(character) for character in set(shown)}
    assert not kinds & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    shown.encode("utf-8")


def test_plain_text_stays() -> None:
    assert printable("Bodø 日本\u3000\xa0x") == "Bodø 日本\u3000\xa0x"


def test_what_an_encoding_lacks_is_spelled() -> None:
    assert printable("ø€", "latin-1") == "ø\\u20ac"
