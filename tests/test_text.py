"""Text from files never reaches a terminal raw."""

import sys
import unicodedata

import pytest

from bganalyze.text import (
    UnknownWordError,
    capitalize_first,
    cut_text,
    did_you_mean,
    find_choice,
    join_words,
    number_of,
    parse_choices,
    printable,
    shorten_message,
)


@pytest.mark.slow
def test_no_character_is_dangerous() -> None:
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    output = printable(everything)
    kinds = {unicodedata.category(character) for character in set(output)}
    assert not kinds & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    output.encode("utf-8")


def test_plain_text_stays() -> None:
    assert printable("Bodø 日本\u3000\xa0x") == "Bodø 日本\u3000\xa0x"


def test_what_an_encoding_lacks_is_spelled() -> None:
    assert printable("ø€", "latin-1") == "ø\\u20ac"


@pytest.mark.parametrize(
    "name",
    [
        "می\u200cخو",
        "क्\u200dष",
        "ന്\u200d",
        "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}",
        "\N{WAVING WHITE FLAG}\ufe0f\u200d\N{RAINBOW}",
        "\N{WOMAN}\N{EMOJI MODIFIER FITZPATRICK TYPE-4}\u200d\N{PERSONAL COMPUTER}",
    ],
)
def test_names_that_need_joiners_stay_whole(name: str) -> None:
    assert printable(name) == name
    assert all(short.isprintable() or printable(short) == short for short in beginnings(name))


def beginnings(name: str) -> list[str]:
    """Return the beginnings of a name, of any length."""
    return [cut_text(name, length) for length in range(len(name) + 1)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\u200db", "a\\u200db"),
        ("\u200dش", "\\u200dش"),
        ("ش\u200c", "ش\\u200c"),
        ("ش\u200c\u200cش", "ش\\u200c\\u200cش"),
        ("ش\u200c\u202eش", "ش\\u200c\\u202eش"),
    ],
)
def test_joiners_that_join_nothing_are_spelled(text: str, expected: str) -> None:
    assert printable(text) == expected


def test_an_unknown_word_names_the_choices_and_those_under_a_condition() -> None:
    with pytest.raises(UnknownWordError) as caught:
        parse_choices("wors", ["points"], "report", {"of analyses": ["worst"]})
    choices = "there are points, and all; of analyses: worst; did you mean worst?"
    assert str(caught.value) == f"'wors' is no report; {choices}"


def test_the_beginning_of_a_word_suggests_it() -> None:
    assert did_you_mean("us", ["usbgf"]) == "; did you mean usbgf?"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (number_of(0, "illegal play"), "0 illegal plays"),
        (capitalize_first(""), ""),
        (join_words(["Ann"]), "Ann"),
        (printable("b\u202e"), "b\\u202e"),
        (shorten_message("x: unknown"), "x: unknown"),
    ],
)
def test_the_least_is_said_plainly(words: str, said: str) -> None:
    assert words == said


def test_a_long_message_is_shortened() -> None:
    assert len(shorten_message("x" * 100_000)) == 700


def test_no_character_is_cut_at_its_joiner() -> None:
    assert cut_text("a\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}", 3) == "a"


def test_several_choices_may_be_meant_or_none() -> None:
    assert did_you_mean("9ply", ["1ply", "2ply", "3ply"]) == "; did you mean 3ply, 2ply or 1ply?"
    assert find_choice("fide", ["basic", "wbf"]) is None
