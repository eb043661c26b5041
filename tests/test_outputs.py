"""Files that are written: whole or not at all, and never over what somebody else made."""

import os
from pathlib import Path

import pytest

from bganalyze.outputs import MARK, NotOursError, beside, put, replace_file

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


@pytest.mark.parametrize("there", [b"", b" 5 point match\n", b" " * 5000 + OURS])
def test_what_somebody_else_made_stays(tmp_path: Path, there: bytes) -> None:
    path = tmp_path / "match.mat"
    path.write_bytes(there)
    with pytest.raises(NotOursError):
        replace_file(path, OURS)
    assert path.read_bytes() == there


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="no file"):
        replace_file(tmp_path, OURS)


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="no such device here")
def test_a_device_is_no_file() -> None:
    with pytest.raises(OSError, match="no file"):
        replace_file(Path("/dev/null"), OURS)


def test_where_nothing_can_be_written_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space"):
        put(tmp_path / "a.svg", OURS)
    assert os.listdir(tmp_path) == []


def stopped(path: Path) -> None:
    with beside(path) as written:
        written.write_bytes(b"half of")
        raise KeyboardInterrupt


def test_what_is_interrupted_leaves_what_was_there(tmp_path: Path) -> None:
    put(tmp_path / "a.csv", b"before")
    with pytest.raises(KeyboardInterrupt):
        stopped(tmp_path / "a.csv")
    assert os.listdir(tmp_path) == ["a.csv"]
    assert (tmp_path / "a.csv").read_bytes() == b"before"


@pytest.mark.skipif(os.name != "posix", reason="permissions as POSIX has them")
def test_others_may_read_it_as_the_mask_allows(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        replace_file(tmp_path / "a.svg", OURS)
    finally:
        os.umask(old)
    assert (tmp_path / "a.svg").stat().st_mode & 0o777 == 0o640
