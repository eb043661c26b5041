"""JSON: a list of the findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bganalyze.jobs.checking import Checked
from bganalyze.render.findings import json_lines
from bganalyze.render.setting import Setting


def render(results: Iterable[Checked], setting: Setting) -> Iterator[str]:
    """Yield a list with one finding a line; `[]` if there is none."""
    separator = "[\n"
    for line in json_lines.render(results, setting):
        yield separator + line.rstrip("\n")
        separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"
