"""Selecting findings, and when one fails a check."""

import pytest

from bganalyze.findings import (
    Finding,
    Selection,
    Severity,
    Standing,
    UnknownCodeError,
    prefixes,
)

KNOWN = ("T101", "T108", "P401", "P406", "C501")


def finding(severity: Severity, standing: Standing | None = None) -> Finding:
    return Finding(
        "a.mat", 1, 1, 2, "P406", "bar-first", severity, "text", match=1, standing=standing
    )


@pytest.mark.parametrize(
    ("select", "ignore", "wanted"),
    [
        ((), (), "T101 T108 P401 P406 C501"),
        (("P", "C"), (), "P401 P406 C501"),
        (("P",), ("P406",), "P401"),
        ((), ("P",), "T101 T108 C501"),
        ((), ("P", "T"), "C501"),
        (("P406",), ("P",), "P406"),
        (("P4",), ("P4",), ""),
        (("P", "T108"), ("T",), "T108 P401 P406"),
    ],
)
def test_the_longest_prefix_decides(
    select: tuple[str, ...], ignore: tuple[str, ...], wanted: str
) -> None:
    selection = Selection(select, ignore)
    assert [code for code in KNOWN if selection.wants(code)] == wanted.split()


def test_comma_lists_may_be_repeated() -> None:
    assert prefixes(["P4, t1", "C501"], KNOWN) == ("P4", "T1", "C501")


def test_an_unknown_prefix_names_the_codes() -> None:
    with pytest.raises(
        UnknownCodeError,
        match=r"'X9' begins no rule code; the families are T \(transcript\), U \(set-up\)",
    ):
        prefixes(["P4,X9"], KNOWN)


@pytest.mark.parametrize(
    ("severity", "threshold", "fails"),
    [
        (Severity.ERROR, Severity.ERROR, True),
        (Severity.WARNING, Severity.ERROR, False),
        (Severity.WARNING, Severity.WARNING, True),
        (Severity.INFO, Severity.INFO, True),
        (Severity.ERROR, None, False),
    ],
)
def test_a_finding_fails_from_the_threshold_on(
    severity: Severity, threshold: Severity | None, fails: bool
) -> None:
    assert finding(severity).fails(threshold) is fails


def test_a_corrected_error_does_not_fail() -> None:
    assert not finding(Severity.ERROR, Standing.CORRECTED).fails(Severity.INFO)
    assert finding(Severity.ERROR, Standing.STANDS).fails(Severity.ERROR)
