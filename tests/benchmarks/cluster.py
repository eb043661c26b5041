"""A Dask cluster on this machine: what is equal, what a second worker gains, what each file costs.

    python -m tests.benchmarks.cluster FOLDER ... [--workers 1 2] [--only collect] [--level 1ply] [--kill 4]

For each number of workers a scheduler and so many workers are started as processes on loopback, and
`check`, `collect`, `stats` and, with `--level`, `analyze` run on them, or the one that `--only` names.
What they write is compared byte for byte with what processes of this machine write: of `collect` and
`analyze` it is what the store and the database tell afterwards. The overhead of a file is what a command
takes longer than one process divided by the workers, divided by the files. With `--kill N` N workers
are started and killed one after the other while `check` runs.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bganalyze.app.jobs.cluster import Cluster
from bganalyze.files.reading import count_files
from tests.app.jobs.clusters import serve_cluster

REPORTS = ("stats", "--quiet", "--report", "all", "--format", "json")


class Ran(NamedTuple):
    """Output of a command, with its time and memory."""

    output: bytes
    seconds: float
    processor: float
    """Seconds of this machine's processors, without those of workers of a cluster."""


def command(*words: object) -> list[str]:
    """Return how the command line is called."""
    return [sys.executable, "-m", "bganalyze", *map(str, words)]


def ran(*words: object) -> Ran:
    """Run a command to its end."""
    before, start = children_time(), time.perf_counter()
    process = subprocess.run(command(*words), stdout=subprocess.PIPE, check=False)
    if process.returncode > 1:
        raise SystemExit(f"{words[0]} ended with {process.returncode}")
    return Ran(process.stdout, time.perf_counter() - start, children_time() - before)


def children_time() -> float:
    """Return the processor time of the programs that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def jobs(paths: Sequence[str], folder: Path, level: str | None) -> dict[str, tuple[object, ...]]:
    """Return the commands that are compared, each without its executor."""
    commands: dict[str, tuple[object, ...]] = {
        "check": ("check", *paths, "--quiet", "--no-cache", "--format", "jsonl"),
        "collect": ("collect", *paths, "--quiet", "--store", folder / "store"),
        "stats": (*REPORTS, *paths),
    }
    if level is not None:
        db = folder / "analyzed.db"
        commands["analyze"] = ("analyze", *paths, "--quiet", "--level", level, "--db", db)
    return commands


def take_kept(name: str, folder: Path, run: Ran) -> Ran:
    """Return, of a command that keeps what it did, what is kept, which is then removed."""
    if name == "collect":
        store = folder / "store"
        exported = ran(*REPORTS, "--store", store).output
        shutil.rmtree(store)
    elif name == "analyze":
        db = folder / "analyzed.db"
        exported = ran("export", "--db", db, "--format", "csv").output
        db.unlink()
    else:
        return run
    return run._replace(output=exported)


def compare_workers(
    paths: Sequence[str], numbers: Sequence[int], level: str | None, only: str | None
) -> None:
    """Print the time of commands on each number of workers, beside one process, and whether all results are equal."""
    files = count_files(paths)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name, words in jobs(paths, folder, level).items():
            if only not in {None, name}:
                continue
            alone = take_kept(name, folder, ran(*words, "--workers", 1))
            print(f"{name}: {files} files; one process {alone.seconds:.1f} s")
            for number in numbers:
                os.mkdir(folder / f"{name}{number}")
                with serve_cluster(folder / f"{name}{number}", number) as cluster:
                    spread = take_kept(name, folder, ran(*words, "--cluster", cluster.address))
                evaluation = "equal" if spread.output == alone.output else "DIFFERENT"
                over = (spread.seconds - alone.seconds / number) / files * 1000
                print(
                    f"  {number} workers {spread.seconds:6.1f} s, {evaluation}; of it the client"
                    f" {spread.processor:.1f} s; {over:+.2f} ms a file beside one process"
                    f" divided by {number}",
                    flush=True,
                )


def kill_workers(paths: Sequence[str], workers: int) -> None:
    """Print whether a check is the same when one worker after the other is killed meanwhile."""
    words = ("check", *paths, "--quiet", "--no-cache", "--format", "jsonl")
    alone, deaths = ran(*words, "--workers", 1), 0
    with tempfile.TemporaryDirectory() as place, serve_cluster(Path(place), workers) as cluster:
        watch = Cluster(cluster.address)
        with subprocess.Popen(
            command(*words, "--cluster", cluster.address), stdout=subprocess.PIPE
        ) as running:
            time.sleep(2)
            while running.poll() is None and deaths < workers:
                for victim in [*watch.call_on_foreign_workers(os.getpid).values()][:1]:
                    os.kill(victim, signal.SIGKILL)
                    deaths += 1
                time.sleep(1)
            output, _ = running.communicate()
        watch.close()
    evaluation = "equal" if output == alone.output else "DIFFERENT"
    print(f"check while {deaths} of {workers} workers were killed: {evaluation}")


def main() -> None:
    """Measure what the call asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--level")
    parser.add_argument("--only", choices=("check", "collect", "stats", "analyze"))
    parser.add_argument("--kill", type=int)
    call = parser.parse_args()
    if call.only == "analyze" and call.level is None:
        parser.error("--only analyze needs a --level")
    compare_workers(call.paths, call.workers, call.level, call.only)
    if call.kill:
        kill_workers(call.paths, call.kill)


if __name__ == "__main__":
    main()
