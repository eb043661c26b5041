"""One position of a match, for people: the board, its identifiers and the legal plays."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from bganalyze.board.ids import gnubg_id, ogid, xgid
from bganalyze.board.plays import legal_plays, notation
from bganalyze.printable import printable
from bganalyze.render.board import Scene, board_text, scene
from bganalyze.render.setting import Setting
from bganalyze.replaying.facts import Turn
from bganalyze.replaying.places import side_of, situation_before
from bganalyze.transcript.model import SIDE_NAMES, Answer, Double, Match, Play, Resignation

LONGEST = 400
"""So much is shown of a line: those of Smart Game Format hold analyses."""


def position_text(turn: Turn, match: Match, most_plays: int, setting: Setting) -> Iterator[str]:
    """Yield the board before a turn, with at most so many legal plays."""
    situation = situation_before(turn)
    names = _names(turn, match)
    for line in (_heading(turn, match, names), match.source.lines[turn.action.span.line - 1]):
        yield printable(line.rstrip().replace("\t", " ")[:LONGEST], setting.encoding) + "\n"
    yield "".join(f"{line}\n" for line in board_text(scene(situation, names), setting.encoding))
    yield f"{xgid(situation)}\nGNUbg ID {gnubg_id(situation)}\nOGID={ogid(situation)}\n"
    if situation.dice is not None:
        yield from _plays(turn, situation.dice, most_plays)


def position_scene(turn: Turn, match: Match) -> Scene:
    """Return the board before a turn, to be drawn."""
    return scene(situation_before(turn), _names(turn, match))


def _names(turn: Turn, match: Match) -> tuple[str, str]:
    """The players as they are called in this game."""
    score = match.games[turn.context.game - 1].score
    return match.names if score is None else score.names


def _heading(turn: Turn, match: Match, names: tuple[str, str]) -> str:
    action, side = turn.action, side_of(turn)
    where = f"game {turn.context.game}, row {action.row}, {SIDE_NAMES[side]}"
    place = f"{match.source.path}:{action.span.line}:{action.span.column}"
    return f"{place}: {where}: {names[side]} {_about_to(turn)}"


def _about_to(turn: Turn) -> str:
    """What the side is about to do."""
    match turn.action:
        case Play(dice=dice) if dice is not None:
            return f"to play {dice[0]}-{dice[1]}"
        case Double():
            return "about to double"
        case Answer():
            return "to answer the double"
        case Resignation():
            return "about to resign"
        case _:
            return "to act"


def _plays(turn: Turn, dice: tuple[int, int], most: int) -> Iterator[str]:
    """List the legal plays, from the rear forwards."""
    found = legal_plays(turn.position(side_of(turn)), dice).values()
    plays = sorted((steps for steps in found if steps), key=lambda steps: [s.path for s in steps])
    yield f"{len(plays)} legal play{'s' * (len(plays) != 1)}\n"
    for steps in islice(reversed(plays), most):
        yield f"  {notation(steps)}\n"
    if len(plays) > most:
        yield f"  and {len(plays) - most} more\n"
