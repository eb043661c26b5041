"""Which program made what is kept: its version, and a digest of its sources.

The version alone would deceive whoever works on the program: it stays the same from one change of
the sources to the next.
"""

from __future__ import annotations

import os
from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path

import bganalyze


@cache
def edition() -> str:
    """Return the version of the program, with a digest of its modules, grammars and tables.

    Reading all of them takes some milliseconds.
    """
    digest = blake2b(digest_size=6)
    grammars = find_spec("bganalyze.grammars")
    folders = [str(Path(bganalyze.__file__).parent)]
    folders += grammars.submodule_search_locations or [] if grammars else []
    for folder in folders:
        for path in sorted(_sources(folder)):
            digest.update(path[len(folder) :].encode())
            with open(path, "rb") as file:
                digest.update(file.read())
    return f"{bganalyze.__version__}+{digest.hexdigest()}"


def _sources(folder: str) -> list[str]:
    """The files that a result may depend on, below a folder."""
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        found += [
            os.path.join(place, name) for name in names if name.endswith((".py", ".lark", ".csv"))
        ]
    return found
