"""Interruptible calls: let signals end a library call that ignores them while it works.

Python handles a signal only between two of its own steps. So the call runs in another thread, and
the calling thread waits in Python.
"""

from __future__ import annotations

import time
from _thread import start_new_thread
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Generic, TypeVar
from weakref import ReferenceType, ref

_MOMENT = 0.25
"""Seconds between two steps. Some systems deliver no signal while a thread waits."""

_ATTEMPTS = 8
"""Requests to end a call, a moment apart, before it is abandoned."""

_A = TypeVar("_A")


def run_interruptibly(
    work: Callable[[], _A], interrupt: Callable[[], object], deadline: float | None = None
) -> _A:
    """Run `work` in a thread and return its result, but let signals such as Ctrl+C end it.

    `interrupt` makes `work` return early. Raises the exception of the signal's handler, or
    TimeoutError at `deadline` (a time of `time.monotonic`).
    """
    future: Future[_A] = Future()
    try:
        _wait_for_future(future, _start_thread(work, future), deadline)
    except BaseException:
        for _ in range(_ATTEMPTS):  # A request before the call has started is lost.
            interrupt()
            if _is_done(future, _MOMENT):
                break
        raise
    return future.result()


class _Call(Generic[_A]):
    """A function to call in a thread, and the future that receives its result."""

    def __init__(self, work: Callable[[], _A], future: Future[_A]) -> None:
        self._work = work
        self._future = future

    def run(self) -> None:
        """Call the function, and store its result or exception in the future."""
        try:
            self._future.set_result(self._work())
        except BaseException as error:  # noqa: BLE001 - raised by future.result()
            self._future.set_exception(error)


def _start_thread(work: Callable[[], _A], future: Future[_A]) -> ReferenceType[_Call[_A]]:
    """Start a thread that puts the result or exception of `work` into `future`.

    Return a weak reference, which gives None once the thread has ended.
    """
    call = _Call(work, future)
    try:  # `Thread.start` would wait forever if the thread ended for lack of memory.
        start_new_thread(call.run, ())
    except RuntimeError as error:  # The system refuses the thread its memory.
        future.set_exception(MemoryError(str(error)))
    return ref(call)


def _wait_for_future(
    future: Future[_A], call: ReferenceType[_Call[_A]], deadline: float | None
) -> None:
    """Wait until a thread has put its result into a future, unless a signal interrupts.

    Raises TimeoutError at `deadline`. If the thread `call` ends without a result, the future gets a
    MemoryError.
    """
    while not _is_done(future, _MOMENT):  # Python handles signals between the short waits.
        if call() is None and not future.done():
            future.set_exception(MemoryError("a thread ended for lack of memory"))
        elif deadline is not None and time.monotonic() > deadline:
            raise TimeoutError


def _is_done(future: Future[_A], seconds: float) -> bool:
    """Wait at most `seconds`, and return whether the future is done by then."""
    with suppress(TimeoutError):
        future.exception(seconds)
    return future.done()
