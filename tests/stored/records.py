"""What is read of every sample, as `.bgm` text: what is known of its matches, and a digest of all."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from zlib import crc32

import bganalyze
from bganalyze.record.reader import read_bytes
from bganalyze.validation.replaying import replay
from bganalyze.writing import bgm
from tests.stored.findings import SAMPLES


def describe_records() -> str:
    """Return the heads of the matches in the clean samples, and a digest of each sample."""
    return "".join(
        f"{line}\n"
        for folder in ("clean", "faulty")
        for path in sorted((SAMPLES / folder).iterdir())
        if path.suffix not in (".zip", ".tsv")
        for line in _describe(path, shows_head=folder == "clean")
    )


def _describe(path: Path, *, shows_head: bool) -> Iterator[str]:
    """Yield a line for a sample, and one for each line above the first game of its matches."""
    replays = [replay(match) for match in read_bytes(path.read_bytes(), path.name)]
    text = bgm.write(replays).decode().replace(bganalyze.__version__, "VERSION")
    yield f"== {path.name}: {text.count(chr(10))} lines, {crc32(text.encode()):08x}"
    if shows_head:
        for match in text.split("\n\nbganalyze match"):
            yield from takewhile(lambda line: not line.startswith("game "), match.splitlines())
