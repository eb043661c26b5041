"""What is read of each construct of the grammars, as `.bgm` text, and what is found in it."""

from __future__ import annotations

from collections.abc import Iterator

import bganalyze
from bganalyze.record.not_a_transcript import NotATranscript
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import findings_of
from bganalyze.validation.replaying import replay
from bganalyze.writing import bgm
from tests.constructs import CONSTRUCTS

TIMES = 2
"""How often a construct is repeated."""

USUAL = frozenset(
    (
        *("", "bganalyze match 1", "left: Ann", "right: Bob", "length: 5", "game 1", "score 0-0"),
        *("producer: unknown", "conventions:"),
    )
)
"""Lines of `.bgm` text that most constructs have, and that are left out."""


def read_constructs() -> str:
    """Return each construct: its findings, and its matches as `.bgm` text."""
    return "\n".join(
        "".join(f"{line}\n" for line in _describe(name, text(TIMES)))
        for name, text in CONSTRUCTS.items()
    )


def _describe(name: str, text: str) -> Iterator[str]:
    yield f"== {name}"
    try:
        matches = read_bytes(text.encode(errors="surrogateescape"), "construct.txt")
    except NotATranscript as error:
        yield f"no match file: {error}"
        return
    replays = [replay(match) for match in matches]
    for one in findings_of(replays):
        place = f"{one.line}:{one.column}-{one.end_column}"
        yield f"{place} {one.code} {one.side}: {one.message}"
    text = bgm.write(replays).decode().replace(bganalyze.__version__, "VERSION")
    yield from (line.rstrip() for line in text.splitlines() if line.strip() not in USUAL)
