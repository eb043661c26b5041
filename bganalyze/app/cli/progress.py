"""Progress on standard error: a line that is redrawn, for runs of more than a second."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Self, TypeVar

from bganalyze.app.cli.endings import complain
from bganalyze.app.jobs.outcome import FileOutcome
from bganalyze.files.reading import count
from bganalyze.text import number_of

_DELAY = 1.0
_INTERVAL = 0.2
_BAR = 30
"""The longest bar; it is shorter, or missing, where the terminal is narrow."""
_USUAL = 80
"""Columns of a terminal that does not tell."""
_ECHO = len("^C")
"""What a terminal writes after the line at an interrupt."""

_A = TypeVar("_A")
_Outcome = TypeVar("_Outcome", bound=FileOutcome)


class Progress:
    """Counts items that pass through, and shows the count on a line if `visible`."""

    def __init__(
        self, total: Callable[[], int | None], *, visible: bool, unit: str = "file"
    ) -> None:
        self._find_total, self._visible, self._unit = total, visible, unit
        self._total: int | None = None
        """None until it is known, or if it cannot be."""
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
        """Yield the items, counting them."""
        for item in items:
            self.add(1)
            yield item

    def add(self, number: int) -> None:
        """Count so many items as done."""
        self._done += number

    def counted(self, results: Iterable[_Outcome]) -> Iterator[_Outcome]:
        """Yield the outcomes of files, counting them and reporting those that could not be read."""
        for outcome in self.watch(results):
            self.report_unread(outcome)
            yield outcome

    def report_unread(self, outcome: FileOutcome) -> None:
        """Say on standard error why a file could not be read, if it could not."""
        if outcome.error is not None:
            self.complain(f"{outcome.path}: {outcome.error}")

    def complain(self, problem: str) -> None:
        """Print a problem on standard error."""
        with self.hidden():
            complain(problem)

    def note(self, line: str) -> None:
        """Write a line above that of the progress, if it is visible."""
        if self._visible:
            with self.hidden():
                self._put(line + "\n")

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Clear the line while other output is written."""
        with self._lock:
            if self._drawn:
                self._put("\r" + " " * (self._drawn + _ECHO) + "\r")
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
        room = _room()
        line = self._line()[:room]
        self._put("\r" + line.ljust(self._drawn)[:room])
        self._drawn = len(line)

    def _line(self) -> str:
        """Return the text of the line: items done, their total, and the time left."""
        return self._line_of(self._total)

    def _line_of(self, total: int | None, roughly: str = "") -> str:
        if total is None:
            return number_of(self._done, self._unit)
        left = time_left(self._done, total, time.monotonic() - self._started)
        words = f"{self._done:,} of {roughly}{number_of(total, self._unit)}{left}"
        length = min(_BAR, _room() - len(f"[] {words}"))
        if length < 1:
            return words
        filled = length * min(self._done, total) // max(total, 1)
        return f"[{'#' * filled:-<{length}}] {words}"

    def _put(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


class DecisionProgress(Progress):
    """Counts analyzed decisions while files are still being read.

    Unread files are assumed to hold as many decisions as the average of those read, leaving out
    files that were analyzed before: in a run that continues they come first.
    """

    def __init__(self, files: Callable[[], int | None], *, visible: bool) -> None:
        super().__init__(files, visible=visible, unit="decision")
        self._files = self._met = 0
        self._analyzed_before: set[str] = set()

    def read(self) -> None:
        """Count a file as read."""
        self._files += 1

    def meet(self, decisions: int) -> None:
        """Count decisions of that file that are to be analyzed."""
        self._met += decisions

    def skip(self, path: str) -> None:
        """Count that file as analyzed before."""
        self._analyzed_before.add(path)

    def _line(self) -> str:
        files, read = self._total, self._files - len(self._analyzed_before)
        if files is None:
            return self._line_of(None)
        if self._files >= files:
            return self._line_of(self._met)
        if read <= 0:
            return self._line_of(None)
        unread = self._met * (files - self._files) // read
        return self._line_of(self._met + unread, "about ")


def _room() -> int:
    """Return how many characters fit on a line of the terminal that is to be drawn again."""
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):
        columns = 0
    behind = _ECHO + 1  # Behind the last column the next line may have begun.
    return max((columns or _USUAL) - behind, 1)


def progress_of(paths: Collection[str], *, quiet: bool) -> Progress:
    """Return a progress line for the files under some paths, visible on a terminal."""
    return Progress(lambda: count(paths), visible=sys.stderr.isatty() and not quiet)


def time_left(done: int, total: int, elapsed: float) -> str:
    """Return in words how long the rest will take; the empty string if that is unknown.

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
