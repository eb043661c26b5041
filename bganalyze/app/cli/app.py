"""The command line application: its commands, their groups and their help.

A command is a function and a line in `GROUPS`. Its module is imported when the command is called, or
when all commands are listed.

Modules of commands do not use `from __future__ import annotations`: Typer reads the options of a
command from its annotations, and would have to evaluate text twice, which takes 3 % of a check of one
file (measured).
"""

import os
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from pkgutil import resolve_name
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from bganalyze import NAME, __version__
from bganalyze.app.cli.exit_status import end_cleanly, refuse
from bganalyze.app.jobs.outcome import UNREADABLE
from bganalyze.packages import is_frozen
from bganalyze.text import did_you_mean, documentation, shorten_message

GROUPS = {
    "Check and repair": {
        "check": "bganalyze.app.cli.check:command",
        "repair": "bganalyze.app.cli.repair:command",
        "examine": "bganalyze.app.cli.examine:command",
        "show": "bganalyze.app.cli.show:command",
        "serve": "bganalyze.app.cli.serve:command",
        "ruling": "bganalyze.app.cli.ruling:command",
        "rule": "bganalyze.app.cli.catalog:rule",
    },
    "Report and count": {
        "matches": "bganalyze.app.cli.matches:command",
        "verify": "bganalyze.app.cli.verify:command",
        "report": "bganalyze.app.cli.report:command",
        "stats": "bganalyze.app.cli.stats:command",
        "collect": "bganalyze.app.cli.collect:command",
        "query": "bganalyze.app.cli.query:command",
    },
    "Analyze and study": {
        "profile": "bganalyze.app.cli.profile:command",
        "analyze": "bganalyze.app.cli.analyze:command",
        "export": "bganalyze.app.cli.export:command",
        "norms": "bganalyze.app.cli.norms:command",
    },
    "Files": {
        "convert": "bganalyze.app.cli.convert:command",
        "formats": "bganalyze.app.cli.catalog:formats",
        "clean": "bganalyze.app.cli.clean:command",
    },
}
"""The commands in the groups of the help, the main command of each group first."""

COMMANDS = {name: place for group in GROUPS.values() for name, place in group.items()}

OF_STORES = ("collect", "query")
"""Commands for which a program in one file lacks the packages."""

HELP = "help"
"""The word that works as `--help` does: `bganalyze help`, `bganalyze help check`."""

SPELLINGS = {"analyse": "analyze"}
"""Other spellings of commands, which are accepted."""

SYNONYMS = {
    "evaluate": "analyze",
    "fix": "repair",
    "judge": "analyze",
    "lint": "check",
    "list": "matches",
    "open": "show",
    "profile": "stats",
    "statistics": "stats",
    "validate": "check",
    "view": "show",
}
"""Words that people try for a command; the message names the command."""

_PLAIN: Any = {
    "rich_markup_mode": None,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}
"""Help in plain text: on a narrow terminal Rich's panels truncate the names of options."""

_UsageError: Any = typer.BadParameter.__base__
"""The base class of usage errors, which Typer does not export."""

_NUMBERS = {"int": "a whole number", "float": "a number"}
"""Words for the types that Typer names in usage errors."""

_VERBATIM = "\b\n"
"""Marks a paragraph of help whose line breaks are kept."""


class _Commands(TyperGroup):
    """All commands of the program; a command is imported when it is needed."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import the command with a name, and return it, or None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        return _build_command(cmd_name, resolve_name(COMMANDS[cmd_name]))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the first of `args` names; end with a hint if it is unknown."""
        if args == [HELP]:
            typer.echo(ctx.get_help())
            ctx.exit()
        if args[0] == HELP:
            args = [args[1], "--help"]
        word = SPELLINGS.get(args[0], args[0])
        if word not in COMMANDS and not word.startswith("-"):
            raise refuse(_explain_unknown_command(word))
        others = map(_protect_comment, args[1:]) if word == "query" else args[1:]
        return super().resolve_command(ctx, [word, *others])

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands, in groups, into the help."""
        width = max(map(len, COMMANDS))
        for title, names in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(
                    [
                        (name.ljust(width), self._describe_command(ctx, name, formatter))
                        for name in names
                    ]
                )

    def _describe_command(self, ctx: Any, name: str, formatter: Any) -> str:
        """Return the line on a command in the help.

        If the command is not available, the line says why.
        """
        if name in OF_STORES and is_frozen():
            return "(not available here: a store needs the Python package)"
        try:
            line: str = self.get_command(ctx, name).get_short_help_str(formatter.width)
        except ModuleNotFoundError as error:
            from bganalyze.packages import describe_missing_package

            if describe_missing_package(error) is None:
                raise
            return f"(not available here: {error.name} is missing)"
        return line

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments as Click does, but show no passwords in error messages."""
        # Without arguments, show the help.
        if not args and not ctx.resilient_parsing:
            typer.echo(ctx.get_help(), err=True)
            raise typer.Exit(UNREADABLE)
        with _hide_passwords_in_usage_errors():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the chosen command; an error becomes a message and an exit status."""
        with end_cleanly(), _hide_passwords_in_usage_errors():
            return super().invoke(ctx)


def _protect_comment(word: str) -> str:
    r"""Put a line end before an SQL comment, because Click would read `--` as an option.

    >>> _protect_comment("-- all games"), _protect_comment("--store")
    ('\n-- all games', '--store')
    """
    return f"\n{word}" if word[:2] == "--" and word[2:3].isspace() else word


class _Command(TyperCommand):
    """A command that refuses two rule books; Click would silently use the last one."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments of a command; refuse two different rule books with a usage error."""
        books = {book.casefold() for book in _yield_option_values("--rules", args)}
        if len(books) > 1:
            raise typer.BadParameter(
                f"--rules names {' and '.join(sorted(books))}; check by one rule book at a time"
            )
        return super().parse_args(ctx, args)


def _yield_option_values(option: str, args: Sequence[str]) -> Iterator[str]:
    """Yield the values that command line arguments give to an option.

    >>> list(_yield_option_values("--rules", ["a.mat", "--rules", "wbf", "--rules=basic"]))
    ['wbf', 'basic']
    """
    for word, following in zip_longest(args, args[1:], fillvalue=""):
        if word == "--":
            return
        if word == option:
            yield following
        elif word.startswith(f"{option}="):
            yield word.removeprefix(f"{option}=")


def _explain_unknown_command(word: str) -> str:
    """Return the error message for a first argument that names no command.

    >>> _explain_unknown_command("lost.mat")
    'lost.mat: no such file or command; to check a file: bganalyze check FILE'
    """
    from bganalyze.files.addresses import (
        hide_credentials_in,
        is_url,
    )  # Loads archives, and so the grammars.

    shown = hide_credentials_in(word)
    if word in SYNONYMS:
        return f"there is no command {word!r}; use {NAME} {SYNONYMS[word]}"
    if is_url(word):
        return f"{shown}: name a command before it, such as {NAME} check URL"
    if os.path.exists(word):
        return f"{shown}: name a command before it, such as {NAME} check {shlex.quote(shown)}"
    if os.path.splitext(word)[1] or os.sep in word:
        return f"{shown}: no such file or command; to check a file: {NAME} check FILE"
    return f"there is no command {shown!r}{did_you_mean(word, COMMANDS)}; {NAME} {HELP} lists the commands"


@contextmanager
def _hide_passwords_in_usage_errors() -> Iterator[None]:
    """If a `with` block raises a usage error, hide the passwords in its message."""
    try:
        yield
    except _UsageError as error:
        from bganalyze.files.addresses import (
            hide_credentials_in,
        )  # Loads archives, and so the grammars.

        error.message = shorten_message(hide_credentials_in(_explain_wrong_number(error.message)))
        raise


def _explain_wrong_number(message: str) -> str:
    """Return Click's message about a wrong number, reworded in plain words.

    >>> _explain_wrong_number("'x' is not a valid int range.")
    "'x' is not a whole number"
    """
    for name, words in _NUMBERS.items():
        for written in (name, f"{name} range"):
            message = message.replace(f"is not a valid {written}.", f"is not {words}")
    return message


def _build_command(name: str, function: Callable[..., None]) -> Any:
    """Return the Click command for a function with Typer's annotations."""
    single = typer.Typer(add_completion=False, **_PLAIN)
    single.command(name, cls=_Command, help=_make_help_text(function))(function)
    return typer.main.get_command(single)


def _make_help_text(function: Callable[..., None]) -> str:
    """Return a command's docstring as help text, in which examples keep their line breaks."""
    paragraphs = documentation(function).split("\n\n")
    return "\n\n".join(_VERBATIM * text.startswith(" ") + text for text in paragraphs)


app = typer.Typer(
    name=NAME, cls=_Commands, no_args_is_help=True, pretty_exceptions_enable=False, **_PLAIN
)


def _print_version(is_asked_for: bool) -> None:
    """If `--version` was given, print the version and end the run."""
    if is_asked_for:
        typer.echo(f"{NAME} {__version__}")
        raise typer.Exit


@app.callback(help="Check, repair, report on and analyze recorded backgammon matches.")
def _declare_global_options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Do nothing: Typer reads from this signature the options that come before a command."""
