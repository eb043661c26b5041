"""Contents that were handed over under a name: a file, or an archive that is unpacked for a while."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from bganalyze.files.addresses import archive_ending
from bganalyze.files.reading import Item, find


def _ignore(_size: int) -> None:
    """Do nothing: nobody asks how much is read."""


@contextmanager
def items_in(
    data: bytes | memoryview, path: str, root: str, meet: Callable[[int], None] = _ignore
) -> Iterator[Iterator[Item]]:
    """Provide the files in a content: itself, or the members of an archive, while this lasts.

    `path` is only a name: nothing of that name is looked up. Its ending says whether the content is
    an archive. `meet` is called with the size of each member, in bytes, before it is read.
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
            for item in _met(find([place]), meet)
        )


def _met(items: Iterator[Item], meet: Callable[[int], None]) -> Iterator[Item]:
    """Yield members of an archive, each once its size is told."""
    for item in items:
        meet(sum(member.size for member in item.chain[-1:]))
        yield item
