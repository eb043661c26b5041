"""Figures in eXtreme Gammon's reports of a position, as text in any of its languages.

Equities are normalized (EMG), and chances are those of the player on roll.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from bganalyze.analysis.engines import Candidate, Chances, CubeEvaluation
from bganalyze.board.position import Position, after
from bganalyze.record.match_text.cells import PlayItem, parse_cell
from bganalyze.record.report_words import COLONS, ENGLISH, LANGUAGES, ReportWords, choose_words

_NUMBER = r"[-+]?[0-9]{1,4}[.,][0-9]{1,6}"
_COLON = rf"[ \t]*[{COLONS}][ \t]*"
_SHARE = rf"({_NUMBER})%"
_ROLL = "00: "
"""Prefix that makes a cell of the steps of a play."""


class ReportFigures(NamedTuple):
    """The figures of a report."""

    plays: tuple[tuple[Candidate, str], ...]
    """The candidate plays, best first, each with its level."""
    cube: CubeEvaluation | None


def read_report(position: Position, text: str) -> ReportFigures:
    """Return the plays and cube equities in XG's text on a position, in any language."""
    patterns = _make_patterns(LANGUAGES.index(choose_words(text)))
    return ReportFigures(tuple(patterns.read_plays(position, text)), patterns.read_cube(text))


@lru_cache(len(LANGUAGES))
def _make_patterns(language: int) -> _Patterns:
    """Return the patterns for XG's texts in the language with an index in `LANGUAGES`."""
    return _Patterns(LANGUAGES[language])


class _Patterns:
    """Patterns for the figures in XG's texts, in one language."""

    def __init__(self, words: ReportWords) -> None:
        self._plies = words.plies

        def label(name: str) -> str:
            spelled = {*getattr(words, name), *getattr(ENGLISH, name)}
            return "|".join(map(re.escape, sorted(spelled, key=len, reverse=True)))

        shares = rf"{_SHARE}[ \t]*\([^:\n]{{1,4}}:{_SHARE}[ \t]+[^:\n]{{1,4}}:{_SHARE}\)"
        self._play = re.compile(
            rf"^[ \t]*[0-9]{{1,3}}\.[ \t]+(?P<level>\S(?:[^\n]{{0,20}}?\S)?)[ \t]{{2,}}"
            rf"(?P<steps>\S[^\n]{{0,60}}?)[ \t]{{2,}}(?:{label('equity')}){_COLON}(?P<equity>{_NUMBER})",
            re.MULTILINE,
        )
        player, opponent = (rf"(?:{label(name)}){_COLON}" for name in ("player", "opponent"))
        self._chances = (
            re.compile(rf"{player}{shares}\s+{opponent}{shares}"),
            re.compile(rf"{player}\s*{opponent}\s*{shares}\s+{shares}"),
        )
        """Chances with their labels, as in text or as in the tables of web pages."""
        self._equities = tuple(
            re.compile(rf"^[ \t]*(?:{label(name)}){_COLON}({_NUMBER})", re.MULTILINE)
            for name in ("no_double", "take", "passed")
        )
        self._level = re.compile(
            rf"^[ \t]*(?:{label('analyzed')})[ \t]+([^\n]{{1,40}})", re.MULTILINE
        )

    def read_plays(self, position: Position, text: str) -> Iterator[tuple[Candidate, str]]:
        """Yield the readable candidate plays in a text by XG, each with its level."""
        plays = list(self._play.finditer(text))
        ends = [*(play.start() for play in plays[1:]), len(text)]
        for play, end in zip(plays, ends, strict=False):
            reached = _apply_written_play(position, play["steps"])
            if reached is not None:
                chances = self._read_chances(text[play.end() : end])
                level = play["level"].replace(self._plies, ENGLISH.plies)
                yield Candidate(reached, _to_float(play["equity"]), chances), level

    def read_cube(self, text: str) -> CubeEvaluation | None:
        """Return the equities of a cube decision in a text by XG, or None."""
        equities = [
            found and _to_float(found[1]) for found in (one.search(text) for one in self._equities)
        ]
        none, take, passed = equities
        if none is None or take is None or passed is None:
            return None
        level = self._level.search(text)
        depth = None if level is None else level[1].strip().replace(self._plies, ENGLISH.plies)
        return CubeEvaluation(none, take, passed, self._read_chances(text), depth)

    def _read_chances(self, text: str) -> Chances | None:
        """Return the first chances to win and lose in a text by XG, or None."""
        found = next(filter(None, (pattern.search(text) for pattern in self._chances)), None)
        if found is None:
            return None
        shares = [_to_float(share) / 100 for share in found.groups()]
        return Chances(*shares[:3], *shares[4:])


def _to_float(number: str) -> float:
    """Return the value of a number written with a decimal point or comma."""
    return float(number.replace(",", "."))


def _apply_written_play(position: Position, steps: str) -> Position | None:
    """Return the position after a play such as `8/5 6/5`, or None if it is unreadable."""
    play, *rest = parse_cell(_ROLL + steps)
    if rest or not isinstance(play, PlayItem) or not play.steps:
        return None
    for step in play.steps:
        position = after(position, step)
    return position
