"""GammonView's `.gvab`, an OGXM stream, by way of gvformat: made from match text.

What gvformat makes of it is read again, and what does not come back as it was is a loss.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bganalyze.law import BASIC
from bganalyze.packages import GAMMONVIEW, install_command
from bganalyze.replaying import MatchReplay, replay
from bganalyze.replaying.facts import GameReplay, Turn
from bganalyze.replaying.terms import terms_of
from bganalyze.transcript.binary import ENDS, RESIGN_GAME, WHITE
from bganalyze.transcript.model import (
    LEFT,
    Answer,
    Comment,
    Double,
    Match,
    Play,
    PlayRecord,
    Resignation,
    Result,
    SetUp,
    Side,
    Span,
    Unread,
    other_side,
)
from bganalyze.transcript.reader import read_bytes
from bganalyze.writing import spellings as jellyfish
from bganalyze.writing.written import SIZE_LOST, Loss, UnwritableError, Written, resignation_losses

# What a match has lost that was written as `.gvab` and read again.

RULES = frozenset(("crawford", "jacoby", "beaver"))
"""Entries of a header that are kept as what they mean."""

NAMES = frozenset(("player 1", "player 2"))
"""Those that say again who plays."""

NEVER_SAID = {
    Comment: "a comment",
    Unread: "text that could not be read",
    SetUp: "a position that was set up",
}


def differences(before: MatchReplay, after: MatchReplay, is_mirrored: bool) -> Iterator[Loss]:
    """Yield a loss for everything of a match that does not come back as it was."""
    yield from _of_the_match(before.match, after.match)
    for index, game in enumerate(before.games):
        if index >= len(after.games):
            yield Loss("a game", game.game.span)
            continue
        yield from _of_a_game(game, after.games[index], is_mirrored)
        yield from _never_said(game)


def _of_the_match(before: Match, after: Match) -> Iterator[Loss]:
    """What stands before the games."""
    kept = {(tag.key.casefold(), _plain(tag.value)) for tag in after.tags}
    lost = [
        tag
        for tag in before.tags
        if (tag.key.casefold(), _plain(tag.value)) not in kept
        and tag.key.casefold() not in RULES
        and not (tag.key.casefold() in NAMES and tag.value in before.names)
    ]
    if lost:
        keys = ", ".join(dict.fromkeys(tag.key for tag in lost))
        yield Loss(f"entries of the header: {keys}", lost[0].span)
    if before.length is None:
        yield Loss("that nothing tells the length of the match")
    if sorted(before.names) != sorted(after.names):
        yield Loss("a name as it was written")


def _plain(text: str) -> str:
    return " ".join(text.split())


def _of_a_game(one: GameReplay, two: GameReplay, is_mirrored: bool) -> Iterator[Loss]:
    span = one.game.span
    ends = [(game.ending.winner, game.ending.recorded) for game in (one, two)]
    score = two.context.score[::-1] if is_mirrored else two.context.score
    if is_mirrored and ends[1][0] is not None:
        ends[1] = (other_side(ends[1][0]), ends[1][1])
    if one.game.number not in (None, two.game.number):
        yield Loss("the number of a game", span)
    if one.context.score != score:
        yield Loss("the score before a game", span)
    if ends[0] != ends[1]:
        yield Loss("the result of a game", span)
    if list(_played(one, is_mirrored=False)) != list(_played(two, is_mirrored=is_mirrored)):
        yield Loss("throws, plays or cube actions of a game", span)
        return
    yield from _of_plays(one, two)
    given_up = _given_up(one, is_mirrored=False)
    if given_up and given_up != _given_up(two, is_mirrored=is_mirrored):
        yield Loss("how a game was given up", span)


def _played(game: GameReplay, *, is_mirrored: bool) -> Iterator[tuple[Any, ...]]:
    """What happened on the board and with the cube, by whom."""
    for turn in game.turns:
        action = turn.action
        if isinstance(action, Play | Double | Answer):
            side = other_side(action.side) if is_mirrored else action.side
            yield (side, *_done(turn, action, is_mirrored))


def _done(turn: Turn, action: Play | Double | Answer, is_mirrored: bool) -> tuple[Any, ...]:
    if isinstance(action, Play):
        dice = None if action.dice is None else tuple(sorted(action.dice))
        return dice, turn.after[::-1] if is_mirrored else turn.after
    return (action.kind,) if isinstance(action, Double) else (action.taken,)


def _given_up(game: GameReplay, *, is_mirrored: bool) -> list[tuple[Side, str]]:
    """Who has given up, and how."""
    offers = (turn.action for turn in game.turns if isinstance(turn.action, Resignation))
    return [
        (other_side(offer.side) if is_mirrored else offer.side, offer.manner)
        for offer in offers
        if not offer.declined
    ]


def _of_plays(one: GameReplay, two: GameReplay) -> Iterator[Loss]:
    """What the record says of plays beside the board that they left."""
    games = ([turn for turn in game.turns if isinstance(turn.action, Play)] for game in (one, two))
    for before, after in zip(*games, strict=True):
        if _is_open(before) and not _is_open(after):
            yield Loss("that no play is recorded for a throw", before.action.span)
        elif _fault(before) != _fault(after):
            yield Loss("how an illegal play was written", before.action.span)
        if _called_illegal(before) and not _called_illegal(after):
            yield Loss("the record's own mark that a play is illegal", before.action.span)


def _is_open(turn: Turn) -> bool:
    """Whether nothing tells what was done with a throw: neither a play nor that there is none."""
    play = turn.action
    assert isinstance(play, Play)
    is_dance = turn.verdict is not None and turn.verdict.fault is None
    return not play.steps and play.how is not PlayRecord.CANNOT_MOVE and not is_dance


def _fault(turn: Turn) -> str | None:
    return None if turn.verdict is None or turn.verdict.fault is None else turn.verdict.fault.name


def _called_illegal(turn: Turn) -> bool:
    return isinstance(turn.action, Play) and turn.action.called_illegal


def _never_said(game: GameReplay) -> Iterator[Loss]:
    """What the format has no words for; match text, of which it is made, may have them."""
    for turn in game.turns:
        for what in _beyond(game, turn):
            yield Loss(what, turn.action.span)


def _beyond(game: GameReplay, turn: Turn) -> Iterator[str]:
    match turn.action:
        case Comment() | Unread() | SetUp():
            yield NEVER_SAID[type(turn.action)]
        case Result(match=True):
            yield "the words: and the match"
        case Resignation(declined=False, manner="resigned") as offer:
            lost = resignation_losses(offer, turn.cube.value, game.ending.recorded)
            yield from (what for what in lost if what == SIZE_LOST)
        case Double(value=value) if value not in (None, turn.cube.next_value):
            yield "the value written with a double"


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
    text = jellyfish.write_jellyfish(replays[:1])
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


def _set_ups(original: MatchReplay) -> Iterator[Span]:
    """Where positions are set up: they are lost, and with them all that match text loses of them."""
    for game in original.games:
        for turn in game.turns:
            if isinstance(turn.action, SetUp):
                yield turn.action.span


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
