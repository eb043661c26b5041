"""What the list of a store may say of the files of a shard."""

from __future__ import annotations

from typing import Any

import pytest

from bganalyze.statistics.store.validity import MOST_BYTES, _is_file

DIGEST = "0" * 32


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("games.parquet", [0, DIGEST], True),
        ("sums/plays.parquet", [MOST_BYTES, DIGEST], True),
        ("games.parquet", [MOST_BYTES + 1, DIGEST], False),
        ("games.parquet", [-1, DIGEST], False),
        ("games.parquet", [True, DIGEST], False),
        ("games.parquet", [1, "no digest"], False),
        ("../games.parquet", [1, DIGEST], False),
        ("games.parquet", [1], False),
    ],
)
def test_a_file_of_a_shard_has_a_plain_name_a_size_and_a_digest(
    name: str, values: Any, expected: bool
) -> None:
    assert _is_file(name, values) is expected
