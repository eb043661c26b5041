"""How a run ends when it is interrupted, or when nobody reads what it writes."""

import io
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="signals and pipes of POSIX"),
    pytest.mark.slow,
]

SOON = 120.0
"""Seconds: a machine may be busy."""

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_closed_pipe(start: Start, match_folder: Path, workers: int) -> None:
    with start("check", match_folder, "--workers", workers) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert "P409" in running.stdout.readline()
        running.stdout.close()
        assert (running.stderr.read(), running.wait(SOON)) == ("", 141)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupt(start: Start, match_folder: Path, workers: int) -> None:
    with start("check", match_folder, "--workers", workers, process_group=0) as running:
        assert running.stdout is not None
        running.stdout.readline()
        os.killpg(running.pid, signal.SIGINT)
        _, errors = running.communicate(timeout=SOON)
    assert (errors, running.returncode) == ("bganalyze: interrupted\n", 130)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", [["check", "faulty.mat"], ["rule"], ["-h"]])
def test_a_full_disk_is_one_line(start: Start, words: list[str], unbuffered: str) -> None:
    with (
        Path("/dev/full").open("w", encoding="utf-8") as full,
        start(*words, stdout=full, env={**os.environ, "PYTHONUNBUFFERED": unbuffered}) as running,
    ):
        assert running.stderr is not None
        assert (running.stderr.read(), running.wait(SOON)) == (
            "bganalyze: No space left on device\n",
            2,
        )


@pytest.mark.parametrize(
    ("words", "status"),
    [("check faulty.mat >&-", 1), ("check - <&-", 2), ("check none.mat 2>&-", 2)],
)
def test_a_stream_may_be_closed(words: str, status: int) -> None:
    call = f'exec "{sys.executable}" -m bganalyze {words}'
    process = subprocess.run(call, shell=True, capture_output=True, text=True, check=False)
    assert (process.returncode, "report it" in process.stderr) == (status, False)


@pytest.mark.parametrize(
    ("status", "left", "errors"),
    [("3", (3, "said, at exit\n"), ""), ("'why'", (1, "said, at exit\nfreed\n"), "why\n")],
)
def test_nothing_is_freed_at_the_end_and_nothing_lost(
    status: str, left: tuple[int, str], errors: str
) -> None:
    code = f"""
import atexit, sys
from bganalyze.app import cli

class Kept:
    def __del__(self):
        sys.stdout.write("freed\\n")

def main():
    atexit.register(sys.stdout.write, "at exit\\n")
    sys.stdout.write("said, ")
    sys.exit({status})

kept, cli.main = Kept(), main
cli.run()
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ((run.returncode, run.stdout), run.stderr) == (left, errors)


def on_terminal(start: Start, *words: object, **environment: str) -> str:
    """What a call writes to a terminal."""
    import pty

    reading, writing = pty.openpty()
    env = {**os.environ, "TERM": "xterm", **environment}
    with start(*words, stdout=writing, stderr=writing, env=env) as running:
        os.close(writing)
        screen = b"".join(_read(reading)).decode()
        running.wait(SOON)
    os.close(reading)
    return screen


def _read(terminal: int) -> Iterator[bytes]:
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            return
        if not part:
            return
        yield part


class TestTerminal:
    def test_a_finding_is_explained(self, start: Start) -> None:
        screen = on_terminal(start, "check", "faulty.mat", PYTHONIOENCODING="utf-8", COLUMNS="80")
        assert "\x1b[1;31mP409 error" in screen
        assert "┌─13─14" in screen
        assert "stands: " in screen

    def test_a_narrow_one_has_no_board(self, start: Start) -> None:
        screen = on_terminal(start, "check", "faulty.mat", PYTHONIOENCODING="utf-8", COLUMNS="59")
        assert "boards are left out" in screen
        assert "13─14" not in screen
        assert "^^^" in screen

    def test_one_that_is_not_utf_8(self, start: Start) -> None:
        text = Path("faulty.mat").read_text(encoding="utf-8").replace("Bob :", "Bodø:")
        Path("faulty.mat").write_text(text, encoding="utf-8")
        screen = on_terminal(start, "check", "faulty.mat", PYTHONIOENCODING="ascii", COLUMNS="80")
        assert "+-13-14" in screen
        assert "Bod\\xf8" in screen
        assert screen.isascii()

    def test_no_colour(self, start: Start) -> None:
        assert "\x1b" not in on_terminal(start, "check", "faulty.mat", NO_COLOR="1")
        assert "\x1b" in on_terminal(
            start, "check", "faulty.mat", "--color", "always", NO_COLOR="1"
        )
        assert "\x1b" not in on_terminal(start, "check", "faulty.mat", "--color", "never")


def test_colour_where_the_environment_forces_it(start: Start) -> None:
    def screen(*words: str, **environment: str) -> str:
        variables = {**os.environ, "PYTHONIOENCODING": "utf-8", **environment}
        return start("check", "faulty.mat", *words, env=variables).communicate()[0]

    assert "\x1b" in screen(FORCE_COLOR="1")
    assert "\x1b" not in screen(FORCE_COLOR="1", NO_COLOR="1")
    assert "\x1b" not in screen("--color", "never", FORCE_COLOR="1")
    assert "\x1b" not in screen(FORCE_COLOR="")


class Screen(io.StringIO):
    """What is written on standard error."""

    def shows(self, pattern: str) -> None:
        """Wait until a pattern has been written."""
        deadline = time.monotonic() + SOON
        while not re.search(pattern, self.getvalue()):
            assert time.monotonic() < deadline, self.getvalue()
            time.sleep(0.01)


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    """A screen that shows progress from the beginning."""
    from bganalyze.app.cli import progress

    monkeypatch.setattr(progress, "_DELAY", 0.0)
    monkeypatch.setattr(progress, "_INTERVAL", 0.01)
    return Screen()


def test_no_progress_for_what_is_quick(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    from bganalyze.app.cli import progress

    monkeypatch.setattr(progress, "_DELAY", SOON)
    with redirect_stderr(screen), progress.Progress(lambda: 1, visible=True) as shown:
        shown.add(1)
        time.sleep(0.1)
    assert screen.getvalue() == ""


def test_progress_of_what_is_not(screen: Screen) -> None:
    from bganalyze.app.cli import progress

    with redirect_stderr(screen), progress.Progress(lambda: 4, visible=True) as shown:
        assert list(shown.watch(range(2))) == [0, 1]
        screen.shows(r"\[###############---------------\] 2 of 4 files")
    *_, drawn, cleared, _ = screen.getvalue().split("\r")
    assert cleared == " " * len(cleared)
    assert len(cleared) >= len(drawn)


@pytest.mark.parametrize("room", [5, 24, 40, 60])
def test_progress_keeps_to_one_line_of_a_narrow_terminal(
    screen: Screen, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    from bganalyze.app.cli import progress

    monkeypatch.setattr(progress, "_room", lambda: room)
    with redirect_stderr(screen), progress.DecisionProgress(lambda: 2, visible=True) as shown:
        shown.read()
        shown.meet(1234)
        shown.add(617)
        screen.shows("617 of about 2,468 decisions"[:room])
        shown.note("a mistake")
    first, _, _ = screen.getvalue().partition("a mistake")
    lines = first.split("\r")
    assert max(len(line.rstrip()) for line in lines) <= room
    assert any(line.startswith("[##") for line in lines) is (room == 60)


def test_progress_through_decisions_takes_files_that_are_not_read_for_like_the_others(
    screen: Screen,
) -> None:
    from bganalyze.app.cli import progress

    all_counted = threading.Event()
    files = lambda: 10 if all_counted.wait(SOON) else 0  # noqa: E731
    with redirect_stderr(screen), progress.DecisionProgress(files, visible=True) as shown:
        shown.read()
        shown.meet(120)
        shown.add(84)
        screen.shows("\r84 decisions\r")
        all_counted.set()
        screen.shows(r"\] 84 of about 1,200 decisions, \d+ \w+ left")
        for name in ("b.mat", "c.mat"):
            shown.read()
            shown.skip(name)
        screen.shows(r"\] 84 of about 960 decisions, \d+ \w+ left")
        for _ in range(7):
            shown.read()
        shown.note("a mistake")
        screen.shows(r"\] 84 of 120 decisions, \d+ \w+ left")
    assert "\ra mistake\n" in screen.getvalue()
