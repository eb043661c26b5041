"""JSON: the reports of the matches of a file, every figure as it was counted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any

from bganalyze.board.ids import xgid
from bganalyze.config import title
from bganalyze.law import Law
from bganalyze.match_report.doubles import Shown
from bganalyze.match_report.report import MatchReport
from bganalyze.render.setting import Setting


def render(reports: Sequence[MatchReport], setting: Setting) -> Iterator[str]:
    """Yield one object with a list of matches; pairs hold the left player first."""
    whole = {"law": title(setting.law), "matches": [_report(each) for each in reports]}
    yield json.dumps(whole, indent=2) + "\n"


def _report(report: MatchReport) -> dict[str, Any]:
    named: dict[str, Any] = _plain(report)
    del named["law"]
    return named


def _plain(value: object) -> Any:
    """The value in the types of JSON: structures by the names of their fields, boards as XGID."""
    match value:
        case Law():
            return title(value)
        case Shown():
            return xgid(value.situation)
        case Enum():
            return value.value
        case tuple() if hasattr(value, "_asdict"):
            return {name: _plain(each) for name, each in value._asdict().items()}
        case tuple():
            return [_plain(each) for each in value]
    return value
