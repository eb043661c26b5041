"""The cache of texts that were read, and its limits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from sys import modules
from typing import Any

from bganalyze.record.reader import read
from bganalyze.record.text_caches import TextMemory, clear_all_caches

CLEAN = Path(__file__).parents[2] / "samples" / "clean"


def memories() -> Iterator[tuple[str, int]]:
    """Yield how much each memory of limited size holds."""
    loaded = [module for name, module in modules.items() if name.startswith("bganalyze.record")]
    for module in loaded:
        for name, value in vars(module).items():
            if isinstance(value, TextMemory):
                yield f"{module.__name__}.{name}", len(value)
            elif _is_limited(value) and value.__module__ == module.__name__:
                yield f"{module.__name__}.{name}", value.cache_info().currsize


def _is_limited(value: Any) -> bool:
    return hasattr(value, "cache_info") and value.cache_info().maxsize is not None


def test_all_that_was_read_can_be_forgotten() -> None:
    for name in ("short-match.mat", "short-match.sgf", "studio.txt"):
        read(CLEAN / name)
    assert any(held for _, held in memories())
    clear_all_caches()
    assert {name: held for name, held in memories() if held} == {}
