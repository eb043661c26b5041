"""`bganalyze ruling`: one page that a director can rule from."""

from pathlib import Path
from typing import Annotated

import typer

from bganalyze.analysis.engines import ENGINES, EngineError
from bganalyze.app.api.ruling import (
    ALL,
    add_slips,
    compare_with_best_play,
    load_rule_books,
)
from bganalyze.app.cli.exit_status import exit_on, print_note, refuse
from bganalyze.app.cli.io import load_settings, make_output_options, read_matches, write, write_file
from bganalyze.app.cli.options import (
    Anonymize,
    Color,
    Encoding,
    Force,
    OneMatch,
    choice_option,
    value_option,
)
from bganalyze.app.config import Config
from bganalyze.app.render import RULING_FORMATS, render_ruling
from bganalyze.board.rule_book import RULE_BOOKS, RuleBook
from bganalyze.statistics.anonymity import anonymize_file
from bganalyze.validation.cases import NOW, find_case, find_only_place
from bganalyze.validation.replaying.places import PlaceError


def command(
    path: OneMatch,
    where: Annotated[
        str | None,
        typer.Argument(
            metavar="[PLACE]",
            help="Where the finding is: game, row and side (2.14R), or a line of the file (41, 41R, or "
            "41:38 as check prints it). Not needed if the file has only one.",
            show_default=False,
        ),
    ] = None,
    noticed: Annotated[
        str,
        value_option(
            "PLACE",
            "When it was noticed: before this action (43R), after its roll (43R:rolled), or after the last action (now).",
        ),
    ] = NOW,
    rules: Annotated[
        str | None,
        value_option(
            "BOOK,...",
            f"Rule books: TOML files or names, separated by commas, or {ALL}. The first book with a finding at the place decides which one is meant.",
            autocompletion=lambda: [ALL, *RULE_BOOKS],
            show_default="as the settings file says, or basic",
        ),
    ] = None,
    code: Annotated[
        str | None, value_option("CODE", "The rule that is meant, if several findings are there.")
    ] = None,
    match: Annotated[
        int | None,
        value_option(
            "N",
            "Which match of a file that holds several.",
            min=1,
            show_default="the first for a game and row, any for a line",
        ),
    ] = None,
    engine: Annotated[
        str | None,
        choice_option(
            ENGINES,
            "ENGINE",
            "Also compare an illegal play with the best legal one, by this engine.",
        ),
    ] = None,
    level: Annotated[
        str | None,
        value_option(
            "LEVEL",
            "How deep the engine searches, as in bganalyze analyze.",
            show_default="the first of the engine",
        ),
    ] = None,
    format: Annotated[
        str, choice_option(RULING_FORMATS, "FORMAT", "How the sheet is written.")
    ] = "text",
    html: Annotated[
        Path | None,
        value_option("FILE", "Write the sheet to this file as a page that prints on one sheet."),
    ] = None,
    force: Force = False,
    encoding: Encoding = None,
    anonymize: Anonymize = False,
    color: Color = "auto",
) -> None:
    """Write one page that a director can rule from.

    The page shows what happened, with the boards before and after; when it was noticed;
    what each rule book says, with its clause, and whether the clause was read, quoted or
    assumed; the points as recorded, and after each remedy that a book may prescribe; and
    what the match file cannot show.

    Example:

        bganalyze ruling match.mat 2.14R
        bganalyze ruling match.mat 41 --noticed 43R --rules wbf,usbgf
        bganalyze ruling match.mat 41 --noticed 43R:rolled --rules wbf,abt-2013
        bganalyze ruling match.mat 41:38 --rules all --html ruling.html
        bganalyze ruling match.mat 41:38 --engine sage --level 3ply
    """
    config = load_settings(path, Config(encoding=encoding))
    with exit_on(ValueError):
        books = _choose_books(rules, config)
    matches = read_matches(path, config.encoding)
    chosen = [each for each in matches if match in (None, each.number)]
    if not chosen:
        raise refuse(f"{path}: has no match {match or 1}")
    if anonymize:
        chosen = anonymize_file(chosen)
    with exit_on(PlaceError):
        place = find_only_place(chosen, books, code) if where is None else where
        case = find_case(chosen, place, books, noticed, code)
        # Slips are searched in the file itself, which has the names.
        case = case if anonymize else add_slips(case)
    with exit_on(EngineError):
        gain = compare_with_best_play(case, engine, level)
    if gain is None and (engine or level):
        print_note("no play is in question, so no engine was asked")
    if html is not None:
        from bganalyze.app.render.ruling import sheet_page

        write_file(html, sheet_page(case, gain).encode(), force=force)
        return
    write(render_ruling(case, gain, format, make_output_options(color=color)))


def _choose_books(rules: str | None, config: Config) -> tuple[RuleBook, ...]:
    """Return the rule books that the user named, or else the book of the settings file.

    Further options of the settings file apply only if there is a single book.
    """
    if rules is None:
        return (config.rule_book,)
    books = load_rule_books(rules)
    return books if len(books) > 1 else (books[0]._replace(**config.switches),)
