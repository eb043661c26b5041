"""matplotlib with its own defaults, so that no settings file changes a picture.

When imported, matplotlib reads a settings file in the current folder, and a folder of match files
from elsewhere might contain one. An environment variable names its backend, and a wrong name would
end the import. Modules that draw import this one before matplotlib.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager, nullcontext, suppress
from importlib.util import find_spec
from typing import Any

_DATA = "mpl-data"
"""The folder in its package with a settings file that contains only the defaults."""

_BACKEND = "MPLBACKEND"
"""The environment variable that names the backend for windows, which the plots do not use."""


def _import_matplotlib() -> None:
    """Import matplotlib with its default settings, whatever the current folder contains."""
    backend = os.environ.pop(_BACKEND, "")
    try:
        with _enter_folder_of_default_settings():
            import matplotlib as mpl
    finally:
        # A notebook's backend is kept if matplotlib knows it.
        if backend:
            os.environ[_BACKEND] = backend
    if backend:
        with suppress(ValueError):
            mpl.rcParams["backend"] = backend


def _enter_folder_of_default_settings() -> chdir[str] | nullcontext[None]:
    """Return a context in which importing matplotlib finds only its default settings.

    The context changes the current folder, if possible.
    """
    spec = find_spec("matplotlib")
    folder = spec and spec.origin and os.path.join(os.path.dirname(spec.origin), _DATA)
    try:
        can_return = os.access(os.getcwd(), os.X_OK)
    except OSError:  # The current folder was deleted.
        can_return = False
    return chdir(folder) if folder and can_return and os.path.isdir(folder) else nullcontext()


if "matplotlib" not in sys.modules:
    _import_matplotlib()


@contextmanager
def default_settings() -> Iterator[None]:
    """Use matplotlib's default settings within a `with` block."""
    import matplotlib as mpl

    defaults: Any = {
        key: mpl.rcParamsDefault[key] for key in mpl.rcParamsDefault if key != "backend"
    }
    with mpl.rc_context(defaults):
        yield
