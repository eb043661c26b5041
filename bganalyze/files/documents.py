"""Documents: the text of Word, OpenDocument and RTF files; saved mails are in `mails.py`.

Only text is read. Macros, links, pictures and embedded objects are neither opened nor followed. XML
with a document type or entities is refused.
"""

from __future__ import annotations

import re
import xml.sax
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, BinaryIO, NamedTuple
from xml.sax.handler import ContentHandler

from bganalyze.files.addresses import TEXT_MEMBER
from bganalyze.files.limits import (
    MEMBER_LIMIT,
    Opener,
    UnpackLimit,
    UnreadableError,
    open_source,
    reason,
)
from bganalyze.files.mails import Mail
from bganalyze.files.packed import ENCRYPTED, errors_as_unreadable
from bganalyze.files.streams import Member, UnreadMembers
from bganalyze.record.not_a_transcript import OLD_OFFICE, OLD_OFFICE_MARK

if TYPE_CHECKING:
    from xml.sax.xmlreader import AttributesImpl

TEXT_LIMIT = 16 * 2**20
"""Largest XML or RTF that is read from a document, and largest text of it, in bytes."""

_DAMAGED = "damaged document; save its text as a .txt file"
_TOO_LARGE = (
    f"a document of more than {TEXT_LIMIT // 2**20} MiB, the limit; save its text as a .txt file"
)
_SEALED = "password-protected; save it without a password, or save its text as a .txt file"


class TextDocument:
    """A document with one text, such as a Word file. It is read on demand."""

    def __init__(self, opener: Opener, read: Callable[[BinaryIO], str]) -> None:
        self._opener, self._read = opener, read

    def members(self, limit: UnpackLimit) -> Iterator[Member | UnreadMembers]:
        """Yield the only text of the document, or the reason why it cannot be read."""
        try:
            with open_source(self._opener) as file:
                size = file.seek(0, 2)
            limit.spend(1, size)
        except UnreadableError as error:
            yield UnreadMembers(str(error))
        else:
            yield Member(TEXT_MEMBER, 0, size)

    def content(self, _member: Member) -> bytes:
        """Return the text as UTF-8; raise UnreadableError if the document cannot be read."""
        with open_source(self._opener) as file:
            return self._read(file).encode("utf-8", "replace")

    def close(self) -> None:
        """Do nothing, because no file is open between two calls."""


def make_document(extension: str, open_file: Opener) -> TextDocument | Mail:
    """Return a document or mail of the kind `extension`, such as `.docx`, to be read later."""
    return Mail(open_file) if extension == ".eml" else TextDocument(open_file, _READERS[extension])


# Word and OpenDocument files: zip files with an XML file that holds the text.


class _Elements(NamedTuple):
    """Names of the elements in a document's XML, without prefix, by their role."""

    paragraphs: frozenset[str]
    row: str
    cells: frozenset[str]
    texts: frozenset[str]
    """Elements that hold text as characters."""
    signs: dict[str, str]
    """Elements that mean a character, with that character."""
    skipped: frozenset[str]
    """Elements whose contents are no text of the document, such as deleted text and comments."""
    has_collapsed_blanks: bool
    """Whether a run of white space is one blank."""


_WORD = _Elements(
    paragraphs=frozenset(("p",)),
    row="tr",
    cells=frozenset(("tc",)),
    texts=frozenset(("t",)),
    signs={"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"},
    skipped=frozenset(
        (
            "pPr",
            "rPr",
            "tblPr",
            "trPr",
            "tcPr",
            "sectPr",
            "sdtPr",
            "del",
            "moveFrom",
            "Fallback",
            "rt",
        )
    ),
    has_collapsed_blanks=False,
)
_OPEN_DOCUMENT = _Elements(
    paragraphs=frozenset(("p", "h")),
    row="table-row",
    cells=frozenset(("table-cell", "covered-table-cell")),
    texts=frozenset(("p", "h")),
    signs={"tab": "\t", "line-break": "\n"},
    skipped=frozenset(
        ("annotation", "tracked-changes", "note", "scripts", "forms", "ruby-text", "title", "desc")
    ),
    has_collapsed_blanks=True,
)

_WORD_TEXT = re.compile(r"word/document[0-9]{0,3}\.xml")
_OPEN_DOCUMENT_TEXT = re.compile(r"content\.xml")
_MANIFEST = "META-INF/manifest.xml"
_DEPTH_LIMIT = 256
"""Deepest nesting of elements. Texts of Word have about 20 levels."""
_TABLE_LIMIT = 2_000_000
"""Most lines of cells that are put together. Tables within tables count at each level."""
_MOST_BLANKS = 1000
_WHITE = re.compile("[ \t\r\n]+")

_SYMBOLS = {
    ("wingdings", 0xDF): "\u2190",
    ("wingdings", 0xE0): "\u2192",
    ("wingdings", 0xE8): "\u2794",
    ("wingdings", 0xF0): "\u21d2",
    ("symbol", 0xAE): "\u2192",
    ("symbol", 0xDE): "\u21d2",
    ("symbol", 0xB4): "\u00d7",
}
"""Characters by font and code, for codes that mean something else in other fonts."""
_SYMBOLS_START, _SYMBOLS_END = 0xF000, 0xF0FF
"""Codes that Word writes for the 256 characters of a symbol font."""


def _read_zipped(file: BinaryIO, xml_name: re.Pattern[str], elements: _Elements) -> str:
    """Return the text of a `.docx` or `.odt` document.

    `xml_name` matches the name of the XML file in this zip file. Raises UnreadableError if the
    document is damaged.
    """
    if file.read(len(OLD_OFFICE_MARK)) == OLD_OFFICE_MARK:
        raise UnreadableError(OLD_OFFICE)
    with errors_as_unreadable(_DAMAGED), zipfile.ZipFile(file) as archive:
        infos = archive.infolist()
        texts = [info for info in infos if xml_name.fullmatch(info.filename)]
        if not texts or len(infos) > MEMBER_LIMIT:
            raise UnreadableError(f"{_DAMAGED} (no text found in it)")
        if texts[-1].flag_bits & ENCRYPTED or _is_encrypted(archive):
            raise UnreadableError(_SEALED)
        with archive.open(texts[-1]) as member:
            content = member.read(TEXT_LIMIT + 1)
    return _read_xml(content, elements)


def _is_encrypted(archive: zipfile.ZipFile) -> bool:
    """Whether an OpenDocument file is encrypted."""
    if _MANIFEST not in archive.NameToInfo:
        return False
    with archive.open(_MANIFEST) as manifest:
        return b"encryption-data" in manifest.read(TEXT_LIMIT)


def _read_xml(content: bytes, elements: _Elements) -> str:
    """Return the text in the XML of a document; raise UnreadableError if the XML is damaged.

    `elements` says which XML elements are paragraphs, rows and cells.
    """
    from defusedxml.common import DefusedXmlException
    from defusedxml.expatreader import DefusedExpatParser

    _require_within_limit(content)
    parser, handler = DefusedExpatParser(forbid_dtd=True), _TextHandler(elements)
    parser.setContentHandler(handler)
    try:
        # In one piece: some versions of Expat take quadratic time for a long name in many pieces.
        parser.feed(content)
        parser.close()
    except DefusedXmlException as error:
        raise UnreadableError(f"{_DAMAGED} (its XML defines a document type)") from error
    except xml.sax.SAXException as error:
        raise UnreadableError(f"{_DAMAGED} ({error.getMessage()})") from error
    except (ValueError, LookupError) as error:
        if isinstance(error, UnreadableError):
            raise
        raise UnreadableError(f"{_DAMAGED} ({reason(error)})") from error
    return handler.text()


class _TextHandler(ContentHandler):
    """Collects the text of a document. Each paragraph and each table row is a line."""

    def __init__(self, elements: _Elements) -> None:
        super().__init__()
        self._elements = elements
        self._depth = self._skipped = self._inside = self._size = self._joined = 0
        self._pieces: list[str] = []
        """The line being read."""
        self._blocks: list[list[str]] = [[]]
        """Lines of the document, and of each open cell."""
        self._rows: list[list[list[str]]] = []
        """Cells of each open row."""

    def text(self) -> str:
        """Return the text read so far."""
        return "".join(f"{line}\n" for line in self._blocks[0])

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802
        """Process an XML start tag: begin a row or cell, or add a tab or break."""
        elements, local = self._elements, name.rpartition(":")[2]
        self._depth += 1
        if self._depth > _DEPTH_LIMIT:
            raise UnreadableError(f"{_DAMAGED} (more than {_DEPTH_LIMIT} levels of elements)")
        if self._skipped or local in elements.skipped:
            self._skipped += 1
            return
        self._inside += local in elements.texts
        if local in elements.paragraphs or local in elements.cells or local == elements.row:
            self._end_line()
        if local == elements.row:
            self._rows.append([])
        elif local in elements.cells:
            self._blocks.append([])
        elif local in elements.signs:
            self._add(elements.signs[local])
        elif local == "sym":
            self._add(_decode_symbol(_get_attribute(attrs, "font"), _get_attribute(attrs, "char")))
        elif local == "s" and elements.has_collapsed_blanks:
            count = _get_attribute(attrs, "c")
            is_number = count.isascii() and count.isdecimal() and len(count) < 10
            self._add(" " * min(int(count) if is_number else 1, _MOST_BLANKS))

    def endElement(self, name: str) -> None:  # noqa: N802
        """Process an XML end tag: end the line, row or cell that it closes."""
        elements, local = self._elements, name.rpartition(":")[2]
        self._depth -= 1
        if self._skipped:
            self._skipped -= 1
            return
        self._inside -= local in elements.texts
        if local in elements.paragraphs:
            self._pieces.append("")  # An empty paragraph is a line too.
        if local in elements.paragraphs or local in elements.cells or local == elements.row:
            self._end_line()
        if local == elements.row:
            self._blocks[-1].extend(self._join_cells(self._rows.pop()))
        elif local in elements.cells:
            cell = self._blocks.pop()
            if self._rows:
                self._rows[-1].append(cell)
            else:
                self._blocks[-1].extend(cell)

    def characters(self, content: str) -> None:
        """Process text between tags: add it if it belongs to the document's text."""
        if not self._inside or self._skipped:
            return
        content = _WHITE.sub(" ", content) if self._elements.has_collapsed_blanks else content
        if self._elements.has_collapsed_blanks and not self._line_ends_in_text():
            content = content.removeprefix(" ")
        self._add(content)

    def _line_ends_in_text(self) -> bool:
        """Whether the last character of the current line is not a blank."""
        return bool(self._pieces) and not self._pieces[-1].endswith(" ")

    def _add(self, piece: str) -> None:
        """Add text to the current line; raise UnreadableError if the document is too long."""
        self._size += len(piece)
        if self._size > TEXT_LIMIT:
            raise UnreadableError(_TOO_LARGE)
        if piece:
            self._pieces.append(piece)

    def _end_line(self) -> None:
        """End the current line, if one has begun."""
        if self._pieces:
            self._blocks[-1].extend("".join(self._pieces).split("\n"))
            self._pieces.clear()

    def _join_cells(self, cells: list[list[str]]) -> list[str]:
        """Return the lines of a table row, whose cells are separated by tabs."""
        self._joined += max(map(len, cells), default=0) * len(cells)
        if self._joined > _TABLE_LIMIT:
            raise UnreadableError(f"{_DAMAGED} (its tables are too large)")
        return ["\t".join(line).rstrip("\t") for line in zip_longest(*cells, fillvalue="")]


def _get_attribute(attributes: AttributesImpl, name: str) -> str:
    """Return the value of an XML attribute given without its prefix, or "" if it is missing."""
    values = (value for key, value in attributes.items() if key.rpartition(":")[2] == name)
    return str(next(values, ""))


def _decode_symbol(font: str, code: str) -> str:
    """Return the Unicode character that looks like a sign of a symbol font, such as `→`.

    `code` is the sign's hexadecimal number. Anything else gives "".
    """
    if not re.fullmatch("[0-9A-Fa-f]{1,4}", code):
        return ""
    number = int(code, 16)
    if _SYMBOLS_START <= number <= _SYMBOLS_END:
        number -= _SYMBOLS_START
    return _SYMBOLS.get((font.casefold(), number)) or chr(number)


# RTF.

_RTF_MARK = b"{\\rtf"
_BINARY = re.compile(rb"\\\\|\\bin([0-9]{1,9}) ?")
_EIGHT_BIT = re.compile(rb"[\x80-\xff]")
_FONT_TABLE = re.compile(r"\{[^{}]*\\fonttbl")
"""Start of the font table, where striprtf sees it too."""
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_FONT = re.compile(r"\\f([0-9]{1,5})(?![0-9])[^;]{0,200}?\\fcharset([0-9]{1,3})(?![0-9])")
_REWRITTEN = re.compile(
    r"\\[\\{}]|\\(?:(?P<cell>(?:nest)?cell)|(?P<link>(?i:fldinst))|(?P<deleted>deleted))(?![A-Za-z0-9-]) ?"
)


def _read_rtf(file: BinaryIO) -> str:
    """Return the text of an RTF file; any other file is decoded as UTF-8."""
    content = file.read(TEXT_LIMIT + 1)
    _require_within_limit(content)
    if not content.lstrip().startswith(_RTF_MARK):
        return content.decode("utf-8", "replace")
    from striprtf.striprtf import rtf_to_text

    content = _EIGHT_BIT.sub(
        lambda sign: b"\\'%02x" % sign.group()[0], _remove_binary_data(content)
    )
    text = _shorten_fonts(_REWRITTEN.sub(_rewrite_control_word, content.decode("ascii")))
    try:
        text = str(rtf_to_text(text, errors="replace"))
    except (ValueError, TypeError, LookupError, OverflowError) as error:
        raise UnreadableError(f"{_DAMAGED} ({reason(error)})") from error
    # Characters beyond the first 65,536 are written in two halves.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _remove_binary_data(content: bytes) -> bytes:
    r"""Return RTF without binary data, such as pictures.

    >>> _remove_binary_data(rb"{\pict\bin3 }}}}")
    b'{\\pict}'
    """
    pieces, start = [], 0
    while (found := _BINARY.search(content, start)) is not None:
        is_data = found[1] is not None
        pieces.append(content[start : found.start() if is_data else found.end()])
        start = found.end() + int(found[1] or 0)
    return b"".join((*pieces, content[start:]))


def _rewrite_control_word(word: re.Match[str]) -> str:
    """Return what replaces a matched RTF command, so that striprtf reads the text correctly."""
    if word["cell"]:
        return r"\tab "
    if word["deleted"]:
        return r"\*\deleted "
    return rf"{word.group()} " if word["link"] else word.group()


def _shorten_fonts(text: str) -> str:
    """Return RTF whose font table has no names of fonts, only numbers and character sets."""
    # The time striprtf takes grows with the fourth power of the size of a table.
    start = _FONT_TABLE.search(text)
    if start is None:
        return text
    end, depth = len(text), 1
    for brace in _BRACE.finditer(text, start.end()):
        depth += {"{": 1, "}": -1}.get(brace.group(), 0)
        if depth == 0:
            end = brace.end()
            break
    fonts = dict(_FONT.findall(text[start.start() : end]))
    table = "".join(rf"{{\f{number}\fcharset{charset} x;}}" for number, charset in fonts.items())
    return f"{text[: start.start()]}{{\\fonttbl{table}}}{text[end:]}"


def _require_within_limit(content: bytes) -> None:
    """Raise UnreadableError if the content is larger than `TEXT_LIMIT`."""
    if len(content) > TEXT_LIMIT:
        raise UnreadableError(_TOO_LARGE)


_READERS: dict[str, Callable[[BinaryIO], str]] = {
    ".docx": partial(_read_zipped, xml_name=_WORD_TEXT, elements=_WORD),
    ".odt": partial(_read_zipped, xml_name=_OPEN_DOCUMENT_TEXT, elements=_OPEN_DOCUMENT),
    ".rtf": _read_rtf,
}
