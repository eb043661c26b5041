"""Finding files under paths, and loading them."""

import io
import os
import re
import tarfile
import zipfile
from pathlib import Path

import pytest

from bganalyze.files import limits
from bganalyze.files.reading import (
    FileToRead,
    TooLargeError,
    UnreadableError,
    count_files,
    find_files,
    load_file,
)


def paths(*given: object) -> list[str]:
    return [item.path for item in find_files(map(str, given))]


def fill_folder(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode())
    return folder


def archive(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in members.items():
            opened.writestr(name, content)
    return path


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_the_output_of_a_command_is_read_and_other_pipes_are_not(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    with open(writing, "wb") as pipe:
        pipe.write(b"said by a command")
    with limits.open_given(f"/dev/fd/{reading}") as file:
        assert file.read() == b"said by a command"
    os.close(reading)
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/zero", tmp_path):
        with pytest.raises(OSError, match=r"not a regular file|[Ii]s a directory"):
            limits.open_given(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_that_is_named_is_read() -> None:
    reading, writing = os.pipe()
    with open(writing, "wb") as pipe:
        pipe.write(b"said by a command")
    (item,) = find_files([f"/dev/fd/{reading}"])
    assert load_file(item) == b"said by a command"
    os.close(reading)


class TestFolder:
    def test_all_files_by_name(self, tmp_path: Path) -> None:
        fill_folder(tmp_path, "b.mat", "a/z.txt", "a/c/d", "c.MAT")
        expected = [str(tmp_path / name) for name in ("a/c/d", "a/z.txt", "b.mat", "c.MAT")]
        assert paths(tmp_path) == expected

    def test_hidden_files_are_left_out(self, tmp_path: Path) -> None:
        fill_folder(tmp_path, ".git/a.mat", ".a.mat", "a.mat")
        assert paths(tmp_path) == [str(tmp_path / "a.mat")]

    def test_loops_of_links_end(self, tmp_path: Path) -> None:
        fill_folder(tmp_path, "a/b.mat")
        (tmp_path / "a" / "again").symlink_to(tmp_path)
        (tmp_path / "lost").symlink_to(tmp_path / "nowhere")
        assert paths(tmp_path) == [str(tmp_path / "a" / "b.mat")]

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
    def test_pipes_are_left_out(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        assert paths(tmp_path) == []

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
    @pytest.mark.parametrize("name", ["a.mat", "a.zip!b.mat", "a.tar!b.mat"])
    def test_a_file_that_becomes_a_pipe_is_not_waited_for(self, tmp_path: Path, name: str) -> None:
        file = tmp_path / name.partition("!")[0]
        if file.suffix == ".tar":
            with tarfile.open(file, "w") as opened:
                opened.addfile(tarfile.TarInfo("b.mat"))
        elif file.suffix == ".zip":
            archive(file, {"b.mat": b""})
        else:
            file.touch()
        (item,) = find_files([str(tmp_path)])
        file.unlink()
        os.mkfifo(file)
        with pytest.raises(UnreadableError, match="not a regular file"):
            load_file(item)

    def test_its_files_are_not_named(self, tmp_path: Path) -> None:
        (item,) = find_files([str(fill_folder(tmp_path, "a.mat"))])
        assert (item.named, item.root) == (False, str(tmp_path))

    def test_very_deep_folders(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        for _ in range(150):
            Path("d").mkdir()
            os.chdir("d")
        Path("a.mat").touch()
        assert len(paths(tmp_path)) == 1

    @pytest.mark.skipif(getattr(os, "geteuid", lambda: 0)() == 0, reason="root may read all")
    def test_a_locked_folder_is_a_problem(self, tmp_path: Path) -> None:
        locked = tmp_path / "locked"
        locked.mkdir(0o000)
        (item,) = find_files([str(tmp_path)])
        assert item.problem == "Permission denied"

    def test_a_folder_that_cannot_be_listed_is_a_problem(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def find_locked(path: str) -> list[str]:
            raise PermissionError(13, "Permission denied", path)

        monkeypatch.setattr(os, "listdir", find_locked)
        (item,) = find_files([str(tmp_path)])
        assert (item.problem, item.named) == ("Permission denied", True)


class TestFiles:
    def test_paths_keep_their_order_and_are_taken_once(self, tmp_path: Path) -> None:
        b, a = (str(fill_folder(tmp_path, name) / name) for name in ("b.mat", "a.mat"))
        assert paths(b, a, b) == [b, a]

    def test_a_missing_file_is_unreadable(self, tmp_path: Path) -> None:
        (item,) = find_files([str(tmp_path / "none.mat")])
        assert item.named
        with pytest.raises(UnreadableError, match="No such file or directory"):
            load_file(item)

    def test_standard_input(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xffabc"), encoding="utf-8"))
        (item,) = find_files(["-"])
        assert (item.path, load_file(item), item.named) == ("-", b"\xffabc", True)

    def test_a_large_file_is_not_read(self, tmp_path: Path) -> None:
        path = tmp_path / "large.mat"
        with path.open("wb") as file:
            file.truncate(200 * 2**20)
        with pytest.raises(TooLargeError, match="larger than 64 MiB"):
            load_file(FileToRead(str(path), str(path)))

    @pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device here")
    def test_of_a_device_no_more_is_read_than_shows_its_size(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(limits, "LIMIT", 10)
        assert len(load_file(FileToRead("/dev/zero", "/dev/zero"))) == 11

    def test_counting_does_not_read_standard_input(self, tmp_path: Path) -> None:
        assert count_files([str(fill_folder(tmp_path, "a", "b")), "-"]) == 3


class TestArchive:
    def test_members_by_name(self, tmp_path: Path) -> None:
        path = archive(tmp_path / "a.ZIP", {"b": b"bb", "a/c": b"cc", "__MACOSX/x": b"", "a/": b""})
        assert paths(path) == [f"{path}!a/c", f"{path}!b"]
        assert [load_file(item) for item in find_files([str(path)])] == [b"cc", b"bb"]

    def test_members_above_or_beside_are_not_hidden(self, tmp_path: Path) -> None:
        path = archive(tmp_path / "a.zip", {"./b": b"bb", "../c": b"cc", "./.d": b"dd"})
        assert paths(path) == [f"{path}!../c", f"{path}!./b"]

    @pytest.mark.skipif(os.sep != "/", reason="zipfile itself turns them round")
    def test_members_with_backslashes_are_hidden_by_the_same_rule(self, tmp_path: Path) -> None:
        path = archive(tmp_path / "a.zip", {"..\\b": b"bb", "a\\.git\\c": b"cc"})
        assert paths(path) == [f"{path}!..\\b"]

    @pytest.mark.filterwarnings("ignore:Duplicate name")
    def test_members_of_one_name_are_read_each(self, tmp_path: Path) -> None:
        path = tmp_path / "a.zip"
        with zipfile.ZipFile(path, "w") as opened:
            opened.writestr("b", b"first")
            opened.writestr("b", b"second")
        items = list(find_files([str(path)]))
        assert [item.path for item in items] == [f"{path}!b"] * 2
        assert [load_file(item) for item in items] == [b"first", b"second"]

    def test_one_member(self, tmp_path: Path) -> None:
        path = archive(tmp_path / "a.zip", {"b": b"bb"})
        (item,) = find_files([f"{path}!b"])
        assert (item.named, load_file(item)) == (True, b"bb")

    def test_an_archive_in_a_folder(self, tmp_path: Path) -> None:
        path = archive(tmp_path / "a.zip", {"b": b"bb"})
        (item,) = find_files([str(tmp_path)])
        assert (item.path, item.named) == (f"{path}!b", False)

    def test_a_file_whose_name_looks_like_a_member(self, tmp_path: Path) -> None:
        path = str(fill_folder(tmp_path, "a.zip!b") / "a.zip!b")
        (item,) = find_files([path])
        assert load_file(item) == b"a.zip!b"

    @pytest.mark.parametrize(
        ("member", "problem"),
        [("!none", "no such member"), (".zip!b", "No such file")],
    )
    def test_what_is_not_there(self, tmp_path: Path, member: str, problem: str) -> None:
        path = archive(tmp_path / "a.zip", {"b": b"bb"})
        (item,) = find_files([f"{path}{member}"])
        with pytest.raises(UnreadableError, match=problem):
            load_file(item)

    @pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and then nothing", b"junk" * 1000])
    def test_a_broken_archive_is_one_problem(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "a.zip"
        path.write_bytes(content)
        (item,) = find_files([str(path)])
        assert item.named
        with pytest.raises(UnreadableError, match="broken archive"):
            load_file(item)

    def test_a_broken_member(self, tmp_path: Path) -> None:
        path = archive(tmp_path / "a.zip", {"b": b"some text " * 50})
        content = bytearray(path.read_bytes())
        content[35:45] = b"\0" * 10
        path.write_bytes(content)
        (item,) = find_files([str(path)])
        with pytest.raises(UnreadableError, match="broken archive"):
            load_file(item)

    def test_encrypted_members_are_one_problem(self, tmp_path: Path) -> None:
        path = archive(tmp_path / "a.zip", {"b": b"bb", "c": b"cc"})
        content = bytearray(path.read_bytes())
        for start in (content.find(b"PK\x01\x02"), content.rfind(b"PK\x01\x02")):
            content[start + 8] |= 1
        path.write_bytes(content)
        (item,) = find_files([str(path)])
        assert item.problem == "2 of 2 members are encrypted"
        with pytest.raises(UnreadableError, match="encrypted"):
            load_file(FileToRead(f"{path}!b", f"{path}!b", archive=str(path)))

    @pytest.mark.slow
    def test_a_bomb_is_refused(self, tmp_path: Path) -> None:
        path = archive(tmp_path / "a.zip", {"b": bytes(100 * 2**20)})
        (item,) = find_files([str(path)])
        assert item.problem == "unpacks to more than 200 times its size"

    @pytest.mark.parametrize(
        ("limit", "value", "problem"),
        [("MEMBER_LIMIT", 1, "2 members, more than the 1"), ("TOTAL_LIMIT", 3, "unpacks to more")],
    )
    def test_limits(
        self,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        limit: str,
        value: int,
        problem: str,
    ) -> None:
        monkeypatch.setattr(limits, limit, value)
        (item,) = find_files([str(archive(tmp_path / "a.zip", {"b": bytes(999), "c": b"cc"}))])
        assert item.problem is not None
        assert item.problem.startswith(problem)

    def test_a_large_member_is_not_unpacked(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(limits, "LIMIT", 1)
        (item,) = find_files([str(archive(tmp_path / "a.zip", {"b": b"bb"}))])
        with pytest.raises(TooLargeError):
            load_file(item)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("mien.mat", "; did you mean mine.mat?"),
        ("*.mat", "; patterns are not expanded: name the folder"),
        ("other.txt", ""),
    ],
)
def test_a_missing_file_may_be_one_of_a_similar_name(tmp_path: Path, name: str, hint: str) -> None:
    (tmp_path / "mine.mat").write_bytes(b"")
    with pytest.raises(UnreadableError, match=f"^No such file or directory{re.escape(hint)}$"):
        load_file(FileToRead(str(tmp_path / name), str(tmp_path / name)))
