"""Archives and packed files: what is found in them, read of them, and refused."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bganalyze.files import limits, packed
from bganalyze.files.addresses import is_archive
from bganalyze.files.archives import find_last_member
from bganalyze.files.outputs import make_safe_path
from bganalyze.files.reading import (
    TooLargeError,
    UnreadableError,
    count_files,
    find_files,
    holds_many_files,
    load_file,
)
from tests.nasty import FILE_NAMES

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

Members = Mapping[str, bytes]

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstd.compress,
}
ENDINGS = [
    ".tar",
    *(f".tar.{ending}" for ending in PACKERS),
    *(f".t{ending}" for ending in PACKERS),
]
LOADED = """
import sys, tracemalloc
from bganalyze.files.reading import find_files, load_file
tracemalloc.start()
print(sum(len(load_file(item)) for item in find_files(sys.argv[1])), tracemalloc.get_traced_memory()[1])
"""
SOME = {"b.mat": b"bb", "a/c.mat": b"c" * 2000, "empty": b""}


def tar(members: Members, form: int = tarfile.PAX_FORMAT) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=form) as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def make_zip(members: Members) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def pack_as(ending: str, content: bytes) -> bytes:
    packer = next((PACKERS[suffix] for suffix in PACKERS if ending.endswith(suffix)), bytes)
    return packer(content)


def place_file(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def measure_loading(path: Path) -> tuple[int, int]:
    """Return the bytes of all files in an archive, and of memory that it takes to load one by one.

    In a process of its own: what threads of other tests take at the same time is not counted.
    """
    command = [sys.executable, "-c", LOADED, str(path)]
    size, peak = map(int, subprocess.run(command, check=True, capture_output=True).stdout.split())
    return size, peak


def read(path: object) -> dict[str, bytes | str]:
    """Return the files under a path by locator: content, or the reason why there is none."""
    contents: dict[str, bytes | str] = {}
    for item in find_files([str(path)]):
        name = item.path.removeprefix(str(path))
        try:
            contents[name] = load_file(item)
        except UnreadableError as error:
            contents[name] = str(error)
    return contents


class TestTar:
    @pytest.mark.parametrize("ending", ENDINGS)
    def test_members_as_they_stand_in_it(self, tmp_path: Path, ending: str) -> None:
        path = place_file(tmp_path / f"a{ending.upper()}", pack_as(ending, tar(SOME)))
        assert list(read(path).items()) == [(f"!{name}", SOME[name]) for name in SOME]
        assert holds_many_files(str(path))
        assert count_files([str(path)]) == len(SOME)

    @pytest.mark.parametrize("ending", ENDINGS)
    def test_one_member(self, tmp_path: Path, ending: str) -> None:
        path = place_file(tmp_path / f"a{ending}", pack_as(ending, tar(SOME)))
        (item,) = find_files([f"{path}!a/c.mat"])
        assert (item.named, load_file(item)) == (True, SOME["a/c.mat"])
        assert read(f"{path}!none") == {"": "no such member in the archive"}

    def test_members_may_be_read_in_any_order(self, tmp_path: Path) -> None:
        path = place_file(tmp_path / "a.tar.gz", gzip.compress(tar(SOME)))
        items = list(find_files([str(path)]))
        assert [load_file(item) for item in [*items[::-1], *items]] == [
            *list(SOME.values())[::-1],
            *SOME.values(),
        ]

    def test_hidden_members_folders_and_links_are_left_out(self, tmp_path: Path) -> None:
        path = tmp_path / "a.tar"
        with tarfile.open(path, "w") as archive:
            for name, kind in (
                ("d", tarfile.DIRTYPE),
                ("l", tarfile.SYMTYPE),
                ("h", tarfile.LNKTYPE),
            ):
                info = tarfile.TarInfo(name)
                info.type, info.linkname = kind, "/etc/passwd"
                archive.addfile(info)
            for name in (".git/a", "__MACOSX/a", "./a", "d/.a"):
                archive.addfile(tarfile.TarInfo(name))
        assert read(path) == {"!./a": b""}

    @pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
    def test_long_names_of_every_form(self, tmp_path: Path, form: int) -> None:
        name = "a" * 90 + "/" + "b" * 90
        path = place_file(tmp_path / "a.tar", tar({name: b"x", "c": b"y"}, form))
        assert read(path) == {f"!{name}": b"x", "!c": b"y"}

    def test_of_several_of_one_name_each_is_read_and_the_last_is_meant(
        self, tmp_path: Path
    ) -> None:
        path = place_file(tmp_path / "a.tar", tar({"a": b"first"})[:1024] + tar({"a": b"second"}))
        assert [load_file(item) for item in find_files([str(path)])] == [b"first", b"second"]
        assert read(f"{path}!a") == {"": b"second"}

    @pytest.mark.slow
    def test_it_is_never_unpacked_whole(self, tmp_path: Path) -> None:
        members = {f"{n}.mat": bytes([n % 256]) * 20_000 for n in range(2_000)}
        path = place_file(tmp_path / "a.tar.zst", zstd.compress(tar(members)))
        members.clear()
        size, peak = measure_loading(path)
        assert size == 2_000 * 20_000
        assert peak < 2_000_000


class TestBroken:
    @pytest.mark.parametrize("ending", ENDINGS)
    @pytest.mark.parametrize("share", [0.2, 0.6, 0.8])
    def test_of_one_that_is_cut_off_what_stands_before_is_read(
        self, tmp_path: Path, ending: str, share: float
    ) -> None:
        members = {f"{n}.mat": Random(n).randbytes(3000) for n in range(10)}
        content = pack_as(ending, tar(members))
        path = place_file(tmp_path / f"a{ending}", content[: int(len(content) * share)])
        contents = read(path)
        problem = contents.pop("")
        assert isinstance(problem, str)
        assert problem.startswith("broken archive (cut off)")
        assert {
            f"!{name}": content for name, content in members.items()
        }.items() >= contents.items()
        assert (f"before it was read ({len(contents)} member" in problem) == bool(contents)

    def test_one_without_its_end_is_cut_off(self, tmp_path: Path) -> None:
        path = place_file(tmp_path / "a.tar", tar({"a": b"a", "b": b"b"})[:2048])
        assert read(path) == {
            "!a": b"a",
            "!b": b"b",
            "": "broken archive (cut off); only the part before it was read (2 members)",
        }

    def test_a_wrong_header_ends_it(self, tmp_path: Path) -> None:
        content = bytearray(tar({"a": b"a", "b": b"b"}))
        content[1024 + 150] ^= 1
        contents = read(place_file(tmp_path / "a.tar", bytes(content)))
        assert contents.pop("!a") == b"a"
        assert contents == {
            "": "broken archive (bad checksum); only the part before it was read (1 member)"
        }

    @pytest.mark.parametrize("ending", ENDINGS)
    @pytest.mark.parametrize("content", [b"", b"junk" * 1000])
    def test_what_is_none_is_one_problem(self, tmp_path: Path, ending: str, content: bytes) -> None:
        ((name, problem),) = read(place_file(tmp_path / f"a{ending}", content)).items()
        assert (name, str(problem)[:15]) == ("", "broken archive ")

    @given(place=st.integers(0, 3000), value=st.integers(0, 255), ending=st.sampled_from(ENDINGS))
    def test_no_change_of_a_byte_raises(
        self, tmp_path_factory: pytest.TempPathFactory, place: int, value: int, ending: str
    ) -> None:
        content = bytearray(pack_as(ending, tar(SOME)))
        content[place % len(content)] = value
        read(place_file(tmp_path_factory.mktemp("a") / f"a{ending}", bytes(content)))


class TestBombs:
    @pytest.mark.slow
    @pytest.mark.parametrize("ending", ["gz", "bz2", "xz", "zst"])
    def test_one_that_unpacks_to_too_much_is_refused_where_it_does(
        self, tmp_path: Path, ending: str
    ) -> None:
        bomb = tar({"a": b"a", "bomb": bytes(100 * 2**20), "c": b"c"})
        assert read(place_file(tmp_path / f"a.tar.{ending}", PACKERS[ending](bomb))) == {
            "!a": b"a",
            "": "unpacks to more than 200 times its size;"
            " only the part before it was read (1 member)",
        }

    def test_a_size_that_is_only_stated_is_refused_too(self, tmp_path: Path) -> None:
        info = tarfile.TarInfo("a")
        info.size = 2**40
        path = place_file(tmp_path / "a.tar", info.tobuf(tarfile.GNU_FORMAT))
        assert read(path) == {"": "unpacks to more than 4 GiB"}

    def test_more_members_than_allowed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(limits, "MEMBER_LIMIT", 2)
        assert read(place_file(tmp_path / "a.tar", tar(SOME)))[""] == (
            "3 members, more than the 2 allowed; only the part before it was read (2 members)"
        )

    @pytest.mark.slow
    def test_archives_inside_count_with_the_one_that_holds_them(self, tmp_path: Path) -> None:
        bomb = make_zip({"b": bytes(30 * 2**20)})
        path = place_file(tmp_path / "a.tar", tar({"1.zip": bomb, "2.zip": bomb, "3.zip": bomb}))
        problems = [value for value in read(path).values() if isinstance(value, str)]
        assert problems == ["unpacks to more than 200 times its size"]

    def test_a_header_that_is_too_long_is_not_read(self, tmp_path: Path) -> None:
        info = tarfile.TarInfo("a")
        info.type, info.size = tarfile.XHDTYPE, 2**30
        path = place_file(tmp_path / "a.tar", info.tobuf() + bytes(2**20))
        assert read(path) == {
            "": f"broken archive (a header has an impossible size: {2**30} bytes)"
        }

    def test_xz_may_not_take_any_amount_of_memory(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(packed, "XZ_MEMORY", 2**20)
        contents = read(place_file(tmp_path / "a.mat.xz", lzma.compress(b"text", preset=9)))
        assert contents == {"": "compressed by xz, but broken (Memory usage limit exceeded)"}

    def test_a_large_member_is_not_unpacked(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = place_file(tmp_path / "a.tgz", gzip.compress(tar({"a": b"abc"})))
        (item,) = find_files([str(path)])
        monkeypatch.setattr(limits, "LIMIT", 2)
        with pytest.raises(TooLargeError):
            load_file(item)


class TestPackedFiles:
    @pytest.mark.parametrize("ending", PACKERS)
    @pytest.mark.parametrize("name", ["a.mat.{}", "a.mat", "{}"])
    def test_they_are_known_by_how_they_begin(self, tmp_path: Path, ending: str, name: str) -> None:
        path = place_file(tmp_path / name.format(ending), PACKERS[ending](b"some text"))
        assert read(path) == {"": b"some text"}

    @pytest.mark.parametrize("ending", PACKERS)
    def test_several_behind_one_another_are_one(self, tmp_path: Path, ending: str) -> None:
        pack = PACKERS[ending]
        assert read(place_file(tmp_path / "a", pack(b"some ") + pack(b"text"))) == {
            "": b"some text"
        }

    @pytest.mark.parametrize("ending", PACKERS)
    def test_one_that_is_cut_off(self, tmp_path: Path, ending: str) -> None:
        contents = read(place_file(tmp_path / "a", PACKERS[ending](bytes(range(256)) * 50)[:-9]))
        title = packed.PACKINGS[ending].title
        assert contents == {"": f"compressed by {title}, but broken (cut off)"}

    @pytest.mark.parametrize("ending", PACKERS)
    def test_no_more_is_unpacked_than_a_file_may_hold(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
    ) -> None:
        monkeypatch.setattr(limits, "LIMIT", 1_000)
        path = place_file(tmp_path / "a", PACKERS[ending](bytes(100_000)))
        assert read(path) == {"": bytes(1_001)}

    def test_in_an_archive(self, tmp_path: Path) -> None:
        path = place_file(tmp_path / "a.zip", make_zip({"a.mat.gz": gzip.compress(b"text")}))
        assert read(path) == {"!a.mat.gz": b"text"}

    def test_a_missing_package_is_named(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        content = zstd.compress(b"text")
        monkeypatch.setitem(sys.modules, zstd.__name__.partition(".")[0], None)
        (problem,) = read(place_file(tmp_path / "a.zst", content)).values()
        assert "install" in str(problem)
        assert '"backports.zstd>=' in str(problem)


class TestInside:
    @pytest.mark.parametrize("outer", [".zip", ".tar", ".tar.zst"])
    @pytest.mark.parametrize("inner", [".zip", ".tar", ".tgz"])
    def test_an_archive_in_an_archive(self, tmp_path: Path, outer: str, inner: str) -> None:
        inner_archive = make_zip(SOME) if inner == ".zip" else pack_as(inner, tar(SOME))
        members = {f"i{inner}": inner_archive, "z.mat": b"z"}
        content = make_zip(members) if outer == ".zip" else pack_as(outer, tar(members))
        path = place_file(tmp_path / f"o{outer}", content)
        assert read(path) == {f"!i{inner}!{name}": SOME[name] for name in SOME} | {"!z.mat": b"z"}
        assert read(f"{path}!i{inner}!b.mat") == {"": b"bb"}
        assert read(f"{path}!i{inner}") == {f"!{name}": SOME[name] for name in SOME}
        assert read(f"{path}!i{inner}!none") == {"": "no such member in the archive"}

    def test_those_inside_that_are_not_opened(self, tmp_path: Path) -> None:
        deepest = make_zip({"a": b"a"})
        path = place_file(tmp_path / "a.zip", make_zip({"b.zip": make_zip({"c.zip": deepest})}))
        assert read(path) == {"!b.zip!c.zip": deepest}

    def test_a_broken_one_inside_is_one_problem(self, tmp_path: Path) -> None:
        path = place_file(tmp_path / "a.tar", tar({"b.zip": b"junk", "c": b"c"}))
        contents = read(path)
        assert contents.pop("!c") == b"c"
        assert contents == {"!b.zip": "broken archive (File is not a zip file)"}
        with pytest.raises(UnreadableError, match=r"broken archive \(File is not a zip file\)"):
            find_last_member(str(path), "b.zip")


class TestNames:
    @pytest.mark.parametrize("name", FILE_NAMES)
    def test_odd_names_are_read_and_lead_nowhere(self, tmp_path: Path, name: str) -> None:
        name = name.replace("\x00", "")
        path = place_file(tmp_path / "a.tar.gz", gzip.compress(tar({name: b"x"})))
        for item in find_files([str(path)]):
            assert load_file(item) == b"x"
            assert make_safe_path(tmp_path, item.path.partition("!")[2], ".mat").is_relative_to(
                tmp_path
            )

    @pytest.mark.parametrize("name", ["a.tar.lz", "tar", "a.targz", "a.zip.gz", "a.ogxm"])
    def test_what_is_called_otherwise_is_no_archive(self, name: str) -> None:
        assert not is_archive(name)
