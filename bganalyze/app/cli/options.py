"""Options that several commands share, and options whose values come from a list."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from bganalyze.app.cli.exit_status import USAGE, complain, exit_on, refuse
from bganalyze.app.cli.io import COLORS
from bganalyze.app.config import name_rule_book
from bganalyze.app.jobs.executor import Executor, WorkerError
from bganalyze.app.jobs.workers import Processes
from bganalyze.board.rule_book import RULE_BOOKS
from bganalyze.board.rule_text import RuleBookError
from bganalyze.files.addresses import Address, is_url
from bganalyze.text import UnknownWordError, did_you_mean, find_choice, parse_choices, printable


def choice_option(
    values: Collection[str],
    metavar: str,
    about: str,
    default: str | bool = True,
    hints: Mapping[str, str] | None = None,
) -> Any:
    """Return an option of a command whose value must be one of `values`; case does not matter.

    `metavar` names the value in the help, and `about` explains the option. The help shows the
    option's real default if `default` is True, else the text `default`. `hints` maps wrong values
    to suggestions.
    """

    def match_choice(value: str | None) -> str | None:
        """Return the value as spelled in `values`; refuse any other value."""
        choice = None if value is None else find_choice(value, values)
        if value is None or choice is not None:
            return choice
        hint = f"; {hints[value]}" if hints and value in hints else did_you_mean(value, values)
        raise typer.BadParameter(f"{value!r} is not one of {', '.join(values)}{hint}")

    return typer.Option(
        help=f"{about} One of {', '.join(values)}.",
        metavar=metavar,
        callback=match_choice,
        autocompletion=lambda: list(values),
        show_default=default,
    )


def value_option(metavar: str, about: str, **limits: Any) -> Any:
    """Return an option of a command that takes a value.

    `metavar` names the value in the help, and `about` explains the option. `limits` are arguments
    of `typer.Option`, such as `min`.
    """
    return typer.Option(metavar=metavar, help=about, **limits)


def _require_encoding(written: str | None) -> str | None:
    """Return an encoding by Python's name for it; refuse an unknown encoding.

    `latin1` means `cp1252`, which has more characters.
    """
    from bganalyze.record.encodings import require_encoding  # Few runs name an encoding.

    try:
        return None if written is None else require_encoding(written)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


Encoding = Annotated[
    str | None,
    value_option(
        "NAME",
        "Encoding of the files, such as windows-1251; detected by default.",
        callback=_require_encoding,
    ),
]


def parse_comma_lists(
    words: str | Iterable[str], choices: Sequence[str], noun: str
) -> tuple[str, ...]:
    """Return each word of some comma lists once; return () for `all`.

    Ends the run for a word that is not among `choices`. `noun` is the message's word for it, such
    as `metric`.
    """
    with exit_on(UnknownWordError):
        return parse_choices(words, choices, noun)


def require_path(path: str) -> str:
    """Return a path unchanged; end the run if it is empty."""
    # As from an unset variable of the shell.
    if not path:
        raise typer.BadParameter("an empty path")
    return path


def require_text(text: str) -> str:
    """Return a text unchanged; end the run if the text has bytes that are not UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise typer.BadParameter(f"{printable(text)}: not text in UTF-8") from error
    return text


def require_store_path(path: Path | None) -> Path | None:
    """Return the path of a store unchanged; end the run if the path is not UTF-8."""
    if path is not None:
        require_text(str(path.absolute()))
    return path


def wrap_address(path: str) -> str:
    """Return a URL as an `Address`, which prints without its password; leave a path unchanged."""
    return Address(path) if is_url(require_path(path)) else path


_PATHS: Any = typer.Argument(
    metavar="PATH...",
    help="Files, folders and archives (hidden files in them are skipped), "
    "archive.zip!member, or their URLs; they may be compressed, as .gz or .tar.zst; "
    "- is standard input.",
    callback=lambda paths: list(map(wrap_address, paths or ())),
)

Paths = Annotated[list[str], _PATHS]

MaybePaths = Annotated[list[str] | None, _PATHS]
"""Paths for commands that can use a store or a database instead."""

OneMatch = Annotated[
    str,
    typer.Argument(
        metavar="MATCH",
        help="A file, archive.zip!member, a URL, or - for standard input.",
        callback=wrap_address,
    ),
]


Matches = Annotated[
    list[str],
    typer.Argument(
        metavar="MATCH...",
        help="Files, archive.zip!member, URLs, or - for standard input; folders and archives "
        "mean all matches in them.",
        callback=lambda paths: list(map(wrap_address, paths or ())),
    ),
]


def workers_option(about: str) -> Any:
    """Return the option `--workers`, a number of processes; the help explains it by `about`."""
    return value_option("N", about, min=1, show_default=str(os.cpu_count() or 1))


OnCluster = Annotated[
    str | None,
    value_option(
        "ADDRESS",
        "Use a Dask cluster: tcp://HOST:PORT of its scheduler, or local:4 for four "
        "workers on this machine.",
    ),
]


@contextmanager
def open_executor(workers: int | None, cluster: str | None) -> Iterator[Executor]:
    """Provide, in a `with` block, worker processes on this machine or of a cluster."""
    if workers is not None and cluster is not None:
        raise refuse("--workers are processes of this machine; --cluster has its own workers")
    with exit_on(WorkerError):
        if cluster is None:
            yield Processes(workers or os.cpu_count() or 1)
            return
        from bganalyze.app.jobs.cluster import Cluster

        with closing(Cluster(cluster)) as workers_of_cluster:
            yield workers_of_cluster


Color = Annotated[
    str, choice_option(COLORS, "WHEN", "When to use color; always means even in a pipe.")
]

Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet", "-q", help="Print only results and problems: no progress, summaries or notes."
    ),
]

Force = Annotated[
    bool,
    typer.Option(
        "--force",
        help="Overwrite any existing file. Without it, only files that name bganalyze as their maker are overwritten, such as pages, but no CSV.",
    ),
]

Anonymize = Annotated[
    bool,
    typer.Option(
        "--anonymize",
        help="Call the players Player A, Player B..., and leave out what could identify them.",
    ),
]


def _require_rule_book(written: str | None) -> str | None:
    """Return the name or the path of a rule book unchanged; refuse an unknown one."""
    try:
        return None if written is None else name_rule_book(written)
    except RuleBookError as error:
        raise typer.BadParameter(printable(str(error))) from error


def rules_option(default: str) -> Any:
    """Return the option `--rules`, a rule book; the help shows `default` as the default value."""
    return value_option(
        "BOOK",
        f"The rule book to check by: a TOML file, or one of {', '.join(RULE_BOOKS)}.",
        callback=_require_rule_book,
        autocompletion=lambda: list(RULE_BOOKS),
        show_default=default,
    )


Rules = Annotated[str | None, rules_option("as the settings file says, or basic")]

Aliases = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="A TOML file that lists the names of each player.",
        show_default="as the settings file says",
    ),
]

Database = Annotated[
    str | None,
    typer.Option(
        metavar="DATABASE",
        help="The database of analyses: a file, or a URL such as postgresql://...",
        show_default="the file in your data folder",
        callback=lambda address: address if address is None else require_path(address),
    ),
]

NormsFile = Annotated[
    str | None,
    typer.Option(
        "--norms",
        metavar="FILE",
        help="Compare with the norms in this file, written by bganalyze norms build.",
        show_default="the norms of the program",
        callback=lambda path: path if path is None else require_path(path),
    ),
]

EngineKept = Annotated[
    str | None,
    # It is eager because the name of a level may depend on the engine.
    typer.Option(metavar="ENGINE", help="Only analyses of this engine.", is_eager=True),
]


def _spell_out_level(context: typer.Context, level: str | None) -> str | None:
    """Return the name under which the database of analyses has a level of the command's engine."""
    from bganalyze.analysis.engines import find_stored_level

    return level and find_stored_level(level, context.params.get("engine") or "sage")


LevelKept = Annotated[
    str | None,
    typer.Option(
        metavar="LEVEL",
        help="Only analyses at this level or preset.",
        callback=_spell_out_level,
    ),
]


def make_comma_list_completer(
    words: Iterable[str], about: Callable[[str], str] = lambda _: ""
) -> Callable[[str], list[tuple[str, str]]]:
    """Return a shell completer for the last word of a comma list.

    `about` returns the explanation shown beside a word.

    >>> make_comma_list_completer(["points", "cube"])("cube,po")
    [('cube,points', '')]
    """

    def complete_choice(incomplete: str) -> list[tuple[str, str]]:
        """Return the completed lists, each with the explanation of its last word."""
        before, comma, begun = incomplete.rpartition(",")
        return [(f"{before}{comma}{word}", about(word)) for word in words if word.startswith(begun)]

    return complete_choice


StoreFolder = Annotated[
    Path | None,
    typer.Option(
        "--store",
        metavar="DIR",
        help="The folder of a store made by collect.",
        callback=require_store_path,
    ),
]


def choose_paths(
    context: typer.Context, paths: Sequence[str] | None, store: Path | None
) -> list[str]:
    """Return the paths that the user gave or, without any, the paths collected into the store.

    Ends the run if there are none.
    """
    if paths:
        return list(paths)
    if store is None:
        context.fail("Missing argument 'PATH...'.")
    named, others = _split_store_paths(store)
    if others and not named:
        raise typer.Exit(USAGE)
    return named


def list_paths_collected_here(store: Path) -> list[str]:
    """Return the paths of a store that this user collected on this machine; warn about others."""
    return _split_store_paths(store)[0]


def _split_store_paths(store: Path) -> tuple[list[str], list[str]]:
    """Return the paths of a store in two lists: collected by this user on this machine, or not.

    A warning lists those that are not.
    """
    from bganalyze.statistics.store.manifest import MatchStoreError
    from bganalyze.statistics.store.opening import list_collected_paths

    with exit_on(MatchStoreError):
        collected = list_collected_paths(store)
    named = [root.path for root in collected if root.is_named_here]
    others = [root.path for root in collected if not root.is_named_here]
    if others:
        complain(
            f"{store}: paths that only the store names are not read, as it may come from somebody else;"
            f" to read them, name them: {', '.join(others)}"
        )
    return named, others


def require_store_packages() -> None:
    """End the run if a package that stores need is missing."""
    from bganalyze.packages import describe_missing_store_packages

    missing = describe_missing_store_packages()
    if missing is not None:
        raise refuse(missing)
