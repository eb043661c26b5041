"""The end of a run: an exit status and, after a failure, one line on standard error."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Never

import typer

from bganalyze import NAME
from bganalyze.app.jobs.budget import BudgetSpentError, end_process_limit
from bganalyze.app.jobs.workers import ENDING_SIGNALS

USAGE = FAULT = 2
INTERRUPTED = 128
"""The exit status of a program ended by a signal is this plus the number of the signal."""
PIPE_CLOSED = 141
"""The exit status of a program that wrote to a closed pipe."""


class Interrupted(KeyboardInterrupt):
    """Request to end the run by a signal; Ctrl-C is separate."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def complain(problem: str) -> None:
    """Print a problem, after the program's name, on standard error."""
    print_note(f"{NAME}: {problem}")


def print_note(line: str) -> None:
    """Print a line on standard error, shortened if long, with control characters escaped."""
    from bganalyze.text import printable, shorten_message

    encoding = getattr(sys.stderr, "encoding", None) or "ascii"
    with suppress(OSError):  # If standard error is closed, there is still the exit status.
        typer.echo(shorten_message(printable(line, encoding)), err=True)


def refuse(problem: object) -> typer.Exit:
    """Print a problem on standard error; return the exception that ends the run with status 2."""
    complain(str(problem))
    return typer.Exit(USAGE)


@contextmanager
def exit_on(*errors: type[Exception]) -> Iterator[None]:
    """If a `with` block raises one of these errors, print it, and exit with status 2."""
    try:
        yield
    except errors as error:
        raise refuse(error) from error


@contextmanager
def end_cleanly() -> Iterator[None]:
    """If a `with` block is interrupted, end the run with the exit status for the interruption."""
    try:
        _escape_unencodable_output()
        with _raise_on_signals():
            yield
            sys.stdout.flush()
    except BudgetSpentError as error:
        raise refuse(error) from None
    except Interrupted as interrupt:
        complain("interrupted")
        _write_to_nowhere()  # Flushing would wait for a reader that has stopped.
        raise typer.Exit(INTERRUPTED + interrupt.number) from None
    except KeyboardInterrupt:
        complain("interrupted")
        raise typer.Exit(INTERRUPTED + signal.SIGINT) from None
    except OSError as error:
        if not _is_closed_pipe(error):
            raise
        _write_to_nowhere()
        raise typer.Exit(PIPE_CLOSED) from None
    finally:
        end_process_limit()


@contextmanager
def _raise_on_signals() -> Iterator[None]:
    """During a `with` block, turn signals that would kill the program into `Interrupted`."""
    deadly = [number for number in ENDING_SIGNALS if signal.getsignal(number) is signal.SIG_DFL]
    if threading.current_thread() is not threading.main_thread():
        deadly = []
    for number in deadly:
        signal.signal(number, _raise_interrupted)
    try:
        yield
    finally:
        for number in deadly:
            signal.signal(number, signal.SIG_DFL)


def _raise_interrupted(number: int, _: object) -> Never:
    """Raise `Interrupted` for the signal with this number."""
    raise Interrupted(number)


def _escape_unencodable_output() -> None:
    """Make standard output and standard error escape the characters that they cannot encode."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _is_closed_pipe(error: OSError) -> bool:
    """Whether an error means that the program that read our output has ended."""
    # Windows reports an invalid argument (22).
    return isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == 22)


def finish_output() -> None:
    """Flush standard output; if this fails, discard the output that is left."""
    try:
        sys.stdout.flush()
    except OSError:
        _write_to_nowhere()


def _write_to_nowhere() -> None:
    """Redirect standard output to the null device."""
    # Flushing what is left must raise no error.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
