"""End of a run that is interrupted, or whose output nobody reads."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import Result

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
@pytest.mark.parametrize(
    ("words", "unbuffered"),
    [(["check", "faulty.mat"], ""), (["check", "faulty.mat"], "1"), (["rule"], ""), (["-h"], "1")],
)
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
    """Return what a call writes to a terminal."""
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
        assert "boards are not shown" in screen
        assert "13─14" not in screen
        assert "^^^" in screen

    def test_one_that_is_not_utf_8(self, start: Start) -> None:
        text = Path("faulty.mat").read_text(encoding="utf-8").replace("Bob :", "Bodø:")
        Path("faulty.mat").write_text(text, encoding="utf-8")
        screen = on_terminal(start, "check", "faulty.mat", PYTHONIOENCODING="ascii", COLUMNS="80")
        assert "+-13-14" in screen
        assert "Bod\\xf8" in screen
        assert screen.isascii()

    def test_no_color(self, start: Start) -> None:
        assert "\x1b" not in on_terminal(start, "check", "faulty.mat", NO_COLOR="1")
        assert "\x1b" not in on_terminal(start, "check", "faulty.mat", "--color", "never")


def test_color_where_the_environment_forces_it(run: Callable[..., Result]) -> None:
    def screen(*words: str, **environment: str) -> str:
        return run("check", "faulty.mat", *words, env=environment).stdout

    assert "\x1b" in screen(FORCE_COLOR="1")
    assert "\x1b" not in screen(FORCE_COLOR="1", NO_COLOR="1")
    assert "\x1b" not in screen("--color", "never", FORCE_COLOR="1")
    assert "\x1b" in screen("--color", "always", NO_COLOR="1")
    assert "\x1b" not in screen(FORCE_COLOR="")
