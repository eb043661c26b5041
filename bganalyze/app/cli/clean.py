"""`bganalyze clean`: remove the cache of earlier checks."""

from bganalyze.app.cli.exit_status import exit_on, print_note
from bganalyze.files.outputs import name_path_in_errors
from bganalyze.statistics.store.cache_folder import cache_folder, clear


def command() -> None:
    """Remove the cache of checks.

    The cache holds results of checks, so that unchanged files need not be read again. It is
    a folder named bganalyze in your cache folder, or in the folder BGANALYZE_CACHE_DIR, and
    is kept small. Only files that bganalyze made are removed. Removing the cache loses
    nothing; analyses and stores are elsewhere.

    Exit status: 2 if it could not be removed, else 0.

    Example:

        bganalyze clean
    """
    with exit_on(OSError):
        folder = cache_folder()
        with name_path_in_errors(folder):
            is_removed = clear(folder)
    if not is_removed:
        print_note(f"{folder}: there is no cache")
    elif folder.exists():
        print_note(f"{folder}: removed the cache, but kept files that bganalyze did not make")
    else:
        print_note(f"removed {folder}")
