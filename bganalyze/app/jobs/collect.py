"""A run of `collect`: read, replay, check and tabulate each file once, and keep it in a store."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from bganalyze.app.jobs.collect_counts import CollectCounts
from bganalyze.app.jobs.examination import Refusal, as_json, parse_refusal, select_findings
from bganalyze.app.jobs.executor import Executor, divide_evenly, peek
from bganalyze.app.jobs.outcome import FileOutcome, attempt, refuse_item
from bganalyze.board.rule_book import RuleBook
from bganalyze.files.reading import FileToRead, digest_of, find_encoded
from bganalyze.record.not_a_transcript import NotATranscript
from bganalyze.statistics.store.manifest import (
    MATCHES_A_SHARD,
    Checksums,
    FoundFile,
    KnownFile,
    Manifest,
    StoredFile,
)
from bganalyze.statistics.store.places import absolute_path, is_inside, join_path, name_of
from bganalyze.statistics.store.upkeep import merge_small_shards
from bganalyze.statistics.tables.schema import Examined, examine_matches
from bganalyze.validation.findings import Selection

if TYPE_CHECKING:
    from bganalyze.statistics.store.shards import ShardRows
    from bganalyze.statistics.tables.fragments import TableFragment

FILES_A_SHARD = 500
"""Files of a shard: a few seconds of work, the most that each process loses if a run is killed."""

FEWEST_FILES = 24
"""Least files worth starting another process."""

FILES_AT_ONCE = 16
"""Files replayed before they are tabulated. More files make arrays more efficient, but replays are large."""

GARBAGE_AFTER = 100_000
"""Garbage collection threshold. Data frames form cycles; the usual 500,000 would take 12 MB more."""

MATCHES_AT_ONCE = 64
"""Matches whose rows are summed and written together. Fewer are slower, more take more memory."""


class Job(NamedTuple):
    """The files of one shard."""

    shard: int
    items: tuple[FileToRead, ...]

    def __str__(self) -> str:
        return f"a file between {self.items[0]} and {self.items[-1]}"


class ReadFile(NamedTuple):
    """The outcome of a file, and its entry in the shard if it could be read."""

    outcome: FileOutcome
    kept: StoredFile | None


class LinkedFile(NamedTuple):
    """A file that need not be read, because the store knows its name and content."""

    found: FoundFile
    known: int
    """The number of its content in the store."""
    new_path: str
    """Its path as it was found, if the store has no file there; else empty."""


class WrittenShard(NamedTuple):
    """A shard that is written but not yet in the manifest."""

    files: Checksums
    read: list[ReadFile]


def collect(
    paths: Sequence[str],
    manifest: Manifest,
    rule_book: RuleBook,
    executor: Executor,
    counts: CollectCounts,
    encoding: str | None = None,
) -> Generator[FileOutcome, None, None]:
    """Collect the files under some paths into a store, and yield the outcome for each file.

    `manifest` is the index of the store's files. A file that the store already has is not read
    again, unless the user names an `encoding` for all files. The caller holds the lock of the
    store. Raises OSError, MatchStoreError and WorkerError.
    """
    files = _Files(paths, manifest, counts, encoding)
    jobs = files.jobs(executor.size)
    with closing(_write_shards(jobs, manifest.folder.absolute(), rule_book, executor)) as shards:
        for collected in shards:
            yield from files.enter(collected)
    yield from files.take_unchanged()
    files.remove_missing()
    merge_small_shards(manifest)


def _write_shards(
    jobs: Iterator[list[Job]], store: Path, rule_book: RuleBook, executor: Executor
) -> Generator[WrittenShard, None, None]:
    """Write the files of each job into a part of the store (a shard), and yield the parts written.

    With few jobs the work is done in this process, otherwise by the workers of `executor`.
    """
    work = partial(write_shard, store=store, rule_book=rule_book)
    few, jobs = peek(jobs, few=1)
    if executor.stays_in_process(few=few):
        yield from map(work, jobs)
    elif executor.shares_file_system:
        yield from executor.map_in_order(work, jobs)
    else:
        yield from _write_shards_remotely(jobs, store, rule_book, executor)


def _write_shards_remotely(
    jobs: Iterator[list[Job]], store: Path, rule_book: RuleBook, executor: Executor
) -> Generator[WrittenShard, None, None]:
    """Send files to workers elsewhere, save the parts of the store that they return, and yield these parts."""
    from bganalyze.statistics.store.shards import place_shard

    under_way = deque[int]()

    def pack_jobs() -> Iterator[list[Job]]:
        for ((shard, items),) in jobs:
            under_way.append(shard)
            yield [Job(shard, tuple(map(executor.attach_content, items)))]

    work = partial(write_shard_apart, rule_book=rule_book)
    for collected, contents in executor.map_in_order(work, pack_jobs(), together=1):
        place_shard(store, under_way.popleft(), contents)
        yield collected


class _Files:
    """The files of a run: unchanged ones come from the store, the others are read."""

    def __init__(
        self,
        paths: Sequence[str],
        manifest: Manifest,
        counts: CollectCounts,
        encoding: str | None,
    ) -> None:
        self._paths, self._manifest, self._counts = paths, manifest, counts
        self._encoding = encoding
        manifest.record_paths({absolute_path(path): path for path in paths})
        manifest.start_visits()
        self._unreadable: list[str] = []
        self._under_way: deque[tuple[int, list[FoundFile | None]]] = deque()
        self._linked: list[LinkedFile] = []
        self._unchanged: deque[FileOutcome] = deque()

    def take_unchanged(self) -> Iterator[FileOutcome]:
        """Yield the outcomes of files that need not be read again."""
        while self._unchanged:
            yield self._unchanged.popleft()

    def jobs(self, processes: int) -> Iterator[list[Job]]:
        """Yield the files to read, a list for each shard; few files are split among processes."""
        batches = divide_evenly(self._find_unread(), processes, FILES_A_SHARD, FEWEST_FILES)
        for shard, batch in enumerate(batches, self._manifest.next_shard()):
            self._under_way.append((shard, [file for _, file in batch]))
            yield [Job(shard, tuple(item for item, _ in batch))]

    def _find_unread(self) -> Iterator[tuple[FileToRead, FoundFile | None]]:
        """Yield the files that must be read, each with its place, size and time.

        In place of these, a file outside the collected paths has None. Files that the store knows
        are skipped: their outcomes go to `take_unchanged`, and files at a new path are entered
        later. All files found are noted, so that missing ones can be removed.
        """
        for item in self._find_items():
            file = self._manifest.locate_file(item)
            is_read_again = item.encoding is not None
            entry = None if is_read_again else file and self._manifest.find_stored(item, file)
            outcome = entry and _find_known_outcome(item, entry.outcome)
            if file is not None:
                self._manifest.visit(file.place)
            if file is None or entry is None or outcome is None:
                yield item, file
                continue
            self._unchanged.append(outcome)
            if entry.is_entered:
                self._counts.unchanged += outcome.is_read
            else:
                self._reuse_content(file, entry, outcome)

    def _reuse_content(self, file: FoundFile, stored: KnownFile, outcome: FileOutcome) -> None:
        """Note that a file has a content the store already has, under another path or time, to enter it later.

        Such a file was touched, copied, moved or put back, or has the content of another file now.
        """
        before = self._manifest.content_at(file.place)
        is_new_match_file = before is None and outcome.is_read
        self._linked.append(LinkedFile(file, stored.kept, outcome.path * is_new_match_file))
        if before is not None and outcome.is_read:
            is_same = before.digest in (None, stored.digest)
            self._counts.count("unchanged" if is_same else "changed", outcome.path)

    def _find_items(self) -> Iterator[FileToRead]:
        """Yield the files under the paths, then other files whose rows were in a damaged shard."""
        yield from find_encoded(self._paths, self._encoding)
        for item in self._manifest.list_lost_files():
            file = self._manifest.locate_file(item)
            if file and not self._manifest.was_visited(file.place):
                yield item

    def enter(self, written: WrittenShard) -> Iterator[FileOutcome]:
        """Enter a written part of the store (a shard) in the manifest; yield the outcomes of its files."""
        shard, files = self._under_way.popleft()
        for file, read in zip(files, written.read, strict=True):
            self._count_read(file, read)
        with self._manifest.transaction():
            kept = [read.kept for read in written.read if read.kept]
            self._manifest.add_shard(shard, written.files)
            numbers = iter(self._manifest.record_contents(shard, kept))
            for file, read in zip(files, written.read, strict=True):
                if read.kept and file:
                    self._manifest.put_file(file, next(numbers))
        for read in written.read:
            if read.kept is None:
                self._unreadable.append(absolute_path(read.outcome.path))
            yield read.outcome
        yield from self.take_unchanged()

    def _count_read(self, file: FoundFile | None, read: ReadFile) -> None:
        """Count a file just read as new, changed, or read again though it is the same.

        The manifest must still have the file's earlier content, so call this before `enter`
        replaces it.
        """
        if read.kept is None or not read.outcome.is_read:
            return
        before = self._manifest.content_at(file.place) if file else None
        if before is None:
            self._counts.count("new", read.outcome.path)
        else:
            is_same = before.digest in (None, read.kept.digest)
            self._counts.count("again" if is_same else "changed", read.outcome.path)

    def remove_missing(self) -> None:
        """Remove missing files from the store; first enter the files whose content the store already had.

        A file does not count as missing if its folder or archive cannot be read now. If one of the
        paths is missing as a whole, its files are removed only if they were found elsewhere in this
        run.
        """
        scope = [absolute_path(path) for path in self._paths]
        missing = [
            place
            for place in self._manifest.places(scope)
            if not self._manifest.was_visited(place)
            and not any(is_inside(join_path(*place[:2]), hidden) for hidden in self._unreadable)
        ]
        self._count_new_paths()
        for place in missing:
            content = self._manifest.content_at(place)
            if content is not None and content.matches != 0:
                self._counts.count("gone", self._manifest.written_path(place))
        with self._manifest.transaction():
            for file, known, _ in self._linked:
                self._manifest.put_file(file, known)
            self._manifest.drop_files(missing)
            self._counts.moved = self._manifest.drop_moved_files()

    def _count_new_paths(self) -> None:
        """Count the files at new paths with a known content: copied, or back after they were deleted."""
        at_new_paths = [file for file in self._linked if file.new_path]
        if at_new_paths:
            in_use = self._manifest.contents_in_use()
            for file in at_new_paths:
                self._counts.count("copied" if file.known in in_use else "back", file.new_path)


def _find_known_outcome(item: FileToRead, outcome: str) -> FileOutcome | None:
    """Return the outcome of a file from its stored text, or None if the text is damaged."""
    try:
        return _restore_outcome(item, outcome)
    except ValueError:
        return None


def _restore_outcome(item: FileToRead, outcome: str) -> FileOutcome:
    """Return the outcome of a file from the stored result of its check; raise ValueError."""
    refusal = parse_refusal(outcome)
    if refusal is not None:
        return refuse_item(item, refusal.reason, may_skip=not refusal.is_record)
    return FileOutcome(item.path, item.root)


def write_shard(jobs: Sequence[Job], store: Path, rule_book: RuleBook) -> WrittenShard:
    """Read and check the files of one job, and write their matches into a part of the store (a shard).

    `jobs` has this job only. Content that cannot be read or tabulated makes its file an error; no
    exception is raised for it. Raises OSError.
    """
    # Imported only where files are read: a run that has nothing to read needs no tables.
    from bganalyze.statistics.store.shards import ShardWriter

    gc.set_threshold(GARBAGE_AFTER)
    ((shard, files),) = jobs
    writer, read, batches = ShardWriter(store, shard), list[ReadFile](), list[_Batch]()
    items, first = iter(files), shard * MATCHES_A_SHARD

    def write() -> None:
        """Write the waiting batches to the store, number their matches, and clear them."""
        nonlocal first
        for lot in _join_batches(batches, rule_book):
            if lot.rows is not None:
                writer.add(lot.rows)
            for file in lot.files:
                read.append(file.numbered(first))
                first += file.matches
        batches.clear()

    while batch := list(islice(items, FILES_AT_ONCE)):
        batches.append(_read_batch(batch, rule_book))
        if sum(batch.matches for batch in batches) >= MATCHES_AT_ONCE:
            write()
    write()
    gc.collect()  # Without it ten shards take 40 MB more.
    return WrittenShard(writer.finish(), read)


class _ExaminedFile(NamedTuple):
    """A file that was read and checked, before its matches are numbered."""

    item: FileToRead
    outcome: FileOutcome
    digest: bytes = b""
    text: str | None = None
    """The result of its check as JSON; None if the file could not be read."""
    matches: int = 0
    """Number of matches it holds."""

    def numbered(self, first: int) -> ReadFile:
        """Return the file's entry in the shard, with its matches numbered from `first`."""
        if self.text is None:
            return ReadFile(self.outcome, None)
        kept = StoredFile(self.digest, name_of(self.item.path), first, self.matches, self.text)
        return ReadFile(_restore_outcome(self.item, self.text), kept)


class _Batch(NamedTuple):
    """Files that were read together, and the rows of their matches."""

    files: list[_ExaminedFile]
    rows: TableFragment | None
    """None if the files cannot be tabulated together."""

    @property
    def matches(self) -> int:
        """Number of matches in the files."""
        return sum(file.matches for file in self.files)


class _FilesWithRows(NamedTuple):
    """Files whose rows are written together."""

    files: list[_ExaminedFile]
    rows: ShardRows | None
    """None if there are no rows."""


def _read_batch(items: Sequence[FileToRead], rule_book: RuleBook) -> _Batch:
    """Read, check and tabulate some files."""
    from bganalyze.statistics.tables.fragments import make_fragment

    read = [_read_file(item, rule_book) for item in items]
    matches = [match for _, matches in read for match in matches]
    files = [file for file, _ in read]
    try:
        return _Batch(files, make_fragment(matches, rule_book))
    except Exception:  # noqa: BLE001 - the file at fault is found, and costs the others nothing
        return _Batch(files, None)


def _join_batches(batches: Sequence[_Batch], rule_book: RuleBook) -> Iterator[_FilesWithRows]:
    """Yield files with their rows as the store has them: all together or, if that fails, file by file."""
    files = [file for batch in batches for file in batch.files]
    together = _join_rows([batch.rows for batch in batches])
    if together is not None:
        yield _FilesWithRows(files, together)
        return
    yield _FilesWithRows([], _join_rows([]))  # Even a shard without matches has its tables.
    yield from (_tabulate_alone(file, rule_book) for file in files)


def _join_rows(fragments: Sequence[TableFragment | None]) -> ShardRows | None:
    """Return the rows of some matches joined as a part of the store has them, or None if that fails."""
    rows = [fragment for fragment in fragments if fragment is not None]
    try:
        return _rows_for_store(rows) if len(rows) == len(fragments) else None
    except Exception:  # noqa: BLE001 - the file at fault is found, and costs the others nothing
        return None


def _tabulate_alone(file: _ExaminedFile, rule_book: RuleBook) -> _FilesWithRows:
    """Return one file with its rows; if they cannot be made, the file's outcome is an error."""
    from bganalyze.statistics.tables.fragments import make_fragment

    if not file.matches:
        return _FilesWithRows([file], None)

    def work(content: bytes) -> ShardRows:
        return _rows_for_store(
            [make_fragment(_examine_content(content, file.item, rule_book)[2], rule_book)]
        )

    outcome, rows = attempt(file.item, work)
    return _FilesWithRows([file if rows else _ExaminedFile(file.item, outcome)], rows)


def _rows_for_store(fragments: Sequence[TableFragment]) -> ShardRows:
    """Return the rows of some matches, and the counts for reports, as a part of the store (a shard) has them."""
    from bganalyze.statistics.reports import list_summed_tables
    from bganalyze.statistics.reports.sums import sum_each_table
    from bganalyze.statistics.store.shards import shard_rows
    from bganalyze.statistics.tables.frames import join_as_written as put_together

    tables = put_together(fragments)
    return shard_rows(tables, sum_each_table(tables, list_summed_tables()))


def write_shard_apart(
    jobs: Sequence[Job], rule_book: RuleBook
) -> tuple[WrittenShard, dict[str, bytes]]:
    """Write a shard into a temporary folder; return it with the content of its files."""
    from bganalyze.statistics.store.manifest import path_of

    with TemporaryDirectory() as name:
        folder = Path(name)
        collected = write_shard(jobs, folder, rule_book)
        place = path_of(folder, jobs[0].shard)
        return collected, {file: (place / file).read_bytes() for file in collected.files}


def _read_file(item: FileToRead, rule_book: RuleBook) -> tuple[_ExaminedFile, list[Examined]]:
    """Read and check a file; return it with its matches."""
    outcome, result = attempt(item, partial(_examine_content, item=item, rule_book=rule_book))
    if result is None:
        return _ExaminedFile(item, outcome), []
    digest, text, matches = result
    return _ExaminedFile(item, outcome, digest, text, len(matches)), matches


def _examine_content(
    content: bytes, item: FileToRead, rule_book: RuleBook
) -> tuple[bytes, str, list[Examined]]:
    """Return the digest of a content, the result of its check as JSON, and its matches."""
    from bganalyze.app.jobs.check import examine

    try:
        examination, replays = examine(content, item.path, rule_book)
    except NotATranscript as error:
        refusal = Refusal(error.reason, error.recognized_as is not None)
        return digest_of(content), as_json(refusal), []
    findings = select_findings(item, examination, Selection()).findings
    return digest_of(content), as_json(examination), examine_matches(replays, findings)
