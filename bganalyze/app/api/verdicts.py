"""What engines have said of matches, as it is kept in a database or in the files themselves."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bganalyze.analysis.select import ANYBODY, Judge, verdict
from bganalyze.record.model import Match

if TYPE_CHECKING:
    from bganalyze.analysis.match import JudgedMatch
    from bganalyze.analysis.store import Store


def verdicts_in(db: str | None) -> Store | None:
    """Return the named database, or the default one if it exists; raise StoreError."""
    from bganalyze.analysis.store import default_path, opened  # loads SQLAlchemy

    if db is not None:
        return opened(db)
    return opened(default_path()) if os.path.exists(default_path()) else None


def verdicts_on(
    matches: Sequence[Match], store: Store | None, judge: Judge = ANYBODY
) -> list[JudgedMatch | None]:
    """Return each match as judged: as a database has it, or else its file; None if nobody judged it.

    Raises StoreError.
    """
    return [verdict(match, store, judge) for match in matches]
