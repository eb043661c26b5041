"""The count of a run and its exit status."""

from pathlib import Path

import pytest

from bganalyze.app.jobs.checked import MOST_WORST, CheckOutcome, CheckTally, Record, RuleCount
from bganalyze.app.jobs.outcome import CLEAN, FAILED, UNREADABLE
from bganalyze.validation.findings import Finding, Severity, Standing

RECORD = Record("unknown", frozenset({"hits"}), (), turns=30)


def finding(severity: Severity = Severity.ERROR, standing: Standing | None = None) -> Finding:
    return Finding(
        "a.mat", 1, 1, 2, "P406", "bar-first", severity, "text", match=1, standing=standing
    )


def make_checked(*findings: Finding, path: str = "a.mat", root: str = "a.mat") -> CheckOutcome:
    return CheckOutcome(path, root, record=RECORD, findings=findings)


def make_tally(*results: CheckOutcome, fail_on: Severity | None = Severity.ERROR) -> CheckTally:
    tally = CheckTally(fail_on)
    assert list(tally.count_each(results)) == list(results)
    return tally


def test_counts() -> None:
    tally = make_tally(
        make_checked(finding(), finding(Severity.INFO), finding(standing=Standing.CORRECTED)),
        CheckOutcome("b", "b", skipped="no transcript"),
        CheckOutcome("c", "c", error="locked"),
    )
    attempts = tally.attempts
    assert (attempts.files, attempts.skipped) == (1, 1)
    assert attempts.unreadable == [("c", "locked")]
    assert tally.severities == {Severity.ERROR: 2, Severity.INFO: 1}
    assert tally.rules[RuleCount("P406", "bar-first", Severity.ERROR)] == 2
    assert tally.corrected == {Severity.ERROR: 1, Severity.INFO: 0}
    assert tally.producers["unknown"].errors == 2
    assert tally.producers["unknown"].turns == 30
    assert tally.producers["unknown"].conventions == {"hits": 1}


def test_the_worst_files_are_kept() -> None:
    results = [make_checked(*[finding()] * (n % 20), path=f"{n}.mat") for n in range(100)]
    worst = sorted(make_tally(*results).worst, reverse=True)
    assert len(worst) == MOST_WORST
    assert [kept_outcome.path for kept_outcome in worst[:6]] == [
        f"{n}.mat" for n in (19, 39, 59, 79, 99, 18)
    ]


@pytest.mark.parametrize(
    ("results", "fail_on", "status"),
    [
        ([], Severity.ERROR, CLEAN),
        ([make_checked()], Severity.INFO, CLEAN),
        ([make_checked(finding())], Severity.ERROR, FAILED),
        ([make_checked(finding())], None, CLEAN),
        ([make_checked(finding(Severity.WARNING))], Severity.ERROR, CLEAN),
        ([make_checked(finding(Severity.WARNING))], Severity.WARNING, FAILED),
        ([make_checked(finding(standing=Standing.CORRECTED))], Severity.INFO, CLEAN),
        ([make_checked(), CheckOutcome("b", "b", error="locked")], Severity.ERROR, UNREADABLE),
        ([make_checked(finding()), CheckOutcome("b", "b", error="locked")], None, UNREADABLE),
        ([make_checked(), CheckOutcome("b", "folder", skipped="empty")], Severity.ERROR, CLEAN),
        ([make_checked(), CheckOutcome("b", "folder", error="locked")], Severity.ERROR, UNREADABLE),
    ],
)
def test_status(results: list[CheckOutcome], fail_on: Severity | None, status: int) -> None:
    assert make_tally(*results, fail_on=fail_on).status(["a.mat"]) == status


def test_a_folder_without_transcripts(tmp_path: Path) -> None:
    folder = str(tmp_path)
    without = make_tally(CheckOutcome(f"{folder}/b", folder, skipped="empty"))
    assert without.attempts.find_empty_paths([folder, "a.mat", folder]) == [folder]
    assert without.status([folder]) == UNREADABLE
    assert make_tally(make_checked(path=f"{folder}/a.mat", root=folder)).status([folder]) == CLEAN


def test_of_a_folder_that_cannot_be_read_it_is_not_said_that_it_is_empty(tmp_path: Path) -> None:
    folder = str(tmp_path)
    locked = make_tally(CheckOutcome(folder, folder, error="locked"))
    assert locked.attempts.find_empty_paths([folder]) == []
    assert locked.status([folder]) == UNREADABLE


def test_a_folder_of_which_something_cannot_be_read(tmp_path: Path) -> None:
    folder = str(tmp_path)
    broken = CheckOutcome(f"{folder}/a.zip", folder, error="broken archive")
    read = make_checked(path=f"{folder}/b.mat", root=folder)
    assert make_tally(broken, read).status([folder]) == UNREADABLE
    assert make_tally(read).status([folder]) == CLEAN
