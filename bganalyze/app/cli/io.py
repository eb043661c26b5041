"""Input and output shared by commands: terminal, settings, and single files."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import typer

from bganalyze import NAME
from bganalyze.app.cli.exit_status import complain, exit_on, print_note, refuse
from bganalyze.app.config import Config, ConfigError, find_config, load_config, load_rule_book
from bganalyze.app.jobs.budget import limit_process
from bganalyze.app.jobs.outcome import NO_MATCH_FILE, FileCounts
from bganalyze.app.render import fold_prose
from bganalyze.app.render.output_options import UNLIMITED, OutputOptions
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.board.rule_text import RuleBookError
from bganalyze.files.addresses import hide_credentials_in
from bganalyze.files.reading import UnreadableError, find_files_in_encoding, load_file, reason
from bganalyze.record.not_a_transcript import NOTHING_RECOGNIZED, NotATranscript
from bganalyze.record.players import AliasError, Players
from bganalyze.validation.findings import Severity
from bganalyze.validation.slip_odds import NO_ODDS, Odds

if TYPE_CHECKING:
    from bganalyze.analysis.match import AnalyzedMatch
    from bganalyze.analysis.store import Store
    from bganalyze.record.line_tree import LinePart
    from bganalyze.record.model import Match
    from bganalyze.statistics.norms import NormTable

# The database of analyses that a command reads.


def analyze_command(paths: Iterable[str], db: str | None, store: Path | None = None) -> str:
    """Return the command line that analyzes the matches in files or in a store."""
    source = ["--store", str(store)] if store else list(map(hide_credentials_in, paths))
    place = [] if db is None else ["--db", hide_credentials_in(db)]
    return shlex.join([NAME, "analyze", *source, *place])


def require_matches(
    matches: Iterator[AnalyzedMatch],
    store: Store,
    store_folder: Path | None = None,
    paths: Sequence[str] = (),
    db: str | None = None,
) -> Iterator[AnalyzedMatch]:
    """Yield the matches unchanged; if there are none, end the run with a message.

    The message names `store`, the database that was searched, and the places given by the user.
    """
    first = next(matches, None)
    if first is None:
        editions = [f"{engine} {version} at {level}" for engine, version, level in store.editions()]
        if paths:
            limits = f" of these files; to analyze them, run {analyze_command(paths, db)}"
        else:
            limits = f" on a match in {store_folder}" if store_folder else ""
        problem = (
            f"no such analyses{limits}; there are those of {', '.join(editions)}"
            if editions
            else "it holds no analyses yet"
        )
        raise refuse(f"{store.name}: {problem}")
    return chain([first], matches)


def open_stored_analyses(db: str | None, store: Path | None) -> Store | None:
    """Open an existing database of analyses: `db`, else the store's, else the default one.

    Returns None if there is none. Ends the run if a database that the user named cannot be read.
    """
    from bganalyze.analysis.store_error import StoreError
    from bganalyze.app.api.analyses import open_existing_analyses
    from bganalyze.statistics.store.manifest import MatchStoreError

    try:
        return open_existing_analyses(db, store)
    except (StoreError, MatchStoreError) as error:
        if db is not None or store is not None:
            raise refuse(error) from error
        # Without the default database, the analyses in the files remain.
        complain(str(error))
        return None


@contextmanager
def advise_other_database(db: str | None, store: Path | None = None) -> Iterator[None]:
    """If a `with` block raises a StoreError, add to its message the advice to use `--db FILE`.

    If the user named a database or a store, the message stays unchanged.
    """
    from bganalyze.analysis.store_error import StoreError

    try:
        yield
    except StoreError as error:
        # The user chose the database.
        if db is not None or store is not None:
            raise
        raise StoreError(f"{error}; to keep the analyses in another file: --db FILE") from error


COLORS = ("auto", "always", "never")

PIPE_WIDTH = 120
"""Columns of a table that goes to a file or a pipe."""


def make_output_options(
    rule_book: RuleBook = BASIC,
    color: str = "auto",
    *,
    full: bool = False,
    board: bool = True,
    verbose: bool = False,
    quiet: bool = False,
    least: Severity = Severity.INFO,
    errors_first: bool = False,
    odds: Odds = NO_ODDS,
    only_new: bool = False,
) -> OutputOptions:
    """Return the options for this run's output, made from the terminal and the user's options.

    `color` is the value of `--color`.
    """
    color = _apply_environment(color)
    on_terminal = sys.stdout.isatty() or color == "always"
    return OutputOptions(
        rule_book,
        full=full or on_terminal,
        width=shutil.get_terminal_size().columns if on_terminal else PIPE_WIDTH,
        prose_width=find_prose_width(),
        color=color == "always" or (color == "auto" and _shows_color()),
        encoding=sys.stdout.encoding or "ascii",
        board=board,
        verbose=verbose,
        quiet=quiet,
        least=least,
        errors_first=errors_first,
        odds=odds,
        only_new=only_new,
    )


def adapt_to_file(setting: OutputOptions) -> OutputOptions:
    """Return output options changed for a file: no color, UTF-8, and the width for a pipe."""
    return setting._replace(color=False, width=PIPE_WIDTH, encoding="utf-8")


def find_prose_width() -> int:
    """Return the width at which prose is folded: the terminal's, or no limit for a pipe."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else UNLIMITED


def write(pieces: Iterable[str]) -> None:
    """Write each text to standard output as soon as it is there."""
    for piece in pieces:
        sys.stdout.write(piece)
        sys.stdout.flush()


def write_prose(pieces: Iterable[str], setting: OutputOptions) -> None:
    """Write texts to standard output, folded at the width of the terminal."""
    write(fold_prose(pieces, setting))


def write_bytes(pieces: Iterable[bytes]) -> None:
    """Write bytes to standard output unchanged."""
    for piece in pieces:
        sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()


def _shows_color() -> bool:
    """Whether standard output is a terminal with colors, and NO_COLOR is not set."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not plain


def _apply_environment(color: str) -> str:
    """Return the value of `--color`; if FORCE_COLOR is set, return `always` for `auto`."""
    is_forced = os.environ.get("FORCE_COLOR") and not os.environ.get("NO_COLOR")
    return "always" if color == "auto" and is_forced else color


# The single file that a command works on.

_T = TypeVar("_T")

SEE_FORMATS = f"{NAME} formats lists what can be read"
"""The next step of a user whose file is not recognized."""


def read_matches(path: str, encoding: str | None = None) -> list[Match]:
    """Return the matches of a file; end the run if it is no match file."""
    from bganalyze.record.reader import read_bytes  # Loads the grammars.

    return _read_one_file(path, read_bytes, encoding)


def read_line(path: str, line: int, encoding: str | None = None) -> LinePart | None:
    """Return a line of a file, parsed by the file's grammar, or None if it is blank."""
    from bganalyze.record.reader import parse_line

    return _read_one_file(path, partial(parse_line, line=line), encoding)


def _read_one_file(path: str, read: Callable[[bytes, str], _T], encoding: str | None) -> _T:
    """Read a file, and return `read(content, path)`; end the run if this fails."""
    try:
        (item,) = find_files_in_encoding([path], encoding)
        content = load_file(item)
        # The limits of time and memory hold for the rest of the run.
        limit_process(path, len(content))
        return read(content, item.path)
    except (UnreadableError, NotATranscript) as error:
        reason = error.reason if isinstance(error, NotATranscript) else str(error)
        raise refuse(f"{path}: {add_formats_hint(reason)}") from error
    except ValueError as error:
        raise refuse(
            f"{path}: a folder or archive; name one file, or use {NAME} check or {NAME} stats"
        ) from error


def add_formats_hint(reason: str) -> str:
    """Return why a file is unreadable, with a hint if its format is unknown."""
    return f"{reason}; {SEE_FORMATS}" if _is_unrecognized(reason) else reason


def _is_unrecognized(reason: str | None) -> bool:
    """Whether the `reason` why a file is unreadable is that nothing in it looks like a match."""
    return reason is not None and reason.startswith(NOTHING_RECOGNIZED)


# The end of a run over files.


def report_empty_paths(file_counts: FileCounts, paths: Iterable[str], status: int) -> typer.Exit:
    """Print the paths that hold no match file; return the exception that ends the run."""
    for path in file_counts.find_empty_paths(paths):
        complain(f"{path}: {NO_MATCH_FILE}; {SEE_FORMATS}")
    if any(_is_unrecognized(one.reason) for one in file_counts.unreadable):
        print_note(SEE_FORMATS)
    return typer.Exit(status)


# The settings of a run: those of the nearest settings file, overridden by the options.


def load_settings(path: str, options: Config) -> Config:
    """Return the settings in the file nearest to `path`, overridden by those in `options`.

    Ends the run if they are invalid.
    """
    with exit_on(ConfigError, RuleBookError):
        file = find_config(Path(path))
        config = (load_config(file, list_rule_codes()) if file else Config()).overridden_by(options)
        load_rule_book(config.rules or BASIC.name)
        return config


def list_rule_codes() -> tuple[str, ...]:
    """Return the codes of all rules."""
    from bganalyze.validation.rules import CODES  # Loads all rules.

    return CODES


def load_players(config: Config) -> Players:
    """Return the map from written names to players that the alias file gives.

    Ends the run if the file is invalid.
    """
    if config.aliases is None:
        return Players()
    from bganalyze.files.aliases import load_aliases  # Most runs have no such file.

    with exit_on(AliasError):
        return Players(load_aliases(config.aliases))


def join_names(players: Players, names: Sequence[str] | None) -> str | None:
    """Map all names given with `--player` to the first of them, and return it; None without names.

    >>> join_names(players := Players(), ["Ann", "Annie"]), players("Annie")
    ('Ann', 'Ann')
    """
    if not names:
        return None
    player, *others = names
    if others:
        players.join(player, others)
    return player


def load_norms(path: str | None) -> NormTable | None:
    """Return the norms (usual error rates) in a file; end the run if the file has none."""
    if path is None:
        return None
    from bganalyze.app.api.norms import norms
    from bganalyze.statistics.norms import NormsError

    with exit_on(NormsError, UnreadableError):
        return norms(path).table


# The file that an option names.


def write_unless_foreign(path: Path, content: bytes, *, force: bool) -> None:
    """Write a file; raise OSError if this would replace another program's file without `force`."""
    from bganalyze.files.outputs import replace_file, write_atomically  # Most runs write no file.

    (write_atomically if force else replace_file)(path, content)


def require_writable(path: Path | None, *, force: bool) -> None:
    """End the run if `path` is another program's file, unless `force` allows to replace it."""
    if path is not None and not force:
        from bganalyze.files.outputs import refuse_foreign_file

        try:
            refuse_foreign_file(path)
        except OSError as error:
            raise refuse(f"{path}: {reason(error)}") from error


def write_file(
    path: Path, content: bytes, *, force: bool, quiet: bool = False, summary: str = ""
) -> None:
    """Write a file and, unless `quiet`, say so; end the run if this fails.

    A file of another program is replaced only with `force`. `summary` says what was written.
    """
    try:
        write_unless_foreign(path, content, force=force)
    except OSError as error:
        raise refuse(f"{path}: {reason(error)}") from error
    if not quiet:
        print_note(f"wrote {path}: {summary}" if summary else f"wrote {path}")
