"""A run that is killed leaves no process and no temporary file."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

import pytest

from bganalyze.analysis.engines import gnubg

fcntl = pytest.importorskip("fcntl", reason="pipes are looked into")
termios = pytest.importorskip("termios", reason="pipes are looked into")

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc"),
    pytest.mark.slow,
]

SAMPLES = Path(__file__).parents[3] / "samples"

STARTS = 180.0
"""Seconds that a busy machine may take until processes run."""
ENDS = 60.0
"""Seconds until none is left: one is what is promised, the rest is for a busy machine."""

FAKE = """\
#!/bin/sh
[ "$1" = --version ] && echo GNU Backgammon 1.07.001 && exit
sleep 120
"""
"""Stands in for GNU Backgammon, and takes its time."""

PARENT_ENDS = [
    (signal.SIGTERM, 143),
    (signal.SIGHUP, 129),
    (signal.SIGINT, 130),
    (signal.SIGKILL, -signal.SIGKILL),
]

Start = Callable[..., "subprocess.Popen[str]"]


class Place:
    """A folder for temporary files, by whose name the processes are known that use it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def processes(self, words: bytes = b"") -> list[int]:
        """Return the processes whose command holds these words."""
        return [pid for pid, command in self._commands() if words in command]

    def started(self, number: int, words: bytes) -> list[int]:
        """Wait for that many processes."""
        deadline = time.monotonic() + STARTS
        while time.monotonic() < deadline:
            if len(numbers := self.processes(words)) >= number:
                return numbers
            time.sleep(0.05)
        pytest.fail(f"not started: {list(self._commands())}")

    def left(self) -> list[str]:
        """Return the processes and files left after a short wait."""
        deadline = time.monotonic() + ENDS
        while (self.processes() or self.files()) and time.monotonic() < deadline:
            time.sleep(0.05)
        return [repr(command) for _, command in self._commands()] + self.files()

    def files(self) -> list[str]:
        """Return the names of the temporary files."""
        return [path.name for path in self.folder.iterdir()]

    def _commands(self) -> Iterator[tuple[int, bytes]]:
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if os.fsencode(self.folder) in (process / "environ").read_bytes():
                    yield int(process.name), (process / "cmdline").read_bytes().replace(b"\0", b" ")
            except OSError:  # It has ended, or is somebody else's.
                continue


@pytest.fixture
def place(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Place]:
    place = Place(tmp_path_factory.mktemp("temporary"))
    monkeypatch.setenv("TMPDIR", str(place.folder))
    yield place
    for pid in place.processes():
        with suppress(ProcessLookupError):  # It may just have ended.
            os.kill(pid, signal.SIGKILL)


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """GNU Backgammon is a program that does nothing for long."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "gnubg").write_text(FAKE)
    (programs / "gnubg").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")


@contextmanager
def running(process: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    """Yield a process, and end it with the test if it still runs."""
    with process:
        try:
            yield process
        finally:
            process.kill()


def analyzing(
    start: Start, match_folder: Path, engine: str
) -> AbstractContextManager[subprocess.Popen[str]]:
    words = (
        "analyze",
        match_folder,
        "--workers",
        2,
        "--engine",
        engine,
        "--db",
        match_folder.parent / "kept.db",
    )
    return running(start(*words, stdout=subprocess.DEVNULL))


def python(code: str) -> AbstractContextManager[subprocess.Popen[str]]:
    return running(subprocess.Popen([sys.executable, "-c", code], text=True))


@pytest.mark.usefixtures("fake")
@pytest.mark.parametrize(("number", "status"), PARENT_ENDS)
def test_engines_end_with_the_command(
    number: int, status: int, start: Start, match_folder: Path, place: Place
) -> None:
    with analyzing(start, match_folder, "gnubg") as command:
        place.started(2, b"sleep")
        assert len(place.files()) == 2
        command.send_signal(number)
        assert command.wait(ENDS) == status
        assert place.left() == []
        assert command.stderr
        kept = "analyses made so far are kept; the same command continues where this one ended\n"
        ended = f"{kept}bganalyze: interrupted\n"
        assert command.stderr.read() == (ended if status > 0 else "")


@pytest.mark.usefixtures("fake")
def test_all_processes_may_be_asked_to_end_at_once(
    start: Start, match_folder: Path, place: Place
) -> None:
    with analyzing(start, match_folder, "gnubg") as command:
        place.started(2, b"sleep")
        for pid in place.processes():
            with suppress(ProcessLookupError):  # It may have ended with one before it.
                os.kill(pid, signal.SIGTERM)
        assert command.wait(ENDS) == 143
        assert place.left() == []


@pytest.mark.usefixtures("fake")
def test_the_engine_of_a_killed_worker_ends(start: Start, match_folder: Path, place: Place) -> None:
    with analyzing(start, match_folder, "gnubg") as command:
        engines = place.started(2, b"sleep")
        worker = place.processes(b"spawn_main")[0]
        os.kill(worker, signal.SIGKILL)
        assert command.stderr
        assert "its process died" in command.stderr.readline()
        deadline = time.monotonic() + ENDS
        while len(set(engines) & set(place.processes())) > 1 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert len(set(engines) & set(place.processes())) == 1
        command.kill()
        command.wait(ENDS)
        assert place.left() == []


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("engine", "words", "number"),
    [
        pytest.param(
            "gnubg",
            b"ask.py",
            signal.SIGKILL,
            marks=pytest.mark.skipif(
                not any(map(shutil.which, gnubg.PLACES)), reason="GNU Backgammon is not installed"
            ),
        ),
        *(
            pytest.param(
                "sage",
                b"spawn_main",
                number,
                marks=pytest.mark.skipif(
                    importlib.util.find_spec("bgsage") is None, reason="Open Sage is not installed"
                ),
            )
            for number in (signal.SIGTERM, signal.SIGKILL)
        ),
    ],
)
def test_real_engines_end_with_the_command(
    engine: str, words: bytes, number: int, start: Start, match_folder: Path, place: Place
) -> None:
    with analyzing(start, match_folder, engine) as command:
        place.started(1, words)
        command.send_signal(number)
        command.wait(ENDS)
        assert place.left() == []


@pytest.mark.parametrize(("number", "status"), [PARENT_ENDS[0], PARENT_ENDS[-1]])
def test_the_processes_of_check_end_with_it(
    number: int, status: int, start: Start, match_folder: Path, place: Place
) -> None:
    with running(start("check", match_folder, "--workers", 2)) as command:
        assert command.stdout
        command.stdout.readline()
        command.send_signal(number)
        command.communicate(timeout=ENDS)  # A full pipe that nobody reads may keep it from ending.
        assert command.returncode == status
        assert place.left() == []


def test_an_end_waits_for_nobody_to_read_the_output(start: Start, place: Place) -> None:
    reading, writing = os.pipe()
    room = fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    buffered = {**os.environ, "PYTHONUNBUFFERED": ""}
    words = ("check", SAMPLES, "--verbose", "--format", "json")
    with running(start(*words, stdout=writing, env=buffered)) as command:
        os.close(writing)
        deadline = time.monotonic() + STARTS
        while waiting_in(reading) < room / 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.5)  # Output written in pieces seldom fills the last bytes.
        assert waiting_in(reading) > room / 2
        command.send_signal(signal.SIGTERM)
        assert command.wait(ENDS) == 143
        assert place.left() == []
    os.close(reading)


def waiting_in(pipe: int) -> int:
    """Return the number of bytes that nobody has read yet."""
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


def test_processes_at_work_end_with_the_one_that_started_them(place: Place) -> None:
    code = "import time; from bganalyze.app.jobs.executor import map_files; from bganalyze.app.jobs.workers import Processes; list(map_files(time.sleep, [120] * 20, Processes(2)))"
    with python(code) as command:
        place.started(2, b"spawn_main")
        command.kill()
        command.wait(ENDS)
        assert place.left() == []


def test_a_program_ends_with_the_process_that_runs_it(place: Place) -> None:
    code = (
        "from bganalyze.analysis.engines.program import *; run(Task(['sleep', '120'], {}, {}, 120))"
    )
    with python(code) as command:
        place.started(1, b"sleep 120 ")
        command.kill()
        command.wait(ENDS)
        assert place.left() == []


def test_a_hangup_that_is_ignored_ends_nothing(several: Path) -> None:
    call = f'trap "" HUP; exec "{sys.executable}" -m bganalyze check "{several}" --workers 1'
    with running(subprocess.Popen(call, shell=True, stdout=subprocess.PIPE, text=True)) as command:
        assert command.stdout
        command.stdout.readline()
        command.send_signal(signal.SIGHUP)
        command.communicate(timeout=ENDS)
        assert command.returncode == 1
