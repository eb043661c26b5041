"""The first node of a game in Smart Game Format: what it says of the game and its match."""

from __future__ import annotations

import re

from bganalyze.transcript.drafts import MOST_DIGITS, GameDraft, MatchDraft, Places
from bganalyze.transcript.model import (
    Length,
    Profile,
    Resignation,
    Result,
    Score,
    Source,
    Span,
    Tag,
)
from bganalyze.transcript.profile import GNUBG, stated, stated_in_words
from bganalyze.transcript.sgf.sgf_tree import Node, plain

TAGS = {
    "DT": "EventDate",
    "EV": "Event",
    "RO": "Round",
    "PC": "Site",
    "AN": "Transcriber",
    "GC": "Comment",
    "WR": "Rating left",
    "BR": "Rating right",
}
"""Properties of a root and the entries of a header that they become."""

HEADER, CONVENTIONS = "XH", "XC"
"""Private properties of this program: other entries of a header, and the record's conventions."""

_INFO = re.compile(r"\s*(length|game|ws|bs)\s*:\s*([0-9]+)\s*")
_HYPER = re.compile(r"hypergammon([1-3])", re.IGNORECASE)


class Root:
    """What the first node of a game says of the game and its match."""

    def __init__(self, node: Node, places: Places) -> None:
        self.node = node
        self._places = places
        self.rules = {word.strip().casefold() for word in self.text("RU").split(":")}
        self._info = self._numbers()

    def text(self, name: str) -> str:
        """The text of a property, or nothing."""
        known = self.node.find(name)
        return "" if known is None else plain(known.first()).strip()

    def begins_match(self, draft: MatchDraft, first: Root) -> bool:
        """Whether a game belongs to another match than the games before it.

        `first` is the root of the first of them. This program states its conventions where a match
        begins, and nowhere else. Of other programs' games, their numbers and scores tell.
        """
        if self._states_conventions():
            return True
        if first._states_conventions() and first.text("AP") == self.text("AP"):
            return False
        before = draft.games[-1]
        number, length = self._value("game"), self._value("length")
        if draft.length is not None and length is not None and length != draft.length.points:
            return True
        if number is None or before.number is None:
            return False
        if number == before.number:
            return False
        same = before.score is None or set(before.score.names) == set(self._names())
        if not same or number < before.number - 1:
            return True
        return number == 0 and not any(self._points()) and _is_finished(before)

    def _states_conventions(self) -> bool:
        return self.node.find(CONVENTIONS) is not None

    def match(self) -> MatchDraft:
        """A match that begins with this game."""
        draft = MatchDraft()
        length = self._value("length")
        if length is not None:
            draft.length = Length(self._info["length"][1], length)
        for name, key in TAGS.items():
            self._add_tag(draft, name, key, self.text(name))
        others = self.node.find(HEADER)
        for text, start, end in others.values() if others else ():
            key, _, value = plain(text).partition("=")
            draft.tags.append(Tag(self._places.span(start, end), key, value))
        self._add_rules(draft, length)
        return draft

    def conventions(self, program: str, source: Source) -> Profile:
        """The conventions of the record: this program states them where it has converted one."""
        words = self.text(CONVENTIONS).split()
        if words:
            return stated_in_words(words[0].replace("_", " "), words[1:], source)
        return stated(program, source, spells_resignations=program == GNUBG)

    def _add_rules(self, draft: MatchDraft, length: int | None) -> None:
        if length:
            self._add_tag(draft, "RU", "Crawford", "On" if "crawford" in self.rules else "Off")
        elif length == 0:
            self._add_tag(draft, "RU", "Jacoby", "On" if "jacoby" in self.rules else "Off")
        hyper = _HYPER.search(self.text("RU"))
        if "nackgammon" in self.rules:
            self._add_tag(draft, "RU", "Variation", "Nackgammon")
        elif hyper is not None:
            self._add_tag(draft, "RU", "Variation", f"HyperGammon ({hyper.group(1)})")
        if "nocube" in self.rules:
            self._add_tag(draft, "RU", "CubeLimit", "1")

    def _add_tag(self, draft: MatchDraft, name: str, key: str, value: str) -> None:
        known = self.node.find(name)
        if known is not None and value:
            draft.tags.append(Tag(self._places.span(known.start, known.end), key, value))

    def game(self, index: int) -> GameDraft:
        """The game, as far as its root tells of it; the first has number 0 or 1."""
        number = self._value("game")
        span = self.span()
        draft = GameDraft(span, index + 1 if number is None else number + 1)
        white, black = self._info.get("ws"), self._info.get("bs")
        spans = (white[1] if white else span, black[1] if black else span)
        if white or black or any(self._names()):
            draft.score = Score(span, self._names(), self._points(), spans)
        if self._value("length") and "RU" in {known.name for known in self.node.properties}:
            draft.crawford = "crawfordgame" in self.rules
        cube = self.text("CV")
        draft.cube = int(cube) if cube.isdecimal() and len(cube) <= MOST_DIGITS else None
        return draft

    def span(self) -> Span:
        """Where the game begins: its `MI`, or its first node."""
        known = self.node.find("MI")
        if known is not None:
            return self._places.span(known.start, known.end)
        return self._places.span(self.node.start, self.node.start + 1)

    def checkers(self) -> int:
        """How many checkers a side has."""
        hyper = _HYPER.search(self.text("RU"))
        return int(hyper.group(1)) if hyper else 15

    def _names(self) -> tuple[str, str]:
        return self.text("PW"), self.text("PB")

    def _points(self) -> tuple[int, int]:
        return self._value("ws") or 0, self._value("bs") or 0

    def _value(self, key: str) -> int | None:
        return self._info[key][0] if key in self._info else None

    def _numbers(self) -> dict[str, tuple[int, Span]]:
        """The entries of `MI`, each with its place."""
        known = self.node.find("MI")
        found: dict[str, tuple[int, Span]] = {}
        for text, start, end in known.values() if known else ():
            entry = _INFO.fullmatch(text)
            if entry is not None and len(entry.group(2)) <= MOST_DIGITS:
                found[entry.group(1)] = (int(entry.group(2)), self._places.span(start, end))
        return found


def _is_finished(game: GameDraft) -> bool:
    """Whether a record says how a game ended."""
    return any(isinstance(action, Result | Resignation) for action in game.actions)
