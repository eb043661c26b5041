"""A run of `collect`: files are read, replayed, checked and tabulated once, and kept in a store."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from itertools import chain, count, islice
from pathlib import Path
from typing import NamedTuple

from bganalyze.files.reading import Item, UnreadableError, find, load
from bganalyze.jobs.outcome import FileOutcome, attempt
from bganalyze.jobs.tabulate import examined_matches
from bganalyze.jobs.workers import in_processes
from bganalyze.law import Law
from bganalyze.store.manifest import (
    MATCHES_A_SHARD,
    Checksums,
    FoundFile,
    Kept,
    Manifest,
    Stamp,
)
from bganalyze.store.places import FilePlace, absolute, absolute_place, is_inside, joined, name_of
from bganalyze.tables.schema import Examined

FILES_A_SHARD = 500
"""As many as are read in some seconds: so much a run that is killed has to do again."""

FILES_AT_ONCE = 32
"""So many are replayed before they are tabulated: long arrays cost less, and replays are large."""

SETTLED = 2_000_000_000
"""Nanoseconds after which a file that is written again has another time, on every file system."""


class Job(NamedTuple):
    """Files that one shard is made of."""

    shard: int
    items: tuple[Item, ...]

    def __str__(self) -> str:
        return f"{self.items[0]} and {self.items[-1]}"


class ReadFile(NamedTuple):
    """What became of a file, and what the shard keeps of it; nothing of what could not be read."""

    outcome: FileOutcome
    kept: Kept | None


class Collected(NamedTuple):
    """A shard that is written, and not yet entered in the manifest."""

    files: Checksums
    read: list[ReadFile]


@dataclass(slots=True)
class CollectCounts:
    """What a run has done so far."""

    read: int = 0
    """Files that were read, and are transcripts."""
    unchanged: int = 0
    gone: int = 0
    damaged: int = 0
    """Shards that were not as they had been written."""


def collect(
    paths: Sequence[str], manifest: Manifest, law: Law, workers: int, counts: CollectCounts
) -> Generator[FileOutcome, None, None]:
    """Yield what becomes of each file under some paths, whether it is read now or was before.

    Whoever calls this holds the lock of the store. Raises OSError, MatchStoreError and WorkerError.
    """
    files = _Files(paths, manifest, counts)
    work = partial(write_shard, store=manifest.folder, law=law)
    with closing(_written(work, files.jobs(), workers)) as shards:
        for collected in shards:
            yield from files.entered(collected)
    yield from files.told()
    files.drop_gone()


def _written(
    work: Callable[[list[Job]], Collected], jobs: Iterator[list[Job]], workers: int
) -> Generator[Collected, None, None]:
    """Yield the shards as they are written; a single one is not worth a process."""
    beginning = list(islice(jobs, 2))
    jobs = chain(beginning, jobs)
    if workers == 1 or len(beginning) < 2:
        yield from map(work, jobs)
    else:
        yield from in_processes(work, jobs, workers)


class _Files:
    """The files of a run: those to be read are given to processes, the others are known."""

    def __init__(self, paths: Sequence[str], manifest: Manifest, counts: CollectCounts) -> None:
        self._paths, self._manifest, self._counts = paths, manifest, counts
        with manifest.transaction():
            self._roots = {path: manifest.root_of(absolute(path), path) for path in paths}
        self._met: set[FilePlace] = set()
        self._unreadable: list[str] = []
        self._given: deque[tuple[int, list[FoundFile]]] = deque()
        self._linked: list[tuple[FoundFile, int]] = []
        self._known: list[FileOutcome] = []

    def told(self) -> Iterator[FileOutcome]:
        """Yield what became of files that need not be read."""
        while self._known:
            yield self._known.pop(0)

    def jobs(self) -> Iterator[list[Job]]:
        """Yield what is to be read, as processes have time for it."""
        unknown = self._unknown()
        for shard in count(self._manifest.next_shard()):
            batch = list(islice(unknown, FILES_A_SHARD))
            if not batch:
                return
            self._given.append((shard, [found for _, found in batch]))
            yield [Job(shard, tuple(item for item, _ in batch))]

    def _unknown(self) -> Iterator[tuple[Item, FoundFile]]:
        for item in find(self._paths):
            found = FoundFile(self._place(item), stamp_of(item))
            self._met.add(found.place)
            outcome = self._manifest.unchanged(found)
            if outcome is None:
                outcome = self._linked_to(item, found)
            if outcome is None:
                yield item, found
            else:
                self._counts.unchanged += 1
                self._known.append(_known_as(outcome, item))

    def _place(self, item: Item) -> FilePlace:
        root = self._roots[item.root]
        rest = absolute_place(item)[len(root.rstrip(os.sep)) :]
        return FilePlace(root, rest, -1 if item.entry is None else item.entry)

    def _linked_to(self, item: Item, found: FoundFile) -> str | None:
        """The outcome of a file whose content is known: it was touched, copied or moved."""
        name = name_of(item.path)
        if not self._manifest.has_name(name):
            return None
        try:
            kept = self._manifest.kept_of(name, digest_of(load(item)))
        except UnreadableError:
            return None
        if kept is not None:
            self._linked.append((found, kept[0]))
        return kept and kept[1]

    def entered(self, collected: Collected) -> Iterator[FileOutcome]:
        """Enter a shard in the manifest; yield what became of its files."""
        shard, found_files = self._given.popleft()
        with self._manifest.transaction():
            kept = (read.kept for read in collected.read if read.kept)
            numbers = iter(self._manifest.add_shard(shard, collected.files, list(kept)))
            for found, read in zip(found_files, collected.read, strict=True):
                if read.kept:
                    self._manifest.put_file(found, next(numbers))
        for read in collected.read:
            self._counts.read += read.outcome.is_read
            if read.outcome.error is not None and read.kept is None:
                self._unreadable.append(absolute(read.outcome.path))
            yield read.outcome
        yield from self.told()

    def drop_gone(self) -> None:
        """Enter what was found again, and forget what is gone; not what lies where nobody can look."""
        scope = [absolute(path) for path in self._paths]
        gone = [
            place
            for place in self._manifest.places(scope)
            if place not in self._met
            and not any(is_inside(joined(*place[:2]), hidden) for hidden in self._unreadable)
        ]
        with self._manifest.transaction():
            for found, kept in self._linked:
                self._manifest.put_file(found, kept)
            self._manifest.drop_files(gone)
        self._counts.gone = len(gone)


def _known_as(outcome: str, item: Item) -> FileOutcome:
    return FileOutcome(item.path, item.root, skipped=outcome or None)


def stamp_of(item: Item) -> Stamp:
    """Return by what a file is taken to be unchanged: that of the archive, where one holds it."""
    try:
        status = os.stat(item.archive or item.path)
    except OSError:
        return Stamp(-1, None)
    is_settled = time.time_ns() - status.st_mtime_ns > SETTLED
    return Stamp(status.st_size, status.st_mtime_ns if is_settled else None)


def digest_of(content: bytes) -> bytes:
    """Return by what a content is known again."""
    return blake2b(content, digest_size=16).digest()


def write_shard(jobs: Sequence[Job], store: Path, law: Law) -> Collected:
    """Write the shard of some files. Never raises for anything a file may hold; raises OSError."""
    # Imported where files are read: a run that has nothing to read needs no tables.
    from bganalyze.store.shards import ShardWriter
    from bganalyze.tables.fragments import Fragment, fragment
    from bganalyze.tables.frames import joined as put_together

    ((shard, files),) = jobs
    writer, read, fragments = ShardWriter(store, shard), list[ReadFile](), list[Fragment]()
    items, matches = iter(files), shard * MATCHES_A_SHARD
    while at_once := list(islice(items, FILES_AT_ONCE)):
        examined: list[Examined] = []
        for item in at_once:
            outcome, digest, of_file = _examined(item, law)
            read.append(_read(item, outcome, digest, range(matches, matches + len(of_file))))
            matches += len(of_file)
            examined += of_file
        fragments.append(fragment(examined, law))
    writer.add(put_together(fragments), {})
    return Collected(writer.finish(), read)


def _read(item: Item, outcome: FileOutcome, digest: bytes | None, numbers: range) -> ReadFile:
    if digest is None:
        return ReadFile(outcome, None)
    name, skipped = name_of(item.path), outcome.skipped or ""
    return ReadFile(outcome, Kept(digest, name, numbers.start, len(numbers), skipped))


def _examined(item: Item, law: Law) -> tuple[FileOutcome, bytes | None, list[Examined]]:
    """What became of a file, the digest of its content if it can be kept, and its matches."""
    try:
        content = load(item)
    except UnreadableError:
        return attempt(item, len)[0], None, []
    work = partial(examined_matches, path=item.path, law=law)
    outcome, matches = attempt(item._replace(held=content), work)
    return outcome, digest_of(content) if outcome.error is None else None, matches or []
