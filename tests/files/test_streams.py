"""Streams of OGXM matches: read match by match, packed or not, damaged or not."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bganalyze.app.jobs.check import check_file
from bganalyze.board.rule_book import BASIC
from bganalyze.files.reading import UnreadableError, count_files, find_files, load_file
from bganalyze.record.reader import read as read_file
from bganalyze.validation.findings import Selection
from bganalyze.validation.replaying import replay
from bganalyze.writing import write
from tests.files.test_archives import PACKERS, measure_loading, place_file, read, tar

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

SAMPLES = Path(__file__).parent.parent.parent / "samples" / "clean"
NAMES = ("short-match.mat", "one-point.mat", "three-point.mat")


def match(name: str) -> bytes:
    return write([replay(match) for match in read_file(SAMPLES / name)], "gvab").data


@pytest.fixture(scope="module")
def matches() -> list[bytes]:
    return [match(name) for name in NAMES]


class TestStream:
    @pytest.mark.slow
    @pytest.mark.parametrize("ending", ["", *(f".{ending}" for ending in PACKERS)])
    def test_each_match_is_a_member_by_its_number(
        self, tmp_path: Path, matches: list[bytes], ending: str
    ) -> None:
        pack = PACKERS.get(ending[1:], bytes)
        path = place_file(tmp_path / f"a.ogxms{ending}", pack(b"".join(matches)))
        assert read(path) == {f"!{n}": content for n, content in enumerate(matches, start=1)}
        assert read(f"{path}!2") == {"": matches[1]}
        assert read(f"{path}!4") == {"": "no such member in the archive"}
        assert count_files([str(path)]) == 3

    @pytest.mark.slow
    def test_the_findings_are_those_of_the_files(
        self, tmp_path: Path, matches: list[bytes]
    ) -> None:
        place_file(tmp_path / "a.ogxms.zst", zstd.compress(b"".join(matches)))
        (tmp_path / "b").mkdir()
        for number, content in enumerate(matches, start=1):
            place_file(tmp_path / "b" / f"{number}.ogxm", content)
        stream, files = (
            [check_file(item, BASIC, Selection()) for item in find_files(str(tmp_path / name))]
            for name in ("a.ogxms.zst", "b")
        )
        assert next(checked.path for checked in stream) == f"{tmp_path}/a.ogxms.zst!1"
        assert [[finding._replace(path="") for finding in item.findings] for item in stream] == [
            [finding._replace(path="") for finding in file.findings] for file in files
        ]

    def test_one_in_an_archive(self, tmp_path: Path, matches: list[bytes]) -> None:
        path = place_file(tmp_path / "a.tar", tar({"b.ogxms": b"".join(matches)}))
        assert list(read(path)) == ["!b.ogxms!1", "!b.ogxms!2", "!b.ogxms!3"]

    @pytest.mark.slow
    def test_a_thousand_matches_take_no_more_memory_than_a_hundred(
        self, tmp_path: Path, matches: list[bytes]
    ) -> None:
        few = place_file(tmp_path / "few.ogxms.zst", zstd.compress(matches[1] * 100))
        many = place_file(tmp_path / "many.ogxms.zst", zstd.compress(matches[1] * 1000))
        (size, peak), (larger_size, larger_peak) = measure_loading(few), measure_loading(many)
        assert (size, larger_size) == (100 * len(matches[1]), 1000 * len(matches[1]))
        assert larger_peak < peak + 200_000


class TestDamage:
    def test_of_one_that_is_cut_off_what_stands_before_is_read(
        self, tmp_path: Path, matches: list[bytes]
    ) -> None:
        path = place_file(tmp_path / "a.ogxms", b"".join(matches)[:-1])
        assert read(path) == {
            "!1": matches[0],
            "!2": matches[1],
            "": "broken archive (cut off); only the part before it was read (2 members)",
        }

    @pytest.mark.parametrize("between", [b"noise", b"OGXM", b"OGXM" + b"\xff" * 12, b"O" * 100_000])
    def test_what_stands_between_matches_is_told(
        self, tmp_path: Path, matches: list[bytes], between: bytes
    ) -> None:
        path = place_file(tmp_path / "a.ogxms", matches[0] + between + matches[1])
        place, size = len(matches[0]), len(between)
        assert read(path) == {
            "!1": matches[0],
            "": f"skipped {size} bytes at offset {place}: not a match",
            "!2": matches[1],
        }

    def test_a_match_that_is_damaged_costs_no_other(
        self, tmp_path: Path, matches: list[bytes]
    ) -> None:
        damaged = bytearray(matches[1])
        damaged[60] ^= 0xFF
        path = place_file(tmp_path / "a.ogxms", matches[0] + damaged + matches[2])
        first, second, third = (
            check_file(item, BASIC, Selection()) for item in find_files(str(path))
        )
        assert (first.error, third.error) == (None, None)
        assert second.error is not None
        assert second.error.startswith("a damaged file of OGXM")

    @given(seed=st.integers(0, 2**32), size=st.integers(0, 400))
    def test_no_bytes_raise(
        self, tmp_path_factory: pytest.TempPathFactory, seed: int, size: int
    ) -> None:
        noise = Random(seed).randbytes(size).replace(b"\0", b"OGXM").replace(b"\1", b"END!")
        for item in find_files(str(place_file(tmp_path_factory.mktemp("a") / "a.ogxms", noise))):
            try:
                load_file(item)
            except UnreadableError:
                continue
