"""The processes that a test has started, without those of earlier tests such as a cluster."""

from __future__ import annotations

import gc
import multiprocessing
import time
from multiprocessing.process import BaseProcess

_EARLIER: list[BaseProcess] = []
"""Processes that ran before the test."""


def note_earlier_processes() -> None:
    """Note the processes that run already."""
    _EARLIER[:] = multiprocessing.active_children()


def list_own_children() -> list[BaseProcess]:
    """Return the processes that run and were not noted."""
    return [one for one in multiprocessing.active_children() if one not in _EARLIER]


def children_end() -> bool:
    """Whether no process of the test is left after a while."""
    gc.collect()  # Results that nobody read keep their processes until they are collected.
    deadline = time.monotonic() + 60
    while list_own_children() and time.monotonic() < deadline:
        time.sleep(0.05)
    return not list_own_children()
