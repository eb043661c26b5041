"""Alias files: the spellings of each player's name."""

from __future__ import annotations

from pathlib import Path

from bganalyze.files.limits import open_given, reason
from bganalyze.files.toml import parse, read_text
from bganalyze.record.players import AliasError, read_alias_table


def load_aliases(path: Path) -> dict[str, str]:
    """Return the player for each spelling of a name, read from a TOML file of players' other names.

    The keys are spellings without rating and case, as `plain_name` returns them. Raises AliasError
    if the file is unreadable or two players have the same spelling.
    """
    try:
        with open_given(path) as file:
            return read_alias_table(parse(read_text(file)))
    except (OSError, ValueError) as error:
        raise AliasError(f"{path}: {reason(error)}") from error
