"""A progress line on standard error, redrawn regularly in runs of more than a second."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Self, TypeVar

from bganalyze.app.cli.exit_status import complain, print_note
from bganalyze.app.jobs.outcome import FileCounts, FileOutcome
from bganalyze.files.reading import count_files
from bganalyze.text import number_of

if TYPE_CHECKING:
    from bganalyze.app.jobs.analyze import Event  # Loads the engines.

_DELAY = 1.0
_INTERVAL = 0.2
_BAR = 30
"""Characters of the longest bar; a narrow terminal has a shorter one, or none."""
_DEFAULT_WIDTH = 80
"""Columns assumed if the terminal does not report its width."""
_LOG_INTERVAL = 60.0
"""Seconds between the lines of progress that a log gets."""
_ECHO_LENGTH = len("^C")
"""Characters that a terminal adds to the line at an interrupt."""

_KEPT = "analyses made so far are kept; the same command continues where this one ended"

_A = TypeVar("_A")
_Outcome = TypeVar("_Outcome", bound=FileOutcome)


class Progress:
    """A progress line on the terminal, with the number of items done.

    It is shown if `visible`, below the other output.
    """

    def __init__(
        self, total: Callable[[], int | None], *, visible: bool, unit: str = "file"
    ) -> None:
        self._find_total, self._visible, self._unit = total, visible, unit
        self._total: int | None = None
        """None if it is not known yet, or cannot be known."""
        self._done = self._drawn = 0
        self._started = time.monotonic()
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._redraw_regularly, daemon=True)

    def __enter__(self) -> Self:
        if self._visible:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with self.hidden():
            self._ended.set()

    def count_items(self, items: Iterable[_A]) -> Iterator[_A]:
        """Yield the items unchanged, and count each as done."""
        for item in items:
            self.add(1)
            yield item

    def add(self, number: int) -> None:
        """Count `number` more items as done."""
        self._done += number

    def count_each(self, results: Iterable[_Outcome]) -> Iterator[_Outcome]:
        """Yield outcomes of files unchanged; count each as done, and print its error if any."""
        for outcome in self.count_items(results):
            self.report_unread(outcome)
            yield outcome

    def report_unread(self, outcome: FileOutcome) -> None:
        """Print the error of a file that could not be read."""
        if outcome.error is not None:
            self.complain(f"{outcome.path}: {outcome.error}")

    def complain(self, problem: str) -> None:
        """Print a problem on standard error."""
        with self.hidden():
            complain(problem)

    def note(self, line: str) -> None:
        """Print a line; if the progress line is shown, print above it."""
        if self._visible:
            with self.hidden():
                self._write_now(line + "\n")

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Hide the progress line during a `with` block that writes other output."""
        with self._lock:
            if self._drawn:
                self._write_now("\r" + " " * (self._drawn + _ECHO_LENGTH) + "\r")
                self._drawn = 0
            yield

    def _redraw_regularly(self) -> None:
        """Redraw the progress line until the run ends. This is the work of a thread."""
        if self._ended.wait(_DELAY):
            return
        threading.Thread(target=self._count_total, daemon=True).start()
        while not self._ended.wait(_INTERVAL):
            with self._lock:
                if not self._ended.is_set():
                    self._draw_line()

    def _count_total(self) -> None:
        """Count all items to be done. This is the work of a thread."""
        self._total = self._find_total()

    def _draw_line(self) -> None:
        """Draw the progress line again, cut to the width of the terminal."""
        room = _find_redraw_width()
        line = self._make_text()[:room]
        self._write_now("\r" + line.ljust(self._drawn)[:room])
        self._drawn = len(line)

    def _make_text(self) -> str:
        """Return the progress line, such as `[###---] 12 of 40 files, 3 min left`."""
        return self._make_line(self._total)

    def _make_line(self, total: int | None, *, is_estimated: bool = False) -> str:
        """Return the progress line: a bar, the count and the time left.

        Without a `total`, return only the count.
        """
        words = self._describe_count(total, is_estimated=is_estimated)
        if total is None:
            return words
        length = min(_BAR, _find_redraw_width() - len(f"[] {words}"))
        if length < 1:
            return words
        filled = length * min(self._done, total) // max(total, 1)
        return f"[{'#' * filled:-<{length}}] {words}"

    def _describe_count(self, total: int | None, *, is_estimated: bool) -> str:
        """Return progress in words: `12 of 40 files, 3 min left`, or `12 files` without a total."""
        if total is None:
            return number_of(self._done, self._unit)
        left = describe_time_left(self._done, total, time.monotonic() - self._started)
        about = "about " if is_estimated else ""
        return f"{self._done:,} of {about}{number_of(total, self._unit)}{left}"

    def _write_now(self, text: str) -> None:
        """Write text on standard error at once."""
        sys.stderr.write(text)
        sys.stderr.flush()


class DecisionProgress(Progress):
    """A progress line with the number of decisions analyzed.

    The total is estimated while files are still being read. The estimate assumes the average number
    of decisions for each unread file. Files analyzed in an earlier run do not count for the
    average, because a continued run meets them first.
    """

    def __init__(
        self, files: Callable[[], int | None], *, visible: bool, quiet: bool = False
    ) -> None:
        super().__init__(files, visible=visible, unit="decision")
        self._quiet = quiet
        self._files = self._met = 0
        self._analyzed_before: set[str] = set()

    def __exit__(self, *exception: object) -> None:
        super().__exit__(*exception)
        if not self._quiet and isinstance(exception[1], KeyboardInterrupt):
            with suppress(OSError):
                print_note(_KEPT)

    def count_file(self) -> None:
        """Count a file as read."""
        self._files += 1

    def add_decisions(self, decisions: int) -> None:
        """Add the decisions of a file just read to the number of decisions to analyze."""
        self._met += decisions

    def note_analyzed_before(self, path: str) -> None:
        """Count a file as analyzed in an earlier run."""
        self._analyzed_before.add(path)

    def follow(self, events: Iterable[Event], counts: FileCounts) -> Iterator[Event]:
        """Yield the events of an analysis unchanged, and update the progress line."""
        from bganalyze.app.jobs.analyze import MatchFound, Outcome, PartAnalyzed, State

        for event in events:
            match event:
                case FileOutcome():
                    counts.count(event)
                    self.count_file()
                    self.report_unread(event)
                case MatchFound():
                    self.add_decisions(event.decisions)
                case PartAnalyzed():
                    self.add(len(event.rows))
                case Outcome(state=State.KEPT):
                    self.note_analyzed_before(event.path)
            yield event

    def _describe_count(self, total: int | None, *, is_estimated: bool) -> str:
        """Return progress such as `120 of 900 decisions, 3 min left; 9 files analyzed before`."""
        words = super()._describe_count(total, is_estimated=is_estimated)
        if not self._analyzed_before:
            return words
        return f"{words}; {number_of(len(self._analyzed_before), 'file')} analyzed before"

    def _make_text(self) -> str:
        """Return the progress line; the total is estimated from the files read so far."""
        files, read = self._total, self._files - len(self._analyzed_before)
        if files is None:
            return self._make_line(None)
        if self._files >= files:
            return self._make_line(self._met)
        if read <= 0:
            return self._make_line(None)
        unread = self._met * (files - self._files) // read
        return self._make_line(self._met + unread, is_estimated=True)


class DecisionLog(DecisionProgress):
    """The number of decisions analyzed as a new line each minute, for a pipe or a log.

    A line has room to say that these are the decisions of both players.
    """

    def __init__(self, files: Callable[[], int | None]) -> None:
        super().__init__(files, visible=False)
        self._next_line = self._started + _LOG_INTERVAL

    def add(self, number: int) -> None:
        """Count `number` more decisions as analyzed; write a line if a minute has passed."""
        super().add(number)
        now = time.monotonic()
        if now < self._next_line:
            return
        self._next_line = now + _LOG_INTERVAL
        if self._total is None:
            self._count_total()
        self._write_now(f"analyzed {self._make_text()}\n")

    def _make_line(self, total: int | None, *, is_estimated: bool = False) -> str:
        """Return a line such as `120 of about 900 decisions of both players, 3 min left`."""
        words = self._describe_count(total, is_estimated=is_estimated)
        return words.replace("decisions", "decisions of both players", 1)


def _find_redraw_width() -> int:
    """Return the length of the longest line that the terminal does not wrap."""
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):
        columns = 0
    reserved = _ECHO_LENGTH + 1  # The last column stays empty: some terminals wrap after it.
    return max((columns or _DEFAULT_WIDTH) - reserved, 1)


def make_progress(paths: Collection[str], *, quiet: bool) -> Progress:
    """Return a progress line that counts the files under `paths`."""
    return Progress(lambda: count_files(paths), visible=sys.stderr.isatty() and not quiet)


def make_progress_of_analysis(paths: Collection[str], *, quiet: bool) -> DecisionProgress:
    """Return a progress line that counts the analyzed decisions in the files under `paths`."""
    files = lambda: count_files(paths)  # noqa: E731
    if quiet or sys.stderr.isatty():
        return DecisionProgress(files, visible=not quiet, quiet=quiet)
    return DecisionLog(files)


def describe_time_left(done: int, total: int, elapsed: float) -> str:
    """Return words on the time left, or "" if it is unknown. `elapsed` is in seconds.

    >>> describe_time_left(done=10, total=40, elapsed=60)
    ', 3 min left'
    """
    if not 0 < done < total:
        return ""
    seconds = elapsed * (total - done) / done
    minutes = round(seconds / 60)
    if seconds < 100:
        return f", {seconds:.0f} s left"
    return f", {minutes} min left" if minutes < 120 else f", {minutes // 60} h left"
