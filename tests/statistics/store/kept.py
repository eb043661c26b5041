"""All that a store keeps, to be compared; and a folder of records to be collected."""

from __future__ import annotations

import os
from pathlib import Path

from bganalyze.statistics.store.views import connect_to_store

RECORD = Path("samples/clean/one-point.mat").read_text(encoding="utf-8")
LONG_AGO = 1_000_000_000


def contents(store: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return the rows of all views of a store."""
    views = "SELECT view_name FROM duckdb_views() WHERE NOT internal ORDER BY ALL"
    with connect_to_store(store) as connection:
        names = [name for (name,) in connection.execute(views).fetchall()]
        return {
            name: connection.execute(f'FROM "{name}" ORDER BY ALL').fetchall() for name in names
        }


def write_record(path: Path, player: str, time: int = LONG_AGO) -> None:
    """Write a record of a player, changed at a time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(RECORD.replace("Ada Quill", player.ljust(9)), encoding="utf-8")
    os.utime(path, (time, time))
