"""Faults of the doubling cube."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from bganalyze.record.model import Answer, Double, Play, Result
from tests.faults.damage import Damage, first_of, make_damage
from tests.faults.record import Act, Record
from tests.faults.referee import is_shut_out
from tests.faults.results import find_allowed_points
from tests.faults.turns import repeat_cell


def _find_taken(record: Record) -> list[tuple[Act, Act, Act]]:
    """Return every double that was taken, with its answer and the roll that follows."""
    return [
        offer
        for offer in _find_answered(record)
        if offer[1].action.taken and isinstance(offer[2].action, Play)
    ]


def _find_passed(record: Record) -> list[tuple[Act, Act, Act]]:
    """Return every double that was dropped, with its answer and the result."""
    return [
        offer
        for offer in _find_answered(record)
        if not offer[1].action.taken and isinstance(offer[2].action, Result)
    ]


def _find_answered(record: Record) -> Iterator[tuple[Act, Act, Act]]:
    """Yield every double that was answered, with its answer and what follows."""
    for act in record.of_kind(Double):
        answer, after = record.following(act), record.following(act, 2)
        if answer is None or after is None or act.action.kind != "double":
            continue
        if _fits(record, act, answer):
            yield act, answer, after


def _fits(record: Record, double: Act, answer: Act) -> bool:
    return (
        isinstance(answer.action, Answer)
        and answer.side != double.side
        and (answer.line, answer.side) not in record.crowded
    )


def take_lost(record: Record, rng: Random) -> Damage | None:
    """Lose a take."""

    def make(offer: tuple[Act, Act, Act]) -> Damage | None:
        _, answer, after = offer
        lines = record.written(answer, "")
        return make_damage(record, lines, {(after.line, "C507")})

    return first_of(rng, _find_taken(record), make)


def drop_lost(record: Record, rng: Random) -> Damage | None:
    """Lose a pass: the win is then unfounded, or a resignation."""

    def make(offer: tuple[Act, Act, Act]) -> Damage | None:
        double, answer, result = offer
        lines = record.written(answer, "")
        earlier = record.following(double, -1)
        founded = earlier is None or not getattr(earlier.action, "steps", ())
        exact = set()
        if record.match.conventions.spells_resignations and not founded:
            exact = {(result.line, "R601")}
        return make_damage(record, lines, exact)

    return first_of(rng, _find_passed(record), make)


def double_lost(record: Record, rng: Random) -> Damage | None:
    """Lose a double and keep its answer."""

    def make(offer: tuple[Act, Act, Act]) -> Damage | None:
        double, answer, _ = offer
        lines = record.written(double, "")
        return make_damage(record, lines, {(answer.line, "C506")})

    return first_of(rng, _find_taken(record) + _find_passed(record), make)


def doubled_double(record: Record, rng: Random) -> Damage | None:
    """Write a double twice."""
    return first_of(
        rng,
        [offer[0] for offer in _find_taken(record) + _find_passed(record)],
        lambda act: repeat_cell(record, act, {"C502", "T118"}),
    )


def doubled_take(record: Record, rng: Random) -> Damage | None:
    """Write a take twice."""
    return first_of(
        rng,
        [offer[1] for offer in _find_taken(record)],
        lambda act: repeat_cell(record, act, {"C506", "T118"}),
    )


def cube_value(record: Record, rng: Random) -> Damage | None:
    """Write a cube value that is not twice the old one."""

    def make(act: Act) -> Damage | None:
        value = act.action.value
        if value is None or act.action.kind != "double":
            return None
        other_value = rng.choice([n for n in (1, 2, 3, 4, 6, 8, 16, 32) if n != value])
        if act.context.terms.is_money and act.cube.owner is None:
            other_value = rng.choice((1, 3, 6))
        lines = record.written(act, record.text(act).replace(str(value), str(other_value)))
        return make_damage(record, lines, {(act.line, "C505")})

    return first_of(rng, record.of_kind(Double), make)


def _offer_double(record: Record, act: Act, code: str) -> Damage | None:
    """Put a double of twice the cube's value and its take before a roll."""
    before = record.following(act, -1)
    if before is None or not isinstance(before.action, Play):
        return None
    offer, label = f"Doubles => {2 * act.cube.value}", act.action.row
    left, right = record.cells(act.line)
    if act.side == 0:
        lines = record.inserted(act.line, record.row(label, offer, "Takes"))
        return make_damage(record, lines, {(act.line, code)})
    if before.line != act.line:
        return None
    rows = record.row(label, left, offer), record.row(label, "Takes", right)
    lines = record.with_line(act.line, *rows)
    return make_damage(record, lines, {(act.line, code)})


def not_owner(record: Record, rng: Random) -> Damage | None:
    """Let the side that does not own the cube double, and the other take."""
    targets = [
        act
        for act in record.plays
        if act.cube.owner is not None
        and act.cube.owner != act.side
        and act.context.terms.cube_in_play
    ]
    return first_of(rng, targets, lambda act: _offer_double(record, act, "C501"))


def crawford_double(record: Record, rng: Random) -> Damage | None:
    """Add a double and a take to the Crawford game."""
    targets = [act for act in record.plays if act.context.crawford]
    return first_of(rng, targets, lambda act: _offer_double(record, act, "C503"))


def stray_take(record: Record, rng: Random) -> Damage | None:
    """Write a take in place of a play."""

    def make(act: Act) -> Damage | None:
        if act.cube.is_open or record.following(act) is None:
            return None
        return make_damage(record, record.written(act, "Takes"), {(act.line, "C506")})

    return first_of(rng, record.plays, make)


def stray_double(record: Record, rng: Random) -> Damage | None:
    """Write a double after the play, in its cell."""

    def make(act: Act) -> Damage | None:
        following, cells = record.following(act), record.on_line(act.line)
        if len(cells) != 2 or not isinstance(cells[1 - act.side].action, Play):
            return None
        if following is None or isinstance(following.action, Result) or not _may_double(act):
            return None
        text = f"{record.text(act)} Doubles => {2 * act.cube.value}"
        return make_damage(record, record.written(act, text), {(act.line, "C502")})

    return first_of(rng, record.plays, make)


def late_double(record: Record, rng: Random) -> Damage | None:
    """Write a double on a row of its own after the side has played."""

    def make(act: Act) -> Damage | None:
        following = record.following(act)
        if following is None or not isinstance(following.action, Play) or not _may_double(act):
            return None
        if act.side == 0 and following.line == act.line:
            return None
        if is_shut_out(following.before, following.side):
            return None
        offer = f"Doubles => {2 * act.cube.value}"
        new = record.row(act.action.row, *((offer, "") if act.side == 0 else ("", offer)))
        line = act.line + 1
        lines = record.inserted(line, new)
        return make_damage(record, lines, {(line, "C502"), (line, "T105")})

    return first_of(rng, record.plays, make)


def _may_double(act: Act) -> bool:
    allowed = act.context.terms.cube_in_play and not act.context.crawford
    return allowed and act.cube.may_double(act.side)


def take_for_drop(record: Record, rng: Random) -> Damage | None:
    """Write a pass as a take: the win is then a resignation at the doubled cube."""

    def make(offer: tuple[Act, Act, Act]) -> Damage | None:
        double, answer, result = offer
        lines = record.written(answer, "Takes")
        if record.match.conventions.spells_resignations:
            exact = {(result.line, "R601"), (result.line, "R602")}
            return make_damage(record, lines, exact)
        cube = double.cube.doubled(double.side).taken()
        allowed = find_allowed_points(record, result, cube, "resigned")
        is_refused = result.action.points not in allowed
        return make_damage(record, lines, {(result.line, "R602")} if is_refused else ())

    return first_of(rng, _find_passed(record), make)


def drop_for_take(record: Record, rng: Random) -> Damage | None:
    """Write a take as a pass, and let the game go on."""

    def make(offer: tuple[Act, Act, Act]) -> Damage | None:
        _, answer, after = offer
        lines = record.written(answer, "Drops")
        return make_damage(record, lines, {(after.line, "T106")})

    return first_of(rng, _find_taken(record), make)


def beaver(record: Record, rng: Random) -> Damage | None:
    """Write a take of a match as a beaver."""

    def make(offer: tuple[Act, Act, Act]) -> Damage | None:
        double, answer, _ = offer
        if not double.context.terms.length:
            return None
        lines = record.written(answer, f"Beavers => {4 * double.cube.value}")
        return make_damage(record, lines, {(answer.line, "C508")})

    return first_of(rng, _find_taken(record), make)


def double_a_row_late(record: Record, rng: Random) -> Damage | None:
    """Move a double and its answer behind the next two plays."""

    def make(double: Act) -> Damage | None:
        acts = [act for by in range(4) if (act := record.following(double, by)) is not None]
        if len(acts) < 4 or not all(act in record.plays for act in acts[2:]):
            return None
        if not isinstance(acts[1].action, Answer) or not acts[1].action.taken:
            return None
        if [act.side for act in acts] != [double.side, 1 - double.side] * 2:
            return None
        if not all(act.line in record.labels for act in acts):
            return None
        texts = [record.text(act) for act in (*acts[2:], *acts[:2])]
        return make_damage(record, record.with_texts(zip(acts, texts, strict=True)))

    return first_of(rng, record.of_kind(Double), make)


def offer_lost(record: Record, rng: Random) -> Damage | None:
    """Lose a double with its take."""

    def make(act: Act) -> Damage | None:
        answer = record.following(act)
        if answer is None or not isinstance(answer.action, Answer) or not answer.action.taken:
            return None
        if act.line not in record.labels or answer.line not in record.labels:
            return None
        return make_damage(record, record.with_texts([(act, ""), (answer, "")]))

    return first_of(rng, record.of_kind(Double), make)
