"""Read the parts of an eXtreme Gammon file that gvformat leaves out: header and comments.

After a header and a picture comes an archive: a few files, each packed with zlib, and then their
list. `temp.xg` holds records of one size; the first is about the match. `temp.xgc` holds the
comments in RTF, to which records refer by number. The offsets are those of the makers'
`XGFile_format.txt`.
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

from bganalyze.record.binary_limits import MOST_INFLATED, check_inflated, inflate

HEADER = 8232
"""Bytes before the picture; the number at offset 20 is the size of the picture."""

MOST_COMMENTS = 1 << 20
"""Largest size of a file's inflated comments, in bytes: a book of 150,000 words."""

MOST_LISTED = 1 << 20
"""Largest size of the inflated list of files, in bytes; there are three or four."""

RECORD = 2560
RECORD_KIND = 8
"""Offset of the kind in a record."""

MATCH_RECORD, GAME_RECORD, CUBE_RECORD, MOVE_RECORD = range(4)
COMMENTS = {
    MATCH_RECORD: (576, 580),
    GAME_RECORD: (56, 60),
    CUBE_RECORD: (292,),
    MOVE_RECORD: (2524,),
}
"""Offsets of comment numbers; a match and a game have one for before and one for after."""

_ARCHIVE_END = struct.Struct("<4xi4xi20x")
"""Number of files in an archive, and packed size of their list."""

_ARCHIVED = struct.Struct("<256p256x4xiI8x")
"""A file in the list: name, packed size and offset."""

_MATCH = struct.Struct("<96xi4x2d2id132xi")
"""Variant, ratings, experience, date as Delphi counts it, and number of the match."""

VARIANTS = ("Backgammon", "Nackgammon", "HyperGammon", "LongGammon")

TEXTS: dict[str, tuple[int, int | None]] = {
    "Site": (1396, 283),
    "Event": (622, 136),
    "Round": (1654, 417),
    "Player 1": (880, 9),
    "Player 2": (1138, 50),
    "Transcriber": (1960, None),
}
"""Offsets of texts in UTF-16, and in older versions as bytes."""

_WIDE_BYTES = 258
_VERSION_AT = 552
_WIDE_SINCE, _TRANSCRIBER_SINCE = 24, 30
"""First versions of files with texts in UTF-16, and with the transcriber's name."""

_DELPHI_EPOCH = dt.datetime(1899, 12, 30)  # noqa: DTZ001 - a time as written, of no zone
_SECONDS_A_DAY = 86_400


class XgAdditions(NamedTuple):
    """Parts of an eXtreme Gammon file that gvformat's document lacks."""

    entries: Mapping[str, str] = {}
    """Header entries."""
    remarks: Sequence[str] = ()
    """Comments on the match."""
    game_remarks: Sequence[Mapping[int, Sequence[str]]] = ()
    """Comments of each game, by the number of actions before them."""


def extract_archive(data: bytes) -> bytes:
    """Return the compressed part of an eXtreme Gammon file."""
    return data[HEADER + int.from_bytes(data[20:24], "little") :]


def check_limits(data: bytes) -> None:
    """Raise DamagedError if an eXtreme Gammon file unpacks to more bytes than any match."""
    packed = extract_archive(data)
    try:
        inflate(packed)
    except zlib.error:  # gvformat also reads unpacked records.
        check_inflated(len(packed), MOST_INFLATED)


def read_records(data: bytes) -> list[bytes]:
    """Return the records of an XG file, such as one for each game."""
    content = inflate(extract_archive(data))
    return [
        content[offset : offset + RECORD] for offset in range(0, len(content) - RECORD + 1, RECORD)
    ]


def read_additions(
    data: bytes, actions_by_game: Sequence[Sequence[Mapping[str, Any]]]
) -> XgAdditions:
    """Return header entries and comments of an XG file that gvformat does not read.

    `actions_by_game` are the actions of each game as read by gvformat.
    """
    packed = extract_archive(data)
    records = read_records(data)
    begins = [n for n, record in enumerate(records) if record[RECORD_KIND] == GAME_RECORD]
    ends = [*begins[1:], len(records)]
    comments = _read_comments(packed)
    remarks = [
        text
        for offset in COMMENTS[MATCH_RECORD]
        for text in _take_comment(records[0], offset, comments)
    ]
    game_remarks = [
        _take_game_comments(records[begin:end], actions, comments)
        for actions, begin, end in zip(actions_by_game, begins, ends, strict=False)
    ]
    return XgAdditions(_read_entries(records[0]), remarks, game_remarks)


# -- the header -----------------------------------------------------------------------------------


def _read_entries(record: bytes) -> dict[str, str]:
    """Return the header entries in a match record, named as in XG's text."""
    variant, *ratings, days, number = _MATCH.unpack_from(record)
    version = _read_integer(record, _VERSION_AT)
    texts = {name: _read_text(record, version, *places) for name, places in TEXTS.items()}
    entries = {
        "Site": texts["Site"],
        "Match ID": str(number),
        "Event": texts["Event"],
        "Round": texts["Round"],
        "Player 1": texts["Player 1"],
        "Player 2": texts["Player 2"],
        "Player 1 Elo": f"{ratings[0]:.2f}/{ratings[2]}",
        "Player 2 Elo": f"{ratings[1]:.2f}/{ratings[3]}",
        **_make_date_entries(days),
        "Variation": VARIANTS[variant] if 0 <= variant < len(VARIANTS) else "",
        "Transcriber": texts["Transcriber"],
    }
    return {key: value for key, value in entries.items() if value}


def _read_text(record: bytes, version: int, utf16_offset: int, bytes_offset: int | None) -> str:
    """Return a text in a binary record, in the encoding of this `version` of the file format.

    Newer versions have UTF-16 at `utf16_offset`, older ones Windows-1252 at `bytes_offset`.
    """
    if version >= (_TRANSCRIBER_SINCE if bytes_offset is None else _WIDE_SINCE):
        text = record[utf16_offset : utf16_offset + _WIDE_BYTES].decode("utf-16-le", "replace")
        return text.partition("\0")[0]
    if bytes_offset is None:
        return ""
    return record[bytes_offset + 1 : bytes_offset + 1 + record[bytes_offset]].decode(
        "cp1252", "replace"
    )


def _make_date_entries(days: float) -> dict[str, str]:
    """Return the header entries `EventDate` and `EventTime` for a moment in Delphi's days."""
    try:
        moment = _DELPHI_EPOCH + dt.timedelta(seconds=round(days * _SECONDS_A_DAY))
    except (ValueError, OverflowError):
        return {}
    return make_time_entries(moment) if days > 0 else {}


def make_time_entries(moment: dt.datetime) -> dict[str, str]:
    """Return the header entries for a day and time. Midnight means that the time is unknown.

    >>> make_time_entries(dt.datetime(2023, 11, 26, 9, 30))
    {'EventDate': '2023.11.26', 'EventTime': '09.30'}
    """
    day = {"EventDate": f"{moment:%Y.%m.%d}"}
    return day if moment.time() == dt.time() else day | {"EventTime": f"{moment:%H.%M}"}


def _read_integer(data: bytes, offset: int) -> int:
    """Return the signed integer in the four bytes at an offset."""
    return int.from_bytes(data[offset : offset + 4], "little", signed=True)


# -- the comments ---------------------------------------------------------------------------------


def _take_game_comments(
    records: Sequence[bytes], actions: Sequence[Mapping[str, Any]], all_comments: dict[int, bytes]
) -> dict[int, list[str]]:
    """Remove a game's comments from `all_comments`, and return them by place in the game.

    The place is the number of `actions`, as read by gvformat, before the comment.
    """
    rolls = [number for number, action in enumerate(actions) if action.get("d1")]
    remarks: dict[int, list[str]] = defaultdict(list)
    before_game, after_game = COMMENTS[GAME_RECORD]
    remarks[0] += _take_comment(records[0], before_game, all_comments)
    played = 0
    for record in records[1:]:
        place = rolls[played] if played < len(rolls) else len(actions)
        if record[RECORD_KIND] == MOVE_RECORD:
            played += 1
            place = min(place + 1, len(actions))
        if record[RECORD_KIND] in (CUBE_RECORD, MOVE_RECORD):
            (offset,) = COMMENTS[record[RECORD_KIND]]
            remarks[place] += _take_comment(record, offset, all_comments)
    remarks[len(actions)] += _take_comment(records[0], after_game, all_comments)
    return remarks


def _take_comment(record: bytes, number_offset: int, all_comments: dict[int, bytes]) -> list[str]:
    """Remove a record's comment from `all_comments`, and return it in a list, or an empty list.

    The number of the comment is in the record at `number_offset`.
    """
    comment = read_rtf_text(all_comments.pop(_read_integer(record, number_offset), b""))
    return [comment] if comment else []


def _read_comments(packed: bytes) -> dict[int, bytes]:
    """Return the comments (in RTF) by number, or none if they are damaged."""
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


# RTF is bytes inside a binary file, so that no grammar describes it.
_RTF = re.compile(
    rb"\\(?P<word>[a-zA-Z]++)(?P<number>-?[0-9]{1,9})? ?|(?P<codes>(?:\\'[0-9a-fA-F][0-9a-fA-F])++)"
    rb"|\\(?P<sign>.)|(?P<brace>[{}])|(?P<text>[^\\{}\x00-\x08\r\n]++)",
    re.DOTALL,
)
_SIGNS = {b"~": b" ", b"_": b"-", b"\\": b"\\", b"{": b"{", b"}": b"}"}
_WORDS = {b"par": "\n", b"line": "\n", b"tab": "\t", b"emdash": "\u2014", b"endash": "\u2013"} | {
    name + b"quote": sign
    for name, sign in ((b"l", "\u2018"), (b"r", "\u2019"), (b"ldbl", "\u201c"), (b"rdbl", "\u201d"))
}
_TABLES = frozenset((b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pict"))
"""Groups without text."""

_CHARACTER_SETS = {
    128: "cp932", 129: "cp949", 134: "gbk", 136: "big5", 161: "cp1253", 162: "cp1254", 177: "cp1255",
    178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
"""Encodings of fonts that differ from the text's own."""


class _Group(NamedTuple):
    """State of the reader within a pair of RTF braces."""

    font: int = 0
    is_silent: bool = False
    replaced: int = 1
    """Number of plain characters that follow each Unicode character as its substitute for old
    programs."""


def read_rtf_text(rtf: bytes) -> str:
    r"""Return the text in RTF, which may be damaged.

    >>> read_rtf_text(rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}\fs20 a 6-6, d\'e9j\'e0\par}")
    'a 6-6, déjà'
    """
    reader = _RtfReader()
    for token in _RTF.finditer(rtf):
        reader.read_token(token)
    # A character beyond the first 65,536 is written as two surrogates.
    halves = "".join(reader.written).encode("utf-16-le", "surrogatepass")
    return halves.decode("utf-16-le", "replace").strip()


class _RtfReader:
    """Reads RTF: collects its text, and knows the font at each place."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self._encoding = "cp1252"
        self._encodings: dict[int, str] = {}
        """Encodings of fonts that differ from `_encoding`."""
        self._group = _Group()
        self._outer: list[_Group] = []
        self._skipped = 0
        """Number of characters to skip, because they repeat a Unicode one."""

    def read_token(self, token: re.Match[bytes]) -> None:
        """Read a token: a control word, an escaped character, a brace or text."""
        word, digits, codes, sign, brace, text = token.groups()
        if brace == b"{":
            self._outer.append(self._group)
        elif brace:
            self._group = self._outer.pop() if self._outer else self._group
        elif word in _TABLES or sign == b"*":
            self._group = self._group._replace(is_silent=True)
        elif word:
            self._apply_command(word, int(digits) if digits else None)
        elif not self._group.is_silent:
            self._write(_SIGNS.get(sign, b"") if sign else text or _decode_hexadecimal(codes))

    def _apply_command(self, word: bytes, number: int | None) -> None:
        """Carry out a control word, which may add a character to the text."""
        match word:
            case b"f":
                self._group = self._group._replace(font=number or 0)
            case b"uc":
                self._group = self._group._replace(replaced=max(number or 0, 0))
            case b"fcharset" if number in _CHARACTER_SETS:
                self._encodings[self._group.font] = _CHARACTER_SETS[number]
            case b"ansicpg":
                self._encoding = _find_encoding(f"cp{number}") or self._encoding
            case b"u" if number is not None and not self._group.is_silent:
                self.written.append(chr(number % 0x10000))
                self._skipped = self._group.replaced
            case _ if word in _WORDS and not self._group.is_silent:
                self.written.append(_WORDS[word])

    def _write(self, text: bytes) -> None:
        """Decode bytes in the current font's encoding, and add them to the text."""
        encoding = self._encodings.get(self._group.font, self._encoding)
        self.written.append(text[self._skipped :].decode(encoding, "replace"))
        self._skipped = max(self._skipped - len(text), 0)


def _decode_hexadecimal(codes: bytes) -> bytes:
    r"""Return the bytes for RTF's hexadecimal codes.

    >>> _decode_hexadecimal(rb"\'e9\'41")
    b'\xe9A'
    """
    return bytes.fromhex(codes.decode().replace("\\'", ""))


def _find_encoding(name: str) -> str | None:
    """Return Python's name for an encoding, or None for an unknown one."""
    try:
        return codecs.lookup(name).name
    except LookupError:
        return None
