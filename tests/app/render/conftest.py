"""Findings and results of checks to be rendered."""

from collections.abc import Callable
from typing import Any

import pytest

from bganalyze.app.jobs.checked import CheckOutcome, Record
from bganalyze.board.ids import parse_xgid
from bganalyze.validation.findings import ClosingAction, Finding, Severity, Standing

POSITION = "XGID=-a---BD-B---fE---c-e----B-:0:0:1:42:0:0:0:5:10"
LINE = "  2) 42: 8/4                       61: 13/7 8/7"


@pytest.fixture
def finding() -> Callable[..., Finding]:
    """Return a function that makes a finding: an illegal play, with the given fields replaced."""
    usual = Finding(
        path="a.mat",
        line=12,
        column=6,
        end_column=13,
        code="P409",
        name="unplayed-die",
        severity=Severity.ERROR,
        message="more of 4-2 can be played",
        match=1,
        game=1,
        row="2",
        side="left",
        player="Alice",
        dice=(4, 2),
        standing=Standing.STANDS,
        closed_by="12:36",
        closer=ClosingAction("Bob", "rolled 6-1", 12, "right", game=1),
        situation=parse_xgid(POSITION),
        legal=("8/4 6/4", "24/22 8/4"),
        reading="as recorded",
        consequences=2,
    )
    return usual._replace


@pytest.fixture
def bare(finding: Callable[..., Finding]) -> Callable[..., Finding]:
    """Return a function that makes a finding without its optional fields, except those given."""
    nothing = dict.fromkeys(Finding._fields[9:])
    return lambda **changes: finding(**{**nothing, **changes})


@pytest.fixture
def checked() -> Callable[..., CheckOutcome]:
    """Return a function that makes the result of a check from its findings."""

    def make(
        *findings: Finding, path: str = "a.mat", line: str = LINE, **fields: Any
    ) -> CheckOutcome:
        record = Record("Backgammon Studio", frozenset({"hits"}), (("hits", "marked"),), 100)
        excerpts = {reported.line: line for reported in findings}
        usual = {"record": record, "excerpts": excerpts, "names": {1: ("Alice", "Bob")}}
        return CheckOutcome(path, path, findings=findings, **{**usual, **fields})

    return make
