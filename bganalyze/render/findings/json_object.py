"""JSON: an object with the list of the findings, and what became of the files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from bganalyze.jobs.checking import Checked
from bganalyze.jobs.outcome import Attempts
from bganalyze.render.findings import json_list
from bganalyze.render.findings.records import files_record
from bganalyze.render.setting import Setting


def render(results: Iterable[Checked], setting: Setting) -> Iterator[str]:
    """Yield the findings as they arrive, and at the end the files."""
    attempts = Attempts()
    yield '{"findings": '
    yield from json_list.render(attempts.counted(results), setting)
    yield f', "files": {json.dumps(files_record(attempts.summary()))}}}\n'
