"""What engines have said of matches, as it is kept in a database or in the files themselves."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bganalyze.analysis.select import ANY_ENGINE, EngineChoice, find_analysis
from bganalyze.record.model import Match

if TYPE_CHECKING:
    from bganalyze.analysis.match import AnalyzedMatch
    from bganalyze.analysis.store import Store


def open_analyses(db: str | None) -> Store | None:
    """Return the named database, or the default one if it exists; raise StoreError."""
    from bganalyze.analysis.store import default_path, opened  # loads SQLAlchemy

    if db is not None:
        return opened(db)
    return opened(default_path()) if os.path.exists(default_path()) else None


def analyses_of(
    matches: Sequence[Match], store: Store | None, choice: EngineChoice = ANY_ENGINE
) -> list[AnalyzedMatch | None]:
    """Return each match as analyzed: as a database has it, or else its file; None if nobody analyzed it.

    Raises StoreError.
    """
    return [find_analysis(match, store, choice) for match in matches]
