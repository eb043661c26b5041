"""A file that takes too much time or memory ends in one line, and costs no other file."""

import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Never

import pytest
from typer.testing import Result

from bganalyze.app.jobs.budget import HOW_TO_REPORT
from bganalyze.record.reader import read_bytes

Runner = Callable[..., Result]

needs_timer = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="the clock of tests is the timer of POSIX"
)


def work_on(*_: object) -> Never:
    """Work for ever, or rather until the test fails."""
    until = time.process_time() + 30
    while time.process_time() < until:
        pass
    pytest.fail("the work was not stopped")


@pytest.mark.slow
@needs_timer
@pytest.mark.parametrize("words", [["report"], ["show"]])
def test_work_on_the_one_file_is_stopped(
    run: Runner, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setenv("BGANALYZE_SECONDS", "0.2")
    monkeypatch.setattr("bganalyze.app.jobs.report.make_match_reports", work_on)
    monkeypatch.setattr("bganalyze.app.api.show.turn_at", work_on)
    result = run(*words, "clean.mat", *(["1.1"] if words == ["show"] else []))
    assert result.exit_code == 2
    assert result.stderr.startswith("bganalyze: clean.mat: stopped after")
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)


@pytest.mark.slow
@needs_timer
def test_convert_goes_on_after_a_file_that_takes_too_long(
    run: Runner, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(content: bytes, path: str) -> object:
        return work_on() if path.endswith("clean.mat") else read_bytes(content, path)

    monkeypatch.setenv("BGANALYZE_SECONDS", "0.2")
    monkeypatch.setattr("bganalyze.app.cli.convert.read_bytes", read)
    result = run("convert", folder, folder / "out", "--to", "sgf")
    assert result.exit_code == 2
    assert "clean.mat: stopped after" in result.stderr
    assert not (folder / "out" / "clean.sgf").exists()
    assert (folder / "out" / "faulty.sgf").exists()


OF_INTERPRETER = re.compile(
    r"(?:Traceback [^\n]*\n(?:(?!Exception ignored)[^\n]*\n)*?)?[^\n]*Exception ignored in [^\n]*\n"
    r"|Exception ignored in: [^\n]*\n(?:Traceback [^\n]*\n(?: [^\n]*\n)*)?MemoryError:?[^\n]*\n"
    r"|Traceback [^\n]*\n(?: +File \"<frozen [^\n]*\n)+SystemError: error return without exception set\n"
)
"""Messages of Python itself about a memory error raised where no code can catch it."""


LITTLE = {
    "check .": (32, 40, 60),
    "repair faulty.mat": (36, 48),
    "stats .": (60, 100, 150, 185, 230, 320),
}
"""Megabytes for each command, from hardly enough to start with to about enough to end."""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is that of Linux")
@pytest.mark.parametrize(
    ("words", "megabytes"), [(words, size) for words, sizes in LITTLE.items() for size in sizes]
)
def test_little_memory_ends_without_a_traceback(folder: Path, words: str, megabytes: int) -> None:
    command = shlex.join([sys.executable, "-m", "bganalyze", *words.split()])
    limited = f"ulimit -v {megabytes * 1024}; exec {command}"
    result = subprocess.run(
        ["bash", "-c", limited], capture_output=True, text=True, check=False, timeout=120
    )
    for words_of_a_fault in ("an internal error of bganalyze", "Traceback"):
        assert words_of_a_fault not in OF_INTERPRETER.sub("", result.stderr) + result.stdout


FAILING = """
from bganalyze.app import cli
def main():
    try:
        raise ValueError("first")
    except ValueError:
        raise {}
cli.main = main
cli.run()
"""


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("MemoryError", "out of memory: the system gives this process no more"),
        (
            "KeyError(1)",
            f"an internal error of bganalyze, please report it: KeyError(1); {HOW_TO_REPORT}",
        ),
    ],
)
def test_an_error_on_the_way_to_tell_of_one_is_told(error: str, told: str) -> None:
    command = [sys.executable, "-c", FAILING.format(error)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (2, f"bganalyze: {told}\n")
