"""Alias files: the spellings of each player's name."""

from __future__ import annotations

from pathlib import Path

from bganalyze.files.limits import open_given, reason
from bganalyze.files.toml import parse, read_text
from bganalyze.record.players import AliasError, read_alias_table


def load_aliases(path: Path) -> dict[str, str]:
    """Return the player for each spelling in a TOML file of players and their other names.

    Spellings are in lower case and without rating. Raises AliasError on any error.
    """
    try:
        with open_given(path) as file:
            return read_alias_table(parse(read_text(file)))
    except (OSError, ValueError) as error:
        raise AliasError(f"{path}: {reason(error)}") from error
