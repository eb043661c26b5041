"""Lines and cells of written formats, and how losses are summed up."""

from __future__ import annotations

from bganalyze.record.model import Span, Tag
from bganalyze.writing.alignment import find_common_places
from bganalyze.writing.bgm import _write_tag_line
from bganalyze.writing.losses import LostDetail, summarize_losses
from bganalyze.writing.match_text import is_unreadable_cell
from bganalyze.writing.sgf import _write_variations


def test_an_item_is_in_common_once() -> None:
    assert list(find_common_places("aa", "a")) == [(0, 0)]


def test_a_tag_of_its_own_name_is_a_line() -> None:
    assert _write_tag_line(Tag(Span(1, 1, 1), "Event", "Open")) == "Event: Open"


def test_a_loss_of_the_whole_match_has_no_line() -> None:
    assert summarize_losses([LostDetail("the length")]) == ["the length"]


def test_a_cube_action_is_a_readable_cell() -> None:
    assert not is_unreadable_cell("Doubles => 2")


def test_a_variation_of_one_node_stands_beside_the_rest() -> None:
    assert _write_variations("", [";a", ";b", ";c", ";d"], {1: 2}) == ";a(;c;d)(;b)"
