"""`bganalyze serve`: the page for dropping files, served on this machine or written for hosting."""

import os
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bganalyze.app.cli.exit_status import Interrupted, exit_on, print_note, refuse
from bganalyze.app.cli.io import write
from bganalyze.app.cli.options import Database, Force, value_option
from bganalyze.files.reading import reason

if TYPE_CHECKING:
    from bganalyze.app.serving.server import PageServer

PYODIDE = Path("node_modules", "pyodide")


def command(
    out: Annotated[
        Path | None,
        value_option("DIR", "Write the page to this folder, ready to be hosted, and end."),
    ] = None,
    pyodide: Annotated[
        Path,
        value_option("DIR", "With --out: the folder of Pyodide, from npm or a distribution."),
    ] = PYODIDE,
    port: Annotated[
        int | None,
        value_option("PORT", "The port to listen on.", min=1, max=65535, show_default="a free one"),
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address, but open no browser.")
    ] = False,
    db: Database = None,
    workers: Annotated[
        int, value_option("N", "Number of processes that analyze a match.", min=1)
    ] = os.cpu_count() or 1,
    force: Force = False,
) -> None:
    """Serve a page that checks and analyzes dropped match files.

    The page has buttons for the other commands: check, repair, report, statistics,
    convert and analyze. Only this machine can open it; Ctrl-C ends it.

    With --out the page is written as files that any web server can host. The program
    then runs in the browser, by Pyodide; nothing is uploaded.

    Example:

        bganalyze serve
        bganalyze serve --port 8000 --no-browser --db club.db
        npm install --no-save pyodide@314 && bganalyze serve --out site/
    """
    if out is not None:
        _write_site(out, pyodide, force=force)
        return
    from bganalyze.app.api.analyses import default_database
    from bganalyze.app.serving.requests import ServerContext
    from bganalyze.app.serving.server import PageServer

    try:
        server = PageServer(ServerContext(db or default_database(), workers), port or 0)
    except OSError as error:
        raise refuse(f"port {port}: {reason(error)}") from error
    with server:
        _serve(server, browser=not no_browser)


def _serve(server: "PageServer", *, browser: bool) -> None:
    """Print the page's address and serve the page until Ctrl-C; with `browser`, open it."""
    try:
        write([f"{server.address}\n"])
        print_note("the page is for this machine only; Ctrl-C ends it")
        if browser:
            webbrowser.open(server.address)
        server.serve_forever(poll_interval=0.2)
    except Interrupted:
        raise
    except KeyboardInterrupt:
        return


def _write_site(folder: Path, pyodide: Path, *, force: bool) -> None:
    """Write the files of the web page to a folder, and print how many there are."""
    from bganalyze.app.serving.site import SiteError, site_files, write_site

    with exit_on(SiteError):
        files = site_files(pyodide)
    try:
        write_site(folder, files, force=force)
    except OSError as error:
        raise refuse(f"{folder}: {reason(error)}") from error
    print_note(f"wrote {len(files)} files to {folder}; any web server can show them")
