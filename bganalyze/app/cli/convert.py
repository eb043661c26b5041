"""`bganalyze convert`: write match files in another format."""

import shlex
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from bganalyze import NAME
from bganalyze.app.api.convert import Converted, convert_matches
from bganalyze.app.cli.exit_status import FAULT, complain, print_note, refuse
from bganalyze.app.cli.io import SEE_FORMATS, add_formats_hint
from bganalyze.app.cli.options import (
    Encoding,
    Force,
    Quiet,
    choice_option,
    require_path,
    wrap_address,
)
from bganalyze.app.cli.output_paths import STANDARD_OUTPUT, CommandWords, OutputPlaces
from bganalyze.app.jobs.outcome import NO_MATCH_FILE, apply_to_file
from bganalyze.files.addresses import hide_credentials_in
from bganalyze.files.reading import FileToRead, UnreadableError, find_files_in_encoding
from bganalyze.record.prose_around import remove_prose
from bganalyze.record.reader import read_bytes
from bganalyze.text import number_of
from bganalyze.writing import INSTEAD_OF_XG, WRITERS, XG_FORMATS, UnwritableError

BY_EXTENSION = {writer.extension: name for name, writer in reversed(WRITERS.items())}


def command(
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN",
            help="A file, folder or archive, compressed or not, or a URL; - is standard input.",
            callback=wrap_address,
        ),
    ],
    target: Annotated[
        str,
        typer.Argument(
            metavar="OUT",
            help="A file, or a folder if IN is a folder or archive; - is standard output.",
            callback=require_path,
        ),
    ],
    to: Annotated[
        str | None,
        choice_option(
            WRITERS,
            "FORMAT",
            "The format, if the extension of OUT does not say.",
            hints=dict.fromkeys(XG_FORMATS, INSTEAD_OF_XG),
        ),
    ] = None,
    no_prose: Annotated[
        bool,
        typer.Option(
            "--no-prose",
            help="Leave out lines of prose around the match, such as a mail's greeting.",
        ),
    ] = False,
    encoding: Encoding = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Write match files in another format.

    Information that the new format cannot hold is listed on standard error. Errors in the
    matches are not repaired, only counted there.

    Example:

        bganalyze convert other.xg other.mat
        bganalyze convert match.mat clean.mat --no-prose
        bganalyze convert matches/ converted/ --to sgf
    """
    items = list(find_files_in_encoding([source], encoding))
    places = OutputPlaces(items, target, CommandWords("convert", "converted", "OUT"), force=force)
    single = places.single
    writer = _choose_output_format(to, target, single=single)
    games, errors = Counter[str](), Counter[str]()
    skipped, failed = list[str](), False
    for item in items:
        outcome, made = apply_to_file(
            item, partial(_convert_bytes, path=item.path, writer=writer, no_prose=no_prose)
        )
        if outcome.is_skipped:
            skipped.append(f"{item}: {outcome.skipped}")
        if outcome.error is not None:
            complain(f"{item}: {add_formats_hint(outcome.error)}")
            failed = True
        if made is None:
            continue
        result, games_of_file = made
        try:
            path = places.path(item, result.extension)
            places.write_output(result.data, path, item)
        except UnreadableError as error:
            complain(f"{item}: {error}")
            failed = True
        else:
            games[str(item)], errors[str(item)] = games_of_file, result.errors
            if not quiet:
                _note_changes(item, path, result)
    if not quiet:
        _note_skipped(skipped)
        if games and target != STANDARD_OUTPUT:
            written = path if single else f"{number_of(len(games), 'file')} to {target}"
            print_note(f"wrote {written}: {number_of(games.total(), 'game')}")
        _note_errors(+errors, source, encoding)
    _require_converted(source, converted=len(games), failed=failed)


def _convert_bytes(
    content: bytes, path: str, writer: str, *, no_prose: bool
) -> tuple[Converted, int]:
    """Return a file's content in the format `writer`, and the number of games in the file.

    Raises NotATranscript, or UnreadableError if the format cannot hold the matches.
    """
    matches = read_bytes(content, path)
    if no_prose:
        matches = [remove_prose(match) for match in matches]
    try:
        return convert_matches(matches, writer), sum(len(match.games) for match in matches)
    except UnwritableError as error:
        raise UnreadableError(str(error)) from error


def _note_changes(item: FileToRead, path: str, result: Converted) -> None:
    """Print what a file lost when it was converted, and how many lines of prose it kept.

    `path` is the path of the converted copy.
    """
    for line in result.lost:
        print_note(f"{item}: lost in {path}: {line}")
    if result.prose_lines:
        lines = f"{number_of(result.prose_lines, 'line')} around the match"
        verb, them = (
            ("is kept as a comment", "it")
            if result.prose_lines == 1
            else ("are kept as comments", "them")
        )
        print_note(f"{item}: {lines} {verb}; --no-prose leaves {them} out")


def _note_errors(errors: Counter[str], source: str, encoding: str | None) -> None:
    """Print how many errors the converted files have, and a command that lists them.

    `source` is the path that was converted.
    """
    if not errors:
        return
    path = hide_credentials_in(source)
    have = "has" if len(errors) == 1 else f"{number_of(len(errors), 'file')} have"
    options = [] if encoding is None else ["--encoding", encoding]
    command = shlex.join([NAME, "check", path, *options])
    print_note(
        f"{path}: {have} {number_of(errors.total(), 'error')}, not repaired; to list: {command}"
    )


def _require_converted(source: str, *, converted: int, failed: bool) -> None:
    """End the run with an error if a file has `failed`, or if no file was `converted`."""
    if not converted and not failed:
        complain(f"{source}: {NO_MATCH_FILE}; {SEE_FORMATS}")
    if failed or not converted:
        raise typer.Exit(FAULT)


def _choose_output_format(to: str | None, target: str, *, single: bool) -> str:
    """Return the format to write: `to` or, for a single file, the format of the target's extension.

    Ends the run if neither gives a format, or if several files would go to standard output.
    """
    name = to or (BY_EXTENSION.get(Path(target).suffix.lower()) if single else None)
    if name is None:
        if target.lower().rpartition(".")[2] in XG_FORMATS:
            raise refuse(f"{target}: this format cannot be written; {INSTEAD_OF_XG}")
        raise refuse(f"{target}: which format? --to takes one of {', '.join(WRITERS)}")
    if target == STANDARD_OUTPUT and not single:
        raise refuse("only one file goes to standard output")
    return name


def _note_skipped(skipped: list[str]) -> None:
    """Print the first file without a match, and how many such files there are."""
    if skipped:
        holding = "1 file holds" if len(skipped) == 1 else f"{len(skipped)} files hold"
        print_note(f"{holding} no match: {skipped[0]}")
