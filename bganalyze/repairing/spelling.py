"""Spelling: a legal play written as its record would have written it, near to what stands there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from bganalyze.board.movement import Dice, ways
from bganalyze.board.plays import notation
from bganalyze.board.position import BAR, OFF, Position, Step
from bganalyze.record.model import LEFT, RIGHT, Match, Play, Side
from bganalyze.record.sgf.tree import COLORS, point_letter

_WORD = re.compile(r"(\w+)((?:/\w+\*?)+)(?:\((\d)\))?")
_DASHED = re.compile(r"(?<=\w)-(?=[0-9o])")
_LANDING = re.compile(r"/(\w+)(\*?)")
_NAMED = {"bar": BAR, "off": OFF}
_ROLL = re.compile(r"[0-9]{2}(?::|\s|$)")
_COMMA = re.compile(r", *")
_NUMBER = re.compile(r"(?<![(0-9])[0-9]+")

PLAYS_LOOKED_AT = 200
"""So many plays show how a record is spelled."""

OFTEN = 0.05
"""A record in which this share of plays has steps joined joins them; in others that is a slip."""

WITHOUT_COLON = 0.5
"""A record in which fewer plays than this have a colon behind their roll writes none."""

IN_ORDER = 0.95
"""A record in which this share of rolls has the higher die first writes all of them so."""

MOST_WAYS = 60
"""So many ways of playing a roll are looked at for one that is written like the record."""


class WrittenPlay(NamedTuple):
    """A play, and what stands in the file for it."""

    play: Play
    text: str

    @property
    def words(self) -> list[str]:
        """The words of the play, one for each of its steps."""
        offset = self.play.cell_offset
        return [self.text[start - offset : end - offset] for start, end in self.play.places]


class Style(NamedTuple):
    """How a record spells its plays."""

    bar: str = "bar"
    off: str = "off"
    is_joined: bool = False
    """Whether the steps of one checker are joined: `24/13`."""
    marks_hits: bool = True
    sign: str = ":"
    """What stands behind a roll."""
    has_high_first: bool = False
    """Whether the higher die of a roll stands first."""
    has_rolls: bool = True
    """Whether a roll stands before its play: `31: 8/5 6/5`."""
    joint: str = "/"
    """What stands between the points of a step."""
    gap: str = " "
    """What stands between steps."""
    is_mirrored: tuple[bool, bool] = (False, False)
    """Whether the plays of left and of right are written with the points of the other side."""


def style_of(match: Match) -> Style:
    """Return how a record spells its plays, as its first ones show."""
    turns = [
        WrittenPlay(play, match.source.text_at(play.span))
        for play in islice(match.plays(), PLAYS_LOOKED_AT)
    ]
    texts = [text for _, text in turns]
    gaps = [gap for turn in turns if "," in turn.text for gap in _gaps_in(turn)]
    rolls = [play.dice for play, _ in turns if play.dice is not None]
    colons = sum(text[2:3] == ":" for text in texts)
    is_usual = not rolls and match.format == "mat"
    return Style(
        _name_of(BAR, (source for source, _ in _ends_in(texts)), "bar"),
        _name_of(OFF, (target for _, target in _ends_in(texts)), "off"),
        sum(map(_has_joined, turns)) > OFTEN * len(turns),
        match.profile.marks_hits,
        ":" if colons > WITHOUT_COLON * len(rolls) or is_usual else "",
        len(turns) - sum(first < second for first, second in rolls) > IN_ORDER * len(turns),
        match.format == "mat" or any(map(_ROLL.match, texts)),
        "-" if sum(map(_has_dash, turns)) > len(turns) // 2 else "/",
        gaps[0] if len(gaps) > len(turns) // 2 else " ",
        (_is_mirrored(turns, LEFT), _is_mirrored(turns, RIGHT)),
    )


def steps_span(play: Play) -> slice:
    """Return where the steps of a play stand in the text of its turn."""
    if not play.places:
        return slice(0, 0)
    return slice(play.places[0][0] - play.cell_offset, play.places[-1][1] - play.cell_offset)


def _gaps_in(turn: WrittenPlay) -> list[str]:
    """Return the commas between the steps of a play, with the blanks behind them."""
    return _COMMA.findall(turn.text[steps_span(turn.play)])


def _ends_in(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield what the first and the last point of each step are called in texts."""
    for text in texts:
        for source, landings, _ in _WORD.findall(text):
            yield source, _LANDING.findall(landings)[-1][0]


def _name_of(point: int, names: Iterable[str], usual: str) -> str:
    """Return the first of the names that stands for a point."""
    return next((name for name in names if _point(name) == point), usual)


def _has_joined(turn: WrittenPlay) -> bool:
    """Whether a checker goes further in a step than either die."""
    dice = turn.play.dice
    return dice is not None and any(path[0] - path[-1] > max(dice) for path, _ in turn.play.steps)


def _has_dash(turn: WrittenPlay) -> bool:
    return "-" in turn.text and any(map(_DASHED.search, turn.words))


def _is_mirrored(turns: Iterable[WrittenPlay], side: Side) -> bool:
    """Whether more steps of a side are written with the points of the other side than with its own."""
    mirrored = 0
    for turn in turns:
        if turn.play.side == side:
            for word, (path, _) in zip(turn.words, turn.play.steps, strict=False):
                first = _first_point(word)
                mirrored += (first == BAR - path[0]) - (first == path[0])
    return mirrored > 0


def _first_point(word: str) -> int | None:
    number = _NUMBER.match(word)
    return None if number is None else int(number.group())


def spelled(
    position: Position,
    dice: Dice,
    result: Position,
    style: Style,
    written: str,
    side: Side = LEFT,
) -> str:
    """Return the play from `position` to `result`, with the words and signs of `written` that hold.

    >>> from bganalyze.board.position import start_position
    >>> from bganalyze.board.plays import after
    >>> start = start_position("standard")
    >>> end = after(after(start, Step((24, 18), (False,))), Step((13, 11), (False,)))
    >>> spelled(start, (6, 2), end, Style(), "24/18 13/12")
    '24/18 13/11'
    >>> spelled(start, (6, 2), end, Style(), "24-18, 13-12")
    '24-18, 13-11'
    >>> spelled(start, (6, 2), end, Style(gap=", "), "24/18")
    '24/18, 13/11'
    """
    plain = _renumbered(_DASHED.sub("/", written).replace(",", " "), style, side)
    words = [word.group() for word in _WORD.finditer(plain)]
    if not words:
        return spelled_anew(next(ways(position, dice, result), ()), style, side)
    texts = (
        _with_words_of(plain, steps, style)
        for steps in islice(ways(position, dice, result), MOST_WAYS)
    )
    kept = {text: _kept(words, text) for text in texts}
    most = max(kept.values(), default=0)
    text = _likest([text for text in kept if kept[text] == most], plain)
    joint = "-" if _DASHED.search(written) else "/"
    gap = _gap_of(written) if len(words) > 1 else style.gap
    return _as_recorded(text, style._replace(joint=joint, gap=gap), side)


def _gap_of(text: str) -> str:
    """Return what stands between the steps of a play."""
    comma = _COMMA.search(text)
    return " " if comma is None else comma.group()


def _as_recorded(text: str, style: Style, side: Side) -> str:
    """Return steps of match text, numbered from their own side, as the record writes them."""
    return _renumbered(text, style, side).replace(" ", style.gap).replace("/", style.joint)


def _renumbered(text: str, style: Style, side: Side) -> str:
    """Return steps with the points of the other side, if the record writes those of `side` so."""
    if not style.is_mirrored[side]:
        return text
    return _NUMBER.sub(lambda point: str(BAR - int(point.group())), text)


def _kept(words: Sequence[str], text: str) -> int:
    """Return how many of the words stand in a text."""
    there = Counter(text.split())
    return (Counter(words) & there).total()


def spelled_anew(steps: Sequence[Step], style: Style, side: Side = LEFT) -> str:
    """Return steps of one die each as a record of that style writes them.

    >>> spelled_anew([Step((24, 18), (False,)), Step((18, 13), (True,))], Style(is_joined=True))
    '24/13*'
    """
    return _as_recorded(_with_words_of("", steps, style), style, side)


def in_letters(dice: Dice, steps: Sequence[Step], side: Side) -> str:
    """Return a roll and steps of one die each as Smart Game Format writes them.

    >>> in_letters((3, 1), [Step((8, 5), (False,)), Step((6, 5), (False,))], 0)
    'W[31hefe]'
    """
    letters = "".join(point_letter(point, side) for path, _ in steps for point in path)
    return f"{COLORS[side]}[{dice[0]}{dice[1]}{letters}]"


def spelled_in_letters(
    position: Position, dice: Dice, result: Position, side: Side, written: str
) -> str:
    """Return the play from `position` to `result` in letters, in the order of those that are written."""
    texts = [
        in_letters(dice, steps, side) for steps in islice(ways(position, dice, result), MOST_WAYS)
    ]
    return _likest(texts, written) or in_letters(dice, (), side)


def _likest(texts: Sequence[str], written: str) -> str:
    """Return the text that has most in common with what is written; of none, nothing."""
    if len(texts) < 2:
        return "".join(texts)
    return max(texts, key=lambda text: likeness(text, written))


@lru_cache(maxsize=1_024)
def likeness(one: str, two: str) -> float:
    """Return how much two texts have in common, from 0 to 1."""
    return SequenceMatcher(None, one, two, autojunk=False).ratio()


def _with_words_of(written: str, steps: Sequence[Step], style: Style) -> str:
    """Write steps of one die each: in the words of `written` as far as they say the same."""
    left = list(steps) if style.marks_hits else [Step(path, (False,)) for path, _ in steps]
    words: list[str] = []
    gap: int | None = None
    for match in _WORD.finditer(written):
        legs = _legs_of(match, left)
        if legs is not None:
            for leg in legs:
                left.remove(leg)
            words.append(match.group())
        elif gap is None:
            gap = len(words)
    at = len(words) if gap is None else gap
    return " ".join([*words[:at], *_spelled_anew(left, style), *words[at:]])


def _legs_of(word: re.Match[str], steps: Sequence[Step]) -> list[Step] | None:
    """Return the steps that a written word stands for, where they are among these."""
    source, landings, times = word.groups()
    left, legs = list(steps), []
    for turn in range(int(times or 1)):
        at = _point(source)
        for target, mark in _LANDING.findall(landings):
            chain = _chain(at, _point(target), bool(mark) and turn == 0, left)
            if chain is None:
                return None
            for leg in chain:
                left.remove(leg)
            legs += chain
            at = _point(target)
    return legs


def _chain(source: int, target: int, is_hit: bool, steps: Sequence[Step]) -> list[Step] | None:
    """Return the steps that lead from one point to another and hit at the end, or do not."""
    for step in steps:
        start, end = step.path[0], step.path[-1]
        if start != source:
            continue
        if end == target and step.marked[-1] == is_hit:
            return [step]
        if end > target and not step.marked[-1]:
            others = list(steps)
            others.remove(step)
            rest = _chain(end, target, is_hit, others)
            if rest is not None:
                return [step, *rest]
    return None


@lru_cache(maxsize=1_024)
def _alone(step: Step) -> str:
    """Return a step by itself: a few hundred make up every play."""
    return notation((step,))


def _spelled_anew(steps: Sequence[Step], style: Style) -> list[str]:
    text = notation(steps) if style.is_joined else " ".join(map(_alone, steps))
    return [text.replace("bar", style.bar).replace("off", style.off)] if text else []


def _point(name: str) -> int:
    """Return the point that a name stands for; -1 where it is none."""
    if name.isdecimal():
        return int(name)
    return _NAMED.get(name.casefold(), -1)
