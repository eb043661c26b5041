"""`bganalyze clean`: remove the cache of earlier checks."""

from bganalyze.app.cli.endings import print_note, refusing
from bganalyze.files.outputs import errors_naming
from bganalyze.statistics.store.cache_folder import cache_folder, clear


def command() -> None:
    """Remove the cache of checks.

    The cache holds the results for files that have not changed since, so that they need
    not be read again. It is a folder named bganalyze in your cache folder, or in the one
    that BGANALYZE_CACHE_DIR names, and is kept small. Only what bganalyze has made there
    is removed. Removing it loses nothing; analyses and stores are not part of it.

    Exit status: 2 if it could not be removed, else 0.

    Example:

        bganalyze clean
    """
    with refusing(OSError):
        folder = cache_folder()
        with errors_naming(folder):
            is_removed = clear(folder)
    if not is_removed:
        print_note(f"{folder}: there is no cache")
    elif folder.exists():
        print_note(f"{folder}: the cache is removed; what bganalyze did not make there is kept")
    else:
        print_note(f"removed {folder}")
