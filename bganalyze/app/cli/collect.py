"""`bganalyze collect`: read files once, and keep their tables in a store."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from bganalyze.app.cli import options
from bganalyze.app.cli.exit_status import complain, exit_on, refuse
from bganalyze.app.cli.io import (
    load_settings,
    make_output_options,
    report_empty_paths,
    write,
    write_prose,
)
from bganalyze.app.cli.options import value_option
from bganalyze.app.cli.progress import make_progress
from bganalyze.app.config import Config
from bganalyze.app.jobs.collect_counts import MOST_NAMES, Change, CollectCounts
from bganalyze.app.jobs.outcome import FileCounts
from bganalyze.files.reading import STANDARD_INPUT, distinct_paths, is_url_with_wildcards
from bganalyze.statistics.store.manifest import MatchStoreError
from bganalyze.statistics.store.totals import MatchesOfKind, StoreTotals, count_totals
from bganalyze.text import number_of, printable


def command(
    context: typer.Context,
    paths: options.MaybePaths = None,
    store: Annotated[
        Path | None,
        value_option("DIR", "The folder of the store.", callback=options.require_store_path),
    ] = None,
    renew: Annotated[
        bool,
        typer.Option("--renew", help="Empty the store, and read everything again."),
    ] = False,
    forget: Annotated[
        list[str] | None,
        value_option("PATH", "Remove the files of this path from the store; may be repeated."),
    ] = None,
    rules: options.Rules = None,
    workers: Annotated[
        int | None, options.workers_option("Number of processes that read files.")
    ] = None,
    cluster: options.OnCluster = None,
    encoding: options.Encoding = None,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose",
            "-v",
            help="Name all new, changed and deleted files, and each skipped file with the reason.",
        ),
    ] = False,
    quiet: options.Quiet = False,
) -> None:
    """Read files once, and keep their tables, sums and findings in a store.

    Statistics, checks and SQL (stats, check and query with --store) use the store
    instead of the files. Another run reads new and changed files, and removes deleted
    files from the store; without PATH it updates all collected paths. It may be stopped
    at any moment, and continues where it was. If a whole path is missing (an unmounted
    disk, say), its files are kept until you run collect with --forget PATH, except those
    that are found elsewhere in this run. The last lines name up to ten files of each kind:
    new, changed and deleted ones if a store is updated; then those with errors, unreadable
    ones, matches that are not complete or disputed, and copies, those of new and changed
    files first. A store may come from somebody else: URLs, and the paths of a store that was copied or collected
    by another user, are read only if PATH names them. Analyses in the store are always
    kept, also by --renew.

    Exit status: 2 if a file could not be read (in every run, for collect has no
    baseline) or the call was wrong, else 0.

    Example:

        bganalyze collect matches/ archive.zip --store club
        bganalyze collect --store club
        bganalyze query "SELECT count(*) FROM games" --store club
    """
    if store is None:
        raise refuse("name the folder of the store with --store")
    options.require_store_packages()
    from bganalyze.app.api.collect import (
        open_collect_run,  # It needs numpy, which may be missing too.
    )

    paths = distinct_paths(options.choose_paths(context, paths, store if store.exists() else None))
    if STANDARD_INPUT in paths:
        raise refuse("standard input cannot be read again later; name files")
    for pattern in filter(is_url_with_wildcards, paths):
        raise refuse(f"{pattern}: a pattern may match other files next time; name the folder")
    config = load_settings(paths[0] if paths else ".", Config(rules=rules, encoding=encoding))
    rule_book = config.rule_book
    wait = partial(complain, f"{store}: another run is collecting; waiting until it ends")
    with (
        exit_on(MatchStoreError, OSError),
        options.open_executor(workers, cluster) as executor,
        open_collect_run(
            *(paths, store, rule_book, executor, wait),
            encoding=config.encoding,
            renew=renew,
            forget=forget or (),
            most_names=sys.maxsize if verbose else MOST_NAMES,
        ) as run,
    ):
        for path, files in run.damaged:
            complain(f"{path}: damaged, {number_of(files, 'file')} read again")
        attempts = FileCounts()
        with (
            make_progress(run.paths, quiet=quiet) as progress,
            closing(run.read_files()) as outcomes,
        ):
            for outcome in progress.count_each(outcomes):
                attempts.count(outcome)
                if verbose and outcome.skipped is not None:
                    with progress.hidden():
                        write([f"skipped: {outcome.path}: {outcome.skipped}\n"])
        missing = run.find_missing_paths()
    if not quiet:
        with exit_on(MatchStoreError):
            most_names = sys.maxsize if verbose else MOST_NAMES
            totals = count_totals(store, most_names, run.counts.differing_paths)
        setting = make_output_options()
        summary = _summarize_run(run.counts, attempts, store, totals, is_renewed=renew)
        write_prose([summary], setting)
        if verbose or run.counts.new < run.counts.files:
            write_prose(_name_files(run.counts), setting)
        unreadable = [str(file.path) for file in attempts.unreadable]
        unreadable_kind = MatchesOfKind(len(unreadable), tuple(unreadable[: run.counts.most_names]))
        write_prose(_name_problems(totals, unreadable_kind), setting)
    for path in missing:
        command = shlex.join(["bganalyze", "collect", "--store", str(store), "--forget", path])
        complain(f"{path}: missing; its files are kept in the store; to remove them: {command}")
    raise report_empty_paths(attempts, run.paths, attempts.status(run.paths))


def _summarize_run(
    counts: CollectCounts,
    attempts: FileCounts,
    store: Path,
    totals: StoreTotals,
    *,
    is_renewed: bool,
) -> str:
    """Return a line such as `37 new; club holds 39 matches, 0 with errors`.

    `totals` count the matches in the store. With `is_renewed`, the store was emptied first, and no
    file is called new.
    """
    numbers = {
        "read" if is_renewed else "new": counts.new,
        "changed": counts.changed,
        "back": counts.back,
        "copied or moved": counts.copied,
        "read again": counts.again,
        "unchanged": counts.unchanged,
        "gone": counts.gone,
        "removed from missing paths": counts.moved,
        "skipped": attempts.skipped,
        "unreadable": len(attempts.unreadable),
    }
    words = ", ".join(f"{number:,} {word}" for word, number in numbers.items() if number)
    return f"{words or 'no files'}; {store} holds {_describe_totals(totals)}\n"


def _describe_totals(totals: StoreTotals) -> str:
    """Return words on what a store holds: matches, games, errors and others."""
    money, disputed = totals.money.size, totals.disputed.size
    copies = "1 copy" if totals.copies.size == 1 else f"{totals.copies.size:,} copies"
    return (
        f"{number_of(totals.matches, 'match')}, {number_of(totals.games, 'game')},"
        f" {totals.with_errors.size:,} with errors, {copies}, "
        + (f"{money:,} money play, " if money else "")
        + f"{totals.incomplete.size:,} not complete"
        + (f", {disputed:,} disputed" if disputed else "")
    )


_NAMED: dict[Change, str] = {
    "new": "new",
    "changed": "changed",
    "back": "back",
    "copied": "copied or moved",
    "gone": "gone",
}
"""Words for the changes whose files are named, in this order."""


def _name_files(counts: CollectCounts) -> Iterator[str]:
    """Yield lines with the first new, changed and deleted files, and the number of the others."""
    for change, word in _NAMED.items():
        names = counts.names.get(change, [])
        yield from (f"{word}: {printable(name)}\n" for name in names)
        others = getattr(counts, change) - len(names)
        if others:
            yield f"{word}: {number_of(others, 'other file')} (--verbose names all)\n"


def _name_problems(totals: StoreTotals, unreadable: MatchesOfKind) -> Iterator[str]:
    """Yield a line for each problem: the first matches or files that have it, and how many more."""
    kinds = (
        ("with errors", "match", totals.with_errors),
        ("unreadable", "file", unreadable),
        ("not complete", "match", totals.incomplete),
        ("disputed", "match", totals.disputed),
        ("copy", "match", totals.copies),
    )
    for word, noun, kind in kinds:
        yield from (f"{word}: {printable(place)}\n" for place in kind.places)
        others = kind.size - len(kind.places)
        if others:
            yield f"{word}: {number_of(others, f'other {noun}')} (--verbose names all)\n"
