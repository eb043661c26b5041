"""The counts of a run of `collect`: what became of each file since the last run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Change: TypeAlias = Literal["new", "changed", "back", "copied", "again", "unchanged", "gone"]
"""The state of a file since the last run; `CollectCounts` has a field of each name."""

MOST_NAMES = 10
"""Names of files kept for each change, unless the caller wants more."""

MOST_PATHS = 10_000
"""Paths of new and changed files kept, to name their problems before those of other files."""


@dataclass(slots=True)
class CollectCounts:
    """Counts of a run so far: files that are new, changed, copied and so on."""

    new: int = 0
    """Match files that the store did not know."""
    changed: int = 0
    """Match files with another content than in the last run, even one that the store knew before."""
    back: int = 0
    """Match files that were deleted, and are back with a content that the store still knew."""
    copied: int = 0
    """Match files at a new path, with the name and content of a file of the store."""
    again: int = 0
    """Match files that were read again though they are the same: their rows were lost, for example."""
    unchanged: int = 0
    gone: int = 0
    """Match files that were deleted; files without a match are not counted."""
    moved: int = 0
    """Files of missing paths that were found elsewhere."""
    most_names: int = field(default=MOST_NAMES, compare=False)
    """Names kept of each change."""
    names: dict[Change, list[str]] = field(default_factory=dict, compare=False)
    """The paths of the first files of each change; none of unchanged files."""
    differing_paths: list[str] = field(default_factory=list, compare=False)
    """The paths of the first `MOST_PATHS` files that are not as in the last run."""

    @property
    def read(self) -> int:
        """Number of match files that were read."""
        return self.new + self.changed + self.again

    @property
    def files(self) -> int:
        """Number of match files that were found."""
        return self.read + self.back + self.copied + self.unchanged

    def count(self, change: Change, path: str) -> None:
        """Count a file for its `change`, such as new, and keep the first paths."""
        setattr(self, change, getattr(self, change) + 1)
        if change != "unchanged":
            if len(self.differing_paths) < MOST_PATHS:
                self.differing_paths.append(path)
            names = self.names.setdefault(change, [])
            if len(names) < self.most_names:
                names.append(path)
