"""`bganalyze examine`: everything about uploaded files, as JSON for programs."""

import json
from typing import Annotated

import typer

from bganalyze.app.api.examine import Examination, examine, make_unreadable_upload, repair_upload
from bganalyze.app.api.schema import schema as find_schema
from bganalyze.app.cli.exit_status import exit_on, refuse
from bganalyze.app.cli.io import write, write_bytes
from bganalyze.app.cli.options import Encoding, require_path, rules_option, value_option
from bganalyze.app.config import load_rule_book
from bganalyze.app.jobs.outcome import CLEAN, FAILED, UNREADABLE
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.board.rule_text import RuleBookError
from bganalyze.files.limits import check_size
from bganalyze.files.reading import (
    STANDARD_INPUT,
    UnreadableError,
    read_named_file,
    read_standard_input,
)


def command(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE...",
            help="Files and archives on this computer, never a URL or a folder; - is standard input.",
            callback=lambda paths: list(map(require_path, paths or ())),
        ),
    ] = None,
    name: Annotated[
        str | None,
        value_option(
            "NAME", "For one file: its name in the output, instead of FILE.", show_default="FILE"
        ),
    ] = None,
    rules: Annotated[str | None, rules_option("basic")] = None,
    encoding: Encoding = None,
    choose: Annotated[
        str | None,
        value_option(
            "NUMBERS",
            "For one file: write it repaired by these proposals instead, such as 1.2 or 1.2,2.1.",
        ),
    ] = None,
    path: Annotated[
        str | None,
        value_option(
            "PATH", "With --choose, for an archive: the path or the member of the finding."
        ),
    ] = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Write the JSON schema of the objects, and no object.")
    ] = False,
) -> None:
    """Examine uploaded files for another program: write a JSON object for each.

    The object has the matches, the findings with their boards as SVG, the
    proposed repairs, and what could not be read. It is the same as that of
    the function bganalyze.examine, one on each line, in the order of the
    files; a file that cannot be read has one, too. docs/json.md has its keys.

    The content decides what a file is, and NAME is only shown: a name from a
    user can do no harm. No settings file is read. With --choose, the repaired
    file is written to standard output, a binary one as .bgm text.

    Exit status: 2 if something could not be read, or an archive has no match
    file; else 1 if there is an error that is not corrected; else 0.

    Example:

        bganalyze examine match.mat
        bganalyze examine match.mat archive.zip
        bganalyze examine - --name "club night.zip" < archive.zip
        bganalyze examine match.mat --choose 1 > fixed.mat
        bganalyze examine --schema > examination.schema.json
    """
    if schema:
        write([json.dumps(find_schema("examination"), indent=1) + "\n"])
        return
    if not paths:
        raise refuse("name a file, or - for standard input")
    if name is not None and len(paths) != 1:
        raise refuse("--name is for one file")
    if choose is not None and len(paths) != 1:
        raise refuse("--choose is for one file")
    with exit_on(RuleBookError):
        rule_book = load_rule_book(rules or BASIC.name)
    if choose is not None:
        label = paths[0] if name is None else name
        write_bytes([_repair_file(paths[0], label, choose, path, rule_book, encoding)])
        return
    status = CLEAN
    for place in paths:
        examined = _examine_file(place, place if name is None else name, rule_book, encoding)
        write([json.dumps(examined.to_dict()) + "\n"])
        status = max(status, _find_exit_status(examined))
    raise typer.Exit(status)


def _examine_file(place: str, name: str, rule_book: RuleBook, encoding: str | None) -> Examination:
    """Return the examination of the file at `place` (`-` is standard input), shown as `name`."""
    try:
        content = _read_upload(place)
    except UnreadableError as error:
        return make_unreadable_upload(name, str(error), rule_book)
    return examine(content, name, rule_book, encoding=encoding)


def _repair_file(
    place: str,
    name: str,
    choices: str,
    path: str | None,
    rule_book: RuleBook,
    encoding: str | None,
) -> bytes:
    """Return a file repaired by the proposals with the numbers `choices`, such as `1.2,2.1`.

    The file is read from `place` (`-` is standard input) and shown as `name`. If it is an archive,
    `path` is the path of the file in it.
    """
    with exit_on(UnreadableError, ValueError):
        content, numbers = _read_upload(place), choices.split(",")
        return repair_upload(content, name, numbers, path, rule_book, encoding=encoding).data


def _read_upload(place: str) -> bytes:
    """Return the content of a local file or of standard input, or raise UnreadableError."""
    content = read_standard_input() if place == STANDARD_INPUT else read_named_file(place)
    check_size(len(content))
    return content


def _find_exit_status(examined: Examination) -> int:
    """Return the exit status for a file: 2 if it is unreadable, 1 if it has errors, else 0."""
    if examined.unreadable or examined.is_empty:
        return UNREADABLE
    return FAILED if examined.has_errors else CLEAN
