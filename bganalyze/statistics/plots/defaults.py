"""matplotlib with its own defaults: nobody's settings file changes a picture, or is even read.

It looks for such a file in the present folder when it is imported, and obeys it: a folder of match
files from elsewhere might have one. A variable names the backend of its windows, and a wrong name
would end the import. Modules that draw import this one before matplotlib.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager, nullcontext, suppress
from importlib.util import find_spec
from typing import Any

_DATA = "mpl-data"
"""The folder in its package with a settings file that says what is so anyway."""

_BACKEND = "MPLBACKEND"
"""The environment variable that names the backend of windows, which we do not draw in."""


def _import_matplotlib() -> None:
    """Import matplotlib in a folder in which it finds the settings that it has without any.

    The backend that a notebook has asked for is left to it, if matplotlib takes the name.
    """
    backend = os.environ.pop(_BACKEND, "")
    try:
        with _harmless_folder():
            import matplotlib as mpl
    finally:
        if backend:
            os.environ[_BACKEND] = backend
    if backend:
        with suppress(ValueError):
            mpl.rcParams["backend"] = backend


def _harmless_folder() -> chdir[str] | nullcontext[None]:
    spec = find_spec("matplotlib")
    folder = spec and spec.origin and os.path.join(os.path.dirname(spec.origin), _DATA)
    try:
        can_return = os.access(os.getcwd(), os.X_OK)
    except OSError:  # The folder is gone, and all that was in it.
        can_return = False
    return chdir(folder) if folder and can_return and os.path.isdir(folder) else nullcontext()


if "matplotlib" not in sys.modules:
    _import_matplotlib()


@contextmanager
def default_settings() -> Iterator[None]:
    """Draw with the defaults of matplotlib in the block, whatever a notebook has set."""
    import matplotlib as mpl

    defaults: Any = {
        key: mpl.rcParamsDefault[key] for key in mpl.rcParamsDefault if key != "backend"
    }
    with mpl.rc_context(defaults):
        yield
