"""Helpers of many tests: checking a text, a browser, and the profiles of hypothesis."""

from __future__ import annotations

import atexit
import gc
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from bganalyze.analysis.engines import EngineError, Limits, gnubg
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.record.reader import read_bytes
from bganalyze.statistics.store.cache_folder import VARIABLE
from bganalyze.validation.checking import check as findings_in
from bganalyze.validation.findings import Finding

settings.register_profile(
    "dev", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=50
)
settings.register_profile("ci", settings.get_profile("dev"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

CACHES = tempfile.TemporaryDirectory(prefix="bganalyze-tests-")
os.environ[VARIABLE] = os.path.join(CACHES.name, "cache")
_NUMBERS = count()

NEW_OBJECTS = 50_000
"""Number of new objects after which the garbage collector looks at them."""

LONGEST = ("test_documented.py", "test_stored.py", "test_mutated.py", "test_killed.py")
"""Files with the longest tests, 2 to 15 seconds each."""

gc.disable()  # Importing makes much that stays, and nothing to collect.


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Return 0, for no other processes, if only modules are named; else None, the usual number."""
    # Most tests of a module are through before other processes have started.
    named = (argument.partition("::")[0] for argument in config.args)
    return 0 if all(path.endswith(".py") for path in named) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need GNU Backgammon, and put the longest tests first."""
    # It may be installed without the other oracles.
    for item in items:
        if "gnubg_program" in getattr(item, "fixturenames", ()):
            item.add_marker("gnubg")
    # The last test should not run alone.
    items.sort(key=lambda item: item.path.name not in LONGEST)


def pytest_collection_finish() -> None:
    """Exclude all objects made so far from garbage collection, and let it run seldom."""
    # Otherwise it looks through modules and thousands of tests again and again, and at Python's own
    # threshold it takes a fifth of the time of all tests.
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, 20, 20)
    gc.enable()
    _keep_text_in_python()


def _keep_text_in_python() -> None:
    """Let pandas keep text as it does without pyarrow."""
    # In Arrow's form, small tables of a test take a third longer. Processes that tests start, and
    # some stored answers, use that of pandas.
    if pandas := sys.modules.get("pandas"):
        pandas.set_option("mode.string_storage", "python")


def pytest_sessionfinish() -> None:
    """Let the process end without garbage collection, and free the excluded objects at its end."""
    # Extension modules complain of objects that are left excluded.
    gc.disable()
    atexit.register(gc.unfreeze)


@pytest.fixture(autouse=True)
def _cache_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test an empty cache of its own, not that of the user."""
    monkeypatch.setenv(VARIABLE, os.path.join(CACHES.name, str(next(_NUMBERS))))


HEADER = """\
 5 point match

 Game 1
 Ann : 0                         Bob : 0
"""


def check_text(text: str, rule_book: RuleBook = BASIC) -> list[Finding]:
    """Return the findings of `text`. Rows without a header are put under a header of four lines.

    If the text begins with a line end, an indentation of eight blanks is removed from its lines.
    """
    rows = (
        re.sub("^ {8}", "", text.lstrip("\n"), flags=re.MULTILINE)
        if text.startswith("\n")
        else text
    )
    transcript = rows if "point match" in rows else HEADER + rows
    return findings_in(read_bytes(transcript.encode(), "test.mat"), rule_book)


Check = Callable[..., list[Finding]]


@pytest.fixture
def check() -> Check:
    """Return the function `check_text`."""
    return check_text


@pytest.fixture(scope="session")
def gnubg_program() -> str:
    """Return the path of GNU Backgammon, or skip the test if it is not installed."""
    try:
        return gnubg.start("0ply", Limits()).program
    except EngineError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Return the folder of real files that BGANALYZE_CORPUS names, or skip the test without one."""
    folder = os.environ.get("BGANALYZE_CORPUS")
    if not folder or not Path(folder).is_dir():
        pytest.skip("BGANALYZE_CORPUS names no folder of real files")
    return Path(folder)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Yield Chromium, started, or skip the test if it is not installed."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("there is no Chromium here")
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def heeded_signals() -> Iterator[None]:
    """Let interrupts and hang-ups take effect, here and in processes that are started here.

    A process that a shell starts in the background may ignore interrupts, and one that nohup starts
    hang-ups. Its child processes ignore the same signals unless it handles them.
    """
    handlers = {"SIGINT": signal.default_int_handler, "SIGHUP": lambda *_: None}
    numbers = {name: getattr(signal, name) for name in handlers if hasattr(signal, name)}
    ignored = [name for name in numbers if signal.getsignal(numbers[name]) is signal.SIG_IGN]
    for name in ignored:
        signal.signal(numbers[name], handlers[name])
    yield
    for name in ignored:
        signal.signal(numbers[name], signal.SIG_IGN)


@pytest.fixture
def messages() -> list[str]:
    """Return an empty list, in which messages and requests of the browser are collected."""
    return []
