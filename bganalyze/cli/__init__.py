"""The command line. It composes the library's verbs and prints; it computes nothing."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; nothing that goes wrong ends in a traceback."""
    try:
        from bganalyze.cli.app import app

        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:  # noqa: BLE001 - the last resort
        from bganalyze.cli.endings import FAULT, complain

        complain(f"a fault of bganalyze, please report it: {error!r}")
        sys.exit(FAULT)
