"""Read match files of every format: from bytes to matches."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from lark import Token, Tree

from bganalyze.record.builder import (
    DamagedError,
    Places,
    describe_damage,
    note_undecodable_bytes,
)
from bganalyze.record.cleaning.clean import CHARACTERS, PAGES, ROWS, Cleaned, DamageSearch
from bganalyze.record.decoding import Decoded, decode
from bganalyze.record.match_text import reader as mat
from bganalyze.record.model import (
    Action,
    Double,
    Game,
    Match,
    Play,
    PlayRecord,
    ReaderNote,
    Result,
    RulingMade,
    SetUp,
    Source,
    Span,
)
from bganalyze.record.not_a_transcript import (
    LIMIT,
    NOTHING_RECOGNIZED,
    OLD_OFFICE,
    OLD_OFFICE_MARK,
    PACKED,
    TOO_LARGE,
    WITHOUT_TEXT,
    NotATranscript,
)
from bganalyze.record.own_files import OWN_FILE, is_own_file
from bganalyze.record.sessions import split_sessions

if TYPE_CHECKING:
    from bganalyze.record.encodings import EncodingRemark
    from bganalyze.record.line_tree import LinePart

_MAYBE_MISREAD = re.compile(
    r"[Â-ôВ-ф][\x80-\xbf\u0152-\u0192\u02c6-\u02dc\u0402-\u040f\u0452-\u045f\u2013-\u2122]"
)
"""Start of a character of UTF-8 that was read as CP1252 or CP1251."""

# Text formats: each has one entry here, one module and one grammar.

FILES = "genuine files"
IMPORTER = "another program's importer"
DOCUMENTS = "documents"
OWN = "this program's own"


class Reader(Protocol):
    """A module that reads a text format."""

    def recognizes(self, text: str) -> bool:
        """Whether a text looks like this format."""

    def read(self, text: str, source: Source) -> list[Match]:
        """Return the matches in a text, at least one, or raise DamagedError."""

    def tree(self, text: str) -> Tree[Token]:
        """Return the parse tree of a text: matches, games and their lines."""

    def find_statistics(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the start and end offset of each part with statistics."""


class Format(NamedTuple):
    """A text format: how to recognize it and which module reads it."""

    name: str
    description: str
    extensions: tuple[str, ...]
    dialects: tuple[str, ...]
    module: str
    """Module under `bganalyze.record`, imported when a text has to be recognized."""
    known_from: str = FILES
    """Source of the knowledge of the format."""
    levels: tuple[str, ...] = ()
    """Grammars for parts of a line: cells, or the steps of plays."""
    has_analyses: bool = False
    """Whether programs store analyses or times in this format."""
    has_statistics: bool = False
    """Whether a program appends statistics; undecodable bytes in them are no damage to the match."""

    @property
    def grammars(self) -> tuple[str, ...]:
        """Names of the format's grammars: first for lines, then for parts of a line."""
        return (self.name.replace("-", "_"), *self.levels)

    def recognizes(self, text: str) -> bool:
        """Whether a text looks like this format."""
        return self._reader().recognizes(text)

    def read(self, text: str, source: Source) -> list[Match]:
        """Return the matches in a text of this format."""
        matches = self._reader().read(text, source)
        return _omit_impossible_analyses(matches) if self.has_analyses else matches

    def ignore_bytes_in_statistics(self, decoded: Decoded) -> Decoded:
        """Return a decoded text that reports no undecodable bytes in the parts with statistics."""
        if not (self.has_statistics and decoded.misfits):
            return decoded
        parts = list(self._reader().find_statistics(decoded.text))
        starts = [start for start, _ in parts]
        kept = []
        for misfit in decoded.misfits:
            part = bisect_right(starts, misfit[0]) - 1
            if part < 0 or misfit[0] >= parts[part][1]:
                kept.append(misfit)
        return decoded._replace(misfits=tuple(kept))

    def line_tree(self, text: str, line: int) -> LinePart | None:
        """Return the parts of one line of a text as a tree, or None if the line is blank.

        `line` counts from 1.
        """
        from bganalyze.record.line_tree import parse_single_line  # No check needs it.

        return parse_single_line(self._reader(), text, line, self.grammars)

    def _reader(self) -> Reader:
        """Return the module that reads this format. It is imported when first needed."""
        return cast("Reader", import_module(f"bganalyze.record.{self.module}"))


def _omit_impossible_analyses(matches: list[Match]) -> list[Match]:
    """Return the matches without impossible numbers in analyses, such as a winning chance of 2."""
    from bganalyze.record.recorded_analysis import (
        omit_impossible_numbers,  # Few match files need it.
    )

    return list(map(omit_impossible_numbers, matches))


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
        "BackgammonSage",
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
        has_analyses=True,
        has_statistics=True,
    ),
    Format(
        "position",
        "positions: XGIDs, GNUbg IDs, Position IDs and Snowie's lines, with the report beside them",
        (".txt", ".html"),
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
        "javafibs",
        "JavaFIBS's own record of a match (.match)",
        (".match",),
        ("JavaFIBS",),
        "sites.javafibs",
        levels=("cell",),
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
    Format(
        "gnubg-script",
        "commands of GNU Backgammon, as scripts hold them (`set dice`, `move`)",
        (".txt",),
        ("GNU Backgammon commands",),
        "gnubg_script",
        levels=("cell",),
    ),
    MAT,
)
"""Text formats. The first one that recognizes a text reads it."""


# Binary formats, recognized by their first bytes; grammars describe text only.

# Patterns of formats based on JSON: compiled only for files with a brace, which are few.
_BGF = rb"\{[^\n]{0,4000}\}\s*?\n(?:\x1f\x8b|\x78[\x01\x9c\xda]|:\)\n)"
_GVA = rb'(?:\xef\xbb\xbf)?\s*\{(?=[\s\S]{0,100000}?"games"\s*:)(?=[\s\S]{0,100000}?"plies"\s*:)'


def _is_xg(data: bytes) -> bool:
    """Whether a file has the format of eXtreme Gammon."""
    return data.startswith(b"RGMH")


def _is_bgf(data: bytes) -> bool:
    """Whether a file has the format of BGBlitz."""
    return data.startswith(b"{") and re.match(_BGF, data) is not None


def _is_ogxm(data: bytes) -> bool:
    """Whether a file has the format OGXM."""
    return data.startswith(b"OGXM")


def _is_gva(data: bytes) -> bool:
    """Whether a file has GammonView's format in JSON."""
    return b"{" in data and re.match(_GVA, data) is not None


class BinaryFormat(NamedTuple):
    """A binary format. Its reader is imported when the first such file is met."""

    name: str
    description: str
    extensions: tuple[str, ...]
    dialects: tuple[str, ...]
    recognizes: Callable[[bytes], bool]
    known_from: str
    """Source of the knowledge of the format."""

    def read(self, data: bytes, path: str) -> list[Match]:
        """Return the matches in a file of this format, or raise DamagedError."""
        from bganalyze.record.binary import read_binary

        return _omit_impossible_analyses(
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
    """Whether a file has a binary format for matches."""
    return any(binary.recognizes(data) for binary in BINARY_FORMATS)


KNOWN: tuple[Format | BinaryFormat, ...] = (*FORMATS, *BINARY_FORMATS)
"""All formats that can be read."""


NOTHING_READABLE = (
    "no match found: line {line} looks like a game, but no play or result in it can be read"
)

WITHOUT_READABLE_TEXT = "no match found: this is {kind}; save the match as text"

PACKED_NAMES = (".zip", ".tar", ".7z", ".rar", ".gz", ".tgz", ".bz2", ".xz", ".zst")
"""Endings of archives and packed files. Other packed files, such as documents, count as unrelated
files."""

NOT_UNPACKED = "{kind}: unpack it first"
ONLY_BY_NAME = (
    "{kind}: let its name end in {ending}, or unpack it if it is inside two other archives"
)
NAMED_ARCHIVES = {"a zip archive": ".zip", "a tar archive": ".tar"}
"""Archives that are opened only if their name has the right ending."""

ONLY_RECORDS = frozenset(
    (
        *(".xg", ".xgp", ".bgf", ".ogxm", ".gvab", ".gva", ".bgm", ".sgg", ".tmg", ".fibs"),
        *(".mat", ".sgf", ".gam", ".match"),
    )
)
"""Endings that show a match file; `.txt`, `.json`, `.html` and `.log` are used for other files too."""

_OTHER_PROGRAMS = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:MATLAB |# Created by Octave|\(;[^;]*?(?:SZ\[|GM\[(?!\s*6\s*\])\d))"
)
"""The beginning of intact files with such an ending that hold no backgammon: data of MATLAB and Octave
(`.mat`), and game trees of go and chess (`.sgf`)."""

NO_FIRST_LINE = "a .bgm file begins with the line 'bganalyze match'"

_FACES = frozenset(range(1, 7))


def read(path: str | Path) -> list[Match]:
    """Return the matches in the file at `path`.

    Raises NotATranscript if the file is not a match file, and OSError as `open` does.
    """
    with Path(path).open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        return read_bytes(file.read(min(size, LIMIT) + 1), str(path))


def read_bytes(data: bytes, path: str) -> list[Match]:
    """Return the matches in the bytes of a file. `path` is its name in messages.

    Raises NotATranscript if it is no match file.
    """
    if len(data) > LIMIT:
        raise NotATranscript(path, TOO_LARGE)
    if not data.strip():
        raise NotATranscript(path, "the file is empty", _find_format_of_extension(path, data))
    for binary in BINARY_FORMATS:
        if binary.recognizes(data):
            with _name_damaged_file(path, binary.name):
                return binary.read(data, path)
    _refuse_packed(data, path)
    if is_own_file(data):
        raise NotATranscript(path, OWN_FILE)
    decoded = decode(data)
    source = Source(path, decoded.encoding, decoded.text.split("\n"))
    matches = _read_clean_match_text(decoded.text, source)
    if matches is not None:
        return split_sessions(_add_notes_on_bytes(matches, decoded))
    cleaned, text_format = _clean_and_recognize(decoded.text, path, data)
    source = _take_cleaned_lines(source, cleaned)
    with _name_damaged_file(path, text_format.name):
        matches = text_format.read(cleaned.text, source)
    if not any(map(_has_content, matches)):
        reason = _add_bgm_hint(_explain_no_match(matches), path)
        raise NotATranscript(path, reason, _find_format_of_extension(path, data))
    if cleaned.is_changed:
        matches = _add_notes_to_first_match(map(cleaned.restore_places, matches), cleaned.notes())
    decoded = text_format.ignore_bytes_in_statistics(decoded)
    if text_format.name == "json":  # It keeps the notes of the file it was made from.
        return split_sessions(_add_undecodable_bytes(matches, decoded))
    return split_sessions(_add_notes_on_bytes(matches, decoded))


def _take_cleaned_lines(source: Source, cleaned: Cleaned) -> Source:
    """Return a source that has the lines of the cleaned text."""
    return source._replace(lines=cleaned.text.split("\n")) if cleaned.is_changed else source


def _read_clean_match_text(text: str, source: Source) -> list[Match] | None:
    """Return the matches in match text without damage, or None for any other text."""
    if not mat.can_read_early(text):
        return None
    search = DamageSearch(text)
    if search.has_damaged_characters():
        return None
    early = mat.read_early(text, source)
    if early is None or search.has_damaged_lines(early.unusual_lines):
        return None
    return early.matches


def parse_line(data: bytes, path: str, line: int) -> LinePart | None:
    """Return one line of a file as a tree, or None if the line is blank.

    `path` is the name of the file in messages. Raises NotATranscript if no text format recognizes
    the file, or its format has no grammar.
    """
    if is_binary(data):
        raise NotATranscript(path, "a binary file, which has no lines to parse")
    _refuse_packed(data, path)
    text = decode(data if len(data) <= LIMIT else data[:LIMIT]).text
    cleaned, known = _clean_and_recognize(text, path, data)
    if known.name == "json":
        raise NotATranscript(path, "JSON: no grammar describes its lines", known.name)
    if not "".join(text.split("\n")[line - 1 : line]).strip():
        return None
    return known.line_tree(cleaned.text, cleaned.find_cleaned_line(line))


def _refuse_packed(data: bytes, path: str) -> None:
    """Raise NotATranscript if a file is compressed, or an archive."""
    if data.startswith(OLD_OFFICE_MARK):
        raise NotATranscript(path, OLD_OFFICE)
    for kind, (start, mark) in PACKED.items():
        if data.startswith(mark, start):
            ending = NAMED_ARCHIVES.get(kind)
            reason = (ONLY_BY_NAME if ending else NOT_UNPACKED).format(kind=kind, ending=ending)
            is_archive = path.casefold().endswith(PACKED_NAMES)
            raise NotATranscript(path, reason, kind if is_archive else None)


_MOST_ROUNDS = 4
"""Rounds of cleaning: a text may have been quoted or escaped several times."""


def clean_text(text: str, path: str) -> Cleaned:
    """Return the text of a file, cleaned of damage; raise NotATranscript if no format fits."""
    return _clean_and_recognize(text, path, text.encode("utf-8", "surrogatepass"))[0]


def _clean_and_recognize(text: str, path: str, data: bytes) -> tuple[Cleaned, Format]:
    """Clean a text of damage, and return it with its format; raise NotATranscript if none fits."""
    cleaned = Cleaned(text).clean(CHARACTERS)
    text_format = _recognize_format(cleaned.text)
    for _ in range(_MOST_ROUNDS):
        if text_format is not None and text_format is not MAT:
            break
        further = _clean_match_text(cleaned)
        if further is cleaned:
            break
        cleaned = further.clean(CHARACTERS)
        text_format = _recognize_format(cleaned.text)
    if text_format is None:
        name = _find_format_of_extension(path, data)
        raise NotATranscript(path, _explain_unrecognized(path, name, data), name)
    return cleaned, text_format


def _clean_match_text(cleaned: Cleaned) -> Cleaned:
    """Return match text without HTML tags, and with its damaged rows repaired."""
    shown = cleaned.clean(PAGES)
    return (shown if shown is cleaned else shown.clean(CHARACTERS)).clean(ROWS)


def _find_format_of_extension(path: str, data: bytes) -> str | None:
    """Return the name of the format that a file's extension stands for, or None."""
    extension = os.path.splitext(path)[1].casefold()
    if extension not in ONLY_RECORDS or _OTHER_PROGRAMS.match(data):
        return None
    return next(entry.name for entry in reversed(KNOWN) if extension in entry.extensions)


def _explain_unrecognized(path: str, format_name: str | None, data: bytes) -> str:
    """Return the message that no format recognizes a file, with the reason if it is known.

    `format_name` is the format that the extension of the file stands for, or None.
    """
    kind = next((kind for kind, mark in WITHOUT_TEXT.items() if data.startswith(mark)), None)
    if kind is not None:
        return WITHOUT_READABLE_TEXT.format(kind=kind)
    binary = next((entry for entry in BINARY_FORMATS if entry.name == format_name), None)
    if binary is not None:
        return describe_damage(binary.description)
    return _add_bgm_hint(NOTHING_RECOGNIZED, path)


@contextmanager
def _name_damaged_file(path: str, recognized_as: str) -> Iterator[None]:
    """Turn a DamagedError in a `with` block into a NotATranscript error that names the file."""
    try:
        yield
    except DamagedError as error:
        raise NotATranscript(path, str(error), recognized_as) from error


def _recognize_format(text: str) -> Format | None:
    """Return the text format that recognizes a text, or None."""
    if mat.begins_with_match_line(text):
        return MAT
    return next((text_format for text_format in FORMATS if text_format.recognizes(text)), None)


def _has_content(match: Match) -> bool:
    """Whether a match has a length, or a game with content."""
    return match.length is not None or any(map(_has_game_content, match.games))


def _has_game_content(game: Game) -> bool:
    """Whether a game has a number and a score, or an action that only a match can have."""
    headed = game.number is not None and game.score is not None
    return headed or any(map(_is_clearly_action, game.actions))


def _is_clearly_action(action: Action) -> bool:
    """Whether an action is surely from a match, such as a play with steps."""
    if isinstance(action, Play):
        played = action.steps or action.how in (PlayRecord.CANNOT_MOVE, PlayRecord.UNPLAYED)
        return bool(played) and action.dice is not None and set(action.dice) <= _FACES
    is_clear = isinstance(action, Result | SetUp | RulingMade)
    return is_clear or (isinstance(action, Double) and bool(action.value))


def _add_bgm_hint(reason: str, path: str) -> str:
    """Return the error message `reason`, with a hint if the file is a `.bgm` file."""
    return f"{reason}; {NO_FIRST_LINE}" if path.casefold().endswith(".bgm") else reason


def _explain_no_match(matches: list[Match]) -> str:
    """Return the message that a file holds no match."""
    first = next((game.span.line for match in matches for game in match.games), None)
    return NOTHING_RECOGNIZED if first is None else NOTHING_READABLE.format(line=first)


def _correct_columns(span: Span, text: str, source: Source) -> Span:
    """Return the place of `text` on the line of `span`, whose columns may be wrong."""
    line = source.lines[span.line - 1]
    if line[span.column - 1 : span.end_column - 1] == text or "\n" in text:
        return span
    column = max(line.find(text), 0) + 1
    return Span(span.line, column, column + len(text) * (text in line))


def _add_notes_to_first_match(
    matches: Iterable[Match], notes: tuple[ReaderNote, ...]
) -> list[Match]:
    """Return the matches of a file, with these notes added to the first match."""
    first, *others = matches
    return [first._replace(oddities=notes + first.oddities), *others]


def _add_notes_on_bytes(matches: list[Match], decoded: Decoded) -> list[Match]:
    """Return the matches with notes on undecodable bytes and on the encoding, if needed."""
    return _add_note_on_encoding(_add_undecodable_bytes(matches, decoded), decoded)


def _add_undecodable_bytes(matches: list[Match], decoded: Decoded) -> list[Match]:
    """Return the matches with notes on undecodable bytes, if any."""
    if not decoded.misfits:
        return matches
    first = matches[0]
    notes = tuple(
        note._replace(span=_correct_columns(note.span, note.text, first.source))
        for note in note_undecodable_bytes(decoded.text, decoded.misfits)
    )
    return _add_notes_to_first_match(matches, notes)


def _add_note_on_encoding(matches: list[Match], decoded: Decoded) -> list[Match]:
    """Return the matches with a note on a guessed or wrong encoding."""
    remark = _explain_encoding(decoded)
    if remark is None:
        return matches
    start, end, sentence = remark
    span = Places(decoded.text).span(start, end)
    place = _correct_columns(span, decoded.text[start:end], matches[0].source)
    return _add_notes_to_first_match(matches, (ReaderNote("guessed-encoding", place, sentence),))


def _explain_encoding(decoded: Decoded) -> EncodingRemark | None:
    """Return a remark on a guessed or wrong encoding, or None."""
    if decoded.guess is None and (
        decoded.text.isascii() or _MAYBE_MISREAD.search(decoded.text) is None
    ):
        return None
    from bganalyze.record.encodings import explain_guess, explain_mojibake  # Few files need it.

    if decoded.guess is not None:
        return explain_guess(decoded.text, decoded.guess)
    return explain_mojibake(decoded.text)
