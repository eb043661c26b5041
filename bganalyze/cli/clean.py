"""`bganalyze clean`: remove what earlier checks have left in the cache."""

from __future__ import annotations

from bganalyze.cli.endings import refuse, tell
from bganalyze.files.reading import reason
from bganalyze.store.cache import cache_folder, clear


def command() -> None:
    """Remove the cache of checks.

    It holds what was found in files, so that they are not read again as long as they
    stay the same. It is in your cache folder, or where BGANALYZE_CACHE_DIR says, and
    is kept small; nothing is lost with it. Verdicts and stores are no part of it.

    Exit status: 2 if it could not be removed, else 0.

    Example:

        bganalyze clean
    """
    folder = cache_folder()
    try:
        is_removed = clear()
    except OSError as error:
        raise refuse(f"{folder}: {reason(error)}") from error
    tell(f"removed {folder}" if is_removed else f"{folder}: there is no cache")
