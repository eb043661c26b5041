"""`bganalyze convert`: write transcripts in another format."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from bganalyze.cli.endings import FAULT, complain, refuse
from bganalyze.cli.options import Force, not_empty, one_of
from bganalyze.cli.writing import place_file
from bganalyze.corpus import Item, find, load
from bganalyze.files import UnreadableError, reason
from bganalyze.replaying import replay
from bganalyze.transcript.reader import NotATranscript, read_bytes
from bganalyze.writing import WRITERS, UnwritableError, Written, together, write

BY_EXTENSION = {each.extension: name for name, each in reversed(WRITERS.items())}


def command(
    source: Annotated[
        str,
        typer.Argument(metavar="IN", help="A file, folder or zip archive.", callback=not_empty),
    ],
    target: Annotated[
        str,
        typer.Argument(
            metavar="OUT",
            help="A file; a folder, where IN is one or an archive.",
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
    known_as = to or (BY_EXTENSION.get(Path(target).suffix.lower()) if single else None)
    if known_as is None:
        raise refuse(f"{target}: which format? --to takes one of {', '.join(WRITERS)}")
    failed, done = 0, set[str]()
    for item, path in _targets(items, source, target, known_as, single=single):
        if path in done:
            complain(f"{item.path}: {path} is written already, from another file")
            failed += 1
            continue
        try:
            told = _converted(item, path, known_as, force=force)
        except NotATranscript as error:
            if single:
                complain(f"{item.path}: {error.reason}")
                failed += 1
            continue
        except (UnreadableError, UnwritableError) as error:
            complain(f"{item.path}: {error}")
            failed += 1
            continue
        done.add(path)
        for line in () if quiet else together(told.losses):
            typer.echo(f"{item.path}: not said in {path}: {line}", err=True)
    if failed or not done:
        if not failed:
            complain(f"{source}: no transcript in it")
        raise typer.Exit(FAULT)


def _targets(
    items: list[Item], source: str, target: str, known_as: str, *, single: bool
) -> Iterator[tuple[Item, str]]:
    """Yield each file with the path that it is written to: in a folder as it lay in the other."""
    extension = WRITERS[known_as].extension
    for item in items:
        if single:
            into_folder = os.path.isdir(target)
            name = Path(item.path).stem + extension
            yield item, os.path.join(target, name) if into_folder else target
        else:
            yield item, _inside(target, item.path[len(source) :].lstrip("!"), extension)


def _inside(folder: str, path: str, extension: str) -> str:
    """A path under `folder`, whatever the members of an archive are called."""
    steps = [step for step in path.replace("\\", "/").split("/") if step not in ("", ".", "..")]
    steps[-1:] = [Path(step.replace(":", "_")).stem + extension for step in steps[-1:]]
    return os.path.join(folder, *steps)


def _converted(item: Item, path: str, known_as: str, *, force: bool) -> Written:
    """Convert one file; raise what stands in the way."""
    matches = read_bytes(load(item), item.path)
    told = write([replay(match) for match in matches], known_as)
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        place_file(Path(path), told.data, force=force)
    except OSError as error:
        raise UnreadableError(f"{path}: {reason(error)}") from error
    return told
