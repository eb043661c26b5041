"""GammonView's `.gvab`, an OGXM stream, by way of gvformat: made from match text.

What gvformat makes of it is read again, and what does not come back is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bganalyze.law import BASIC
from bganalyze.packages import GAMMONVIEW, install_command
from bganalyze.replaying import MatchReplay, replay
from bganalyze.replaying.terms import terms_of
from bganalyze.transcript.binary import ENDS, RESIGN_GAME, WHITE
from bganalyze.transcript.model import LEFT, SetUp, Span
from bganalyze.transcript.reader import read_bytes
from bganalyze.writing import jellyfish
from bganalyze.writing.gvab_losses import differences
from bganalyze.writing.written import Loss, UnwritableError, Written

OFF = ("off", "no", "false", "0")
"""What a header says of a rule that does not hold."""


def write(replays: Sequence[MatchReplay]) -> Written:
    """Return the first match; raise UnwritableError without gvformat, or where it gives up."""
    try:
        from gvformat import mat_to_ogxm, write_gvab
    except ImportError as error:
        command = install_command(GAMMONVIEW)
        missing = f"a .gvab is written by the package gammonview, which is missing: {command}"
        raise UnwritableError(missing) from error
    first = replays[0]
    text = jellyfish.write(replays[:1])
    set_ups = set(_set_ups(first))
    losses = [loss for loss in text.losses if loss.span not in set_ups]
    losses += [Loss("a match after the first") for _ in replays[1:]]
    if terms_of(first.match, BASIC).jacoby is None:
        losses.append(Loss("that nothing tells whether the Jacoby rule was in force"))
    try:
        document = mat_to_ogxm(text.data.decode())
        is_mirrored = document["player_white"] != first.match.names[LEFT]
        _amend(document, first, is_mirrored)
        data: bytes = write_gvab(document)
    except Exception as error:  # whatever another program's writer does with faulty records
        reason = f"gvformat cannot write it: {type(error).__name__}: {error}"
        raise UnwritableError(" ".join(reason.split())[:300]) from error
    if is_mirrored:
        losses.append(Loss("which player was the left one: GammonView orders them by name"))
    (back,) = read_bytes(data, "gvab")
    losses += differences(first, replay(back), is_mirrored)
    return Written(data, tuple(losses))


def _set_ups(told: MatchReplay) -> Iterator[Span]:
    """Where positions are set up: they are lost, and with them all that match text loses of them."""
    for game in told.games:
        for turn in game.turns:
            if isinstance(turn.action, SetUp):
                yield turn.action.span


def _amend(document: dict[str, Any], told: MatchReplay, is_mirrored: bool) -> None:
    """Add what gvformat does not take over from match text: the rules, ends and the first score."""
    terms = terms_of(told.match, BASIC)
    crawford = (told.match.tag("Crawford") or "on").strip().casefold() not in OFF
    document["crawford"] = bool(document.get("match_length")) and crawford
    document["jacoby"], document["beaver"] = bool(terms.jacoby), terms.beavers
    score = told.games[0].context.score if told.games else (0, 0)
    document["score_start"] = list(score[::-1] if is_mirrored else score)
    for game, known in zip(document["games"], told.games, strict=False):
        game["is_crawford"] = known.context.crawford
        winner, points = known.ending.winner, known.ending.recorded
        if winner is None or points is None:
            continue
        game["winner"], game["points_won"] = int(winner != is_mirrored), points
        loser = 1 - WHITE if (winner == LEFT) != is_mirrored else WHITE
        last = game["plies"][-1]["action_id"] if game["plies"] else None
        if known.ending.kind == "resigned" and last not in ENDS:
            game["plies"].append({"color": loser, "action_id": RESIGN_GAME})
