"""`collect`: read files once, and keep their tables, sums and findings in a store."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bganalyze.app.api.arguments import check_arguments
from bganalyze.app.api.sources import FilePath, find_rule_book
from bganalyze.app.config import rule_book_title
from bganalyze.app.jobs.collect import collect as collect_files
from bganalyze.app.jobs.collect_counts import MOST_NAMES, CollectCounts
from bganalyze.app.jobs.executor import Executor
from bganalyze.app.jobs.outcome import FileCounts, FileOutcome
from bganalyze.app.jobs.workers import Processes
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.files.reading import distinct_paths
from bganalyze.record.encodings import require_encoding
from bganalyze.statistics.store.manifest import Manifest, find_shard_folder
from bganalyze.statistics.store.opening import open_to_collect
from bganalyze.statistics.store.places import absolute_path, is_inside
from bganalyze.statistics.store.program_version import identify_program
from bganalyze.statistics.store.upkeep import (
    find_missing_paths,
    forget_damaged,
    hold_lock,
    remove_leftovers,
)
from bganalyze.text import Unreadable, number_of


class DamagedPart(NamedTuple):
    """A damaged part of a store; its files are read again."""

    path: str
    files: int


@dataclass(frozen=True, slots=True)
class CollectRun:
    """A run of `collect` in progress, which has locked the store."""

    manifest: Manifest
    paths: Sequence[str]
    rule_book: RuleBook
    executor: Executor
    damaged: tuple[DamagedPart, ...]
    counts: CollectCounts
    encoding: str | None = None
    """The encoding of the files, if the user names it."""

    def read_files(self) -> Generator[FileOutcome, None, None]:
        """Read the files into the store, and yield their outcomes.

        Raises OSError, MatchStoreError and WorkerError.
        """
        return collect_files(
            *(self.paths, self.manifest, self.rule_book, self.executor, self.counts), self.encoding
        )

    def find_missing_paths(self) -> list[str]:
        """Return the paths that no longer exist, but whose files are still in the store."""
        return find_missing_paths(self.manifest)


@contextmanager
def open_collect_run(
    paths: Iterable[str],
    store: Path,
    rule_book: RuleBook,
    executor: Executor,
    wait: Callable[[], None],
    *,
    encoding: str | None = None,
    renew: bool = False,
    forget: Iterable[str] = (),
    most_names: int = MOST_NAMES,
) -> Iterator[CollectRun]:
    """Provide, in a `with` block, a `CollectRun` that reads files into a store.

    - `executor` has the workers that read the files.
    - `wait` is called if another run has locked the store.
    - `encoding` is the encoding of the files; None detects it.
    - `renew` empties the store first.
    - `forget` has paths whose files are removed from the store.
    - `most_names` is the number of new files, changed files and so on whose names are kept.

    Raises OSError and MatchStoreError.
    """
    forgotten = [absolute_path(path) for path in forget]
    kept = [
        path for path in paths if not any(is_inside(absolute_path(path), one) for one in forgotten)
    ]
    with (
        closing(open_to_collect(store, identify_program(), rule_book_title(rule_book))) as manifest,
        hold_lock(store, wait),
    ):
        if renew:
            with manifest.transaction():
                manifest.delete_all_but_collected_paths(
                    identify_program(), rule_book_title(rule_book)
                )
        manifest.require_maker(identify_program(), rule_book_title(rule_book))
        with manifest.transaction():
            manifest.forget_paths(forgotten)
        remove_leftovers(manifest)
        damaged = [
            DamagedPart(str(find_shard_folder(store, shard)), files)
            for shard, files in forget_damaged(manifest)
        ]
        counts = CollectCounts(most_names=most_names)
        yield CollectRun(*(manifest, kept, rule_book, executor, tuple(damaged), counts, encoding))


@dataclass(frozen=True, slots=True)
class Collection:
    """The result of `collect`: counts of the run, and the size of the store."""

    store: str
    matches: int
    """Matches in the store."""
    read: int
    """Files that were read."""
    new: int
    """Match files that the store did not know."""
    changed: int
    """Match files with another content than in the last run."""
    back: int
    """Match files that were deleted and are back."""
    copied: int
    """Match files that were copied or moved to a new path, with the same name."""
    unchanged: int
    """Files unchanged since an earlier run."""
    gone: int
    """Deleted match files, now removed from the store."""
    moved: int
    """Files of missing paths that were found elsewhere, and are counted only there."""
    skipped: int
    """Files without a match."""
    unreadable: tuple[Unreadable, ...] = ()
    """Files that could not be read, with the reason."""
    missing: tuple[str, ...] = ()
    """Missing paths whose files the store keeps."""

    def __repr__(self) -> str:
        """The store, its matches and the number of files read."""
        return f"<{self.store}: {number_of(self.matches, 'match')}, {self.read:,} read>"


@check_arguments
def collect(
    paths: FilePath | Iterable[FilePath],
    store: FilePath,
    rules: str | RuleBook = BASIC,
    *,
    renew: bool = False,
    forget: Iterable[str] = (),
    workers: int = 1,
    encoding: str | None = None,
) -> Collection:
    """Read files, folders, archives and URLs into a store (a folder).

    Unchanged files are not read again, and deleted files are removed from the store.

    - `renew` empties the store first.
    - `forget` has paths whose files are removed.
    - `workers` is the number of processes; a program that uses several needs the usual `if __name__
      == "__main__":`.
    - `encoding` is the encoding of the files, such as `windows-1251`, detected by default. If it is
      given, all files are read again.

    Raises MatchStoreError, OSError and WorkerError, and ValueError for an unknown encoding.
    """
    several = [paths] if isinstance(paths, str | os.PathLike) else paths
    named = distinct_paths(os.fspath(path) for path in several)
    attempts = FileCounts()
    with open_collect_run(
        *(named, Path(store), find_rule_book(rules), Processes(workers), lambda: None),
        encoding=None if encoding is None else require_encoding(encoding),
        renew=renew,
        forget=forget,
    ) as run:
        with closing(run.read_files()) as outcomes:
            for outcome in outcomes:
                attempts.count(outcome)
        return Collection(
            str(store),
            run.manifest.count_matches(),
            run.counts.read,
            run.counts.new,
            run.counts.changed,
            run.counts.back,
            run.counts.copied,
            run.counts.unchanged,
            run.counts.gone,
            run.counts.moved,
            attempts.skipped,
            tuple(attempts.unreadable),
            tuple(run.find_missing_paths()),
        )
