"""The command line. It composes the library's verbs and prints; it computes nothing."""

from __future__ import annotations

import atexit
import gc
import os
import sys

from bganalyze.jobs.workers import collect_rarely


def main() -> None:
    """Run the command line; nothing that goes wrong ends in a traceback."""
    _open_streams()
    _keep_to_one_thread()
    collect_rarely()
    atexit.register(_leave_objects)
    try:
        from bganalyze.cli.app import app

        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        from bganalyze.cli.endings import USAGE, complain, finish_output

        complain(error.strerror or str(error))
        finish_output()
        sys.exit(USAGE)
    except Exception as error:  # noqa: BLE001 - the last resort
        from bganalyze.cli.endings import FAULT, complain

        complain(f"a fault of bganalyze, please report it: {error!r}")
        sys.exit(FAULT)


def _leave_objects() -> None:
    """Do not look at all objects once more at the end, which is a tenth of a short run.

    DuckDB's binding writes a page to standard error of objects that are left.
    """
    if "duckdb" not in sys.modules:
        gc.freeze()


def _keep_to_one_thread() -> None:
    """Start no threads for numpy's linear algebra, which is hardly used: work is shared by processes.

    Measured: a quarter of a second of every start of `stats`.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _open_streams() -> None:
    """Started without a stream, the program reads nothing from it and writes to nowhere."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - kept open
