"""`bganalyze collect`: read files once, and keep what they hold in a store."""

from __future__ import annotations

import os
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from bganalyze.cli import options
from bganalyze.cli.endings import complain, refuse, refusing
from bganalyze.cli.io import end_of_files, settings, write
from bganalyze.cli.options import takes
from bganalyze.cli.progress import progress_of
from bganalyze.config import Config, title
from bganalyze.files.reading import STANDARD_INPUT, distinct, is_pattern
from bganalyze.jobs.collect import CollectCounts, collect
from bganalyze.jobs.executor import WorkerError
from bganalyze.jobs.outcome import FileCounts
from bganalyze.store.edition import edition
from bganalyze.store.lock import locked
from bganalyze.store.manifest import MatchStoreError, made


def command(
    paths: options.MaybePaths = None,
    store: Annotated[Path | None, takes("DIR", "The folder to keep it in.")] = None,
    rules: options.Rules = None,
    workers: Annotated[int, takes("N", "How many processes read files.", min=1)] = os.cpu_count()
    or 1,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No summary and no progress.")
    ] = False,
) -> None:
    """Read files once, and keep what they hold: their tables, sums and findings.

    Statistics, checks and SQL (stats, check and query with --store) take them from
    there. Another run reads what is new or has changed, and drops what is gone;
    without PATH it goes through the paths that were collected before. It may be
    stopped at any moment, and goes on where it was.

    Exit status: 2 if a file could not be read or the call was wrong, else 0.

    Example:

        bganalyze collect matches/ archive.zip --store club
        bganalyze collect --store club
        bganalyze query "SELECT count(*) FROM games" --store club
    """
    if store is None:
        raise refuse("--store names the folder to keep it in")
    with refusing(MatchStoreError):
        wait = partial(complain, f"{store}: another run is collecting; waiting for its end")
        config = settings(paths[0] if paths else ".", Config(rules=rules))
        with closing(made(store, edition(), title(config.law))) as manifest, locked(store, wait):
            paths = distinct(paths or manifest.written_roots())
            if not paths:
                raise refuse("no PATH is given, and none was collected before")
            if STANDARD_INPUT in paths:
                raise refuse("standard input is no file that could be read again; name files")
            for pattern in filter(is_pattern, paths):
                raise refuse(
                    f"{pattern}: a pattern may mean other files each time; name the folder"
                )
            counts, attempts = CollectCounts(), FileCounts()
            with (
                progress_of(paths, quiet=quiet) as progress,
                refusing(OSError, WorkerError),
                closing(collect(paths, manifest, config.law, workers, counts)) as outcomes,
            ):
                for outcome in progress.counted(outcomes):
                    attempts.count(outcome)
            if not quiet:
                write([_summary(counts, store)])
    raise end_of_files(attempts, paths, attempts.status(paths))


def _summary(counts: CollectCounts, store: Path) -> str:
    parts = {"read": counts.read, "unchanged": counts.unchanged, "gone": counts.gone}
    words = [f"{number:,} {word}" for word, number in parts.items() if number]
    return f"{', '.join(words) or 'nothing found'}; kept in {store}\n"
