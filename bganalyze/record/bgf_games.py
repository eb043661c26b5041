"""Read games of BGBlitz files that gvformat misreads, from their actions.

gvformat 3.1 skips actions without an analysis: resignations and, in a match that was not analyzed,
doubles and dances. It reads an unanswered double as a pass, and does not report that a game began
from a set-up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bganalyze.record import gva
from bganalyze.record.gva import Ply

BgfObject = Mapping[str, Any]

GREEN = -1
"""Number of the player called green."""

ACTION = 7
"""Marks an action without a roll, in place of the second die."""

_ACTIONS = {1: gva.DOUBLE, 2: gva.TAKE, 3: gva.DROP, 9: gva.RESIGN_GAME}
_END = 4
"""Code of the end of a game; its player has won."""

_UNUSED = -1
_DICE = range(1, 7)
_USUAL = (2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2, 0, 0)
"""The start board from red's first point: green's checkers positive, red's negative; then both
bars."""


def read_document(data: bytes) -> dict[str, Any]:
    """Return the match in a BGF file, as a document of the package gvformat (GammonView's JSON).

    Errors of gvformat are corrected.
    """
    from gvformat import convert_bgf
    from gvformat.bgf import decode_smile, read_bgf

    read: dict[str, Any] = convert_bgf(data)
    match = decode_smile(read_bgf(data)[1])
    is_green_white = read["player_white"] == str(match.get("nameGreen", ""))
    pairs = zip(read["games"], match.get("games", ()), strict=True)
    return {**read, "games": [_correct_game(*pair, match, is_green_white) for pair in pairs]}


def _correct_game(
    game_read: Mapping[str, Any], stored: BgfObject, match: BgfObject, is_green_white: bool
) -> dict[str, Any]:
    """Return a game as gvformat read it, with actions, set-up, score and winner corrected.

    `stored` and `match` are the game and the match in BGBlitz's file. `is_green_white` says whether
    BGBlitz's green player is White for gvformat.
    """
    actions = stored.get("moves") or ()
    plies = list(_restore_skipped_actions(game_read["plies"], actions, is_green_white))
    resigned = [ply for ply in plies if ply["action_id"] in gva.ENDS]
    plies = [ply for ply in plies if ply["action_id"] not in gva.ENDS]
    is_over = _is_over(stored, match, resigned)
    loser = game_read["winner"]
    if is_over:
        plies += [
            {"color": loser, "action_id": action} for action in _yield_special_ending(stored)
        ] or resigned[:1]
    scores = [int(stored.get(key, 0)) for key in ("scoreGreen", "scoreRed")]
    return {
        **game_read,
        **_read_set_up(stored, is_green_white),
        "plies": plies,
        "stated_score": scores if is_green_white else scores[::-1],
        "winner": game_read["winner"] if is_over else None,
        "unread": [*_describe_unread(actions)],
    }


def _is_over(stored: BgfObject, match: BgfObject, resignations: Sequence[Ply]) -> bool:
    """Whether the file shows that a game has ended: by an action, its points or a resignation.

    `stored` and `match` are the game and the match in BGBlitz's file. `resignations` are those of
    the game.
    """
    codes = {
        action.get("red") for action in stored.get("moves") or () if _is_skipped_by_gvformat(action)
    }
    is_counted = stored.get("wonPoints") or "finalGreen" in match
    return bool(_END in codes or resignations or is_counted)


def _yield_special_ending(stored: BgfObject) -> Iterator[int]:
    """Yield `gva.ON_TIME` if a game was lost on time, `gva.FORFEIT` if forfeited, else nothing."""
    if stored.get("lostOnTime"):
        yield gva.ON_TIME
    elif stored.get("wasForfeit"):
        yield gva.FORFEIT


# -- actions ---------------------------------------------------------------------------------------


def _is_skipped_by_gvformat(action: BgfObject) -> bool:
    """Whether the package gvformat does not read an action of BGBlitz's file."""
    return action["from"][0] == _UNUSED and _get_cube_decision(action).get("hasDoubled") is None


def _get_cube_decision(action: BgfObject) -> BgfObject:
    """Return BGBlitz's analysis of the cube at an action, or an empty one."""
    return (action.get("equity") or {}).get("cubeDecision") or {}


def _restore_skipped_actions(
    plies_read: Sequence[Ply], stored_actions: Sequence[BgfObject], is_green_white: bool
) -> Iterator[Ply]:
    """Yield all actions of a game in order, with those that gvformat skipped.

    `plies_read` are the actions that gvformat read, `stored_actions` those in BGBlitz's file.
    `is_green_white` says whether BGBlitz's green player is White for gvformat.
    """
    read, stored = iter(plies_read), iter(stored_actions)
    for action in stored:
        if _is_skipped_by_gvformat(action):
            color = int((action["player"] == GREEN) == is_green_white)
            yield from ({"color": color, **ply} for ply in _convert_skipped_action(action))
            continue
        yield next(read)
        if action["from"][0] == _UNUSED:
            answer = next(read)
            if next(stored, None) is not None:
                yield answer
    yield from read


def _convert_skipped_action(action: BgfObject) -> Iterator[dict[str, Any]]:
    """Yield an action that gvformat skips, in gvformat's form but without the player's color.

    Nothing is yielded for an unknown action.
    """
    dice = action.get("red"), action.get("green")
    if dice[1] == ACTION and dice[0] in _ACTIONS:
        yield {"action_id": _ACTIONS[dice[0]]}
    elif all(die in _DICE for die in dice):
        yield {"action_id": gva.ROLL, "d1": dice[0], "d2": dice[1], "moves": []}


def _describe_unread(actions: Sequence[BgfObject]) -> Iterator[str]:
    """Yield text such as `action 17 of BGBlitz` for each action that this program cannot read."""
    for action in actions:
        code = action.get("red")
        is_end = action.get("green") == ACTION and code == _END
        if (
            _is_skipped_by_gvformat(action)
            and not is_end
            and not [*_convert_skipped_action(action)]
        ):
            yield f"action {code} of BGBlitz"


# -- set-ups ---------------------------------------------------------------------------------------


def _read_set_up(stored: BgfObject, is_green_white: bool) -> dict[str, Any]:
    """Return a game's start position as entries of gvformat; an empty dict for the usual one.

    `is_green_white` says whether BGBlitz's green player is White for gvformat.
    """
    initial = stored.get("initial") or {}
    counts = tuple(int(count) for count in initial.get("points") or _USUAL)[: len(_USUAL)]
    if len(counts) < len(_USUAL) or counts == _USUAL:
        return {}
    *points, green_bar, red_bar = counts
    board = [abs(green_bar), *points, -abs(red_bar)]
    white = board if is_green_white else [-count for count in reversed(board)]
    owner = int(initial.get("cubeOwner", 0))
    first = next(iter(stored.get("moves") or ()), None)
    return gva.make_set_up_entries(
        white,
        int(initial.get("cube", 1)),
        ((owner == GREEN) == is_green_white) if owner else None,
        None if first is None else (first["player"] == GREEN) == is_green_white,
    )
