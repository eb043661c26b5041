"""Every construct of every grammar, as many times over as one likes: what `test_linear.py` doubles.

A module of this folder that has a table `CONSTRUCTS` is found by that, and named as its format is,
with `_` for `-`. Parts of rules that stand in a file but once, it names in `ONCE`.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from tests.constructs.match_text import JSON, MAT
from tests.constructs.programs import GNUBG_TEXT, POSITIONS, SGF
from tests.constructs.repeated import Text
from tests.constructs.rooms import FIBS, FIBS_LOG, ROOMS


def modules_of_formats() -> Iterator[tuple[str, ModuleType]]:
    """Yield each module here with a table of constructs, and its name."""
    for found in iter_modules(__path__):
        module = import_module(f"{__name__}.{found.name}")
        if hasattr(module, "CONSTRUCTS"):
            yield found.name, module


CONSTRUCTS: dict[str, Text] = {
    f"{format_}: {name}": text
    for format_, table in {
        "mat": MAT,
        "json": JSON,
        "sgf": SGF,
        "position": POSITIONS,
        "gnubg-text": GNUBG_TEXT,
        "fibs": FIBS,
        "fibs-log": FIBS_LOG,
        "rooms": ROOMS,
        **{name.replace("_", "-"): module.CONSTRUCTS for name, module in modules_of_formats()},
    }.items()
    for name, text in table.items()
}

ONCE = {
    *((name, "matches", "headless") for name in ("bgammon", "fibs")),
    ("bgammon", "headless", "_event"),
    *(("fibs", "headless", part) for part in ("PLAYERS", "ACTIONS")),
    *(("mat", "odd_names", part) for part in ("_BLANK", "odd_first", "_GAP", "odd_second")),
    ("gnubg_text", "match", "headless"),
    ("gnubg_text", "headless", "_decision"),
    *(("tmg", "first", part) for part in ("OPTION", "headless")),
    ("sgf", "matches", "_BLANK"),
    ("sgf", "_nodes", "UNCLOSED"),
    *(
        (name, *part)
        for name, module in modules_of_formats()
        for part in getattr(module, "ONCE", ())
    ),
}
"""Parts of rules that occur at most once in a file: at its beginning or its end."""
