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
    """Return a BGBlitz file as the package gvformat reads it, with gvformat's errors corrected."""
    from gvformat import convert_bgf
    from gvformat.bgf import decode_smile, read_bgf

    read: dict[str, Any] = convert_bgf(data)
    match = decode_smile(read_bgf(data)[1])
    is_green_white = read["player_white"] == str(match.get("nameGreen", ""))
    pairs = zip(read["games"], match.get("games", ()), strict=True)
    return {**read, "games": [_correct_game(*pair, match, is_green_white) for pair in pairs]}


def _correct_game(
    game_read: Mapping[str, Any], bgf_game: BgfObject, bgf_match: BgfObject, is_green_white: bool
) -> dict[str, Any]:
    """Return a game as gvformat read it, with its actions, set-up, score and winner corrected.

    `is_green_white` says whether gvformat calls the green player White.
    """
    actions = bgf_game.get("moves") or ()
    plies = list(_restore_skipped_actions(game_read["plies"], actions, is_green_white))
    resigned = [ply for ply in plies if ply["action_id"] in gva.ENDS]
    plies = [ply for ply in plies if ply["action_id"] not in gva.ENDS]
    is_over = _is_over(bgf_game, bgf_match, resigned)
    loser = game_read["winner"]
    if is_over:
        plies += [
            {"color": loser, "action_id": action} for action in _yield_special_ending(bgf_game)
        ] or resigned[:1]
    scores = [int(bgf_game.get(key, 0)) for key in ("scoreGreen", "scoreRed")]
    return {
        **game_read,
        **_read_set_up(bgf_game, is_green_white),
        "plies": plies,
        "stated_score": scores if is_green_white else scores[::-1],
        "winner": game_read["winner"] if is_over else None,
        "unread": [*_describe_unread(actions)],
    }


def _is_over(bgf_game: BgfObject, bgf_match: BgfObject, resignations: Sequence[Ply]) -> bool:
    """Whether the file shows that a game has ended."""
    codes = {
        action.get("red")
        for action in bgf_game.get("moves") or ()
        if _is_skipped_by_gvformat(action)
    }
    is_counted = bgf_game.get("wonPoints") or "finalGreen" in bgf_match
    return bool(_END in codes or resignations or is_counted)


def _yield_special_ending(bgf_game: BgfObject) -> Iterator[int]:
    """Yield `gva.ON_TIME` for a loss on time, `gva.FORFEIT` for a forfeit, else nothing."""
    if bgf_game.get("lostOnTime"):
        yield gva.ON_TIME
    elif bgf_game.get("wasForfeit"):
        yield gva.FORFEIT


# -- actions ---------------------------------------------------------------------------------------


def _is_skipped_by_gvformat(action: BgfObject) -> bool:
    """Whether the package gvformat leaves out this action when it reads a BGBlitz file."""
    return action["from"][0] == _UNUSED and _get_cube_decision(action).get("hasDoubled") is None


def _get_cube_decision(action: BgfObject) -> BgfObject:
    """Return the analysis of the cube that BGBlitz stored before an action, or an empty object."""
    return (action.get("equity") or {}).get("cubeDecision") or {}


def _restore_skipped_actions(
    plies_read: Sequence[Ply], bgf_actions: Sequence[BgfObject], is_green_white: bool
) -> Iterator[Ply]:
    """Yield all actions of a BGBlitz game in order, also those that the package gvformat skipped.

    `is_green_white` says whether gvformat calls the green player White.
    """
    read, stored = iter(plies_read), iter(bgf_actions)
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
    """Yield a skipped action in gvformat's form without its player, or nothing if it is unknown."""
    dice = action.get("red"), action.get("green")
    if dice[1] == ACTION and dice[0] in _ACTIONS:
        yield {"action_id": _ACTIONS[dice[0]]}
    elif all(die in _DICE for die in dice):
        yield {"action_id": gva.ROLL, "d1": dice[0], "d2": dice[1], "moves": []}


def _describe_unread(actions: Sequence[BgfObject]) -> Iterator[str]:
    """Yield the code of each unreadable action, in a text such as `action 17 of BGBlitz`."""
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


def _read_set_up(bgf_game: BgfObject, is_green_white: bool) -> dict[str, Any]:
    """Return a game's start position in gvformat's form, or {} for the usual position.

    `is_green_white` says whether BGBlitz's green player is gvformat's White.
    """
    initial = bgf_game.get("initial") or {}
    counts = tuple(int(count) for count in initial.get("points") or _USUAL)[: len(_USUAL)]
    if len(counts) < len(_USUAL) or counts == _USUAL:
        return {}
    *points, green_bar, red_bar = counts
    board = [abs(green_bar), *points, -abs(red_bar)]
    white = board if is_green_white else [-count for count in reversed(board)]
    owner = int(initial.get("cubeOwner", 0))
    first = next(iter(bgf_game.get("moves") or ()), None)
    return gva.make_set_up_entries(
        white,
        int(initial.get("cube", 1)),
        ((owner == GREEN) == is_green_white) if owner else None,
        None if first is None else (first["player"] == GREEN) == is_green_white,
    )
