"""`bganalyze matches`: the list of the matches of files."""

from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from bganalyze.analysis.store_error import StoreError
from bganalyze.app.api.analyses import find_analysis_of_each
from bganalyze.app.api.matches import Listing, make_finder_in_store
from bganalyze.app.cli import options
from bganalyze.app.cli.exit_status import exit_on, refuse
from bganalyze.app.cli.io import (
    adapt_to_file,
    load_players,
    load_settings,
    make_output_options,
    open_stored_analyses,
    report_empty_paths,
    require_writable,
    write,
    write_file,
)
from bganalyze.app.cli.listing import list_and_report
from bganalyze.app.cli.options import choice_option, open_executor, value_option, workers_option
from bganalyze.app.cli.progress import make_progress
from bganalyze.app.config import Config
from bganalyze.app.jobs.outcome import FileCounts
from bganalyze.app.render import MATCH_FORMATS, get_match_renderer
from bganalyze.files.reading import distinct_paths, find_files_in_encoding


def command(
    context: typer.Context,
    paths: options.MaybePaths = None,
    format: Annotated[
        str, choice_option(MATCH_FORMATS, "FORMAT", "How the list is written.")
    ] = "text",
    out: Annotated[
        Path | None, value_option("FILE", "Write the list to this file instead of the screen.")
    ] = None,
    html: Annotated[
        Path | None,
        value_option(
            "DIR",
            "Write a page for each match to this folder, and index.html with the list; print none.",
        ),
    ] = None,
    incomplete: Annotated[
        bool,
        typer.Option(
            "--incomplete",
            help="List only matches that are not complete, or whose winner is disputed.",
        ),
    ] = False,
    force: options.Force = False,
    store: options.StoreFolder = None,
    db: options.Database = None,
    engine: options.EngineKept = None,
    level: options.LevelKept = None,
    rules: options.Rules = None,
    aliases: options.Aliases = None,
    encoding: options.Encoding = None,
    workers: Annotated[int | None, workers_option("Number of processes that read files.")] = None,
    cluster: options.OnCluster = None,
    quiet: options.Quiet = False,
    color: options.Color = "auto",
) -> None:
    """List matches: players, score, winner, whether they are complete, and errors.

    Each match has its file, date, event, players, length, the score as recorded and by
    the board (both if they differ), the winner, whether it is complete or why not, the
    number of errors, the number of them for which a repair is offered, and the PR of
    each player if an analysis is stored or in the file. The csv has a column for each
    of these; the text leaves out what no match has. A repair is searched as check does:
    for the first three errors of a file; ? means that none was searched for.

    With --html DIR, each match has a page as report --html writes it, and index.html
    links to them; of a file with more than 30 matches only the first 30 have a page.

    A match is not complete if its file lacks the beginning, the end or the length; of a
    session of money play, if the last game is open. --incomplete lists these, and those
    whose winner is disputed, each with the reason; the last line counts them.

    With --store and without PATH, all collected paths are listed; the analyses are those
    of the store unless --db names a database.

    Exit status: 2 if a file could not be read or the call was wrong, else 0.

    Example:

        bganalyze matches tournament/
        bganalyze matches tournament.zip --format csv --out matches.csv
        bganalyze matches tournament/ --html pages/
        bganalyze matches --store club --incomplete
    """
    from bganalyze.analysis.select import EngineChoice

    if out is not None and html is not None:
        raise refuse("give either --out or --html, not both")
    if incomplete and html is not None:
        raise refuse("give either --incomplete or --html, not both")
    require_writable(out, force=force)
    paths = distinct_paths(options.choose_paths(context, paths, store))
    config = load_settings(paths[0], Config(rules=rules, aliases=aliases, encoding=encoding))
    setting = make_output_options(config.rule_book, color)
    analyses, choice = open_stored_analyses(db, store), EngineChoice(engine, level)
    called, counts = load_players(config), FileCounts()
    with exit_on(StoreError):
        listing = Listing(config.rule_book, called, make_finder_in_store(analyses, choice))
    items = find_files_in_encoding(paths, config.encoding)
    with (
        open_executor(workers, cluster) as executing,
        make_progress(paths, quiet=quiet) as progress,
        closing(list_and_report(items, listing, executing, counts, progress)) as files,
    ):
        if html is not None:
            from bganalyze.app.cli import match_pages  # Loads pandas.

            find = partial(find_analysis_of_each, store=analyses, choice=choice)
            report = match_pages.make_match_reporter(config, called, find)
            folder = match_pages.Folder(html, force, quiet)
            match_pages.write_match_pages(files, report, folder, setting)
        else:
            every = (match for file in files for match in file.matches)
            matches = (match for match in every if match.lacks_part or not incomplete)
            if out is not None:
                content = "".join(get_match_renderer(format)(matches, adapt_to_file(setting)))
            else:
                for piece in get_match_renderer(format)(matches, setting):
                    with progress.hidden():
                        write([piece])
    if out is not None:
        write_file(out, content.encode(), force=force, quiet=quiet)
    raise report_empty_paths(counts, paths, counts.status(paths))
