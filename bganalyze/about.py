"""What this program is called and which version it is."""

from __future__ import annotations

NAME = "bganalyze"


def version() -> str:
    """Return the version that is installed."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed(NAME)
    except PackageNotFoundError:
        return "0+unknown"
