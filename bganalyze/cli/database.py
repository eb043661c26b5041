"""The database of verdicts that a command reads."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bganalyze.store import Store


def kept_in(db: str | None) -> Store | None:
    """Return the database that is named, or the default one if it is there; raise StoreError."""
    from bganalyze.store import default_path, opened

    if db is not None:
        return opened(db)
    return opened(default_path()) if os.path.exists(default_path()) else None
