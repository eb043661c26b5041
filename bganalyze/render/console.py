"""Rich text and tables as plain strings, with colour where the setting has it."""

from __future__ import annotations

import io
from functools import lru_cache

from rich.console import Console, JustifyMethod, RenderableType
from rich.table import Table
from rich.text import Text

from bganalyze.findings import Severity
from bganalyze.render.setting import OutputOptions

STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}
"""How each severity is coloured."""

_LEAST = 56
"""Tables are not squeezed further: words in pieces are worse than lines that a terminal breaks."""


def as_string(shown: RenderableType, setting: OutputOptions) -> str:
    """Return what Rich makes of it, every line ended; long lines are left to the terminal."""
    console = _console(setting.colour, max(setting.width, _LEAST))
    with console.capture() as captured:
        console.print(shown, soft_wrap=isinstance(shown, Text))
    return "".join(f"{line.rstrip()}\n" for line in captured.get().splitlines())


def table(*headings: str, figures: int = 0) -> Table:
    """Return an empty table; the last `figures` columns hold numbers."""
    made = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for left, heading in enumerate(headings, 1 - len(headings)):
        is_figure = -left < figures
        justify: JustifyMethod = "right" if is_figure else "left"
        made.add_column(heading, justify=justify, overflow="fold", no_wrap=is_figure)
    return made


@lru_cache(maxsize=4)
def _console(colour: bool, width: int) -> Console:
    return Console(
        file=io.StringIO(),
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        no_color=not colour,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
