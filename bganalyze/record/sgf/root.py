"""The first node of a game in Smart Game Format: facts about the game and its match."""

from __future__ import annotations

from collections.abc import Iterator

from bganalyze.record.builder import (
    GameDraft,
    MatchDraft,
    Places,
    note_unread_line,
)
from bganalyze.record.conventions import GNUBG, conventions_of_format, read_conventions
from bganalyze.record.grammar import grammar
from bganalyze.record.model import (
    REMARK,
    Conventions,
    Length,
    ReaderNote,
    Resignation,
    Result,
    ScoreLine,
    Source,
    Span,
    Tag,
)
from bganalyze.record.sgf.tree import (
    Node,
    unescape,
)
from bganalyze.record.sgf.values import to_number

TAGS = {
    "DT": "EventDate",
    "EV": "Event",
    "RO": "Round",
    "PC": "Site",
    "AN": "Transcriber",
    "WR": "Rating left",
    "BR": "Rating right",
}
"""Properties of a root, and their header keys."""

REMARKS = "GC"
"""Property with the comments of a header, one per line."""

RULES = frozenset(("", "crawford", "crawfordgame", "jacoby", "nackgammon", "nocube"))
"""Words of `RU`, apart from Hypergammon with its number of checkers."""

HEADER, CONVENTIONS, ANALYZED_BY = "XH", "XC", "XA"
"""Private properties of this program: other header entries, the conventions, and the program that
analyzed a game if that is not GNU Backgammon."""

OF_A_TURN = frozenset(("W", "B", "DI", "AE", "AW", "AB"))
"""Properties that the first node of a game never has."""

UNDERSTOOD = frozenset(
    (
        *("FF", "GM", "CA", "AP", "MI", "PW", "PB", "RU", "CV", "RE", "PL", "CP", "CO", "C"),
        *(REMARKS, HEADER, CONVENTIONS, ANALYZED_BY, *TAGS),
    )
)
"""Known properties of the first node."""


class Root:
    """The first node of a game in SGF, which states facts about the game and its match."""

    def __init__(self, node: Node, places: Places) -> None:
        self.node = node
        self._places = places
        self.rules = {word.strip().casefold() for word in self.text("RU").split(":")}
        self._info = self._read_information()

    def text(self, name: str) -> str:
        """Return the text of a property, such as `PW`, or ""."""
        prop = self.node.find(name)
        return "" if prop is None else unescape(prop.first_value()).strip()

    def begins_match(self, first_of_match: Root, match_so_far: MatchDraft) -> bool:
        """Whether this game begins another match than `match_so_far`.

        `first_of_match` is the first node of that match.
        """
        if self._states_conventions():
            return True
        if first_of_match._states_conventions() and first_of_match.text("AP") == self.text("AP"):
            return False
        before = match_so_far.games[-1]
        number, length = self._get_number("game"), self._get_number("length")
        if (
            match_so_far.length is not None
            and length is not None
            and length != match_so_far.length.points
        ):
            return True
        if number is None or before.number is None:
            return False
        if number == before.number:
            return False
        same = before.score is None or set(before.score.names) == set(self._get_names())
        if not same or number < before.number - 1:
            return True
        return number == 0 and not any(self._get_points()) and _is_finished(before)

    def _states_conventions(self) -> bool:
        """Whether this node holds a note by bganalyze on how the file writes plays."""
        return self.node.find(CONVENTIONS) is not None

    def begin_match(self) -> MatchDraft:
        """Return a new match with the length, header and rules that this node states."""
        draft = MatchDraft()
        length = self._get_number("length")
        if length is not None:
            draft.length = Length(self._info["length"][1], length)
        for name, key in TAGS.items():
            self._add_tag(draft, name, key, self.text(name))
        self._add_header_comments(draft)
        others = self.node.find(HEADER)
        for text, start, end in others.values() if others else ():
            key, _, value = unescape(text).partition("=")
            draft.tags.append(Tag(self._places.span(start, end), key, value))
        self._add_rules(draft, length)
        draft.oddities += self._yield_unread_notes()
        for prop in self.node.properties:
            if prop.name not in UNDERSTOOD and prop.name not in OF_A_TURN:
                self._add_tag(draft, prop.name, prop.name, self.text(prop.name))
        return draft

    def _yield_unread_notes(self) -> Iterator[ReaderNote]:
        """Yield notes on unreadable parts of the properties `MI` (match) and `RU` (rules)."""
        info, rules = self.node.find("MI"), self.node.find("RU")
        for text, start, end in info.values() if info else ():
            if grammar("sgf").pattern("information").fullmatch(text) is None:
                yield note_unread_line(self._places.span(start - 1, end + 1), f"[{text}]")
        others = self.rules - RULES
        if (
            rules is not None
            and others
            and (len(others) > 1 or self._count_hypergammon_checkers() is None)
        ):
            yield note_unread_line(self._places.span(rules.start, rules.end), rules.token)

    def _add_header_comments(self, draft: MatchDraft) -> None:
        """Add the lines of the comment on the match to its header."""
        remarks = self.node.find(REMARKS)
        if remarks is None:
            return
        text, start, _ = next(remarks.values())
        for line in [text] if "\\\n" in text else text.split("\n"):
            if line.strip():
                span = self._places.span(start, start + len(line))
                draft.tags.append(Tag(span, REMARK, unescape(line).strip()))
            start += len(line) + 1

    def conventions(self, program: str, source: Source) -> Conventions:
        """Return how the file writes plays: as its header states, else as `program` usually writes."""
        words = self.text(CONVENTIONS).split()
        if words:
            return read_conventions(words[0].replace("_", " "), words[1:], source)
        return conventions_of_format(program, source, spells_resignations=program == GNUBG)

    def _add_rules(self, draft: MatchDraft, match_length: int | None) -> None:
        """Add header entries for the rules in the property `RU`, such as Crawford."""
        if match_length:
            self._add_tag(draft, "RU", "Crawford", "On" if "crawford" in self.rules else "Off")
        elif match_length == 0:
            self._add_tag(draft, "RU", "Jacoby", "On" if "jacoby" in self.rules else "Off")
        hyper = self._count_hypergammon_checkers()
        if "nackgammon" in self.rules:
            self._add_tag(draft, "RU", "Variation", "Nackgammon")
        elif hyper is not None:
            self._add_tag(draft, "RU", "Variation", f"HyperGammon ({hyper})")
        if "nocube" in self.rules:
            self._add_tag(draft, "RU", "CubeLimit", "1")

    def _add_tag(self, draft: MatchDraft, source_property: str, key: str, value: str) -> None:
        """Add a header entry, with the place of the property it is from, unless the value is empty."""
        prop = self.node.find(source_property)
        if prop is not None and value:
            draft.tags.append(Tag(self._places.span(prop.start, prop.end), key, value))

    def begin_game(self, index: int) -> GameDraft:
        """Return a new game with the number, score and cube that this node states.

        `index`, the place of the game in its match from 0, gives the number if the node has none.
        """
        number = self._get_number("game")
        span = self.span()
        draft = GameDraft(span, index + 1 if number is None else number + 1)
        white, black = self._info.get("ws"), self._info.get("bs")
        spans = (white[1] if white else span, black[1] if black else span)
        if white or black or any(self._get_names()):
            draft.score = ScoreLine(span, self._get_names(), self._get_points(), spans)
        if self._get_number("length") and "RU" in {prop.name for prop in self.node.properties}:
            draft.crawford = "crawfordgame" in self.rules
        draft.cube = to_number(self.text("CV"))
        return draft

    def span(self) -> Span:
        """Return the place of the game's start: the property `MI`, or the first node."""
        prop = self.node.find("MI")
        if prop is not None:
            return self._places.span(prop.start, prop.end)
        return self._places.span(self.node.start, self.node.start + 1)

    def checkers(self) -> int:
        """Return the number of checkers of each side."""
        return self._count_hypergammon_checkers() or 15

    def _count_hypergammon_checkers(self) -> int | None:
        """Return the number of checkers of each side if the game is Hypergammon, else None."""
        rules = grammar("sgf").pattern("rules_of_hypergammon").search(self.text("RU"))
        return None if rules is None else int(rules["checkers"])

    def _get_names(self) -> tuple[str, str]:
        """Return the names of left and right, or "" for a missing name."""
        return self.text("PW"), self.text("PB")

    def _get_points(self) -> tuple[int, int]:
        """Return the points of left and right before the game."""
        return self._get_number("ws") or 0, self._get_number("bs") or 0

    def _get_number(self, key: str) -> int | None:
        """Return a number in the property `MI`, such as the `length`, or None."""
        return self._info[key][0] if key in self._info else None

    def _read_information(self) -> dict[str, tuple[int, Span]]:
        """Return the numbers in the property `MI` and their places, by key."""
        info = self.node.find("MI")
        entries: dict[str, tuple[int, Span]] = {}
        for text, start, end in info.values() if info else ():
            entry = grammar("sgf").pattern("information").fullmatch(text)
            if entry is not None:
                entries[entry["key"]] = (int(entry["number"]), self._places.span(start, end))
        return entries


def _is_finished(game: GameDraft) -> bool:
    """Whether a game has a result or a resignation."""
    return any(isinstance(action, Result | Resignation) for action in game.actions)
