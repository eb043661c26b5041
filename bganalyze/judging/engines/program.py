"""A program of somebody else's, run in a folder of its own; neither outlives this process.

Between this process and the program stands a supervisor: this file, run as a script. It ends the
program and removes the folder as soon as nobody holds the other end of its standard input, which
is so however this process ends, even where it is killed.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ANSWER = "answer"
"""The file that the program leaves its answer in."""
_OUTPUT = "output"

LARGEST = 64 << 20
"""Bytes that it may write into one file: far more than it says of the longest match."""
_LAST_WORDS = 4096
"""Bytes of its output that are worth telling."""


class Task(NamedTuple):
    """What to run."""

    command: Sequence[str]
    files: Mapping[str, str]
    """The texts that it finds in its folder, by name."""
    environment: Mapping[str, str]
    """All that it is told of this process's environment; the folder is its HOME."""
    seconds: float
    """How long it may take."""


class Ended(NamedTuple):
    """How a program ended."""

    problem: str | None
    """What went wrong, to be said of the program."""
    output: str = ""
    """The last that it wrote to its standard streams."""
    answer: str = ""


def run(task: Task) -> Ended:
    """Run a program to its end, or to the end of its time."""
    try:
        with subprocess.Popen(  # noqa: S603 -- it runs this file
            [sys.executable, "-I", "-S", __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # What a terminal sends is answered by this process.
        ) as supervisor:
            assert supervisor.stdin is not None
            assert supervisor.stdout is not None
            supervisor.stdin.write(json.dumps(task).encode() + b"\n")
            supervisor.stdin.flush()
            return Ended(*json.loads(supervisor.stdout.read()))
    except (OSError, ValueError) as error:
        return Ended(f"cannot be supervised: {error}")


def _supervise() -> None:
    """Run what standard input says, as long as that is open."""
    # Whoever ends all processes ends the other two: the folder is still to be removed.
    signal.signal(signal.SIGTERM, lambda *_: None)
    line = sys.stdin.buffer.readline()
    if not line:
        return
    try:
        with TemporaryDirectory(prefix="bganalyze-", ignore_cleanup_errors=True) as folder:
            ended = _ended(Task(*json.loads(line)), Path(folder))
    except OSError as error:
        ended = Ended(f"cannot be started: {error.strerror}")
    with suppress(BrokenPipeError), os.fdopen(1, "wb") as reply:
        reply.write(json.dumps(ended).encode())


def _ended(task: Task, folder: Path) -> Ended:
    for name, text in task.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    _limit_files()
    program = _started(task, folder)
    threading.Thread(target=_kill_when_alone, args=(program,), daemon=True).start()
    try:
        status = program.wait(task.seconds)
        problem = f"ended with status {status}" if status else None
    except subprocess.TimeoutExpired:
        problem = f"took more than {task.seconds:.0f} seconds"
        _kill(program)
        program.wait()
    output, answer = (_content(folder / name) for name in (_OUTPUT, ANSWER))
    if max(len(output), len(answer)) >= LARGEST:
        problem = f"wrote more than {LARGEST >> 20} MB"
    return Ended(problem, _text(output[-_LAST_WORDS:]), _text(answer))


def _started(task: Task, folder: Path) -> subprocess.Popen[bytes]:
    with (folder / _OUTPUT).open("wb") as output:
        return subprocess.Popen(  # noqa: S603 -- what to run is for the caller to know
            task.command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env={**task.environment, "HOME": str(folder)},
            start_new_session=True,
        )


def _kill_when_alone(program: subprocess.Popen[bytes]) -> None:
    os.read(0, 1)  # Nothing more is ever written: this returns when it is closed.
    _kill(program)


def _kill(program: subprocess.Popen[bytes]) -> None:
    """Kill it with what it has started, as far as the system knows that."""
    if sys.platform == "win32":
        program.kill()
    elif program.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)


def _limit_files() -> None:
    """Let nothing that is started from here fill the disk, where the system can see to that."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        with suppress(ValueError):  # A lower limit is in force.
            resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST, most))


def _content(path: Path) -> bytes:
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        return file.read(LARGEST)


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


if __name__ == "__main__":
    _supervise()
