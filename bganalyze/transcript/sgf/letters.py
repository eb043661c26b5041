"""Points as letters: how Smart Game Format names them, from the side of White.

White is the left side, Black the right one, as everywhere in this program.
"""

from __future__ import annotations

from bganalyze.board.position import BAR, OFF, Points

COLOURS = ("W", "B")
"""The letters of the left and of the right side."""


def point_letter(point: int, side: int) -> str:
    """Return the letter of a point in the numbering of `side`; the bar is `y`, off is `z`.

    >>> point_letter(1, 0), point_letter(24, 1), point_letter(25, 0), point_letter(0, 1)
    ('a', 'a', 'y', 'z')
    """
    if point in (BAR, OFF):
        return "y" if point == BAR else "z"
    return chr(ord("a") + (point if side == 0 else BAR - point) - 1)


def point(letter: str, side: int) -> int:
    """Return the point of a letter, from `a` to `z`, in the numbering of `side`.

    >>> point("a", 0), point("a", 1), point("y", 0), point("z", 1)
    (1, 24, 25, 0)
    """
    if letter in "yz":
        return BAR if letter == "y" else OFF
    number = ord(letter) - ord("a") + 1
    return number if side == 0 else BAR - number


def board_letters(boards: tuple[Points, Points]) -> str:
    """Return the properties that empty the board and set up the checkers of left and right.

    >>> from bganalyze.board.position import points
    >>> board_letters((points({25: 1, 6: 2}), points({6: 1})))
    'AE[a:y]AW[f][f][y]AB[s]'
    >>> board_letters((points({1: 1}), points({})))
    'AE[a:y]AW[a]'
    """
    return "AE[a:y]" + "".join(_stones(points, side) for side, points in enumerate(boards))


def _stones(points: Points, side: int) -> str:
    on_board = range(1, BAR + 1)
    stones = "".join(f"[{point_letter(point, side)}]" * points[point] for point in on_board)
    return f"A{COLOURS[side]}{stones}" if stones else ""
