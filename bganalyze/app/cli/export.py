"""`bganalyze export`: analyzed decisions for spreadsheets, analysis programs and flashcards."""

import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bganalyze.analysis.comments import comments_on_decisions
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.notations import NOTATIONS
from bganalyze.analysis.recurrence import rank_mistakes
from bganalyze.analysis.select import (
    DecisionFilter,
    EngineChoice,
    SelectedDecision,
    find_analyses,
    find_analysis_of_replay,
    select_decisions,
)
from bganalyze.analysis.store import Store
from bganalyze.analysis.store_error import StoreError
from bganalyze.app.api.analyses import (
    open_existing_analyses,
    open_required_analyses,
    read_stored_match_hashes,
)
from bganalyze.app.cli import options
from bganalyze.app.cli.exit_status import exit_on, refuse
from bganalyze.app.cli.export_matches import StoredAnalyses, export_matches
from bganalyze.app.cli.io import (
    analyze_command,
    join_names,
    load_players,
    load_settings,
    report_empty_paths,
    require_matches,
    write_bytes,
    write_file,
)
from bganalyze.app.cli.options import (
    choice_option,
    make_comma_list_completer,
    parse_comma_lists,
    value_option,
    wrap_address,
)
from bganalyze.app.cli.progress import make_progress
from bganalyze.app.config import Config
from bganalyze.app.jobs.outcome import FileCounts, apply_to_file
from bganalyze.app.render import DECISION_FORMATS, render_decisions
from bganalyze.files.reading import find_files
from bganalyze.packages import PYARROW, how_to_add
from bganalyze.record.players import UnknownNameError, require_name
from bganalyze.record.reader import read_bytes
from bganalyze.statistics.anonymity import Anonyms, anonymize_analyzed
from bganalyze.statistics.store.manifest import MatchStoreError
from bganalyze.text import EVERYTHING, number_of
from bganalyze.validation.replaying import replay

if TYPE_CHECKING:
    from bganalyze.analysis.match import AnalyzedMatch

KINDS = tuple(map(str, Kind))

RANKED = ("cards", "markdown")
"""Formats of mistakes, the greatest cost times recurrence first."""


def command(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATH...]",
            help="Only the matches of these files, folders and archives, not the whole database.",
            callback=lambda paths: list(map(wrap_address, paths or ())),
        ),
    ] = None,
    format: Annotated[
        str, choice_option((*DECISION_FORMATS, *NOTATIONS), "FORMAT", "What is written.")
    ] = "csv",
    out: Annotated[
        Path | None, value_option("FILE", "Write to this file instead of the screen.")
    ] = None,
    collected: options.StoreFolder = None,
    db: options.Database = None,
    engine: options.EngineKept = None,
    level: options.LevelKept = None,
    player: Annotated[
        list[str] | None,
        value_option(
            "NAME", "Only the decisions of this player; again for another name of the player."
        ),
    ] = None,
    kind: Annotated[
        str | None,
        value_option(
            "KINDS",
            f"Only these kinds, in a comma list: {', '.join(KINDS)}.",
            autocompletion=make_comma_list_completer(KINDS),
        ),
    ] = None,
    least: Annotated[
        float | None, value_option("EMG", "Only decisions that lost at least this equity.", min=0)
    ] = None,
    most: Annotated[
        int | None, value_option("N", "Only the N costliest decisions, the worst first.", min=1)
    ] = None,
    aliases: options.Aliases = None,
    anonymize: options.Anonymize = False,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Write analyzed decisions in a format that other programs can read.

    csv and parquet have a row for each decision, and xgid has the positions. cards has
    the mistakes as questions and answers for Anki, markdown has them for forums, with
    board, XGID and candidates; both sort them by cost times the number of mistakes of
    the kind, the greatest first, and --most counts in this order.

    sgf and gvab have whole matches with their analyses, for GNU Backgammon and
    GammonView; they need the match files, and --out is a folder for several.

    If a match has several analyses, the deepest by the engine used last counts. With
    --store, only collected matches are written; without --db, their analyses come from
    the store. The files of a copied store are not read.

    Exit status: 2 if a file or the database could not be read, the output could not
    be written, or the call was wrong; else 0.

    Example:

        bganalyze export --db club.db --out decisions.csv
        bganalyze export --player Ann --least 0.05 --format cards --out ann.txt
        bganalyze export other.xg --kind double,take,pass --format xgid
        bganalyze export match.mat --db club.db --format sgf --out match.sgf
    """
    if format == "parquet":
        _check_parquet(out)
    if format in NOTATIONS:
        _require_no_selection(format, player, kind, least, most, anonymize=anonymize)
        status = export_matches(
            paths or [],
            *(format, out, StoredAnalyses(db, collected, EngineChoice(engine, level))),
            force=force,
            quiet=quiet,
        )
        raise typer.Exit(status)
    if not paths and collected is not None:
        paths = options.list_paths_collected_here(collected)
    paths, attempts = paths or [], FileCounts()
    config = load_settings(paths[0] if paths else ".", Config(aliases=aliases))
    players = load_players(config)
    name = join_names(players, player)
    called = Anonyms(players) if anonymize else None
    selection = DecisionFilter(
        player=called(name) if name and called else name and players.player_of_name(name),
        kinds=frozenset(
            map(Kind, parse_comma_lists(kind or EVERYTHING, KINDS, "kind of decision") or KINDS)
        ),
        least=least,
        costliest=most,
    )
    with exit_on(StoreError, MatchStoreError):
        matches = _find_matches(
            paths, db, collected, EngineChoice(engine, level), attempts, quiet=quiet
        )
        if called:
            matches = (anonymize_analyzed(match, called) for match in matches)
        elif config.aliases is not None or len(player or ()) > 1:
            matches = (match.rename_players(players) for match in matches)
        select = rank_mistakes if format in RANKED else select_decisions
        decisions = _select_decisions(matches, selection, select, hidden=anonymize)
        pieces = render_decisions(decisions, format)
        if out is None:
            write_bytes(pieces)
        else:
            write_file(out, b"".join(pieces), force=force, quiet=quiet)
    raise report_empty_paths(attempts, paths, attempts.status(paths))


def _require_no_selection(
    format: str,
    player: list[str] | None,
    kind: str | None,
    least: float | None,
    most: int | None,
    *,
    anonymize: bool,
) -> None:
    """End the run if an option selects decisions, but the format holds whole matches."""
    given = {
        "--player": bool(player),
        "--kind": kind is not None,
        "--least": least is not None,
        "--most": most is not None,
        "--anonymize": anonymize,
    }
    wrong = next((name for name, is_given in given.items() if is_given), None)
    if wrong is not None:
        raise refuse(f"{wrong} does not work with {format}, which has whole matches as they are")


def _check_parquet(out: Path | None) -> None:
    """End the run if pyarrow is missing, or if Parquet would go to a terminal."""
    if find_spec("pyarrow") is None:
        raise refuse(f"parquet needs pyarrow: {how_to_add(PYARROW)}")
    if out is None and sys.stdout.isatty():
        raise refuse("parquet is not for the screen; name a file with --out")


def _select_decisions(
    matches: Iterable["AnalyzedMatch"],
    selection: DecisionFilter,
    select: Callable[[Iterable["AnalyzedMatch"], DecisionFilter], Iterable[SelectedDecision]],
    *,
    hidden: bool,
) -> Iterator[SelectedDecision]:
    """Yield the decisions that `select` chooses from the matches for `selection`.

    Ends the run if the selection's player is in no match; if `hidden`, the message names no player.
    """
    names: set[str] = set()
    decisions = iter(select(_collect_names(matches, names), selection))
    first = next(decisions, None)
    if first is None and names:
        # With `hidden`, the message must not show a name.
        unnamed = "the player named is in none of the matches" if hidden else None
        with exit_on(UnknownNameError):
            require_name(selection.player, sorted(names), "is in none of the matches", unnamed)
    return decisions if first is None else chain([first], decisions)


def _collect_names(
    matches: Iterable["AnalyzedMatch"], names: set[str]
) -> Iterator["AnalyzedMatch"]:
    """Yield the matches unchanged, and add the names of their players to `names`."""
    for match in matches:
        names.update(match.names)
        for result in match.results:
            names.update(filter(None, (result.left_name, result.right_name)))
        yield match


def _find_matches(
    paths: list[str],
    db: str | None,
    store_folder: Path | None,
    choice: EngineChoice,
    file_counts: FileCounts,
    *,
    quiet: bool,
) -> Iterator["AnalyzedMatch"]:
    """Yield the analyzed matches of files or, if `paths` is empty, of the whole database."""
    if not paths:
        store = open_required_analyses(db, store_folder)
        among = read_stored_match_hashes(store_folder)
        return require_matches(find_analyses(store, choice, among), store, store_folder)
    return _find_matches_in_files(
        *(paths, open_existing_analyses(db, store_folder), choice, file_counts),
        analyze_command(paths, db, store_folder),
        quiet=quiet,
    )


def _find_matches_in_files(
    paths: list[str],
    store: Store | None,
    choice: EngineChoice,
    file_counts: FileCounts,
    command: str,
    *,
    quiet: bool,
) -> Iterator["AnalyzedMatch"]:
    """Yield the analyzed matches of files, then print how many matches are not analyzed.

    `command`, which would analyze them, is printed with the number.
    """
    missing = list[str]()
    with make_progress(paths, quiet=quiet) as progress:
        for item in progress.count_items(find_files(paths)):
            outcome, matches = apply_to_file(item, partial(read_bytes, path=item.path))
            file_counts.count(outcome)
            progress.report_unread(outcome)
            for match in matches or ():
                replayed = replay(match)
                analyzed = find_analysis_of_replay(replayed, store, choice)
                if analyzed is not None:
                    yield analyzed._replace(comments=comments_on_decisions(replayed))
                else:
                    missing.append(f"match {match.number} of {item.path}")
        if missing:
            others = f" and {number_of(len(missing) - 1, 'other match')}" * (len(missing) > 1)
            progress.complain(f"not analyzed: {missing[0]}{others}; to analyze: {command}")
