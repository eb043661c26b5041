"""Row numbers, empty cells and headings as people write them in posts, in the usual form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bganalyze.record.cleaning.layers import LONGEST_LINE, Replacement

FEWEST_LABELS = 3
"""Least number of row numbers in a text that show how it writes them."""

LEAST_IN_ORDER = 0.8
"""Least share of row numbers that are 1 or one more than the number above, if they are row numbers."""

_ROLL = r"(?:\[[1-6]-?[1-6]\]|\([1-6]-?[1-6]\)|[1-6]-?[1-6])"
_WORD = (
    r"(?:(?:(?:re)?doubl(?:es?|ed)|takes?|accepts?|drops?|pass(?:es)?|declines?|rejects?|wins?|losses|loses|concedes?"
    r"|resign(?:s|ed)?)\b|\?{2,4}[ \t]*$)"
)
_CELL = rf"(?:{_ROLL}:?(?=[ \t]+\S|[ \t]*$|:)|{_WORD})"
_USUAL_ROW = re.compile(
    rf"^[ \t]*(?P<number>[0-9]{{1,3}})[.)][ \t]+{_CELL}", re.IGNORECASE | re.MULTILINE
)
_LABEL = re.compile(
    r"^[ \t]*(?:(?P<open>[(\[#])(?P<enclosed>[0-9]{1,3})(?P<close>[)\]]|(?=[ \t]))(?=[ \t]|$)"
    r"|(?P<bare>[0-9]{1,3})(?P<sign>:|\]|\.\)|[ ]-|(?=\t))"
    rf"(?=[ \t]+(?:{_CELL}|\.{{3}}|$)))",
    re.IGNORECASE | re.MULTILINE,
)
"""A row number in brackets, or before a colon, a bracket, a hyphen or a tab."""
_EMPTY_CELL = re.compile(
    r"^[ \t]*[0-9]{1,3}[.)][ \t]+(?P<dots>\.{2,4}|\u2026)(?=[ \t]+\S)", re.MULTILINE
)
_SLASHED_DICE = re.compile(r"^[ \t]*[0-9]{1,3}[.)][^\n;]*?[ \t][1-6]/[1-6]:(?![0-9])", re.MULTILINE)
_SLASH = re.compile(r"(?<=[ \t][1-6])/(?=[1-6]:(?![0-9]))")
_GAME = r"^[ \t]*game[ \t]{1,3}[0-9]{1,3}\b[^\n]{0,80}\n\n?"
_SCORE_IN_BRACKETS = re.compile(
    rf"{_GAME}[ \t]*[^\W\d][^\n:;()]{{0,60}}?(?P<left>[ \t]{{1,3}}\()[0-9]{{1,4}}(?P<left_end>\))[ \t]{{2,60}}"
    r"[^\W\d][^\n:;()]{0,60}?(?P<right>[ \t]{1,3}\()[0-9]{1,4}(?P<right_end>\))[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_PLUS = re.compile(
    r"^(?P<name>[ \t]*[^\W\d][^\n:;+]{0,60}?)(?P<plus>[ \t]{1,3}\+)(?P<points>[0-9]{1,3})[ \t]*$",
    re.MULTILINE,
)
_SCORE = re.compile(
    r"^([^\n:]{1,60}):[ \t]*[0-9]{1,4}[ \t]{2,60}([^\n:]{1,60}):[ \t]*[0-9]{1,4}[ \t]*$",
    re.MULTILINE,
)
_WINS = re.compile(r"\bwins?[ \t]+[0-9]", re.IGNORECASE)


def find_row_labels(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that turn row numbers such as `(1)`, `1:` or `[1]` into `1)`.

    >>> rows = "1: 31: 8/5 6/5\n2: 42: 8/4 6/4\n3: 65: 24/13"
    >>> [(rows[part.start : part.end], part.new) for part in find_row_labels(rows)]
    [(':', ')'), (':', ')'), (':', ')')]
    """
    labels = list(_LABEL.finditer(text))
    odd_numbers = {one.start(): int(one["enclosed"] or one["bare"]) for one in labels}
    usual_numbers = {row.start(): int(row["number"]) for row in _USUAL_ROW.finditer(text)}
    numbers = usual_numbers | odd_numbers
    if usual_numbers and len(odd_numbers) < FEWEST_LABELS:
        return
    if not are_row_numbers([numbers[start] for start in sorted(numbers)]):
        return
    for label in labels:
        if label["open"] is None:
            yield Replacement(*label.span("sign"), ")")
        else:
            yield Replacement(*label.span("open"), " ")
            if label["close"] != ")":
                yield Replacement(*label.span("close"), ")")


def are_row_numbers(numbers: Sequence[int]) -> bool:
    """Whether nearly all numbers count up by one or restart at 1, as the row numbers of games do.

    >>> are_row_numbers([1, 2, 3, 1, 2]), are_row_numbers([5, 3, 6, 1])
    (True, False)
    """
    pairs = zip([0, *numbers], numbers, strict=False)
    in_order = sum(number in (1, before + 1) for before, number in pairs)
    return len(numbers) >= FEWEST_LABELS and in_order >= LEAST_IN_ORDER * len(numbers)


def find_empty_cells(text: str) -> Iterator[Replacement]:
    """Yield replacements of dots in place of the left player's action by blanks.

    >>> list(find_empty_cells(" 1. ...       31: 8/5 6/5"))
    [Replacement(start=4, end=7, new='   ')]
    """
    if ".." not in text and "\u2026" not in text:
        return
    for row in _EMPTY_CELL.finditer(text):
        yield Replacement(*row.span("dots"), " " * len(row["dots"]))


def find_slashed_dice(text: str) -> Iterator[Replacement]:
    """Yield replacements that remove the slash between the dice of a roll, in numbered rows.

    >>> list(find_slashed_dice(" 1) 3/1: 8/5 6/5"))
    [Replacement(start=5, end=6, new='')]
    """
    for row in _SLASHED_DICE.finditer(text):
        end = text.find("\n", row.end())
        stop = min(len(text) if end < 0 else end, row.start() + LONGEST_LINE)
        for slash in _SLASH.finditer(text, row.start(), stop):
            yield Replacement(*slash.span(), "")


def find_bracketed_scores(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that turn score lines such as `Ann (0) Bob (2)` into `Ann : 0 Bob : 2`.

    >>> text = "Game 1\nAnn (0)       Bob (2)"
    >>> [(text[part.start : part.end], part.new) for part in find_bracketed_scores(text)]
    [(' (', ' : '), (')', ''), (' (', ' : '), (')', '')]
    """
    for line in _SCORE_IN_BRACKETS.finditer(text):
        for side in ("left", "right"):
            yield Replacement(*line.span(side), " : ")
            yield Replacement(*line.span(f"{side}_end"), "")


def find_plus_points(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that turn results such as `Ann +2` into `Ann wins 2 points`.

    >>> text = " Ann : 0     Bob : 0\n 1) 31: 8/5 6/5\nAnn +2"
    >>> [(text[part.start : part.end], part.new) for part in find_plus_points(text)]
    [(' +', ' wins '), ('', ' points')]
    """
    if _WINS.search(text) is not None:
        return
    names = {name.strip().casefold() for line in _SCORE.findall(text) for name in line}
    for line in _PLUS.finditer(text):
        if line["name"].strip().casefold() in names:
            yield Replacement(*line.span("plus"), " wins ")
            yield Replacement(line.end("points"), line.end("points"), " points")
