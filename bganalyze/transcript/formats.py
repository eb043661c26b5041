"""The list of the formats that are read: one line here, one module, one grammar each."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple, Protocol, cast

from bganalyze.transcript.binary import BINARY_FORMATS, BinaryFormat
from bganalyze.transcript.model import Match, Source

FILES = "genuine files"
IMPORTER = "another program's importer"
DOCUMENTS = "documents"
OWN = "this program's own"


class Reader(Protocol):
    """What the module of a format offers."""

    def recognises(self, text: str) -> bool:
        """Whether `text` seems to be of the format."""

    def read(self, text: str, source: Source) -> list[Match]:
        """Return the matches in `text`, at least one; or raise DamagedError."""


class Format(NamedTuple):
    """One format that is read: how it is recognised and who reads it."""

    name: str
    description: str
    extensions: tuple[str, ...]
    dialects: tuple[str, ...]
    module: str
    """Under `bganalyze.transcript`; imported when a text is to be looked at."""
    known_from: str = FILES
    """What the reading rests on."""

    def recognises(self, text: str) -> bool:
        """Whether `text` seems to be of this format."""
        return self._reader().recognises(text)

    def read(self, text: str, source: Source) -> list[Match]:
        """Return the matches in `text`; at least one."""
        return self._reader().read(text, source)

    def _reader(self) -> Reader:
        return cast("Reader", import_module(f"bganalyze.transcript.{self.module}"))


MAT = Format(
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
    "match_text.reader",
)

FORMATS: tuple[Format, ...] = (
    Format(
        "scribe",
        "the project's own text, for a scribe at the table (.bgm)",
        (".bgm",),
        ("bganalyze", "hand transcripts"),
        "scribe",
        OWN,
    ),
    Format(
        "json",
        "the model as JSON, as this program writes it (.json)",
        (".json",),
        ("bganalyze",),
        "model_json",
        OWN,
    ),
    Format(
        "sgf",
        "Smart Game Format (.sgf), FF[4] GM[6]",
        (".sgf",),
        ("GNU Backgammon",),
        "sgf.sgf",
    ),
    Format(
        "gnubg-text",
        "the report that GNU Backgammon exports as text",
        (".txt",),
        ("GNU Backgammon",),
        "gnubg_text",
    ),
    Format(
        "position",
        "positions: XGIDs, GNUbg IDs and Snowie's lines, with the report under them",
        (".txt",),
        ("eXtreme Gammon", "BGBlitz", "GNU Backgammon", "Snowie"),
        "position_text",
    ),
    Format(
        "sgg",
        "GamesGrid (.sgg)",
        (".sgg",),
        ("GamesGrid",),
        "rooms.sgg",
        IMPORTER,
    ),
    Format(
        "tmg",
        "TrueMoneyGames (.tmg)",
        (".tmg",),
        ("TrueMoneyGames",),
        "rooms.tmg",
        IMPORTER,
    ),
    Format(
        "party",
        "PartyGammon (.gam)",
        (".gam",),
        ("PartyGammon",),
        "rooms.party",
        IMPORTER,
    ),
    Format(
        "bgroom",
        "BGRoom text",
        (".bgf", ".txt"),
        ("BGRoom",),
        "rooms.bgroom",
        IMPORTER,
    ),
    Format(
        "bgammon",
        "bgammon.org (.match)",
        (".match",),
        ("bgammon.org",),
        "rooms.bgammon",
        DOCUMENTS,
    ),
    Format(
        "bkg",
        "Berliner's BKG",
        (".txt",),
        ("BKG",),
        "rooms.bkg",
        IMPORTER,
    ),
    Format(
        "gammon-empire",
        "GammonEmpire (.gam)",
        (".gam",),
        ("GammonEmpire",),
        "rooms.gammon_empire",
        IMPORTER,
    ),
    Format(
        "fibs",
        "the moves of an old match as FIBS lists them (`oldmoves`)",
        (".fibs", ".txt"),
        ("FIBS",),
        "rooms.fibs",
        IMPORTER,
    ),
    Format(
        "fibs-log",
        "a saved session on FIBS",
        (".log", ".txt"),
        ("FIBS and its clients",),
        "rooms.fibs_log",
    ),
    MAT,
)
"""Formats of text. The first that recognises a text reads it."""

KNOWN: tuple[Format | BinaryFormat, ...] = (*FORMATS, *BINARY_FORMATS)
"""Everything that is read."""
