"""GammonView's `.gvab` format, an OGXM stream: made from match text by gvformat."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import Any

from bganalyze.board.rule_book import BASIC
from bganalyze.packages import GAMMONVIEW, how_to_add
from bganalyze.record.binary import DAY
from bganalyze.record.dates import date_of_match
from bganalyze.record.gva import (
    ENDS,
    RESIGN_GAME,
    WHITE,
)
from bganalyze.record.model import (
    LEFT,
    RIGHT,
    Comment,
    Game,
    Match,
    RulingMade,
    ScoreLine,
    Side,
    Unread,
)
from bganalyze.record.players import has_swapped_columns
from bganalyze.validation.replaying import MatchReplay, replay
from bganalyze.validation.replaying.replayed import GameReplay
from bganalyze.validation.replaying.terms import terms_of
from bganalyze.writing.gva_analyses import add_analyses
from bganalyze.writing.losses import UnwritableError
from bganalyze.writing.match_text import write_jellyfish

OFF = ("off", "no", "false", "0")
"""Header values that switch a rule off."""

TAKEN_OVER = frozenset(("event", "site", "crawford", "jacoby", "beaver", "cubelimit"))
"""Header entries that gvformat copies unchanged."""

LONGEST_STAGE = 60
MOST_ROUNDS = 99

_TIME = re.compile(r"(\d{1,2})[.:](\d{2})")


def write(replays: Sequence[MatchReplay]) -> bytes:
    """Return the first match in GammonView's format, written by the package `gvformat`.

    Raises UnwritableError if the package is missing or fails.
    """
    try:
        from gvformat import mat_to_ogxm, write_gvab
    except ImportError as error:
        missing = f"writing .gvab files needs the package gammonview: {how_to_add(GAMMONVIEW)}"
        raise UnwritableError(missing) from error
    first = replays[0]
    is_mirrored = _is_white_in_right_column(first.match.names)
    text = write_jellyfish([replay(_prepare_match(first, is_mirrored))])
    try:
        document = mat_to_ogxm(text.decode())
        _add_missing_to_document(document, first, is_mirrored)
        add_analyses(document, first, is_mirrored)
        data: bytes = write_gvab(document)
    except Exception as error:  # gvformat may fail in any way on faulty matches
        reason = f"gvformat cannot write it: {type(error).__name__}: {error}"
        raise UnwritableError(" ".join(reason.split())[:300]) from error
    return data


def _is_white_in_right_column(names: tuple[str, str]) -> bool:
    """Whether GammonView makes the player in the right column White.

    White is the player whose name comes first in the alphabet.

    >>> _is_white_in_right_column(("Bob", "ann")), _is_white_in_right_column(("Ann", "Bob"))
    (True, False)
    """
    left, right = ((name.casefold(), name) for name in names)
    return right < left


def _prepare_match(original: MatchReplay, are_sides_swapped: bool) -> Match:
    """Return the match in the form that gvformat can write: neutral names and no free text.

    gvformat orders players by name, so that the neutral names decide whether the sides are swapped.
    """
    names = ("Player 2", "Player 1") if are_sides_swapped else ("Player 1", "Player 2")
    match = original.match
    length = match.length
    if length is not None and terms_of(match, BASIC).is_money:  # One game under a length.
        length = length._replace(points=0)
    return match._replace(
        length=length,
        tags=tuple(tag for tag in match.tags if tag.key.casefold() in TAKEN_OVER),
        games=tuple(_prepare_game(game, match, names) for game in original.games),
    )


def _prepare_game(game: GameReplay, match: Match, names: tuple[str, str]) -> Game:
    """Return a game with its score and these names, but without comments, rulings and unread text.

    The names are swapped if the players have changed columns in this game.
    """
    span = game.game.span
    if has_swapped_columns(match, game.game):
        names = (names[RIGHT], names[LEFT])
    line = ScoreLine(span, names, game.context.score, (span, span))
    left_out = Comment | Unread | RulingMade
    actions = (a for a in game.game.actions if not isinstance(a, left_out))
    return game.game._replace(score=line, actions=tuple(actions))


def _add_missing_to_document(
    document: dict[str, Any], original: MatchReplay, are_sides_swapped: bool
) -> None:
    """Add the names, day, rules, scores and endings that gvformat leaves out to its document."""
    match = original.match
    names = [name or f"Player {number}" for number, name in enumerate(match.names, start=1)]
    document["player_white"], document["player_black"] = names[::-1] if are_sides_swapped else names
    terms = terms_of(match, BASIC)
    crawford = (match.tag("Crawford") or "on").strip().casefold() not in OFF
    document["crawford"] = bool(document.get("match_length")) and crawford
    document["jacoby"], document["beaver"] = bool(terms.jacoby), terms.beavers
    document |= _make_time_and_round(match)
    score = original.games[0].context.score if original.games else (0, 0)
    document["score_start"] = list(score[::-1] if are_sides_swapped else score)
    for game, game_replay in zip(document["games"], original.games, strict=False):
        game["is_crawford"] = game_replay.is_likely_crawford
        winner, points = game_replay.ending.winner, game_replay.ending.recorded
        if winner is None or points is None:
            continue
        white: Side = (
            RIGHT if are_sides_swapped != has_swapped_columns(match, game_replay.game) else LEFT
        )
        game["winner"], game["points_won"] = int(winner != white), points
        loser = 1 - WHITE if winner == white else WHITE
        last = game["plies"][-1]["action_id"] if game["plies"] else None
        if game_replay.ending.kind == "resigned" and last not in ENDS:
            game["plies"].append({"color": loser, "action_id": RESIGN_GAME})


def _make_time_and_round(match: Match) -> dict[str, Any]:
    """Return the entries of GammonView's document for a match's day, time and round."""
    occasion: dict[str, Any] = {}
    day, time = date_of_match(match).day, _TIME.fullmatch(match.tag("EventTime") or "")
    if day is not None:
        hours, minutes = map(int, time.groups()) if time else (0, 0)
        moment = day.replace(tzinfo=dt.UTC) + dt.timedelta(hours=hours, minutes=minutes)
        occasion["timestamp"] = int(moment.timestamp())
        if time is None:
            occasion["date_precision"] = DAY
    stage = (match.tag("Round") or "").strip()
    if stage.isascii() and stage.isdecimal() and 1 <= int(stage) <= MOST_ROUNDS:
        occasion["round"] = int(stage)
    elif len(stage.encode()) <= LONGEST_STAGE:
        occasion["stage"] = stage
    return occasion
