"""Files that are written: whole or not at all, and never over what somebody else made."""

import ntpath
import os
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bganalyze.files.outputs import (
    ChangedError,
    NotOursError,
    atomic_write,
    make_move_if_unchanged,
    make_safe_parts,
    make_safe_path,
    replace_content,
    replace_file,
    require_rewritable,
    rewrite_in_place,
    write_atomically,
)
from bganalyze.record.own_files import MARK
from tests.nasty import FILE_NAMES

OURS = f"<svg><desc>{MARK}</desc>".encode()


def test_a_new_file(tmp_path: Path) -> None:
    replace_file(tmp_path / "a.svg", OURS)
    assert (tmp_path / "a.svg").read_bytes() == OURS
    assert os.listdir(tmp_path) == ["a.svg"]


def test_what_was_made_here_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    replace_file(path, OURS)
    replace_file(path, OURS + b"again")
    assert path.read_bytes() == OURS + b"again"


@pytest.mark.parametrize("content", [b"", b" 5 point match\n", b" " * 5000 + OURS])
def test_what_somebody_else_made_stays(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "match.mat"
    path.write_bytes(content)
    with pytest.raises(NotOursError):
        replace_file(path, OURS)
    assert path.read_bytes() == content


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="not a regular file"):
        replace_file(tmp_path, OURS)


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="no such device here")
def test_a_device_is_no_file() -> None:
    with pytest.raises(OSError, match="not a regular file"):
        replace_file(Path("/dev/null"), OURS)


def test_where_nothing_can_be_written_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(tmp_path / "a.svg", OURS)
    assert os.listdir(tmp_path) == []


def stop(path: Path) -> None:
    with atomic_write(path) as unfinished:
        unfinished.write_bytes(b"half of")
        raise KeyboardInterrupt


def test_what_is_interrupted_leaves_what_was_there(tmp_path: Path) -> None:
    write_atomically(tmp_path / "a.csv", b"before")
    with pytest.raises(KeyboardInterrupt):
        stop(tmp_path / "a.csv")
    assert os.listdir(tmp_path) == ["a.csv"]
    assert (tmp_path / "a.csv").read_bytes() == b"before"


on_posix = pytest.mark.skipif(os.name != "posix", reason="permissions as POSIX has them")


@on_posix
def test_others_may_read_it_as_the_mask_allows(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        replace_file(tmp_path / "a.svg", OURS)
    finally:
        os.umask(old)
    assert (tmp_path / "a.svg").stat().st_mode & 0o777 == 0o640


def write_meanwhile(path: Path, content: bytes) -> None:
    """Write a file while somebody else writes one in its place."""
    with atomic_write(path, make_move_if_unchanged(path)) as temporary:
        temporary.write_bytes(OURS)
        write_atomically(path, content)


@pytest.mark.parametrize("before", [None, b"before"])
def test_what_appears_meanwhile_stays(tmp_path: Path, before: bytes | None) -> None:
    path = tmp_path / "a.svg"
    if before is not None:
        path.write_bytes(before)
    with pytest.raises(ChangedError, match="by somebody else meanwhile; nothing written"):
        write_meanwhile(path, b"theirs")
    assert (path.read_bytes(), os.listdir(tmp_path)) == (b"theirs", ["a.svg"])


def test_a_new_file_needs_no_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_unsupported(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(Path, "hardlink_to", raise_unsupported)
    replace_file(tmp_path / "a.svg", OURS)
    assert os.listdir(tmp_path) == ["a.svg"]
    with pytest.raises(ChangedError):
        write_meanwhile(tmp_path / "b.svg", b"theirs")


@pytest.mark.parametrize("expected", [None, b"", b"theirs and more", b"their"])
def test_only_the_expected_content_is_replaced(tmp_path: Path, expected: bytes | None) -> None:
    path = tmp_path / "a.mat"
    path.write_bytes(b"theirs")
    with pytest.raises(ChangedError):
        replace_content(path, b"mine", expected)
    replace_content(path, b"mine", b"theirs")
    replace_content(tmp_path / "new.mat", b"new", None)
    assert path.read_bytes() == b"mine"


@on_posix
def test_a_file_that_is_replaced_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    replace_file(path, OURS)
    path.chmod(0o600)
    replace_file(path, OURS)
    write_atomically(path, OURS)
    assert path.stat().st_mode & 0o777 == 0o600


@on_posix
def test_a_file_that_is_rewritten_keeps_its_attributes(tmp_path: Path) -> None:
    path = tmp_path / "a.mat"
    path.write_bytes(b"before")
    path.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(path, 12345, 23456)
    has_attributes = set_attribute(path)
    before = path.stat()
    rewrite_in_place(path, b"after", b"before")
    after = path.stat()
    assert path.read_bytes() == b"after"
    assert (after.st_uid, after.st_gid, after.st_mode) == (
        before.st_uid,
        before.st_gid,
        before.st_mode,
    )
    assert after.st_mtime_ns >= before.st_mtime_ns
    if has_attributes:
        assert os.getxattr(path, "user.note") == b"mine"


def set_attribute(path: Path) -> bool:
    """Give a file an attribute of the user's own; return whether the file system has any."""
    try:
        os.setxattr(path, "user.note", b"mine")
    except (AttributeError, OSError):
        return False
    return True


def test_a_file_with_several_names_is_not_parted_from_them(tmp_path: Path) -> None:
    path = tmp_path / "a.mat"
    path.write_bytes(b"before")
    require_rewritable(path)
    (tmp_path / "b.mat").hardlink_to(path)
    with pytest.raises(OSError, match="has 2 names"):
        require_rewritable(path)


@on_posix
def test_a_file_of_another_user_does_not_become_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.mat"
    path.write_bytes(b"before")
    monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)
    with pytest.raises(OSError, match="belongs to another user"):
        require_rewritable(path)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("deep/er/a", ["deep", "er", "a.sgf"]),
        ("a.b", ["a.b.sgf"]),
        (" 12. Ann & Bób – 7 points", [" 12. Ann & Bób – 7 points.sgf"]),
        ("../../x", ["x.sgf"]),
        ("!../!../x", ["!", "!", "x.sgf"]),
        ("/etc/x", ["etc", "x.sgf"]),
        ("./a//b/../x", ["a", "b", "x.sgf"]),
        ("..\\..\\x", ["x.sgf"]),
        ("C:/x/y", ["C_", "x", "y.sgf"]),
        ("C:y", ["C_y.sgf"]),
        ("\\\\server\\share\\x", ["server", "share", "x.sgf"]),
        ("\\\\?\\C:\\x", ["_", "C_", "x.sgf"]),
        ("a.mat:hidden", ["a.mat_hidden.sgf"]),
        ("con", ["_con.sgf"]),
        ("NUL.tar /com¹", ["_NUL.tar", "_com¹.sgf"]),
        ("AUX .b/CONIN$", ["_AUX .b", "_CONIN$.sgf"]),
        ("console/lpt10", ["console", "lpt10.sgf"]),
        ("a. ./b ...", ["a", "b.sgf"]),
        ("... /. ./ ", ["unnamed.sgf"]),
        ("", ["unnamed.sgf"]),
        ('a\0b\x1b\x7f\u2028\udc80/<x>|?*"', ["a_b____", "_x_____.sgf"]),
        ("é" * 200, ["é" * 125 + ".sgf"]),
        ("a" * 254 + " b/c", ["a" * 254, "c.sgf"]),
        ("d/" * 5000 + "a", ["d"] * 31 + ["a.sgf"]),
    ],
)
def test_a_name_becomes_folders_and_a_file_wherever_it_is_written(
    name: str, parts: list[str]
) -> None:
    assert make_safe_parts(name, ".sgf") == parts


def is_reserved(part: str) -> bool:
    """Whether it is a device for Windows; newer Pythons answer in another place."""
    standard_check = getattr(ntpath, "isreserved", None) or (
        lambda name: PureWindowsPath(name).is_reserved()
    )
    return standard_check(part) or part != part.rstrip(". ")


def is_plain(part: str) -> bool:
    """Whether Windows and POSIX both take it for the name of a file beside others."""
    paths = [kind(part) for kind in (PurePosixPath, PureWindowsPath)]
    alone = all(path.name == part and not path.anchor for path in paths)
    return alone and not is_reserved(part) and not set(part) & set('<>:"|?*\0\n\x1b')


@pytest.mark.parametrize("name", FILE_NAMES)
def test_hostile_names_are_plain_files(name: str) -> None:
    assert all(map(is_plain, make_safe_parts(name, ".mat")))


PIECES = st.sampled_from(["..", ".", "/", "\\", ":", "C:", "con", "!", " ", "\0", "a", "é", "."])


@given(st.text() | st.lists(PIECES | st.text(max_size=2)).map("".join))
def test_any_name_is_plain_files(name: str) -> None:
    parts = make_safe_parts(name, ".mat")
    assert all(map(is_plain, parts))
    assert all(0 < len(part.encode()) <= 255 for part in parts)
    assert parts[-1].endswith(".mat")
    for kind in (PurePosixPath, PureWindowsPath):
        assert kind("out", *parts).parts == ("out", *parts)


@given(st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=20).map("x{}".format))
def test_a_usual_name_is_kept(name: str) -> None:
    assert make_safe_parts(f"deep/{name}", ".mat") == ["deep", f"{name}.mat"]


@pytest.mark.parametrize("name", ["link/x", "link\\x", "link/deep/x", "there/../link/x"])
def test_a_link_that_leads_out_is_not_followed(tmp_path: Path, name: str) -> None:
    (tmp_path / "out" / "there").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out" / "link").symlink_to("../elsewhere")
    (tmp_path / "out" / "there" / "link").symlink_to("../../elsewhere")
    with pytest.raises(OSError, match="a link in it leads out of"):
        make_safe_path(tmp_path / "out", name, ".mat")


def test_a_link_that_stays_inside_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "deep").mkdir()
    (tmp_path / "out").symlink_to("real")
    (tmp_path / "out" / "link").symlink_to("deep")
    path = make_safe_path(tmp_path / "out", "link/x", ".mat")
    assert path == tmp_path / "out" / "link" / "x.mat"


def test_a_name_that_the_system_cannot_spell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsencode", lambda path: str(path).encode("ascii"))
    with pytest.raises(OSError, match="this system does not allow that file name"):
        make_safe_path(tmp_path, "é", ".mat")
