"""Budgets: limits of processor time and memory for the work on one file.

A timer of processor time ticks regularly, and each tick compares the use of time and memory with the limits.
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
"""Processor time for any file, in seconds. Checking the largest usual match takes 0.1 s."""
SECONDS_PER_MEGABYTE = 1.0
"""Additional processor time for each megabyte, in seconds. A check takes 0.3 s for a megabyte."""
MEGABYTE = 1_000_000

MEMORY = 2**30
"""Memory for any file, in bytes."""
MEMORY_PER_BYTE = 64
"""Additional memory for each byte of a file, in bytes. A check takes 20."""

VARIABLE = "BGANALYZE_SECONDS"
"""The environment variable that replaces `SECONDS`; 0 removes the limits."""

DEBUG = "BGANALYZE_DEBUG"
"""The environment variable that has the traceback of an internal fault printed."""

HOW_TO_REPORT = f"open an issue with the file and the traceback, which {DEBUG}=1 prints"

TICK = 0.1
"""Processor time between two ticks, in seconds."""
GRACE = 2.0
"""Processor time to unwind after the budget is spent, before the error is raised again, in seconds."""

_BYTES_PER_MAXRSS = 1 if sys.platform == "darwin" else 1024


class BudgetSpentError(BaseException):
    """The error that the work on a file used up its time or memory.

    It is a BaseException, so that `except Exception` in other code does not catch it.
    """


OUT_OF_MEMORY = "out of memory: the system gives this process no more"

_SIGNS_OF_NO_MEMORY = (
    "cannot allocate memory",
    "failed to map segment",
    "can't start new thread",
    "returned null without setting an exception",
    "error return without exception set",
)
"""Signs of missing memory in messages of errors other than MemoryError."""

_ERRORS_WITHOUT_MEMORY = (SystemError, ImportError, SyntaxError)
"""Errors that the interpreter also raises if it lacks the memory to load a module."""

_MOST_CAUSES = 10
"""The longest chain of causes that is searched."""


def describe_unexpected_error(error: BaseException, culprit: str = "bganalyze") -> str:
    """Return the message about an unexpected error; `culprit` names the program at fault.

    >>> describe_unexpected_error(MemoryError())
    'out of memory: the system gives this process no more'
    """
    print_traceback(error)
    if isinstance(error, BudgetSpentError):
        return str(error)
    from bganalyze.packages import describe_missing_package

    missing = describe_missing_package(error)
    if missing is not None:
        return missing
    if any(map(_is_out_of_memory, _yield_error_chain(error))):
        return OUT_OF_MEMORY
    return f"an internal error of {culprit}, please report it: {error!r}; {HOW_TO_REPORT}"


def print_traceback(error: BaseException) -> None:
    """Print the traceback of an error on standard error if `BGANALYZE_DEBUG` is set."""
    if os.environ.get(DEBUG, "0") not in ("", "0"):
        traceback.print_exception(error)


def _yield_error_chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an error, the error that caused it, and so on."""
    cause: BaseException | None = error
    for _ in range(_MOST_CAUSES):
        if cause is None:
            return
        yield cause
        cause = cause.__cause__ or cause.__context__


def _is_out_of_memory(error: BaseException) -> bool:
    """Whether an error means that memory ran out."""
    if isinstance(error, MemoryError):
        return True
    if isinstance(error, _ERRORS_WITHOUT_MEMORY) and is_memory_limited():
        return True
    # C code often reports it as another error.
    text = str(error).lower()
    return any(sign in text for sign in _SIGNS_OF_NO_MEMORY)


class _Budget:
    """The time and memory that one piece of work may use."""

    def __init__(self, size: int, seconds: float, before: str = "") -> None:
        now = time.process_time()
        self._before = before
        self._seconds = seconds + SECONDS_PER_MEGABYTE * size / MEGABYTE
        self._deadline = now + self._seconds
        self._memory = MEMORY + MEMORY_PER_BYTE * size
        self._peak = _estimate_peak_memory(now) + self._memory
        self.reason: str | None = None
        """Why the work was stopped, if it was."""

    def check(self) -> None:
        """Raise BudgetSpentError if the processor time or the memory is used up."""
        now = time.process_time()
        if now >= self._deadline:
            self.reason = (
                f"stopped after {self._seconds:.0f} s of processor time, the limit for a file of"
                f" its size; to allow more, set {VARIABLE}=60"
            )
        elif _measure_peak_memory() > self._peak:
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
def limit_block(size: int) -> Iterator[None]:
    """Limit the time and memory of a `with` block to what a file of `size` bytes may take.

    Raises BudgetSpentError if a limit is exceeded. Nothing is limited outside the main thread,
    under Pyodide, or if other code uses the profiling timer. On Windows only time is limited.
    """
    global _current  # noqa: PLW0603 - the handler of a signal has no arguments of its own
    outer, seconds = _current, seconds_allowed()
    if seconds == 0 or (outer is None and not _start_timer()):
        yield
        return
    _current = inner = _Budget(size, seconds)
    try:
        yield
        if inner.reason is not None:  # Some code caught the error.
            raise BudgetSpentError(inner.reason)
    finally:
        _current = outer
        if outer is None:
            _stop_timer()


def limit_process(path: str, size: int) -> None:
    """Limit the time and memory of this process to what a file of `size` bytes may take.

    Beyond a limit, BudgetSpentError is raised with `path` in its message.
    """
    global _current  # noqa: PLW0603
    seconds = seconds_allowed()
    if seconds and _start_timer():
        _current = _Budget(size, seconds, f"{path}: ")


def end_process_limit() -> None:
    """Remove the limits set by `limit_process`."""
    global _current  # noqa: PLW0603
    if _current is not None:
        _current = None
        _stop_timer()


def seconds_allowed() -> float:
    """Return the processor seconds allowed for an empty file; 0 means no limit.

    The environment variable BGANALYZE_SECONDS replaces the default.

    >>> seconds_allowed()
    10.0
    """
    try:
        seconds = float(os.environ[VARIABLE])
    except (KeyError, ValueError):
        return SECONDS
    return seconds if 0 <= seconds < float("inf") else SECONDS


_measured: tuple[float, int] | None = None
"""Processor time at which the peak memory was last measured for a budget, and that peak."""


def _estimate_peak_memory(now: float) -> int:
    """Return the peak memory of this process in bytes, measured in the last `TICK` seconds.

    `now` is the processor time used so far, in seconds.
    """
    global _measured  # noqa: PLW0603
    if _measured is None or now - _measured[0] >= TICK:
        _measured = now, _measure_peak_memory()
    return _measured[1]


def _measure_peak_memory() -> int:
    """Return the peak memory of this process in bytes, or 0 if it is unknown."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _BYTES_PER_MAXRSS


# The ticks: a timer of the system, or a thread if there is no timer.

_SIGNAL = getattr(signal, "SIGPROF", signal.SIGABRT)


def _check_budget(_: int, __: FrameType | None) -> None:
    """Raise an error if the time or the memory is used up. The timer's signal calls this."""
    if _current is not None:
        _current.check()


def _start_timer() -> bool:
    """Start the timer that checks the limits; return False if this is impossible."""
    if sys.platform == "emscripten" or threading.current_thread() is not threading.main_thread():
        return False
    if hasattr(signal, "getitimer") and signal.getitimer(signal.ITIMER_PROF)[0]:
        return False  # Processes of the page's server use this timer to end.
    handler = signal.getsignal(_SIGNAL)
    if handler is signal.SIG_DFL:
        signal.signal(
            _SIGNAL, _check_budget
        )  # Kept for good: a late tick would kill the process otherwise.
    elif handler is not _check_budget:
        return False
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, TICK, TICK)
    else:
        _start_ticking_thread()
    return True


def _stop_timer() -> None:
    """Stop the timer that `_start_timer` started."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, 0)


def _start_ticking_thread() -> None:
    """Start the thread that checks the limits on systems without a timer."""
    name = "bganalyze-budget"
    if all(thread.name != name for thread in threading.enumerate()):
        threading.Thread(target=_tick_forever, name=name, daemon=True).start()


def _tick_forever() -> None:
    """Interrupt the main thread every `TICK` seconds while limits are set."""
    while True:
        time.sleep(TICK)
        if _current is not None:
            _thread.interrupt_main(_SIGNAL)
