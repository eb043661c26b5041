"""Any number of distinct matches, shaped as real ones are, made of a folder of match text.

    python tests/benchmarks/distinct_matches.py RECORDS COUNT FOLDER

A match is made of a record by changing what leaves its play as it is: the players get other names, the
date another day, and the match is longer by a few points that both sides have already. So every score
is another one, and the points that both sides need are the same: each match has a content of its own,
as `tables.matches` identifies it, and the games, rolls, cubes and most findings of the record.

Players come back: in an archive there are the more new names the smaller it is. Their number grows
here with the square root of the matches, as words do in a text (Heaps' rule book): 1,113 records of 997
players make 10,000 matches of 3,000, 33,000 of 5,000 and 100,000 of 9,000. Those that were there first
play most.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from math import isqrt
from pathlib import Path

A_FOLDER = 1000
"""Number of files in one folder."""

_LENGTH = re.compile(r"^(\s*)(\d+)( point match\b.*)$", re.MULTILINE)
_SCORES = re.compile(r"^(\s*)(\S.*?)( : )(\d+)(\s{2,})(\S.*?)( : )(\d+)([ \t\r]*)$", re.MULTILINE)
_DATE = re.compile(r'(Date "?)(\d{4})([./-]\d{2}[./-])(\d{2})')
_PLAYER = re.compile(r'(\[(?:Player [12]|White|Black) ")([^"]*)(")')
_ACTION = re.compile(r"^\s*\d+\)")


def vary(text: str, variant: int) -> str:
    """Return a record with other names, another date and other scores; the first is as it is."""
    if variant == 0:
        return text
    bearer = namesake(variant)

    def make_name(name: str) -> str:
        return f"{name[:12]}{bearer:03}" if bearer else name

    def length(line: re.Match[str]) -> str:
        points = int(line[2])
        return f"{line[1]}{points and points + variant}{line[3]}"

    def scores(line: re.Match[str]) -> str:
        if _ACTION.match(line[0]):
            return line[0]
        left = f"{line[1]}{make_name(line[2])}{line[3]}{int(line[4]) + variant}"
        right = f"{make_name(line[6])}{line[7]}{int(line[8]) + variant}"
        return f"{left.ljust(line.start(6) - line.start() - 1)} {right}"

    def date(words: re.Match[str]) -> str:
        return f"{words[1]}{1980 + (int(words[2]) + variant) % 45}{words[3]}{1 + variant % 28:02}"

    def player(words: re.Match[str]) -> str:
        return f"{words[1]}{make_name(words[2])}{words[3]}"

    text = _PLAYER.sub(player, text)
    return _DATE.sub(date, _SCORES.sub(scores, _LENGTH.sub(length, text)))


def namesake(variant: int) -> int:
    """Return which of those that bear a name plays in a variant: of n variants, one of the first √n.

    >>> [namesake(variant) for variant in range(1, 17)]
    [0, 0, 1, 0, 0, 1, 1, 2, 0, 0, 1, 1, 2, 2, 3, 0]
    """
    return (variant - isqrt(variant) ** 2) // 2


def records(folder: Path) -> list[str]:
    """Return the records that can be varied: to a length, with its scores, one match each."""
    texts = (
        path.read_bytes().decode("latin-1") for path in sorted(folder.iterdir()) if path.is_file()
    )
    return [
        text
        for text in texts
        if len(_LENGTH.findall(text)) == 1 and _SCORES.search(text) and len(text) < 100_000
    ]


def make(source: Path, count: int, folder: Path) -> Iterator[Path]:
    """Write `count` distinct matches into a folder; yield their files."""
    texts = records(source)
    for number in range(count):
        variant, place = divmod(number, len(texts))
        path = folder / f"{number // A_FOLDER:04}" / f"{number:07}.mat"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(vary(texts[place], variant).encode("latin-1"))
        yield path


if __name__ == "__main__":
    made = sum(1 for _ in make(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])))
    print(f"{made:,} files")
