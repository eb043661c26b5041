"""Calls into a library that hears no signal while it works, made so that signals end them.

Python answers a signal between two of its own steps. The call is made in a thread of its own, and the
thread that asked waits in steps of Python.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from threading import Thread
from typing import TypeVar

_MOMENT = 0.25
"""Seconds between two steps: some systems answer no signal while a thread waits."""

_ATTEMPTS = 8
"""How often a call is asked to end, a moment apart, before it is left behind."""

_A = TypeVar("_A")


def interruptible(
    work: Callable[[], _A], interrupt: Callable[[], object], until: float | None = None
) -> _A:
    """Return what `work` returns; if a signal ends the wait, `interrupt` it and pass the signal on.

    Raises TimeoutError when the monotonic clock has reached `until`.
    """
    future: Future[_A] = Future()
    try:
        Thread(target=_do, args=(work, future), daemon=True).start()
        _wait(future, until)
    except BaseException:
        for _ in range(_ATTEMPTS):  # One that comes before the call has begun is lost.
            interrupt()
            if _is_done(future, _MOMENT):
                break
        raise
    return future.result()


def _do(work: Callable[[], _A], future: Future[_A]) -> None:
    try:
        future.set_result(work())
    except BaseException as error:  # noqa: BLE001 - raised where the result is asked for
        future.set_exception(error)


def _wait(future: Future[_A], until: float | None) -> None:
    while not _is_done(future, _MOMENT):
        if until is not None and time.monotonic() > until:
            raise TimeoutError


def _is_done(future: Future[_A], seconds: float) -> bool:
    with suppress(TimeoutError):
        future.exception(seconds)
    return future.done()
