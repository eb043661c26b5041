"""Contents received under a name: one file, or an archive, kept in a temporary file while it is read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from bganalyze.files.addresses import archive_extension
from bganalyze.files.reading import FileToRead, find_files


def _ignore_size(_size: int) -> None:
    """Do nothing: the default for callers that do not count bytes."""


@contextmanager
def open_bytes(
    data: bytes | memoryview,
    path: str,
    given_path: str,
    report_size: Callable[[int], None] = _ignore_size,
) -> Iterator[Iterator[FileToRead]]:
    """Open bytes as if they were the file at `path`: provide the files in them, for a `with` block.

    If `path` ends like an archive's name, these are the files in the archive; else it is one file
    with these bytes. `given_path` is the path that the user named. `report_size` is called with the
    size in bytes of each file in an archive, before that file is read.
    """
    extension = archive_extension(path)
    if not extension:
        yield iter([FileToRead(path, given_path, held=bytes(data))])
        return
    with TemporaryDirectory() as folder:
        place = os.path.join(folder, f"archive{extension}")
        with open(place, "wb") as file:
            file.write(data)
        yield (
            item._replace(path=path + item.path[len(place) :], root=given_path)
            for item in _report_sizes(find_files([place]), report_size)
        )


def _report_sizes(
    items: Iterator[FileToRead], report_size: Callable[[int], None]
) -> Iterator[FileToRead]:
    """Yield the files of an archive, after calling `report_size` with the size of each in bytes."""
    for item in items:
        report_size(sum(member.size for member in item.chain[-1:]))
        yield item
