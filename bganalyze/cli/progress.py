"""Progress on standard error: a line that is redrawn, for runs of more than a second."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Self, TypeVar

from bganalyze.cli.endings import complain
from bganalyze.files.reading import count
from bganalyze.jobs.outcome import FileOutcome
from bganalyze.text import number_of

_DELAY = 1.0
_INTERVAL = 0.2
_BAR = 30

_A = TypeVar("_A")
_Done = TypeVar("_Done", bound=FileOutcome)


class Progress:
    """Counts items that pass by. A line shows how many of how many, if `visible`."""

    def __init__(
        self, total: Callable[[], int | None], *, visible: bool, unit: str = "file"
    ) -> None:
        self._find_total, self._visible, self._unit = total, visible, unit
        self._total: int | None = None
        """None until it is found, and where it cannot be."""
        self._done = self._drawn = 0
        self._started = time.monotonic()
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        if self._visible:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with self.hidden():
            self._ended.set()

    def watch(self, items: Iterable[_A]) -> Iterator[_A]:
        """Pass the items on, counting them."""
        for item in items:
            self.add(1)
            yield item

    def add(self, number: int) -> None:
        """Count items that are done."""
        self._done += number

    def counted(self, results: Iterable[_Done]) -> Iterator[_Done]:
        """Pass what became of files on, counting them, and say which could not be read."""
        for outcome in self.watch(results):
            self.tell(outcome)
            yield outcome

    def tell(self, outcome: FileOutcome) -> None:
        """Say on standard error why a file could not be read, if that is so."""
        if outcome.error is not None:
            self.complain(f"{outcome.path}: {outcome.error}")

    def complain(self, problem: str) -> None:
        """Say on standard error what is wrong."""
        with self.hidden():
            complain(problem)

    def note(self, line: str) -> None:
        """Write a line above that of the progress, where there is one."""
        if self._visible:
            with self.hidden():
                self._put(line + "\n")

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Clear the line while something else is written."""
        with self._lock:
            if self._drawn:
                self._put("\r" + " " * self._drawn + "\r")
                self._drawn = 0
            yield

    def _run(self) -> None:
        if self._ended.wait(_DELAY):
            return
        threading.Thread(target=self._count, daemon=True).start()
        while not self._ended.wait(_INTERVAL):
            with self._lock:
                if not self._ended.is_set():
                    self._draw()

    def _count(self) -> None:
        self._total = self._find_total()

    def _draw(self) -> None:
        line = self._line().ljust(self._drawn)
        self._put("\r" + line)
        self._drawn = len(line)

    def _line(self) -> str:
        """How many of how many are done, and how long the others will take."""
        return self._line_of(self._total)

    def _line_of(self, total: int | None, roughly: str = "") -> str:
        if total is None:
            return number_of(self._done, self._unit)
        filled = _BAR * min(self._done, total) // max(total, 1)
        left = time_left(self._done, total, time.monotonic() - self._started)
        bar = f"[{'#' * filled:-<{_BAR}}]"
        return f"{bar} {self._done:,} of {roughly}{number_of(total, self._unit)}{left}"

    def _put(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


class DecisionProgress(Progress):
    """Counts the decisions that are judged, in files that are read one after the other.

    Of those that are not read yet it takes that they hold as many each as the others.
    """

    def __init__(self, files: Callable[[], int | None], *, visible: bool) -> None:
        super().__init__(files, visible=visible, unit="decision")
        self._files = self._met = 0

    def read(self) -> None:
        """Count a file that is read."""
        self._files += 1

    def meet(self, decisions: int) -> None:
        """Count decisions of that file that are to be judged."""
        self._met += decisions

    def _line(self) -> str:
        files = self._total
        if files is None or not self._files:
            return self._line_of(None)
        if self._files >= files:
            return self._line_of(self._met)
        return self._line_of(self._met * files // self._files, "about ")


def progress_of(paths: Collection[str], *, quiet: bool) -> Progress:
    """Return the progress through the files under some paths: on a terminal, unless `quiet`."""
    return Progress(lambda: count(paths), visible=sys.stderr.isatty() and not quiet)


def time_left(done: int, total: int, elapsed: float) -> str:
    """Return how long the rest will take at the present pace; nothing where that is unknown.

    >>> time_left(10, 40, 60), time_left(10, 11, 60), time_left(0, 40, 60)
    (', 3 min left', ', 6 s left', '')
    """
    if not 0 < done < total:
        return ""
    seconds = elapsed * (total - done) / done
    minutes = round(seconds / 60)
    if seconds < 100:
        return f", {seconds:.0f} s left"
    return f", {minutes} min left" if minutes < 120 else f", {minutes // 60} h left"
