"""The command line. It composes the library's verbs and prints; it computes nothing."""

from __future__ import annotations

import atexit
import os
import sys
from contextlib import suppress

from bganalyze.app.jobs.budget import OUT_OF_MEMORY, print_traceback, problem_of
from bganalyze.app.jobs.memory import look_before_loading
from bganalyze.app.jobs.workers import collect_rarely

_NO_MEMORY = f"bganalyze: {OUT_OF_MEMORY}\n".encode()
"""What is said where there is no memory to say anything else."""


def run() -> None:
    """Run the command line as a program of its own, which ends with it.

    Nothing is freed at the end: the system takes all memory back at once. Measured: one by one the
    objects take 18 ms after a check of 1,000 files, and a thirtieth of a check of one. What is to
    happen at the exit happens before.
    """
    if getattr(sys, "frozen", False):
        _be_python_for_children()
    ending = _Ending()
    atexit.register(ending.leave)  # The first that is registered comes last.
    try:
        main()
    except SystemExit as end:
        ending.status = end.code
        raise
    except Exception as error:  # noqa: BLE001 - what `main` had no memory to tell
        _tell_at_last(error)
        os._exit(2)


def _be_python_for_children() -> None:
    """Do what Python would be asked for: a frozen program is started in its place, and then ends.

    Worker processes are started so, and modules of this package that are run with `-m`.
    """
    import multiprocessing
    import runpy

    multiprocessing.freeze_support()
    if sys.argv[1:2] == ["-m"]:
        runpy.run_module(sys.argv[2], run_name="__main__")
        sys.exit()


def _tell_at_last(error: Exception) -> None:
    """Tell what is wrong where the usual way to tell it has failed as well."""
    line = _NO_MEMORY
    with suppress(Exception):
        line = f"bganalyze: {problem_of(error)}\n".encode()
    with suppress(OSError):
        os.write(2, line)


def main() -> None:
    """Run the command line; nothing that goes wrong ends in a traceback."""
    _open_streams()
    _keep_to_one_thread()
    collect_rarely()
    look_before_loading()
    try:
        from bganalyze.app.cli.app import app

        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        from bganalyze.app.cli.endings import USAGE, complain, finish_output

        print_traceback(error)
        complain(error.strerror or str(error))
        finish_output()
        sys.exit(USAGE)
    except Exception as error:  # noqa: BLE001 - the last resort
        from bganalyze.app.cli.endings import FAULT, complain

        complain(problem_of(error))
        sys.exit(FAULT)


class _Ending:
    """How the program ends."""

    status: object = None
    """As `sys.exit` takes it."""

    def leave(self) -> None:
        """End the process; the interpreter ends it as usual where that would lose anything."""
        if not isinstance(self.status, int | None):
            return
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(self.status or 0)


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
