"""The analyses in a store: a database beside the shards, in the form of any database of analyses.

Analyses are identified by the content of matches, so the database stays valid if the store is
collected again. Analyses of matches that are no longer in the store are kept, but not counted.
"""

from __future__ import annotations

from pathlib import Path

from bganalyze.analysis.store import Store, open_existing, require_nothing_else
from bganalyze.files.databases import DatabaseFile
from bganalyze.statistics.store.allowed_names import ANALYSES
from bganalyze.statistics.store.opening import require_store
from bganalyze.statistics.store.views import connect_to_store


def open_store_analyses(folder: Path) -> Store | None:
    """Open the database of analyses in a store for reading, or return None without one.

    Raises MatchStoreError if the folder is no store, and StoreError if the database cannot be read.
    """
    require_store(folder)
    file = DatabaseFile(folder / ANALYSES)
    if not file.path.exists():
        return None
    require_nothing_else(file)
    return open_existing(file)


def open_store_analyses_for_writing(folder: Path) -> Store:
    """Open the database of analyses in a store for writing, or create it.

    Raises MatchStoreError if the folder is no store, and StoreError if the database cannot be
    opened.
    """
    require_store(folder)
    file = DatabaseFile(folder / ANALYSES, "rwc")
    require_nothing_else(file)
    return Store(file)


def read_match_digests(folder: Path) -> frozenset[str]:
    """Return the digests that identify a store's matches and their analyses.

    Raises MatchStoreError if the store cannot be read.
    """
    with connect_to_store(folder) as connection:
        rows = connection.execute("SELECT DISTINCT content FROM matches").fetchall()
    return frozenset(content for (content,) in rows if content is not None)
