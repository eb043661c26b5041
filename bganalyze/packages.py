"""Optional packages, and commands to install them.

bganalyze is on no package index, so the commands name the packages themselves.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from importlib.util import find_spec

GAMMONVIEW = "gammonview>=3.1,<4"
OPEN_SAGE = "bgsage>=2.0.20260907,<3"
PYARROW = "pyarrow>=15"
DASK = "distributed>=2025.1,<2027"
DUCKDB = "duckdb>=1.2"
STORE_PACKAGES = {"pyarrow": PYARROW, "duckdb": DUCKDB}
PSYCOPG = "psycopg[binary]>=3.1,<4"
FSSPEC = "fsspec>=2024.6"
ZSTANDARD = "backports.zstd>=1,<2"

_PLAIN_ON_WINDOWS = re.compile(r"[\w.:\\/~-]+")
"""Paths that neither `cmd` nor PowerShell reads as more than one word."""


def install_command(*requirements: str) -> str:
    """Return the shell command that installs packages for the running Python, by pip or else uv."""
    python = _quote_for_shell(sys.executable or "python3")
    quoted = " ".join(f'"{requirement}"' for requirement in requirements)
    if find_spec("pip"):
        return f"{python} -m pip install {quoted}"
    return f"uv pip install --python {python} {quoted}"


def _quote_for_shell(path: str) -> str:
    """Return a path as one word for the system's usual shell, quoted only if need be."""
    if os.name == "nt":
        return path if _PLAIN_ON_WINDOWS.fullmatch(path) else f'"{path}"'
    return shlex.quote(path)
