"""A run of `collect`: files are read, replayed, checked and tabulated once, and kept in a store."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import chain, count, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bganalyze.files.reading import Item, digest_of, find
from bganalyze.findings import Selection
from bganalyze.jobs.examination import Refusal, as_json, checked_as, from_json
from bganalyze.jobs.executor import Executor
from bganalyze.jobs.outcome import FileOutcome, attempt, refused
from bganalyze.law import Law
from bganalyze.store.manifest import MATCHES_A_SHARD, Checksums, FoundFile, Kept, Manifest
from bganalyze.store.places import FilePlace, absolute, is_inside, joined, name_of
from bganalyze.store.upkeep import tidy
from bganalyze.tables.schema import Examined, examined
from bganalyze.transcript.refused import NotATranscript

FILES_A_SHARD = 500
"""As many as are read in some seconds: so much a run that is killed has to do again."""

FILES_AT_ONCE = 16
"""So many are replayed before they are tabulated: long arrays cost less, and replays are large."""

MATCHES_AT_ONCE = 64
"""After so many the rows are summed and written: fewer take longer each, more take more memory."""


class Job(NamedTuple):
    """Files that one shard is made of."""

    shard: int
    items: tuple[Item, ...]

    def __str__(self) -> str:
        return f"a file between {self.items[0]} and {self.items[-1]}"


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


def collect(
    paths: Sequence[str], manifest: Manifest, law: Law, executor: Executor, counts: CollectCounts
) -> Generator[FileOutcome, None, None]:
    """Yield what becomes of each file under some paths, whether it is read now or was before.

    Whoever calls this holds the lock of the store. Raises OSError, MatchStoreError and WorkerError.
    """
    files = _Files(paths, manifest, counts)
    with closing(_written(files.jobs(), manifest.folder.absolute(), law, executor)) as shards:
        for collected in shards:
            yield from files.entered(collected)
    yield from files.told()
    files.drop_gone()
    tidy(manifest)


def _written(
    jobs: Iterator[list[Job]], store: Path, law: Law, executor: Executor
) -> Generator[Collected, None, None]:
    """Yield the shards as they are written; a single one is not worth a process."""
    work = partial(write_shard, store=store, law=law)
    beginning = list(islice(jobs, 2))
    jobs = chain(beginning, jobs)
    if executor.works_here(few=len(beginning) < 2):
        yield from map(work, jobs)
    elif executor.sees_folders:
        yield from executor.in_order(work, jobs)
    else:
        yield from _written_elsewhere(jobs, store, law, executor)


def _written_elsewhere(
    jobs: Iterator[list[Job]], store: Path, law: Law, executor: Executor
) -> Generator[Collected, None, None]:
    """Yield the shards that workers make of what is sent to them, as each is put in its place."""
    from bganalyze.store.shards import place_shard

    given = deque[int]()

    def carried() -> Iterator[list[Job]]:
        for ((shard, items),) in jobs:
            given.append(shard)
            yield [Job(shard, tuple(map(executor.carry, items)))]

    work = partial(write_shard_apart, law=law)
    for collected, contents in executor.in_order(work, carried(), together=1):
        place_shard(store, given.popleft(), contents)
        yield collected


class _Files:
    """The files of a run: those to be read are given to processes, the others are known."""

    def __init__(self, paths: Sequence[str], manifest: Manifest, counts: CollectCounts) -> None:
        self._paths, self._manifest, self._counts = paths, manifest, counts
        manifest.enter_roots({absolute(path): path for path in paths})
        self._met: set[FilePlace] = set()
        self._unreadable: list[str] = []
        self._given: deque[tuple[int, list[FoundFile | None]]] = deque()
        self._linked: list[tuple[FoundFile, int]] = []
        self._known: deque[FileOutcome] = deque()

    def told(self) -> Iterator[FileOutcome]:
        """Yield what became of files that need not be read."""
        while self._known:
            yield self._known.popleft()

    def jobs(self) -> Iterator[list[Job]]:
        """Yield what is to be read, as processes have time for it."""
        unknown = self._unknown()
        for shard in count(self._manifest.next_shard()):
            batch = list(islice(unknown, FILES_A_SHARD))
            if not batch:
                return
            self._given.append((shard, [found for _, found in batch]))
            yield [Job(shard, tuple(item for item, _ in batch))]

    def _unknown(self) -> Iterator[tuple[Item, FoundFile | None]]:
        for item in self._items():
            found = self._manifest.found(item)
            known = found and self._manifest.known(item, found)
            if found is not None:
                self._met.add(found.place)
            if found is None or known is None:
                yield item, found
                continue
            outcome = _outcome_known(item, known.outcome)
            self._counts.unchanged += outcome.is_read
            self._known.append(outcome)
            if not known.is_entered:
                self._linked.append((found, known.kept))

    def _items(self) -> Iterator[Item]:
        """The files under the paths, and then those that a damaged shard has lost elsewhere."""
        yield from find(self._paths)
        for item in self._manifest.lost():
            found = self._manifest.found(item)
            if found and found.place not in self._met:
                yield item

    def entered(self, collected: Collected) -> Iterator[FileOutcome]:
        """Enter a shard in the manifest; yield what became of its files."""
        shard, found_files = self._given.popleft()
        with self._manifest.transaction():
            kept = [read.kept for read in collected.read if read.kept]
            self._manifest.add_shard(shard, collected.files)
            numbers = iter(self._manifest.keep(shard, kept))
            for found, read in zip(found_files, collected.read, strict=True):
                if read.kept and found:
                    self._manifest.put_file(found, next(numbers))
        for read in collected.read:
            self._counts.read += read.outcome.is_read
            if read.kept is None:
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


def _outcome_known(item: Item, outcome: str) -> FileOutcome:
    content = from_json(outcome)
    if isinstance(content, Refusal):
        return refused(item, content.reason, may_skip=not content.is_record)
    return FileOutcome(item.path, item.root)


def write_shard(jobs: Sequence[Job], store: Path, law: Law) -> Collected:
    """Write the shard of some files. Never raises for anything a file may hold; raises OSError."""
    # Imported where files are read: a run that has nothing to read needs no tables.
    from bganalyze.reports import bases
    from bganalyze.reports.sums import sums_of
    from bganalyze.store.shards import ShardWriter
    from bganalyze.tables.fragments import Fragment, fragment
    from bganalyze.tables.frames import joined as put_together

    ((shard, files),) = jobs
    writer, read, fragments = ShardWriter(store, shard), list[ReadFile](), list[Fragment]()

    def write() -> None:
        tables = put_together(fragments)
        writer.add(tables, sums_of(tables, bases()))
        fragments.clear()

    items, first = iter(files), shard * MATCHES_A_SHARD
    while at_once := list(islice(items, FILES_AT_ONCE)):
        matches: list[Examined] = []
        for item in at_once:
            file, of_file = _read(item, law, first + len(matches))
            read.append(file)
            matches += of_file
        first += len(matches)
        fragments.append(fragment(matches, law))
        if sum(len(rows.matches["match"]) for rows in fragments) >= MATCHES_AT_ONCE:
            write()
    write()
    return Collected(writer.finish(), read)


def write_shard_apart(jobs: Sequence[Job], law: Law) -> tuple[Collected, dict[str, bytes]]:
    """Return the shard of some files, made in a folder that is gone again, and its files."""
    from bganalyze.store.manifest import path_of

    with TemporaryDirectory() as name:
        folder = Path(name)
        collected = write_shard(jobs, folder, law)
        place = path_of(folder, jobs[0].shard)
        return collected, {file: (place / file).read_bytes() for file in collected.files}


def _read(item: Item, law: Law, first: int) -> tuple[ReadFile, list[Examined]]:
    """What became of a file, and its matches with their findings; the first has this number."""
    outcome, held = attempt(item, partial(_held, item=item, law=law))
    if held is None:
        return ReadFile(outcome, None), []
    digest, text, matches = held
    kept = Kept(digest, name_of(item.path), first, len(matches), text)
    return ReadFile(_outcome_known(item, text), kept), matches


def _held(content: bytes, item: Item, law: Law) -> tuple[bytes, str, list[Examined]]:
    """The digest of a content, what a check finds in it, and its matches with their findings."""
    from bganalyze.jobs.check import examine

    try:
        examination, replays = examine(content, item.path, law)
    except NotATranscript as error:
        refusal = Refusal(error.reason, error.recognised_as is not None)
        return digest_of(content), as_json(refusal), []
    findings = checked_as(item, examination, Selection()).findings
    return digest_of(content), as_json(examination), examined(replays, findings)
