"""Interruptible calls: let signals end a library call that ignores them while it works.

Python handles a signal only between two of its own steps. So the call runs in another thread, and
the calling thread waits in Python.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from threading import Thread
from typing import TypeVar

_MOMENT = 0.25
"""Seconds between two steps. Some systems deliver no signal while a thread waits."""

_ATTEMPTS = 8
"""Requests to end a call, a moment apart, before it is abandoned."""

_A = TypeVar("_A")


def interruptible(
    work: Callable[[], _A], interrupt: Callable[[], object], until: float | None = None
) -> _A:
    """Return the result of `work`, run in a thread so that signals can end it.

    If a signal raises an exception here, call `interrupt` and raise the exception again. Raise
    TimeoutError in the same way when the monotonic clock reaches `until`.
    """
    future: Future[_A] = Future()
    try:
        Thread(target=_run_into_future, args=(work, future), daemon=True).start()
        _wait_for_future(future, until)
    except BaseException:
        for _ in range(_ATTEMPTS):  # A request before the call has started is lost.
            interrupt()
            if _is_done(future, _MOMENT):
                break
        raise
    return future.result()


def _run_into_future(work: Callable[[], _A], future: Future[_A]) -> None:
    """Run work and store its result or its exception in a future."""
    try:
        future.set_result(work())
    except BaseException as error:  # noqa: BLE001 - raised by future.result()
        future.set_exception(error)


def _wait_for_future(future: Future[_A], until: float | None) -> None:
    """Wait until a future is done; raise TimeoutError when the monotonic clock reaches `until`.

    The waits are short, so that signals are handled.
    """
    while not _is_done(future, _MOMENT):
        if until is not None and time.monotonic() > until:
            raise TimeoutError


def _is_done(future: Future[_A], seconds: float) -> bool:
    """Wait `seconds` for a future; return whether it is done."""
    with suppress(TimeoutError):
        future.exception(seconds)
    return future.done()
