"""`bganalyze convert`: write transcripts in another format."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Annotated

import typer

from bganalyze.cli.endings import FAULT, complain, refuse, tell
from bganalyze.cli.options import Force, not_empty, one_of
from bganalyze.cli.writing import place_file
from bganalyze.corpus import MEMBER_MARK, Item, find, load
from bganalyze.files import UnreadableError, reason
from bganalyze.replaying import replay
from bganalyze.transcript.reader import NotATranscript, read_bytes
from bganalyze.writing import WRITERS, UnwritableError, Written, together, write

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
        str | None,
        one_of(WRITERS, "FORMAT", "The format; else the extension of OUT tells."),
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
    done, left_out, failed = set[str](), list[NotATranscript](), False
    for item, path in _targets(items, source, target, known_as, single=single):
        told = _attempt(item, path, known_as, done, force=force)
        if isinstance(told, Written):
            done.add(path)
            for line in () if quiet else together(told.losses):
                tell(f"{item.path}: not said in {path}: {line}")
        elif told is not None:
            left_out.append(told)
        else:
            failed = True
    if single and left_out:
        raise refuse(left_out[0])
    if left_out and not quiet:
        tell(f"{_count(left_out)} no transcript: {left_out[0]}")
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


def _targets(
    items: list[Item], source: str, target: str, known_as: str, *, single: bool
) -> Iterator[tuple[Item, str]]:
    """Yield each file with the path that it is written to: in a folder as it lay in the other."""
    extension = WRITERS[known_as].extension
    for item in items:
        if single:
            into_folder = os.path.isdir(target) or target.endswith(os.sep)
            own = item.path[len(item.archive + MEMBER_MARK) :] if item.archive else item.path
            name = _stem(Path(own).name) + extension
            yield item, os.path.join(target, name) if into_folder else target
        else:
            yield item, _inside(target, item.path[len(source) :], extension)


def _inside(folder: str, path: str, extension: str) -> str:
    """A path under `folder`, whatever the members of an archive are called."""
    parts = path.replace("\\", "/").replace(f".zip{MEMBER_MARK}", ".zip/").split("/")
    steps = [step.lstrip(MEMBER_MARK) for step in parts if step not in ("", ".", "..", MEMBER_MARK)]
    steps[-1:] = [_stem(step.replace(":", "_")) + extension for step in steps[-1:]]
    return os.path.join(folder, *steps)


def _stem(name: str) -> str:
    """The name of a file without its extension; standard input has none."""
    return Path(name).stem if name != STANDARD else "standard-input"


def _attempt(
    item: Item, path: str, known_as: str, done: Collection[str], *, force: bool
) -> Written | NotATranscript | None:
    """Convert one file; None where that failed, and was said. `done` are the files written before."""
    try:
        return _converted(item, path, known_as, done, force=force)
    except NotATranscript as error:
        return error
    except (UnreadableError, UnwritableError) as error:
        complain(f"{item.path}: {error}")
        return None


def _converted(
    item: Item, path: str, known_as: str, done: Collection[str], *, force: bool
) -> Written:
    """Convert one file; raise what stands in the way."""
    if path in done:
        raise UnreadableError(f"{path} is written already, from another file")
    matches = read_bytes(load(item), item.path)
    told = write([replay(match) for match in matches], known_as)
    if path == STANDARD:
        sys.stdout.buffer.write(told.data)
    else:
        _place(told.data, path, force=force)
    return told


def _place(data: bytes, path: str, *, force: bool) -> None:
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        place_file(Path(path), data, force=force)
    except OSError as error:
        raise UnreadableError(f"{path}: {reason(error)}") from error
