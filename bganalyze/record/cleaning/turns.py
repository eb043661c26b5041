"""Turns on lines of their own, each behind the name of its player, put into rows of two cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bganalyze.record.cleaning.layers import RIGHT_COLUMN, Replacement

FEWEST_TURNS = 4
"""Least number of named turns that show how a text is written."""

_TURN = re.compile(
    r"^(?P<before>[ \t]*(?:[0-9]{1,3}[.)][ \t]*)?(?P<name>[^\W\d][^:\n]{0,40}):[ \t]+)"
    r"(?P<cell>(?:[0-6]{2}:|(?:re)?doubles?\b|takes?\b|drops?\b|pass(?:es)?\b|accepts?\b|rejects?\b"
    r"|concedes?\b|resigns?\b|wins?[ \t]+[0-9])[^\n]*)$",
    re.IGNORECASE | re.MULTILINE,
)
_SECOND_ROLL = re.compile(r"\S[ \t]+(?:\S{1,40}:[ \t]+)?[1-6]{2}:")
_GAME = re.compile(r"^[ \t]*game[ \t]+[0-9]", re.IGNORECASE | re.MULTILINE)
_SCORE = re.compile(
    r"^[ \t]*(?P<left>[^\W\d][^:\n]{0,60}?)[ \t]*:[ \t]*[0-9]{1,4}[ \t]{2,}[^\W\d][^:\n]{0,60}:[ \t]*[0-9]{1,4}[ \t]*$",
    re.MULTILINE,
)


def find_named_turns(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that put turns on lines such as `Ann: 31: 8/5 6/5` into numbered rows.

    >>> turns = "1) Ann: 31: 8/5 6/5\nBob: 42: 8/4 6/4\n2) Ann: 65: 24/13\nBob: 61: 13/7 8/7"
    >>> [part.new.split() for part in find_named_turns(turns)]
    [['Ann', ':', '0', 'Bob', ':', '0', '1)'], [], ['2)'], []]
    """
    turns = list(_TURN.finditer(text))
    names = list(dict.fromkeys(turn["name"].casefold() for turn in turns))
    if len(turns) < FEWEST_TURNS or len(names) != 2:
        return
    if any(_SECOND_ROLL.search(turn["cell"]) for turn in turns):
        return
    score = _SCORE.search(text)
    left = names[0] if score is None else score["left"].casefold()
    if left in names:
        yield from _put_into_rows(text, turns, left, has_score=score is not None)


def _put_into_rows(
    text: str, turns: Sequence[re.Match[str]], left_name: str, *, has_score: bool
) -> Iterator[Replacement]:
    """Yield replacements that put turns with names into numbered rows of two columns.

    `left_name` is the left player's name, case-folded. A score line is added unless `has_score`.
    """
    number = 0
    open_row: re.Match[str] | None = None
    end = 0
    for turn in turns:
        is_left = turn["name"].casefold() == left_name
        between = text[end : turn.start()]
        if _GAME.search(between):
            number = 0
        if open_row is not None and not is_left and not between.strip():
            width = max(RIGHT_COLUMN - len(f"{number:3}) {open_row['cell'].rstrip()}"), 2)
            yield Replacement(end, turn.start("cell"), " " * width)
        else:
            number += 1
            label = f"{number:3}) ".ljust(0 if is_left else RIGHT_COLUMN)
            head = "" if has_score else _make_score_line(turns)
            yield Replacement(turn.start("before"), turn.end("before"), head + label)
            has_score = True
        open_row = turn if is_left else None
        end = turn.start("cell") + len(turn["cell"].rstrip())


def _make_score_line(turns: Sequence[re.Match[str]]) -> str:
    """Return a score line of 0-0; the player who acts first is on the left."""
    spellings = {turn["name"].casefold(): turn["name"] for turn in reversed(turns)}
    left, right = (
        spellings[name] for name in dict.fromkeys(turn["name"].casefold() for turn in turns)
    )
    return f" {left} : 0".ljust(RIGHT_COLUMN) + f"{right} : 0\n"
