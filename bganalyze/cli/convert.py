"""`bganalyze convert`: write transcripts in another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bganalyze.cli.endings import FAULT, complain, refuse, tell
from bganalyze.cli.options import Force, not_empty, one_of, path_or_address
from bganalyze.cli.placing import STANDARD_OUTPUT, CommandWords, OutputPlaces
from bganalyze.files.reading import UnreadableError, find, load
from bganalyze.replaying import replay
from bganalyze.transcript.reader import read_bytes
from bganalyze.transcript.refused import NotATranscript
from bganalyze.writing import WRITERS, UnwritableError, together, write

BY_EXTENSION = {each.extension: name for name, each in reversed(WRITERS.items())}


def command(
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN",
            help="A file, folder or archive, packed or not, or a URL; - is standard input.",
            callback=path_or_address,
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
    places = OutputPlaces(items, target, CommandWords("convert", "converted", "OUT"), force=force)
    single = places.single
    known_as = _format(to, target, single=single)
    done, left_out, failed = 0, list[NotATranscript](), False
    for item in items:
        try:
            written = write(
                [replay(match) for match in read_bytes(load(item), item.path)], known_as
            )
            path = places.path(item, WRITERS[known_as].extension)
            places.put(written.data, path, item)
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
    if target == STANDARD_OUTPUT and not single:
        raise refuse("only one file goes to standard output")
    return known_as


def _count(left_out: list[NotATranscript]) -> str:
    return "1 file holds" if len(left_out) == 1 else f"{len(left_out)} files hold"
