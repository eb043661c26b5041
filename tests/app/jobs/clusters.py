"""Clusters on loopback: a scheduler and workers as processes, which end with the test or soon after."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[3]

STARTS = 180.0
"""Seconds that a busy machine may take until a scheduler runs."""


class Served(NamedTuple):
    """A scheduler and its workers."""

    address: str
    scheduler: subprocess.Popen[bytes]
    workers: subprocess.Popen[bytes]
    """The process that starts the workers, and starts them again where they die."""


def dask(folder: Path, *words: object, **variables: str) -> subprocess.Popen[bytes]:
    """Start a program of Dask's, which knows the tests too."""
    return subprocess.Popen(
        [sys.executable, "-m", "dask", *map(str, words), "--no-dashboard"],
        env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@contextmanager
def serve_cluster(folder: Path, workers: int) -> Iterator[Served]:
    """Start a scheduler with `workers` workers of one thread each."""
    file = folder / "scheduler.json"
    local = ("--host", "127.0.0.1")
    with dask(
        folder, "scheduler", *local, "--port", 0, "--scheduler-file", file, "--idle-timeout", "600s"
    ) as scheduler:
        address = address_in(file)
        worker_options = ("--nthreads", 1, "--death-timeout", 180, "--local-directory", folder)
        number = ("--nworkers", workers)
        with dask(folder, "worker", address, *local, *number, *worker_options) as started:
            try:
                await_workers(address, workers)
                yield Served(address, scheduler, started)
            finally:
                started.kill()
                scheduler.kill()


def await_workers(address: str, number: int) -> None:
    """Wait until a scheduler has `number` workers."""
    from distributed import Client

    with Client(address, timeout=STARTS, set_as_default=False) as client:
        if number:
            client.wait_for_workers(number, timeout=STARTS)


def address_in(file: Path) -> str:
    """Return the address that a scheduler has written, as soon as it is there."""
    deadline = time.monotonic() + STARTS
    while time.monotonic() < deadline:
        try:
            return str(json.loads(file.read_text(encoding="utf-8"))["address"])
        except (OSError, ValueError):
            time.sleep(0.1)
    raise TimeoutError("no scheduler has started")
