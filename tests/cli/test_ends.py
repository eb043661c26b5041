"""How a run ends when it is interrupted, or when nobody reads what it writes."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="signals and pipes of POSIX"),
    pytest.mark.slow,
]

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_closed_pipe(start: Start, match_folder: Path, workers: int) -> None:
    with start("check", match_folder, "--workers", workers) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert "P409" in running.stdout.readline()
        running.stdout.close()
        assert (running.stderr.read(), running.wait(20)) == ("", 141)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupt(start: Start, match_folder: Path, workers: int) -> None:
    with start("check", match_folder, "--workers", workers, process_group=0) as running:
        assert running.stdout is not None
        running.stdout.readline()
        os.killpg(running.pid, signal.SIGINT)
        _, errors = running.communicate(timeout=20)
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
        assert (running.stderr.read(), running.wait(20)) == (
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


def on_terminal(start: Start, *words: object, **environment: str) -> str:
    """What a call writes to a terminal."""
    import pty

    reading, writing = pty.openpty()
    env = {**os.environ, "TERM": "xterm", **environment}
    with start(*words, stdout=writing, stderr=writing, env=env) as running:
        os.close(writing)
        screen = b"".join(_read(reading)).decode()
        running.wait(30)
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


def test_no_progress_for_what_is_quick(start: Start) -> None:
    assert "of 1 files" not in on_terminal(start, "check", "faulty.mat")


def test_progress_of_what_is_not(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    from bganalyze.cli import progress

    monkeypatch.setattr(progress, "_DELAY", 0.0)
    monkeypatch.setattr(progress, "_INTERVAL", 0.01)
    with progress.Progress(lambda: 4, visible=True) as screen:
        for _ in screen.watch(range(2)):
            time.sleep(0.1)
    error = capsys.readouterr().err
    assert "[###############---------------] 2 of 4 files" in error
    assert error.endswith(" \r")


def test_progress_keeps_to_one_line_of_a_narrow_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    from bganalyze.cli import progress

    monkeypatch.setattr(progress, "_DELAY", 0.0)
    monkeypatch.setattr(progress, "_INTERVAL", 0.01)
    for room in (5, 24, 40, 60):
        monkeypatch.setattr(progress, "_room", lambda room=room: room)
        with progress.DecisionProgress(lambda: 2, visible=True) as screen:
            screen.read()
            screen.meet(1234)
            screen.add(617)
            time.sleep(0.1)
            screen.note("a mistake")
        first, _, _ = capsys.readouterr().err.partition("a mistake")
        lines = first.split("\r")
        assert max(len(line.rstrip()) for line in lines) <= room
        assert any("617 of about 2,468 decisions"[:room] in line for line in lines)
        assert any(line.startswith("[##") for line in lines) is (room == 60)


def test_progress_through_decisions_takes_files_that_are_not_read_for_like_the_others(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    from bganalyze.cli import progress

    monkeypatch.setattr(progress, "_DELAY", 0.0)
    monkeypatch.setattr(progress, "_INTERVAL", 0.01)
    all_counted = threading.Event()
    files = lambda: 10 if all_counted.wait(10) else 0  # noqa: E731
    with progress.DecisionProgress(files, visible=True) as screen:
        screen.read()
        screen.meet(120)
        screen.add(84)
        time.sleep(0.1)
        all_counted.set()
        time.sleep(0.1)
        for name in ("b.mat", "c.mat"):
            screen.read()
            screen.skip(name)
        time.sleep(0.1)
        for _ in range(7):
            screen.read()
        screen.note("a mistake")
        time.sleep(0.1)
    error = capsys.readouterr().err
    assert "\r84 decisions\r" in error
    assert re.search(r"\] 84 of about 1,200 decisions, \d+ \w+ left", error)
    assert re.search(r"\] 84 of about 960 decisions, \d+ \w+ left", error)
    assert re.search(r"\] 84 of 120 decisions, \d+ \w+ left", error)
    assert "\ra mistake\n" in error
