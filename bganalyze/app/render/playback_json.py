"""A match to play through as JSON for the script of a page, packed to be short.

The script unpacks it (`pages/unpack.js`). Boards that follow from the board before by the moves of a
play are left out, and so are pip counts; plays, chances and equities are short texts and numbers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from bganalyze.app.render.playback import Frame, FrameAnalysis, Playback, Remark, Variation
from bganalyze.board.movement import move_along
from bganalyze.board.position import BAR
from bganalyze.text import printable

if TYPE_CHECKING:
    from bganalyze.app.render.playback_analysis import RatedChoice, ShownDecision

Moves: TypeAlias = Sequence[Sequence[int]]
NumberOf: TypeAlias = Callable[[int], int]
"""A function from the index of a board to its index in the packed list."""

COMPUTED = -1
"""The index of a board that the script computes."""

_CHECKERS = re.compile(r"([a-z])(\d+)")


def playback_json(match: Playback) -> str:
    """Return a match as JSON text that can stand inside an HTML page."""
    boards = _KeptBoards(match)
    data = match._asdict() | {
        # To be short, a frame is a list of values in this order.
        "fields": Frame._fields,
        "games": [
            game._asdict() | {"frames": [_pack_frame(frame, boards) for frame in game.frames]}
            for game in match.games
        ],
    }
    del data["entries"]
    data["boards"] = boards.packed()
    if match.course is not None:
        from bganalyze.app.render.playback_analysis import ShownDecision

        data |= {
            "course": match.course._asdict()
            | {"turning": [point._asdict() for point in match.course.turning]},
            "analysisFields": FrameAnalysis._fields,
            "decisionFields": ShownDecision._fields,
        }
    written = json.dumps(_make_printable(data), ensure_ascii=False, separators=(",", ":"))
    return written.replace("<", "\\u003c")


class _KeptBoards:
    """Boards of a match for JSON. The page's script computes the others."""

    def __init__(self, match: Playback) -> None:
        self._boards = match.boards
        self._numbers: dict[int, int] = {}

    def keep(self, index: int) -> int:
        """Keep a board for the page, and return its index in `packed()`.

        `index` is the board's index among all boards of the match.
        """
        return self._numbers.setdefault(index, len(self._numbers))

    def can_be_computed(self, index_before: int, seat: int, moves: Moves, index_after: int) -> bool:
        """Whether the page's script can compute a board from the one before and a player's moves.

        The indexes are those of all boards of the match. `seat` is the player who moves: 0 left, 1
        right.
        """
        left, right = self._boards[index_before][:2]
        return move_checkers((left, right), seat, moves) == self._boards[index_after][:2]

    def packed(self) -> list[str]:
        """Return the kept boards, each as a text with the left and the right player's checkers."""
        return [" ".join(self._boards[index][:2]) for index in self._numbers]


def move_checkers(sides: tuple[str, str], seat: int, moves: Moves) -> tuple[str, str]:
    """Return both players' checkers after moves by one player, which may hit.

    `b2g5` means two checkers on point 1 and five on point 6. `seat` is the player who moves, 0 left
    or 1 right. A move lists the points that a checker touches.

    >>> move_checkers(("b2g5", "y1"), 0, [(6, 5)])
    ('b2f1g4', 'y1')
    """
    counts = [_count_checkers(side) for side in sides]
    own, other = counts[seat], counts[1 - seat]
    for path in moves:
        move_along(own, other, path)
    left, right = (
        "".join(
            f"{_name_point_by_letter(point)}{count}" for point, count in enumerate(side) if count
        )
        for side in counts
    )
    return left, right


def _count_checkers(side: str) -> list[int]:
    """Return the number of checkers on each point from a text such as `b2g5`.

    Index 0 is for checkers off, 25 for the bar.

    >>> _count_checkers("b2g5")[:7]
    [0, 2, 0, 0, 0, 0, 5]
    """
    counts = [0] * (BAR + 1)
    for letter, count in _CHECKERS.findall(side):
        counts[ord(letter) - ord("a")] = int(count)
    return counts


def _name_point_by_letter(point: int) -> str:
    """Return the letter of a point: `a` for off, `b` for point 1, `z` for the bar."""
    return chr(ord("a") + point)


def _pack_frame(frame: Frame, boards: _KeptBoards) -> Frame:
    """Return a frame, one step of a match on the page, in short form for JSON."""
    analysis = frame.analysis
    if analysis is not None:
        decisions = [_pack_decision(one, frame.before, boards) for one in analysis.decisions]
        analysis = analysis._replace(decisions=decisions)  # type: ignore[arg-type]
    return frame._replace(
        before=boards.keep(frame.before),
        after=boards.keep(frame.after),
        remarks=tuple(_pack_remark(remark, boards) for remark in frame.remarks),
        analysis=analysis,
    )


def _pack_remark(remark: Remark, boards: _KeptBoards) -> Remark:
    """Return a remark in short form for JSON."""
    plays = (play._replace(after=boards.keep(play.after)) for play in remark.plays)
    return remark._replace(plays=tuple(plays))


def _pack_decision(
    decision: ShownDecision, index_of_board_before: int, boards: _KeptBoards
) -> list[object]:
    """Return the values of a decision as a list for JSON."""
    choices = [
        _pack_choice(one, decision.seat, index_of_board_before, boards) for one in decision.choices
    ]
    return list(decision._replace(choices=choices))  # type: ignore[arg-type]


def _pack_choice(
    choice: RatedChoice, seat: int, index_of_board_before: int, boards: _KeptBoards
) -> list[object]:
    """Return the values of a choice as a list for JSON.

    `seat` is the player who chooses: 0 left, 1 right. The board after the choice is kept in
    `boards` unless the page can compute it.
    """
    usual = COMPUTED if choice.moves else None
    after = choice.after
    if after is not None and boards.can_be_computed(
        index_of_board_before, seat, choice.moves, after
    ):
        after = COMPUTED
    elif after is not None:
        after = boards.keep(after)
    values: list[object] = [
        choice.text,
        pack_thousandths(choice.equity),
        pack_thousandths(choice.difference),
        choice.made + 2 * choice.best,
        "".join(map(pack_tenths, choice.chances)),
        " ".join("".join(map(_name_point_by_letter, path)) for path in choice.moves),
        *(() if after == usual else (after,)),
    ]
    # Empty values at the end are left out.
    while values[-1] == "":
        values.pop()
    return values


def pack_thousandths(text: str) -> int | str:
    """Return a signed number such as `-0.190` in thousandths; return any other text unchanged.

    >>> pack_thousandths("-0.190"), pack_thousandths("-0.000")
    (-190, '-0.000')
    """
    if not text:
        return text
    number = round(1000 * float(text))
    return number if f"{number / 1000:+.3f}" == text else text


_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def pack_tenths(tenths: int) -> str:
    """Return a chance in tenths of a percent as two digits in base 36.

    >>> pack_tenths(484)
    'dg'
    """
    high, low = divmod(tenths, len(_DIGITS))
    return _DIGITS[high] + _DIGITS[low]


def _make_printable(value: Any) -> Any:
    """Return a value as plain data for JSON, with control characters escaped."""
    match value:
        case bool():
            return int(value)
        case str():
            return printable(value)
        case Remark() | Variation():
            return _make_printable(value._asdict())
        case dict():
            return {name: _make_printable(item) for name, item in value.items()}
        case tuple() | list():
            return [_make_printable(item) for item in value]
    return value
