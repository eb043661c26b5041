"""Archives: list and read the members of zip files, tar files and streams of OGXM matches.

An archive may come from anywhere, so it is never unpacked as a whole. Members of a zip file are
found by its directory, those of other archives in sequence. An `UnpackLimit` refuses an archive that
would fill memory or disk, and no member is unpacked beyond the size limit of a file. Archives
inside archives are read one level deep, and documents one level deeper.
"""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterator
from contextlib import closing
from functools import cached_property, lru_cache, partial
from typing import BinaryIO, NamedTuple, Protocol, TypeAlias

from bganalyze.files.addresses import (
    ARCHIVES,
    DOCUMENTS,
    MEMBER_MARK,
    NO_MEMBER,
    get_archive_extension,
    is_hidden,
)
from bganalyze.files.limits import (
    UnpackLimit,
    UnreadableError,
    check_size,
    open_regular,
    read_limited,
    reason,
)
from bganalyze.files.packed import ENCRYPTED, PACKINGS, ForwardStream, Packing, errors_as_unreadable
from bganalyze.files.streams import Member, UnreadMembers, Walk, read_ogxm_matches, read_tar_members
from bganalyze.text import number_of

_WALKS: dict[str, Walk] = {".tar": read_tar_members, ".ogxms": read_ogxm_matches}

_ARCHIVE_DEPTH, _DOCUMENT_DEPTH = 1, 2
"""Most archives and documents that may hold an archive, and a document, that is opened."""

Chain: TypeAlias = tuple[Member, ...]
"""A member, after the inner archives that hold it, if any."""


class ArchiveEntry(NamedTuple):
    """A file in an archive, or the problem that keeps a file or the archive from being read."""

    name: str
    """Name in the archive; empty for the archive itself."""
    chain: Chain = ()
    """Inner archives that lead to the file, outermost first, then the file; empty for a problem."""
    problem: str | None = None
    """Reason why the entry cannot be read."""


def list_entries(path: str, only: str = "") -> Iterator[ArchiveEntry]:
    """Yield an entry for each file in an archive, and for each file in its inner archives.

    If `only` is given, only this file, or the files in this inner archive, are listed. An entry
    with a `problem` stands for files that cannot be read.
    """
    try:
        allowance = UnpackLimit(os.path.getsize(path))
    except OSError as error:
        yield ArchiveEntry("", problem=reason(error))
        return
    with closing(_open_archive(path, path)) as archive:
        for member in archive.members(allowance):
            if isinstance(member, UnreadMembers):
                yield ArchiveEntry("", problem=member.reason)
            elif only and only != member.name and not only.startswith(member.name + MEMBER_MARK):
                continue
            else:
                inside = _list_file_or_inner_archive(archive, (member,), allowance)
                yield from (entry for entry in inside if _is_within(entry.name, only))


def _is_within(entry_name: str, name: str) -> bool:
    """Whether the entry `entry_name` is the file `name`, or lies in the archive `name`.

    An empty `name` is the whole archive, which contains every entry.
    """
    return name in ("", entry_name) or entry_name.startswith(name + MEMBER_MARK)


def _list_file_or_inner_archive(
    archive: Archive, chain: Chain, limit: UnpackLimit
) -> Iterator[ArchiveEntry]:
    """Yield the entry of a file or, if the file is an archive itself, of each file in it.

    `chain` has the inner archives that lead to the file, then the file.
    """
    outer, name = chain[-1], MEMBER_MARK.join(member.name for member in chain)
    if not _is_inner_archive(chain):
        yield ArchiveEntry(name, chain)
        return
    try:
        inner = _open_archive(outer.name, archive.content(outer))
    except UnreadableError as error:
        yield ArchiveEntry(name, problem=str(error))
        return
    for member in inner.members(limit):
        if isinstance(member, UnreadMembers):
            yield ArchiveEntry(name, problem=member.reason)
        else:
            yield from _list_file_or_inner_archive(inner, (*chain, member), limit)


def _is_inner_archive(chain: Chain) -> bool:
    """Whether the last file of `chain` is an archive to open, and not nested too deeply.

    Each file in `chain` lies in the one before it.
    """
    extension = get_archive_extension(chain[-1].name)
    return extension != "" and len(chain) <= (
        _DOCUMENT_DEPTH if extension in DOCUMENTS else _ARCHIVE_DEPTH
    )


def find_last_member(path: str, member_name: str) -> Chain:
    """Return the inner archives that lead to the last file with this name, then the file itself.

    Raises UnreadableError if there is no such file.
    """
    entries = list(list_entries(path, member_name))
    chains = [entry.chain for entry in entries if entry.name == member_name and entry.chain]
    if not chains:
        problems = [entry.problem for entry in entries if entry.problem is not None]
        raise UnreadableError(problems[0] if problems else NO_MEMBER)
    return chains[-1]


def read_member(path: str, chain: Chain) -> bytes:
    """Return the bytes of a file in the archive at `path`; raise UnreadableError on failure.

    `chain` has the inner archives that lead to the file, then the file.
    """
    try:
        status = os.stat(path)
    except OSError as error:
        raise UnreadableError(reason(error)) from error
    return _open_and_cache(path, status.st_mtime_ns, status.st_size, chain[:-1]).content(chain[-1])


@lru_cache(maxsize=2)
def _open_and_cache(path: str, change_time: int, size: int, nested: Chain) -> Archive:
    """Open the archive at `path`, or the innermost of its inner archives `nested`.

    The two archives opened last stay open. An archive of another `change_time` or `size` is opened
    anew.
    """
    if not nested:
        return _open_archive(path, path)
    return _open_archive(
        nested[-1].name, _open_and_cache(path, change_time, size, nested[:-1]).content(nested[-1])
    )


class Archive(Protocol):
    """An open archive, or a document or mail read like one."""

    def members(self, limit: UnpackLimit) -> Iterator[Member | UnreadMembers]:
        """Yield the files in the archive, except hidden ones.

        An `UnreadMembers` stands for files that cannot be read. `limit` stops an archive that
        unpacks to too much.
        """

    def content(self, member: Member) -> bytes:
        """Return the bytes of a member; raise UnreadableError if they cannot be read."""

    def close(self) -> None:
        """Close the file of the archive."""


def _open_archive(name: str, source: str | bytes) -> Archive:
    """Open an archive called `name`; `source` is its path or its bytes."""
    extension = get_archive_extension(name)
    if extension in DOCUMENTS:
        from bganalyze.files.documents import make_document

        return make_document(extension, partial(_open_source, source))
    streamed = ARCHIVES[extension]
    if streamed is None:
        return _Zip(source)
    extension, packed = streamed
    return _Streamed(source, _WALKS[extension], PACKINGS.get(packed))


class _Zip:
    """A zip file, whose directory at the end says where each member lies."""

    def __init__(self, source: str | bytes) -> None:
        self._source = source

    def members(self, limit: UnpackLimit) -> Iterator[Member | UnreadMembers]:
        """Yield the visible files, sorted by name.

        If any file cannot be read, an `UnreadMembers` with the reason comes first.
        """
        try:
            with errors_as_unreadable("broken archive"):
                infos = self._archive.infolist()
            limit.spend(len(infos), sum(info.file_size for info in infos))
        except UnreadableError as error:
            yield UnreadMembers(str(error))
            return
        files = [
            Member(info.filename, number, info.file_size)
            for number, info in enumerate(infos)
            if not (info.is_dir() or is_hidden(info.filename))
        ]
        readable = [member for member in files if not infos[member.place].flag_bits & ENCRYPTED]
        sealed = len(files) - len(readable)
        if sealed:
            yield UnreadMembers(f"{sealed} of {len(files)} members are encrypted")
        yield from sorted(readable)

    def content(self, member: Member) -> bytes:
        """Return the bytes of a member; raise UnreadableError if they cannot be read."""
        check_size(member.size)
        with (
            errors_as_unreadable("broken archive"),
            self._archive.open(self._archive.infolist()[member.place]) as file,
        ):
            return read_limited(file)

    def close(self) -> None:
        """Close the file if it was opened."""
        if "_file" in self.__dict__:
            self._file.close()

    def __del__(self) -> None:
        self.close()

    @cached_property
    def _file(self) -> BinaryIO:
        """The open file, also if the zip file is only in memory."""
        return _open_source(self._source)

    @cached_property
    def _archive(self) -> zipfile.ZipFile:
        """The zip file, opened when first needed."""
        return zipfile.ZipFile(self._file)


class _Streamed:
    """A tar file or other archive without a directory, read from start to end."""

    def __init__(self, source: str | bytes, walk: Walk, packing: Packing | None) -> None:
        self._source, self._walk, self._packing = source, walk, packing

    def members(self, limit: UnpackLimit) -> Iterator[Member | UnreadMembers]:
        """Yield the visible files in the order in which they are stored.

        If the archive is damaged or too large, an `UnreadMembers` with the reason comes last.
        """
        read = 0
        try:
            with errors_as_unreadable("broken archive"), closing(self._open_stream()) as stream:
                for member in self._walk(stream, limit):
                    read += 1
                    if isinstance(member, UnreadMembers) or not is_hidden(member.name):
                        yield member
        except UnreadableError as error:
            before = f"; only the part before it was read ({number_of(read, 'member')})"
            yield UnreadMembers(f"{error}{before if read else ''}")

    def content(self, member: Member) -> bytes:
        """Return the bytes of a member; raise UnreadableError if they cannot be read."""
        check_size(member.size)
        with errors_as_unreadable("broken archive"):
            self._stream.go_to(member.place)
            return self._stream.read(member.size)

    def close(self) -> None:
        """Close the archive if it is open."""
        if "_stream" in self.__dict__:
            self._stream.close()

    @cached_property
    def _stream(self) -> ForwardStream:
        """The decompressed archive, opened once and kept open."""
        return self._open_stream()

    def _open_stream(self) -> ForwardStream:
        """Open the archive and return its content, which is decompressed while it is read."""
        return ForwardStream(_open_source(self._source), self._packing)


def _open_source(source: str | bytes) -> BinaryIO:
    """Open the file at a path or, given bytes, a file in memory."""
    return open_regular(source) if isinstance(source, str) else io.BytesIO(source)
