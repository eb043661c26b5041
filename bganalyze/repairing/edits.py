"""Edits: change whole lines of a file and keep every other byte.

The encoding and the line ends stay as they are. In a changed line, the text before and after the
change stays too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from io import StringIO
from itertools import groupby, takewhile
from operator import eq
from typing import NamedTuple

from bganalyze.record.decoding import EncodedBytes, decode
from bganalyze.validation.findings import Edit

_BYTE_ORDER_MARKS = {"utf-8": b"\xef\xbb\xbf", "utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}


class LineOrigin(NamedTuple):
    """Origin of a line of an edited text."""

    line: int
    """Line number in the original text; of an inserted line, the number of the line after it."""
    is_inserted: bool = False


class EditError(ValueError):
    """An edit that does not fit: the line is missing or holds other text."""


def apply_edits(lines: Sequence[str], edits: Iterable[Edit]) -> list[str]:
    """Return the lines after the edits, or raise EditError if one does not fit.

    >>> apply_edits(["a", "b", "c"], [Edit(2, "b", None), Edit(3, None, "x"), Edit(3, "c", "d")])
    ['a', 'x', 'd']
    """
    merged: list[str] = []
    for kept, edit in _pair_with_unchanged_lines(lines, _require_that_edits_fit(lines, edits)):
        merged += lines[kept]
        if edit is not None and edit.new is not None:
            merged.append(edit.new)
    return merged


def merge_edits(repairs: Iterable[Iterable[Edit]]) -> tuple[Edit, ...]:
    """Merge the edits of several repairs into one list, in the order of lines.

    If two repairs edit the same place, the later repair counts.

    >>> merge_edits([[Edit(2, "b", "c"), Edit(3, None, "x")], [Edit(2, "b", "d")]])
    (Edit(line=2, old='b', new='d'), Edit(line=3, old=None, new='x'))
    """
    of_places: dict[tuple[int, bool], list[Edit]] = {}
    for repair in repairs:
        for place, edits in groupby(sorted(repair, key=_make_sort_key), key=_make_sort_key):
            of_places[place] = list(edits)
    return tuple(edit for place in sorted(of_places) for edit in of_places[place])


def update_line_origins(origins: Sequence[LineOrigin], edits: Iterable[Edit]) -> list[LineOrigin]:
    """Return the origin of each line after the edits: the original file's line it comes from.

    `origins` has the origin of each line before the edits.

    >>> update_line_origins([LineOrigin(1), LineOrigin(2)], [Edit(1, "a", None), Edit(2, None, "x")])
    [LineOrigin(line=2, is_inserted=True), LineOrigin(line=2, is_inserted=False)]
    """
    last = LineOrigin(origins[-1].line + 1 if origins else 1)
    after: list[LineOrigin] = []
    for kept, edit in _pair_with_unchanged_lines(origins, edits):
        after += origins[kept]
        if edit is not None and edit.new is not None:
            origin = origins[edit.line - 1] if edit.line <= len(origins) else last
            after.append(origin._replace(is_inserted=True) if edit.old is None else origin)
    return after


def invert_edits(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Return the edits that undo these edits.

    >>> lines = ["a", "b", "c"]
    >>> edits = (Edit(2, "b", None), Edit(3, None, "x"))
    >>> apply_edits(apply_edits(lines, edits), invert_edits(edits)) == lines
    True
    """
    undone: list[Edit] = []
    shift = 0
    for line, old, new in sorted(edits, key=_make_sort_key):
        undone.append(Edit(line + shift, new, old))
        shift += (old is None) - (new is None)
    return tuple(undone)


def edit_bytes(data: bytes, edits: Iterable[Edit]) -> bytes:
    r"""Return the bytes of a file after the edits, or raise EditError if one does not fit.

    >>> edit_bytes(b"one", [Edit(2, None, "two")])
    b'one\ntwo'
    """
    decoded = decode(data)
    mark = _BYTE_ORDER_MARKS.get(decoded.encoding, b"")
    mark = mark if data.startswith(mark) else b""
    written = _UTF_16 if decoded.encoding.startswith("utf-16") else _ByteText(decoded.encoding)
    try:
        byte_lines = _split_lines(written.decode_bytes(data[len(mark) :], decoded.encoding))
        pieces = _edit_lines(byte_lines, decoded.text.split("\n"), edits, written)
    except UnicodeDecodeError as error:  # UTF-16 with half a character at its end.
        raise EditError("the file ends within a character") from error
    except UnicodeEncodeError as error:
        character = error.object[error.start]
        raise EditError(
            f"{character!r} cannot be written in the file's encoding, {decoded.encoding}"
        ) from error
    result = mark + written.encode_text("".join(pieces), decoded.encoding)
    return EncodedBytes(result, data.encoding) if isinstance(data, EncodedBytes) else result


def _edit_lines(
    byte_lines: Sequence[str], lines: Sequence[str], edits: Iterable[Edit], encoder: _ByteText
) -> list[str]:
    """Return the lines of a file after the edits, as byte text (see `_ByteText`).

    `byte_lines` are the lines before the edits as byte text, and `lines` are the same lines
    decoded.
    """
    usual_end = _find_line_end(byte_lines[0]) or "\n"
    pieces: list[str] = []
    for run, edit in _pair_with_unchanged_lines(lines, _require_that_edits_fit(lines, edits)):
        pieces += byte_lines[run]
        if edit is None or edit.new is None:
            continue
        if edit.old is None:
            if pieces and not _find_line_end(pieces[-1]):
                pieces.append(usual_end)
            is_last = edit.line > len(lines)
            new = encoder.encode_new_text(edit.new)
            pieces.append(new if is_last else new + usual_end)
        else:
            line = byte_lines[edit.line - 1]
            end = _find_line_end(line)
            pieces.append(encoder.replace_in_line(line.removesuffix(end), edit.old, edit.new) + end)
    return pieces


class _ByteText(NamedTuple):
    """Byte text: a string with one Latin-1 character for each byte of a file.

    Unchanged bytes are then never re-encoded. Some encodings have two spellings of a character, and
    Python writes only one.
    """

    encoding: str | None
    """The encoding of the bytes; None for UTF-16, whose lines cannot be found in single bytes."""

    def decode_bytes(self, data: bytes, encoding: str) -> str:
        """Return the bytes of a file as byte text, or decoded if they are UTF-16."""
        # UTF-16 has two bytes for a character.
        return data.decode("latin-1") if self.encoding else data.decode(encoding, "surrogatepass")

    def encode_text(self, text: str, encoding: str) -> bytes:
        """Return the bytes of a byte text, the reverse of `decode_bytes`."""
        return text.encode("latin-1") if self.encoding else text.encode(encoding, "surrogatepass")

    def encode_new_text(self, text: str) -> str:
        """Return a new text as byte text, or unchanged if the file is in UTF-16.

        Raises UnicodeEncodeError if the file's encoding lacks a character.

        >>> _ByteText("utf-8").encode_new_text("Zoë")
        'ZoÃ«'
        """
        if self.encoding is None:
            return text
        return text.encode(self.encoding, "surrogateescape").decode("latin-1")

    def replace_in_line(self, byte_line: str, old: str, new: str) -> str:
        """Return a line, as byte text, with the text `old` changed to `new`.

        All other bytes of the line are kept, even those that cannot be decoded.
        """
        start, end = measure_common_ends(old, new)
        widths = self._measure_characters(byte_line, old)
        before, after = sum(widths[:start]), sum(widths[len(old) - end :])
        return (
            byte_line[:before]
            + self.encode_new_text(new[start : len(new) - end])
            + byte_line[len(byte_line) - after :]
        )

    def _measure_characters(self, byte_line: str, line: str) -> list[int]:
        """Return how many bytes each character of a line takes.

        `line` is the byte text decoded. Raises EditError if encoding it gives other bytes.
        """
        if self.encoding is None:
            return [1] * len(line)
        text = byte_line.encode("latin-1").decode(self.encoding, "surrogateescape")
        widths = [len(self.encode_new_text(character)) for character in text]
        if (len(widths), sum(widths)) != (len(line), len(byte_line)):
            raise EditError("the characters of a line have several spellings")
        return widths


_UTF_16 = _ByteText(None)


def _split_lines(text: str) -> list[str]:
    r"""Return the lines of a text, each with its line end. The last line has none.

    >>> _split_lines("a\r\nb\n"), _split_lines("a\nb")
    (['a\r\n', 'b\n', ''], ['a\n', 'b'])
    """
    lines = list(StringIO(text, newline=""))
    return lines if lines and not _find_line_end(lines[-1]) else [*lines, ""]


def _find_line_end(line: str) -> str:
    """Return the line end of a line, or an empty string."""
    return line[len(line.rstrip("\r\n")) :]


def _make_sort_key(edit: Edit) -> tuple[int, bool]:
    """Return a key that sorts edits by line, with insertions before other edits of a line."""
    return edit.line, edit.old is not None


def _require_that_edits_fit(lines: Sequence[str], edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Return the edits if each replaces the text that is really there, else raise EditError."""
    edits = tuple(edits)
    for line, old, _ in edits:
        if old is not None and lines[line - 1 : line] != [old]:
            raise EditError(f"line {line} differs from the text that the edit replaces")
    return edits


def _pair_with_unchanged_lines(
    lines: Sized, edits: Iterable[Edit]
) -> Iterator[tuple[slice, Edit | None]]:
    """Yield each edit after a slice of the unchanged lines above it.

    The last item has the unchanged lines below all edits, and None instead of an edit.
    """
    at = 0
    for edit in sorted(edits, key=_make_sort_key):
        if not at < edit.line <= len(lines) + (edit.old is None):
            raise EditError(f"there is no line {edit.line} to edit")
        yield slice(at, edit.line - 1), edit
        at = edit.line - (edit.old is None)
    yield slice(at, len(lines)), None


def measure_common_ends(old: str, new: str) -> tuple[int, int]:
    """Return how many characters two lines have in common at the start and at the end.

    >>> measure_common_ends("31: 8/5 6/5", "31: 8/5 6/4")
    (10, 0)
    """
    start = _measure_common_start(old, new)
    return start, _measure_common_start(old[start:][::-1], new[start:][::-1])


def _measure_common_start(one: str, two: str) -> int:
    """Return how many characters two texts have in common at their start."""
    return len(list(takewhile(bool, map(eq, one, two))))
