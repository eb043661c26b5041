"""Runs an external program in a temporary folder; neither outlives this process.

Between this process and the program there is a supervisor: this module, run as a program. It ends the
program and removes the folder as soon as its standard input is closed, which happens however this
process ends, even if it is killed.
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
"""The size limit of its files, in bytes: far more than the answer for the longest match."""
_LAST_WORDS = 4096
"""How many bytes of its output are kept for messages."""


class Task(NamedTuple):
    """What to run."""

    command: Sequence[str]
    files: Mapping[str, str]
    """The texts of files in its folder, by name."""
    environment: Mapping[str, str]
    """Its environment; HOME is its folder."""
    seconds: float
    """Its time limit."""


class Ended(NamedTuple):
    """How a program ended."""

    problem: str | None
    """What went wrong, in words that follow the name of the program."""
    output: str = ""
    """The end of what it wrote to its standard streams."""
    answer: str = ""


def run(task: Task) -> Ended:
    """Run a program until it ends or its time is up."""
    try:
        with subprocess.Popen(  # noqa: S603 -- it runs this module
            _supervisor(),
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


def _supervisor() -> list[str]:
    """Return the command that runs this module as a program.

    A frozen program has no Python beside it, and takes `-m` itself: see `bganalyze.app.cli`. Otherwise
    the source is given to Python, which also works where the module lies in an archive.
    """
    if getattr(sys, "frozen", False):
        return [sys.executable, "-m", __name__]
    return [sys.executable, "-I", "-S", "-c", inspect.getsource(sys.modules[__name__])]


def _supervise() -> None:
    """Run the task that is read from standard input, as long as that stays open."""
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
    """Kill the program and, where the system can, the processes it has started."""
    if sys.platform == "win32":
        program.kill()
    elif program.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)


def _limit_files() -> None:
    """Limit the size of files that programs started from here can write, where the system can."""
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
