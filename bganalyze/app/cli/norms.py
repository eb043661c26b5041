"""`bganalyze norms`: usual error rates by kind of decision."""

from pathlib import Path
from typing import Annotated

import typer

from bganalyze.app.api.norms import Norms, build_norms, norms
from bganalyze.app.cli import options
from bganalyze.app.cli.exit_status import complain, exit_on, print_note, refuse
from bganalyze.app.cli.io import (
    join_names,
    load_players,
    load_settings,
    make_output_options,
    require_writable,
    write,
    write_file,
)
from bganalyze.app.cli.options import choice_option, value_option
from bganalyze.app.config import Config
from bganalyze.app.render import NORM_FORMATS, render_norms
from bganalyze.errors import BganalyzeError
from bganalyze.text import number_of

SHOW, BUILD = "show", "build"


def command(
    action: Annotated[
        str,
        typer.Argument(
            metavar="[show|build]",
            help="show the norms in a file, or those of the program; or build others from matches.",
        ),
    ] = SHOW,
    paths: options.MaybePaths = None,
    player: Annotated[
        list[str] | None,
        value_option(
            "NAME", "Two groups: this player (again for another name), and all opponents."
        ),
    ] = None,
    about: Annotated[
        str | None,
        value_option("TEXT", "What the matches are, for the file.", show_default="their number"),
    ] = None,
    license_name: Annotated[
        str, typer.Option("--license", metavar="TEXT", help="The license of the matches.")
    ] = "",
    out: Annotated[
        Path | None, value_option("FILE", "Write the norms built to this file, as TOML.")
    ] = None,
    db: options.Database = None,
    format: Annotated[
        str, choice_option(NORM_FORMATS, "FORMAT", "How the norms are written.")
    ] = "text",
    force: options.Force = False,
    aliases: options.Aliases = None,
    quiet: options.Quiet = False,
    color: options.Color = "auto",
) -> None:
    """Show what errors usually cost, by kind of decision, or build such norms.

    A norm is the usual error rate of a group of players in one kind of decision: the
    equity lost per 500 decisions that GNU Backgammon counts, with a 95 % interval by
    bootstrap over matches. The norms of the program are of one strong player and of all
    his opponents.

    build makes norms from analyzed matches: of all players or, with --player, of this
    player and of all opponents. The analysis of a match is taken from the database or,
    if it has none, from the match file; without PATH, all matches in the database count.
    Quartiles are given if 30 players have 25 games or more, 55 for missed doubles; the
    rates of players with fewer games are mostly luck.

    Exit status: 2 if a file could not be read or the call was wrong, else 0.

    Example:

        bganalyze norms
        bganalyze norms build matches/ --out norms.toml
        bganalyze norms show norms.toml
        bganalyze norms build --db club.db --player Ann
    """
    paths = paths or []
    if action not in (SHOW, BUILD):
        raise refuse(f"{action!r}: write {SHOW} or {BUILD} first")
    require_writable(out, force=force)
    with exit_on(BganalyzeError, ValueError):
        if action == SHOW:
            if len(paths) > 1 or out is not None:
                raise refuse(f"{SHOW} takes one file of norms, and writes none")
            found = norms(paths[0] if paths else None)
        else:
            called = load_players(
                load_settings(paths[0] if paths else ".", Config(aliases=aliases))
            )
            found = build_norms(
                paths or None,
                player=join_names(called, player),
                db=db,
                about=about,
                license=license_name,
                players=called,
            )
    _print_left_out(found, quiet=quiet)
    if out is None:
        write(render_norms(found.table, format, make_output_options(color=color)))
    else:
        write_file(out, found.render("toml").encode(), force=force, quiet=quiet)


def _print_left_out(built: Norms, *, quiet: bool) -> None:
    """Print the unreadable files and, unless `quiet`, the number of matches without an analysis."""
    for file in built.unreadable:
        complain(f"{file.path}: {file.reason}")
    if built.not_analyzed and not quiet:
        print_note(f"{number_of(built.not_analyzed, 'match')} without an analysis left out")
