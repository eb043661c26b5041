"""Edits: what a repair changes in a file, line by line, and nothing else.

An edit is of a whole line. Bytes that it does not change stay as they are: the encoding, the line
ends, and in a changed line what stands before and behind the change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from io import StringIO
from itertools import groupby, takewhile
from operator import eq
from typing import NamedTuple

from bganalyze.record.reader import decode
from bganalyze.validation.findings import Edit

_BYTE_ORDER_MARKS = {"utf-8": b"\xef\xbb\xbf", "utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}


class Number(NamedTuple):
    """Where a line of an edited text comes from."""

    line: int
    """Its number in the text as it was; of a line put in, the one that it was put before."""
    is_put_in: bool = False


class EditError(ValueError):
    """An edit that does not fit: its line is not there, or holds something else."""


def edited(lines: Sequence[str], edits: Iterable[Edit]) -> list[str]:
    """Return the lines with the edits made; raise EditError where one does not fit.

    >>> edited(["a", "b", "c"], [Edit(2, "b", None), Edit(3, None, "x"), Edit(3, "c", "d")])
    ['a', 'x', 'd']
    """
    merged: list[str] = []
    for kept, edit in _merged(lines, _fitting(lines, edits)):
        merged += lines[kept]
        if edit is not None and edit.new is not None:
            merged.append(edit.new)
    return merged


def combined(repairs: Iterable[Iterable[Edit]]) -> tuple[Edit, ...]:
    """Return the edits of several repairs as one list.

    Of two repairs of the same line the later holds, and so it does where both put in lines.

    >>> combined([[Edit(2, "b", "c"), Edit(3, None, "x")], [Edit(2, "b", "d")]])
    (Edit(line=2, old='b', new='d'), Edit(line=3, old=None, new='x'))
    >>> combined([[Edit(3, None, "x")], [Edit(3, None, "X"), Edit(3, None, "y")]])
    (Edit(line=3, old=None, new='X'), Edit(line=3, old=None, new='y'))
    """
    of_places: dict[tuple[int, bool], list[Edit]] = {}
    for repair in repairs:
        for place, edits in groupby(sorted(repair, key=_order), key=_order):
            of_places[place] = list(edits)
    return tuple(edit for place in sorted(of_places) for edit in of_places[place])


def numbers_after(numbers: Sequence[Number], edits: Iterable[Edit]) -> list[Number]:
    """Return where the lines come from after more edits, given where they come from before.

    >>> numbers_after([Number(1), Number(2)], [Edit(1, "a", None), Edit(2, None, "x")])
    [Number(line=2, is_put_in=True), Number(line=2, is_put_in=False)]
    """
    last = Number(numbers[-1].line + 1 if numbers else 1)
    after: list[Number] = []
    for kept, edit in _merged(numbers, edits):
        after += numbers[kept]
        if edit is not None and edit.new is not None:
            number = numbers[edit.line - 1] if edit.line <= len(numbers) else last
            after.append(number._replace(is_put_in=True) if edit.old is None else number)
    return after


def inverse(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Return the edits that undo these.

    >>> lines = ["a", "b", "c"]
    >>> edits = (Edit(2, "b", None), Edit(3, None, "x"))
    >>> edited(edited(lines, edits), inverse(edits)) == lines
    True
    """
    undone: list[Edit] = []
    shift = 0
    for line, old, new in sorted(edits, key=_order):
        undone.append(Edit(line + shift, new, old))
        shift += (old is None) - (new is None)
    return tuple(undone)


def edited_bytes(data: bytes, edits: Iterable[Edit]) -> bytes:
    r"""Return a file with the edits made; raise EditError where one does not fit.

    >>> edited_bytes(b"one\r\ntwo\xff!\r\n", [Edit(2, "two\xff!", "2\xff!")])
    b'one\r\n2\xff!\r\n'

    A last line without an end stays without one, whichever line becomes the last.

    >>> edited_bytes(b"one", [Edit(2, None, "two")])
    b'one\ntwo'
    """
    decoded = decode(data)
    mark = _BYTE_ORDER_MARKS.get(decoded.encoding, b"")
    mark = mark if data.startswith(mark) else b""
    kept = "surrogatepass" if decoded.encoding.startswith("utf-16") else "surrogateescape"
    try:
        raw = _with_ends(data[len(mark) :].decode(decoded.encoding, kept))
    except UnicodeDecodeError as error:  # UTF-16 with half a character at its end.
        raise EditError("the file ends within a character") from error
    usual_end = _end_of(raw[0]) or "\n"
    pieces: list[str] = []
    lines = decoded.text.split("\n")
    for run, edit in _merged(lines, _fitting(lines, edits)):
        pieces += raw[run]
        if edit is None or edit.new is None:
            continue
        if edit.old is None:
            if pieces and not _end_of(pieces[-1]):
                pieces.append(usual_end)
            is_last = edit.line > len(lines)
            pieces.append(edit.new if is_last else edit.new + usual_end)
        else:
            line = raw[edit.line - 1]
            end = _end_of(line)
            pieces.append(_rewritten(line.removesuffix(end), edit.old, edit.new) + end)
    return mark + "".join(pieces).encode(decoded.encoding, kept)


def _with_ends(text: str) -> list[str]:
    """Return the lines of a text, each with its end; the last has none."""
    lines = list(StringIO(text, newline=""))
    return lines if lines and not _end_of(lines[-1]) else [*lines, ""]


def _end_of(line: str) -> str:
    """Return the characters that end a line; nothing where it has no end."""
    return line[len(line.rstrip("\r\n")) :]


def _order(edit: Edit) -> tuple[int, bool]:
    """Edits are made from above; at one place lines are put in first."""
    return edit.line, edit.old is not None


def _fitting(lines: Sequence[str], edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Return the edits; raise EditError where one is not of what stands there."""
    edits = tuple(edits)
    for line, old, _ in edits:
        if old is not None and lines[line - 1 : line] != [old]:
            raise EditError(f"line {line} is not what the edit says")
    return edits


def _merged(lines: Sized, edits: Iterable[Edit]) -> Iterator[tuple[slice, Edit | None]]:
    """Yield the edits, each with the lines before it that stay; and with no edit those behind all."""
    at = 0
    for edit in sorted(edits, key=_order):
        if not at < edit.line <= len(lines) + (edit.old is None):
            raise EditError(f"there is no line {edit.line} to be edited")
        yield slice(at, edit.line - 1), edit
        at = edit.line - (edit.old is None)
    yield slice(at, len(lines)), None


def _rewritten(raw: str, old: str, new: str) -> str:
    """Return a line with only the characters changed in which `new` differs from `old`.

    `raw` is the line as decoded without loss: the same characters as `old`, one for one, but for
    bytes that fit no encoding.
    """
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    return raw[:start] + new[start : len(new) - end] + raw[len(old) - end :]


def _common(one: str, two: str) -> int:
    """Return how many characters two texts begin with alike."""
    return len(list(takewhile(bool, map(eq, one, two))))
