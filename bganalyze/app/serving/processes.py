"""Processes that answer questions: one question at a time each, and ended with it if need be.

A thread cannot be ended from outside, a process can: when an answer takes longer than it may, or
when nobody waits for it any more. A process has a folder for its temporary files, which is removed
with it. How long an answer may take depends on how much is to be read: `allowed_seconds`. Analyzing is
the exception, for it has a time limit of its own.
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

from bganalyze.app.jobs.check import check_item
from bganalyze.app.jobs.memory import look_before_loading
from bganalyze.app.jobs.workers import (
    PATIENCE,
    clean_context,
    collect_rarely,
    end_with_parent,
    start_process,
)
from bganalyze.app.serving.answers import accepted
from bganalyze.app.serving.requests import ANALYZING_SECONDS, Desk, Request, RequestError
from bganalyze.board.rule_book import BASIC
from bganalyze.files.reading import Item
from bganalyze.validation.findings import Selection

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

PROCESSOR_SECONDS = 10.0
"""Seconds of processor time that any answer may take."""
SECONDS_PER_MIB = 1.0
"""Seconds of processor time for each MiB that is sent, or that an archive unpacks to."""
SILENCE = 6
"""How many times that the clock may go on without a word: a process that waits uses no processor time,
and where many work at once each gets only a part of the processors."""
OWN_LIMIT = frozenset({"analyze"})
"""Questions that are answered by engines, within a time limit of their own."""

MOST_SHORT = 8
"""So many questions are answered at a time; others wait for their turn."""
MOST_LONG = 24
"""So many of those that take longer than `SHORT` seconds are answered besides."""
SHORT = 1.0
"""Seconds after which a question makes room for others."""
TURN = 300.0
"""Seconds that a question waits for its turn."""
_NOW_AND_THEN = 0.2
"""Seconds until it is looked again whether whoever waits has left."""

MOST_IDLE = 4
"""How many idle processes are kept."""
MOST_STARTING = 2
"""How many processes are started at a time: that takes a hundred times as long as a usual answer, so a
question that waits may well find an idle one sooner."""
START = 60.0
"""Seconds within which a process must have started."""


def allowed_seconds(size: int) -> float:
    """Return the seconds of processor time for an answer about so many bytes.

    >>> allowed_seconds(3 * 2**20)
    13.0
    """
    return PROCESSOR_SECONDS + SECONDS_PER_MIB * size / 2**20


class Ready(NamedTuple):
    """The process has started, and can be asked."""


class Allowed(NamedTuple):
    """How long an answer may take; said at its beginning, and again when an archive has more to read."""

    seconds: float
    """Seconds of processor time, or those that the clock goes on where these are not counted."""
    silence: float
    """Seconds that the clock may go on without a word."""


class Refused(NamedTuple):
    """A request that cannot be read, and the reason."""

    reason: str


class Done(NamedTuple):
    """The answer is whole, and the process is free for another question."""


class Stopped(NamedTuple):
    """The process has ended in the middle of an answer, and the reason."""

    reason: str


Message: TypeAlias = str | Ready | Allowed | Refused | Done | Stopped
"""What a process says, or is said in its place: a text is a line of the answer."""

Answer: TypeAlias = Callable[[Request], Iterator[str]]


# In the process.


def _work(pipe: Connection, answer: Answer, desk: Desk, folder: str) -> None:
    """Answer questions until the pipe is closed at the other end. This is what a process runs."""
    clean_up = partial(shutil.rmtree, folder, ignore_errors=True)
    threading.Thread(target=end_with_parent, args=(clean_up,), daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_rarely()
    look_before_loading()
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    with suppress(EOFError, OSError):
        _get_ready()
        pipe.send(Ready())
        while True:
            _reply(pipe, answer, desk, pipe.recv_bytes())


def _get_ready() -> None:
    """Do what the first check of a process does, so that the first question need not wait for it."""
    item = Item("a.mat", "a.mat", held=_WARM)
    check_item(item, BASIC, Selection())


_WARM = b" 1 point match\n\n Game 1\n A : 0              B : 0\n  1) 31: 8/5 6/5    54: 6/2\n"


def _reply(pipe: Connection, answer: Answer, desk: Desk, body: bytes) -> None:
    try:
        request = accepted(body, desk)
    except RequestError as error:
        pipe.send(Refused(str(error)))
        return
    if request.ask in OWN_LIMIT:
        pipe.send(Allowed(ANALYZING_SECONDS, ANALYZING_SECONDS + PROCESSOR_SECONDS * SILENCE))
    else:
        timer = _Timer(pipe, len(body))
        request = request._replace(desk=desk._replace(meet=timer.add))
    for line in answer(request):
        pipe.send(line)
    _set_timer(0)
    pipe.send(Done())


class _Timer:
    """A timer that ends this process when it has used too much processor time."""

    def __init__(self, pipe: Connection, size: int) -> None:
        self._pipe, self._size = pipe, 0
        _set_timer(PROCESSOR_SECONDS)
        self.add(size)

    def add(self, size: int) -> None:
        """Allow more time, for so many bytes more to read."""
        self._size += size
        _set_timer(_seconds_left() + allowed_seconds(size) - allowed_seconds(0))
        seconds = allowed_seconds(self._size)
        self._pipe.send(Allowed(seconds, seconds * SILENCE))


def _set_timer(seconds: float) -> None:
    """Have the system end this process after so many seconds of processor time; 0 for never.

    The signal is left to the system: Python heeds none while a library works. Where there is no such
    timer, only the silence of a process is limited.
    """
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGPROF, signal.SIG_DFL)  # `budget` may have heeded it before.
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _seconds_left() -> float:
    return signal.getitimer(signal.ITIMER_PROF)[0] if hasattr(signal, "getitimer") else 0.0


# In the server.


class AnswerProcess:
    """A process that answers, and this side of the pipe to it."""

    def __init__(self, answer: Answer, desk: Desk, folder: str) -> None:
        os.mkdir(folder)
        self._folder = folder
        context = clean_context()
        self.pipe, far_end = context.Pipe()
        # Not a daemon, for statistics and engines start processes of their own.
        self._process = context.Process(target=_work, args=(far_end, answer, desk, folder))
        start_process(self._process)
        far_end.close()
        self._allowed = Allowed(PROCESSOR_SECONDS, PROCESSOR_SECONDS * SILENCE)
        self._heard = self.asked = time.monotonic()
        self.is_busy = self.is_reusable = False
        """Whether it works on a question, and whether it can work on another one after that."""

    def wait_until_ready(self) -> None:
        """Wait until the process can be asked; end it and raise OSError if it does not start."""
        if not self.pipe.poll(START) or not isinstance(self.take(), Ready):
            self.end()
            raise OSError("it does not start")

    def ask(self, body: bytes) -> None:
        """Send a question."""
        self.is_busy, self.is_reusable = True, False
        self._allowed = Allowed(PROCESSOR_SECONDS, PROCESSOR_SECONDS * SILENCE)
        self._heard = self.asked = time.monotonic()
        with suppress(OSError):  # If it has died, taking the answer shows it.
            self.pipe.send_bytes(body)

    def take(self) -> Message:
        """Return what the process says next."""
        try:
            message: Message = self.pipe.recv()
        except (EOFError, OSError):
            return self._stopped()
        self._heard = time.monotonic()
        if isinstance(message, Allowed):
            self._allowed = message
        elif isinstance(message, Refused | Done):
            self.is_busy, self.is_reusable = False, True
        return message

    @property
    def is_alive(self) -> bool:
        """Whether the process can be asked."""
        return self._process.is_alive()

    @property
    def is_silent(self) -> bool:
        """Whether the process has said nothing for longer than it may."""
        return time.monotonic() > self._heard + self._allowed.silence

    def _stopped(self) -> Stopped:
        self.is_busy = False
        self._process.join(PATIENCE)
        if self._process.exitcode == -getattr(signal, "SIGPROF", 0):
            return Stopped(_too_long(self._allowed.seconds))
        return Stopped("the process that worked on this has ended (out of memory?)")

    def stop(self) -> Stopped:
        """End the process because it is silent."""
        self.is_busy = False
        self.end()
        return Stopped(_too_long(self._allowed.silence))

    def end(self) -> None:
        """End the process, and close the pipe to it; for the thread that listens to it."""
        self.kill()
        self.pipe.close()

    def kill(self) -> None:
        """End the process, whatever it is doing, and remove its temporary files."""
        self._process.kill()
        self._process.join()
        shutil.rmtree(self._folder, ignore_errors=True)


def _too_long(seconds: float) -> str:
    return f"this took longer than {seconds:.0f} seconds and was stopped"


class Pool:
    """The processes of a server, one of which is kept ready, because a start takes half a second.

    The last one to ask is served first: where there is too much work, somebody is then answered at
    once, while those who were there before have waited in vain anyway.
    """

    def __init__(self, answer: Answer, desk: Desk) -> None:
        self._new = partial(AnswerProcess, answer, desk)
        self.folder = tempfile.mkdtemp(prefix="bganalyze-")
        """Where the processes have their temporary files, each in a folder of its own."""
        self._numbers = count()
        self._change = threading.Condition()
        """Held for each look at what follows, and told of each change of it."""
        self._birth = threading.Lock()
        """Held while a process begins: one that is left half begun would complain."""
        self._all, self._idle = set[AnswerProcess](), list[AnswerProcess]()
        self._short, self._long = set[AnswerProcess](), set[AnswerProcess]()
        """Those that work on a question, and on one that takes long."""
        self._waiting = list[object]()
        self._starting, self._failures, self._is_closed = 0, 0, False

    def prepare(self) -> None:
        """Start a process in the background, if there is none to spare."""
        with self._change:
            if not self._idle:
                self._start_some(1)

    @contextmanager
    def process(self, has_left: Callable[[], bool]) -> Iterator[AnswerProcess]:
        """Give a process for one question.

        Raises TimeoutError if there is none for too long, ConnectionError if the client has left
        meanwhile, and OSError if no process can be started.
        """
        process = self._taken(has_left)
        self.prepare()
        try:
            yield process
        finally:
            with self._change:
                self._short.discard(process)
                self._long.discard(process)
            (self._keep if process.is_reusable else self._discard)(process)

    def make_room(self, process: AnswerProcess) -> None:
        """Let others be answered beside a question that turns out to be a long one."""
        if time.monotonic() < process.asked + SHORT:
            return
        with self._change:
            if process in self._short and len(self._long) < MOST_LONG:
                self._short.remove(process)
                self._long.add(process)
                self._change.notify_all()

    def _taken(self, has_left: Callable[[], bool]) -> AnswerProcess:
        """Wait for an idle process and take it, while others are started if need be.

        The one that was used last is taken, for it remembers what it has looked for.
        """
        until, turn = time.monotonic() + TURN, object()
        with self._change:
            self._waiting.append(turn)
            failures = self._failures
            try:
                while not (process := self._next_for(turn)):
                    if self._is_closed or self._failures > failures:
                        raise OSError("the system does not allow it")
                    if time.monotonic() > until:
                        raise TimeoutError
                    if has_left():
                        raise ConnectionAbortedError
                    self._change.wait(_NOW_AND_THEN)
            finally:
                self._waiting.remove(turn)
                self._change.notify_all()
            self._short.add(process)
        return process

    def _next_for(self, turn: object) -> AnswerProcess | None:
        """Return the process that whoever waits is to have now, if any."""
        room = MOST_SHORT - len(self._short)
        if turn is not self._waiting[-1] or room <= 0:
            return None
        while self._idle:
            process = self._idle.pop()
            if process.is_alive:
                return process
            self._all.discard(process)
        self._start_some(min(len(self._waiting), room))
        return None

    def _start_some(self, needed: int) -> None:
        """Start as many processes in the background as are needed and may be started at a time."""
        while self._starting < min(needed, MOST_STARTING) and not self._is_closed:
            self._starting += 1
            threading.Thread(target=self._start, daemon=True).start()

    def _start(self) -> None:
        """Start a process, which is counted already among those that are starting."""
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
            self._keep(process)
        finally:
            with self._change:
                self._starting -= 1
                self._change.notify_all()

    def _keep(self, process: AnswerProcess) -> None:
        """Keep a process that is free for the next question, or end it if there are enough."""
        with self._change:
            if not self._is_closed and len(self._idle) < MOST_IDLE:
                self._idle.append(process)
                self._change.notify_all()
                return
        self._discard(process)

    def _discard(self, process: AnswerProcess) -> None:
        """End a process that is of no more use."""
        process.end()
        with self._change:
            self._all.discard(process)
            self._change.notify_all()

    def close(self) -> None:
        """End all processes, whatever they are doing, and start no more."""
        with self._birth, self._change:
            self._is_closed = True
            processes, self._all = self._all, set()
            self._change.notify_all()
        for process in processes:
            process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
