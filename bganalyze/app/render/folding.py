"""Folding: lines longer than the terminal are broken at spaces, and go on with a hanging indent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rich.cells import cell_len
from rich.text import Text

from bganalyze.app.render.console import make_console
from bganalyze.app.render.output_options import OutputOptions

_HANGING = 4
"""Columns by which the later lines of a folded line are indented more than the first."""

_WORD = re.compile(r"\S+(?: %\S*)?")
_WORD_OR_COMMAND = re.compile(rf"\(?bganalyze [a-z]+(?: [^\s,;()]+)*\S*|{_WORD.pattern}")
"""A command stays in one line if it fits, because a reader may copy it."""


def fold_lines(pieces: Iterable[str], setting: OutputOptions) -> Iterator[str]:
    """Yield texts with their long lines folded to `setting.prose_width`."""
    console = make_console(setting.color, setting.prose_width)
    for piece in pieces:
        if max(map(cell_len, piece.splitlines()), default=0) <= setting.prose_width:
            yield piece  # Longer lines may still fit: their colors take no columns.
            continue
        with console.capture() as captured:
            for line in piece.splitlines():
                for part in _fold_line(Text.from_ansi(line), setting.prose_width):
                    console.print(part, soft_wrap=True)
        yield captured.get() if piece.endswith("\n") else captured.get().removesuffix("\n")


def _fold_line(line: Text, width: int) -> Iterator[Text]:
    """Yield a line in parts at most `width` columns wide."""
    if line.cell_len <= width:
        yield line
        return
    indent = line.cell_len - cell_len(line.plain.lstrip(" "))
    text = line[indent:]
    breaks = _find_breaks(text.plain, width - indent - _HANGING)
    for number, part in enumerate(text.divide(breaks)):
        part.rstrip()
        part.pad_left(indent + _HANGING * (number > 0))
        yield part


def _find_breaks(text: str, width: int) -> list[int]:
    """Return the indexes at which to break a text into lines of at most `width` columns.

    The first line may be four columns longer. A command that fits into a line is not broken.

    >>> _find_breaks("run bganalyze check here, again", 21)
    [26]
    """
    breaks, begin = list[int](), 0
    for word in _list_words(text, width):
        # Later lines are indented.
        most = width if breaks else width + _HANGING
        if word.start() > begin and cell_len(text[begin : word.end()]) > most:
            begin = word.start()
            breaks.append(begin)
    return breaks


def _list_words(text: str, width: int) -> Iterator[re.Match[str]]:
    """Yield the words of a text; a command that fits into `width` columns counts as one word.

    >>> [word[0] for word in _list_words("run bganalyze check a.mat", 30)]
    ['run', 'bganalyze check a.mat']
    """
    place = 0
    while word := _WORD_OR_COMMAND.search(text, place):
        if cell_len(word[0]) > width:
            word = _WORD.match(text, word.start()) or word
        yield word
        place = word.end()
