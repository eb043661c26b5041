"""The database of verdicts that a command reads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from bganalyze.cli.endings import refuse

if TYPE_CHECKING:
    from bganalyze.judging.match import JudgedMatch
    from bganalyze.judging.store import Store


def kept_in(db: str | None) -> Store | None:
    """Return the database that is named, or the default one if it is there; raise StoreError."""
    from bganalyze.judging.store import default_path, opened

    if db is not None:
        return opened(db)
    return opened(default_path()) if os.path.exists(default_path()) else None


def some(matches: Iterator[JudgedMatch], store: Store) -> Iterator[JudgedMatch]:
    """Return the matches; where there is none, end the run and say whose verdicts there are."""
    first = next(matches, None)
    if first is None:
        there = [f"{engine} {version} at {level}" for engine, version, level in store.editions()]
        known = f"no such verdicts; there are those of {', '.join(there)}"
        raise refuse(f"{store.name}: {known if there else 'nothing has been judged into it yet'}")
    return chain([first], matches)
