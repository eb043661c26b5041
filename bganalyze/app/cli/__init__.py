"""The command line: it calls the library's functions and prints their results."""

from __future__ import annotations

import atexit
import os
import sys
from contextlib import suppress

from bganalyze.app.jobs.budget import OUT_OF_MEMORY, describe_unexpected_error, print_traceback
from bganalyze.app.jobs.memory import check_memory_before_imports
from bganalyze.app.jobs.workers import collect_rarely

_NO_MEMORY = f"bganalyze: {OUT_OF_MEMORY}\n".encode()
"""The message for a process without memory, encoded in advance."""


def run() -> None:
    """Run the command line, and end this process with its exit status."""
    if getattr(sys, "frozen", False):
        _run_as_python_if_asked()
    ending = _QuickEnding()
    atexit.register(ending.end_process)  # The first handler registered runs last.
    try:
        main()
    except SystemExit as end:
        ending.status = end.code
        raise
    except Exception as error:  # noqa: BLE001 - `main` had no memory to report it
        _print_last_error(error)
        os._exit(2)


def _run_as_python_if_asked() -> None:
    """If the arguments ask for a worker process or, by `-m`, a module, run that and exit."""
    import multiprocessing
    import runpy

    # A program frozen into one file has no Python interpreter to start for these.
    multiprocessing.freeze_support()
    if sys.argv[1:2] == ["-m"]:
        runpy.run_module(sys.argv[2], run_name="__main__")
        sys.exit()


def _print_last_error(error: Exception) -> None:
    """Print an error on standard error in the simplest way, after the usual way has failed."""
    line = _NO_MEMORY
    with suppress(Exception):
        line = f"bganalyze: {describe_unexpected_error(error)}\n".encode()
    with suppress(OSError):
        os.write(2, line)


def main() -> None:
    """Run the command line; print an error as one line, and end with an exit status."""
    _open_streams()
    _keep_to_one_thread()
    collect_rarely()
    check_memory_before_imports()
    try:
        from bganalyze.app.cli.app import app

        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        from bganalyze.app.cli.exit_status import USAGE, complain, finish_output

        print_traceback(error)
        complain(error.strerror or str(error))
        finish_output()
        sys.exit(USAGE)
    except Exception as error:  # noqa: BLE001 - the last resort
        from bganalyze.app.cli.exit_status import FAULT, complain

        complain(describe_unexpected_error(error))
        sys.exit(FAULT)


class _QuickEnding:
    """A quick end of the process: its objects are not freed, which would take time."""

    status: object = None
    """The argument of `sys.exit`."""

    def end_process(self) -> None:
        """Flush the output, and end the process at once.

        After `sys.exit` with a message, the process ends in the usual way instead.
        """
        if not isinstance(self.status, int | None):
            return
        with suppress(OSError, ValueError):
            # If this fails, Python ends the process later and reports the lost
            # output.
            sys.stdout.flush()
            sys.stderr.flush()
            # Objects are not freed.
            os._exit(self.status or 0)


def _keep_to_one_thread() -> None:
    """Keep numpy from starting threads, which would slow the start of the program."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _open_streams() -> None:
    """Open the null device in place of each standard stream that is missing."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - kept open
