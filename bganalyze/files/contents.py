"""Contents received under a name: one file, or an archive that is unpacked temporarily."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from bganalyze.files.addresses import archive_extension
from bganalyze.files.reading import Item, find


def _ignore_size(_size: int) -> None:
    """Do nothing: the default for callers that do not count bytes."""


@contextmanager
def open_items(
    data: bytes | memoryview, path: str, root: str, meet: Callable[[int], None] = _ignore_size
) -> Iterator[Iterator[Item]]:
    """Provide the files in some bytes, as an iterator for a `with` block.

    `path` is only a name: if it ends like an archive's, the bytes are opened as an archive. `root`
    is the path that the user named. `meet` is called with the size in bytes of each member, before
    it is read.
    """
    extension = archive_extension(path)
    if not extension:
        yield iter([Item(path, root, held=bytes(data))])
        return
    with TemporaryDirectory() as folder:
        place = os.path.join(folder, f"archive{extension}")
        with open(place, "wb") as file:
            file.write(data)
        yield (
            item._replace(path=path + item.path[len(place) :], root=root)
            for item in _report_sizes(find([place]), meet)
        )


def _report_sizes(items: Iterator[Item], meet: Callable[[int], None]) -> Iterator[Item]:
    """Yield the members of an archive; before each, call `meet` with its size."""
    for item in items:
        meet(sum(member.size for member in item.chain[-1:]))
        yield item
