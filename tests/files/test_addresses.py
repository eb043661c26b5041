"""Paths and addresses of files, archives and secrets."""

from __future__ import annotations

import pytest

from bganalyze.files.addresses import (
    _hide_in_single_url,
    get_archive_extension,
    hide_credentials,
    hide_credentials_in,
    is_archive,
    is_path_of_named_file,
)
from bganalyze.files.packed import strip_packed_extension


def test_an_archive_is_known_by_its_extension() -> None:
    assert is_archive("a.tar.zst")
    assert get_archive_extension("https://club.example/2024.TAR.gz?version=2") == ".tar.gz"


def test_a_file_is_at_its_own_path() -> None:
    assert is_path_of_named_file("a.mat", "a.mat")


@pytest.mark.parametrize("name", ["final.mat.GZ", "final.mat"])
def test_the_extension_of_a_packed_file_is_stripped(name: str) -> None:
    assert strip_packed_extension(name) == "final.mat"


def test_a_query_without_a_secret_stays_and_a_fragment_is_hidden() -> None:
    url = "https://ann:pw@club.example/a.mat?id=7&X-Amz-Signature=0a1b#t"
    hidden = "https://***@club.example/a.mat?id=7&X-Amz-Signature=***#***"
    assert hide_credentials(url) == hidden
    text = "cannot read https://ann@h/a.mat?id=7#t"
    assert hide_credentials_in(text) == "cannot read https://***@h/a.mat?id=7#***"
    single = _hide_in_single_url("https://ann@h/a.mat?id=7&key=0a1b#t")
    assert single == "https://***@h/a.mat?id=7&key=***#***"
