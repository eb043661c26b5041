"""Names of files that the page offers, and pieces that the server sends."""

from __future__ import annotations

from bganalyze.app.serving.repairs import make_output_name
from bganalyze.app.serving.rules_page import explain_rules
from bganalyze.app.serving.server import _make_http_chunk


def test_a_file_of_an_archive_is_named_without_it() -> None:
    assert make_output_name("a.zip!b/final?.mat", None, "-repaired") == "final_-repaired.mat"


def test_the_rules_are_explained_by_name() -> None:
    assert [rule.name for rule in explain_rules() if rule.code == "R603"] == ["wrong-winner"]


def test_an_empty_piece_is_the_last() -> None:
    assert _make_http_chunk(b"") == b"0\r\n\r\n"
