"""Faults of a whole play."""

from __future__ import annotations

from itertools import combinations
from random import Random

from bganalyze.board.plays import Dice, check_play, find_nearest_plays, legal_plays, notation
from bganalyze.board.position import BAR, Position, Step
from bganalyze.record.model import Play, PlayRecord, Result
from tests.faults.check import faults, rolls
from tests.faults.damage import Damage, errors, first_of, make_damage
from tests.faults.record import Act, Boards, Lines, Record, play_text, steps_of, words
from tests.faults.referee import (
    Places,
    as_boards,
    events,
    first_fault,
    hit_ignored,
    remove_excused,
    see_from,
    without_play,
)
from tests.faults.results import how_it_ended

UNLIKE = tuple(combinations(range(1, 7), 2))
"""Every roll that is no double."""


def places_of_play(
    record: Record, act: Act, dice: Dice, step_words: list[str], how: PlayRecord = PlayRecord.PLAYED
) -> Places:
    """Return the report expected if this were the play; nothing if all stays legal."""
    steps = steps_of(step_words)
    later = events(record.rest(act))
    codes = faults(act.position, dice, steps, record.marks)
    if codes and not steps:
        codes = without_play(record, how, codes)
    codes = remove_excused(codes, act.side, later)
    if codes:
        places = frozenset((act.line, code) for code in codes)
        return places | _hit_ignored_before(record, act, dice, steps)
    end, _ = check_play(act.position, dice, steps, record.marks)
    return first_fault(record, as_boards(end, act.side), act, later, after=True)


def _hit_ignored_before(record: Record, act: Act, dice: Dice, steps: tuple[Step, ...]) -> Places:
    changed_act = act._replace(action=act.action._replace(dice=dice, steps=steps))
    earlier = [other for other in record.games[act.game] if other.at < act.at]
    return hit_ignored(record, act.before, events([*earlier, changed_act]))


def replace_play(
    record: Record, act: Act, step_words: list[str], dice: Dice | None = None
) -> Damage | None:
    """Return the damage that has this play, and this roll, in place of the recorded one."""
    rolled = dice or act.action.dice
    lines = record.written(act, play_text(rolled, step_words))
    return make_damage(record, lines, places_of_play(record, act, rolled, step_words))


def emptied(record: Record, rng: Random) -> Damage | None:
    """Keep a roll and lose its play."""
    return first_of(rng, record.plays, lambda act: _empty_cell(record, act, "", PlayRecord.EMPTY))


def false_dance(record: Record, rng: Random) -> Damage | None:
    """`Cannot Move` although there is a play."""
    return first_of(
        rng,
        record.plays,
        lambda act: _empty_cell(record, act, "Cannot Move", PlayRecord.CANNOT_MOVE),
    )


def _empty_cell(record: Record, act: Act, words: str, how: PlayRecord) -> Damage | None:
    dice = act.action.dice
    lines = record.written(act, f"{dice[0]}{dice[1]}: {words}".rstrip())
    return make_damage(record, lines, places_of_play(record, act, dice, [], how))


def unreadable(record: Record, rng: Random) -> Damage | None:
    """Keep a roll and replace its play by three question marks."""
    return first_of(
        rng,
        record.plays,
        lambda act: make_damage(record, record.written(act, record.text(act)[:3] + " ???")),
    )


def nearest_legal(record: Record, rng: Random) -> Damage | None:
    """Write the other legal play of the roll that differs in as few checkers as possible."""

    def make(act: Act) -> Damage | None:
        end, others = _other_plays(record, act)
        if not others:
            return None
        least = min(_distance(end, other) for other in others)
        near = [other for other in others if _distance(end, other) == least]
        return make_damage(record, record.written(act, play_of(act, others[rng.choice(near)])))

    return first_of(rng, record.plays, make)


def random_legal(record: Record, rng: Random) -> Damage | None:
    """Write any other legal play of the roll."""

    def make(act: Act) -> Damage | None:
        _, others = _other_plays(record, act)
        if not others:
            return None
        return make_damage(
            record, record.written(act, play_of(act, others[rng.choice(list(others))]))
        )

    return first_of(rng, record.plays, make)


def _other_plays(record: Record, act: Act) -> tuple[Position, dict[Position, tuple[Step, ...]]]:
    """Return the board after the play, and the steps of other legal plays by the board they leave."""
    end, _ = check_play(act.position, act.action.dice, act.action.steps, record.marks)
    plays = legal_plays(act.position, act.action.dice)
    return end, {other: steps for other, steps in plays.items() if other != end and steps}


def _distance(position: Position, other: Position) -> int:
    return sum(abs(a - b) for a, b in zip(position.own, other.own, strict=True))


def play_of(act: Act, steps: tuple[Step, ...]) -> str:
    return play_text(act.action.dice, notation(steps).split())


def bar_ignored(record: Record, rng: Random) -> Damage | None:
    """Replace an entering step by a step of another checker with the same die."""

    def make(act: Act) -> Damage | None:
        cells = words(record.text(act))
        entering = [i for i, word in enumerate(cells) if steps_of([word])[0].path[0] == BAR]
        step = steps_of([cells[entering[0]]])[0]
        number = BAR - step.path[1]
        if len(step.path) != 2 or number not in act.action.dice:
            return None
        moves = _other_moves(act.position, number)
        if not moves:
            return None
        cells[entering[0]] = rng.choice(moves)
        return replace_play(record, act, cells)

    return first_of(rng, [act for act in record.plays if act.position.own[BAR]], make)


def _other_moves(position: Position, die: int) -> list[str]:
    return [
        f"{source}/{source - die}"
        for source in range(die + 1, BAR)
        if position.own[source] and position.other[BAR - source + die] == 0
    ]


def early_bear_off(record: Record, rng: Random) -> Damage | None:
    """Bear a checker off by its own die while others are still outside."""

    def make(act: Act) -> Damage | None:
        own, dice = act.position.own, act.action.dice
        cells = words(record.text(act))
        number = rng.choice(dice)
        if not own[number] or not any(own[7:BAR]) or own[BAR] or len(cells) != len(rolls(dice)):
            return None
        by_number = [i for i, w in enumerate(cells) if _length(w) == number]
        if not by_number:
            return None
        cells[rng.choice(by_number)] = f"{number}/off"
        return replace_play(record, act, cells)

    return first_of(rng, record.plays, make)


def _length(word: str) -> int:
    path = steps_of([word])[0].path
    return path[0] - path[-1]


def bear_off_past(record: Record, rng: Random) -> Damage | None:
    """Bear a checker off by a larger die although a higher point is occupied."""

    def make(act: Act) -> Damage | None:
        own, dice = act.position.own, act.action.dice
        cells = words(record.text(act))
        number = rng.choice(dice)
        lower = [point for point in range(1, number) if own[point]]
        if any(own[7:]) or not any(own[number:7]) or not lower:
            return None
        by_number = [i for i, w in enumerate(cells) if _length(w) == number]
        if not by_number or len(cells) != len(rolls(dice)):
            return None
        cells[by_number[0]] = f"{rng.choice(lower)}/off"
        return replace_play(record, act, cells)

    return first_of(rng, record.plays, make)


def smaller_die(record: Record, rng: Random) -> Damage | None:
    """Play the smaller die of a roll of which either die can be played, but not both."""

    def make(act: Act) -> Damage | None:
        choices = [(dice, step) for dice in UNLIKE for step in _smaller(act.position, dice)]
        if not choices:
            return None
        dice, step = rng.choice(choices)
        return replace_play(record, act, [notation([step])], dice)

    return first_of(rng, record.plays, make)


def _smaller(position: Position, dice: Dice) -> list[Step]:
    """Return the plays of the smaller die where the larger must be played and no more can be."""
    if any(len(steps) != 1 for steps in legal_plays(position, dice).values()):
        return []
    small = min(dice)
    sources = [BAR] if position.own[BAR] else range(24, small, -1)
    moves = [
        Step((source, source - small), (False,))
        for source in sources
        if position.own[source] and position.other[BAR - source + small] < 2
    ]
    return [step for step in moves if faults(position, dice, (step,), True) == {"P410"}]


# -- what is no slip ------------------------------------------------------------------------------


def illegal_play_carried_on(record: Record, rng: Random) -> Damage | None:
    """Move a checker a point too far or too short, and let both go on from there.

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
        end, legality = check_play(act.position, act.action.dice, steps, record.marks)
        if legality.fault is None or legality.fault.name == "blocked-point":
            return None
        played = play_of(act, tuple(steps))
        cells = _carry_on(record, act, as_boards(end, act.side))
        if not cells:
            return None
        as_meant = record.with_texts(cells)
        lines = record.with_texts([(act, played), *cells])
        return make_damage(record, lines) if _is_carried_on(record, lines, as_meant) else None

    targets = [act for act in record.plays if not _ends_on_the_board(record, act.game)]
    return first_of(rng, targets, make)


def _ends_on_the_board(record: Record, game: int) -> bool:
    last = record.games[game][-1]
    return not isinstance(last.action, Result) or how_it_ended(record, last)[0] == "borne-off"


def _carry_on(record: Record, act: Act, boards: Boards) -> list[tuple[Act, str]]:
    """Return the later plays of a game that change with the board; none if it is over."""
    cells: list[tuple[Act, str]] = []
    for later in record.rest(act):
        if not isinstance(later.action, Play) or later.action.dice is None:
            continue
        position, dice = see_from(boards, later.side), later.action.dice
        end, legality = check_play(position, dice, later.action.steps, record.marks)
        if legality.fault is not None:
            steps = next(iter(find_nearest_plays(position, dice, later.action.steps)), ())
            end, _ = check_play(position, dice, steps)
            cells.append((later, play_of(later, steps)))
        if not any(end.own[1:]):
            return []
        boards = as_boards(end, later.side)
    return cells


def _is_carried_on(record: Record, lines: Lines, as_meant: Lines) -> bool:
    """Whether that one play is wrong, and what follows would be if the play were as it was meant."""
    return errors(record, lines) == 1 and errors(record, as_meant) > 0
