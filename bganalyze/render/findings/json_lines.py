"""JSON lines: one finding a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from bganalyze.jobs.checking import Checked
from bganalyze.render.findings.records import record
from bganalyze.render.setting import Setting


def render(results: Iterable[Checked], setting: Setting) -> Iterator[str]:
    """Yield each finding as a line of JSON, in ASCII, so that any stream can carry it."""
    for checked in results:
        for finding in checked.findings:
            yield json.dumps(record(finding, setting.law)) + "\n"
