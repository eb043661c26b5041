"""Library functions with files and matches that take too much, or that make the program fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import bganalyze
from bganalyze.app.api import sources
from bganalyze.app.jobs.budget import BudgetSpentError
from bganalyze.record.model import Match
from tests.app.api.records import CLEAN, SLIPPED

Work = Callable[[Match], object]

OF_MATCHES: dict[str, Work] = {
    "check": bganalyze.check,
    "convert": lambda match: bganalyze.convert(match, "sgf"),
    "report": bganalyze.report,
    "show": lambda match: bganalyze.show(match, "1.1"),
    "tabulate": bganalyze.tabulate,
    "stats": bganalyze.stats,
    "analyze": lambda match: bganalyze.analyze(match, "recorded"),
}


@contextmanager
def spend_budget(size: int) -> Iterator[None]:
    """Set a budget that is spent at once."""
    assert 0 < size < 1_000
    raise BudgetSpentError("stopped")
    yield


@pytest.mark.parametrize("function", OF_MATCHES)
def test_work_on_a_match_has_the_budget_of_its_file(
    monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    (match,) = bganalyze.read(CLEAN, name="a.mat")
    monkeypatch.setattr(sources, "limit_block", spend_budget)
    with pytest.raises(bganalyze.UnreadableError, match=r"^a\.mat: stopped$"):
        OF_MATCHES[function](match)


@pytest.mark.parametrize("function", OF_MATCHES)
def test_a_fault_of_the_program_is_a_documented_error(
    monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    (match,) = bganalyze.read(CLEAN, name="a.mat")
    broken = match._replace(games=(None,))  # type: ignore[arg-type]
    with pytest.raises(bganalyze.UnreadableError, match=r"^a\.mat: an internal error of bganalyze"):
        OF_MATCHES[function](broken)


def test_a_repair_is_searched_and_applied_within_its_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = bganalyze.repair(SLIPPED, name="a.mat")
    monkeypatch.setattr(sources, "limit_block", spend_budget)
    assert len(found.causes) == 1
    for work in (found.apply, lambda: found.apply(["1"]), found.diff, found.render):
        with pytest.raises(bganalyze.UnreadableError, match="stopped"):
            work()
    with pytest.raises(bganalyze.UnreadableError, match="stopped"):
        bganalyze.repair(SLIPPED, name="a.mat")


def test_an_archive_without_matches_has_nothing_to_report_or_show(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Dear Ann", "utf-8")
    reports = bganalyze.report(tmp_path)
    assert len(reports) == 0
    for known_as in ("text", "json", "markdown", "html"):
        assert isinstance(reports.render(known_as), str)
    with pytest.raises(bganalyze.PlaceError, match="there is no match to show"):
        bganalyze.show(tmp_path, "1.1")
