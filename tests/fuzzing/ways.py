"""Compare reading with and without the quick readers that the grammars have beside them.

python -m tests.fuzzing.ways --format mat --mutants 1000
python -m tests.fuzzing.ways --files FOLDER ...
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from lark import Lark, Token, Tree, UnexpectedInput

from bganalyze.board.position import BAR, OFF, Step
from bganalyze.record import grammar as grammars
from bganalyze.record.grammar import Lexer, grammar
from bganalyze.record.match_text import cells, reader
from bganalyze.record.not_a_transcript import NotATranscript
from bganalyze.record.reader import read_bytes
from bganalyze.record.text_caches import cache_by_text, clear_all_caches
from tests.fuzzing.bases import bases_of
from tests.fuzzing.mutants import mutant
from tests.fuzzing.parts import DESCRIBED

WORDS = {"BAR": BAR, "OFF": OFF}

SHOWN = 3
"""Most differing texts that are shown."""

TOGETHER = 500
"""Number of texts read in one way before the other way follows: cells are cached."""


class LarkLexer(Lexer):
    """Parts a text into tokens by Lark's own lexer."""

    def __init__(self, parser: Lark) -> None:
        self._lex = parser.lex

    def tokens(self, text: str) -> Iterator[Token]:
        """Yield the tokens of a text."""
        return self._lex(text)


def steps_by_lark(word: str) -> tuple[Step, ...]:
    """Return the steps that a word spells, by the rule `step` alone."""
    try:
        return steps_of(grammar("cell").parse_token("step", word))
    except UnexpectedInput:
        return ()


def steps_of(tree: Tree[Token]) -> tuple[Step, ...]:
    """Return what a word of a play says, as Lark has parsed it."""
    path: list[int] = []
    marks: list[bool] = []
    repeats = 1
    for part in tree.children:
        if isinstance(part, Token):  # A hit belongs to the point before it, or to all of a count.
            marks[-1] = True
        elif part.data.endswith("count"):
            repeats = int(str(part.children[0]))
        else:
            [point] = part.children
            assert isinstance(point, Token)
            kind = point.type.rpartition("__")[2]
            path.append(int(point) if kind == "POINT" else WORDS[kind])
            marks.append(False)
    first = Step(tuple(path), tuple(marks[1:]))
    return (first, *(Step(first.path, (False,) * len(first.marked)) for _ in range(repeats - 1)))


@contextmanager
def by_grammars_alone() -> Iterator[None]:
    """Read without the quicker ways: of rows, plays and steps, and of parting a text into tokens."""
    grammar.cache_clear()
    clear_all_caches()
    with (
        patch.object(grammars, "Lexer", LarkLexer),
        patch.object(cells, "parse_play_only", _none),
        patch.object(cells, "parse_steps", steps_by_lark),
        patch.object(reader, "parse_play_only", _none),
    ):
        yield
    grammar.cache_clear()
    clear_all_caches()


@cache_by_text(TOGETHER)
def _none(_: str) -> None:
    """Know nothing of a cell."""


def differing(texts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the texts that are read to something else without the quicker ways."""
    texts = iter(texts)
    while together := list(islice(texts, TOGETHER)):
        quickly = [_read(text) for text in together]
        with by_grammars_alone():
            slowly = [_read(text) for text in together]
        for text, *ways in zip(together, quickly, slowly, strict=True):
            if ways[0] != ways[1]:
                yield text


def _read(text: bytes) -> Any:
    """Return the matches in a text with their places, or the reason why there are none."""
    try:
        return read_bytes(text, "mutant")
    except NotATranscript as error:
        return error.reason


def mutants_of(known_as: str, count: int, seed: int) -> Iterator[bytes]:
    """Yield seeded mutants of the records of a format."""
    originals = bases_of(known_as)
    return (mutant(originals, Random(f"{seed}:{number}")) for number in range(count))


def main() -> int:
    """Compare files, or mutants of every format, and say what differs; the status is 1 if anything."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing.ways", description=__doc__)
    parser.add_argument("--format", choices=[entry.name for entry in DESCRIBED])
    parser.add_argument("--mutants", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--files", type=Path, nargs="+", help="all files under these, no mutants")
    options = parser.parse_args()
    if options.files:
        paths = [path for folder in options.files for path in folder.rglob("*") if path.is_file()]
        return _compare(f"{len(paths)} files", (path.read_bytes() for path in paths))
    names = [entry.name for entry in DESCRIBED if options.format in (None, entry.name)]
    return max(
        _compare(
            f"{name}: {options.mutants} mutants", mutants_of(name, options.mutants, options.seed)
        )
        for name in names
    )


def _compare(what: str, texts: Iterable[bytes]) -> int:
    differing_texts = list(differing(texts))
    for text in differing_texts[:SHOWN]:
        print(f"{text[:2_000]!r}")
    print(f"{what}, {len(differing_texts)} differ", flush=True)
    return int(bool(differing_texts))


if __name__ == "__main__":
    sys.exit(main())
