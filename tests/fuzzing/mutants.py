"""Mutants: transcripts with something done to their bytes that no writer would do."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Sequence
from random import Random

from bganalyze.record.xg import HEADER as XG_HEADER
from tests.fuzzing.noise import unicode_text, vocabulary

MOST_CHANGES = 4
PACKED = 0.9
"""Share of the changes of an XG file that are made to its packed content."""

LONG = 20_000
DEEP = 3_000

Mutator = Callable[[bytes, Random], bytes]

_NUMBER = re.compile(rb"[0-9]+")
_WORD = re.compile(rb"[A-Za-z]+")


def mutant(bases: Sequence[bytes], rng: Random) -> bytes:
    """Return one of the bases with one to four mutations, or a splice of two."""
    data = rng.choice(bases)
    if rng.random() < 0.1:
        data = spliced(data, rng.choice(bases), rng)
    for _ in range(rng.randint(1, MOST_CHANGES)):
        is_packed = data.startswith(b"RGMH") and rng.random() < PACKED
        data = (inside if is_packed else rng.choice(DRAWN))(data, rng)
    return data


def spliced(data: bytes, other: bytes, rng: Random) -> bytes:
    """Join the beginning of one file to the end of another."""
    return data[: _place(data, rng)] + other[_place(other, rng) :]


def _place(data: bytes, rng: Random) -> int:
    return rng.randint(0, len(data))


def _lines(data: bytes) -> list[bytes]:
    return data.split(b"\n")


# -- lines -----------------------------------------------------------------------------------------


def delete_lines(data: bytes, rng: Random) -> bytes:
    """Delete some lines."""
    lines = _lines(data)
    for _ in range(rng.randint(1, 3)):
        if lines:
            del lines[rng.randrange(len(lines))]
    return b"\n".join(lines)


def duplicate_line(data: bytes, rng: Random) -> bytes:
    """Repeat a line several times."""
    lines = _lines(data)
    at = rng.randrange(len(lines))
    lines[at:at] = [lines[at]] * rng.choice((1, 1, 1, 2, 50))
    return b"\n".join(lines)


def swap_lines(data: bytes, rng: Random) -> bytes:
    """Swap two lines."""
    lines = _lines(data)
    first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    return b"\n".join(lines)


def shuffle_lines(data: bytes, rng: Random) -> bytes:
    """Shuffle a stretch of lines."""
    lines = _lines(data)
    at = rng.randrange(len(lines))
    stretch = lines[at : at + 10]
    rng.shuffle(stretch)
    return b"\n".join(lines[:at] + stretch + lines[at + 10 :])


def join_lines(data: bytes, rng: Random) -> bytes:
    """Delete a line end."""
    lines = _lines(data)
    at = rng.randrange(len(lines))
    return (
        b"\n".join(lines[:at]) + b"\n" + b"".join(lines[at : at + 2]) + b"\n".join(lines[at + 2 :])
    )


def repeat_all(data: bytes, rng: Random) -> bytes:
    """Repeat the whole file several times."""
    return data * rng.choice((2, 2, 3))


def vocabulary_line(data: bytes, rng: Random) -> bytes:
    """Insert a line of the format's own words."""
    lines = _lines(data)
    lines.insert(rng.randrange(len(lines) + 1), vocabulary(rng, 1).encode())
    return b"\n".join(lines)


# -- characters ------------------------------------------------------------------------------------


def flip_bytes(data: bytes, rng: Random) -> bytes:
    """Change some bytes."""
    altered = bytearray(data)
    for _ in range(rng.randint(1, 8)):
        if altered:
            altered[rng.randrange(len(altered))] = rng.randrange(256)
    return bytes(altered)


def insert_characters(data: bytes, rng: Random) -> bytes:
    """Insert some characters."""
    at = _place(data, rng)
    inserted = bytes(
        rng.choice(b"0123456789/*:;()[]?=> \t\nbaroffWinsDoublesTakes#-,.") for _ in range(3)
    )
    return data[:at] + inserted + data[at:]


def delete_stretch(data: bytes, rng: Random) -> bytes:
    """Delete a stretch of bytes."""
    at = _place(data, rng)
    return data[:at] + data[at + rng.choice((1, 2, 3, 10, 100)) :]


def cut_off(data: bytes, rng: Random) -> bytes:
    """Cut off the beginning or the end of the file."""
    at = _place(data, rng)
    return data[:at] if rng.random() < 0.7 else data[at:]


def other_number(data: bytes, rng: Random) -> bytes:
    """Change a number, perhaps to an absurd one."""
    values = (0, 1, 2, 7, 25, 26, 64, 99, 100, 2**31, 2**64, 10**40, -1, "007", "٣", "½", "")
    return _one_replaced(_NUMBER, data, rng, str(rng.choice(values)).encode())


def other_word(data: bytes, rng: Random) -> bytes:
    """Replace a word by another of the format."""
    return _one_replaced(_WORD, data, rng, vocabulary(rng, 1).strip().encode())


def _one_replaced(pattern: re.Pattern[bytes], data: bytes, rng: Random, new: bytes) -> bytes:
    match = pattern.search(data, _place(data, rng))
    return data if match is None else data[: match.start()] + new + data[match.end() :]


def unicode_characters(data: bytes, rng: Random) -> bytes:
    """Insert characters from anywhere in Unicode."""
    at = _place(data, rng)
    return data[:at] + unicode_text(rng, rng.randint(1, 12)).encode("utf-8", "ignore") + data[at:]


# -- shapes ----------------------------------------------------------------------------------------


def long_line(data: bytes, rng: Random) -> bytes:
    """Make a line, or a word in it, very long."""
    at = _place(data, rng)
    unit = rng.choice((b" ", b"x", b"1", b"/", b"13/7 ", b"31: ", b"*", b"?", b"a:", b"\t", b"("))
    return data[:at] + unit * (LONG // len(unit)) + data[at:]


def unbalanced(data: bytes, rng: Random) -> bytes:
    """Insert brackets that nothing closes."""
    at = _place(data, rng)
    unit = rng.choice((b"(", b")", b"[", b"]", b'"', b"; [", b"(;", b"Illegal play (", b"((;)"))
    return data[:at] + unit * rng.choice((1, 3, 200)) + data[at:]


def deep_repeat(data: bytes, rng: Random) -> bytes:
    """Repeat a short stretch thousands of times."""
    at = _place(data, rng)
    unit = data[at : at + rng.randint(1, 40)]
    return data[:at] + unit * rng.choice((10, 100, DEEP // max(len(unit), 1))) + data[at:]


# -- encodings -------------------------------------------------------------------------------------


def line_ends(data: bytes, rng: Random) -> bytes:
    """Change the line ends, or mix them."""
    ends = (b"\r\n", b"\r", b"\n\r", b"\x0b", b"\x0c", b"\x85", b"\xe2\x80\xa8", b"\r\r\n", b"")
    lines = _lines(data)
    ending = rng.choice(ends)
    if rng.random() < 0.7:
        return ending.join(lines)
    return b"".join(line + rng.choice((*ends, b"\n", b"\n")) for line in lines)


def tabs(data: bytes, rng: Random) -> bytes:
    """Tabs, or other blanks, in place of runs of blanks."""
    blank = rng.choice((b"\t", b"\t", b"\xc2\xa0", b"\xe3\x80\x80", b" \t", b"\x00"))
    return re.sub(rb" {%d,}" % rng.randint(1, 8), blank, data)


def encoding(data: bytes, rng: Random) -> bytes:
    """Change the encoding, or add its mark alone."""
    text = data.decode("utf-8", "replace")
    name = rng.choice(("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "cp1252", "mark"))
    if name == "mark":
        return rng.choice((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")) + data
    return text.encode(name, "replace")


def zeros(data: bytes, rng: Random) -> bytes:
    """Insert a run of zero bytes."""
    at = _place(data, rng)
    return data[:at] + b"\0" * rng.choice((1, 5, 600)) + data[at:]


def inside(data: bytes, rng: Random) -> bytes:
    """Damage the packed content of an XG file, and pack it again."""
    at = XG_HEADER + int.from_bytes(data[20:24], "little")
    try:
        packed = zlib.decompress(data[at:])
    except zlib.error:
        return flip_bytes(data, rng)
    altered = rng.choice((flip_bytes, flip_bytes, cut_off, zeros, delete_stretch))(packed, rng)
    return data[:at] + zlib.compress(altered, 1)


MUTATORS: tuple[Mutator, ...] = (
    delete_lines,
    duplicate_line,
    swap_lines,
    shuffle_lines,
    join_lines,
    repeat_all,
    vocabulary_line,
    flip_bytes,
    insert_characters,
    delete_stretch,
    cut_off,
    other_number,
    other_word,
    unicode_characters,
    long_line,
    unbalanced,
    deep_repeat,
    line_ends,
    tabs,
    encoding,
    zeros,
)

DRAWN = (
    *MUTATORS,
    *(delete_lines, duplicate_line, swap_lines, vocabulary_line, flip_bytes),
    *(insert_characters, delete_stretch, other_number, other_number, other_word),
)
"""The gentler mutations come more often: they leave more to be read."""
