"""Contents received under a name: one file, or an archive that is unpacked temporarily."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from bganalyze.files.addresses import archive_ending
from bganalyze.files.reading import Item, find


def _ignore(_size: int) -> None:
    """Do nothing, for callers that do not count the bytes."""


@contextmanager
def open_items(
    data: bytes | memoryview, path: str, root: str, meet: Callable[[int], None] = _ignore
) -> Iterator[Iterator[Item]]:
    """Provide an iterator over the files in some bytes, for a `with` block.

    `path` is only a name. If it names an archive, the files are its members. `meet` is called with
    the size of each member in bytes before the member is read.
    """
    ending = archive_ending(path)
    if not ending:
        yield iter([Item(path, root, held=bytes(data))])
        return
    with TemporaryDirectory() as folder:
        place = os.path.join(folder, f"archive{ending}")
        with open(place, "wb") as file:
            file.write(data)
        yield (
            item._replace(path=path + item.path[len(place) :], root=root)
            for item in _report_sizes(find([place]), meet)
        )


def _report_sizes(items: Iterator[Item], meet: Callable[[int], None]) -> Iterator[Item]:
    """Yield members of an archive, each after reporting its size."""
    for item in items:
        meet(sum(member.size for member in item.chain[-1:]))
        yield item
