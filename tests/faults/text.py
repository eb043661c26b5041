"""Faults of the text itself: cells and lines that cannot be read any more."""

from __future__ import annotations

import re
from random import Random

from bganalyze.record.model import Answer, Double, Result
from tests.faults.damage import Damage, first_of, make_damage
from tests.faults.record import Act, Record, replace_part, words

LETTERS = "qxzkwvj"
NO_CHARACTER = "\udc81"
"""Stands for the byte 0x81, which neither UTF-8 nor CP1252 has."""
_WORD = re.compile(r"[A-Za-z]{4,}")


def _unreadable(record: Record, act: Act, text: str) -> Damage | None:
    return make_damage(record, record.written(act, text), {(act.line, "T101")})


def _scribble(rng: Random, text: str) -> str:
    """Put letters in place of the digits and signs of a word."""
    return "".join(rng.choice(LETTERS) if rng.random() < 0.7 else c for c in text[:-1]) + "#"


def garbled_play(record: Record, rng: Random) -> Damage | None:
    """Scribble over all steps of a play and keep its roll."""

    def make(act: Act) -> Damage | None:
        text = record.text(act)
        scribble = " ".join(_scribble(rng, word) for word in words(text))
        return _unreadable(record, act, f"{text[:3]} {scribble}")

    return first_of(rng, record.plays, make)


def garbled_cell(record: Record, rng: Random) -> Damage | None:
    """Roll and steps are scribble."""

    def make(act: Act) -> Damage | None:
        return _unreadable(
            record, act, " ".join(_scribble(rng, word) for word in record.text(act).split())
        )

    return first_of(rng, record.plays, make)


def garbled_half(record: Record, rng: Random) -> Damage | None:
    """Scribble over one of several steps."""

    def make(act: Act) -> Damage | None:
        text = record.text(act)
        parts = text.split()
        if len(parts) < 3:
            return None
        index = rng.randrange(1, len(parts))
        parts[index] = _scribble(rng, parts[index])
        return _unreadable(record, act, " ".join(parts))

    return first_of(rng, record.plays, make)


def garbled_roll(record: Record, rng: Random) -> Damage | None:
    """Scribble over a roll and keep its steps."""

    def make(act: Act) -> Damage | None:
        text = record.text(act)
        high, low = text[0], text[1]
        garbled = rng.choice(
            (f"{high}x:", f"l{low}:", f"{high}?:", f"{high}{low};", f"{high}_{low}:")
        )
        return _unreadable(record, act, garbled + text[3:])

    return first_of(rng, record.plays, make)


def _misspell(rng: Random, text: str) -> str:
    """Exchange two letters of the first long word."""
    match = _WORD.search(text)
    assert match is not None
    word = match.group()
    at = rng.randrange(1, len(word) - 2)
    mixed = word[:at] + word[at + 1] + "x" + word[at] + word[at + 2 :]
    return text[: match.start()] + mixed + text[match.end() :]


def garbled_double(record: Record, rng: Random) -> Damage | None:
    """Misspell the word of a double."""
    return first_of(
        rng,
        record.of_kind(Double),
        lambda act: _unreadable(record, act, _misspell(rng, record.text(act))),
    )


def garbled_answer(record: Record, rng: Random) -> Damage | None:
    """Misspell the word of a take or pass."""
    return first_of(
        rng,
        record.of_kind(Answer),
        lambda act: _unreadable(record, act, _misspell(rng, record.text(act))),
    )


def garbled_wins(record: Record, rng: Random) -> Damage | None:
    """Misspell the word of a win."""
    return first_of(
        rng,
        record.of_kind(Result),
        lambda act: _unreadable(record, act, _misspell(rng, record.text(act))),
    )


def row_number(record: Record, rng: Random) -> Damage | None:
    """Change the number of a row."""

    def make(act: Act) -> Damage | None:
        line, label = record.lines[act.line - 1], act.action.row
        if label is None or not label.isdigit():
            return None
        number = int(label) + rng.choice((-2, -1, 1, 2, 10))
        if number < 1:
            return None
        at = line.index(label)
        new = replace_part(line, at, at + len(label), str(number).rjust(len(label)))
        return make_damage(record, record.with_line(act.line, new), {(act.line, "T103")})

    return first_of(rng, record.plays, make)


def garbled_label(record: Record, rng: Random) -> Damage | None:
    """Make the number of a row unreadable, perhaps with its cells."""

    def make(act: Act) -> Damage | None:
        line, label = record.lines[act.line - 1], act.action.row
        if label is None or not label.isdigit():
            return None
        garbled = rng.choice((f"{label[:-1]}x)", f"{label}}}", f"{label}?)", f"{label[0]}o)"))
        new = line.replace(f"{label})", garbled, 1)
        return make_damage(record, record.with_line(act.line, new), {(act.line, "T101")})

    return first_of(rng, record.plays, make)


def name_change(record: Record, rng: Random) -> Damage | None:
    """Rename a player in a game after the first."""

    def make(game: int) -> Damage | None:
        score = record.match.games[game].score
        if score is None:
            return None
        span, name = score.span, rng.choice(score.names)
        new = record.lines[span.line - 1].replace(name, name[::-1] + "x", 1)
        return make_damage(record, record.with_line(span.line, new), {(span.line, "T114")})

    return first_of(rng, list(range(1, len(record.match.games))), make)


def undecodable_name(record: Record, rng: Random) -> Damage | None:
    """Write a byte that fits no encoding into the last header entry."""
    if not record.match.tags or record.encoding.startswith("utf-16"):
        return None
    line = rng.choice(record.match.tags).span.line
    new = record.lines[line - 1].replace('"', f'"{NO_CHARACTER}', 1)
    return make_damage(record, record.with_line(line, new), {(line, "T102")})


def undecodable_cell(record: Record, rng: Random) -> Damage | None:
    """Write a byte that fits no encoding in place of a digit of a step."""

    def make(act: Act) -> Damage | None:
        if record.encoding.startswith("utf-16"):
            return None
        step_words = words(record.text(act))
        step = rng.choice(step_words)
        at = rng.randrange(len(step))
        text = record.text(act).replace(step, step[:at] + NO_CHARACTER + step[at + 1 :], 1)
        exact = {(act.line, code) for code in ("T101", "T102")}
        return make_damage(record, record.written(act, text), exact, {(act.line, "T101")})

    return first_of(rng, record.plays, make)
