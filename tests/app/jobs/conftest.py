"""Fixtures of all tests of jobs."""

from __future__ import annotations

import multiprocessing

import pytest

from tests.app.jobs import test_workers


@pytest.fixture(autouse=True)
def note_earlier_processes() -> None:
    """Note the processes that run already, such as those of a cluster, which are not the test's own."""
    test_workers.EARLIER[:] = multiprocessing.active_children()
