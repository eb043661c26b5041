"""Try the promises of `app/jobs/workers.py` on other executors: concurrent.futures, loky and Dask.

    python -m tests.benchmarks.promises_of_executors [EXECUTOR ...]

Each promise is a program of its own that uses an executor in the plainest way its documentation
shows, with two processes. docs/design/decisions.md gives the result. loky is installed with pip.
"""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]

Mapped = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]


LONGEST = 20
"""Seconds that a program is waited for."""


def ours(function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
    """Run `function` over items in the processes of this project."""
    from bganalyze.app.jobs.executor import map_files
    from bganalyze.app.jobs.workers import Processes

    return map_files(function, items, Processes(2))


def futures(function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
    """Run `function` over items with the standard library's processes."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(2, get_context("spawn")) as executor:
        yield from executor.map(function, items, chunksize=8)


def loky(function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
    """Run `function` over items with loky, the executor of joblib."""
    from loky import get_reusable_executor

    yield from get_reusable_executor(max_workers=2).map(function, items, chunksize=8)


def dask(function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
    """Run `function` over items with Dask's processes on one machine."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        for future in client.map(function, list(items), pure=False):
            yield future.result()


EXECUTORS: dict[str, Mapped] = {"ours": ours, "futures": futures, "loky": loky, "dask": dask}


# Functions that the processes run


def die(number: int) -> int:
    """End the process over one number."""
    if number == 77:
        os._exit(1)
    return number


def hang(number: int) -> int:
    """Take a minute over each number but the first ones."""
    time.sleep(60 if number > 20 else 0)
    return number


# The programs: each prints what its promise is analyzed by.


def flow(mapped: Mapped) -> None:
    """Print how many of 20,000 items were taken when the first result arrived."""
    consumed = []
    results = mapped(abs, (consumed.append(number) or number for number in range(20_000)))
    next(results)
    print(len(consumed), "items taken", flush=True)
    os._exit(0)


def order(mapped: Mapped) -> None:
    """Print whether results come in the order of the items."""
    print("in order" if list(mapped(abs, range(500))) == list(range(500)) else "out of order")


def death(mapped: Mapped) -> None:
    """Print whether the error about a process that dies over item 77 names the item."""
    try:
        list(mapped(die, range(200)))
    except Exception as error:  # noqa: BLE001 - whatever it is
        text = str(error)
        print("named: " if "77" in text or "72" in text else "not named: ", type(error).__name__)


def running(mapped: Mapped) -> None:
    """Work for long, to be ended from outside."""
    for number in mapped(hang, range(200)):
        if number == 7:
            print("under way", flush=True)


# The analyze.


def program(name: str, executor: str, folder: str) -> subprocess.Popen[str]:
    """Start one of these programs in a folder."""
    call = [sys.executable, "-P", "-m", __spec__.name, "--run", name, executor]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": folder}
    return subprocess.Popen(
        call,
        cwd=folder,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        process_group=0,
    )


def answer(name: str, executor: str) -> str:
    """Return what a program prints."""
    with tempfile.TemporaryDirectory() as folder, program(name, executor, folder) as process:
        try:
            return process.communicate(timeout=LONGEST)[0].strip() or "nothing"
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return f"nothing within {LONGEST} s"


def measure_end(number: signal.Signals, executor: str, *, whole_group: bool) -> str:
    """Return how long a program lives on after a signal, and what it says and leaves."""
    with tempfile.TemporaryDirectory() as folder, program("running", executor, folder) as process:
        assert process.stdout is not None
        process.stdout.readline()  # It says that work is under way.
        time.sleep(0.5)
        start = time.monotonic()
        (os.killpg if whole_group else os.kill)(process.pid, number)
        try:
            process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return f"lives on after {LONGEST} s"
        seconds = time.monotonic() - start
        time.sleep(2)
        left = of_group(process.pid)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        return f"ends after {seconds:.1f} s, {len(left)} processes left two seconds later"


def of_group(group: int) -> list[int]:
    """Return the processes of a group."""
    processes = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            fields = (process / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] != "Z":
            processes.append(int(process.name))
    return processes


def strangers(executor: str) -> str:
    """Return what is imported from the folder in which a program runs."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("random", "multiprocessing", "socket", "lark", "distributed"):
            code = "import os\nos.close(os.open('imported', os.O_CREAT))\nraise SystemExit(1)\n"
            (Path(folder) / f"{name}.py").write_text(code)
        with program("order", executor, folder) as process:
            try:
                process.communicate(timeout=LONGEST)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
        is_imported = (Path(folder) / "imported").exists()
        return "imports what lies there" if is_imported else "imports nothing"


PROMISES: dict[str, Callable[[str], str]] = {
    "order of the results": lambda executor: answer("order", executor),
    "items taken as needed": lambda executor: answer("flow", executor),
    "a process that dies is named": lambda executor: answer("death", executor),
    "Ctrl-C": lambda executor: measure_end(signal.SIGINT, executor, whole_group=True),
    "kill -9 of the parent": lambda executor: measure_end(
        signal.SIGKILL, executor, whole_group=False
    ),
    "the present folder": strangers,
}


def main() -> None:
    """Print a table of promises and executors."""
    if sys.argv[1:2] == ["--run"]:
        programs = {f.__name__: f for f in (order, flow, death, running)}
        programs[sys.argv[2]](EXECUTORS[sys.argv[3]])
        return
    executors = sys.argv[1:] or [*EXECUTORS]
    needs = {"loky": "loky", "dask": "distributed"}
    for promise, promise_of in PROMISES.items():
        print(promise)
        for name in executors:
            if importlib.util.find_spec(needs.get(name, "sys")):
                print(f"  {name:8} {promise_of(name)}", flush=True)


if __name__ == "__main__":
    main()
