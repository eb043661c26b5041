"""Every construct of every grammar, as many times over as one likes: what `test_linear.py` doubles."""

from __future__ import annotations

from tests.constructs.match_text import JSON, MAT
from tests.constructs.programs import GNUBG_TEXT, POSITIONS, SCRIBE, SGF
from tests.constructs.repeated import Text
from tests.constructs.rooms import FIBS, FIBS_LOG, ROOMS

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
    }.items()
    for name, text in table.items()
}
