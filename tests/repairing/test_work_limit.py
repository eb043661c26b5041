"""Limits of the work that the search for slips spends on one file."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from bganalyze.app.cli.app import app
from bganalyze.board.rule_book import BASIC
from bganalyze.repairing import work_limit
from bganalyze.repairing.applying import apply_repairs
from bganalyze.repairing.excerpt import Excerpts
from bganalyze.repairing.file_to_repair import FileToRepair, read_file_to_repair
from bganalyze.repairing.prior import rate_plays_by_appearance
from bganalyze.repairing.search import find_repairable_findings, find_repairs_in_file
from bganalyze.repairing.work_limit import FindingSpentError
from bganalyze.validation.findings import Edit
from tests.repairing.transcripts import record, row

SLIPS = (row("63: 24/15", "53: 8/3 6/4"), row("31: 8/5 6/4", "42: 8/4 6/3"))


def draft(data: bytes = record(*SLIPS)) -> FileToRepair:
    return read_file_to_repair(data, "slips.mat", BASIC)


def test_the_search_ends_once_its_effort_is_spent() -> None:
    assert list(find_repairable_findings(draft()))
    few = draft().with_fresh_limit(100)
    assert list(find_repairable_findings(few)) == []
    assert few.effort.is_spent


def test_a_finding_that_takes_too_much_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_limit, "MOST_WORK_PER_FINDING", 10)
    slips = draft()
    assert list(find_repairable_findings(slips)) == []
    assert not slips.effort.is_spent
    assert slips.effort.was_any_search_cut_short


@pytest.mark.slow
def test_the_effort_is_the_same_whatever_was_looked_at_before() -> None:
    left = []
    for _ in range(2):
        slips = draft()
        list(find_repairable_findings(slips))
        left.append(slips.effort.left)
    assert left[0] == left[1] < work_limit.MOST


def test_after_its_work_is_spent_a_finding_is_tried_on_the_whole_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(work_limit, "MOST_WORK_PER_FINDING", 10)
    slips = draft()
    excerpts = Excerpts(slips, slips.to_repair[0])
    last = Edit(len(slips.lines), slips.lines[-1], None)
    with slips.effort.for_finding():
        with pytest.raises(FindingSpentError):
            excerpts.find_shortest_excerpt([last])
        assert excerpts.find_shortest_excerpt([last]).is_whole


def test_what_is_proved_is_made_though_the_effort_is_spent() -> None:
    slips = draft()
    causes = tuple(find_repairable_findings(slips))
    usual = apply_repairs(slips, causes, rate_plays_by_appearance).made
    assert apply_repairs(slips.with_fresh_limit(1), causes, rate_plays_by_appearance).made == usual


def test_no_slip_is_looked_for_in_a_cell_of_very_many_steps() -> None:
    """Each step would be suggested otherwise, and all of them read again for it: for hours."""
    assert (
        find_repairs_in_file(record(row(f"31: {'8/5 ' * 20_000}", "42: 8/4 6/4")), "long.mat") == []
    )


def test_a_repair_says_that_its_search_has_ended_early(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "slips.mat"
    path.write_bytes(record(*SLIPS))

    def repair() -> str:
        return CliRunner().invoke(app, ["repair", "--workers", "1", str(path)]).stderr

    assert "ended at its limit" not in repair()
    monkeypatch.setattr(work_limit, "WORK_PER_SUGGESTION", work_limit.MOST)
    assert f"bganalyze: {path}: the search for causes ended at its limit" in repair()
