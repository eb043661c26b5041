"""Processes that answer requests, one request at a time each.

Unlike a thread, a process can be killed: when an answer takes too long, or when the client has gone.
Each process has a folder for temporary files, which is deleted with it. The time limit of an answer
depends on its kind and the size of its input (`compute_allowed_seconds`); analyses have a time limit of their own.
"""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bganalyze.app.jobs.check import check_file
from bganalyze.app.jobs.memory import check_memory_before_imports
from bganalyze.app.jobs.workers import (
    PATIENCE,
    collect_rarely,
    end_with_parent,
    make_clean_context,
    start_process,
)
from bganalyze.app.serving.answers import accept_request
from bganalyze.app.serving.requests import ANALYZING_SECONDS, Request, RequestError, ServerContext
from bganalyze.board.rule_book import BASIC
from bganalyze.files.reading import FileToRead
from bganalyze.validation.findings import Selection

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

PROCESSOR_SECONDS = 10.0
"""Seconds of processor time allowed for any answer."""
DRAWING_SECONDS = 60.0
"""Seconds of processor time allowed for an answer with many plots, which takes 4 to 10 for one file."""
DRAWN = frozenset({"statistics", "profile"})
"""Requests answered with many plots."""
SECONDS_PER_MIB = 1.0
"""Further seconds of processor time per MiB of input, after unpacking archives."""
SILENCE = 6
"""Wall-clock seconds a process may be silent, per allowed second of processor time. A waiting process
uses no processor time, and busy processes share the processors."""
OWN_LIMIT = frozenset({"analyze"})
"""Requests answered by engines, which have a time limit of their own."""

MOST_SHORT = 8
"""Requests answered at the same time; others wait."""
MOST_LONG = 24
"""Further requests answered at the same time that have taken longer than `SHORT` seconds."""
SHORT = 1.0
"""Seconds after which a request counts as long."""
TURN = 300.0
"""Seconds a request waits for its turn at most."""
_NOW_AND_THEN = 0.2
"""Seconds between checks whether a waiting client has left."""

MOST_IDLE = 4
"""Idle processes kept at most."""
MOST_STARTING = 2
"""Processes started at the same time at most. A start takes 100 times as long as a usual answer, so a
waiting request may find an idle process sooner."""
START = 60.0
"""Seconds a process has to start."""


def compute_allowed_seconds(ask: str, size: int) -> float:
    """Return the processor seconds allowed for a request: 10, plus 1 for each MiB of its size.

    `ask` is the kind of request. Kinds that draw many plots have 60 instead of 10.

    >>> compute_allowed_seconds("check", 3 * 2**20)
    13.0
    """
    seconds = DRAWING_SECONDS if ask in DRAWN else PROCESSOR_SECONDS
    return seconds + SECONDS_PER_MIB * size / 2**20


class Ready(NamedTuple):
    """Message: the process has started and accepts requests."""


class Allowed(NamedTuple):
    """Message: the time limit of an answer, sent at its start and whenever an archive adds input."""

    seconds: float
    """Seconds of processor time, or of wall-clock time on systems without a timer."""
    silence: float
    """Wall-clock seconds the process may be silent."""


class Refused(NamedTuple):
    """Message: the request is malformed, and the reason."""

    reason: str


class Done(NamedTuple):
    """Message: the answer is complete, and the process is free."""


class Stopped(NamedTuple):
    """Message: the process has ended before its answer was complete, and the reason."""

    reason: str


Message: TypeAlias = str | Ready | Allowed | Refused | Done | Stopped
"""A message from or about a process; a string is a line of the answer."""

Answer: TypeAlias = Callable[[Request], Iterator[str]]


# In the process.


def _serve_pipe(pipe: Connection, answer: Answer, context: ServerContext, folder: str) -> None:
    """Answer the requests that come through a pipe, until it is closed.

    `folder` is for temporary files of this process.
    """
    clean_up = partial(shutil.rmtree, folder, ignore_errors=True)
    threading.Thread(target=end_with_parent, args=(clean_up,), daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_rarely()
    check_memory_before_imports()
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    with suppress(EOFError, OSError):
        _warm_up()
        pipe.send(Ready())
        while True:
            _answer_one_request(pipe, answer, context, pipe.recv_bytes())


def _warm_up() -> None:
    """Check a tiny match, which makes imports in advance of the first request."""
    item = FileToRead("a.mat", "a.mat", held=_WARM)
    check_file(item, BASIC, Selection())


_WARM = b" 1 point match\n\n Game 1\n A : 0              B : 0\n  1) 31: 8/5 6/5    54: 6/2\n"


def _answer_one_request(
    pipe: Connection, answer: Answer, context: ServerContext, body: bytes
) -> None:
    """Answer one request, and send the answer through the pipe line by line.

    The last message is `Done` or, for a malformed request, `Refused`.
    """
    try:
        request = accept_request(body, context)
    except RequestError as error:
        pipe.send(Refused(str(error)))
        return
    if request.ask in OWN_LIMIT:
        pipe.send(Allowed(ANALYZING_SECONDS, ANALYZING_SECONDS + PROCESSOR_SECONDS * SILENCE))
    else:
        timer = _Timer(pipe, request.ask, len(body))
        request = request._replace(context=context._replace(meet=timer.add))
    for line in answer(request):
        pipe.send(line)
    _set_timer(0)
    pipe.send(Done())


class _Timer:
    """A timer that ends this process if it uses too much processor time."""

    def __init__(self, pipe: Connection, ask: str, size: int) -> None:
        self._pipe, self._ask, self._size = pipe, ask, 0
        _set_timer(compute_allowed_seconds(ask, 0))
        self.add(size)

    def add(self, size: int) -> None:
        """Allow more time, because the request has `size` more bytes of input."""
        self._size += size
        _set_timer(_find_seconds_left() + SECONDS_PER_MIB * size / 2**20)
        seconds = compute_allowed_seconds(self._ask, self._size)
        self._pipe.send(Allowed(seconds, seconds * SILENCE))


def _set_timer(seconds: float) -> None:
    """Make the system end this process after `seconds` of processor time; 0 means never."""
    # Without such timers (Windows), only a silent process is ended.
    if hasattr(signal, "setitimer"):
        # Python would handle no signal while a library runs.
        signal.signal(signal.SIGPROF, signal.SIG_DFL)  # `budget` may have set a handler.
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _find_seconds_left() -> float:
    """Return the seconds of processor time left to this process, or 0.0 if there is no limit."""
    return signal.getitimer(signal.ITIMER_PROF)[0] if hasattr(signal, "getitimer") else 0.0


# In the server.


class AnswerProcess:
    """A process that answers requests, seen from the server."""

    def __init__(self, answer: Answer, context: ServerContext, folder: str) -> None:
        os.mkdir(folder)
        self._folder = folder
        processes = make_clean_context()
        self.pipe, far_end = processes.Pipe()
        # Not a daemon, because statistics and engines start processes of their own.
        self._process = processes.Process(
            target=_serve_pipe, args=(far_end, answer, context, folder)
        )
        start_process(self._process)
        far_end.close()
        self._allowed = Allowed(PROCESSOR_SECONDS, PROCESSOR_SECONDS * SILENCE)
        self._heard = self.asked = time.monotonic()
        self.is_busy = self.is_reusable = False
        """Whether the process works on a request, and whether it can take another."""

    def wait_until_ready(self) -> None:
        """Wait until the process accepts requests; raise OSError if it does not start."""
        if not self.pipe.poll(START) or not isinstance(self.receive(), Ready):
            self.end()
            raise OSError("it does not start")

    def send_request(self, request_bytes: bytes) -> None:
        """Send a request to the process."""
        self.is_busy, self.is_reusable = True, False
        self._allowed = Allowed(PROCESSOR_SECONDS, PROCESSOR_SECONDS * SILENCE)
        self._heard = self.asked = time.monotonic()
        with suppress(OSError):  # If the process has died, `receive` reports it.
            self.pipe.send_bytes(request_bytes)

    def receive(self) -> Message:
        """Wait for the next message from the process; if it has died, return `Stopped`."""
        try:
            message: Message = self.pipe.recv()
        except (EOFError, OSError):
            return self._explain_stop()
        self._heard = time.monotonic()
        if isinstance(message, Allowed):
            self._allowed = message
        elif isinstance(message, Refused | Done):
            self.is_busy, self.is_reusable = False, True
        return message

    @property
    def is_alive(self) -> bool:
        """Whether the process is running."""
        return self._process.is_alive()

    @property
    def is_silent(self) -> bool:
        """Whether the process has sent nothing for longer than allowed."""
        return time.monotonic() > self._heard + self._allowed.silence

    def _explain_stop(self) -> Stopped:
        """Return a `Stopped` message with the reason why the process ended."""
        self.is_busy = False
        self._process.join(PATIENCE)
        if self._process.exitcode == -getattr(signal, "SIGPROF", 0):
            return Stopped(_make_timeout_message(self._allowed.seconds))
        return Stopped("the program stopped while working on this; it may have run out of memory")

    def stop(self) -> Stopped:
        """End the process because it was silent for too long; return the message `Stopped`."""
        self.is_busy = False
        self.end()
        return Stopped(_make_timeout_message(self._allowed.silence))

    def end(self) -> None:
        """End the process and close its pipe. Only the thread that reads the pipe may call this."""
        self.kill()
        self.pipe.close()

    def kill(self) -> None:
        """Kill the process and delete its temporary files."""
        self._process.kill()
        self._process.join()
        shutil.rmtree(self._folder, ignore_errors=True)


def _make_timeout_message(seconds: float) -> str:
    """Return the message for an answer that took longer than `seconds`."""
    return f"this took longer than {seconds:.0f} seconds and was stopped"


class Pool:
    """The processes of a server. One is kept ready, because a start takes half a second.

    The latest request is served first. Under overload, some clients are then answered at once, while
    earlier ones would probably time out in any case.
    """

    def __init__(self, answer: Answer, context: ServerContext) -> None:
        self._new = partial(AnswerProcess, answer, context)
        self.folder = tempfile.mkdtemp(prefix="bganalyze-")
        """The folder for temporary files, with a subfolder for each process."""
        self._numbers = count()
        self._change = threading.Condition()
        """Lock of the fields below, notified of each change."""
        self._birth = threading.Lock()
        """Lock held while a process starts, so that `close` does not interrupt a start."""
        self._all, self._idle = set[AnswerProcess](), list[AnswerProcess]()
        self._short, self._long = set[AnswerProcess](), set[AnswerProcess]()
        """Processes that work on short requests, and on long ones."""
        self._waiting = list[object]()
        self._starting, self._failures, self._is_closed = 0, 0, False

    def prepare(self) -> None:
        """Start a process in the background if none is idle."""
        with self._change:
            if not self._idle:
                self._start_processes(1)

    @contextmanager
    def lend_process(self, has_left: Callable[[], bool]) -> Iterator[AnswerProcess]:
        """Provide, in a `with` block, a process for one request, and take it back afterward.

        `has_left` says whether the client has gone. Raises TimeoutError if no process becomes free
        in time, ConnectionError if the client leaves, and OSError if no process can be started.
        """
        process = self._take_process(has_left)
        self.prepare()
        try:
            yield process
        finally:
            with self._change:
                self._short.discard(process)
                self._long.discard(process)
            (self._keep_or_end if process.is_reusable else self._discard)(process)

    def count_as_long(self, process: AnswerProcess) -> None:
        """Count the request of a process as long if it has already taken `SHORT` seconds.

        Long requests have their own limit: at most `MOST_LONG` count as long.
        """
        if time.monotonic() < process.asked + SHORT:
            return
        # Long requests have their own limit, so another short one may start.
        with self._change:
            if process in self._short and len(self._long) < MOST_LONG:
                self._short.remove(process)
                self._long.add(process)
                self._change.notify_all()

    def _take_process(self, has_left: Callable[[], bool]) -> AnswerProcess:
        """Wait for an idle process, and return it; start processes if none is idle."""
        until, ticket = time.monotonic() + TURN, object()
        with self._change:
            self._waiting.append(ticket)
            failures = self._failures
            try:
                while not (process := self._take_idle_process(ticket)):
                    if self._is_closed or self._failures > failures:
                        raise OSError("the system does not allow it")
                    if time.monotonic() > until:
                        raise TimeoutError
                    if has_left():
                        raise ConnectionAbortedError
                    self._change.wait(_NOW_AND_THEN)
            finally:
                self._waiting.remove(ticket)
                self._change.notify_all()
            self._short.add(process)
        return process

    def _take_idle_process(self, ticket: object) -> AnswerProcess | None:
        """Return an idle process, or None if the request must wait longer.

        `ticket` identifies the request. If it is the next in line, processes are started.
        """
        free_places = MOST_SHORT - len(self._short)
        if ticket is not self._waiting[-1] or free_places <= 0:
            return None
        while self._idle:
            # The last used one, whose caches are warm.
            process = self._idle.pop()
            if process.is_alive:
                return process
            self._all.discard(process)
        self._start_processes(min(len(self._waiting), free_places))
        return None

    def _start_processes(self, needed: int) -> None:
        """Start processes until `needed` of them are about to be ready.

        At most `MOST_STARTING` start at the same time.
        """
        while self._starting < min(needed, MOST_STARTING) and not self._is_closed:
            self._starting += 1
            threading.Thread(target=self._start_process, daemon=True).start()

    def _start_process(self) -> None:
        """Start a process, and wait until it is ready. It is already counted in `_starting`."""
        try:
            with self._birth:
                if self._is_closed:
                    return
                process = self._new(os.path.join(self.folder, str(next(self._numbers))))
                self._all.add(process)
            process.wait_until_ready()
        except OSError:
            with self._change:
                self._failures += 1
        else:
            self._keep_or_end(process)
        finally:
            with self._change:
                self._starting -= 1
                self._change.notify_all()

    def _keep_or_end(self, process: AnswerProcess) -> None:
        """Keep a free process for the next request, or end it if enough are idle."""
        with self._change:
            if not self._is_closed and len(self._idle) < MOST_IDLE:
                self._idle.append(process)
                self._change.notify_all()
                return
        self._discard(process)

    def _discard(self, process: AnswerProcess) -> None:
        """End a process that is no longer needed."""
        process.end()
        with self._change:
            self._all.discard(process)
            self._change.notify_all()

    def close(self) -> None:
        """Kill all processes, and start no others."""
        with self._birth, self._change:
            self._is_closed = True
            processes, self._all = self._all, set()
            self._change.notify_all()
        for process in processes:
            process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
