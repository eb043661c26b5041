"""`settings`: what a settings file says, for the functions that take a rule book, codes or odds."""

from __future__ import annotations

import os
from pathlib import Path

from bganalyze.app.api.sources import FilePath
from bganalyze.app.config import Config, load_config, nearest
from bganalyze.validation.rules import CODES


def settings(path: FilePath = ".") -> Config:
    """Return the settings of a folder: those of the nearest bganalyze.toml or pyproject.toml.

    The functions of the library look for no settings themselves. What is returned has a rule book
    (`rule_book`), prefixes of codes (`select`, `ignore`) and the odds of slips (`odds`), all as the functions
    take them. Raises ConfigError for settings that make no sense.

    >>> settings("samples").rule_book.name
    'basic'
    """
    file = nearest(Path(os.fspath(path)))
    return load_config(file, CODES) if file else Config()
