"""GammonView's `.gvab`, an OGXM stream, by way of gvformat: made from match text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bganalyze.law import BASIC
from bganalyze.packages import GAMMONVIEW, install_command
from bganalyze.replaying import MatchReplay
from bganalyze.replaying.terms import terms_of
from bganalyze.transcript.binary import ENDS, RESIGN_GAME, WHITE
from bganalyze.transcript.model import LEFT
from bganalyze.writing.losses import UnwritableError
from bganalyze.writing.match_text import write_jellyfish

OFF = ("off", "no", "false", "0")
"""What a header says of a rule that does not hold."""


def write(replays: Sequence[MatchReplay]) -> bytes:
    """Return the first match; raise UnwritableError without gvformat, or where it gives up."""
    try:
        from gvformat import mat_to_ogxm, write_gvab
    except ImportError as error:
        command = install_command(GAMMONVIEW)
        missing = f"a .gvab is written by the package gammonview, which is missing: {command}"
        raise UnwritableError(missing) from error
    first = replays[0]
    text = write_jellyfish(replays[:1])
    try:
        document = mat_to_ogxm(text.decode())
        is_mirrored = document["player_white"] != first.match.names[LEFT]
        _amend(document, first, is_mirrored)
        data: bytes = write_gvab(document)
    except Exception as error:  # whatever another program's writer does with faulty records
        reason = f"gvformat cannot write it: {type(error).__name__}: {error}"
        raise UnwritableError(" ".join(reason.split())[:300]) from error
    return data


def _amend(document: dict[str, Any], original: MatchReplay, is_mirrored: bool) -> None:
    """Add what gvformat does not take over from match text: the rules, ends and the first score."""
    terms = terms_of(original.match, BASIC)
    crawford = (original.match.tag("Crawford") or "on").strip().casefold() not in OFF
    document["crawford"] = bool(document.get("match_length")) and crawford
    document["jacoby"], document["beaver"] = bool(terms.jacoby), terms.beavers
    score = original.games[0].context.score if original.games else (0, 0)
    document["score_start"] = list(score[::-1] if is_mirrored else score)
    for game, game_replay in zip(document["games"], original.games, strict=False):
        game["is_crawford"] = game_replay.context.crawford
        winner, points = game_replay.ending.winner, game_replay.ending.recorded
        if winner is None or points is None:
            continue
        game["winner"], game["points_won"] = int(winner != is_mirrored), points
        loser = 1 - WHITE if (winner == LEFT) != is_mirrored else WHITE
        last = game["plies"][-1]["action_id"] if game["plies"] else None
        if game_replay.ending.kind == "resigned" and last not in ENDS:
            game["plies"].append({"color": loser, "action_id": RESIGN_GAME})
