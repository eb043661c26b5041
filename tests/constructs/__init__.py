"""Every construct of every grammar, as many times over as one likes: what `test_linear.py` doubles.

A module of this folder that has a table `CONSTRUCTS` is found by that, and named as its format is,
with `_` for `-`.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

from tests.constructs.match_text import JSON, MAT
from tests.constructs.programs import GNUBG_TEXT, POSITIONS, SCRIBE, SGF
from tests.constructs.repeated import Text
from tests.constructs.rooms import FIBS, FIBS_LOG, ROOMS


def _of_modules() -> Iterator[tuple[str, dict[str, Text]]]:
    for module in iter_modules(__path__):
        table = getattr(import_module(f"{__name__}.{module.name}"), "CONSTRUCTS", None)
        if table is not None:
            yield module.name.replace("_", "-"), table


CONSTRUCTS: dict[str, Text] = {
    f"{format_}: {name}": text
    for format_, table in {
        "mat": MAT,
        "json": JSON,
        "sgf": SGF,
        "position": POSITIONS,
        "scribe": SCRIBE,
        "gnubg-text": GNUBG_TEXT,
        "fibs": FIBS,
        "fibs-log": FIBS_LOG,
        "rooms": ROOMS,
        **dict(_of_modules()),
    }.items()
    for name, text in table.items()
}
