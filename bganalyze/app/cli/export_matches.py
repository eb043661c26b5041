"""Matches with their analyses in the formats of other programs, for `bganalyze export`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bganalyze.analysis.select import EngineChoice
from bganalyze.analysis.store_error import StoreError
from bganalyze.app.api.analyses import find_analysis_of_each, open_existing_analyses
from bganalyze.app.api.convert import Converted, convert_analyzed
from bganalyze.app.cli.exit_status import FAULT, complain, exit_on, print_note, refuse
from bganalyze.app.cli.io import analyze_command
from bganalyze.app.cli.output_paths import STANDARD_OUTPUT, CommandWords, OutputPlaces
from bganalyze.app.jobs.outcome import apply_to_file
from bganalyze.files.reading import FileToRead, UnreadableError, find_files_in_encoding
from bganalyze.record.reader import read_bytes
from bganalyze.statistics.store.manifest import MatchStoreError
from bganalyze.text import number_of
from bganalyze.validation.replaying import replay
from bganalyze.writing.losses import UnwritableError

if TYPE_CHECKING:
    from bganalyze.analysis.store import Store


class StoredAnalyses(NamedTuple):
    """The source of analyses (`db`, or the store `collected`), and their engine and level."""

    db: str | None
    collected: Path | None
    choice: EngineChoice


def export_matches(
    paths: list[str],
    format: str,
    out: Path | None,
    analyses: StoredAnalyses,
    *,
    force: bool,
    quiet: bool,
) -> int:
    """Write the matches of files and their analyses in a format; return the exit status.

    `out` is the file or folder to write; None means standard output.
    """
    if not paths:
        raise refuse(f"{format} needs the match files: name them")
    items = list(find_files_in_encoding(paths, None))
    target = STANDARD_OUTPUT if out is None else str(out)
    places = OutputPlaces(items, target, CommandWords("export", "exported", "--out"), force=force)
    if target == STANDARD_OUTPUT and not places.single:
        raise refuse("only one file goes to standard output; name a folder with --out")
    written, missing, is_failed = list[str](), list[str](), False
    with exit_on(StoreError, MatchStoreError):
        store = open_existing_analyses(analyses.db, analyses.collected)
        work = partial(_convert_with_analyses, format=format, store=store, choice=analyses.choice)
        for item in items:
            outcome, made = apply_to_file(item, partial(work, path=item.path))
            problem = outcome.error
            if made is not None:
                problem = _write_converted(made, item, places, quiet=quiet)
                written += [] if problem else [places.path(item, made.extension)]
            elif problem is None and not outcome.is_skipped:
                missing.append(item.path)
            if problem is not None:
                complain(f"{item}: {problem}")
                is_failed = True
    _print_missing(missing, analyze_command(paths, analyses.db, analyses.collected))
    if written and target != STANDARD_OUTPUT and not quiet:
        files = f"{number_of(len(written), 'file')} to {target}"
        print_note(f"wrote {written[0] if places.single else files}")
    return FAULT if is_failed or not written else 0


def _write_converted(
    converted: Converted, item: FileToRead, outputs: OutputPlaces, *, quiet: bool
) -> str | None:
    """Write a converted file to its output path; return the reason if this fails, else None."""
    try:
        path = outputs.path(item, converted.extension)
        outputs.write_output(converted.data, path, item)
    except UnreadableError as error:
        return str(error)
    for line in () if quiet else converted.lost:
        print_note(f"{item}: lost in {path}: {line}")
    return None


def _print_missing(missing: list[str], command: str) -> None:
    """Print the first file that is not analyzed, how many others there are, and `command`."""
    if missing:
        others = f" and {number_of(len(missing) - 1, 'other file')}" * (len(missing) > 1)
        complain(f"not analyzed: {missing[0]}{others}; to analyze: {command}")


def _convert_with_analyses(
    content: bytes, path: str, format: str, store: Store | None, choice: EngineChoice
) -> Converted | None:
    """Return a file converted to a format, with its analyses; None if it is not analyzed."""
    replays = [replay(match) for match in read_bytes(content, path)]
    analyses = find_analysis_of_each(replays, store, choice)
    if not any(analyses):
        return None
    try:
        return convert_analyzed(replays, analyses, format)
    except UnwritableError as error:
        raise UnreadableError(str(error)) from error
