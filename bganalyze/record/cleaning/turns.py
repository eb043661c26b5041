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
_NAME = r"^[ \t]*(?:[0-9]{1,3}[.)][ \t]*)?(?P<name>[^\W\d][^:\n\t0-9]{0,40}?)"
_TOLD_ROLL = re.compile(
    rf"{_NAME}(?P<gap>[ \t]+(?:rolls?[ \t]+)?)(?P<roll>[1-6]-?[1-6])"
    r"(?P<behind>:(?=[ \t])|[ \t]+and[ \t]+(?:plays|moves)(?=[ \t])|[ \t]+and(?=[ \t]+(?:dances|fans|can))"
    r"|(?=[ \t]+(?:(?:bar|[0-9]{1,2})/|no[ \t]|can|dances|fans)))",
    re.IGNORECASE | re.MULTILINE,
)
_TOLD_DEED = re.compile(
    rf"{_NAME}(?P<gap>[ \t]+)(?=(?:(?:re)?doubles|takes|drops|pass(?:es)?|accepts|rejects|resigns)\b"
    r"[^\n/]{0,40}$)",
    re.IGNORECASE | re.MULTILINE,
)
_SECOND_ROLL = re.compile(r"\S[ \t]+(?:\S{1,40}:[ \t]+)?[1-6]{2}:")
_GAME = re.compile(r"^[ \t]*game[ \t]+[0-9]", re.IGNORECASE | re.MULTILINE)
_SCORE = re.compile(
    r"^[ \t]*(?P<left>[^\W\d][^:\n]{0,60}?)[ \t]*:[ \t]*[0-9]{1,4}[ \t]{2,}[^\W\d][^:\n]{0,60}:[ \t]*[0-9]{1,4}[ \t]*$",
    re.MULTILINE,
)


def find_told_turns(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that turn rolls in words, such as `Ann rolls 3-1`, into `Ann: 31:`."""
    rolls = list(_TOLD_ROLL.finditer(text))
    names = {turn["name"].casefold() for turn in rolls}
    if len(rolls) < FEWEST_TURNS or len(names) != 2:
        return
    found: list[Replacement] = []
    for turn in rolls:
        found.append(Replacement(*turn.span("gap"), ": "))
        if turn["roll"] != (dice := turn["roll"].replace("-", "")):
            found.append(Replacement(*turn.span("roll"), dice))
        if turn["behind"] != ":":
            found.append(Replacement(*turn.span("behind"), ":"))
    found += (
        Replacement(*deed.span("gap"), ": ")
        for deed in _TOLD_DEED.finditer(text)
        if deed["name"].casefold() in names
    )
    yield from sorted(found)


def find_named_turns(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that put turns such as `Ann: 31: 8/5` into numbered rows."""
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

    `left_name` is the case-folded name of the left player. If `has_score` is False, score lines are
    added.
    """
    number = 0
    open_row: re.Match[str] | None = None
    end = 0
    for turn in turns:
        is_left = turn["name"].casefold() == left_name
        between = text[end : turn.start()]
        begins_game = end == 0 or _GAME.search(between) is not None
        if begins_game:
            number = 0
        if open_row is not None and not is_left and not between.strip():
            width = max(RIGHT_COLUMN - len(f"{number:3}) {open_row['cell'].rstrip()}"), 2)
            yield Replacement(end, turn.start("cell"), " " * width)
        else:
            number += 1
            label = f"{number:3}) ".ljust(0 if is_left else RIGHT_COLUMN)
            head = ""
            if begins_game and not has_score:
                head = _make_score_line(turns, between, is_first=end == 0)
            yield Replacement(turn.start("before"), turn.end("before"), head + label)
        open_row = turn if is_left else None
        end = turn.start("cell") + len(turn["cell"].rstrip())


def _make_score_line(turns: Sequence[re.Match[str]], heading: str, *, is_first: bool) -> str:
    """Return the score line of a game, with the points that its heading states.

    Without stated points, this is 0-0 for the first game, and no text for any other.
    """
    spellings = {turn["name"].casefold(): turn["name"] for turn in reversed(turns)}
    # The player who acts first is on the left.
    names = [spellings[name] for name in dict.fromkeys(turn["name"].casefold() for turn in turns)]
    lines = [line for line in heading.split("\n") if _GAME.match(line)]
    stated = [_find_points(lines[-1] if lines else "", name) for name in names]
    if None in stated and not is_first:
        return ""
    left, right = stated if None not in stated else ("0", "0")
    return f" {names[0]} : {left}".ljust(RIGHT_COLUMN) + f"{names[1]} : {right}\n"


def _find_points(heading: str, name: str) -> str | None:
    """Return the points after `name` in a heading such as `Game 2 (Ann 1)`, or None."""
    points = re.search(rf"(?<!\w){re.escape(name)}[ \t:(]{{1,3}}([0-9]{{1,4}})\b", heading)
    return None if points is None else points[1]
