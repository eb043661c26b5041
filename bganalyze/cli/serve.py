"""`bganalyze serve`: the page into which files are dropped, shown here or written to be hosted."""

from __future__ import annotations

import os
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bganalyze.cli.endings import Interrupted, refuse, refusing, tell
from bganalyze.cli.io import write
from bganalyze.cli.options import Database, Force, takes
from bganalyze.files.reading import reason

if TYPE_CHECKING:
    from bganalyze.serving.server import PageServer

PYODIDE = Path("node_modules", "pyodide")


def command(
    out: Annotated[
        Path | None, takes("DIR", "Write the page there as files to be hosted, and end.")
    ] = None,
    pyodide: Annotated[
        Path,
        takes("DIR", "With --out: where Pyodide is, as npm or its distribution has it."),
    ] = PYODIDE,
    port: Annotated[
        int | None, takes("PORT", "Where to listen.", min=1, max=65535, show_default="a free one")
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address, and open no browser.")
    ] = False,
    db: Database = None,
    workers: Annotated[int, takes("N", "How many processes judge a match.", min=1)] = os.cpu_count()
    or 1,
    force: Force = False,
) -> None:
    """Show a page into which match files are dropped.

    What the other commands do is done there by a click: check, repair, report,
    statistics, convert, and judge by an engine. The page is for this machine only,
    until Ctrl-C.

    With --out the page is written as files that can be hosted anywhere, or opened
    from any web server. The program then runs in the browser, by Pyodide; nothing
    is uploaded.

    Example:

        bganalyze serve
        bganalyze serve --port 8000 --no-browser --db club.db
        npm install --no-save pyodide@314 && bganalyze serve --out site/
    """
    if out is not None:
        _write(out, pyodide, force=force)
        return
    from bganalyze.judging.store import default_path
    from bganalyze.serving.requests import Desk
    from bganalyze.serving.server import PageServer

    try:
        server = PageServer(Desk(db or default_path(), workers), port or 0)
    except OSError as error:
        raise refuse(f"port {port}: {reason(error)}") from error
    with server:
        _run(server, browser=not no_browser)


def _run(server: PageServer, *, browser: bool) -> None:
    """Say where the page is, and serve until Ctrl-C, which is how this is meant to end."""
    try:
        write([f"{server.address}\n"])
        tell("the page is for this machine only; Ctrl-C ends it")
        if browser:
            webbrowser.open(server.address)
        server.serve_forever(poll_interval=0.2)
    except Interrupted:
        raise
    except KeyboardInterrupt:
        return


def _write(folder: Path, pyodide: Path, *, force: bool) -> None:
    from bganalyze.serving.site import SiteError, site_files, write_site

    with refusing(SiteError):
        files = site_files(pyodide)
    try:
        write_site(folder, files, force=force)
    except OSError as error:
        raise refuse(f"{folder}: {reason(error)}") from error
    tell(f"wrote {len(files)} files to {folder}; any web server can show them")
