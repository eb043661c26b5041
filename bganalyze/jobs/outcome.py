"""Work on one file, so that nothing it may hold costs the others; and the count of those files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from bganalyze.files.reading import Item, TooLargeError, UnreadableError, holds_many, load
from bganalyze.text import Files, Unreadable
from bganalyze.transcript.refused import NotATranscript

CLEAN, FAILED, UNREADABLE = 0, 1, 2
"""Exit statuses: nothing that counts was found, something was, a file could not be read."""

_A = TypeVar("_A")


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """What became of one file, whatever was to be made of it."""

    path: str
    root: str
    """The path given, under which the file was found."""
    error: str | None = None
    """Why it could not be read: it is named or known as a record, or nobody can look into it."""
    skipped: str | None = None
    """Why it is no transcript, where nobody said that it was one."""

    @property
    def is_read(self) -> bool:
        """Whether it is a transcript that could be read."""
        return self.error is None and self.skipped is None


_Done = TypeVar("_Done", bound=FileOutcome)


@dataclass(slots=True)
class FileCounts:
    """The files of a run so far; `counted` fills it as the results pass by."""

    files: int = 0
    """How many are transcripts."""
    skipped: int = 0
    unreadable: list[Unreadable] = field(default_factory=list)
    read: set[str] = field(default_factory=set)
    """The paths given under which a transcript was found."""
    accounted: set[str] = field(default_factory=set)
    """The paths given under which a transcript was found, or something that could not be read."""

    def counted(self, results: Iterable[_Done]) -> Iterator[_Done]:
        """Pass the results on, counting them."""
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
        """Return the folders and archives among the paths that hold nothing but other files."""
        return [path for path in _holders(paths) if path not in self.accounted]

    def status(self, paths: Iterable[str], otherwise: int = CLEAN) -> int:
        """Return the exit status of a run over these paths: whether each led to transcripts.

        `otherwise` where all could be read.
        """
        is_failure = self.unreadable or not self.read.issuperset(_holders(paths))
        return UNREADABLE if is_failure else otherwise

    def summary(self) -> Files:
        """Return what became of the files so far."""
        return Files(self.files, self.skipped, tuple(self.unreadable))


def _holders(paths: Iterable[str]) -> list[str]:
    """The folders and archives among the paths, each once."""
    return [path for path in dict.fromkeys(paths) if holds_many(path)]


def attempt(item: Item, work: Callable[[bytes], _A]) -> tuple[FileOutcome, _A | None]:
    """Return what became of a file, and what `work` makes of its bytes if it does; never raises."""
    outcome, may_skip = FileOutcome(item.path, item.root), False
    try:
        return outcome, work(load(item))
    except NotATranscript as error:
        reason, may_skip = error.reason, error.recognised_as is None
    except UnreadableError as error:
        reason, may_skip = str(error), isinstance(error, TooLargeError)
    except Exception as error:  # noqa: BLE001 - one file must not cost the others
        reason = f"a fault of bganalyze, please report it: {error!r}"
    return refused(item, reason, may_skip=may_skip), None


def refused(item: Item, reason: str, *, may_skip: bool) -> FileOutcome:
    """Return that a file is passed over, where it may be and nobody named it, or is told."""
    if may_skip and not item.named:
        return FileOutcome(item.path, item.root, skipped=reason)
    return FileOutcome(item.path, item.root, error=reason)
