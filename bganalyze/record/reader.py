"""Reading: bytes in, matches out, whatever the format."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from lark import Token, Tree

from bganalyze.record.builder import DamagedError, damage, notes_of_misfits
from bganalyze.record.match_text import reader as mat
from bganalyze.record.model import (
    Action,
    Double,
    Game,
    Match,
    Play,
    PlayRecord,
    Result,
    SetUp,
    Source,
    Span,
)
from bganalyze.record.refused import LIMIT, PACKED, TOO_LARGE, NotATranscript
from bganalyze.record.sessions import with_sessions_parted

if TYPE_CHECKING:
    from bganalyze.record.trees import LinePart

# From bytes to text: a byte order mark decides, then UTF-8, then CP1252. Nothing is lost.

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_KEPT_BYTES = "\udc80-\udcff"
_LATIN_1 = {0xDC00 + byte: byte for byte in range(0x80, 0x100)}
"""The characters for bytes that fit no encoding."""


class Decoded(NamedTuple):
    r"""The text with line ends as `\n`, and the bytes (start, end) that fit no encoding."""

    text: str
    encoding: str
    misfits: tuple[tuple[int, int], ...]


def decode(data: bytes) -> Decoded:
    r"""Return `data` as text; bytes that fit no encoding stay as characters and are reported.

    >>> decode("Bodø".encode("latin-1"))
    Decoded(text='Bodø', encoding='cp1252', misfits=())
    >>> decode(b"\xef\xbb\xbfa\r\nb\xff").misfits
    ((3, 4),)
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _marked(data[len(mark) :], encoding)
    if _looks_like_utf16(data):
        return _marked(data, "utf-16-le" if data[1:2] == b"\0" else "utf-16-be")
    try:
        return Decoded(_unified(data.decode("utf-8")), "utf-8", ())
    except UnicodeDecodeError:
        return _kept(data, "cp1252")


def _looks_like_utf16(data: bytes) -> bool:
    """Half of the bytes of plain text in UTF-16 are zero."""
    head = data[:200]
    return len(head) >= 4 and (head[0] == 0) != (head[1] == 0) and head.count(0) * 3 > len(head)


def _marked(data: bytes, encoding: str) -> Decoded:
    if encoding == "utf-8":
        return _kept(data, encoding)
    text = _unified(data.decode(encoding, "replace"))
    return Decoded(text, encoding, _runs("\ufffd", text))


def _kept(data: bytes, encoding: str) -> Decoded:
    """Return bytes as text; to look for those that do not fit takes longer than to see that all do."""
    try:
        return Decoded(_unified(data.decode(encoding)), encoding, ())
    except UnicodeDecodeError:
        text = _unified(data.decode(encoding, "surrogateescape"))
        return Decoded(text.translate(_LATIN_1), encoding, _runs(_KEPT_BYTES, text))


def _runs(characters: str, text: str) -> tuple[tuple[int, int], ...]:
    """Where such characters stand, one after another; no method of a string tells that."""
    return tuple(run.span() for run in re.finditer(f"[{characters}]+", text))


def _unified(text: str) -> str:
    r"""Line ends as `\n`; a mark inside, where files were joined, as a blank."""
    text = text.replace("\ufeff", " ")
    return text.replace("\r\n", "\n").replace("\r", "\n")


# The list of the formats that are read: one line here, one module, one grammar each.

FILES = "genuine files"
IMPORTER = "another program's importer"
DOCUMENTS = "documents"
OWN = "this program's own"


class Reader(Protocol):
    """What the module of a format offers."""

    def recognizes(self, text: str) -> bool:
        """Whether `text` seems to be of the format."""

    def read(self, text: str, source: Source) -> list[Match]:
        """Return the matches in `text`, at least one; or raise DamagedError."""

    def tree(self, text: str) -> Tree[Token]:
        """Return what `text` is made of: matches, games and their lines."""


class Format(NamedTuple):
    """One format that is read: how it is recognized and who reads it."""

    name: str
    description: str
    extensions: tuple[str, ...]
    dialects: tuple[str, ...]
    module: str
    """Under `bganalyze.record`; imported when a text is to be looked at."""
    known_from: str = FILES
    """What the reading rests on."""
    levels: tuple[str, ...] = ()
    """Grammars of what the lines of its own grammar hold: cells, or the steps of plays."""
    has_analyses: bool = False
    """Whether programs store analyses in it, or times."""

    @property
    def grammars(self) -> tuple[str, ...]:
        """The names of its grammars, that of its lines first; none where it is no text of its own."""
        return (self.name.replace("-", "_"), *self.levels)

    def recognizes(self, text: str) -> bool:
        """Whether `text` seems to be of this format."""
        return self._reader().recognizes(text)

    def read(self, text: str, source: Source) -> list[Match]:
        """Return the matches in `text`; at least one."""
        matches = self._reader().read(text, source)
        return _with_possible_analyses(matches) if self.has_analyses else matches

    def line_tree(self, text: str, line: int) -> LinePart | None:
        """Return what a line of `text` is made of; None where it is blank."""
        from bganalyze.record.trees import line_tree  # No check asks for it.

        return line_tree(self._reader(), text, line, self.grammars)

    def _reader(self) -> Reader:
        return cast("Reader", import_module(f"bganalyze.record.{self.module}"))


def _with_possible_analyses(matches: list[Match]) -> list[Match]:
    from bganalyze.record.stored import with_possible_analyses  # Most records have none.

    return list(map(with_possible_analyses, matches))


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
        "Foxamon",
        "choue.net",
        "HedgeHog",
    ),
    "match_text.reader",
    levels=("cell",),
)

FORMATS: tuple[Format, ...] = (
    Format(
        "bgm",
        "the project's own text, for a transcriber at the table (.bgm)",
        (".bgm",),
        ("bganalyze", "hand transcripts"),
        "bgm",
        OWN,
        ("action",),
        has_analyses=True,
    ),
    Format(
        "json",
        "the model as JSON, as this program writes it (.json)",
        (".json",),
        ("bganalyze",),
        "json",
        OWN,
        has_analyses=True,
    ),
    Format(
        "sgf",
        "Smart Game Format (.sgf), FF[4] GM[6]",
        (".sgf",),
        ("GNU Backgammon",),
        "sgf.reader",
        has_analyses=True,
    ),
    Format(
        "gnubg-text",
        "the report that GNU Backgammon exports, as text or as pages of HTML",
        (".txt", ".html"),
        ("GNU Backgammon",),
        "gnubg_text",
        levels=("cell",),
    ),
    Format(
        "position",
        "positions: XGIDs, GNUbg IDs, Position IDs and Snowie's lines, with the report under them",
        (".txt",),
        ("eXtreme Gammon", "BGBlitz", "GNU Backgammon", "Snowie"),
        "positions",
    ),
    Format(
        "sgg",
        "GamesGrid (.sgg)",
        (".sgg",),
        ("GamesGrid",),
        "sites.sgg",
        IMPORTER,
        ("cell",),
    ),
    Format(
        "tmg",
        "TrueMoneyGames (.tmg)",
        (".tmg",),
        ("TrueMoneyGames",),
        "sites.tmg",
        IMPORTER,
        ("cell",),
    ),
    Format(
        "party",
        "PartyGammon (.gam)",
        (".gam",),
        ("PartyGammon",),
        "sites.party",
        IMPORTER,
        ("cell",),
    ),
    Format(
        "bgroom",
        "BGRoom text",
        (".bgf", ".txt"),
        ("BGRoom",),
        "sites.bgroom",
        IMPORTER,
        ("cell",),
    ),
    Format(
        "bgammon",
        "bgammon.org (.match)",
        (".match",),
        ("bgammon.org",),
        "sites.bgammon",
        DOCUMENTS,
        ("cell",),
    ),
    Format(
        "bkg",
        "Berliner's BKG",
        (".txt",),
        ("BKG",),
        "sites.bkg",
        IMPORTER,
        ("cell",),
    ),
    Format(
        "gammon-empire",
        "GammonEmpire (.gam)",
        (".gam",),
        ("GammonEmpire",),
        "sites.gammon_empire",
        IMPORTER,
        levels=("cell",),
    ),
    Format(
        "fibs",
        "the moves of an old match as FIBS lists them (`oldmoves`)",
        (".fibs", ".txt"),
        ("FIBS",),
        "sites.fibs",
        IMPORTER,
        ("cell",),
    ),
    Format(
        "fibs-log",
        "a saved session on FIBS",
        (".log", ".txt"),
        ("FIBS and its clients",),
        "sites.fibs_log",
        levels=("cell",),
    ),
    MAT,
)
"""Formats of text. The first that recognizes a text reads it."""


# The binary formats, by how their bytes begin: grammars are of text.

# Those of JSON are not compiled before a brace is met, which few records have.
_BGF = rb"\{[^\n]{0,4000}\}\s*?\n(?:\x1f\x8b|\x78[\x01\x9c\xda]|:\)\n)"
_GVA = rb'(?:\xef\xbb\xbf)?\s*\{(?=[\s\S]{0,100000}?"games"\s*:)(?=[\s\S]{0,100000}?"plies"\s*:)'


def _is_xg(data: bytes) -> bool:
    return data.startswith(b"RGMH")


def _is_bgf(data: bytes) -> bool:
    return data.startswith(b"{") and re.match(_BGF, data) is not None


def _is_ogxm(data: bytes) -> bool:
    return data.startswith(b"OGXM")


def _is_gva(data: bytes) -> bool:
    return b"{" in data and re.match(_GVA, data) is not None


class BinaryFormat(NamedTuple):
    """One binary format that is read. What reads them is imported when one is met."""

    name: str
    description: str
    extensions: tuple[str, ...]
    dialects: tuple[str, ...]
    recognizes: Callable[[bytes], bool]
    known_from: str
    """What the reading rests on."""

    def read(self, data: bytes, path: str) -> list[Match]:
        """Return the match in `data`, which is of this format; or raise DamagedError."""
        from bganalyze.record.binary import read_binary

        return _with_possible_analyses(
            read_binary(self.name, self.description, self.dialects[-1], data, path)
        )


BINARY_FORMATS = (
    BinaryFormat(
        "xg",
        "eXtreme Gammon (.xg, .xgp)",
        (".xg", ".xgp"),
        ("eXtreme Gammon",),
        _is_xg,
        "genuine files",
    ),
    BinaryFormat("bgf", "BGBlitz (.bgf)", (".bgf",), ("BGBlitz",), _is_bgf, "gvformat"),
    BinaryFormat(
        "ogxm",
        "OGXM (.ogxm) and GammonView (.gvab)",
        (".ogxm", ".gvab"),
        ("OpenGammon", "GammonView"),
        _is_ogxm,
        "gvformat",
    ),
    BinaryFormat("gva", "GammonView (.gva)", (".gva",), ("GammonView",), _is_gva, "gvformat"),
)


def is_binary(data: bytes) -> bool:
    """Whether a file has no lines of text."""
    return any(binary.recognizes(data) for binary in BINARY_FORMATS)


KNOWN: tuple[Format | BinaryFormat, ...] = (*FORMATS, *BINARY_FORMATS)
"""Everything that is read."""


NOTHING_RECOGNIZED = (
    "nothing in it is a match: no match line, game line, score line or row"
    " (`bganalyze formats` lists what is read)"
)
NOTHING_TOLD = (
    "nothing in it is a match: line {line} looks like one, but no play and no result can be read"
)

PACKED_NAMES = (".zip", ".tar", ".7z", ".rar", ".gz", ".tgz", ".bz2", ".xz", ".zst")
"""Other files that are packed, such as documents, are no more than other files."""

NOT_UNPACKED = "{kind}, which is not opened here: unpack it first"
ONLY_BY_NAME = "{kind}, which is opened only by the name {ending}, and in one other at most"
NAMED_ARCHIVES = {"a zip archive": ".zip", "a tar archive": ".tar"}
"""Archives that are opened where their name says what they are."""

ONLY_RECORDS = frozenset(
    (".xg", ".xgp", ".bgf", ".ogxm", ".gvab", ".gva", ".bgm", ".sgg", ".tmg", ".fibs")
)
"""Nothing but records has such a name; other things are called `.mat`, `.sgf` or `.txt`, too."""

NO_FIRST_LINE = "the project's own text begins with the line 'bganalyze match'"

_FACES = frozenset(range(1, 7))


def read(path: str | Path) -> list[Match]:
    """Return the matches recorded in the file at `path`.

    Raises NotATranscript where nothing in it is a transcript, and OSError as `open` does.
    """
    with Path(path).open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        return read_bytes(file.read(min(size, LIMIT) + 1), str(path))


def read_bytes(data: bytes, path: str) -> list[Match]:
    """Return the matches in `data`, which is reported as `path`."""
    if len(data) > LIMIT:
        raise NotATranscript(path, TOO_LARGE)
    if not data.strip():
        raise NotATranscript(path, "the file is empty", _called(path))
    for binary in BINARY_FORMATS:
        if binary.recognizes(data):
            with _damage_told(path, binary.name):
                return binary.read(data, path)
    _refuse_packed(data, path)
    decoded = decode(data)
    text_format = _known_format(decoded.text, path)
    source = Source(path, decoded.encoding, decoded.text.split("\n"))
    with _damage_told(path, text_format.name):
        matches = text_format.read(decoded.text, source)
    if not any(map(_tells, matches)):
        raise NotATranscript(path, _with_hint(_nothing_told(matches), path), _called(path))
    return with_sessions_parted(_with_misfits(matches, decoded))


def parse_line(data: bytes, path: str, line: int) -> LinePart | None:
    """Return what a line of `data` is made of by the grammar of its format; None where it is blank.

    Raises NotATranscript where nothing is recognized, or no grammar describes what is.
    """
    if is_binary(data):
        raise NotATranscript(path, "no text: only lines of a text are made of words")
    _refuse_packed(data, path)
    text = decode(data[:LIMIT]).text
    known = _known_format(text, path)
    if known.name == "json":
        raise NotATranscript(path, "JSON: no grammar describes its lines", known.name)
    return known.line_tree(text, line)


def _refuse_packed(data: bytes, path: str) -> None:
    """Raise NotATranscript where bytes are an archive, or packed: never are they read as text."""
    for kind, (start, mark) in PACKED.items():
        if data.startswith(mark, start):
            ending = NAMED_ARCHIVES.get(kind)
            reason = (ONLY_BY_NAME if ending else NOT_UNPACKED).format(kind=kind, ending=ending)
            is_archive = path.casefold().endswith(PACKED_NAMES)
            raise NotATranscript(path, reason, kind if is_archive else None)


def _known_format(text: str, path: str) -> Format:
    """The format of a text; raise NotATranscript where it has none."""
    text_format = _format_of(text)
    if text_format is None:
        raise NotATranscript(path, _nothing_recognized(path), _called(path))
    return text_format


def _called(path: str) -> str | None:
    """The format of which a file is by its name; None where other things are called so, too."""
    extension = os.path.splitext(path)[1].casefold()
    if extension not in ONLY_RECORDS:
        return None
    return next(entry.name for entry in reversed(KNOWN) if extension in entry.extensions)


def _nothing_recognized(path: str) -> str:
    """Why nothing is read in a file that no format recognizes."""
    name = _called(path)
    binary = next((entry for entry in BINARY_FORMATS if entry.name == name), None)
    if binary is not None:
        return damage(binary.description)
    return _with_hint(NOTHING_RECOGNIZED, path)


@contextmanager
def _damage_told(path: str, recognized_as: str) -> Iterator[None]:
    """Say which file cannot be read, and in which format it is."""
    try:
        yield
    except DamagedError as error:
        raise NotATranscript(path, str(error), recognized_as) from error


def _format_of(text: str) -> Format | None:
    """The format of a text. One that begins with a match line needs no closer look."""
    if mat.begins_with_match_line(text):
        return MAT
    return next((text_format for text_format in FORMATS if text_format.recognizes(text)), None)


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
        played = action.steps or action.how in (PlayRecord.CANNOT_MOVE, PlayRecord.UNPLAYED)
        return bool(played) and action.dice is not None and set(action.dice) <= _FACES
    return isinstance(action, Result | SetUp) or (isinstance(action, Double) and bool(action.value))


def _with_hint(reason: str, path: str) -> str:
    """Add what a file lacks that is called as the project's own text is."""
    return f"{reason}; {NO_FIRST_LINE}" if path.casefold().endswith(".bgm") else reason


def _nothing_told(matches: list[Match]) -> str:
    """Why these are no matches, with the line at which the first of their games seems to begin."""
    first = next((game.span.line for match in matches for game in match.games), None)
    return NOTHING_RECOGNIZED if first is None else NOTHING_TOLD.format(line=first)


def _shown(span: Span, text: str, source: Source) -> Span:
    """Return the place of a text; of a page of HTML, where its line shows it, if it does."""
    line = source.lines[span.line - 1]
    if line[span.column - 1 : span.end_column - 1] == text or "\n" in text:
        return span
    column = max(line.find(text), 0) + 1
    return Span(span.line, column, column + len(text) * (text in line))


def _with_misfits(matches: list[Match], decoded: Decoded) -> list[Match]:
    """Add the undecodable bytes to the first match."""
    if not decoded.misfits:
        return matches
    first = matches[0]
    odd = tuple(
        note._replace(span=_shown(note.span, note.text, first.source))
        for note in notes_of_misfits(decoded.text, decoded.misfits)
    )
    return [first._replace(oddities=odd + first.oddities), *matches[1:]]
