"""Sources of the library's functions: paths, URLs, bytes, open files, or matches already read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from itertools import groupby
from typing import BinaryIO, TypeAlias, TypeVar, cast

from bganalyze.app.config import load_rule_book, name_rule_book
from bganalyze.app.jobs.budget import BudgetSpentError, describe_unexpected_error, limit_block
from bganalyze.app.jobs.outcome import FileOutcome
from bganalyze.board.rule_book import RULE_BOOKS, RuleBook
from bganalyze.files.addresses import is_path_of_named_file
from bganalyze.files.contents import open_bytes
from bganalyze.files.reading import FileToRead, UnreadableError, find_files, load_file
from bganalyze.record.encodings import require_encoding
from bganalyze.record.model import Match
from bganalyze.record.not_a_transcript import NotATranscript
from bganalyze.text import did_you_mean, find_choice, printable, shorten_message

FilePath: TypeAlias = "str | os.PathLike[str]"
"""A file, folder or archive, a member of an archive (`archive.zip!member`), or a URL of any of them."""

Content: TypeAlias = "bytes | bytearray | memoryview | BinaryIO"
"""The bytes of a file, or an open file."""

Source: TypeAlias = "FilePath | Content | Match | Iterable[FilePath | Match]"
"""A path or paths, the bytes of a file, an open file, or matches already read."""

UNNAMED = "unnamed"
"""The file name for bytes without one."""

_T = TypeVar("_T")


def find_rule_book(rules: str | RuleBook) -> RuleBook:
    """Return the rule book with a name or in a TOML file, or raise ValueError.

    >>> find_rule_book("USBGF").dead_cube
    'prohibit'
    """
    if isinstance(rules, RuleBook):
        return rules
    if find_choice(rules, RULE_BOOKS) or rules.lower().endswith(".toml"):
        return load_rule_book(name_rule_book(rules))
    is_file_name = any(mark in rules for mark in "./\\")
    hint = (
        "; the name of a file is given as name="
        if is_file_name
        else did_you_mean(rules, RULE_BOOKS)
    )
    raise ValueError(f"{rules!r} is no rule book; there are {', '.join(RULE_BOOKS)}{hint}")


def yield_files_or_matches(
    source: Source, name: str | None, opened: ExitStack, encoding: str | None = None
) -> Iterator[FileToRead | tuple[Match, ...]]:
    """Yield each file of a source or, for matches already read, the matches of each file.

    `name` is the file name for bytes. An archive stays open until the exit stack `opened` is
    closed. Raises TypeError for a source of another type, and ValueError for an unknown encoding.
    """
    known = None if encoding is None else require_encoding(encoding)
    for part in _list_files_or_matches(source, name, opened):
        yield part._replace(encoding=known) if isinstance(part, FileToRead) else part


def _list_files_or_matches(
    source: Source, name: str | None, opened: ExitStack
) -> Iterator[FileToRead | tuple[Match, ...]]:
    """Yield each file of a source or, for matches already read, the matches of each file.

    Raises TypeError for a source of another type.
    """
    if isinstance(source, Match):
        yield (cast("Match", source),)
    elif isinstance(source, str | os.PathLike):
        yield from _find_files([source])
    elif isinstance(source, bytes | bytearray | memoryview) or hasattr(source, "read"):
        yield from opened.enter_context(_open_content(cast("Content", source), name))
    elif isinstance(source, Iterable) and not _is_mapping_or_frame(source):
        yield from _list_mixed_source(cast("Iterable[FilePath | Match]", source))
    else:
        raise TypeError(
            f"paths, bytes, an open file or matches expected, not {type(source).__name__}"
        )


def _is_mapping_or_frame(source: object) -> bool:
    """Whether a value is a dictionary or a data frame."""
    # Iterating over these yields keys instead of paths.
    return isinstance(source, Mapping) or hasattr(source, "columns")


def group_files(
    parts: Iterable[FileToRead | tuple[Match, ...]],
) -> Iterator[Iterator[FileToRead] | tuple[Match, ...]]:
    """Join consecutive files into one iterator, and yield it; yield tuples of matches unchanged.

    >>> files = [FileToRead("a.mat", "a.mat"), FileToRead("b.mat", "b.mat")]
    >>> [len(list(part)) for part in group_files([*files, (), *files])]
    [2, 0, 2]
    """
    for are_files, some in groupby(parts, lambda part: isinstance(part, FileToRead)):
        if are_files:
            yield (part for part in some if isinstance(part, FileToRead))
        else:
            yield from (part for part in some if not isinstance(part, FileToRead))


def make_reiterable(source: Source) -> Source:
    """Return a source that can be read twice: an iterator as a list, any other source unchanged."""
    is_iterator = hasattr(source, "__next__") and not hasattr(source, "read")
    return list(cast("Iterable[FilePath | Match]", source)) if is_iterator else source


def list_paths(source: Source, name: str | None) -> Iterator[str]:
    """Yield each path of a source once; for bytes or an open file, yield the file name."""
    if isinstance(source, bytes | bytearray | memoryview) or hasattr(source, "read"):
        yield _find_name(cast("Content", source), name)
        return
    is_one = isinstance(source, Match | str | os.PathLike)
    each = [source] if is_one else cast("Iterable[FilePath | Match]", source)
    paths = (path for path in each if not isinstance(path, Match))
    yield from dict.fromkeys(os.fspath(cast("FilePath", path)) for path in paths)


def require_single_file(
    source: Source, name: str | None, opened: ExitStack, encoding: str | None = None
) -> FileToRead:
    """Return the only file of a source; raise UnreadableError if it has none or several.

    `name` is the file name for bytes. An archive stays open until the exit stack `opened` is
    closed. Raises TypeError for matches already read.
    """
    parts = list(yield_files_or_matches(source, name, opened, encoding))
    files = [part for part in parts if isinstance(part, FileToRead)]
    if len(files) < len(parts):
        raise TypeError("the path or the bytes of a file expected, not a Match: its text is edited")
    if len(files) != 1:
        path = next(iter(list_paths(source, name)), UNNAMED)
        raise UnreadableError(
            f"one file expected, not {len(files)}: call it for each of them", path
        )
    return files[0]


def read_and_apply(item: FileToRead, work: Callable[[bytes], _T]) -> _T:
    """Read a file, and return `work(content)`.

    Raises UnreadableError if reading or `work` fails, or takes too much time or memory. A
    NotATranscript is raised unchanged.
    """
    content = load_file(item)
    return call_in_limits(len(content), partial(work, content))


def call_in_limits(size: int, work: Callable[[], _T], *expected_errors: type[Exception]) -> _T:
    """Return `work()`; raise UnreadableError if `work` fails, or takes too much time or memory.

    The limits are those for a file of `size` bytes. NotATranscript, UnreadableError and the
    `expected_errors` are raised unchanged.
    """
    passed_on: tuple[type[Exception], ...] = (NotATranscript, UnreadableError, *expected_errors)
    try:
        with limit_block(size):
            return work()
    except passed_on:
        raise
    except (Exception, BudgetSpentError) as error:
        raise UnreadableError(describe_unexpected_error(error)) from error


def call_in_limits_of_matches(
    matches: Sequence[Match], work: Callable[[], _T], *expected_errors: type[Exception]
) -> _T:
    """Return `work()`; raise UnreadableError if `work` fails, or takes too much time or memory.

    The limits are those for the matches' files. NotATranscript and the `expected_errors` are raised
    unchanged.
    """
    sources = {id(match.source): match.source for match in matches}
    size = sum(len(line) for source in sources.values() for line in source.lines)
    try:
        return call_in_limits(size, work, *expected_errors)
    except UnreadableError as error:
        raise UnreadableError(error.reason, matches[0].source.path) from error


def read_and_apply_with_path_in_errors(item: FileToRead, work: Callable[[bytes], _T]) -> _T:
    """Read a file, and return `work(content)`; name the file's path in every UnreadableError."""
    try:
        return read_and_apply(item, work)
    except UnreadableError as error:
        raise UnreadableError(error.reason, shorten_message(str(item))) from error


def require_read(outcome: FileOutcome) -> None:
    """Raise NotATranscript or UnreadableError if a file named by the user could not be read."""
    if outcome.error is None or not is_path_of_named_file(outcome.path, outcome.root):
        return
    if outcome.is_refused:
        raise NotATranscript(outcome.path, outcome.error, outcome.recognized_as)
    raise UnreadableError(outcome.error, shorten_message(outcome.path))


def _find_files(paths: Sequence[FilePath]) -> Iterator[FileToRead]:
    """Yield the match files under paths, which are files, folders, archives or URLs.

    Raises UnreadableError if the content of a match file is given as a path.
    """
    for path in (os.fspath(path) for path in paths):
        # The text of a match was given instead of its path.
        if _is_content(path):
            raise UnreadableError(
                _NO_PATH, f"{printable(' '.join(path[:_MOST_QUOTED].split()))} ..."
            )
    yield from find_files(paths)


def _is_content(text: str) -> bool:
    r"""Whether a text passed as a path is really the content of a match file.

    >>> _is_content("Game 1\n 1) 31: 8/5"), _is_content("a.mat")
    (True, False)
    """
    several_lines = any(end in text.strip() for end in "\n\r\0")
    return (several_lines or len(text) > _LONGEST_PATH) and not _is_existing_path(text)


def _is_existing_path(path: str) -> bool:
    """Whether a path exists. A broken symbolic link counts as existing."""
    try:
        return os.path.lexists(path)
    except ValueError:  # a path with a NUL character
        return False


_NO_PATH = "a str is a path, and no file has this one; pass the content of a file as bytes"
_LONGEST_PATH = 4096
"""Characters of the longest path, that of Linux; URLs are shorter."""
_MOST_QUOTED = 40
"""Characters quoted of content that was given as a path."""


def _open_content(
    source: Content, name: str | None
) -> AbstractContextManager[Iterator[FileToRead]]:
    """Provide, in a `with` block, the files in bytes or an open file, which may be an archive."""
    data = bytes(source) if isinstance(source, bytearray | memoryview) else source
    data = data if isinstance(data, bytes) else data.read()
    if isinstance(data, str):
        raise TypeError("a file must be open in binary mode: open(path, 'rb')")
    path = _find_name(source, name)
    if not data and data is not source and _is_past_beginning(source):
        raise UnreadableError("read to its end already; open it again, or pass its bytes", path)
    return open_bytes(data, path, path)


def _is_past_beginning(file: object) -> bool:
    """Whether an open file is past its beginning, so that it was probably read before."""
    tell = getattr(file, "tell", None)
    try:
        return tell is not None and bool(tell())
    except OSError:
        return False


def _find_name(source: Content, name: str | None) -> str:
    """Return the file name for bytes or an open file: `name`, else its own, else `UNNAMED`."""
    known_as = name or getattr(source, "name", None)
    return known_as if isinstance(known_as, str) else UNNAMED


def _list_mixed_source(
    source: Iterable[FilePath | Match],
) -> Iterator[FileToRead | tuple[Match, ...]]:
    """Yield the files of a list of paths and matches; yield its matches as one tuple per file."""
    for kind, group in groupby(source, _classify_path_or_match):
        if kind is not Match:
            yield from _find_files([path for path in group if not isinstance(path, Match)])
            continue
        matches = [match for match in group if isinstance(match, Match)]
        for _, of_file in groupby(matches, lambda match: id(match.source)):
            yield tuple(of_file)


def _classify_path_or_match(value: object) -> type:
    """Return `Match` for a match and `str` for a path; raise TypeError otherwise."""
    for kind in (Match, str, os.PathLike):
        if isinstance(value, kind):
            return Match if kind is Match else str
    raise TypeError(f"paths or matches expected, not {type(value).__name__}")
