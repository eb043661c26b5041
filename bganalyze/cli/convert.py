"""`bganalyze convert`: write transcripts in another format."""

from __future__ import annotations

import os
import posixpath
import sys
from pathlib import Path
from typing import Annotated

import typer

from bganalyze.cli.endings import FAULT, complain, refuse, tell
from bganalyze.cli.io import place_file
from bganalyze.cli.options import Force, not_empty, one_of
from bganalyze.files.outputs import inside
from bganalyze.files.reading import MEMBER_MARK, Item, UnreadableError, find, load, reason
from bganalyze.replaying import replay
from bganalyze.transcript.reader import NotATranscript, read_bytes
from bganalyze.writing import WRITERS, UnwritableError, together, write

STANDARD = "-"
BY_EXTENSION = {each.extension: name for name, each in reversed(WRITERS.items())}


def command(
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN",
            help="A file, folder or zip archive; - is standard input.",
            callback=not_empty,
        ),
    ],
    target: Annotated[
        str,
        typer.Argument(
            metavar="OUT",
            help="A file, or a folder, where IN is one or an archive; - is standard output.",
            callback=not_empty,
        ),
    ],
    to: Annotated[
        str | None, one_of(WRITERS, "FORMAT", "The format; else the extension of OUT tells.")
    ] = None,
    force: Force = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Do not tell what is lost.")] = False,
) -> None:
    """Write transcripts in another format.

    What that format cannot say is told on standard error.

    Example:

        bganalyze convert match.xg match.mat
        bganalyze convert matches/ converted/ --to sgf
    """
    items = list(find([source]))
    single = len(items) == 1 and items[0].named
    known_as = _format(to, target, single=single)
    holders = {_identity(item.path): item for item in items}
    done, left_out, failed = 0, list[NotATranscript](), False
    for item in items:
        try:
            written = write(
                [replay(match) for match in read_bytes(load(item), item.path)], known_as
            )
            path = _path(item, target, WRITERS[known_as].extension, single=single)
            _place(written.data, path, item, holders, force=force)
        except NotATranscript as error:
            if error.recognised_as is None or single:
                left_out.append(error)
            else:
                complain(str(error))
                failed = True
        except (UnreadableError, UnwritableError) as error:
            complain(f"{item.path}: {error}")
            failed = True
        else:
            done += 1
            for line in () if quiet else together(written.losses):
                tell(f"{item.path}: not said in {path}: {line}")
    if single and left_out:
        raise refuse(left_out[0])
    if left_out and not quiet:
        tell(f"{_count(left_out)} no transcript: {left_out[0]}")
    _end(source, done=done, failed=failed)


def _end(source: str, *, done: int, failed: bool) -> None:
    """End with the status that says whether every transcript was converted, and there was one."""
    if not done and not failed:
        complain(f"{source}: no transcript in it")
    if failed or not done:
        raise typer.Exit(FAULT)


def _format(to: str | None, target: str, *, single: bool) -> str:
    """The format that is wanted, by name or by the extension of the only file."""
    known_as = to or (BY_EXTENSION.get(Path(target).suffix.lower()) if single else None)
    if known_as is None:
        raise refuse(f"{target}: which format? --to takes one of {', '.join(WRITERS)}")
    if target == STANDARD and not single:
        raise refuse("only one file goes to standard output")
    return known_as


def _count(left_out: list[NotATranscript]) -> str:
    return "1 file holds" if len(left_out) == 1 else f"{len(left_out)} files hold"


def _path(item: Item, target: str, extension: str, *, single: bool) -> str:
    """Where a file is written to: in a folder as it lay in the other. Raises UnreadableError."""
    into_folder = os.path.isdir(target) or target.endswith(("/", os.sep))
    if single and not into_folder:
        return target
    name = os.path.basename(_name(item)) if single else _name(item)
    try:
        return str(inside(Path(target), name, extension))
    except OSError as error:
        raise UnreadableError(f"not written: {error}") from error


def _name(item: Item) -> str:
    """The name of a file below the path that was given, with its folders but no extension."""
    if item.path == STANDARD:
        return "standard-input"
    if item.archive is None:
        name = item.path if item.named else item.path[len(item.root) :]
    else:
        member = item.path[len(item.archive + MEMBER_MARK) :]
        name = member if item.named else f"{item.archive[len(item.root) :]}/{member}"
    return posixpath.splitext(name.replace("\\", "/"))[0]


_Identity = tuple[int, int]
"""What tells a file from all others, however its path is spelled: its device and its number there."""


def _identity(path: str) -> _Identity | None:
    """The identity of a file; None where there is none of that path."""
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def _place(
    data: bytes, path: str, item: Item, holders: dict[_Identity | None, Item], *, force: bool
) -> None:
    """Write a file, but over none that this run has written or has yet to read.

    Whether two paths are one file is asked of the file system: in some of them names that differ in
    case, or in how an accent is encoded, are the same. Raises UnreadableError.
    """
    if path == STANDARD:
        sys.stdout.buffer.write(data)
        return
    identity = _identity(path)
    holder = holders.get(identity) if identity else None
    if holder is not None and holder is not item:
        itself = os.path.normpath(holder.path) == os.path.normpath(path)
        why = "is to be converted itself" if itself else f"holds {holder} already"
        raise UnreadableError(f"{path} {why}; convert this file alone, to another OUT")
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        place_file(Path(path), data, force=force)
    except OSError as error:
        raise UnreadableError(f"{path}: {reason(error)}") from error
    holders[_identity(path)] = item
