"""What the user sees. Nothing else in the package formats output.

An output format of `check` is a module with a function `render(results, setting)` that yields
pieces of text as the results arrive, and one line in `FORMATS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from bganalyze.jobs.checking import Checked
    from bganalyze.render.setting import Setting

FORMATS = {
    "text": "bganalyze.render.findings.text",
    "json": "bganalyze.render.findings.json_list",
    "json-object": "bganalyze.render.findings.json_object",
    "jsonl": "bganalyze.render.findings.json_lines",
    "sarif": "bganalyze.render.findings.sarif",
    "github": "bganalyze.render.findings.github",
    "csv": "bganalyze.render.findings.csv_table",
}
"""The output formats of `check` and the modules that write them, imported when they are used."""


class Renderer(Protocol):
    """Writes the results of a check in one format, as they arrive."""

    def __call__(self, results: Iterable[Checked], setting: Setting) -> Iterator[str]:
        """Yield pieces of text."""


def renderer(name: str) -> Renderer:
    """Return the renderer of a format."""
    return cast("Renderer", import_module(FORMATS[name]).render)
