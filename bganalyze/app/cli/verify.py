"""`bganalyze verify`: claimed results compared with match files."""

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from bganalyze.app.api.verify import list_results_of_files, load_claims
from bganalyze.app.cli import options
from bganalyze.app.cli.exit_status import USAGE, complain, print_note, refuse
from bganalyze.app.cli.io import (
    adapt_to_file,
    load_players,
    load_settings,
    make_output_options,
    report_empty_paths,
    require_writable,
    write,
    write_file,
)
from bganalyze.app.cli.options import choice_option, open_executor, value_option, workers_option
from bganalyze.app.cli.progress import make_progress
from bganalyze.app.config import Config
from bganalyze.app.jobs.outcome import CLEAN, FAILED, FileCounts
from bganalyze.app.render import VERIFICATION_FORMATS, get_verification_renderer
from bganalyze.files.reading import STANDARD_INPUT, distinct_paths, find_files_in_encoding
from bganalyze.statistics.claimed_results.claims import Claims, FixturesError
from bganalyze.statistics.claimed_results.verdicts import verify_claims


def command(
    fixtures: Annotated[
        Path,
        typer.Argument(
            metavar="FIXTURES.csv",
            help="The claimed results: a table with the columns event, round, date, player1, "
            "player2, score1, score2, length; - is standard input.",
        ),
    ],
    paths: options.Paths,
    format: Annotated[
        str, choice_option(VERIFICATION_FORMATS, "FORMAT", "How the verdicts are written.")
    ] = "text",
    out: Annotated[
        Path | None, value_option("FILE", "Write to this file instead of the screen.")
    ] = None,
    force: options.Force = False,
    rules: options.Rules = None,
    aliases: options.Aliases = None,
    encoding: options.Encoding = None,
    workers: Annotated[int | None, workers_option("Number of processes that read files.")] = None,
    cluster: options.OnCluster = None,
    quiet: options.Quiet = False,
    color: options.Color = "auto",
) -> None:
    """Verify claimed results by match files.

    Each line of the table is confirmed, contradicted (by the score or by the length),
    disputed (the file has two scores, as recorded and by the board, and one is that of the
    line), missing (no match file), unfinished (the file ends before the match) or a
    duplicate of another line. Matches without a claim are extra, and a
    second file of a match is a duplicate. Event, round, date and length may be missing
    or empty. The text lists what is not confirmed; csv, json and html have all.

    Players may be in either order. Names may differ in case, accents and punctuation, be
    written "Last, First", or have initials that fit only one player; --aliases joins
    other names. Similar names count as other players: the line is missing, and the
    verdict names the file as "perhaps". Several matches of two players are paired with
    their claims by date, round, event, length and score, so that few disagree in all.

    Exit status: 2 if a file could not be read or the table or the call was wrong; else 1
    if a claim is contradicted, disputed, missing or unfinished; else 0.

    Example:

        bganalyze verify results.csv matches/
        bganalyze verify results.csv matches.zip --format csv > verdicts.csv
        bganalyze verify results.csv matches/ --format html --out verdicts.html
        cat results.csv | bganalyze verify - matches/
    """
    if str(fixtures) == STANDARD_INPUT and STANDARD_INPUT in paths:
        raise refuse("standard input has either the table or a match; name a file for one of them")
    paths = distinct_paths(paths)
    config = load_settings(paths[0], Config(rules=rules, aliases=aliases, encoding=encoding))
    require_writable(out, force=force)
    claims, called, counts = _load_claims(fixtures), load_players(config), FileCounts()
    for note in () if quiet else claims.notes:
        print_note(note)
    with (
        open_executor(workers, cluster) as executing,
        closing(
            list_results_of_files(
                find_files_in_encoding(paths, config.encoding), config.rule_book, executing
            )
        ) as results,
        make_progress(paths, quiet=quiet) as progress,
    ):
        files = progress.count_each(counts.count_each(results))
        matches = [match for file in files for match in file.matches]
    verification = verify_claims(claims.claims, matches, called)
    setting = make_output_options(config.rule_book, color)
    render = get_verification_renderer(format)
    if out is None:
        write(render(verification, setting))
    else:
        content = "".join(render(verification, adapt_to_file(setting)))
        write_file(out, content.encode(), force=force, quiet=quiet)
    status = CLEAN if verification.is_confirmed else FAILED
    raise report_empty_paths(counts, paths, counts.status(paths, status))


def _load_claims(path: Path) -> Claims:
    """Return the claimed results in a CSV file; end the run if the file has problems."""
    try:
        return load_claims(path)
    except FixturesError as error:
        for problem in error.problems:
            complain(problem)
        raise typer.Exit(USAGE) from error
