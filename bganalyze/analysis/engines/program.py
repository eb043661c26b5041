"""Running an external program in a temporary folder; neither outlives this process.

Between this process and the program there is a supervisor: this module, run as a program. It ends
the program and removes the folder as soon as its standard input is closed. That happens however
this process ends, even if it is killed.
"""

from __future__ import annotations

import inspect
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
"""The file to which the program writes its answer."""
_OUTPUT = "output"

LARGEST = 64 << 20
"""Size limit of the program's files, in bytes: far more than the answer for the longest match."""
_LAST_WORDS = 4096
"""Bytes of the program's output that are kept for messages."""


class Task(NamedTuple):
    """A program to run, with its files and limits."""

    command: Sequence[str]
    files: Mapping[str, str]
    """Texts of the files in the program's folder, by name."""
    environment: Mapping[str, str]
    """Environment of the program; HOME is set to its folder."""
    seconds: float
    """Time limit in seconds."""


class Ended(NamedTuple):
    """Outcome of a program that was run."""

    problem: str | None
    """The failure, in words that follow the name of the program; None if it succeeded."""
    output: str = ""
    """The end of its output to the standard streams."""
    answer: str = ""


def run(task: Task) -> Ended:
    """Run a program in a temporary folder until it ends, its time is up, or bganalyze ends."""
    try:
        with subprocess.Popen(  # noqa: S603 -- it runs this module
            _make_supervisor_command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # This process handles the terminal's signals.
        ) as supervisor:
            assert supervisor.stdin is not None
            assert supervisor.stdout is not None
            supervisor.stdin.write(json.dumps(task).encode() + b"\n")
            supervisor.stdin.flush()
            return Ended(*json.loads(supervisor.stdout.read()))
    except (OSError, ValueError) as error:
        return Ended(f"cannot be supervised: {error}")


def _make_supervisor_command() -> list[str]:
    """Return the command of a helper that runs a program, and kills it when bganalyze ends."""
    # A single-file executable has no separate Python.
    if getattr(sys, "frozen", False):
        return [sys.executable, "-m", __name__]
    return [sys.executable, "-I", "-S", "-c", inspect.getsource(sys.modules[__name__])]


def _supervise() -> None:
    """Run the task that standard input describes, and write its outcome to standard output."""
    # A signal to all processes ends the other two; this one must still remove the folder.
    signal.signal(signal.SIGTERM, lambda *_: None)
    # When standard input is closed, the program is killed.
    line = sys.stdin.buffer.readline()
    if not line:
        return
    try:
        with TemporaryDirectory(prefix="bganalyze-", ignore_cleanup_errors=True) as folder:
            ended = _run_task(Task(*json.loads(line)), Path(folder))
    except OSError as error:
        ended = Ended(f"cannot be started: {error.strerror}")
    with suppress(BrokenPipeError), os.fdopen(1, "wb") as reply:
        reply.write(json.dumps(ended).encode())


def _run_task(task: Task, folder: Path) -> Ended:
    """Run a task's program in a folder, within its time, and return its output."""
    for name, text in task.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    _limit_files()
    program = _start_program(task, folder)
    threading.Thread(target=_kill_when_input_closes, args=(program,), daemon=True).start()
    try:
        status = program.wait(task.seconds)
        problem = f"ended with status {status}" if status else None
    except subprocess.TimeoutExpired:
        problem = f"took more than {task.seconds:.0f} seconds"
        _kill_program(program)
        program.wait()
    output, answer = (_read_limited(folder / name) for name in (_OUTPUT, ANSWER))
    if max(len(output), len(answer)) >= LARGEST:
        problem = f"wrote more than {LARGEST >> 20} MB"
    return Ended(problem, _decode(output[-_LAST_WORDS:]), _decode(answer))


def _start_program(task: Task, folder: Path) -> subprocess.Popen[bytes]:
    """Start a task's program in a folder, and write its output to a file there."""
    with (folder / _OUTPUT).open("wb") as output:
        return subprocess.Popen(  # noqa: S603 -- the caller chooses the program
            task.command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env={**task.environment, "HOME": str(folder)},
            start_new_session=True,
        )


def _kill_when_input_closes(program: subprocess.Popen[bytes]) -> None:
    """Wait until standard input is closed, then kill the program."""
    os.read(0, 1)  # Nothing more is written here, so this returns when the input is closed.
    _kill_program(program)


def _kill_program(program: subprocess.Popen[bytes]) -> None:
    """Kill the program and, except on Windows, the processes it has started."""
    if sys.platform == "win32":
        program.kill()
    elif program.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)


def _limit_files() -> None:
    """Limit the size of files that programs started from here can write, except on Windows."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        with suppress(ValueError):  # A lower limit is already set.
            resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST, most))


def _read_limited(path: Path) -> bytes:
    """Return the first `LARGEST` bytes of a file, or `b""` if the file is missing."""
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        return file.read(LARGEST)


def _decode(content: bytes) -> str:
    """Return the output of a program as text, with undecodable bytes replaced."""
    return content.decode("utf-8", "replace")


if __name__ == "__main__":
    _supervise()
