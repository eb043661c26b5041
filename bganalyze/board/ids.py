"""Position and match identifiers: GNU Backgammon's Position ID and Match ID, XGID and OGID.

Side 0 is always the left column of a match file: player 0 of a GNUbg Match ID, and X of an XGID
(the capital letters, drawn at the bottom, turn 1). GNU Backgammon itself draws player 1 at the
bottom.

No identifier holds a whole position: each function names the details it leaves out.
"""

# Annotations are evaluated here: `record/model.py` says why.

import re
from itertools import chain
from typing import NamedTuple

from bganalyze.board.movement import Dice, are_dice
from bganalyze.board.position import BAR, CHECKERS, OFF, Points, Position

MOST_DOUBLINGS = 15
"""Largest number of doublings of a cube: the limit of a Match ID. XG goes no higher than 1024."""

_POSITION_BYTES = 10
_MATCH_BYTES = 9
_NO_OWNER = 3
_PLAYING = 1

_MATCH_FIELDS = {
    "cube": 4,
    "owner": 2,
    "on_roll": 1,
    "crawford": 1,
    "state": 3,
    "decides": 1,
    "offered": 1,
    "resigned": 2,
    "high": 3,
    "low": 3,
    "length": 15,
    "left": 15,
    "right": 15,
    "no_jacoby": 1,
}
"""Fields of a Match ID and their widths in bits, the lowest bits first."""

_TURNS = (1, -1)
"""XGID's numbers for the left and the right side."""

_XG_NUMBERS = ("cube", "owner", "turn", "left", "right", "rule", "length", "limit")

_XG_LIMIT = 10
"""XGID's cube limit, as a power of two, where the last field is empty."""

_XGID = (
    r"(?:XGID[ \t]*=[ \t]*)?(?P<board>[-a-p][-A-Pa-p]{24}[-A-P])"
    r":(?P<cube>\d{1,2}):(?P<owner>-1|0|1):(?P<turn>-1|1):(?P<dice>00|D|[1-6][1-6])"
    r":(?P<left>\d{1,9}):(?P<right>\d{1,9}):(?P<rule>[0-3]):(?P<length>\d{1,9})"
    r":(?P<limit>\d{0,4})"
)
"""Pattern of an XGID, compiled when the first one is read, because few runs read any."""

_MOST_POINTS = 99_999
"""Largest score and match length accepted in an XGID of a match file."""


_OGID_SIDES = "WB"
_OGID_POINTS = "0123456789abcdefghijklmnop"

_OGID = (
    r"(?P<white>[0-9a-p]{0,30}):(?P<black>[0-9a-p]{0,30})"
    r":(?P<owner>[NWBD?])(?P<cube>\d{1,2})(?P<action>[NOTP]):(?P<dice>(?:[1-6][1-6])?)"
    r":(?P<reached>[WB]):[A-Z]{0,2}:(?P<left>\d{1,5}):(?P<right>\d{1,5})"
    r":(?P<length>\d{1,5})(?P<suffix>C|L|G\d{1,5})?(?::\d{0,6}){0,2}"
)


class Situation(NamedTuple):
    """A position with dice, cube and score, as far as an identifier can hold them."""

    position: Position
    """Board; `own` is the side on roll: the side that rolls, has rolled or has doubled."""
    on_roll: int
    """0 left, 1 right."""
    dice: Dice | None = None
    cube_value: int = 1
    """Cube value before an unanswered double."""
    cube_owner: int | None = None
    """0 left, 1 right, None if the cube is centered."""
    offered: bool = False
    """Whether the side on roll has doubled and the other side has not answered."""
    scores: tuple[int, int] = (0, 0)
    """Points of the left and the right side."""
    length: int = 0
    """Match length; 0 is a money game."""
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    cube_limit: int = 1024


def position_id(position: Position) -> str:
    """Return the GNU Backgammon Position ID of a position.

    Raises ValueError if the board has more than 30 checkers.

    >>> from bganalyze.board.position import start_position
    >>> position_id(start_position("standard"))
    '4HPwATDgc/ABMA'
    """
    bits = 0
    shift = 0
    for count in chain(position.other[1:], position.own[1:]):
        bits |= ((1 << count) - 1) << shift
        shift += count + 1
    if shift > _POSITION_BYTES * 8:
        raise ValueError("A Position ID cannot hold more than 30 checkers.")
    return _encode_base64(bits, _POSITION_BYTES)


def parse_position_id(text: str, checkers: int = CHECKERS) -> Position:
    """Return the position of a GNU Backgammon Position ID, with the side on roll as `own`.

    Each side has `checkers` in all; those not on the board are borne off. Raises ValueError if the
    ID is malformed.

    >>> parse_position_id("4HPwATDgc/ABMA").own[24]
    2
    """
    bits = _decode_base64(text, _POSITION_BYTES, "Position ID")
    counts = [len(run) for run in f"{bits:080b}"[::-1].split("0")]
    if len(counts) < 2 * BAR or any(counts[2 * BAR :]):
        raise ValueError(f"The Position ID {text!r} does not describe 25 points for each side.")
    other, own = counts[:BAR], counts[BAR : 2 * BAR]
    return Position(_add_borne_off(own, checkers), _add_borne_off(other, checkers))


def match_id(situation: Situation) -> str:
    """Return the GNU Backgammon Match ID of a situation.

    A Match ID leaves out beavers and the cube limit. Raises ValueError if a number is too large for
    a Match ID.

    >>> from bganalyze.board.position import start_position
    >>> match_id(Situation(start_position("standard"), on_roll=0, length=3))
    'MAFgAAAAAAAE'
    """
    high, low = sorted(_replace_missing_dice(situation.dice), reverse=True)
    values = {
        "cube": _count_doublings(situation.cube_value),
        "owner": _NO_OWNER if situation.cube_owner is None else situation.cube_owner,
        "on_roll": situation.on_roll,
        "crawford": situation.crawford,
        "state": _PLAYING,
        "decides": situation.on_roll ^ situation.offered,
        "offered": situation.offered,
        "high": high,
        "low": low,
        "length": situation.length,
        "left": situation.scores[0],
        "right": situation.scores[1],
        "no_jacoby": not situation.jacoby,
    }
    return _encode_base64(_pack_match_fields(values), _MATCH_BYTES)


def gnubg_id(situation: Situation) -> str:
    """Return the GNUbg ID of a situation: Position ID, colon, Match ID.

    Raises ValueError if a number is too large for the ID.

    >>> from bganalyze.board.position import start_position
    >>> gnubg_id(Situation(start_position("standard"), on_roll=0, length=3))
    '4HPwATDgc/ABMA:MAFgAAAAAAAE'
    """
    return f"{position_id(situation.position)}:{match_id(situation)}"


def parse_gnubg_id(text: str, checkers: int = CHECKERS) -> Situation:
    """Return the situation of a GNUbg ID (Position ID, colon, Match ID).

    Each side has `checkers` in all. Raises ValueError if the ID is malformed.

    >>> parse_gnubg_id("4HPwATDgc/ABMA:8IllACAAAAAE").dice
    (3, 1)
    """
    position, colon, match = text.partition(":")
    if not colon:
        raise ValueError(f"A GNUbg ID is a Position ID, a colon and a Match ID, not {text!r}.")
    value = _unpack_match_fields(_decode_base64(match, _MATCH_BYTES, "Match ID"))
    if value["high"] > 6 or value["low"] > 6:
        raise ValueError(f"The Match ID {match!r} holds a die above 6.")
    if value["owner"] == 2:
        raise ValueError(f"The Match ID {match!r} gives the cube to neither side nor the center.")
    return Situation(
        position=parse_position_id(position, checkers),
        on_roll=value["on_roll"],
        dice=(value["high"], value["low"]) if value["high"] and value["low"] else None,
        cube_value=1 << value["cube"],
        cube_owner=None if value["owner"] == _NO_OWNER else value["owner"],
        offered=bool(value["offered"]),
        scores=(value["left"], value["right"]),
        length=value["length"],
        crawford=bool(value["crawford"]),
        jacoby=not value["no_jacoby"] and not value["length"],
    )


def xgid(situation: Situation) -> str:
    """Return the XGID of a situation.

    An XGID cannot hold checkers of both sides on one point, as after an illegal play; only the side
    with more checkers is written there.

    >>> from bganalyze.board.position import start_position
    >>> xgid(Situation(start_position("standard"), on_roll=1, dice=(3, 1), length=7))
    'XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:0:0:0:7:10'
    """
    rule = situation.crawford if situation.length else situation.jacoby + 2 * situation.beavers
    fields = (
        _write_xg_board(*_swap_if_right_on_roll(situation.position, situation.on_roll)),
        _count_doublings(situation.cube_value),
        0 if situation.cube_owner is None else _TURNS[situation.cube_owner],
        _TURNS[situation.on_roll],
        _write_xg_dice(situation),
        *situation.scores,
        int(rule),
        situation.length,
        _count_doublings(situation.cube_limit),
    )
    return "XGID=" + ":".join(map(str, fields))


def parse_xgid(text: str, checkers: int = CHECKERS) -> Situation:
    """Return the situation of an XGID, with or without the word `XGID=`.

    Each side has `checkers` in all; those not on the board are borne off. Raises ValueError if the
    XGID is malformed.

    >>> situation = parse_xgid("XGID=-b----E-C---eE---c-e----B-:1:-1:1:D:0:0:3:0:10")
    >>> situation.cube_value, situation.cube_owner, situation.offered, situation.jacoby
    (2, 1, True, True)
    """
    situation = parse_unlimited_xgid(text, checkers)
    if max(*situation.scores, situation.length) > _MOST_POINTS:
        raise _make_invalid_xgid_error(text)
    return situation._replace(
        cube_value=_compute_cube_value(_count_doublings(situation.cube_value)),
        cube_limit=min(situation.cube_limit, 1 << MOST_DOUBLINGS),
    )


def parse_unlimited_xgid(text: str, checkers: int = CHECKERS) -> Situation:
    """Return the situation of an XGID, without the limits of `parse_xgid` on scores and cube.

    This program itself writes such XGIDs. Raises ValueError if the XGID is malformed.

    >>> parse_unlimited_xgid("XGID=-b----E-C---eE---c-e----B-:20:1:1:00:1000000:0:0:5:10").scores
    (1000000, 0)
    """
    match = re.fullmatch(_XGID, text.strip(), re.ASCII)
    if match is None:
        raise _make_invalid_xgid_error(text)
    dice = match["dice"]
    field = {name: int(match[name] or _XG_LIMIT) for name in _XG_NUMBERS}
    length, rule = field["length"], field["rule"]
    on_roll = _TURNS.index(field["turn"])
    return Situation(
        position=Position(
            *_swap_if_right_on_roll(_read_xg_board(match["board"], checkers), on_roll)
        ),
        on_roll=on_roll,
        dice=(int(dice[0]), int(dice[1])) if dice not in ("00", "D") else None,
        cube_value=1 << field["cube"],
        cube_owner=None if field["owner"] == 0 else _TURNS.index(field["owner"]),
        offered=dice == "D",
        scores=(field["left"], field["right"]),
        length=length,
        crawford=length > 0 and rule == 1,
        jacoby=length == 0 and rule & 1 == 1,
        beavers=length == 0 and rule & 2 == 2,
        cube_limit=1 << field["limit"],
    )


def ogid(situation: Situation) -> str:
    """Return the OGID (OpenGammon Position ID) of a situation, with the left side as White.

    An OGID leaves out Jacoby, beavers and the cube limit.

    >>> from bganalyze.board.position import start_position
    >>> ogid(Situation(start_position("standard"), on_roll=0, dice=(3, 1), length=7))
    '11ccccchhhjjjjj:66666888dddddoo:N0N:13:B:R:0:0:7'
    """
    left, right = _swap_if_right_on_roll(situation.position, situation.on_roll)
    owner = "N" if situation.cube_owner is None else _OGID_SIDES[situation.cube_owner]
    # The fifth field names the side that reached the position, not the side on roll.
    reached = situation.on_roll if situation.offered else 1 - situation.on_roll
    dice = sorted(_replace_missing_dice(situation.dice))
    fields = (
        "".join(_OGID_POINTS[BAR - point] * left[point] for point in range(BAR, OFF, -1)),
        "".join(_OGID_POINTS[point] * right[point] for point in range(1, BAR + 1)),
        f"{owner}{_count_doublings(situation.cube_value)}{'O' if situation.offered else 'N'}",
        "{}{}".format(*dice) if dice[0] else "",
        _OGID_SIDES[reached],
        "D" if situation.offered else "R" if dice[0] else "C",
        *situation.scores,
        f"{situation.length}{'C' * (situation.crawford and situation.length > 0)}",
    )
    return ":".join(map(str, fields))


def parse_ogid(text: str, checkers: int = CHECKERS) -> Situation:
    """Return the situation of an OGID (OpenGammon Position ID).

    Each side has `checkers` in all; those not on the board are borne off. Raises ValueError if the
    OGID is malformed.

    >>> situation = parse_ogid("11ccccchhhjjjjj:66666888dddddoo:W1O::W:D:2:4:7C")
    >>> situation.on_roll, situation.scores, situation.crawford
    (0, (2, 4), True)
    """
    fields = re.fullmatch(_OGID, text.strip(), re.ASCII)
    if fields is None:
        raise ValueError(
            f"{text!r} is not an OGID, which has two sides, a cube and six more fields."
        )
    left = [fields["white"].count(_OGID_POINTS[BAR - point]) for point in range(1, BAR + 1)]
    right = [fields["black"].count(_OGID_POINTS[point]) for point in range(1, BAR + 1)]
    sides = Position(_add_borne_off(left, checkers), _add_borne_off(right, checkers))
    offered = fields["action"] == "O"
    reached = _OGID_SIDES.index(fields["reached"])
    on_roll = reached if offered else 1 - reached
    dice = fields["dice"]
    length = int(fields["length"])
    return Situation(
        position=Position(*_swap_if_right_on_roll(sides, on_roll)),
        on_roll=on_roll,
        dice=(int(dice[0]), int(dice[1])) if dice else None,
        cube_value=_compute_cube_value(int(fields["cube"])),
        cube_owner=_OGID_SIDES.index(fields["owner"]) if fields["owner"] in _OGID_SIDES else None,
        offered=offered,
        scores=(int(fields["left"]), int(fields["right"])),
        length=length,
        crawford=length > 0 and fields["suffix"] == "C",
    )


def _encode_base64(bits: int, size: int) -> str:
    """Return an integer of `size` bytes, lowest byte first, as base 64 text without padding.

    >>> _encode_base64(0x0201, 2)
    'AQI'
    """
    import base64  # Few runs write a Position ID or read one.

    return base64.b64encode(bits.to_bytes(size, "little")).decode().rstrip("=")


def _decode_base64(text: str, size: int, kind: str) -> int:
    """Return the integer in a base 64 text of `size` bytes, lowest byte first.

    Raises ValueError if the text is malformed; the message names the text by `kind`.

    >>> hex(_decode_base64("AQI", 2, "Position ID"))
    '0x201'
    """
    import base64

    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except ValueError as error:
        raise ValueError(f"The {kind} {text!r} is not base 64.") from error
    if len(data) != size:
        letters = -(-size * 8 // 6)
        raise ValueError(f"A {kind} has {letters} letters, not {len(text)}: {text!r}.")
    return int.from_bytes(data, "little")


def _pack_match_fields(values: dict[str, int]) -> int:
    """Pack the fields of a Match ID, such as `{"length": 7, "left": 2}`, into one integer.

    Raises ValueError if a number is too large for its field.
    """
    bits = shift = 0
    for name, width in _MATCH_FIELDS.items():
        value = int(values.get(name, 0))
        if value >> width:
            raise ValueError(f"A Match ID cannot hold a {name} of {value}.")
        bits |= value << shift
        shift += width
    return bits


def _unpack_match_fields(bits: int) -> dict[str, int]:
    """Unpack an integer into the fields of a Match ID, such as `{"length": 7, "left": 2}`."""
    values = {}
    for name, width in _MATCH_FIELDS.items():
        values[name] = bits & ((1 << width) - 1)
        bits >>= width
    return values


def _make_invalid_xgid_error(text: str) -> ValueError:
    """Return the error for a text that is no XGID."""
    return ValueError(f"{text!r} is not an XGID: 26 points and nine fields between colons.")


def _add_borne_off(counts: list[int], checkers: int) -> Points:
    """Return a side's checkers on all 26 points: those borne off, then the `counts` on 1 to 25."""
    return (max(checkers - sum(counts), OFF), *counts)


def _swap_if_right_on_roll(position: Position, on_roll: int) -> tuple[Points, Points]:
    """Return the two sides' checkers, swapped if the right side is on roll (`on_roll` is 1)."""
    return (position.other, position.own) if on_roll else (position.own, position.other)


def _write_xg_board(left: Points, right: Points) -> str:
    """Return the 26 characters for the board in an XGID, seen by the left side.

    >>> from bganalyze.board.position import points
    >>> _write_xg_board(points({6: 5, 25: 1}), points({1: 2}))
    '------E-----------------bA'
    """
    pairs = zip((0, *left[1:]), (*right[:OFF:-1], 0), strict=True)
    return "".join(_write_point_letter(*pair) for pair in pairs)


def _read_xg_board(board: str, checkers: int) -> Position:
    """Return the position, left side as `own`, from the 26 characters for the board in an XGID.

    Each side has `checkers` in all; those not on the board are borne off.

    >>> _read_xg_board("------E-----------------bA", 15).own[6]
    5
    """
    left = [_count_checkers_of_letter(letter, "A") for letter in board[1:]]
    right = [_count_checkers_of_letter(letter, "a") for letter in board[-2::-1]]
    return Position(_add_borne_off(left, checkers), _add_borne_off(right, checkers))


def _write_point_letter(left: int, right: int) -> str:
    """Return the XGID letter for the checkers on a point, or "-" if it is empty.

    The left player's letter is a capital, the right player's is lower case.

    >>> _write_point_letter(2, 0), _write_point_letter(0, 5), _write_point_letter(0, 0)
    ('B', 'e', '-')
    """
    if left == right == 0:
        return "-"
    return (
        chr(ord("A") + min(left, 16) - 1)
        if left >= right
        else _write_point_letter(right, 0).lower()
    )


def _count_checkers_of_letter(letter: str, first: str) -> int:
    """Return the number of a side's checkers on a point, from the point's letter in an XGID.

    `first` is the side's letter for one checker: "A" or "a".
    """
    count = ord(letter) - ord(first) + 1
    return count if 0 < count <= 16 else 0


def _write_xg_dice(situation: Situation) -> str:
    """Return the dice field of an XGID: `31`, `00` without a roll, `D` for an offered double."""
    if situation.offered:
        return "D"
    return "{}{}".format(*_replace_missing_dice(situation.dice))


def _replace_missing_dice(dice: Dice | None) -> Dice:
    """Return the dice, or (0, 0) if they are missing or invalid."""
    return dice if dice and are_dice(dice) else (0, 0)


def _count_doublings(cube: int) -> int:
    """Return the number of doubles that lead from 1 to this cube value.

    >>> _count_doublings(8)
    3
    """
    return max(cube, 1).bit_length() - 1


def _compute_cube_value(doublings: int) -> int:
    """Return the cube value after `doublings` doubles from 1.

    Raises ValueError for more doubles than `MOST_DOUBLINGS`.
    """
    if doublings > MOST_DOUBLINGS:
        raise ValueError(
            f"A cube cannot be doubled {doublings} times; the limit is {MOST_DOUBLINGS}."
        )
    return 1 << doublings
