"""`bganalyze profile`: one page on a player, from many matches."""

import shlex
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from bganalyze.analysis.engines import (
    ENGINES,
    Engine,
    EngineError,
    Limits,
    find_stored_level,
    start,
)
from bganalyze.analysis.match import AnalyzedMatch
from bganalyze.analysis.select import RECORDED, name_edition
from bganalyze.analysis.store import Store
from bganalyze.analysis.store_error import StoreError
from bganalyze.app.api.analyses import open_analyses_to_write
from bganalyze.app.cli import options
from bganalyze.app.cli.exit_status import complain, exit_on, print_note
from bganalyze.app.cli.io import (
    advise_other_database,
    join_names,
    load_norms,
    load_players,
    load_settings,
    make_output_options,
    report_empty_paths,
    require_writable,
    write,
    write_file,
)
from bganalyze.app.cli.options import choice_option, open_executor, value_option, workers_option
from bganalyze.app.cli.progress import make_progress_of_analysis
from bganalyze.app.config import Config
from bganalyze.app.jobs.analyze import FileToAnalyze, MatchFound, Outcome, run_analysis
from bganalyze.app.jobs.executor import Executor
from bganalyze.app.jobs.outcome import CLEAN, FAILED, FileCounts
from bganalyze.app.jobs.profile import MatchesOfPlayer, find_default_engine
from bganalyze.app.render import PROFILE_FORMATS, render_profile
from bganalyze.files.reading import distinct_paths, find_files_in_encoding
from bganalyze.record.players import UnknownNameError
from bganalyze.statistics.profiles.other_files import MOST_FILES, OtherFiles
from bganalyze.text import number_of

READ_AHEAD = 100
"""Files read before the analysis begins, to find other names of the player."""


def command(
    paths: options.Paths,
    player: Annotated[
        list[str],
        value_option("NAME", "The player; again for another name of the same player."),
    ],
    html: Annotated[
        Path | None,
        value_option("FILE", "Write the profile to this file as a page, and print none."),
    ] = None,
    format: Annotated[
        str, choice_option(PROFILE_FORMATS, "FORMAT", "How the profile is written.")
    ] = "text",
    force: options.Force = False,
    engine: Annotated[
        str | None,
        choice_option(
            ENGINES,
            "ENGINE",
            "The engine that analyzes; by default the installed one, sage before gnubg; without one, recorded.",
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
    db: options.Database = None,
    norms: options.NormsFile = None,
    anonymize: options.Anonymize = False,
    aliases: options.Aliases = None,
    encoding: options.Encoding = None,
    workers: Annotated[
        int | None, workers_option("Number of processes that analyze matches.")
    ] = None,
    cluster: options.OnCluster = None,
    quiet: options.Quiet = False,
    color: options.Color = "auto",
) -> None:
    """Write one page on a player: results, error rate, and where points are lost.

    The player's matches are analyzed first, as far as the database does not have them
    yet; a run that was stopped continues where it was. The first screen has the results,
    the PR with its interval, and the cost of each kind of decision beside that of the
    opponents in the same matches. Then come the costliest subjects to study, with boards,
    the PR by score, cube, length and others, luck, opponents, and a test of the dice.
    --format csv gives a row of figures.

    Exit status: 2 if a file could not be read, the engine or the database could not be
    used, or the call was wrong; else 1 if a match could not be analyzed; else 0.

    Example:

        bganalyze profile matches/ --player Ann
        bganalyze profile matches/ --player Ann --html ann.html
        bganalyze profile matches/ --player Ann --player annie
        bganalyze profile matches/ --player Ann --level quick --db club.db
        bganalyze profile analyzed/ --player Ann --engine recorded
        bganalyze profile matches/ --player Ann --norms club.toml --anonymize
    """
    paths = distinct_paths(paths)
    config = load_settings(paths[0], Config(aliases=aliases, encoding=encoding))
    require_writable(html, force=force)
    names, own, files = _prepare_reading(
        player, paths, config, anonymize=anonymize, asks=not (quiet or anonymize)
    )
    counts, compared = FileCounts(), load_norms(norms)
    with (
        open_executor(workers, cluster) as executing,
        exit_on(EngineError, StoreError),
        advise_other_database(db),
    ):
        analyzing = start(engine or find_default_engine(level), level, Limits(1))
        tools = _AnalysisTools(analyzing, open_analyses_to_write(db), executing)
        analyzed, failed = _analyze_matches(paths, files, counts, tools, quiet=quiet)
    if not counts.files:
        raise report_empty_paths(counts, paths, counts.status(paths))
    with exit_on(UnknownNameError):
        profile = own.profile(analyzed, compared)
    if not anonymize:
        listing = profile.other_files.number > MOST_FILES
        # Analyses in files have different levels.
        is_at_one_level = level is not None or analyzing.name != RECORDED
        stored_level = analyzing.level if is_at_one_level else None
        chosen = {"--db": db, "--engine": analyzing.name, "--level": stored_level}
        call = () if names[1:] else _list_stats_words(paths, profile.player, chosen)
        profile = profile._replace(
            stats_call=call,
            ending=(_say_how_to_list_players(paths),) if listing else (),
        )
    for left_out in own.failed:
        complain(f"{left_out.path}: {left_out.reason}")
    if html is not None:
        from bganalyze.app.render.profile import profile_page
        from bganalyze.app.render.profile.conclusion import list_conclusions

        write_file(html, profile_page(profile).encode(), force=force, quiet=quiet)
        if not quiet:
            for line in list_conclusions(profile):
                print_note(line)
    else:
        write(render_profile(profile, format, make_output_options(color=color)))
    if engine is None and analyzing.name == RECORDED and not quiet:
        print_note(_say_how_to_analyze())
    counts.unreadable.extend(own.failed)
    raise report_empty_paths(counts, paths, counts.status(paths, FAILED if failed else CLEAN))


def _prepare_reading(
    names: Sequence[str], paths: list[str], config: Config, *, anonymize: bool, asks: bool
) -> tuple[Sequence[str], MatchesOfPlayer, Iterator[FileToAnalyze]]:
    """Return the player's names, a collection for the player's matches, and the files to analyze.

    A file's matches are added when the iterator yields the file. With `asks`, the first files are
    read at once, and the user is asked about similar names in them.
    """
    players = load_players(config)
    join_names(players, names)
    player = names[0]
    own = MatchesOfPlayer(player, players, anonymize=anonymize)
    files = own.read(find_files_in_encoding(paths, config.encoding))
    if not asks:
        return names, own, files
    first = list(islice(files, READ_AHEAD))
    if not (own.has_matches or _is_answered()):
        return names, own, chain(first, files)
    joined = list(ask_about_similar_names(player, own.summarize_other_files()))
    if joined:
        return _prepare_reading([*names, *joined], paths, config, anonymize=anonymize, asks=False)
    return names, own, chain(first, files)


def ask_about_similar_names(player: str, others: OtherFiles) -> Iterator[str]:
    """Ask whether similar names in other files are the player's, and yield those that are."""
    if _is_answered():
        for name in others.similar:
            question = others._replace(similar=(name,)).ask_about_similar(player)
            if typer.confirm(question, err=True):
                yield name
    elif others.similar:
        from bganalyze.app.render.profile.conclusion import say_how_to_join

        print_note(f"{others.ask_about_similar(player)} {say_how_to_join(others.similar)}")


def _is_answered() -> bool:
    """Whether a person at a terminal can answer questions."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _say_how_to_analyze() -> str:
    """Return a note that no engine is installed, what that means, and how to install one."""
    from bganalyze.analysis.engines import sage

    return (
        f"only analyses in the files count, because no engine is installed: {sage.how_to_install()}"
    )


def _say_how_to_list_players(paths: list[str]) -> str:
    """Return a line with the command that lists all files with their players.

    >>> _say_how_to_list_players(["my matches"])
    "all files with their players: bganalyze matches 'my matches'"
    """
    return f"all files with their players: bganalyze {shlex.join(('matches', *paths))}"


def _list_stats_words(
    paths: list[str], player: str, chosen: Mapping[str, str | None]
) -> tuple[str, ...]:
    """Return the words of a `stats` command for the player's analyzed matches.

    `chosen` has the options that choose analyses. A URL, which may hold a password, is replaced by
    the word DATABASE.

    >>> shlex.join(_list_stats_words(["matches"], "Ann", {"--db": None, "--level": "0ply"}))
    'stats matches --player Ann --level 0ply'
    >>> shlex.join(_list_stats_words(["matches"], "Ann", {"--db": "postgresql://me:secret@host/db"}))
    'stats matches --player Ann --db DATABASE'
    """
    options = (
        (name, "DATABASE" if "://" in value else value)
        for name, value in chosen.items()
        if value is not None
    )
    return ("stats", *paths, "--player", player, *chain.from_iterable(options))


class _AnalysisTools(NamedTuple):
    """The engine, the database, and the executor of a run."""

    engine: Engine
    store: Store
    executor: Executor


def _analyze_matches(
    paths: list[str],
    files: Iterable[FileToAnalyze],
    counts: FileCounts,
    tools: _AnalysisTools,
    *,
    quiet: bool,
) -> tuple[list[AnalyzedMatch], int]:
    """Analyze the matches of files; return the analyzed matches, and how many failed."""
    analyzed: list[AnalyzedMatch] = []
    problems = Counter[str]()
    is_begun = quiet or tools.engine.name == RECORDED
    with (
        make_progress_of_analysis(paths, quiet=quiet) as progress,
        closing(
            run_analysis(files, tools.store, tools.engine, tools.executor, Limits(1))
        ) as events,
    ):
        for event in progress.follow(events, counts):
            if isinstance(event, MatchFound) and not is_begun:
                is_begun = True
                with progress.hidden():
                    print_note(_name_engine_and_faster_level(tools.engine))
            if not isinstance(event, Outcome):
                continue
            if event.problem is not None:
                if event.problem not in problems:
                    progress.complain(f"{event.path}: {event.problem}")
                problems[event.problem] += 1
            analyzed += filter(None, [event.match])
    _print_repeated(problems)
    return analyzed, problems.total()


def _name_engine_and_faster_level(engine: Engine) -> str:
    """Return a note that names the engine and its level.

    Unless the level is the fastest, the note advises how to choose a faster one.
    """
    edition = name_edition(engine.name, engine.version, engine.level)
    is_fastest = engine.level == find_stored_level("quick", engine.name)
    faster = "; --level quick is faster" * (not is_fastest)
    return f"analyzing the decisions of both players by {edition}{faster}"


def _print_repeated(problems: Counter[str]) -> None:
    """For each problem that was printed only once, print how many other matches have it."""
    for problem, number in problems.items():
        if number > 1:
            complain(f"the same of {number_of(number - 1, 'other match')}: {problem}")
