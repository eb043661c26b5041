"""Content read from damaged samples, a line for each: codes to read, and digests of the rest.

    python -m tests.stored.damaged NAME NUMBER

prints the damaged file of a line, what is found in it, and what is written of it.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import cycle, islice
from random import Random
from zlib import crc32

import bganalyze
from bganalyze.app.render.findings.machine import finding_record
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check, findings_of
from bganalyze.validation.findings import Finding
from bganalyze.validation.replaying import MatchReplay, replay
from bganalyze.writing import WRITERS, UnwritableError, write
from tests.constructs import CONSTRUCTS
from tests.fuzzing.mutants import (
    cut_off,
    delete_lines,
    delete_stretch,
    duplicate_line,
    insert_characters,
    join_lines,
    mutant,
    other_number,
    other_word,
    swap_lines,
)
from tests.pasting import FORMS, HARDER, PAIRS, paste
from tests.stored.findings import SAMPLES
from tests.stored.written import ODD

KEYS = (
    *(
        "line",
        "column",
        "end_column",
        "code",
        "severity",
        "message",
        "match",
        "game",
        "row",
        "side",
    ),
    *("player", "dice", "standing", "closed_by", "position", "legal", "reading", "consequences"),
)
"""The keys of a finding that count; another key changes no digest."""

GENTLE = (
    *(delete_lines, duplicate_line, swap_lines, join_lines, insert_characters, delete_stretch),
    *(other_number, other_word, cut_off),
)
"""Damages that leave much of a small text to be read."""
TEXTS = ("bgm", "mat", "sgf", "xg-text")
TIMES = 2

PASTED = ("clean/short-match.mat", "clean/nackgammon.mat")


def read_damaged(folder: str, numbers: range) -> str:
    """Return what is read of samples damaged in a few ways: codes, and digests of findings and outputs."""
    names = [
        path.relative_to(SAMPLES).as_posix()
        for path in sorted((SAMPLES / folder).iterdir())
        if path.suffix not in (".zip", ".tsv")
    ]
    writers = cycle(sorted(WRITERS))
    return "".join(
        f"{name} {number}: {_describe(damage(name, number), name, next(writers))}\n"
        for name in names
        for number in numbers
    )


def read_pasted() -> str:
    """Return what is found in two samples after each form of pasting, and digests of the outputs."""
    texts = {name: (SAMPLES / name).read_text(encoding="utf-8") for name in PASTED}
    return "".join(
        f"{name}, {form}: {_describe(paste(text, form).encode(), name, 'bgm')}\n"
        for name, text in texts.items()
        for form in (*FORMS, *HARDER, *PAIRS)
    )


def read_damaged_constructs() -> str:
    """Return what is read of small texts, each damaged in one way: codes, and digests of the rest."""
    kinds, writers = cycle(GENTLE), cycle(sorted(WRITERS))
    return "".join(
        f"{name}, {kind.__name__}: {_describe(kind(data, Random(name)), path, next(writers))}\n"
        for (name, path, data), kind in zip(_small_texts(), kinds, strict=False)
    )


def _small_texts() -> Iterator[tuple[str, str, bytes]]:
    """Yield every eighth construct of the grammars, and odd matches in each text format, a few times over.

    Each has a name, the name of a file, and the content of that.
    """
    for name, text in islice(CONSTRUCTS.items(), 0, None, 8):
        yield name, "construct.txt", text(2).encode(errors="surrogateescape")
    for name, written in ODD.items():
        replays = [replay(match) for match in read_bytes(written.encode(), "odd.bgm")]
        for known_as in TEXTS:
            data = write(replays, known_as).data
            yield from (
                (f"{name} as {known_as} {number}", f"odd.{known_as}", data)
                for number in range(TIMES)
            )


def damage(name: str, number: int) -> bytes:
    """Return a sample after some changes, the same each time."""
    return mutant([(SAMPLES / name).read_bytes()], Random(f"{name} {number}"))


def _describe(data: bytes, name: str, writer: str) -> str:
    try:
        matches = read_bytes(data, name)
    except bganalyze.NotATranscript as error:
        return f"no match file: {error}"
    replays = [replay(match) for match in matches]
    found = findings_of(replays)
    codes = Counter(finding.code for finding in found)
    counts = ", ".join(f"{count} {code}" for code, count in sorted(codes.items())) or "nothing"
    records = "\n".join(_write_finding(finding) for finding in found)
    return f"{counts}; findings {_digest(records)}, {_write(replays, writer)}"


def _write(replays: list[MatchReplay], writer: str) -> str:
    try:
        written = write(replays, writer)
    except UnwritableError as error:
        return f"not {writer}: {error}"
    text = written.data.replace(bganalyze.__version__.encode(), b"VERSION")
    losses = "\n".join(f"{loss.what} {loss.span}" for loss in written.losses)
    return f"{writer} {crc32(text):08x}, {len(written.losses)} lost {_digest(losses)}"


def _write_finding(finding: Finding) -> str:
    record = finding_record(finding)
    return json.dumps([record[key] for key in KEYS], default=str)


def _digest(text: str) -> str:
    return f"{crc32(text.encode('utf-8', 'surrogatepass')):08x}"


def _show(name: str, number: int) -> Iterator[str]:
    data = damage(name, number)
    yield data.decode("utf-8", "replace")
    matches = read_bytes(data, name)
    yield from (json.dumps(finding_record(finding), default=str) for finding in check(matches))


if __name__ == "__main__":
    print("\n".join(_show(sys.argv[1], int(sys.argv[2]))))
