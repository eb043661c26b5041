"""Samples for tests that compare two ways to say the same, which do not depend on the match."""

from __future__ import annotations

from pathlib import Path

SAMPLES = Path(__file__).parents[2] / "samples"


def list_samples_of_rules() -> list[Path]:
    """Return the first faulty sample of each rule."""
    firsts: dict[str, Path] = {}
    for path in sorted((SAMPLES / "faulty").iterdir()):
        if path.suffix != ".tsv":
            firsts.setdefault(path.name.partition("-")[0], path)
    return list(firsts.values())
