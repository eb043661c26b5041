"""Reading: bytes in, matches out, whatever the format."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bganalyze.transcript.binary import BINARY_FORMATS, read_binary
from bganalyze.transcript.decode import Decoded, decode
from bganalyze.transcript.drafts import DamagedError
from bganalyze.transcript.formats import FORMATS, MAT, Format
from bganalyze.transcript.match_text import reader as mat
from bganalyze.transcript.model import (
    Action,
    Double,
    Game,
    How,
    Match,
    Oddity,
    Play,
    Result,
    SetUp,
    Source,
    Span,
)

LIMIT = 64 * 1024 * 1024
"""The largest file that is read, in bytes."""


NOTHING_RECOGNISED = (
    "nothing in it is a match: no match line, game line, score line or row"
    " (`bganalyze formats` lists what is read)"
)
NOTHING_TOLD = (
    "nothing in it is a match: line {line} looks like one, but no play and no result can be read"
)

_FACES = frozenset(range(1, 7))


class NotATranscript(ValueError):
    """The file holds nothing that can be read as a match, or is larger than `LIMIT`.

    `recognised_as` is the format of a record that is damaged or needs a package that is missing;
    it is None where no format recognises the file.
    """

    def __init__(self, path: str, reason: str, recognised_as: str | None = None) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason
        self.recognised_as = recognised_as


def read(path: str | Path) -> list[Match]:
    """Return the matches recorded in the file at `path`.

    Raises NotATranscript where nothing in it is a transcript, and OSError as `open` does.
    """
    with Path(path).open("rb") as file:
        known = os.fstat(file.fileno()).st_size
        return read_bytes(file.read(min(known, LIMIT) + 1), str(path))


def read_bytes(data: bytes, path: str) -> list[Match]:
    """Return the matches in `data`, which is reported as `path`."""
    if len(data) > LIMIT:
        raise NotATranscript(path, f"larger than {LIMIT // 2**20} MiB, the most that is read")
    if not data.strip():
        raise NotATranscript(path, "the file is empty")
    for binary in BINARY_FORMATS:
        if binary.recognises(data):
            with _damage_told(path, binary.name):
                return read_binary(binary, data, path)
    decoded = decode(data)
    known = _format_of(decoded.text)
    if known is None:
        raise NotATranscript(path, NOTHING_RECOGNISED)
    source = Source(path, decoded.encoding, decoded.text.split("\n"))
    with _damage_told(path, known.name):
        matches = known.read(decoded.text, source)
    if not any(map(_tells, matches)):
        raise NotATranscript(path, _nothing_told(matches))
    return _with_misfits(matches, decoded)


@contextmanager
def _damage_told(path: str, recognised_as: str) -> Iterator[None]:
    """Say which file cannot be read, and in which format it is."""
    try:
        yield
    except DamagedError as error:
        raise NotATranscript(path, str(error), recognised_as) from error


def _format_of(text: str) -> Format | None:
    """The format of a text. One that begins with a match line needs no closer look."""
    if mat.begins_with_match_line(text):
        return MAT
    return next((known for known in FORMATS if known.recognises(text)), None)


def _tells(match: Match) -> bool:
    """Whether anything is told of a match: its length, a game's heading, or what happened in it.

    Programs and prose hold lines that look like a score or a row, and nothing that follows on them.
    """
    return match.length is not None or any(map(_is_told, match.games))


def _is_told(game: Game) -> bool:
    headed = game.number is not None and game.score is not None
    return headed or any(map(_is_read, game.actions))


def _is_read(action: Action) -> bool:
    """Whether this can hardly stand in a text about something else."""
    if isinstance(action, Play):
        played = action.steps or action.how in (How.CANNOT_MOVE, How.UNPLAYED)
        return bool(played) and action.dice is not None and set(action.dice) <= _FACES
    return isinstance(action, Result | SetUp) or (isinstance(action, Double) and bool(action.value))


def _nothing_told(matches: list[Match]) -> str:
    """Why these are no matches, with the line at which the first of their games seems to begin."""
    first = next((game.span.line for match in matches for game in match.games), None)
    return NOTHING_RECOGNISED if first is None else NOTHING_TOLD.format(line=first)


def _with_misfits(matches: list[Match], decoded: Decoded) -> list[Match]:
    """Add the undecodable bytes to the first match."""
    if not decoded.misfits:
        return matches
    starts = [found.end() for found in re.finditer("^|\n", decoded.text)]
    odd = tuple(_misfit(decoded.text, starts, *misfit) for misfit in decoded.misfits)
    first = matches[0]
    return [first._replace(oddities=odd + first.oddities), *matches[1:]]


def _misfit(text: str, starts: list[int], start: int, end: int) -> Oddity:
    line = bisect_right(starts, start)
    column = start - starts[line - 1] + 1
    return Oddity("undecodable-bytes", Span(line, column, column + end - start), text[start:end])
