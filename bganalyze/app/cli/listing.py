"""The matches of many files, listed one file after the other."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bganalyze.app.api.matches import find_in_store, rate_and_rename
from bganalyze.app.cli.exit_status import exit_on
from bganalyze.app.cli.progress import Progress
from bganalyze.app.config import Config
from bganalyze.app.jobs.executor import Executor, map_or_recall
from bganalyze.app.jobs.matches import ListedFile, list_file
from bganalyze.app.jobs.outcome import FileCounts
from bganalyze.files.reading import FileToRead, find_files_in_encoding
from bganalyze.statistics.match_list import ListedMatch

if TYPE_CHECKING:
    from bganalyze.analysis.select import EngineChoice
    from bganalyze.analysis.store import Store


class FileWithMatches(NamedTuple):
    """A file with its matches."""

    item: FileToRead
    matches: list[ListedMatch]


class Folder(NamedTuple):
    """A folder for output, and whether existing files in it may be replaced."""

    path: Path
    force: bool
    """Whether files that bganalyze did not make are overwritten."""
    quiet: bool


class Listing(NamedTuple):
    """The files of a run, the settings for reading them, and the database of analyses."""

    paths: list[str]
    config: Config
    called: Callable[[str], str]
    """The player of a written name."""
    analyses: Store | None
    choice: EngineChoice

    def list_files(
        self, executor: Executor, counts: FileCounts, progress: Progress
    ) -> Generator[FileWithMatches, None, None]:
        """Read the files; yield each in order with its list of matches, which has renamed players and their PR.

        Each file is added to `counts`, and errors of reading are printed. End the run with a
        message if the database of analyses cannot be read. Raise WorkerError.
        """
        from bganalyze.analysis.store_error import StoreError

        with exit_on(StoreError), closing(self._read_all(executor)) as results:
            find = find_in_store(self.analyses, self.choice)
            for item, file in results:
                counts.count(file)
                progress.report_unread(file)
                progress.add(1)
                rated = [rate_and_rename(match, find, self.called) for match in file.matches]
                yield FileWithMatches(item, rated)

    def _read_all(self, executor: Executor) -> Generator[tuple[FileToRead, ListedFile], None, None]:
        """Read the files, several at a time; yield each in order with its list of matches."""
        job = partial(list_file, rule_book=self.config.rule_book)
        items = find_files_in_encoding(self.paths, self.config.encoding)
        return map_or_recall(job, items, lambda _: None, executor)
