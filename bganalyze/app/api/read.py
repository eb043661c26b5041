"""`read`: matches from files in any form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import overload

from bganalyze.app.api.arguments import check_arguments
from bganalyze.app.api.sources import (
    Source,
    read_and_apply_with_path_in_errors,
    yield_files_or_matches,
)
from bganalyze.app.jobs.outcome import apply_to_file
from bganalyze.files.reading import FileToRead
from bganalyze.record.model import Match
from bganalyze.record.reader import read_bytes
from bganalyze.text import Unreadable, html_table_with_header, number_of


@dataclass(frozen=True, slots=True)
class Matches(Sequence[Match]):
    """The matches of files, in their order, and the files that could not be read."""

    matches: tuple[Match, ...]
    skipped: int = 0
    """Files of folders and archives without a match."""
    unreadable: tuple[Unreadable, ...] = ()
    """Files of folders and archives that look like match files but could not be read, with the reason."""

    @overload
    def __getitem__(self, place: int) -> Match: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Match, ...]: ...
    def __getitem__(self, place: int | slice) -> Match | tuple[Match, ...]:
        """Return the match at an index, or those of a slice."""
        return self.matches[place]

    def __len__(self) -> int:
        """Return the number of matches."""
        return len(self.matches)

    def __repr__(self) -> str:
        """The number of matches, and of files skipped or unreadable."""
        return f"<{number_of(len(self.matches), 'match')}{self._other_files_in_words}>"

    def _repr_html_(self) -> str:
        """A table of the matches, for notebooks."""
        rows = [
            (match.source.path, " – ".join(match.names), match.extent, match.format)
            for match in self.matches
        ]
        return (
            html_table_with_header(("file", "players", "extent", "format"), rows)
            + self._other_files_in_words
        )

    @property
    def _other_files_in_words(self) -> str:
        """The numbers of skipped and unreadable files, such as `, 2 skipped`, or ""."""
        parts = {"skipped": self.skipped, "unreadable": len(self.unreadable)}
        words = [f"{count:,} {word}" for word, count in parts.items() if count]
        return "".join(f", {part}" for part in words)


@check_arguments
def read(source: Source, *, name: str | None = None, encoding: str | None = None) -> Matches:
    r"""Return the matches of files, folders, archives, URLs, bytes or open files.

    - `name` is the file name for bytes or an open file, such as `club.zip`.
    - `encoding` is the encoding of the files, such as `windows-1251`, detected by default.

    Unreadable files of folders and archives are listed in the result. Raises NotATranscript and
    UnreadableError for a named file that cannot be read, and ValueError for an unknown encoding.

    >>> text = b" 5 point match\n\n Game 1\n Ann : 0     Bob : 0\n  1) 31: 8/5 6/4\n"
    >>> read(text, name="a.mat")[0]
    <Match a.mat: Ann – Bob, 5 points, 1 game>
    >>> read("samples/clean/one-point.mat")
    <1 match>
    """
    found, skipped, unreadable = list[Match](), 0, list[Unreadable]()
    with ExitStack() as opened:
        for part in yield_files_or_matches(source, name, opened, encoding):
            if not isinstance(part, FileToRead):
                found += part
            elif part.named:
                found += read_and_apply_with_path_in_errors(
                    part, partial(read_bytes, path=part.path)
                )
            else:
                outcome, matches = apply_to_file(part, partial(read_bytes, path=part.path))
                found += matches or ()
                skipped += outcome.is_skipped
                if outcome.error is not None:
                    unreadable.append(Unreadable(outcome.path, outcome.error))
    return Matches(tuple(found), skipped, tuple(unreadable))


def yield_matches_by_file(source: Source, name: str | None = None) -> Iterator[Sequence[Match]]:
    """Group the matches of a source by file, and yield each group."""
    matches = read(source, name=name)
    start = 0
    for place in range(1, len(matches) + 1):
        if place == len(matches) or matches[place].source is not matches[start].source:
            yield matches[start:place]
            start = place
