"""Answers that take too long, say too much, or never come, for a server to deal with."""

from __future__ import annotations

import json
import os
import signal
import tempfile
import time
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

from bganalyze.app.serving.answers import answer_request
from bganalyze.app.serving.requests import Request, open_dropped_file

BUSY = "busy"
"""The name of a temporary file that each answer leaves."""
PIECE = "x" * 2**16
LARGE = 512
"""Number of pieces of a large answer: more than any buffer between a process and its client holds."""


def misbehaving(request: Request) -> Iterator[str]:
    """Answer by the name of the first file, and properly where it names nothing of this."""
    Path(tempfile.gettempdir(), BUSY).touch()
    answer = ANSWERS.get(request.sources[0].path, answer_request)
    yield from answer(request)


def spin(request: Request) -> Iterator[str]:
    while True:
        pass
    yield ""


def spin_and_be_stopped_soon(request: Request) -> Iterator[str]:
    signal.setitimer(signal.ITIMER_PROF, 0.1)
    yield from spin(request)


def sleep(request: Request) -> Iterator[str]:
    time.sleep(3600)
    yield ""


def hold(request: Request) -> Iterator[str]:
    with open_dropped_file(request.sources[0], request.context) as items:
        next(items)
        yield from sleep(request)


def die(request: Request) -> Iterator[str]:
    os._exit(1)
    yield ""


def tell_seconds_left(request: Request) -> Iterator[str]:
    yield json.dumps(signal.getitimer(signal.ITIMER_PROF)[0])


ANSWERS = {
    "spin": spin,
    "spin and be stopped soon": spin_and_be_stopped_soon,
    "tell seconds left": tell_seconds_left,
    "sleep": sleep,
    "hold.zip": hold,
    "endless": lambda request: repeat(PIECE),
    "large": lambda request: repeat(PIECE, LARGE),
    "die": die,
}
