"""Budgets: how much processor time and memory the work on one file may take, and running out of them.

A clock ticks with the processor time of the process, and each tick looks at what the work has used.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from bganalyze.app.jobs.memory import is_memory_limited

SECONDS = 10.0
"""Processor time for any file, in seconds. A check of the largest usual match takes 0.1 s."""
SECONDS_PER_MEGABYTE = 1.0
"""Processor time for each megabyte in addition. A check takes 0.3 s for a megabyte of matches."""
MEGABYTE = 1_000_000

MEMORY = 2**30
"""Memory for any file, in bytes."""
MEMORY_PER_BYTE = 64
"""Memory for each byte of a file in addition. A check takes 20."""

VARIABLE = "BGANALYZE_SECONDS"
"""The environment variable that replaces `SECONDS`; 0 removes the limits."""

DEBUG = "BGANALYZE_DEBUG"
"""The environment variable that has the traceback of an internal fault printed."""

HOW_TO_REPORT = f"open an issue with the file and the traceback, which {DEBUG}=1 prints"

TICK = 0.1
"""Processor time between two looks at what was used, in seconds."""
GRACE = 2.0
"""Processor time to unwind after the budget was spent, before the next error is raised, in seconds."""

_BYTES_PER_MAXRSS = 1 if sys.platform == "darwin" else 1024


class BudgetSpentError(BaseException):
    """The work on a file was stopped: it has used up its time or its memory.

    A BaseException, so that code that expects errors of its own does not take it for one of these.
    """


OUT_OF_MEMORY = "out of memory: the system gives this process no more"

_SIGNS_OF_NO_MEMORY = (
    "cannot allocate memory",
    "failed to map segment",
    "can't start new thread",
    "returned null without setting an exception",
    "error return without exception set",
)
"""What the system and the interpreter say, in errors of other classes than MemoryError."""

_ERRORS_WITHOUT_MEMORY = (SystemError, ImportError, SyntaxError)
"""What the interpreter raises as well where it gets no memory to load a module."""

_MOST_CAUSES = 10
"""How many errors behind an error are looked at."""


def problem_of(error: BaseException, culprit: str = "bganalyze") -> str:
    """Return the message for an error that no other code has expected.

    If `BGANALYZE_DEBUG` is set, print its traceback on standard error.

    >>> problem_of(MemoryError())
    'out of memory: the system gives this process no more'
    >>> problem_of(ZeroDivisionError("division by zero")).partition(";")[0]
    "a fault of bganalyze, please report it: ZeroDivisionError('division by zero')"
    """
    print_traceback(error)
    if isinstance(error, BudgetSpentError):
        return str(error)
    if any(map(_is_want_of_memory, _with_causes(error))):
        return OUT_OF_MEMORY
    return f"a fault of {culprit}, please report it: {error!r}; {HOW_TO_REPORT}"


def print_traceback(error: BaseException) -> None:
    """Print the traceback of an error on standard error if `BGANALYZE_DEBUG` is set."""
    if os.environ.get(DEBUG, "0") not in ("", "0"):
        traceback.print_exception(error)


def _with_causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and those that led to it: libraries raise errors of their own for others."""
    cause: BaseException | None = error
    for _ in range(_MOST_CAUSES):
        if cause is None:
            return
        yield cause
        cause = cause.__cause__ or cause.__context__


def _is_want_of_memory(error: BaseException) -> bool:
    """Whether an error says that there is no more memory; code in C often says it badly."""
    if isinstance(error, MemoryError):
        return True
    if isinstance(error, _ERRORS_WITHOUT_MEMORY) and is_memory_limited():
        return True
    text = str(error).lower()
    return any(sign in text for sign in _SIGNS_OF_NO_MEMORY)


class _Budget:
    """What the work may use up to the end of its block."""

    def __init__(self, size: int, seconds: float, before: str = "") -> None:
        self._before = before
        self._seconds = seconds + SECONDS_PER_MEGABYTE * size / MEGABYTE
        self._deadline = time.process_time() + self._seconds
        self._memory = MEMORY + MEMORY_PER_BYTE * size
        self._peak = _peak_memory() + self._memory
        self.reason: str | None = None
        """Why the work was stopped, if it was."""

    def check(self) -> None:
        """Raise BudgetSpentError if the budget is spent."""
        now = time.process_time()
        if now >= self._deadline:
            self.reason = (
                f"stopped after {self._seconds:.0f} s of processor time, the limit for a file of"
                f" its size; to allow more, set {VARIABLE}=60"
            )
        elif _peak_memory() > self._peak:
            self.reason = (
                f"stopped at {self._memory / 2**30:.1f} GiB of memory, the limit for a file of"
                f" its size; to remove the limits, set {VARIABLE}=0"
            )
        else:
            return
        self._deadline, self._peak = now + GRACE, sys.maxsize
        raise BudgetSpentError(self._before + self.reason)


_current: _Budget | None = None


@contextmanager
def budget(size: int) -> Iterator[None]:
    """Stop the work in this block with BudgetSpentError when it takes too much for `size` bytes.

    Only the main thread can be stopped; in another thread, under Pyodide, and where another part of
    the process uses the profiling timer, there is no limit. A block inside another one has a
    budget of its own. Windows limits the time only.
    """
    global _current  # noqa: PLW0603 - the handler of a signal has no arguments of its own
    outer, seconds = _current, seconds_allowed()
    if seconds == 0 or (outer is None and not _start_ticking()):
        yield
        return
    _current = inner = _Budget(size, seconds)
    try:
        yield
        if inner.reason is not None:  # Some code took the error for one of its own.
            raise BudgetSpentError(inner.reason)
    finally:
        _current = outer
        if outer is None:
            _stop_ticking()


def limit_run(path: str, size: int) -> None:
    """Give the rest of a run a budget: its work is about one file of `size` bytes."""
    global _current  # noqa: PLW0603
    seconds = seconds_allowed()
    if seconds and _start_ticking():
        _current = _Budget(size, seconds, f"{path}: ")


def end_limit() -> None:
    """Remove the budget of a run."""
    global _current  # noqa: PLW0603
    if _current is not None:
        _current = None
        _stop_ticking()


def seconds_allowed() -> float:
    """Return the processor time for any file, in seconds; 0 for no limit.

    >>> seconds_allowed()
    10.0
    """
    try:
        seconds = float(os.environ[VARIABLE])
    except (KeyError, ValueError):
        return SECONDS
    return seconds if 0 <= seconds < float("inf") else SECONDS


def _peak_memory() -> int:
    """Return the most memory that this process ever had, in bytes; 0 where that is unknown."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _BYTES_PER_MAXRSS


# The clock: a timer of the system, or a thread where there is none.

_SIGNAL = getattr(signal, "SIGPROF", signal.SIGABRT)


def _look(_: int, __: FrameType | None) -> None:
    """Look at the budget. This handles the signal of each tick."""
    if _current is not None:
        _current.check()


def _start_ticking() -> bool:
    """Start the clock if this thread can be stopped; return whether it runs."""
    if sys.platform == "emscripten" or threading.current_thread() is not threading.main_thread():
        return False
    if hasattr(signal, "getitimer") and signal.getitimer(signal.ITIMER_PROF)[0]:
        return False  # As in a process of the page's server, which the timer ends.
    handler = signal.getsignal(_SIGNAL)
    if handler is signal.SIG_DFL:
        signal.signal(_SIGNAL, _look)  # It stays: a late tick would end the process otherwise.
    elif handler is not _look:
        return False
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, TICK, TICK)
    else:
        _start_thread()
    return True


def _stop_ticking() -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, 0)


def _start_thread() -> None:
    """Start the thread that ticks where the system has no timer, unless it runs."""
    name = "bganalyze-budget"
    if all(thread.name != name for thread in threading.enumerate()):
        threading.Thread(target=_tick_forever, name=name, daemon=True).start()


def _tick_forever() -> None:
    while True:
        time.sleep(TICK)
        if _current is not None:
            _thread.interrupt_main(_SIGNAL)
