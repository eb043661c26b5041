"""Reading: bytes in, matches out, whatever the format."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from bganalyze.transcript import (
    bgammon,
    bgroom,
    bkg,
    fibs,
    fibs_log,
    gammon_empire,
    gnubg_text,
    mat,
    party,
    position_text,
    scribe,
    sgf,
    sgg,
    tmg,
)
from bganalyze.transcript.binary import BINARY_FORMATS, BinaryFormat, DamagedError, read_binary
from bganalyze.transcript.decode import Decoded, decode
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
    """The file holds nothing that any format recognises, or is larger than `LIMIT`."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


FILES = "genuine files"
IMPORTER = "another program's importer"
DOCUMENTS = "documents"


class Format(NamedTuple):
    """One format that is read: how it is recognised and who reads it."""

    name: str
    description: str
    extensions: tuple[str, ...]
    dialects: tuple[str, ...]
    recognises: Callable[[str], bool]
    read: Callable[[str, Source], list[Match]]
    known_from: str = FILES
    """What the reading rests on."""


FORMATS: tuple[Format, ...] = (
    Format(
        "scribe",
        "the project's own text, for a scribe at the table (.bgm)",
        (".bgm",),
        ("bganalyze", "hand transcripts"),
        scribe.recognises,
        scribe.read_scribe,
        "this program's own",
    ),
    Format(
        "sgf",
        "Smart Game Format (.sgf), FF[4] GM[6]",
        (".sgf",),
        ("GNU Backgammon",),
        sgf.recognises,
        sgf.read_sgf,
    ),
    Format(
        "gnubg-text",
        "the report that GNU Backgammon exports as text",
        (".txt",),
        ("GNU Backgammon",),
        gnubg_text.recognises,
        gnubg_text.read_gnubg_text,
    ),
    Format(
        "position",
        "positions: XGIDs, GNUbg IDs and Snowie's lines, with the report under them",
        (".txt",),
        ("eXtreme Gammon", "BGBlitz", "GNU Backgammon", "Snowie"),
        position_text.recognises,
        position_text.read_positions,
    ),
    Format(
        "sgg",
        "GamesGrid (.sgg)",
        (".sgg",),
        ("GamesGrid",),
        sgg.recognises,
        sgg.read_sgg,
        IMPORTER,
    ),
    Format(
        "tmg",
        "TrueMoneyGames (.tmg)",
        (".tmg",),
        ("TrueMoneyGames",),
        tmg.recognises,
        tmg.read_tmg,
        IMPORTER,
    ),
    Format(
        "party",
        "PartyGammon (.gam)",
        (".gam",),
        ("PartyGammon",),
        party.recognises,
        party.read_party,
        IMPORTER,
    ),
    Format(
        "bgroom",
        "BGRoom text",
        (".bgf", ".txt"),
        ("BGRoom",),
        bgroom.recognises,
        bgroom.read_bgroom,
        IMPORTER,
    ),
    Format(
        "bgammon",
        "bgammon.org (.match)",
        (".match",),
        ("bgammon.org",),
        bgammon.recognises,
        bgammon.read_bgammon,
        DOCUMENTS,
    ),
    Format(
        "bkg",
        "Berliner's BKG",
        (".txt",),
        ("BKG",),
        bkg.recognises,
        bkg.read_bkg,
        IMPORTER,
    ),
    Format(
        "gammon-empire",
        "GammonEmpire (.gam)",
        (".gam",),
        ("GammonEmpire",),
        gammon_empire.recognises,
        gammon_empire.read_gammon_empire,
        IMPORTER,
    ),
    Format(
        "fibs",
        "the moves of an old match as FIBS lists them (`oldmoves`)",
        (".fibs", ".txt"),
        ("FIBS",),
        fibs.recognises,
        fibs.read_fibs,
        IMPORTER,
    ),
    Format(
        "fibs-log",
        "a saved session on FIBS",
        (".log", ".txt"),
        ("FIBS and its clients",),
        fibs_log.recognises,
        fibs_log.read_fibs_log,
    ),
    Format(
        "mat",
        "match text in two columns (JellyFish .mat and its relatives)",
        (".mat", ".txt", ".gam"),
        (
            "Backgammon Galaxy",
            "Backgammon Studio",
            "eXtreme Gammon text",
            "eXtreme Gammon .mat",
            "GNU Backgammon .mat",
            "Dueller",
            "GridGammon",
            "DailyGammon",
            "XG Mobile",
            "bgKifuEditor",
            "PlayOK",
            "BgTournament",
            "hand transcripts",
            "OpenGammon",
        ),
        mat.recognises,
        mat.read_mat,
    ),
)

KNOWN: tuple[Format | BinaryFormat, ...] = (*FORMATS, *BINARY_FORMATS)
"""Everything that is read."""


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
            try:
                return read_binary(binary, data, path)
            except DamagedError as error:
                raise NotATranscript(path, str(error)) from error
    decoded = decode(data)
    for known in FORMATS:
        if known.recognises(decoded.text):
            source = Source(path, decoded.encoding, decoded.text.split("\n"))
            matches = known.read(decoded.text, source)
            if not any(map(_tells, matches)):
                raise NotATranscript(path, _nothing_told(matches))
            return _with_misfits(matches, decoded)
    raise NotATranscript(path, NOTHING_RECOGNISED)


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
