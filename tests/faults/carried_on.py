"""The fault of a player that is no slip: an illegal play from which both sides go on."""

from __future__ import annotations

from random import Random

from bganalyze.board.plays import check_play, nearest_plays
from bganalyze.board.position import Step
from bganalyze.record.model import Play, Result
from tests.faults.cells import play_of
from tests.faults.damage import Damage, damaged, errors, first_of
from tests.faults.record import Act, Boards, Lines, Record, steps_of, words
from tests.faults.referee import as_boards, seen_by
from tests.faults.results import how_it_ended


def illegal_play_carried_on(record: Record, rng: Random) -> Damage | None:
    """A player moves a checker a point too far or too short, and both go on from there.

    What follows is what was played, or the legal play nearest to it, and it no longer fits the play
    that was meant: the record is right, and so is the finding. Only another roll would explain it.
    """

    def make(act: Act) -> Damage | None:
        steps = list(steps_of(words(record.text(act))))
        index, by = rng.randrange(len(steps)), rng.choice((-1, 1))
        path = steps[index].path
        if not 0 < path[-1] + by < path[0]:
            return None
        steps[index] = Step((*path[:-1], path[-1] + by), (False,) * (len(path) - 1))
        end, analyzed = check_play(act.position, act.action.dice, steps, record.marks)
        if analyzed.fault is None or analyzed.fault.name == "blocked-point":
            return None
        played = play_of(act, tuple(steps))
        cells = _carried_on(record, act, as_boards(end, act.side))
        if not cells:
            return None
        as_meant = record.with_texts(cells)
        lines = record.with_texts([(act, played), *cells])
        return damaged(record, lines) if _is_carried_on(record, lines, as_meant) else None

    targets = [act for act in record.plays if not _ends_on_the_board(record, act.game)]
    return first_of(rng, targets, make)


def _ends_on_the_board(record: Record, game: int) -> bool:
    last = record.games[game][-1]
    return not isinstance(last.action, Result) or how_it_ended(record, last)[0] == "borne-off"


def _carried_on(record: Record, act: Act, boards: Boards) -> list[tuple[Act, str]]:
    """The later plays of a game that are others, played from another board; none if it is over."""
    cells: list[tuple[Act, str]] = []
    for later in record.rest(act):
        if not isinstance(later.action, Play) or later.action.dice is None:
            continue
        position, dice = seen_by(boards, later.side), later.action.dice
        end, analyzed = check_play(position, dice, later.action.steps, record.marks)
        if analyzed.fault is not None:
            steps = next(iter(nearest_plays(position, dice, later.action.steps)), ())
            end, _ = check_play(position, dice, steps)
            cells.append((later, play_of(later, steps)))
        if not any(end.own[1:]):
            return []
        boards = as_boards(end, later.side)
    return cells


def _is_carried_on(record: Record, lines: Lines, as_meant: Lines) -> bool:
    """Whether that one play is wrong, and what follows would be if the play were as it was meant."""
    return errors(record, lines) == 1 and errors(record, as_meant) > 0
