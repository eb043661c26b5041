"""Stored analyses: leave out impossible numbers, and note them.

Each analysis stays with its action as written; only its numbers are checked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from bganalyze.record.model import REPORTED, Action, Analysis, Game, Match, ReaderNote, Span

MOST_EQUITY = 500.0
"""Largest equity. Normalized to the cube, a lost backgammon is -3. A take late in a long match may
cost 50, because one point is worth a fiftieth of the match or less."""

SENTINELS = (-999.0, -1000.0)
"""Equities that BGBlitz and eXtreme Gammon store for a missing one."""

MOST_SECONDS = 1e9
"""Longest time of an action, in seconds: thirty years."""

_ROUNDING = 0.001
"""Largest distance of a stored chance from the range 0 to 1."""


class _Range(NamedTuple):
    """Range of possible numbers."""

    least: float
    most: float

    def holds(self, value: object) -> bool:
        """Whether a value is a number in this range. Booleans and NaN are not."""
        return type(value) in (int, float) and self.least <= value <= self.most  # type: ignore[operator]


_EQUITY = _Range(-MOST_EQUITY, MOST_EQUITY)
_CHANCE = _Range(-_ROUNDING, 1 + _ROUNDING)
_KEYS = {
    _EQUITY: (
        *("best_equity", "played_equity", "equity", "cubeless_equity"),
        *("no_double_equity", "double_take_equity", "double_pass_equity"),
        *("luck", "equity_loss", "diff", "resign_error", "take_resign_error"),
    ),
    _CHANCE: ("win", "gammon_win", "bg_win", "gammon_loss", "bg_loss"),
}
_RANGES = {key: limits for limits, keys in _KEYS.items() for key in keys}
"""Ranges of the numbers in GammonView's document, by key."""

IGNORED = "impossible number in the stored analysis, ignored: {}"
"""Text of the note about numbers left out."""

_EXCERPT = 40


class PossibleAnalysis(NamedTuple):
    """What is left of an analysis without its impossible numbers, and those numbers."""

    analysis: Analysis | None
    impossible: tuple[str, ...]


def omit_impossible_numbers(match: Match) -> Match:
    """Return a match without impossible numbers in analyses and times, such as a chance of 2.

    A note in the match names the first of these numbers and counts the others.
    """
    notes: list[tuple[Span, str]] = []
    games = [_omit_from_game(game, notes) for game in match.games]
    match = match._replace(games=tuple(games))
    if not notes:
        return match
    (span, first), more = notes[0], len(notes) - 1
    text = f"{first} (and {more:,} more like it)" if more else first
    note = ReaderNote("impossible-value", span, text)
    return match._replace(oddities=(*match.oddities, note))


def find_note_on_impossible_numbers(match: Match) -> ReaderNote | None:
    """Return the note on impossible numbers left out of a match, or None."""
    return next((odd for odd in match.oddities if odd.rule == "impossible-value"), None)


def _omit_from_game(game: Game, notes: list[tuple[Span, str]]) -> Game:
    """Return a game without impossible numbers; add each number to `notes`, with its place."""
    changed: dict[int, Action] = {}
    for index, action in enumerate(game.actions):
        analysis = getattr(action, "analysis", None)
        left = _omit_from_analysis(analysis) if analysis is not None else PossibleAnalysis(None, ())
        if left.analysis != analysis:
            changed[index] = action._replace(analysis=left.analysis)  # type: ignore[call-arg]
            notes += ((action.span, what) for what in left.impossible)
        seconds = getattr(action, "seconds", None)
        if seconds is not None and not seconds <= MOST_SECONDS:
            changed[index] = changed.get(index, action)._replace(seconds=None)  # type: ignore[call-arg]
            notes.append((action.span, _shorten_for_note(f"seconds {seconds!r}")))
    if not changed:
        return game
    return game._replace(actions=tuple(changed.get(n, a) for n, a in enumerate(game.actions)))


def _omit_from_analysis(analysis: Analysis) -> PossibleAnalysis:
    """Return an analysis without its impossible numbers, and these numbers as text."""
    entries, impossible = [], list[str]()
    for name, text in analysis.entries:
        if name == "gva":
            text = _omit_from_json(text, impossible)  # noqa: PLW2901 - what is left of it
        elif name in _SGF:
            text = _omit_from_property(name, text, impossible)  # noqa: PLW2901
        elif name == REPORTED:
            text = _omit_from_report(text, impossible)  # noqa: PLW2901
        if text:
            entries.append((name, text))
    kept = analysis._replace(entries=tuple(entries)) if entries else None
    return PossibleAnalysis(kept, tuple(impossible))


def _shorten_for_note(words: str) -> str:
    """Return a text cut to the length that a note shows."""
    return words[:_EXCERPT]


# -- GammonView's document, as JSON ----------------------------------------------------------------


_DOUBTFUL = re.compile(
    r"\\u"
    rf"|\"(?:{'|'.join(_KEYS[_EQUITY])})\"\s*+:\s*+(?!-?[0-9](?:\.[0-9]+)?[,}}])"
    rf"|\"(?:{'|'.join(_KEYS[_CHANCE])})\"\s*+:\s*+(?!(?:[01]|0\.[0-9]+|1\.0|[0-9.]+e-[0-9]+)[,}}])"
)
"""Pattern of numbers that need a closer look; most analyses have none."""


def _omit_from_json(text: str, removed: list[str]) -> str:
    """Return an analysis in JSON without impossible numbers; add these numbers to `removed`.

    Text that is no JSON is removed as a whole.
    """
    if _DOUBTFUL.search(text) is None:
        return text
    try:
        document = json.loads(text)
        is_whole = not _omit_from_value(document, removed)
        return text if is_whole else json.dumps(document)
    except (ValueError, RecursionError):
        removed.append(_shorten_for_note(f"analysis {text!r}"))
        return ""


def _omit_from_value(value: Any, removed: list[str]) -> bool:
    """Remove impossible numbers from a JSON value, and return whether there were any.

    `removed` gets each of these numbers as text.
    """
    if not isinstance(value, dict):
        return isinstance(value, list) and any(list(_omit_from_children(value, removed)))
    # The key of a number decides what is possible.
    wrong = [key for key in value if key in _RANGES and not _is_possible(key, value[key])]
    for key in wrong:
        held = value.pop(key)
        if held not in SENTINELS:
            removed.append(_shorten_for_note(f"{key} {json.dumps(held)}"))
    return any(list(_omit_from_children(value.values(), removed))) or bool(wrong)


def _omit_from_children(values: Iterable[Any], removed: list[str]) -> Iterator[bool]:
    """Remove impossible numbers from each object or array in `values`; yield whether it had any.

    `removed` gets each of these numbers as text.
    """
    return (_omit_from_value(held, removed) for held in values if type(held) in (dict, list))


def _is_possible(key: str, value: object) -> bool:
    """Whether a value in GammonView's JSON is null or possible for its key."""
    return value is None or _RANGES[key].holds(value)


# -- GNU Backgammon's evaluations in SGF -----------------------------------------------------------

_SGF = ("A", "DA", "LU")
_VALUE = re.compile(r"\[[^\]]*\]?")
_USUAL_CHANCES = r"(?:(?:0\.[0-9]+|1\.0+) ){5}-?[0-9]{1,2}\.[0-9]+ "
_USUAL = {
    "A": re.compile(rf"E ver [0-9]+ {_USUAL_CHANCES}"),
    "DA": re.compile(
        rf"E ver [0-9]+ [0-9]C [0-9] \S+ [0-9](?: {_USUAL_CHANCES}-?[0-9]{{1,2}}\.[0-9]+){{2}}"
    ),
}
"""Patterns of evaluations whose numbers need no closer look."""

_DECIMAL = re.compile(r"(?<![^\[ ])-?[0-9]+\.[0-9]+")
_CHANCES = {"A": (0,), "DA": (1, 8), "LU": ()}
"""Positions of the first of five chances among the decimals of an evaluation."""


def _omit_from_property(property_name: str, text: str, removed: list[str]) -> str:
    """Return the values of an SGF property, except those with an impossible number.

    `removed` gets the first such number of each value that is left out.
    """
    usual = _USUAL.get(property_name)
    if usual is not None and len(usual.findall(text)) == text.count("E ver "):
        return text
    kept = []
    for value in _VALUE.findall(text):
        wrong = next(_find_impossible_numbers(property_name, value), None)
        if wrong is None:
            kept.append(value)
        else:
            removed.append(_shorten_for_note(f"{property_name} {wrong}"))
    return text if len(kept) == text.count("[") else "".join(kept)


def _find_impossible_numbers(name: str, value: str) -> Iterator[str]:
    """Yield the impossible chances and equities in a value of an SGF property."""
    chances = {start + place for start in _CHANCES[name] for place in range(5)}
    for place, number in enumerate(_DECIMAL.findall(value)):
        limits = _CHANCE if place in chances else _EQUITY
        if not limits.holds(float(number)):
            yield number


# -- GNU Backgammon's reports ----------------------------------------------------------------------

_REPORTED_NUMBER = r"[-+]?+[0-9]++[.,][0-9]++"
_POINT = r"(?:2[0-4]|1[0-9]|[1-9])"
_REPORTED_STEP = rf"(?:bar|{_POINT})(?:/(?:off|{_POINT})\*?){{1,9}}(?:\([2-4]\))?"
REPORTED_PLAY = rf"{_REPORTED_STEP}(?: {_REPORTED_STEP}){{0,9}}"
"""Pattern of a play in GNU Backgammon's notation, such as `24/18(2) 13/7*`."""

_REPORTED_CHANCES = re.compile(
    r" *+([0-9.,]++) ++([0-9.,]++) ++([0-9.,]++) - ++([0-9.,]++) ++([0-9.,]++) ++([0-9.,]++)(?: |$)"
)
_REPORTED_EQUITY = re.compile(
    r"(?:[*•] | ) *+(?:[0-9]++\.|\?\?) ++(?:Cubeful [0-9]++-ply|Cubeless [0-9]++-ply|Rollout) ++"
    rf"{REPORTED_PLAY} ++(?:Eq\.|MWC): *+{_REPORTED_NUMBER}%?(?: \( *+\+?{_REPORTED_NUMBER}%?\))? *+"
)
_USUAL_LINE = re.compile(
    r"(?:\n|\A)(?: ++0\.[0-9]{3} 0\.[0-9]{3} 0\.[0-9]{3} - 0\.[0-9]{3} 0\.[0-9]{3} 0\.[0-9]{3}"
    rf"|[* ] {{3,4}}(?:[0-9]{{1,2}}\.|\?\?) Cubeful [0-9]-ply ++{REPORTED_PLAY} ++"
    r"Eq\.: [-+][0-9]\.[0-9]{3}(?: \([-+][0-9]\.[0-9]{3}\))?"
    r"|[1-3]\. (?:No double|Double, take|Double, pass) ++[-+][0-9]\.[0-9]{3}(?:  \([-+][0-9]\.[0-9]{3}\))?"
    r"|Rolled [1-6]{2}(?: \([-+][0-9]\.[0-9]{3}\))?:"
    r")(?=\n|$)"
)
_MARKS_OF_LINES = (" - ", "Eq.:", "MWC:", "Rolled ", "\n1. ", "\n2. ", "\n3. ")
"""Texts of which each line with chances or equities has one."""


def _has_only_usual_lines(text: str) -> bool:
    """Whether a quick test shows that all numbers in a report of GNU Backgammon are possible."""
    # A report with other lines needs the slower test.
    lines = sum(map(text.count, _MARKS_OF_LINES))
    return "Eq.:" in text and len(_USUAL_LINE.findall(text)) == lines


def _omit_from_report(text: str, removed: list[str]) -> str:
    """Return a report without the lines with impossible numbers; add these lines to `removed`."""
    if _has_only_usual_lines(text):
        return text
    kept = []
    for line in text.split("\n"):
        if _is_possible_line(line):
            kept.append(line)
        else:
            removed.append(_shorten_for_note(line.strip()))
    return "\n".join(kept)


def _is_possible_line(line: str) -> bool:
    """Whether all chances and equities on a line of a report are possible numbers."""
    chances = _REPORTED_CHANCES.match(line)
    if chances is not None:
        try:
            numbers = [float(number.replace(",", ".")) for number in chances.groups()]
        except ValueError:
            return False
        whole = 1.0 if numbers[0] + numbers[3] < _SUM_OF_PERCENTAGES else 100.0
        return all(_CHANCE.holds(number / whole) for number in numbers)
    if ("Eq.:" in line or "MWC:" in line) and _REPORTED_EQUITY.fullmatch(line) is None:
        return False
    numbers = [float(found.replace(",", ".")) for found in re.findall(_REPORTED_NUMBER, line)]
    return all(map(_EQUITY.holds, numbers))


_SUM_OF_PERCENTAGES = 50.0
"""The chances to win and to lose are percentages if their sum is larger; it is about 1 or 100."""
