"""Names of files, signs of documents and links of pages."""

from __future__ import annotations

import pytest

from bganalyze.files.documents import _decode_symbol
from bganalyze.files.outputs import _shorten_name
from bganalyze.files.reading import distinct_paths, hash_content
from bganalyze.files.remote import _remove_ipv6_host
from bganalyze.files.web import find_links_below


@pytest.mark.parametrize(
    ("font", "code", "sign"),
    [("Wingdings", "F0E0", "→"), ("Symbol", "F02F", "/"), ("Arial", "2192", "→")],
)
def test_a_sign_of_a_document_depends_on_its_font(font: str, code: str, sign: str) -> None:
    assert _decode_symbol(font, code) == sign


def test_a_shortened_name_ends_in_no_full_stop() -> None:
    assert _shorten_name("Match. 1", 6) == "Match"


def test_standard_input_is_a_path_of_its_own() -> None:
    assert distinct_paths(["a.mat", "./a.mat", "b.mat", "-", "a.mat"]) == ["a.mat", "b.mat", "-"]


def test_other_contents_have_other_hashes() -> None:
    assert hash_content(b"1 point match") != hash_content(b"3 point match")


def test_an_ipv6_host_is_removed() -> None:
    assert _remove_ipv6_host("http://[fe80::1]/a.mat") == "http:///a.mat"


def test_links_from_the_root_may_be_below_a_page() -> None:
    page = '<a href="a.mat"><a href="../x"><a href="/club/b/">'
    assert list(find_links_below("https://h/club", page)) == [
        "https://h/club/a.mat",
        "https://h/club/b/",
    ]
