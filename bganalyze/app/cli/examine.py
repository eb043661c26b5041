"""`bganalyze examine`: everything about uploaded files, as JSON for programs."""

import json
from typing import Annotated

import typer

from bganalyze.app.api.examine import Examination, examine, unreadable_upload
from bganalyze.app.cli.exit_status import exit_on, refuse
from bganalyze.app.cli.io import write
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
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="Files and archives on this computer, never a URL or a folder; - is standard input.",
            callback=lambda paths: list(map(require_path, paths)),
        ),
    ],
    name: Annotated[
        str | None,
        value_option(
            "NAME", "For one file: its name in the output, instead of FILE.", show_default="FILE"
        ),
    ] = None,
    rules: Annotated[str | None, rules_option("basic")] = None,
    encoding: Encoding = None,
) -> None:
    """Examine uploaded files for another program: write a JSON object for each.

    The object has the matches, the findings with their boards as SVG, the
    proposed repairs, and what could not be read. It is the same as that of
    the function bganalyze.examine, one on each line, in the order of the
    files; a file that cannot be read has one, too. docs/json.md has its keys.

    The content decides what a file is, and NAME is only shown: a name from a
    user can do no harm. No settings file is read. For a repaired file, give
    the number of a proposal to bganalyze repair --choose.

    Exit status: 2 if something could not be read, or an archive has no match
    file; else 1 if there is an error that is not corrected; else 0.

    Example:

        bganalyze examine match.mat
        bganalyze examine match.mat archive.zip
        bganalyze examine - --name "club night.zip" < archive.zip
    """
    if name is not None and len(paths) != 1:
        raise refuse("--name is for one file")
    with exit_on(RuleBookError):
        rule_book = load_rule_book(rules or BASIC.name)
    status = CLEAN
    for path in paths:
        label = path if name is None else name
        examined = _examine_file(path, label, rule_book, encoding)
        write([json.dumps(examined.to_dict()) + "\n"])
        status = max(status, _status_of(examined))
    raise typer.Exit(status)


def _examine_file(path: str, name: str, rule_book: RuleBook, encoding: str | None) -> Examination:
    """Examine a file, called `name` in the result."""
    try:
        content = read_standard_input() if path == STANDARD_INPUT else read_named_file(path)
        check_size(len(content))
    except UnreadableError as error:
        return unreadable_upload(name, str(error), rule_book)
    return examine(content, name, rule_book, encoding=encoding)


def _status_of(examined: Examination) -> int:
    """Return the exit status for a file."""
    if examined.unreadable or examined.is_empty:
        return UNREADABLE
    return FAILED if examined.has_errors else CLEAN
