"""Work on one file, isolated so that its errors cannot end the run; and the counts of files.

Counts define no `__eq__` or `__repr__`: generating them would slow the start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeVar

from bganalyze.app.jobs.budget import BudgetSpentError, describe_unexpected_error, limit_block
from bganalyze.files.reading import (
    FileToRead,
    TooLargeError,
    UnreadableError,
    holds_many_files,
    load_file,
)
from bganalyze.record.not_a_transcript import NotATranscript
from bganalyze.record.own_files import OWN_FILE
from bganalyze.text import Files, Unreadable

CLEAN, FAILED, UNREADABLE = 0, 1, 2
"""Exit statuses: no finding that counts, at least one, a file that could not be read."""

NO_MATCH_FILE = "no match file in it"
"""The problem with a folder or an archive that holds no match file."""

_A = TypeVar("_A")


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """The outcome of reading one file: whether it was read, and if not, why."""

    path: str
    root: str
    """The path on the command line under which the file was found."""
    error: str | None = None
    """The reason why the file could not be read, if it was named or looks like a match file."""
    skipped: str | None = None
    """The reason why the file was skipped: it was not named, and is not a match file."""
    known_error: str | None = None
    """The reason why the file could not be read, if a baseline lists it; `error` is None then."""
    is_refused: bool = False
    """Whether it could be read, but not as a match file."""
    recognized_as: str | None = None
    """The format of a refused file, if its content or its name shows one."""

    @property
    def is_read(self) -> bool:
        """Whether the file is a match file and could be read."""
        return self.error is None and self.skipped is None and self.known_error is None

    @property
    def is_written_by_bganalyze(self) -> bool:
        """Whether the file was skipped because bganalyze wrote it."""
        return self.skipped == OWN_FILE

    @property
    def is_skipped(self) -> bool:
        """Whether the file was skipped as no match file, and not because bganalyze wrote it."""
        return self.skipped is not None and not self.is_written_by_bganalyze


_Outcome = TypeVar("_Outcome", bound=FileOutcome)


@dataclass(slots=True, eq=False, repr=False)
class FileCounts:
    """Counts of the files of a run so far."""

    files: int = 0
    """Match files that were read."""
    skipped: int = 0
    own: int = 0
    """Files left out because bganalyze made them."""
    unreadable: list[Unreadable] = field(default_factory=list)
    known_unreadable: int = 0
    """Unreadable files that a baseline lists; they are no failure."""
    read: set[str] = field(default_factory=set)
    """Paths on the command line under which a match file was read, or is known to be unreadable."""
    accounted: set[str] = field(default_factory=set)
    """Paths on the command line under which a match file was read or failed."""

    def count_each(self, results: Iterable[_Outcome]) -> Iterator[_Outcome]:
        """Add the outcome of each file to these counts, and yield it unchanged."""
        for outcome in results:
            self.count(outcome)
            yield outcome

    def count(self, outcome: FileOutcome) -> None:
        """Count a file as read, skipped or unreadable."""
        self.files += outcome.is_read
        self.skipped += outcome.is_skipped
        self.own += outcome.is_written_by_bganalyze
        if outcome.error is not None:
            self.unreadable.append(Unreadable(outcome.path, outcome.error))
        self.known_unreadable += outcome.known_error is not None
        if outcome.is_read or outcome.known_error is not None:
            self.read.add(outcome.root)
        if outcome.skipped is None:
            self.accounted.add(outcome.root)

    def find_empty_paths(self, paths: Iterable[str]) -> list[str]:
        """Return the folders and archives among `paths` that hold no match file."""
        return [path for path in _list_folders_and_archives(paths) if path not in self.accounted]

    def status(self, paths: Iterable[str], otherwise: int = CLEAN) -> int:
        """Return the exit status: 2 after a failure, else `otherwise`.

        An unreadable file is a failure, and so is a folder or archive without a match file.
        """
        is_failure = self.unreadable or not self.read.issuperset(_list_folders_and_archives(paths))
        return UNREADABLE if is_failure else otherwise

    def summary(self) -> Files:
        """Return the numbers of files read, skipped and unreadable so far."""
        return Files(self.files, self.skipped, tuple(self.unreadable))


def _list_folders_and_archives(paths: Iterable[str]) -> list[str]:
    """Return the folders and archives among the paths, each once."""
    return [path for path in dict.fromkeys(paths) if holds_many_files(path)]


def apply_to_file(item: FileToRead, work: Callable[[bytes], _A]) -> tuple[FileOutcome, _A | None]:
    """Read a file; return the outcome, and `work(content)` or None if the work fails.

    Work that takes too much time or memory is stopped.
    """
    outcome, refused, may_skip = FileOutcome(item.path, item.root), None, False
    try:
        content = load_file(item)
        with limit_block(len(content)):
            return outcome, work(content)
    except NotATranscript as error:
        reason, refused, may_skip = error.reason, error, error.recognized_as is None
    except UnreadableError as error:
        reason, may_skip = str(error), isinstance(error, TooLargeError)
    except (Exception, BudgetSpentError) as error:  # noqa: BLE001 - one file must not cost the others
        reason = describe_unexpected_error(error)
    outcome = refuse_item(item, reason, may_skip=may_skip)
    if refused is not None:
        outcome = replace(outcome, is_refused=True, recognized_as=refused.recognized_as)
    return outcome, None


def refuse_item(item: FileToRead, reason: str, *, may_skip: bool) -> FileOutcome:
    """Return the outcome of a file that cannot be read for a `reason`: skipped or failed.

    The file is skipped only with `may_skip`, and never if the user named it.
    """
    if may_skip and not item.named:
        return FileOutcome(item.path, item.root, skipped=reason)
    return FileOutcome(item.path, item.root, error=reason)
