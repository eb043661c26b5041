"""What GNU Backgammon is told of a match: the decisions as Smart Game Format.

Every play is written die by die. In the place of an illegal or unknown play stands a legal one, so
that the throw and the cube before it are judged all the same; the board that was really left is
then set up, as it is where a record starts from a position.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from bganalyze.board.plays import legal_plays
from bganalyze.board.position import Points, Position, is_possible
from bganalyze.board.variants import VARIANTS
from bganalyze.judging.decisions import Decision, Kind
from bganalyze.replaying.facts import Context
from bganalyze.transcript.sgf.letters import COLOURS, board_letters, point_letter

NAMES = ("left", "right")

RULES = {"standard": "", "nackgammon": "Nackgammon"}
"""The variants that it has strong networks for, and how it names them."""

_SPOKEN = {
    Kind.DOUBLE: "double",
    Kind.BEAVER: "double",
    Kind.RACCOON: "double",
    **dict.fromkeys((Kind.TAKE, Kind.TAKE_BEAVER, Kind.TAKE_RACCOON), "take"),
    **dict.fromkeys((Kind.DROP, Kind.DROP_BEAVER, Kind.DROP_RACCOON), "drop"),
}

_BEAVERS = (Kind.BEAVER, Kind.RACCOON)
"""Play goes on after these without an answer; the program is told that they were accepted."""


class Told(NamedTuple):
    """A node of a game, and the decisions whose answer is kept with it."""

    text: str
    action: str
    """What the program calls it in its answer; nothing for the root."""
    play: int | None = None
    """The index of the throw among the decisions."""
    cube: int | None = None
    """The index of the decision about the cube."""


def games(decisions: Sequence[Decision]) -> list[list[Told]]:
    """Return the nodes of each game, its root first."""
    numbered = groupby(enumerate(decisions), key=lambda pair: pair[1].context.game)
    return [list(_game(number, list(group))) for number, (_, group) in enumerate(numbered)]


def text_of(told: Sequence[Sequence[Told]]) -> str:
    """Return the games as one file."""
    return "".join("(" + "\n".join(node.text for node in game) + ")\n" for game in told)


def _game(number: int, decisions: list[tuple[int, Decision]]) -> Iterator[Told]:
    context = decisions[0][1].context
    start = VARIANTS[context.variant].start
    boards: tuple[Points, Points] = (start, start)
    yield Told(_root(number, context), "")
    no_double: int | None = None
    following = [decision for _, decision in decisions[1:]]
    for (index, decision), next_one in zip(decisions, [*following, None], strict=True):
        goes_on = next_one is not None and next_one.kind in (Kind.PLAY, Kind.NO_DOUBLE)
        if decision.kind is Kind.DOUBLE and goes_on:
            continue  # The program would wait for an answer.
        possible = is_possible(decision.position)
        before = _boards(decision.position, decision.side)
        if possible and before != boards:
            yield Told(_set_up(before, decision.side), "set")
            boards = before
        if decision.kind is Kind.NO_DOUBLE:
            no_double = index
        elif decision.kind in _SPOKEN:
            action = _SPOKEN[decision.kind]
            yield Told(
                f";{COLOURS[decision.side]}[{action}]", action, cube=index if possible else None
            )
            if decision.kind in _BEAVERS and goes_on:
                yield Told(f";{COLOURS[1 - decision.side]}[take]", "take")
        elif decision.kind is Kind.PLAY and possible:
            left = _told_play(decision)
            yield Told(_throw(decision, left), "move", index, no_double)
            boards = _boards(left, decision.side)
        if decision.kind is not Kind.NO_DOUBLE:
            no_double = None


def _told_play(decision: Decision) -> Position:
    """What the play that is told leaves: the recorded one where it is legal, else any."""
    assert decision.dice is not None
    legal = legal_plays(decision.position, decision.dice)
    return decision.left if decision.left in legal else next(iter(legal))


def _root(number: int, context: Context) -> str:
    length, score = context.length or 0, context.score
    info = f"MI[length:{length}][game:{number}][ws:{score[0]}][bs:{score[1]}]"
    players = f"PW[{NAMES[0]}]PB[{NAMES[1]}]"
    cube = f"CV[{context.cube}]" if context.cube > 1 else ""
    return f";FF[4]GM[6]CA[UTF-8]{info}{players}RU[{':'.join(_rules(context))}]{cube}"


def _rules(context: Context) -> Iterator[str]:
    if context.length:
        yield "Crawford"
    if context.crawford:
        yield "CrawfordGame"
    if context.jacoby:
        yield "Jacoby"
    if not context.cube_in_play:
        yield "NoCube"
    if RULES[context.variant]:
        yield RULES[context.variant]


def _throw(decision: Decision, left: Position) -> str:
    """A throw with a play that leaves this position."""
    assert decision.dice is not None
    steps = legal_plays(decision.position, decision.dice)[left]
    letters = "".join(point_letter(point, decision.side) for step in steps for point in step.path)
    return f";{COLOURS[decision.side]}[{'{}{}'.format(*decision.dice)}{letters}]"


def _set_up(boards: tuple[Points, Points], on_roll: int) -> str:
    return f";PL[{COLOURS[on_roll]}]{board_letters(boards)}"


def _boards(position: Position, side: int) -> tuple[Points, Points]:
    """Left's and right's checkers."""
    own, other = position
    return (other, own) if side else (own, other)
