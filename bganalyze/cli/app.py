"""The commands, put together.

A command is a module with a function `command`, and one line in `COMMANDS`. It is imported when
it is called, or when all of them are listed.
"""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from bganalyze.about import NAME, version
from bganalyze.cli.endings import ended_cleanly

COMMANDS = {
    "check": "bganalyze.cli.check",
    "show": "bganalyze.cli.show",
    "rule": "bganalyze.cli.rule",
    "formats": "bganalyze.cli.formats",
}


class _Commands(TyperGroup):
    """The commands, each imported when it is needed."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        single = typer.Typer(add_completion=False)
        single.command(cmd_name)(import_module(COMMANDS[cmd_name]).command)
        return typer.main.get_command(single)

    def invoke(self, ctx: Any) -> Any:
        with ended_cleanly():
            return super().invoke(ctx)


app = typer.Typer(name=NAME, cls=_Commands, no_args_is_help=True, pretty_exceptions_enable=False)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"{NAME} {version()}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Validate recorded backgammon matches."""
