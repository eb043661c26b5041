"""Places of files: whether they are there, and their order."""

from __future__ import annotations

from bganalyze.statistics.store.places import is_there, make_search_key


def test_an_address_counts_as_there() -> None:
    assert is_there("https://example.org/a")


def test_members_of_an_archive_stand_in_its_order() -> None:
    places = [("/a.mat", -1), ("/a.tar!c.mat", 1), ("/a/b.mat", -1), ("/a.tar!d.mat", 0)]
    found = [path for path, _ in sorted(places, key=lambda place: make_search_key(*place))]
    assert found == ["/a/b.mat", "/a.mat", "/a.tar!d.mat", "/a.tar!c.mat"]
