"""The error of databases of analyses, apart from them, because they need SQLAlchemy."""

from __future__ import annotations

from bganalyze.errors import BganalyzeError


class StoreError(BganalyzeError):
    """A database that cannot be used; the message says which and why."""
