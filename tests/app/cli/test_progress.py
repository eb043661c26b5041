"""The progress line."""

from __future__ import annotations

import io
import re
import threading
import time
from contextlib import redirect_stderr
from pathlib import Path

import pytest

from bganalyze.app.cli import progress

SOON = 120.0
"""Seconds: a machine may be busy."""


class Screen(io.StringIO):
    """Text written to standard error."""

    def shows(self, pattern: str) -> None:
        """Wait until a pattern has been written."""
        deadline = time.monotonic() + SOON
        while not re.search(pattern, self.getvalue()):
            assert time.monotonic() < deadline, self.getvalue()
            time.sleep(0.01)


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    """A screen that shows progress from the beginning."""
    monkeypatch.setattr(progress, "_DELAY", 0.0)
    monkeypatch.setattr(progress, "_INTERVAL", 0.01)
    return Screen()


def test_no_progress_for_what_is_quick(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_DELAY", SOON)
    with redirect_stderr(screen), progress.Progress(lambda: 1, visible=True) as shown:
        shown.add(1)
        time.sleep(0.1)
    assert screen.getvalue() == ""


def test_progress_of_what_is_not(screen: Screen) -> None:
    with redirect_stderr(screen), progress.Progress(lambda: 4, visible=True) as shown:
        assert list(shown.count_items(range(2))) == [0, 1]
        screen.shows(r"\[###############---------------\] 2 of 4 files")
    *_, drawn, cleared, _ = screen.getvalue().split("\r")
    assert cleared == " " * len(cleared)
    assert len(cleared) >= len(drawn)


@pytest.mark.parametrize("room", [5, 24, 40, 60])
def test_progress_keeps_to_one_line_of_a_narrow_terminal(
    screen: Screen, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    monkeypatch.setattr(progress, "_find_redraw_width", lambda: room)
    with redirect_stderr(screen), progress.DecisionProgress(lambda: 2, visible=True) as shown:
        shown.count_file()
        shown.add_decisions(1234)
        shown.add(617)
        screen.shows("617 of about 2,468 decisions"[:room])
        shown.note("a mistake")
    first, _, _ = screen.getvalue().partition("a mistake")
    lines = first.split("\r")
    assert max(len(line.rstrip()) for line in lines) <= room
    assert any(line.startswith("[##") for line in lines) is (room == 60)


def test_progress_through_decisions_takes_files_that_are_not_read_for_like_the_others(
    screen: Screen,
) -> None:
    all_counted = threading.Event()
    files = lambda: 10 if all_counted.wait(SOON) else 0  # noqa: E731
    with redirect_stderr(screen), progress.DecisionProgress(files, visible=True) as shown:
        shown.count_file()
        shown.add_decisions(120)
        shown.add(84)
        screen.shows("\r84 decisions\r")
        all_counted.set()
        screen.shows(r"\] 84 of about 1,200 decisions, \d+ \w+ left")
        for name in ("b.mat", "c.mat"):
            shown.count_file()
            shown.note_analyzed_before(name)
        screen.shows(r"\] 84 of about 960 decisions, \d+ \w+ left; 2 files analyzed before")
        for _ in range(7):
            shown.count_file()
        shown.note("a mistake")
        screen.shows(r"\] 84 of 120 decisions, \d+ \w+ left")
    assert "\ra mistake\n" in screen.getvalue()


def test_a_log_gets_a_line_each_minute(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = [0.0]
    monkeypatch.setattr("bganalyze.app.cli.progress.time.monotonic", lambda: seconds[0])
    with (
        redirect_stderr(screen),
        progress.make_progress_of_analysis([str(Path(__file__))], quiet=False) as shown,
    ):
        shown.count_file()
        shown.add_decisions(100)
        for _ in range(10):
            seconds[0] += 25
            shown.add(10)
            shown.note("a mistake")
    assert screen.getvalue() == (
        "analyzed 30 of 100 decisions of both players, 3 min left\n"
        "analyzed 60 of 100 decisions of both players, 2 min left\n"
        "analyzed 90 of 100 decisions of both players, 25 s left\n"
    )


@pytest.mark.parametrize("quiet", [True, False])
def test_a_log_gets_nothing_of_a_quick_or_quiet_run(
    screen: Screen, monkeypatch: pytest.MonkeyPatch, quiet: bool
) -> None:
    seconds = [0.0]
    monkeypatch.setattr("bganalyze.app.cli.progress.time.monotonic", lambda: seconds[0])
    with redirect_stderr(screen), progress.make_progress_of_analysis(["."], quiet=quiet) as shown:
        shown.add_decisions(100)
        seconds[0] = 1000 * quiet + 59
        shown.add(10)
    assert screen.getvalue() == ""
