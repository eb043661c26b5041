"""`bganalyze report`: full reports on matches."""

import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bganalyze.analysis.store_error import StoreError
from bganalyze.app.api.analyses import find_analysis_of_each, open_existing_analyses
from bganalyze.app.api.matches import Listing, make_finder_in_store
from bganalyze.app.cli import options
from bganalyze.app.cli.exit_status import complain, exit_on, refuse
from bganalyze.app.cli.io import (
    load_players,
    load_settings,
    make_output_options,
    open_stored_analyses,
    read_matches,
    report_empty_paths,
    write,
    write_file,
)
from bganalyze.app.cli.listing import list_and_report
from bganalyze.app.cli.match_pages import (
    Folder,
    ReportMatches,
    make_match_reporter,
    read_and_report,
    write_match_pages,
)
from bganalyze.app.cli.options import choice_option, value_option
from bganalyze.app.cli.progress import make_progress
from bganalyze.app.config import Config
from bganalyze.app.jobs.outcome import FileCounts
from bganalyze.app.jobs.workers import Processes
from bganalyze.app.render import REPORT_FORMATS, render_reports
from bganalyze.app.render.console import fit_line
from bganalyze.app.render.match_report import match_page
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.files.reading import (
    FileToRead,
    distinct_paths,
    find_files,
    find_files_in_encoding,
    holds_many_files,
)
from bganalyze.record.model import Match
from bganalyze.statistics.anonymity import anonymize_file
from bganalyze.statistics.match_report import MatchReport
from bganalyze.validation.replaying import MatchReplay

if TYPE_CHECKING:
    from bganalyze.analysis.match import AnalyzedMatch
    from bganalyze.analysis.select import EngineChoice


def command(
    paths: options.Matches,
    match: Annotated[
        int | None, value_option("N", "Only this match of a file that holds several.", min=1)
    ] = None,
    format: Annotated[
        str, choice_option(REPORT_FORMATS, "FORMAT", "How the report is written.")
    ] = "text",
    html: Annotated[
        Path | None,
        value_option(
            "FILE",
            "Write the report to this file as one page, and print none; of several files or a folder, "
            "to this folder as a page for each match, with index.html.",
        ),
    ] = None,
    force: options.Force = False,
    store: options.StoreFolder = None,
    db: options.Database = None,
    engine: options.EngineKept = None,
    level: options.LevelKept = None,
    rules: options.Rules = None,
    aliases: options.Aliases = None,
    encoding: options.Encoding = None,
    anonymize: options.Anonymize = False,
    color: options.Color = "auto",
) -> None:
    """Write a full report on one match, or on each of several.

    Points, games, races, checker play, cube, dice and findings. A file that holds
    several matches gives a report on each of the first 30, or by --match on one.
    Several files, folders and archives give the reports one after the other, each file
    below its path; with --html a folder of pages as bganalyze matches writes it.
    Analyses by an engine are included if bganalyze analyze has stored them or the file
    holds them; of several, the deepest by the engine used last is shown.

    With --store a match may be given by its number, as bganalyze query shows it.
    Without --db the analyses are those of the store.

    An HTML page is complete in itself. The rule book and the aliases are those of the
    nearest bganalyze.toml or pyproject.toml, unless the call says otherwise.

    Example:

        bganalyze report match.mat
        bganalyze report match.mat --html report.html
        bganalyze report match.mat --db club.db --engine gnubg
        bganalyze report 1 --store club
        bganalyze report tournament/ --html pages/
        bganalyze report match.mat --anonymize --format markdown > shared.md
    """
    from bganalyze.analysis.select import EngineChoice

    path, choice = paths[0], EngineChoice(engine, level)
    settings = Config(rules=rules, aliases=aliases, encoding=encoding)
    as_pages = html is not None and match is None and not anonymize and _is_any_folder(path, html)
    if len(paths) > 1 or as_pages or _has_several_files(path):
        if match is not None or anonymize:
            option = "--anonymize" if match is None else "--match"
            raise refuse(f"{option} is for one file; name one")
        paths, config = distinct_paths(paths), load_settings(path, settings)
        setting = make_output_options(config.rule_book, color)
        analyses, called = open_stored_analyses(db, store), load_players(config)
        report = make_match_reporter(
            config, called, partial(find_analysis_of_each, store=analyses, choice=choice)
        )
        items = find_files_in_encoding(paths, config.encoding)
        if html is None:
            raise _print_reports(paths, items, report, format, setting)
        with exit_on(StoreError):
            listing = Listing(config.rule_book, called, make_finder_in_store(analyses, choice))
        folder = Folder(html, force, quiet=False)
        raise _write_pages(paths, items, listing, report, folder, setting)
    path, number = (path, match) if store is None else _locate_match(store, path, match)
    config = load_settings(path, settings)
    called = load_players(config)
    matches = read_matches(path, config.encoding)
    if number is not None:
        matches = _require_match(matches, number, path)
    find = partial(_find_analyses, path=path, db=db, store=store, choice=choice)
    anonymized = anonymize_file(matches, called) if anonymize else None
    reports = make_match_reporter(config, called, find)(matches, anonymized=anonymized)
    if html is not None:
        write_file(html, match_page(reports).encode(), force=force)
        return
    write(render_reports(reports, format, make_output_options(config.rule_book, color)))


def _is_any_folder(*paths: str | Path) -> bool:
    """Whether one of the paths is an existing folder."""
    return any(map(os.path.isdir, paths))


def _has_several_files(path: str) -> bool:
    """Whether a path is a folder or archive that holds several files."""
    return holds_many_files(path) and len(list(islice(find_files(path), 2))) != 1


def _write_pages(
    paths: Sequence[str],
    items: Iterator[FileToRead],
    listing: Listing,
    report: ReportMatches,
    folder: Folder,
    setting: OutputOptions,
) -> typer.Exit:
    """Write a page for each match, and an index page; return the exception that ends the run.

    `report` makes the reports on the matches of a file.
    """
    counts = FileCounts()
    with (
        make_progress(paths, quiet=False) as progress,
        closing(list_and_report(items, listing, Processes(1), counts, progress)) as files,
    ):
        write_match_pages(files, report, folder, setting)
    return report_empty_paths(counts, paths, counts.status(paths))


def _print_reports(
    paths: Sequence[str],
    items: Iterator[FileToRead],
    report: ReportMatches,
    format: str,
    setting: OutputOptions,
) -> typer.Exit:
    """Print the match reports of many files; return the exception that ends the run.

    `report` makes the reports on the matches of a file.
    """
    counts = FileCounts()
    found = _yield_reports(items, report, counts)
    if format == "json":
        write(render_reports([one for of_file in found for one in of_file], format, setting))
    else:
        for reports in found:
            line = fit_line(reports[0].heading.path, setting)
            write(_add_path_heading(line, render_reports(reports, format, setting), format))
    return report_empty_paths(counts, paths, counts.status(paths))


def _yield_reports(
    items: Iterator[FileToRead], report: ReportMatches, counts: FileCounts
) -> Iterator[list[MatchReport]]:
    """Yield the match reports of each file, and print the errors of unreadable files."""
    for item in items:
        outcome, reports = read_and_report(item, report)
        counts.count(outcome)
        if outcome.error is not None:
            complain(f"{outcome.path}: {outcome.error}")
        if reports:
            yield reports


def _add_path_heading(path: str, report: Iterator[str], format: str) -> Iterator[str]:
    r"""Yield the report on a file; in the format `text`, put the file's path above as a heading.

    >>> "".join(_add_path_heading("a.mat", iter(["text"]), "text"))
    'a.mat\n=====\n\ntext\n'
    """
    if format == "text":
        yield f"{path}\n{'=' * len(path)}\n\n"
    yield from report
    yield "\n"


def _require_match(matches: Sequence[Match], number: int, path: str) -> list[Match]:
    """Return the match with this number, in a list; end the run if it is missing."""
    chosen = [match for match in matches if match.number == number]
    if not chosen:
        raise refuse(f"{path}: has no match {number}")
    return chosen


def _locate_match(store: Path, path_or_number: str, match: int | None) -> tuple[str, int | None]:
    """Return the path of a match file, and the number of the match in it, or None for all.

    If `path_or_number` is a number, the store says where the match is. A path is returned
    unchanged, with `match`.
    """
    from bganalyze.statistics.store.manifest import MatchStoreError
    from bganalyze.statistics.store.opening import find_match_file

    if not path_or_number.isdecimal() or Path(path_or_number).exists():
        return path_or_number, match
    with exit_on(MatchStoreError):
        return find_match_file(store, int(path_or_number))


def _find_analyses(
    replays: Sequence[MatchReplay],
    path: str,
    db: str | None,
    store: Path | None,
    choice: "EngineChoice",
) -> "list[AnalyzedMatch | None]":
    """Return the analysis of each match, or None for a match without one.

    If no match has one, although the user named a database, engine or level, a message is printed.
    """
    found = _look_up_analyses(replays, db, store, choice)
    if (db or choice.engine or choice.level) and not any(found):
        complain(f"{path}: has no such analysis; bganalyze analyze makes one")
    return found


def _look_up_analyses(
    replays: Sequence[MatchReplay], db: str | None, store: Path | None, choice: "EngineChoice"
) -> "list[AnalyzedMatch | None]":
    """Return each match's analysis, from the database or else the match file; None without one."""
    from bganalyze.statistics.store.manifest import MatchStoreError

    try:
        return find_analysis_of_each(replays, open_existing_analyses(db, store), choice)
    except (StoreError, MatchStoreError) as error:
        if db is not None or store is not None:
            raise refuse(error) from error
        complain(str(error))
        return find_analysis_of_each(replays, None, choice)
