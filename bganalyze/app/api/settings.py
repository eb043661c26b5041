"""`settings`: the settings of a folder, for functions that take a rule book, codes or odds."""

from __future__ import annotations

import os
from pathlib import Path

from bganalyze.app.api.arguments import check_arguments
from bganalyze.app.api.sources import FilePath
from bganalyze.app.config import Config, find_config, load_config
from bganalyze.validation.rules import CODES


@check_arguments
def settings(path: FilePath = ".") -> Config:
    """Return the settings for a folder, from the nearest bganalyze.toml or pyproject.toml.

    Other functions do not read settings files: pass them the result's `rule_book`, `select`,
    `ignore` (prefixes of rule codes) and `odds`. Raises ConfigError for invalid settings.

    >>> settings("samples").rule_book.name
    'basic'
    """
    file = find_config(Path(os.fspath(path)))
    return load_config(file, CODES) if file else Config()
