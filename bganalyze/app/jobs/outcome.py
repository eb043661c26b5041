"""Work on one file, isolated so that no file can spoil a run; and the count of the files.

Counts are neither compared nor shown, as little as the state of a game: that takes time at the start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from bganalyze.app.jobs.budget import BudgetSpentError, budget, problem_of
from bganalyze.files.reading import Item, TooLargeError, UnreadableError, holds_many, load
from bganalyze.record.refused import NotATranscript
from bganalyze.text import Files, Unreadable

CLEAN, FAILED, UNREADABLE = 0, 1, 2
"""Exit statuses: no finding that counts, at least one, or a file that could not be read."""

_A = TypeVar("_A")


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """Whether one file could be read, whatever it was read for."""

    path: str
    root: str
    """The path on the command line under which the file was found."""
    error: str | None = None
    """Why the file could not be read, if it was named or looks like a transcript."""
    skipped: str | None = None
    """Why the file was skipped: it was not named, and is not a transcript."""

    @property
    def is_read(self) -> bool:
        """Whether the file is a transcript that could be read."""
        return self.error is None and self.skipped is None


_Outcome = TypeVar("_Outcome", bound=FileOutcome)


@dataclass(slots=True, eq=False, repr=False)
class FileCounts:
    """The files of a run so far; `counted` fills it as the results pass through."""

    files: int = 0
    """How many files are transcripts."""
    skipped: int = 0
    unreadable: list[Unreadable] = field(default_factory=list)
    read: set[str] = field(default_factory=set)
    """The paths on the command line under which a transcript was found."""
    accounted: set[str] = field(default_factory=set)
    """Those under which a transcript was found, or a file that could not be read."""

    def counted(self, results: Iterable[_Outcome]) -> Iterator[_Outcome]:
        """Yield the results, counting them."""
        for outcome in results:
            self.count(outcome)
            yield outcome

    def count(self, outcome: FileOutcome) -> None:
        """Count a file."""
        self.files += outcome.is_read
        self.skipped += outcome.skipped is not None
        if outcome.error is not None:
            self.unreadable.append(Unreadable(outcome.path, outcome.error))
        if outcome.is_read:
            self.read.add(outcome.root)
        if outcome.skipped is None:
            self.accounted.add(outcome.root)

    def empty(self, paths: Iterable[str]) -> list[str]:
        """Return the folders and archives among the paths that hold no transcripts."""
        return [path for path in _holders(paths) if path not in self.accounted]

    def status(self, paths: Iterable[str], otherwise: int = CLEAN) -> int:
        """Return the exit status of a run over these paths.

        It is UNREADABLE if a file could not be read or a folder holds no transcripts, else
        `otherwise`.
        """
        is_failure = self.unreadable or not self.read.issuperset(_holders(paths))
        return UNREADABLE if is_failure else otherwise

    def summary(self) -> Files:
        """Return the counts so far, for rendering."""
        return Files(self.files, self.skipped, tuple(self.unreadable))


def _holders(paths: Iterable[str]) -> list[str]:
    """The folders and archives among the paths, each once."""
    return [path for path in dict.fromkeys(paths) if holds_many(path)]


def attempt(item: Item, work: Callable[[bytes], _A]) -> tuple[FileOutcome, _A | None]:
    """Read a file and return its outcome, with `work` of its bytes if that succeeds.

    Never raises, and stops work that takes more time or memory than a file of its size may take.
    """
    outcome, may_skip = FileOutcome(item.path, item.root), False
    try:
        content = load(item)
        with budget(len(content)):
            return outcome, work(content)
    except NotATranscript as error:
        reason, may_skip = error.reason, error.recognized_as is None
    except UnreadableError as error:
        reason, may_skip = str(error), isinstance(error, TooLargeError)
    except (Exception, BudgetSpentError) as error:  # noqa: BLE001 - one file must not cost the others
        reason = problem_of(error)
    return refused(item, reason, may_skip=may_skip), None


def refused(item: Item, reason: str, *, may_skip: bool) -> FileOutcome:
    """Return the outcome of a file that is no transcript: skipped unless it was named."""
    if may_skip and not item.named:
        return FileOutcome(item.path, item.root, skipped=reason)
    return FileOutcome(item.path, item.root, error=reason)
