"""Rich's text and tables as strings, in color where the options ask for it."""

from __future__ import annotations

import io
from functools import lru_cache

from rich.console import Console, JustifyMethod, RenderableType
from rich.table import Table
from rich.text import Text

from bganalyze.app.render.setting import OutputOptions
from bganalyze.text import printable
from bganalyze.validation.findings import Severity

STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}
"""How each severity is colored."""

_LEAST = 56
"""Tables are not made narrower: broken words are worse than lines that a terminal folds."""


def as_string(renderable: RenderableType, setting: OutputOptions) -> str:
    """Return the lines that Rich draws; the terminal folds long lines of text."""
    console = _console(setting.color, max(setting.width, _LEAST))
    with console.capture() as captured:
        console.print(renderable, soft_wrap=isinstance(renderable, Text))
    return "".join(f"{line.rstrip()}\n" for line in captured.get().splitlines())


def fit(text: str, setting: OutputOptions) -> str:
    """Return text that stands on one line of the page: no tabs, nothing that a terminal obeys."""
    return printable(text.replace("\t", " "), setting.encoding)


def table(*headings: str, figures: int = 0) -> Table:
    """Return an empty table; the last `figures` columns hold numbers."""
    empty = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column, heading in enumerate(headings):
        is_figure = column >= len(headings) - figures
        justify: JustifyMethod = "right" if is_figure else "left"
        empty.add_column(heading, justify=justify, overflow="fold", no_wrap=is_figure)
    return empty


@lru_cache(maxsize=4)
def _console(color: bool, width: int) -> Console:
    return Console(
        file=io.StringIO(),
        width=width,
        force_terminal=color,
        color_system="standard" if color else None,
        no_color=not color,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
