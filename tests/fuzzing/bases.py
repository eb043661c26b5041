"""Sources of mutants: the project's samples, real files if there are any, and the constructs here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import bganalyze
from bganalyze.record.reader import KNOWN, read_bytes
from bganalyze.validation.replaying import replay
from bganalyze.writing import WRITERS, UnwritableError, write
from tests.constructs import modules_of_formats
from tests.record.sites import texts as room_texts

PLAIN = b"""\
; [Site "Example"]
; [Player 1 "Ann"]
; [Player 2 "Bob"]

 3 point match

 Game 1
 Ann : 0                         Bob : 0
  1)                             31: 8/5 6/5
  2) 64: 24/14                   52: 13/8 24/22
  3) 55: 8/3*(2) 13/8(2)         66: Cannot Move
  4)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 Ann : 1                         Bob : 0
  1) 21: 13/11 6/5               Doubles => 2
  2)  Takes                      44: 24/20*(2) 13/9(2)
  3) 63: bar/22 24/18            55: 8/3(2) 6/1*(2)
  4) 41: ????
                                  Wins 2 points

 Game 3
 Ann : 1                         Bob : 2
  1) 65: 24/13                   32: 24/21 13/11
"""

FOLDER = Path(__file__).parent.parent.parent / "samples"

TEXTS = {suffix for known_format in KNOWN for suffix in known_format.extensions}
"""Suffixes of files that are read."""

REPEATED = 3
"""Number of times a construct is repeated."""

LARGEST = 100_000
"""Larger files only make mutants slow."""


def bases(corpus: Path | None = None, largest: int = LARGEST) -> list[bytes]:
    """Return the contents of every file that mutants are made from, in a fixed order."""
    paths = [path for path in FOLDER.rglob("*") if path.suffix in TEXTS]
    if corpus is not None:
        real = (path for path in corpus.glob("*/*") if path.suffix in TEXTS)
        paths += list(real)
    files = (path.read_bytes() for path in sorted(paths) if path.stat().st_size <= largest)
    return [PLAIN, *files]


@cache
def bases_of(
    known_as: str, corpus: Path | None = None, largest: int = LARGEST, one_in: int = 1
) -> list[bytes]:
    """Return what there is of one format, and the match texts written in it where that can be.

    With `one_in` only so many of each.
    """
    named_data = _with_formats(corpus, largest)
    of_format = [data for name, data in named_data if name == known_as]
    of_format += (data for data in (*_rooms(), *_constructs()) if _format(data) == known_as)
    texts = [data for name, data in named_data if name == "mat"]
    return [*of_format[::one_in], *_write_texts(texts[::one_in], known_as)]


@cache
def _with_formats(corpus: Path | None, largest: int) -> list[tuple[str | None, bytes]]:
    """Return the files that mutants are made from, each after the format that reads it."""
    return [(_format(data), data) for data in bases(corpus, largest)]


def _rooms() -> Iterator[bytes]:
    """Return the small records of online servers, most of which have no sample."""
    texts = vars(room_texts).items()
    return (text.encode() for name, text in texts if name.isupper())


def _constructs() -> Iterator[bytes]:
    """Yield the constructs of the modules of formats, each a few times."""
    for _, module in modules_of_formats():
        yield from (text(REPEATED).encode() for text in module.CONSTRUCTS.values())


def _format(data: bytes) -> str | None:
    try:
        return read_bytes(data, "base")[0].format
    except bganalyze.NotATranscript:
        return None


def _write_texts(texts: Iterable[bytes], known_as: str) -> Iterator[bytes]:
    writer = "gvab" if known_as == "ogxm" else known_as
    if writer in WRITERS and writer != "mat":
        for data in texts:
            replays = [replay(match) for match in read_bytes(data, "base")]
            with suppress(UnwritableError):
                yield write(replays, writer).data
