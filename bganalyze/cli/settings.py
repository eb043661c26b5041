"""The settings of a run: what the nearest settings file says, with the options put over it."""

from __future__ import annotations

from pathlib import Path

from bganalyze.aliases import AliasError
from bganalyze.aliases import load as load_aliases
from bganalyze.cli.endings import refuse
from bganalyze.config import Config, ConfigError, load, nearest
from bganalyze.jobs.checking import CODES
from bganalyze.names import Players


def settings(path: str, said: Config) -> Config:
    """Return what the settings file for a path says, under what the call says; end the run if it is wrong."""
    try:
        found = nearest(Path(path))
        return (load(found, CODES) if found else Config()).under(said)
    except ConfigError as error:
        raise refuse(error) from error


def players(config: Config) -> Players:
    """Return who written names stand for; end the run where the file of aliases is wrong."""
    try:
        return Players(load_aliases(config.aliases) if config.aliases else None)
    except AliasError as error:
        raise refuse(error) from error
