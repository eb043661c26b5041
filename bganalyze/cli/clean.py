"""`bganalyze clean`: remove the cache of earlier checks."""

from bganalyze.cli.endings import refuse, tell
from bganalyze.files.reading import reason
from bganalyze.store.cache import cache_folder, clear


def command() -> None:
    """Remove the cache of checks.

    The cache holds the results for files that have not changed since, so that they need
    not be read again. It is in your cache folder, or where BGANALYZE_CACHE_DIR says, and
    is kept small. Removing it loses nothing; verdicts and stores are not part of it.

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
