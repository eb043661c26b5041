"""Read games of eXtreme Gammon files that gvformat misreads, from their records.

gvformat 3.1 reads a game up to its footer. An unfinished game or a single position (`.xgp`) has no
footer: gvformat fails, or reads into the next game and uses the winner of the one before. It also
starts every game from the usual set-up, and reads a beaver or an unanswered double as a pass. So
gvformat gets records that it can read in full, and afterwards the file's own facts are restored.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from typing import Any, NamedTuple

from bganalyze.board.position import BAR, UNCHECKED, VARIANTS
from bganalyze.record import gva
from bganalyze.record.gva import Ply
from bganalyze.record.xg import (
    CUBE_RECORD,
    GAME_RECORD,
    HEADER,
    MOVE_RECORD,
    RECORD,
    RECORD_KIND,
    read_records,
)
from bganalyze.record.xg import VARIANTS as VARIATIONS

Counts = tuple[int, ...]
"""A board as the first player numbers it; the second player's checkers are negative."""

GAME_FOOTER, MATCH_FOOTER = 4, 5

_HEADER = struct.Struct("<12x2ix26sxi?11xi")
"""A game: scores, set-up, number, whether it is unfinished, automatic doubles."""

_CUBE = struct.Struct("<12x6i")
"""A cube decision: side, double, answer, answers to a beaver and a raccoon, cube."""

_MOVE = struct.Struct("<64xi8i3i")
"""A roll: side, four pairs of points, dice, cube."""

_FOOTER = struct.Struct("<24x3i")
"""Winner, points and kind of ending."""

_MATCH_FOOTER = struct.Struct("<12x2i")

_PICTURE_SIZE_AT, _VARIATION_AT, _AUTO_DOUBLE_AT, _PLAYED_AT = 20, 96, 103, 2308

_SETTLED = 1000
"""Added to the kind of ending if the players agreed on the points."""

_DOUBLED, _PASSED, _TAKEN = 1, 0, 1
_ANSWERS = (
    {0: gva.DROP, 1: gva.TAKE, 2: gva.BEAVER},
    {0: gva.DROP, 1: gva.TAKE, 2: gva.RACCOON},
    {0: gva.DROP, 1: gva.TAKE},
)
"""Answers to a double, a beaver and a raccoon; other numbers mean no answer."""

_STARTS = VARIANTS | UNCHECKED
_USUAL = (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)
_MOST_AUTOMATIC, _MOST_DOUBLINGS = 16, 30
_EMPTY_RECORD = bytes(RECORD)


class StoredGame(NamedTuple):
    """The binary records of one game in an XG file."""

    header: bytes
    actions: tuple[bytes, ...]
    """Records of cube decisions and rolls."""
    footer: bytes | None


class _Match(NamedTuple):
    """Facts about an XG file that hold for all its games."""

    start: Counts
    """Board at the start of a game."""
    has_automatic_doubles: bool
    is_white_first: bool
    """Whether gvformat calls the first player White."""

    def is_white(self, sign: int) -> bool:
        """Whether the player with this `sign` (1 for the first, -1 for the second) is White."""
        return (sign > 0) == self.is_white_first


def read_document(data: bytes) -> dict[str, Any]:
    """Return an XG file as the package gvformat reads it, with gvformat's errors corrected."""
    from gvformat import convert_xg

    records = read_records(data)
    stored = list(_group_games(records))
    readable = b"".join((records[0], *_PRIMER, *_complete_records(stored), _SCORES))
    without_picture = data[:_PICTURE_SIZE_AT] + bytes(HEADER - _PICTURE_SIZE_AT)
    read: dict[str, Any] = convert_xg(without_picture + zlib.compress(readable, 1))
    is_white_first = read["white_score"] == _FIRST_SCORE
    match = _Match(_make_start_board(records[0]), bool(records[0][_AUTO_DOUBLE_AT]), is_white_first)
    _, *games = read["games"]
    pairs = zip(games, stored, strict=True)
    return {**read, "games": [_correct_game(game, records, match) for game, records in pairs]}


# -- records that gvformat reads in full
# ------------------------------------------------------------

_FIRST_SCORE = 2
"""Score of the first player in the artificial match footer."""


def _make_record(kind: int, layout: struct.Struct, *values: object) -> bytes:
    """Return a binary record of this kind, with values packed by `layout`."""
    content = bytearray(RECORD)
    layout.pack_into(content, 0, *values)
    content[RECORD_KIND] = kind
    return bytes(content)


_SCORES = _make_record(MATCH_FOOTER, _MATCH_FOOTER, _FIRST_SCORE, 1)
"""Match footer that shows which player gvformat calls White."""

_END = _make_record(GAME_FOOTER, _FOOTER, 1, 0, 0)
"""Footer used for an unfinished game."""

_PRIMER = (
    _make_record(GAME_RECORD, _HEADER, 0, 0, b"", 0, False, 0),
    _make_record(MOVE_RECORD, _MOVE, 1, *[-1] * 8, 2, 1, 0),
    _END,
)
"""A game with one roll: gvformat fails if the file's first footer is the one it reads."""


def _group_games(records: Sequence[bytes]) -> Iterator[StoredGame]:
    """Yield the records of each game in an XG file."""
    begins = [at for at, record in enumerate(records) if record[RECORD_KIND] == GAME_RECORD]
    for begin, end in pairwise([*begins, len(records)]):
        header, *others = records[begin:end]
        actions = (one for one in others if one[RECORD_KIND] in (CUBE_RECORD, MOVE_RECORD))
        footers = (one for one in others if one[RECORD_KIND] == GAME_FOOTER)
        yield StoredGame(header, tuple(actions), next(footers, None))


def _complete_records(games: Iterable[StoredGame]) -> Iterator[bytes]:
    """Yield the records of the games, changed so that gvformat reads all actions."""
    for game in games:
        yield game.header
        for record, after in pairwise((*game.actions, _END)):
            yield (
                _change_to_take(record)
                if _is_double(record) and not _is_last_pass(record, after)
                else record
            )
        yield game.footer or _END


def _is_last_pass(double_record: bytes, next_record: bytes) -> bool:
    """Whether a double was passed, and no action follows it."""
    return next_record is _END and _CUBE.unpack_from(double_record)[2] == _PASSED


def _is_double(record: bytes) -> bool:
    """Whether a record is a cube decision in which the player doubled."""
    return record[RECORD_KIND] == CUBE_RECORD and _CUBE.unpack_from(record)[1] == _DOUBLED


def _change_to_take(record: bytes) -> bytes:
    """Return the record of a double, changed so that its answer is a take."""
    side, double, *_ = _CUBE.unpack_from(record)
    content = bytearray(record)
    struct.pack_into("<3i", content, 12, side, double, _TAKEN)
    return bytes(content)


# -- facts of the file itself ----------------------------------------------------------------------


def _correct_game(
    game_read: Mapping[str, Any], stored: StoredGame, match: _Match
) -> dict[str, Any]:
    """Return a game as gvformat read it, with its plays, answers and ending corrected."""
    *scores, set_up, _, is_in_progress, automatic = _HEADER.unpack_from(stored.header)
    winner, points, ended = _FOOTER.unpack_from(stored.footer or _EMPTY_RECORD)
    is_named = winner in (1, -1)
    is_over = is_named and not is_in_progress
    start = struct.unpack("<26b", set_up) if any(set_up) else match.start
    plies = list(_restore_answers(game_read["plies"], stored))
    if start != _USUAL:
        plies = _restore_steps(plies, stored, match)
    if not is_over:
        plies = [ply for ply in plies if _is_within_game(ply["action_id"])]
    if stored.footer is None:
        plies = _correct_last_roll(plies, stored)
    if is_over and ended >= _SETTLED:
        plies.append({"color": int(match.is_white(-winner)), "action_id": gva.RESIGN_GAME})
    return {
        **game_read,
        **(_make_set_up(start, stored, match) if start != match.start else {}),
        "plies": plies,
        "stated_score": scores if match.is_white_first else scores[::-1],
        "winner": int(not match.is_white(winner)) if is_over else None,
        "points_won": points if is_over else 0,
        "auto_doubles": _count_automatic_doubles(automatic, match),
        "is_settled": is_over and ended >= _SETTLED,
        "unread": [*_describe_unread(stored), *[_IN_PROGRESS] * (is_named and is_in_progress)],
    }


_IN_PROGRESS = "marked as in progress, although it has a winner"


def _is_within_game(action: int) -> bool:
    """Whether an action's number means a play or cube action, not an ending."""
    return gva.is_action(action) and action not in gva.ENDS


def _count_automatic_doubles(stored_count: int, match: _Match) -> int:
    """Return the number of automatic doubles in a game, or 0 if the stored number is impossible."""
    return (
        stored_count if match.has_automatic_doubles and 0 < stored_count <= _MOST_AUTOMATIC else 0
    )


def _describe_unread(stored: StoredGame) -> Iterator[str]:
    """Yield text such as `plays without dice: 2` for each kind of unreadable record."""
    doubles = [record for record in stored.actions if _is_double(record)]
    lost = len(doubles) - len(list(_find_answered_doubles(stored)))
    if lost:
        yield f"doubles without a roll after them: {lost}"
    plays = [record for record in stored.actions if record[RECORD_KIND] == MOVE_RECORD]
    without_dice = sum(not _has_dice(record) for record in plays[:-1])
    if without_dice:
        yield f"plays without dice: {without_dice}"


def _list_roll_records(stored: StoredGame) -> list[bytes]:
    """Return the records of a game's rolls that have dice."""
    return [r for r in stored.actions if r[RECORD_KIND] == MOVE_RECORD and _has_dice(r)]


def _has_dice(play_record: bytes) -> bool:
    """Whether the record of a play has two dice."""
    return all(_MOVE.unpack_from(play_record)[9:11])


def _find_answered_doubles(stored: StoredGame) -> Iterator[bytes]:
    """Yield the record of each double that was answered."""
    for record, after in pairwise((*stored.actions, _END)):
        # Of several doubles in a row, the last was answered.
        if _is_double(record) and after[RECORD_KIND] != CUBE_RECORD:
            yield record


# -- answers ---------------------------------------------------------------------------------------


def _restore_answers(actions_read: Iterable[Ply], stored: StoredGame) -> Iterator[Ply]:
    """Yield the actions of a game, with the answers to doubles that the file states."""
    doubles = _find_answered_doubles(stored)
    for ply in actions_read:
        if ply["action_id"] in (gva.TAKE, gva.DROP):
            yield from _yield_answers(ply, next(doubles))
        else:
            yield ply


def _yield_answers(answer_read: Ply, double_record: bytes) -> Iterator[Ply]:
    """Yield the true answer to a double, then the answer to each beaver or raccoon that follows.

    `answer_read` is the answer as gvformat read it. `double_record` is the double in the file.
    """
    for numbers, number in zip(_ANSWERS, _CUBE.unpack_from(double_record)[2:5], strict=True):
        action = numbers.get(number)
        if action is None:
            return
        yield (
            answer_read
            if answer_read["action_id"] == action
            else {"color": answer_read["color"], "action_id": action}
        )
        if action not in (gva.BEAVER, gva.RACCOON):
            return
        answer_read = {"color": 1 - answer_read["color"], "action_id": None}


# -- plays -----------------------------------------------------------------------------------------


def _restore_steps(actions_read: Iterable[Ply], stored: StoredGame, match: _Match) -> list[Ply]:
    """Return the actions of a game, with the steps that the file states."""
    rolls = iter(_list_roll_records(stored))
    return [
        {**ply, "action_id": gva.ROLL, "moves": _read_steps(next(rolls), match)}
        if ply.get("d1")
        else ply
        for ply in actions_read
    ]


def _read_steps(record: bytes, match: _Match) -> list[dict[str, int]]:
    """Return the steps in the record of a roll, in gvformat's form."""
    side, *numbers = _MOVE.unpack_from(record)
    if not record[_PLAYED_AT]:
        return []
    pairs = zip(numbers[:8:2], numbers[1:8:2], strict=True)
    moved = takewhile(lambda pair: pair[0] >= 0 and pair != (0, 0), pairs)
    return [
        {
            "from": BAR - 1 - source if match.is_white(side) else source + 1,
            "pips": source - max(to, -1),
        }
        for source, to in moved
    ]


def _correct_last_roll(actions_read: list[Ply], stored: StoredGame) -> list[Ply]:
    """Return the actions that gvformat read, without steps for a last roll that was not played."""
    rolls = _list_roll_records(stored)
    if not rolls or rolls[-1][_PLAYED_AT] or not actions_read or not actions_read[-1].get("d1"):
        return actions_read
    return [
        *actions_read[:-1],
        {**actions_read[-1], "action_id": gva.ROLL, "moves": [], "is_unplayed": True},
    ]


# -- set-ups ---------------------------------------------------------------------------------------


def _make_start_board(match_record: bytes) -> Counts:
    """Return the start position of the variant: the number of checkers on points 0 to 25.

    The first player's checkers are positive. Points 0 and 25 are the bars.
    """
    number = int.from_bytes(match_record[_VARIATION_AT : _VARIATION_AT + 4], "little")
    name = VARIATIONS[number].casefold() if number < len(VARIATIONS) else "backgammon"
    _, *points = _STARTS.get(name, _STARTS["standard"]).start
    own = (0, *points)
    return tuple(own[point] - own[BAR - point] for point in range(BAR + 1))


def _make_set_up(counts: Counts, stored: StoredGame, match: _Match) -> dict[str, Any]:
    """Return the entries of gvformat for a game that starts from a position.

    `counts` has the checkers on points 0 to 25; the checkers of the first player are positive
    numbers.
    """
    white = counts[::-1] if match.is_white_first else [-count for count in counts]
    first = next(iter(stored.actions), None)
    if first is None:
        return gva.make_set_up_entries(white)
    side, *_, cube = (_CUBE if first[RECORD_KIND] == CUBE_RECORD else _MOVE).unpack_from(first)
    owner = match.is_white(cube) if cube else None
    return gva.make_set_up_entries(
        white, 1 << min(abs(cube), _MOST_DOUBLINGS), owner, match.is_white(side)
    )
