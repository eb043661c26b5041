"""Fixtures of all tests of jobs."""

from __future__ import annotations

import pytest

from tests.app.jobs.children import note_earlier_processes


@pytest.fixture(autouse=True)
def _earlier_processes() -> None:
    """Note the processes that run before a test, so that only its own are looked for."""
    note_earlier_processes()
