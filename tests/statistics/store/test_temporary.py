"""Temporary folders of a store: gone after any end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bganalyze.statistics.store import temporary
from bganalyze.statistics.store.temporary import temporary_folder

KILLED = """
import os, signal
from bganalyze.statistics.store.temporary import temporary_folder
with temporary_folder() as folder:
    (folder / "spill").mkdir()
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(temporary, "_SETTLED", 0)
    return tmp_path


def test_one_is_removed_at_the_end_and_kept_while_it_is_used(place: Path) -> None:
    with temporary_folder() as first, temporary_folder() as second:
        assert {first, second} == set(place.iterdir())
    assert not list(place.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_one_of_a_killed_program_is_removed_by_the_next(place: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(place)}
    subprocess.run([sys.executable, "-c", KILLED], env=environment, check=False)
    (left,) = place.iterdir()
    with temporary_folder() as folder:
        assert list(place.iterdir()) == [folder] != [left]


@pytest.mark.parametrize("is_another", [False, True])
def test_one_of_another_user_stays(
    place: Path, monkeypatch: pytest.MonkeyPatch, *, is_another: bool
) -> None:
    folder = place / "bganalyze-store-unused"
    folder.mkdir()
    monkeypatch.setattr(temporary, "_get_user_number", lambda status: status.st_uid + is_another)
    with temporary_folder():
        assert folder.exists() == is_another


def test_a_signal_while_one_is_made_leaves_nothing(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = os.mkdir

    def make_and_hear_a_signal(*words: object, **options: object) -> None:
        make(*words, **options)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "mkdir", make_and_hear_a_signal)
    with pytest.raises(KeyboardInterrupt), temporary_folder():
        pass
    assert not list(place.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_no_link_is_followed(place: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    victim = tmp_path_factory.mktemp("victim")
    (victim / "a.txt").write_text("precious", encoding="utf-8")
    (place / "bganalyze-store-link").symlink_to(victim)
    with temporary_folder():
        assert (victim / "a.txt").exists()
