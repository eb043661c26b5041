"""What gvformat leaves out of a file of eXtreme Gammon: most of its header, and the comments.

Behind a header and a picture stands an archive: a few files, each packed by zlib, and behind them
their list. `temp.xg` holds records of one size, of which the first is about the match. `temp.xgc`
holds the comments in RTF; records have their numbers. The places are those that the makers published
as `XGFile_format.txt`.
"""

from __future__ import annotations

import codecs
import datetime as dt
import re
import struct
import zlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bganalyze.record.guard import MOST_INFLATED, check_inflated, inflate

HEADER = 8232
"""Bytes before the picture; their number at 20 says how large the picture is."""

MOST_COMMENTS = 1 << 20
"""The most that the comments of a file inflate to, in bytes: a book of 150,000 words."""

MOST_LISTED = 1 << 20
"""The same for the list of the files in the archive, of which there are three or four."""

RECORD = 2560
RECORD_KIND = 8
"""Where in a record its kind stands."""

MATCH_RECORD, GAME_RECORD, CUBE_RECORD, MOVE_RECORD = range(4)
COMMENTS = {
    MATCH_RECORD: (576, 580),
    GAME_RECORD: (56, 60),
    CUBE_RECORD: (292,),
    MOVE_RECORD: (2524,),
}
"""Where the numbers of comments stand; of a match and a game that of the first and of the last."""

_ARCHIVE_END = struct.Struct("<4xi4xi20x")
"""How many files an archive has, and how many bytes their list takes, packed."""

_ARCHIVED = struct.Struct("<256p256x4xiI8x")
"""A file in the list: its name, how many bytes it takes, packed, and where they begin."""

_MATCH = struct.Struct("<96xi4x2d2id132xi")
"""Variant, ratings, experience, the day as Delphi counts it, and the number of the match."""

VARIANTS = ("Backgammon", "Nackgammon", "HyperGammon", "LongGammon")

TEXTS: dict[str, tuple[int, int | None]] = {
    "Site": (1396, 283),
    "Event": (622, 136),
    "Round": (1654, 417),
    "Player 1": (880, 9),
    "Player 2": (1138, 50),
    "Transcriber": (1960, None),
}
"""Where texts stand as UTF-16, and for older versions as bytes."""

_WIDE_BYTES = 258
_VERSION_AT = 552
_WIDE_SINCE, _TRANSCRIBER_SINCE = 24, 30
"""The versions of a file from which on it has texts in UTF-16, and who has transcribed it."""

_DELPHI_EPOCH = dt.datetime(1899, 12, 30)  # noqa: DTZ001 - a time as written, of no zone
_SECONDS_A_DAY = 86_400


class Additions(NamedTuple):
    """What a file says beyond its document."""

    entries: Mapping[str, str] = {}
    """Entries of the header."""
    remarks: Sequence[str] = ()
    """Comments on the match."""
    game_remarks: Sequence[Mapping[int, Sequence[str]]] = ()
    """Those of each game, by the number of its actions before them."""


def archive(data: bytes) -> bytes:
    """Return the archive in a file of eXtreme Gammon."""
    return data[HEADER + int.from_bytes(data[20:24], "little") :]


def check(data: bytes) -> None:
    """Raise DamagedError if a file of eXtreme Gammon holds more than any match does."""
    packed = archive(data)
    try:
        inflate(packed)
    except zlib.error:  # gvformat reads records that are not packed, too.
        check_inflated(len(packed), MOST_INFLATED)


def read_records(data: bytes) -> list[bytes]:
    """Return the records of a file: of its match, and of each game, decision and ending."""
    content = inflate(archive(data))
    return [content[at : at + RECORD] for at in range(0, len(content) - RECORD + 1, RECORD)]


def additions(data: bytes, games: Sequence[Sequence[Mapping[str, Any]]]) -> Additions:
    """Return what gvformat leaves out of a file; `games` are the actions that it reads."""
    packed = archive(data)
    records = read_records(data)
    begins = [n for n, record in enumerate(records) if record[RECORD_KIND] == GAME_RECORD]
    ends = [*begins[1:], len(records)]
    comments = _comments(packed)
    remarks = [text for at in COMMENTS[MATCH_RECORD] for text in _comment(records[0], at, comments)]
    game_remarks = [
        _game_remarks(records[begin:end], actions, comments)
        for actions, begin, end in zip(games, begins, ends, strict=False)
    ]
    return Additions(_entries(records[0]), remarks, game_remarks)


# -- the header -----------------------------------------------------------------------------------


def _entries(record: bytes) -> dict[str, str]:
    """Return what the record of the match says, by the names that eXtreme Gammon's text has."""
    variant, *ratings, days, number = _MATCH.unpack_from(record)
    version = _integer(record, _VERSION_AT)
    texts = {name: _text(record, version, *places) for name, places in TEXTS.items()}
    entries = {
        "Site": texts["Site"],
        "Match ID": str(number),
        "Event": texts["Event"],
        "Round": texts["Round"],
        "Player 1": texts["Player 1"],
        "Player 2": texts["Player 2"],
        "Player 1 Elo": f"{ratings[0]:.2f}/{ratings[2]}",
        "Player 2 Elo": f"{ratings[1]:.2f}/{ratings[3]}",
        **_when(days),
        "Variation": VARIANTS[variant] if 0 <= variant < len(VARIANTS) else "",
        "Transcriber": texts["Transcriber"],
    }
    return {key: value for key, value in entries.items() if value}


def _text(record: bytes, version: int, wide: int, narrow: int | None) -> str:
    """A text: in UTF-16 up to a zero, or in an older file as bytes behind their number."""
    if version >= (_TRANSCRIBER_SINCE if narrow is None else _WIDE_SINCE):
        text = record[wide : wide + _WIDE_BYTES].decode("utf-16-le", "replace")
        return text.partition("\0")[0]
    if narrow is None:
        return ""
    return record[narrow + 1 : narrow + 1 + record[narrow]].decode("cp1252", "replace")


def _when(days: float) -> dict[str, str]:
    """The day, and the time unless it is midnight, which stands for none."""
    try:
        moment = _DELPHI_EPOCH + dt.timedelta(seconds=round(days * _SECONDS_A_DAY))
    except (ValueError, OverflowError):
        return {}
    return time_entries(moment) if days > 0 else {}


def time_entries(moment: dt.datetime) -> dict[str, str]:
    """Return the entries of a header for a day and time; midnight stands for a day alone.

    >>> time_entries(dt.datetime(2023, 11, 26, 9, 30))
    {'EventDate': '2023.11.26', 'EventTime': '09.30'}
    """
    day = {"EventDate": f"{moment:%Y.%m.%d}"}
    return day if moment.time() == dt.time() else day | {"EventTime": f"{moment:%H.%M}"}


def _integer(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little", signed=True)


# -- the comments ---------------------------------------------------------------------------------


def _game_remarks(
    records: Sequence[bytes], actions: Sequence[Mapping[str, Any]], comments: dict[int, bytes]
) -> dict[int, list[str]]:
    """Return the comments of a game by the number of actions before them.

    One on the cube stands before the next roll, behind what was done with the cube.
    """
    rolls = [number for number, action in enumerate(actions) if action.get("d1")]
    remarks: dict[int, list[str]] = defaultdict(list)
    above, below = COMMENTS[GAME_RECORD]
    remarks[0] += _comment(records[0], above, comments)
    played = 0
    for record in records[1:]:
        place = rolls[played] if played < len(rolls) else len(actions)
        if record[RECORD_KIND] == MOVE_RECORD:
            played += 1
            place = min(place + 1, len(actions))
        if record[RECORD_KIND] in (CUBE_RECORD, MOVE_RECORD):
            (at,) = COMMENTS[record[RECORD_KIND]]
            remarks[place] += _comment(record, at, comments)
    remarks[len(actions)] += _comment(records[0], below, comments)
    return remarks


def _comment(record: bytes, at: int, comments: dict[int, bytes]) -> list[str]:
    """Take the comment whose number stands in a record: no damage makes many of one."""
    comment = rtf_text(comments.pop(_integer(record, at), b""))
    return [comment] if comment else []


def _comments(packed: bytes) -> dict[int, bytes]:
    """Return the comments in RTF by their numbers; none where the list of the archive is damaged."""
    try:
        _, size = _ARCHIVE_END.unpack(packed[-_ARCHIVE_END.size :])
        listed = inflate(packed[-_ARCHIVE_END.size - size : -_ARCHIVE_END.size], MOST_LISTED)
        for name, length, start in _ARCHIVED.iter_unpack(listed):
            if name == b"temp.xgc":
                lines = inflate(packed[start : start + length], MOST_COMMENTS).split(b"\r\n")
                return {number: line for number, line in enumerate(lines) if line}
    except (struct.error, zlib.error):
        pass
    return {}


# Rich text is bytes inside a binary file, and no grammar of records.
_RTF = re.compile(
    rb"\\(?P<word>[a-zA-Z]++)(?P<number>-?[0-9]{1,9})? ?|(?P<codes>(?:\\'[0-9a-fA-F]{2})++)"
    rb"|\\(?P<sign>.)|(?P<brace>[{}])|(?P<text>[^\\{}\x00-\x08\r\n]++)",
    re.DOTALL,
)
_SIGNS = {b"~": b" ", b"_": b"-", b"\\": b"\\", b"{": b"{", b"}": b"}"}
_WORDS = {b"par": "\n", b"line": "\n", b"tab": "\t", b"emdash": "\u2014", b"endash": "\u2013"} | {
    name + b"quote": sign
    for name, sign in ((b"l", "\u2018"), (b"r", "\u2019"), (b"ldbl", "\u201c"), (b"rdbl", "\u201d"))
}
_TABLES = frozenset((b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pict"))
"""Groups that hold no text."""

_CHARACTER_SETS = {
    128: "cp932", 129: "cp949", 134: "gbk", 136: "big5", 161: "cp1253", 162: "cp1254", 177: "cp1255",
    178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
"""The encodings of fonts, where they are not that of the whole text."""


class _Group(NamedTuple):
    """What holds within braces of RTF."""

    font: int = 0
    is_silent: bool = False
    replaced: int = 1
    """How many characters stand for one of Unicode, for programs that do not know that."""


def rtf_text(rtf: bytes) -> str:
    r"""Return what RTF says, without its looks. It is read to the end, whatever it holds.

    >>> rtf_text(rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}\fs20 a 6-6, d\'e9j\'e0\par}")
    'a 6-6, déjà'
    """
    reader = _RtfReader()
    for token in _RTF.finditer(rtf):
        reader.add(token)
    # A character beyond the first 65,536 is written as two halves.
    halves = "".join(reader.written).encode("utf-16-le", "surrogatepass")
    return halves.decode("utf-16-le", "replace").strip()


class _RtfReader:
    """The text that was read so far, and what holds at this place."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self._encoding = "cp1252"
        self._encodings: dict[int, str] = {}
        """Of fonts that have another one."""
        self._group = _Group()
        self._outer: list[_Group] = []
        self._skipped = 0
        """How many characters to come stand for one of Unicode that was read."""

    def add(self, token: re.Match[bytes]) -> None:
        """Read on by a word, a sign, a brace or some text."""
        word, digits, codes, sign, brace, text = token.groups()
        if brace == b"{":
            self._outer.append(self._group)
        elif brace:
            self._group = self._outer.pop() if self._outer else self._group
        elif word in _TABLES or sign == b"*":
            self._group = self._group._replace(is_silent=True)
        elif word:
            self._command(word, int(digits) if digits else None)
        elif not self._group.is_silent:
            self._write(_SIGNS.get(sign, b"") if sign else text or _bytes_of(codes))

    def _command(self, word: bytes, number: int | None) -> None:
        match word:
            case b"f":
                self._group = self._group._replace(font=number or 0)
            case b"uc":
                self._group = self._group._replace(replaced=max(number or 0, 0))
            case b"fcharset" if number in _CHARACTER_SETS:
                self._encodings[self._group.font] = _CHARACTER_SETS[number]
            case b"ansicpg":
                self._encoding = _encoding(f"cp{number}") or self._encoding
            case b"u" if number is not None and not self._group.is_silent:
                self.written.append(chr(number % 0x10000))
                self._skipped = self._group.replaced
            case _ if word in _WORDS and not self._group.is_silent:
                self.written.append(_WORDS[word])

    def _write(self, text: bytes) -> None:
        encoding = self._encodings.get(self._group.font, self._encoding)
        self.written.append(text[self._skipped :].decode(encoding, "replace"))
        self._skipped = max(self._skipped - len(text), 0)


def _bytes_of(codes: bytes) -> bytes:
    return bytes.fromhex(codes.decode().replace("\\'", ""))


def _encoding(name: str) -> str | None:
    """Return the name of an encoding that there is."""
    try:
        return codecs.lookup(name).name
    except LookupError:
        return None
