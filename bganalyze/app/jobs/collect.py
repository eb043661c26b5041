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
from bganalyze.app.jobs.examination import (
    Refusal,
    parse_refusal,
    select_findings,
    write_result_json,
)
from bganalyze.app.jobs.executor import Executor, divide_evenly, peek
from bganalyze.app.jobs.outcome import FileOutcome, apply_to_file, refuse_item
from bganalyze.board.rule_book import RuleBook
from bganalyze.files.reading import FileToRead, find_files_in_encoding, hash_content
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
    """The files to read for one shard (a part of the store)."""

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
    """Read the files under some paths into a store, and yield the outcome of each file.

    Unchanged files are not read again, except with an `encoding`. The caller must have locked the
    store, whose list of files is `manifest`. Raises OSError, MatchStoreError and WorkerError.
    """
    files = _FilesToCollect(paths, manifest, counts, encoding)
    jobs = files.list_jobs(executor.size)
    with closing(_write_shards(jobs, manifest.folder.absolute(), rule_book, executor)) as shards:
        for collected in shards:
            yield from files.add_shard(collected)
    yield from files.take_unchanged()
    files.add_known_and_remove_missing()
    merge_small_shards(manifest)


def _write_shards(
    jobs: Iterator[list[Job]], store: Path, rule_book: RuleBook, executor: Executor
) -> Generator[WrittenShard, None, None]:
    """Read the files of each job into a shard (a part of the store), and yield the shard."""
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
    """Let other computers make a shard (a part of the store) for each job; save and yield it."""
    from bganalyze.statistics.store.shards import place_shard

    under_way = deque[int]()

    def pack_jobs() -> Iterator[list[Job]]:
        """Yield the jobs with the contents of their files."""
        for ((shard, items),) in jobs:
            under_way.append(shard)
            yield [Job(shard, tuple(map(executor.attach_content, items)))]

    work = partial(write_shard_in_memory, rule_book=rule_book)
    for collected, contents in executor.map_in_order(work, pack_jobs(), chunks_at_once=1):
        place_shard(store, under_way.popleft(), contents)
        yield collected


class _FilesToCollect:
    """The files that a run finds: unchanged ones are in the store, the others are read."""

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
        """Yield the outcomes of the unchanged files found since the last call."""
        while self._unchanged:
            yield self._unchanged.popleft()

    def list_jobs(self, processes: int) -> Iterator[list[Job]]:
        """Yield each job (the files to read for one part of the store) in a list of its own.

        Few files are divided evenly among the `processes`.
        """
        batches = divide_evenly(self._find_unread(), processes, FILES_A_SHARD, FEWEST_FILES)
        for shard, batch in enumerate(batches, self._manifest.make_shard_number()):
            self._under_way.append((shard, [file for _, file in batch]))
            yield [Job(shard, tuple(item for item, _ in batch))]

    def _find_unread(self) -> Iterator[tuple[FileToRead, FoundFile | None]]:
        """Yield each new or changed file, and its place in the store if that can be known.

        Unchanged files are kept for `take_unchanged`.
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
            # These are taken by `take_unchanged`.
            self._unchanged.append(outcome)
            if entry.is_entered:
                self._counts.unchanged += outcome.is_read
            else:
                self._note_known_content(file, entry, outcome)

    def _note_known_content(self, file: FoundFile, stored: KnownFile, outcome: FileOutcome) -> None:
        """Note a file, such as a copy, whose name and content are already in the store.

        `stored` is the stored check result of the content.
        """
        before = self._manifest.find_content(file.place)
        is_new_match_file = before is None and outcome.is_read
        self._linked.append(LinkedFile(file, stored.kept, outcome.path * is_new_match_file))
        if before is not None and outcome.is_read:
            is_same = before.digest in (None, stored.digest)
            self._counts.count("unchanged" if is_same else "changed", outcome.path)

    def _find_items(self) -> Iterator[FileToRead]:
        """Yield the files under the paths, then the files whose rows in the store are damaged."""
        yield from find_files_in_encoding(self._paths, self._encoding)
        for item in self._manifest.list_lost_files():
            file = self._manifest.locate_file(item)
            if file and not self._manifest.was_visited(file.place):
                yield item

    def add_shard(self, written: WrittenShard) -> Iterator[FileOutcome]:
        """Add a written shard (a part of the store), and yield the outcomes of its files.

        The outcomes of unchanged files follow.
        """
        shard, files = self._under_way.popleft()
        for file, read in zip(files, written.read, strict=True):
            self._count_read(file, read)
        with self._manifest.transaction():
            kept = [read.kept for read in written.read if read.kept]
            self._manifest.add_shard(shard, written.files)
            numbers = iter(self._manifest.record_results(shard, kept))
            for file, read in zip(files, written.read, strict=True):
                if read.kept and file:
                    self._manifest.record_file(file, next(numbers))
        for read in written.read:
            if read.kept is None:
                self._unreadable.append(absolute_path(read.outcome.path))
            yield read.outcome
        yield from self.take_unchanged()

    def _count_read(self, file: FoundFile | None, read: ReadFile) -> None:
        """Count a file that was read as new, as changed, or as read again.

        `file` is the file's place in the store, which must not have the new content yet.
        """
        if read.kept is None or not read.outcome.is_read:
            return
        # The new content must not have replaced the earlier one yet.
        before = self._manifest.find_content(file.place) if file else None
        if before is None:
            self._counts.count("new", read.outcome.path)
        else:
            is_same = before.digest in (None, read.kept.digest)
            self._counts.count("again" if is_same else "changed", read.outcome.path)

    def add_known_and_remove_missing(self) -> None:
        """Add to the store the files whose content it already has, and remove missing files."""
        scope = [absolute_path(path) for path in self._paths]
        missing = [
            place
            for place in self._manifest.list_places(scope)
            if not self._manifest.was_visited(place)
            # What cannot be read now may still exist.
            and not any(is_inside(join_path(*place[:2]), hidden) for hidden in self._unreadable)
        ]
        self._count_new_paths()
        for place in missing:
            content = self._manifest.find_content(place)
            if content is not None and content.matches != 0:
                self._counts.count("gone", self._manifest.find_path_as_written(place))
        with self._manifest.transaction():
            for file, known, _ in self._linked:
                self._manifest.record_file(file, known)
            self._manifest.delete_file_entries(missing)
            # Of a path that is missing as a whole, only files found elsewhere are
            # removed.
            self._counts.moved = self._manifest.delete_entries_of_moved_files()

    def _count_new_paths(self) -> None:
        """Count the files at new paths whose content the store has: copies and restored files."""
        at_new_paths = [file for file in self._linked if file.new_path]
        if at_new_paths:
            in_use = self._manifest.list_results_in_use()
            for file in at_new_paths:
                self._counts.count("copied" if file.known in in_use else "back", file.new_path)


def _find_known_outcome(item: FileToRead, outcome: str) -> FileOutcome | None:
    """Return the outcome of a file from its stored check result; None if that result is damaged."""
    try:
        return _restore_outcome(item, outcome)
    except ValueError:
        return None


def _restore_outcome(item: FileToRead, outcome: str) -> FileOutcome:
    """Return the outcome of a file from its stored check result in JSON, or raise ValueError."""
    refusal = parse_refusal(outcome)
    if refusal is not None:
        return refuse_item(item, refusal.reason, may_skip=not refusal.is_record)
    return FileOutcome(item.path, item.root)


def write_shard(jobs: Sequence[Job], store: Path, rule_book: RuleBook) -> WrittenShard:
    """Read and check the files of a job, and write them as a shard (a part of the store).

    `jobs` is a list of one job. Raises OSError if the shard cannot be written.
    """
    # Imported only where files are read: a run that has nothing to read needs no tables.
    from bganalyze.statistics.store.shards import ShardWriter

    gc.set_threshold(GARBAGE_AFTER)
    ((shard, files),) = jobs
    writer, read, batches = ShardWriter(store, shard), list[ReadFile](), list[_Batch]()
    items, first = iter(files), shard * MATCHES_A_SHARD

    def write_batches() -> None:
        """Write the waiting batches to the store, number their matches, and clear them."""
        nonlocal first
        for lot in _join_batches(batches, rule_book):
            if lot.rows is not None:
                writer.add(lot.rows)
            for file in lot.files:
                read.append(file.to_read_file(first))
                first += file.matches
        batches.clear()

    while batch := list(islice(items, FILES_AT_ONCE)):
        batches.append(_read_batch(batch, rule_book))
        if sum(batch.match_count for batch in batches) >= MATCHES_AT_ONCE:
            write_batches()
    write_batches()
    if first - shard * MATCHES_A_SHARD > MATCHES_AT_ONCE:
        gc.collect()  # Without it ten large shards take 40 MB more.
    return WrittenShard(writer.finish(), read)


class _ExaminedFile(NamedTuple):
    """A file that was read and checked; its matches have no numbers in the store yet."""

    item: FileToRead
    outcome: FileOutcome
    digest: bytes = b""
    text: str | None = None
    """The result of its check as JSON; None if the file could not be read."""
    matches: int = 0
    """Number of matches it holds."""

    def to_read_file(self, first: int) -> ReadFile:
        """Return the file as the store lists it.

        `first` is the number that the file's first match has in the store.
        """
        if self.text is None:
            return ReadFile(self.outcome, None)
        kept = StoredFile(self.digest, name_of(self.item.path), first, self.matches, self.text)
        return ReadFile(_restore_outcome(self.item, self.text), kept)


class _Batch(NamedTuple):
    """Files that were read together, and the table rows of their matches."""

    files: list[_ExaminedFile]
    rows: TableFragment | None
    """None if the files cannot be tabulated together."""

    @property
    def match_count(self) -> int:
        """Number of matches in the files."""
        return sum(file.matches for file in self.files)


class _FilesToWrite(NamedTuple):
    """Files whose table rows are written to the store together."""

    files: list[_ExaminedFile]
    rows: ShardRows | None
    """None if there are no rows."""


def _read_batch(items: Sequence[FileToRead], rule_book: RuleBook) -> _Batch:
    """Read and check files, and return them with the table rows of their matches."""
    from bganalyze.statistics.tables.fragments import make_fragment

    read = [_read_file(item, rule_book) for item in items]
    matches = [match for _, matches in read for match in matches]
    files = [file for file, _ in read]
    try:
        return _Batch(files, make_fragment(matches, rule_book))
    except Exception:  # noqa: BLE001 - the file at fault is found, and costs the others nothing
        return _Batch(files, None)


def _join_batches(batches: Sequence[_Batch], rule_book: RuleBook) -> Iterator[_FilesToWrite]:
    """Join the table rows of several batches, and yield all their files together with the rows.

    If this fails, yield each file alone, with its own rows or its error.
    """
    files = [file for batch in batches for file in batch.files]
    together = _join_rows([batch.rows for batch in batches])
    if together is not None:
        yield _FilesToWrite(files, together)
        return
    yield _FilesToWrite([], _join_rows([]))  # Even a shard without matches has its tables.
    yield from (_tabulate_alone(file, rule_book) for file in files)


def _join_rows(fragments: Sequence[TableFragment | None]) -> ShardRows | None:
    """Return the table rows of several batches joined, or None if this fails."""
    rows = [fragment for fragment in fragments if fragment is not None]
    try:
        return _make_rows_for_store(rows) if len(rows) == len(fragments) else None
    except Exception:  # noqa: BLE001 - the file at fault is found, and costs the others nothing
        return None


def _tabulate_alone(file: _ExaminedFile, rule_book: RuleBook) -> _FilesToWrite:
    """Read a file again, and return it with its table rows or an error."""
    from bganalyze.statistics.tables.fragments import make_fragment

    if not file.matches:
        return _FilesToWrite([file], None)

    def tabulate_content(content: bytes) -> ShardRows:
        """Return the table rows of a file's content."""
        return _make_rows_for_store(
            [make_fragment(_examine_content(content, file.item, rule_book)[2], rule_book)]
        )

    outcome, rows = apply_to_file(file.item, tabulate_content)
    return _FilesToWrite([file if rows else _ExaminedFile(file.item, outcome)], rows)


def _make_rows_for_store(fragments: Sequence[TableFragment]) -> ShardRows:
    """Return the table rows of some matches, and the totals for reports, for the store."""
    from bganalyze.statistics.reports import list_summed_tables
    from bganalyze.statistics.reports.sums import sum_each_table
    from bganalyze.statistics.store.shards import make_shard_rows
    from bganalyze.statistics.tables.frames import join_as_written as put_together

    tables = put_together(fragments)
    return make_shard_rows(tables, sum_each_table(tables, list_summed_tables()))


def write_shard_in_memory(
    jobs: Sequence[Job], rule_book: RuleBook
) -> tuple[WrittenShard, dict[str, bytes]]:
    """Read and check the files of a job; return its shard and the shard's files.

    A shard is a part of the store. `jobs` is a list of one job.
    """
    from bganalyze.statistics.store.manifest import find_shard_folder

    with TemporaryDirectory() as name:
        folder = Path(name)
        collected = write_shard(jobs, folder, rule_book)
        place = find_shard_folder(folder, jobs[0].shard)
        return collected, {file: (place / file).read_bytes() for file in collected.files}


def _read_file(item: FileToRead, rule_book: RuleBook) -> tuple[_ExaminedFile, list[Examined]]:
    """Read and check a file; return the result, and the matches with their findings."""
    outcome, result = apply_to_file(item, partial(_examine_content, item=item, rule_book=rule_book))
    if result is None:
        return _ExaminedFile(item, outcome), []
    digest, text, matches = result
    return _ExaminedFile(item, outcome, digest, text, len(matches)), matches


def _examine_content(
    content: bytes, item: FileToRead, rule_book: RuleBook
) -> tuple[bytes, str, list[Examined]]:
    """Check a file's content; return its hash, the result as JSON, and the matches."""
    from bganalyze.app.jobs.check import check_by_all_rules

    try:
        examination, replays = check_by_all_rules(content, item.path, rule_book)
    except NotATranscript as error:
        refusal = Refusal(error.reason, error.recognized_as is not None)
        return hash_content(content), write_result_json(refusal), []
    findings = select_findings(item, examination, Selection()).findings
    return hash_content(content), write_result_json(examination), examine_matches(replays, findings)
