"""Access to analyses of matches, in a database, a store or the match files themselves."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from bganalyze.analysis.select import ANY_ENGINE, EngineChoice, find_analysis_of_replay
from bganalyze.validation.replaying import MatchReplay

if TYPE_CHECKING:
    from bganalyze.analysis.match import AnalyzedMatch
    from bganalyze.analysis.store import Store


def open_existing_analyses(db: str | None, store_folder: Path | None = None) -> Store | None:
    """Open an existing database of analyses: `db`, else the store's, else the default one.

    Returns None if the store's or the default database does not exist. Raises StoreError if `db`
    does not exist or a database cannot be read, and MatchStoreError for the store.
    """
    if db is not None:
        from bganalyze.analysis.store import open_existing

        return open_existing(db)
    if store_folder is not None:
        from bganalyze.statistics.store.analyses import open_store_analyses

        return open_store_analyses(store_folder)
    path = default_database()
    return None if path is None else open_analyses_at(path)


def default_database() -> str | None:
    """Return the path of the default database of analyses, or None if SQLAlchemy is missing."""
    if find_spec("sqlalchemy") is None:
        return None
    from bganalyze.analysis.store import default_path

    return default_path()


def open_analyses_at(path: str) -> Store | None:
    """Open the database of analyses in the file `path`, or return None if there is no such file.

    Raises StoreError if it cannot be read.
    """
    from bganalyze.analysis.store import open_existing

    return open_existing(path) if os.path.exists(path) else None


def open_required_analyses(db: str | None, store_folder: Path | None = None) -> Store:
    """Open an existing database of analyses: `db`, else the store's, else the default one.

    Raises StoreError if it does not exist, and MatchStoreError for the store.
    """
    from bganalyze.analysis.store import default_path, open_existing
    from bganalyze.analysis.store_error import StoreError

    kept = open_existing_analyses(db, store_folder)
    if kept is None and store_folder is not None:
        command = shlex.join(["bganalyze", "analyze", "--store", str(store_folder)])
        raise StoreError(f"{store_folder}: no analyses in it yet; to make some: {command}")
    return kept or open_existing(default_path())


def open_analyses_to_write(db: str | None, store_folder: Path | None = None) -> Store:
    """Open a database of analyses, or create it: `db`, else the store's, else the default one.

    Raises StoreError and MatchStoreError.
    """
    from bganalyze.analysis.store import Store, default_path

    if db is None and store_folder is not None:
        from bganalyze.statistics.store.analyses import open_store_analyses_for_writing

        return open_store_analyses_for_writing(store_folder)
    return Store(db or default_path())


def read_stored_match_hashes(store: Path | None) -> frozenset[str] | None:
    """Return the content hashes of the matches in a store, or None if `store` is None.

    Raises MatchStoreError if the store cannot be read.
    """
    if store is None:
        return None
    from bganalyze.statistics.store.analyses import read_match_digests

    return read_match_digests(store)


def find_analysis_of_each(
    replays: Sequence[MatchReplay], store: Store | None, choice: EngineChoice = ANY_ENGINE
) -> list[AnalyzedMatch | None]:
    """Return each match's analysis, from the database or else the match file; None without one.

    The matches must be replayed by the basic rule book. Raises StoreError.
    """
    return [find_analysis_of_replay(replayed, store, choice) for replayed in replays]
