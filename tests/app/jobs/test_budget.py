import signal
import sys
import threading
import time
from contextlib import suppress

import pytest

from bganalyze.app.jobs import budget as budgets
from bganalyze.app.jobs.budget import (
    OUT_OF_MEMORY,
    VARIABLE,
    BudgetSpentError,
    _measure_peak_memory,
    describe_unexpected_error,
    limit_block,
    seconds_allowed,
)
from bganalyze.app.jobs.outcome import apply_to_file
from bganalyze.files.reading import FileToRead

pytestmark = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="the clock of tests is the timer of POSIX"
)

ENOUGH = 30
"""Seconds of processor time after which a loop is taken to be without end."""


def work_on(_: bytes = b"") -> None:
    """Work for ever, or rather until the test fails."""
    until = time.process_time() + ENOUGH
    while time.process_time() < until:
        pass
    pytest.fail("the work was not stopped")


def fill_memory() -> None:
    """Fill up to 800 MB, slowly enough for a few ticks of the clock."""
    kept: list[list[int]] = []
    while len(kept) < 1_000:
        kept.append([len(kept)] * 100_000)
        sum(range(100_000))


@pytest.fixture(autouse=True)
def little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "0.2")


@pytest.mark.slow
def test_work_without_end_is_stopped() -> None:
    with pytest.raises(BudgetSpentError, match=f"^stopped after .* {VARIABLE}=60$"), limit_block(0):
        work_on()


def test_work_is_stopped_where_the_system_has_no_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "setitimer")
    with pytest.raises(BudgetSpentError), limit_block(0):
        work_on()


@pytest.mark.slow
def test_a_larger_file_may_take_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "SECONDS_PER_MEGABYTE", 1000.0)
    until = time.process_time() + 0.5
    with limit_block(1_000_000):
        while time.process_time() < until:
            pass


def test_memory_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(ENOUGH))
    monkeypatch.setattr(budgets, "MEMORY", 10 * 2**20)
    with pytest.raises(BudgetSpentError, match=r"^stopped at 0\.0 GiB of memory"), limit_block(0):
        fill_memory()


def test_code_that_swallows_the_error_hides_nothing() -> None:
    with pytest.raises(BudgetSpentError), limit_block(0), suppress(BaseException):
        work_on()


@pytest.mark.slow
def test_an_inner_budget_leaves_the_outer_one_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(ENOUGH / 2))
    with limit_block(0):
        monkeypatch.setenv(VARIABLE, "0.2")
        with pytest.raises(BudgetSpentError), limit_block(0):
            work_on()
        sum(range(10_000_000))


@pytest.mark.slow
def test_nothing_is_stopped_after_the_block() -> None:
    with limit_block(0):
        pass
    until = time.process_time() + 0.5
    while time.process_time() < until:
        pass


@pytest.mark.slow
def test_another_thread_has_no_limit() -> None:
    ended: list[bool] = []

    def work() -> None:
        with limit_block(0):
            until = time.thread_time() + 0.5
            while time.thread_time() < until:
                pass
        ended.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ended


def test_the_timer_of_another_program_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def profile(*_: object) -> None:
        pass

    before = signal.signal(signal.SIGPROF, profile)
    try:
        with limit_block(0):
            assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)
        assert signal.getsignal(signal.SIGPROF) is profile
    finally:
        signal.signal(signal.SIGPROF, before)


def test_a_timer_that_runs_is_left_alone() -> None:
    signal.setitimer(signal.ITIMER_PROF, 1000)
    try:
        with limit_block(0):
            pass
        assert 0 < signal.getitimer(signal.ITIMER_PROF)[0] < 1001
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


@pytest.mark.parametrize(
    ("word", "seconds"), [("60", 60), ("0", 0), ("-1", 10), ("soon", 10), ("nan", 10), ("inf", 10)]
)
def test_the_environment_sets_the_seconds(
    monkeypatch: pytest.MonkeyPatch, word: str, seconds: float
) -> None:
    monkeypatch.setenv(VARIABLE, word)
    assert seconds_allowed() == seconds


@pytest.mark.slow
def test_a_file_that_takes_too_long_costs_no_other() -> None:
    stopped, nothing = apply_to_file(FileToRead("slow.mat", ".", held=b"x"), work_on)
    read, size = apply_to_file(FileToRead("usual.mat", ".", held=b"x"), len)
    assert (stopped.path, nothing) == ("slow.mat", None)
    assert (stopped.error or "").startswith("stopped after")
    assert (read.error, size) == (None, 1)


def test_a_file_that_needs_too_much_memory_costs_no_other() -> None:
    def work(_: bytes) -> None:
        raise MemoryError

    outcome, _ = apply_to_file(FileToRead("large.mat", ".", held=b"x"), work)
    assert (outcome.error or "").startswith("out of memory")


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OSError(12, "Cannot allocate memory"),
        ImportError("libx.so: failed to map segment from shared object"),
        RuntimeError("can't start new thread"),
    ],
)
def test_out_of_memory_is_no_fault(error: Exception) -> None:
    assert describe_unexpected_error(error).startswith("out of memory")


@pytest.mark.parametrize(
    "error", [SystemError("error return without exception set"), SystemError("bad"), SyntaxError()]
)
def test_want_of_memory_is_no_fault(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "is_memory_limited", lambda: True)
    assert describe_unexpected_error(error) == OUT_OF_MEMORY


def test_what_a_library_makes_of_want_of_memory_is_no_fault() -> None:
    error = ImportError("numpy is missing")
    error.__cause__ = OSError("numpy.so: failed to map segment from shared object")
    assert describe_unexpected_error(error) == OUT_OF_MEMORY
    assert describe_unexpected_error(ImportError("numpy is missing")) != OUT_OF_MEMORY


@pytest.mark.skipif(sys.platform != "linux", reason="getrusage counts in kilobytes on Linux")
def test_memory_is_measured_in_bytes() -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    measured = _measure_peak_memory()
    assert before <= measured // 1024 <= resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert measured % 1024 == 0
