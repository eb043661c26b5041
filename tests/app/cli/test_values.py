"""Values of options, and words on progress."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest

from bganalyze.app.cli.app import _explain_wrong_number
from bganalyze.app.cli.check import _split_code_prefixes
from bganalyze.app.cli.match_pages import _make_file_name
from bganalyze.app.cli.options import _require_encoding
from bganalyze.app.cli.profile import _list_stats_words
from bganalyze.app.cli.progress import describe_time_left
from bganalyze.app.cli.query import parse_memory_size
from bganalyze.app.cli.stats import parse_first_day, parse_last_day


def test_a_wrong_number_is_explained() -> None:
    assert _explain_wrong_number("'x' is not a valid float.") == "'x' is not a number"


@pytest.mark.parametrize(
    ("texts", "prefixes"), [(["P,C5"], ("P", "C5")), (None, None)], ids=["comma", "none"]
)
def test_prefixes_of_codes_are_split_at_commas(
    texts: list[str] | None, prefixes: tuple[str, ...] | None
) -> None:
    assert _split_code_prefixes(texts) == prefixes


def test_letters_of_a_name_stay_in_a_file_name() -> None:
    assert _make_file_name("Søren") == "Søren"


def test_an_encoding_may_have_another_name() -> None:
    assert _require_encoding("latin1") == "cp1252"


def test_a_path_with_a_blank_is_one_word() -> None:
    assert "my matches" in _list_stats_words(["my matches"], "Ann", {"--db": None})


@pytest.mark.parametrize(("done", "total", "said"), [(10, 11, ", 6 s left"), (0, 40, "")])
def test_the_time_left_is_in_seconds_or_unknown(done: int, total: int, said: str) -> None:
    assert describe_time_left(done=done, total=total, elapsed=60) == said


def test_a_size_of_memory_has_capitals() -> None:
    assert parse_memory_size("4gb") == "4GB"


@pytest.mark.parametrize("parse", [parse_first_day, parse_last_day])
def test_a_day_is_its_first_and_last(parse: Callable[[str], dt.date]) -> None:
    assert str(parse("2024-02-03")) == "2024-02-03"
