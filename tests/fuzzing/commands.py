"""Every command on mutants of files of all formats, and on archives of them, each run under limits.

python -m tests.fuzzing.commands --mutants 5000 --keep FOLDER
"""

from __future__ import annotations

import argparse
import gc
import gzip
import io
import json
import lzma
import os
import re
import resource
import shutil
import sys
import tarfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from random import Random
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import NamedTuple
from unittest.mock import patch

import bganalyze
from bganalyze.app.cli import main as run_command_line
from bganalyze.record.reader import KNOWN
from bganalyze.writing import WRITERS
from tests.faults.record import corpus
from tests.fuzzing import binary
from tests.fuzzing.bases import PLAIN, bases_of
from tests.fuzzing.mutants import mutant

LARGEST = 15_000
"""Bytes of the largest base."""
TOGETHER = 20
"""Mutants in one run of a command that takes many files."""

SECONDS = 10.0
"""Processor time that any file may take, and one more for each of its megabytes."""
START = 2.0
"""Processor time that the start of a command may take in addition."""
MEMORY = 2**31
"""Bytes of memory that a run may take."""
LONGEST_LINE = 1_000
"""Characters that a line on standard error may have."""
SHOWN = 3
"""Examples shown of one trouble."""

STATUSES = frozenset({0, 1, 2})
SUFFIXES = {known.name: known.extensions for known in KNOWN}
RECOGNIZED = re.compile(
    r"an internal error of bganalyze[^\n]*|Traceback|Fatal Python error|MemoryError"
)
ARCHIVED = 0.1
"""Share of the mutants that are packed."""


class Mutant(NamedTuple):
    """A file to be tried: its name and what it holds."""

    name: str
    data: bytes


class Ended(NamedTuple):
    """Exit of a run of a command, with its time and memory."""

    status: int
    """The exit status, or minus the number of the signal that ended the run."""
    seconds: float
    resident: int
    output: bytes
    errors: str


Call = Callable[[Path, Random], Sequence[str]]
"""Makes the arguments of a command, of the place of the mutants and with what they leave to choose."""


# -- mutants -------------------------------------------------------------------------------------------


def draw_mutant(seed: int, number: int, largest: int) -> Mutant:
    """Return the mutant of that number: the same for the same seed and bases."""
    rng = Random(f"{seed}:command:{number}")
    known_as = rng.choice(list(SUFFIXES))
    suffix = rng.choice(SUFFIXES[known_as])
    data = _mutant(known_as, rng, largest)
    if rng.random() >= ARCHIVED:
        return Mutant(f"{number:05}{suffix}", data)
    pack_suffix, pack = rng.choice(list(PACKERS.items()))
    packed = pack({f"a{suffix}": data, f"b/c{suffix}": _mutant(known_as, rng, largest)})
    if rng.random() < 0.5:
        packed = rng.choice(binary.BYTES)(packed, rng)
    return Mutant(f"{number:05}{suffix}{pack_suffix}", packed)


def _mutant(known_as: str, rng: Random, largest: int) -> bytes:
    if known_as in binary.BASES and rng.random() < 0.8:
        return binary.mutant(known_as, rng)
    return mutant(_bases(known_as, largest), rng)


@cache
def _bases(known_as: str, largest: int) -> list[bytes]:
    return bases_of(known_as, corpus(), largest, one_in=5) or bases_of("mat", None, largest)


def _zip(members: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return content.getvalue()


def _tar(mode: str, members: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return content.getvalue()


PACKERS: dict[str, Callable[[dict[str, bytes]], bytes]] = {
    ".zip": _zip,
    ".tar": partial(_tar, "w"),
    ".tar.gz": partial(_tar, "w:gz"),
    ".tar.bz2": partial(_tar, "w:bz2"),
    ".gz": lambda members: gzip.compress(next(iter(members.values()))),
    ".xz": lambda members: lzma.compress(next(iter(members.values()))),
}


# -- commands ------------------------------------------------------------------------------------------


def _call_convert(folder: Path, rng: Random) -> Sequence[str]:
    writer = rng.choice(list(WRITERS))
    return ("convert", str(folder), str(folder.parent / "converted"), "--to", writer, "--force")


OF_FOLDERS: dict[str, Call] = {
    "check": lambda folder, _: ("check", str(folder), "--format", "json", "--workers", "1"),
    "repair": lambda folder, _: ("repair", str(folder), "--format", "jsonl", "--workers", "1"),
    "convert": _call_convert,
    "stats": lambda folder, _: ("stats", str(folder), "--format", "json", "--workers", "1"),
    "collect": lambda folder, _: (
        *("collect", str(folder), "--workers", "1"),
        *("--store", str(folder.parent / "store")),
    ),
    "query": lambda folder, _: (
        *("query", "select * from findings join matches using (match)", "--format", "jsonl"),
        *("--store", str(folder.parent / "store")),
    ),
    "stats of store": lambda folder, _: (
        *("stats", "--store", str(folder.parent / "store"), "--format", "json"),
        *("--by", "player"),
    ),
    "analyze": lambda folder, _: (
        *("analyze", str(folder), "--engine", "recorded", "--workers", "1"),
        *("--db", str(folder.parent / "analyses.db")),
    ),
    "export": lambda folder, _: ("export", "--db", str(folder.parent / "analyses.db")),
}
"""Calls that take all files of a folder; those of a store and a database follow what makes them."""

OF_FILES: dict[str, Call] = {
    "report": lambda path, _: ("report", str(path), "--format", "json"),
    "show": lambda path, rng: (
        *("show", str(path), rng.choice(("1.1L", "2.3R", "1.2", "12", "40:9"))),
        *(("--tree",) if rng.random() < 0.3 else ()),
    ),
}
"""Calls that take one file."""

ENGINE_SECONDS = 60.0
"""Processor time that the engine may take in addition."""


def call_analyze(path: Path) -> Sequence[str]:
    """Return a call that has the built-in engine analyze one file."""
    database = str(path.parent.parent / "engine.db")
    return ("analyze", str(path), "--level", "1ply", "--workers", "1", "--db", database)


AS_JSON = frozenset({"check", "stats", "stats of store", "report"})
"""The calls whose output is one document of JSON."""


def run_command(arguments: Sequence[str], allowed: float, folder: Path) -> Ended:
    """Run a command in a process of its own, and return how it ended."""
    outputs = [folder / "stdout", folder / "stderr"]
    child = os.fork()
    if child == 0:
        _run(arguments, allowed, outputs, folder)
    _, status, usage = os.wait4(child, 0)
    output, errors = (path.read_bytes() for path in outputs)
    return Ended(
        os.waitstatus_to_exitcode(status),
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss * 1024,
        output,
        errors.decode("utf-8", "replace"),
    )


def _run(arguments: Sequence[str], allowed: float, outputs: Sequence[Path], folder: Path) -> None:
    limit = int(2 * allowed) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    os.environ["BGANALYZE_CACHE_DIR"] = str(folder / "cache")
    for number, path in enumerate(outputs, start=1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    sys.stdout, sys.stderr = (
        open(number, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - kept open
        for number in (1, 2)
    )
    sys.modules["__main__"] = ModuleType(
        "__main__"
    )  # Else the processes of `analyze` import this one.
    sys.argv = ["bganalyze", *arguments]
    status: object = 70
    try:
        run_command_line()
    except SystemExit as end:
        status = end.code or 0
    finally:
        with suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status if isinstance(status, int) else 70)


def troubles(call: str, run: Ended, allowed: float) -> Iterator[str]:
    """Yield what is wrong with the end of a run."""
    if run.status not in STATUSES:
        yield f"status {run.status}"
    for fault in RECOGNIZED.findall(run.errors + run.output.decode("utf-8", "replace")):
        yield str(fault)[:160]
    if run.seconds > allowed:
        yield f"took more than {allowed:.0f} s"
    if run.resident > MEMORY:
        yield f"took more than {MEMORY >> 20} MiB"
    if any(len(line) > LONGEST_LINE for line in run.errors.splitlines()):
        yield "a long line on standard error"
    if call in AS_JSON and run.status != 2 and not _is_json(run.output):
        yield "invalid JSON"


def _is_json(output: bytes) -> bool:
    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        json.loads(output, parse_constant=refuse)
    except ValueError:
        return False
    return True


# -- runs ----------------------------------------------------------------------------------------------


class Tried(NamedTuple):
    """A run of a command on some mutants, and what was wrong with it."""

    call: str
    of: tuple[str, ...]
    run: Ended
    found: tuple[str, ...]


def try_together(mutants: Sequence[Mutant], rng: Random, place: Path) -> Iterator[Tried]:
    """Run every command on some mutants."""
    folder = place / "mutants"
    folder.mkdir()
    for name, data in mutants:
        (folder / name).write_bytes(data)
    allowed = _find_allowed_seconds(sum(len(data) for _, data in mutants))
    for call, arguments in OF_FOLDERS.items():
        names = tuple(name for name, _ in mutants)
        tried = _try_command(call, arguments(folder, rng), names, allowed, place)
        yield tried
        if tried.run.seconds > SECONDS and len(mutants) > 1:
            yield from _alone(call, arguments, mutants, rng)
    smallest = min(mutants, key=lambda of: len(of.data))
    words = call_analyze(folder / smallest.name)
    yield _try_command(
        "analyze by engine", words, (smallest.name,), ENGINE_SECONDS + allowed, place
    )
    for name, data in mutants:
        for call, arguments in OF_FILES.items():
            yield _try_command(
                call,
                arguments(folder / name, rng),
                (name,),
                _find_allowed_seconds(len(data)),
                place,
            )


def _alone(call: str, arguments: Call, mutants: Sequence[Mutant], rng: Random) -> Iterator[Tried]:
    """Run a command that took long on each of the mutants by itself, to see which one it was."""
    if call not in ("check", "repair", "convert", "stats", "collect", "analyze"):
        return
    for name, data in mutants:
        with TemporaryDirectory(prefix="bganalyze-fuzzing-") as place:
            folder = Path(place, "mutants")
            folder.mkdir()
            (folder / name).write_bytes(data)
            words = arguments(folder, rng)
            yield _try_command(
                f"{call} alone", words, (name,), _find_allowed_seconds(len(data)), Path(place)
            )


def _find_allowed_seconds(size: int) -> float:
    return SECONDS + START + size / 1_000_000


def _try_command(
    call: str, words: Sequence[str], of: tuple[str, ...], allowed: float, place: Path
) -> Tried:
    run = run_command(words, allowed, place)
    return Tried(call, of, run, tuple(troubles(call, run, allowed)))


def main() -> int:
    """Try mutants, and show what goes wrong; the status is 1 if anything does."""
    options = _options()
    _warm_up()
    counts, calls, worst = Counter[str](), Counter[str](), dict[str, float]()
    began = time.monotonic()
    for first in range(options.first, options.mutants, TOGETHER):
        numbers = range(first, min(first + TOGETHER, options.mutants))
        mutants = [draw_mutant(options.seed, number, options.largest) for number in numbers]
        with TemporaryDirectory(prefix="bganalyze-fuzzing-") as place:
            rng = Random(f"{options.seed}:calls:{first}")
            for tried in try_together(mutants, rng, Path(place)):
                calls[tried.call] += len(tried.of)
                worst[tried.call] = max(worst.get(tried.call, 0), tried.run.seconds)
                for trouble in tried.found:
                    counts[f"{tried.call}: {trouble}"] += 1
                    if counts[f"{tried.call}: {trouble}"] <= SHOWN:
                        _show(tried, trouble, Path(place), options.keep)
        if (first // TOGETHER) % 10 == 9:
            print(f"{numbers[-1] + 1} mutants, {time.monotonic() - began:.0f} s", flush=True)
    for call, count in calls.items():
        print(f"{count:7} mutants by {call}, at most {worst[call]:.1f} s a run")
    for description, count in counts.most_common():
        print(f"{count:7} {description}")
    return int(bool(counts))


def _warm_up() -> None:
    """Import once what all the processes need that are forked: what commands import while they work, too."""
    for module in walk_packages(bganalyze.__path__, "bganalyze."):
        if not module.name.endswith("__main__"):
            with suppress(ImportError):  # Not every package is installed everywhere.
                import_module(module.name)
    for name in ("duckdb", "pyarrow.parquet", "scipy.stats", "sqlalchemy.dialects.sqlite"):
        import_module(name)
    with TemporaryDirectory(prefix="bganalyze-fuzzing-") as place:
        folder = Path(place, "mutants")
        folder.mkdir()
        (folder / "a.mat").write_bytes(PLAIN)
        for call in (OF_FOLDERS["check"], OF_FOLDERS["repair"], OF_FOLDERS["stats"]):
            _run_here(call(folder, Random(0)))
        _run_here(OF_FILES["report"](folder / "a.mat", Random(0)))
    gc.freeze()  # Else each process copies all of it as soon as it collects garbage.


def _run_here(arguments: Sequence[str]) -> None:
    with (
        redirect_stdout(io.StringIO()),
        redirect_stderr(io.StringIO()),
        patch.object(sys, "argv", ["bganalyze", *arguments]),
        suppress(SystemExit),
    ):
        run_command_line()


def _show(tried: Tried, trouble: str, place: Path, keep: Path | None) -> None:
    name = tried.of[0] if len(tried.of) == 1 else f"{tried.of[0]} to {tried.of[-1]}"
    print(f"{tried.call} of {name}: {trouble}", flush=True)
    line = next((line for line in tried.run.errors.splitlines() if trouble in line), "")
    print(f"    {(line or tried.run.errors[-300:])[:600]!r}", flush=True)
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        for of in tried.of:
            with suppress(OSError):
                shutil.copy(place / "mutants" / of, keep)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing.commands", description=__doc__)
    parser.add_argument("--mutants", type=int, default=500)
    parser.add_argument("--first", type=int, default=0, help="the number of the first mutant")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--largest", type=int, default=LARGEST, help="bytes of the largest base")
    parser.add_argument("--keep", type=Path, help="a folder for the files that went wrong")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
