"""Whether the files of a shard are still those that were written."""

from __future__ import annotations

from pathlib import Path

import pytest

from bganalyze.statistics.store.allowed_names import compute_checksum, is_shard_unchanged
from bganalyze.statistics.store.manifest import find_shard_folder


@pytest.mark.parametrize(
    ("content", "is_kept"), [(b"rows", True), (b"rose", False), (b"rows ", False), (None, False)]
)
def test_a_file_of_another_size_or_content_or_none_is_noticed(
    tmp_path: Path, content: bytes | None, is_kept: bool
) -> None:
    folder = find_shard_folder(tmp_path, 7)
    folder.mkdir(parents=True)
    for name in ("games.parquet", "rolls.parquet"):
        (folder / name).write_bytes(b"rows")
    files = {name: compute_checksum(folder / name) for name in ("games.parquet", "rolls.parquet")}
    assert {size for size, _ in files.values()} == {4}
    (folder / "rolls.parquet").unlink()
    if content is not None:
        (folder / "rolls.parquet").write_bytes(content)
    assert is_shard_unchanged(tmp_path, 7, files) is is_kept
