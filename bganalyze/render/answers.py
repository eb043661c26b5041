"""The answers of reports: as tables for people, and as CSV, JSON and Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from bganalyze.render.setting import Setting
    from bganalyze.reports.answer import Answer

FORMATS = {
    "table": "bganalyze.render.answer_tables",
    "csv": "bganalyze.render.answer_csv",
    "json": "bganalyze.render.answer_json",
    "markdown": "bganalyze.render.answer_markdown",
}
"""The output formats of `stats` and the modules that write them, imported when they are used."""


class AnswerRenderer(Protocol):
    """Writes an answer in one format."""

    def __call__(self, answer: Answer, setting: Setting) -> Iterator[str]:
        """Yield pieces of text."""


def renderer(name: str) -> AnswerRenderer:
    """Return the renderer of a format."""
    return cast("AnswerRenderer", import_module(FORMATS[name]).render)
