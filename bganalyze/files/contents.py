"""Contents received under a name: one file, or an archive, kept in a temporary file while it is read."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from bganalyze.files.addresses import get_archive_extension
from bganalyze.files.limits import UnreadableError
from bganalyze.files.reading import FileToRead, find_files
from bganalyze.record.not_a_transcript import PACKED


def _ignore_size(_size: int) -> None:
    """Do nothing: the size of a file is not reported."""


@contextmanager
def open_bytes(
    data: bytes | memoryview,
    path: str,
    given_path: str,
    report_size: Callable[[int], None] = _ignore_size,
) -> Iterator[Iterator[FileToRead]]:
    """Provide, in a `with` block, the files in `data`, as if they were read from `path`.

    `given_path` is the path that the user named. `report_size` is called with each archived file's
    size in bytes before that file is read.
    """
    extension = get_archive_extension(path)
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
    """Yield the files of an archive, and call `report_size` with the size in bytes before each."""
    for item in items:
        report_size(sum(member.size for member in item.chain[-1:]))
        yield item


def find_archive_extension(data: bytes, name: str) -> str:
    r"""Return the extension that fits the content of an archive or document, such as `.zip`.

    If the content shows nothing, the extension in `name` is returned, or "" for any other file.

    >>> find_archive_extension(b"PK\3\4", "upload.bin"), find_archive_extension(b"", " A.TAR.GZ ")
    ('.zip', '.tar.gz')
    """
    if _has_mark_of(data, "a zip archive"):
        return _find_zip_extension(data)
    if _has_mark_of(data, "a tar archive") or _is_packed_tar(data):
        return ".tar" + _find_packing_extension(data)
    if data.startswith(_RTF_MARK):
        return ".rtf"
    return get_archive_extension(name.strip())


_RTF_MARK = b"{\\rtf"


def _has_mark_of(data: bytes, kind: str) -> bool:
    """Whether a file begins with the bytes that mark a kind of file.

    `kind` is a key of `PACKED`, such as `a tar archive`.
    """
    offset, mark = PACKED[kind]
    return data.startswith(mark, offset)


def _find_zip_extension(data: bytes) -> str:
    """Return the extension for the content of a zip file: `.docx`, `.odt` or else `.zip`."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return ".zip"
    if "word/document.xml" in names:
        return ".docx"
    return ".odt" if {"mimetype", "content.xml"} <= names else ".zip"


def _is_packed_tar(data: bytes) -> bool:
    """Whether bytes are a compressed tar archive."""
    from bganalyze.files.packed import detect_packing, errors_as_unreadable

    packing = detect_packing(data)
    offset, mark = PACKED["a tar archive"]
    if packing is None:
        return False
    try:
        with errors_as_unreadable("broken"):
            return packing.opened(io.BytesIO(data)).read(offset + len(mark)).endswith(mark)
    except UnreadableError:
        return False


def _find_packing_extension(data: bytes) -> str:
    """Return the extension that fits compressed bytes, such as `.gz`, or "" for other bytes."""
    from bganalyze.files.packed import PACKINGS, detect_packing

    packing = detect_packing(data)
    return next((f".{ending}" for ending, one in PACKINGS.items() if one is packing), "")
