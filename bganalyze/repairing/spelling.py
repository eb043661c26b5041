"""Spelling: write a legal play in the notation of its match file, close to the written text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from bganalyze.board.movement import Dice, ways_to_play
from bganalyze.board.plays import notation
from bganalyze.board.position import BAR, OFF, Position, Step
from bganalyze.record.model import LEFT, RIGHT, Match, Play, Side, parse_number
from bganalyze.record.sgf.tree import COLORS, point_letter

_WORD = re.compile(r"(?<!\w)(\w+)((?:/\w+\*?)+)(?:\((\d)\))?")
_DASHED = re.compile(r"(?<=\w)-(?=[0-9o])")
_LANDING = re.compile(r"/(\w+)(\*?)")
_NAMED = {"bar": BAR, "off": OFF}
_ROLL = re.compile(r"[0-9]{2}(?::|\s|$)")
_COMMA = re.compile(r", *")
_NUMBER = re.compile(r"(?<![(0-9])[0-9]+")

PLAYS_LOOKED_AT = 200
"""Plays examined to find the notation of a match file."""

LEAST_JOINED_SHARE = 0.05
"""Share of plays with joined steps from which joining is the style of a match file, not a slip."""

MOST_COLONS_BY_SLIP = 0.5
"""Share of rolls with a colon up to which a match file writes none."""

LEAST_ORDERED_SHARE = 0.95
"""Share of rolls with the higher die first from which a match file sorts its dice."""

MOST_WAYS = 60
"""Ways to play a roll that are compared with the written text."""


class WrittenPlay(NamedTuple):
    """A play and its text in the file."""

    play: Play
    text: str

    @property
    def words(self) -> list[str]:
        """The words of the play's text: its steps as written."""
        offset = self.play.cell_offset
        return [self.text[start - offset : end - offset] for start, end in self.play.places]


class Style(NamedTuple):
    """Notation that a match file uses for plays."""

    bar: str = "bar"
    off: str = "off"
    is_joined: bool = False
    """Whether the steps of one checker are joined: `24/13`."""
    marks_hits: bool = True
    sign: str = ":"
    """Sign after a roll."""
    has_high_first: bool = False
    """Whether the higher die of a roll is written first."""
    has_rolls: bool = True
    """Whether a roll is written before its play: `31: 8/5 6/5`."""
    joint: str = "/"
    """Sign between the points of a step, such as `-`."""
    gap: str = " "
    """Text between steps."""
    is_mirrored: tuple[bool, bool] = (False, False)
    """Whether each side's plays are numbered with the points of the other side."""


def find_style(match: Match) -> Style:
    """Return a match file's notation of plays, inferred from its first plays."""
    turns = [
        WrittenPlay(play, match.source.text_at(play.span))
        for play in islice(match.plays(), PLAYS_LOOKED_AT)
    ]
    texts = [text for _, text in turns]
    gaps = [gap for turn in turns if "," in turn.text for gap in _find_comma_separators(turn)]
    rolls = [play.dice for play, _ in turns if play.dice is not None]
    colons = sum(text[2:3] == ":" for text in texts)
    is_usual = not rolls and match.format == "mat"
    return Style(
        _find_written_point_name(BAR, (source for source, _ in _find_ends(texts)), "bar"),
        _find_written_point_name(OFF, (target for _, target in _find_ends(texts)), "off"),
        sum(map(_has_joined, turns)) > LEAST_JOINED_SHARE * len(turns),
        match.conventions.marks_hits,
        ":" if colons > MOST_COLONS_BY_SLIP * len(rolls) or is_usual else "",
        len(turns) - sum(first < second for first, second in rolls)
        > LEAST_ORDERED_SHARE * len(turns),
        match.format == "mat" or any(map(_ROLL.match, texts)),
        "-" if sum(map(_has_dash, turns)) > len(turns) // 2 else "/",
        gaps[0] if len(gaps) > len(turns) // 2 else " ",
        (_is_numbered_from_other_side(turns, LEFT), _is_numbered_from_other_side(turns, RIGHT)),
    )


def span_of_steps(play: Play) -> slice:
    """Return the part of a play's text that has its steps, as a slice (empty without steps)."""
    if not play.places:
        return slice(0, 0)
    return slice(play.places[0][0] - play.cell_offset, play.places[-1][1] - play.cell_offset)


def _find_comma_separators(turn: WrittenPlay) -> list[str]:
    """Return the commas between the steps of a play, with their blanks: `, `, for example."""
    return _COMMA.findall(turn.text[span_of_steps(turn.play)])


def _find_ends(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the first and the last point of each step, as written: `("bar", "21")`."""
    for text in texts:
        for source, landings, _ in _WORD.findall(text):
            yield source, _LANDING.findall(landings)[-1][0]


def _find_written_point_name(point: int, names: Iterable[str], usual: str) -> str:
    """Return the first of `names` that means `point`, such as `bar` for 25, else `usual`."""
    return next((name for name in names if _parse_point(name) == point), usual)


def _has_joined(turn: WrittenPlay) -> bool:
    """Whether a play is written with a step longer than either die, such as 13/8 with 4-1."""
    dice = turn.play.dice
    return dice is not None and any(path[0] - path[-1] > max(dice) for path, _ in turn.play.steps)


def _has_dash(turn: WrittenPlay) -> bool:
    """Whether the steps of a play are written with dashes: `24-18`."""
    return "-" in turn.text and any(map(_DASHED.search, turn.words))


def _is_numbered_from_other_side(turns: Iterable[WrittenPlay], side: Side) -> bool:
    """Whether a side's points are mostly counted from the opponent's end: `1/7` for 24/18."""
    mirrored = 0
    for turn in turns:
        if turn.play.side == side:
            for word, (path, _) in zip(turn.words, turn.play.steps, strict=False):
                first = _read_first_point(word)
                mirrored += (first == BAR - path[0]) - (first == path[0])
    return mirrored > 0


def _read_first_point(word: str) -> int | None:
    """Return the number at the start of a word, or None."""
    number = _NUMBER.match(word)
    return None if number is None else parse_number(number.group())


def spell_play(
    position: Position,
    dice: Dice,
    result: Position,
    style: Style,
    written: str,
    side: Side = LEFT,
) -> str:
    """Return the play from `position` to `result` in the notation of the match file.

    Words and signs are kept from `written`, the text that it replaces, and otherwise follow
    `style`.

    >>> from bganalyze.board.position import start_position
    >>> from bganalyze.board.plays import after
    >>> start = start_position("standard")
    >>> end = after(after(start, Step((24, 18), (False,))), Step((13, 11), (False,)))
    >>> spell_play(start, (6, 2), end, Style(), "24-18, 13-12")
    '24-18, 13-11'
    """
    plain = _renumber_points(_DASHED.sub("/", written).replace(",", " "), style, side)
    words = [word.group() for word in _WORD.finditer(plain)]
    if not words:
        return spell_steps(next(ways_to_play(position, dice, result), ()), style, side)
    texts = (
        _spell_keeping_words(plain, steps, style)
        for steps in islice(ways_to_play(position, dice, result), MOST_WAYS)
    )
    kept = {text: _count_kept_words(words, text) for text in texts}
    most = max(kept.values(), default=0)
    text = _pick_most_similar([text for text in kept if kept[text] == most], plain)
    joint = "-" if _DASHED.search(written) else "/"
    gap = _find_separator(written) if len(words) > 1 else style.gap
    return _respell_steps(text, style._replace(joint=joint, gap=gap), side)


def _find_separator(text: str) -> str:
    """Return the text between the steps of a written play, such as `, ` or a blank."""
    comma = _COMMA.search(text)
    return " " if comma is None else comma.group()


def _respell_steps(text: str, style: Style, side: Side) -> str:
    """Return steps such as `24/18 13/11` in the file's notation, such as `24-18, 13-11`."""
    return _renumber_points(text, style, side).replace(" ", style.gap).replace("/", style.joint)


def _renumber_points(text: str, style: Style, side: Side) -> str:
    """Return steps with points numbered as the match file does it for `side`."""
    if not style.is_mirrored[side]:
        return text
    return _NUMBER.sub(lambda point: str(BAR - parse_number(point.group())), text)


def _count_kept_words(words: Sequence[str], text: str) -> int:
    """Return how many of the `words` occur in a text."""
    there = Counter(text.split())
    return (Counter(words) & there).total()


def spell_steps(steps: Sequence[Step], style: Style, side: Side = LEFT) -> str:
    """Return steps of one die each in the notation of a match file.

    >>> spell_steps([Step((24, 18), (False,)), Step((18, 13), (True,))], Style(is_joined=True))
    '24/13*'
    """
    return _respell_steps(_spell_keeping_words("", steps, style), style, side)


def spell_steps_in_letters(dice: Dice, steps: Sequence[Step], side: Side) -> str:
    """Return a roll and steps of one die each in the notation of Smart Game Format.

    >>> spell_steps_in_letters((3, 1), [Step((8, 5), (False,)), Step((6, 5), (False,))], 0)
    'W[31hefe]'
    """
    letters = "".join(point_letter(point, side) for path, _ in steps for point in path)
    return f"{COLORS[side]}[{dice[0]}{dice[1]}{letters}]"


def spell_play_in_letters(
    position: Position, dice: Dice, result: Position, side: Side, written: str
) -> str:
    """Return the play from `position` to `result` in Smart Game Format, such as `W[31hefe]`.

    If the play can be written in several ways, return the way most like `written`.
    """
    texts = [
        spell_steps_in_letters(dice, steps, side)
        for steps in islice(ways_to_play(position, dice, result), MOST_WAYS)
    ]
    return _pick_most_similar(texts, written) or spell_steps_in_letters(dice, (), side)


def _pick_most_similar(texts: Sequence[str], written: str) -> str:
    """Return the text that resembles `written` most, or "" if there are no texts."""
    if len(texts) < 2:
        return "".join(texts)
    return max(texts, key=lambda text: likeness(text, written))


@lru_cache(maxsize=1_024)
def likeness(one: str, two: str) -> float:
    """Return the likeness of two texts, from 0 to 1."""
    return SequenceMatcher(None, one, two, autojunk=False).ratio()


def measure_likeness_ignoring_case(one: str, two: str) -> float:
    """Return the likeness of two texts, from 0 to 1, ignoring case."""
    return SequenceMatcher(None, one.casefold(), two.casefold()).ratio()


def _spell_keeping_words(written: str, steps: Sequence[Step], style: Style) -> str:
    """Return the text of steps, with those words of `written` kept that mean some of the steps.

    >>> steps = [Step((24, 18), (False,)), Step((18, 16), (False,))]
    >>> _spell_keeping_words("24/18 13/11", steps, Style())
    '24/18 18/16'
    """
    left = list(steps) if style.marks_hits else [Step(path, (False,)) for path, _ in steps]
    words: list[str] = []
    gap: int | None = None
    for match in _WORD.finditer(written):
        legs = _find_single_steps(match, left)
        if legs is not None:
            for leg in legs:
                left.remove(leg)
            words.append(match.group())
        elif gap is None:
            gap = len(words)
    at = len(words) if gap is None else gap
    return " ".join([*words[:at], *_join_steps(left, style), *words[at:]])


def _find_single_steps(word: re.Match[str], steps: Sequence[Step]) -> list[Step] | None:
    """Return the `steps` of one die each that a written step such as `24/13` means, or None."""
    source, landings, times = word.groups()
    left, legs = list(steps), []
    for turn in range(int(times or 1)):
        at = _parse_point(source)
        for target, mark in _LANDING.findall(landings):
            chain = _find_chain(at, _parse_point(target), bool(mark) and turn == 0, left)
            if chain is None:
                return None
            for leg in chain:
                left.remove(leg)
            legs += chain
            at = _parse_point(target)
    return legs


def _find_chain(source: int, target: int, is_hit: bool, steps: Sequence[Step]) -> list[Step] | None:
    """Return those of the `steps` that lead one checker from `source` to `target`, or None.

    The last step must hit if `is_hit`; no other step may hit.
    """
    for step in steps:
        start, end = step.path[0], step.path[-1]
        if start != source:
            continue
        # Only the last step may hit, if `is_hit`.
        if end == target and step.marked[-1] == is_hit:
            return [step]
        if end > target and not step.marked[-1]:
            others = list(steps)
            others.remove(step)
            rest = _find_chain(end, target, is_hit, others)
            if rest is not None:
                return [step, *rest]
    return None


@lru_cache(maxsize=1_024)
def _spell_step(step: Step) -> str:
    """Return the text of a single step."""
    # Cached: a few hundred steps make up all plays.
    return notation((step,))


def _join_steps(steps: Sequence[Step], style: Style) -> list[str]:
    """Return the texts of steps, joined into one per checker if the notation joins steps."""
    text = notation(steps) if style.is_joined else " ".join(map(_spell_step, steps))
    return [text.replace("bar", style.bar).replace("off", style.off)] if text else []


def _parse_point(name: str) -> int:
    """Return the number of the point with this name, or -1 if there is none."""
    if name.isdecimal():
        return parse_number(name)
    return _NAMED.get(name.casefold(), -1)
