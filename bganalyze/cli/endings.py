"""How a run ends: with a status and, where something is wrong, one clear line; never a traceback."""

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
from bganalyze.jobs.workers import ENDING_SIGNALS

USAGE = FAULT = 2
INTERRUPTED = 128
"""What a shell adds the number of a signal to, of a program that the signal has ended."""
PIPE_CLOSED = 141
"""What a shell reports of a program that wrote into a pipe nobody reads any more."""


class Interrupted(KeyboardInterrupt):
    """A signal, other than that of Ctrl-C, has asked the program to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def complain(problem: str) -> None:
    """Say on standard error what is wrong."""
    tell(f"{NAME}: {problem}")


def tell(line: str) -> None:
    """Say something on standard error; names and words of a file cannot steer the terminal."""
    from bganalyze.text import printable

    encoding = getattr(sys.stderr, "encoding", None) or "ascii"
    with suppress(OSError):  # Where nobody can be told, the exit status tells.
        typer.echo(printable(line, encoding), err=True)


def refuse(problem: object) -> typer.Exit:
    """Say why the call was wrong; to be raised."""
    complain(str(problem))
    return typer.Exit(USAGE)


@contextmanager
def refusing(*errors: type[Exception]) -> Iterator[None]:
    """End the run with one line where one of these errors says what is wrong with the call."""
    try:
        yield
    except errors as error:
        raise refuse(error) from error


@contextmanager
def ended_cleanly() -> Iterator[None]:
    """Turn an interrupt, a signal to end and a closed pipe into an exit status."""
    try:
        _say_what_cannot_be_encoded()
        with _signals_interrupt():
            yield
            sys.stdout.flush()
    except Interrupted as interrupt:
        complain("interrupted")
        _write_to_nowhere()  # Who has stopped reading would be waited for.
        raise typer.Exit(INTERRUPTED + interrupt.number) from None
    except KeyboardInterrupt:
        complain("interrupted")
        raise typer.Exit(INTERRUPTED + signal.SIGINT) from None
    except OSError as error:
        if not _is_closed_pipe(error):
            raise
        _write_to_nowhere()
        raise typer.Exit(PIPE_CLOSED) from None


@contextmanager
def _signals_interrupt() -> Iterator[None]:
    """Let the signals that would end the program at once interrupt it, so that it tidies up."""
    deadly = [number for number in ENDING_SIGNALS if signal.getsignal(number) is signal.SIG_DFL]
    if threading.current_thread() is not threading.main_thread():
        deadly = []
    for number in deadly:
        signal.signal(number, _interrupt)
    try:
        yield
    finally:
        for number in deadly:
            signal.signal(number, signal.SIG_DFL)


def _interrupt(number: int, _: object) -> Never:
    raise Interrupted(number)


def _say_what_cannot_be_encoded() -> None:
    """Let a stream that is not UTF-8 spell out what it cannot show."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _is_closed_pipe(error: OSError) -> bool:
    """Windows reports a closed pipe as an invalid argument."""
    return isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == 22)


def finish_output() -> None:
    """Write what is still buffered, or give it up where it cannot be written."""
    try:
        sys.stdout.flush()
    except OSError:
        _write_to_nowhere()


def _write_to_nowhere() -> None:
    """What is still buffered would raise again when the interpreter closes the stream."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
