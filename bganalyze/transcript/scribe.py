r"""The project's own text (`.bgm`), which a scribe at the table can type.

It can say everything that the model can: the README describes it, `writing/scribe.py` writes it.
What a line does not say in these words becomes `Unread`, and the next line is read.

>>> from bganalyze.transcript.model import Source
>>> text = "bganalyze match\nleft: Ann\nright: Bob\ngame 1\nscore 0-0\nL 31 8/5 6/5\nR 66 dance"
>>> [match] = read(text, Source("a.bgm", "utf-8", text.split()))
>>> match.names, [action.how.value for action in match.games[0].actions]
(('Ann', 'Bob'), ['played', 'cannot-move'])
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from lark import Token

from bganalyze.transcript.drafts import GameDraft, MatchDraft, place
from bganalyze.transcript.gist import LineGist
from bganalyze.transcript.grammar import lexer
from bganalyze.transcript.model import (
    LEFT,
    REMARK,
    RIGHT,
    Analysis,
    Answer,
    Comment,
    Double,
    Length,
    Match,
    Play,
    Profile,
    Score,
    SetUp,
    Source,
    Tag,
    Unread,
)
from bganalyze.transcript.profile import UNKNOWN, stated_in_words
from bganalyze.transcript.scribe_cells import SIDES, YES, actions, cut, placed, unquoted

USUAL = frozenset(("hits", "dances"))
"""What holds of a record that does not state its conventions."""

QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"')
"""Text between quotation marks, spelled as in JSON."""

_GIST = LineGist(r"[ \t]*+bganalyze match\b", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]+")


def recognises(text: str) -> bool:
    """Whether `text` has the line that a match begins with."""
    return _GIST.is_in(text)


def read(text: str, source: Source) -> list[Match]:
    """Return the matches in `text`; at least one."""
    reader = _Reader([])
    for token in lexer("scribe").lex(text):
        if token.type in ("ROWS", "ACTIONS"):
            reader.add_rows(token)
        else:
            reader.add(token)
    reader.drafts = reader.drafts or [_MatchReader()]
    return [
        known.draft.finished(source, number, "scribe", known.profile(source))
        for number, known in enumerate(reader.drafts, start=1)
    ]


@dataclass(slots=True)
class _MatchReader:
    """A match, and what its header says besides."""

    draft: MatchDraft = field(default_factory=MatchDraft)
    names: list[str] = field(default_factory=lambda: ["left", "right"])
    producer: str = UNKNOWN
    conventions: frozenset[str] = USUAL

    def profile(self, source: Source) -> Profile:
        """The conventions of the record."""
        return stated_in_words(self.producer, self.conventions, source)


@dataclass(slots=True)
class _Reader:
    """What was read so far."""

    drafts: list[_MatchReader]

    def add(self, token: Token) -> None:
        """Add what a line says that records no action."""
        if token.type == "HEAD" or not self.drafts:
            self.drafts.append(_MatchReader())
        match = self.drafts[-1]
        games = match.draft.games
        match token.type:
            case "GAME":
                number = _NUMBER.search(token)
                games.append(GameDraft(place(token), int(number.group()) if number else None))
            case "TAG":
                key, value = (unquoted(found) for found in QUOTED.findall(token))
                match.draft.tags.append(Tag(place(token), key, value))
            case "FIELD":
                _field(match, token)
            case "COMMENT" if not games:
                match.draft.tags.append(Tag(place(token), REMARK, _comment(token)))
            case _ if games:
                _add_to_game(match, games[-1], token)

    def add_rows(self, token: Token) -> None:
        """Add the actions of lines."""
        if not token.strip():
            return
        self.drafts = self.drafts or [_MatchReader()]
        games = self.drafts[-1].draft.games
        if not games:
            games.append(GameDraft(place(token)))
        add = games[-1].actions.append
        for line, text in enumerate(token.split("\n"), start=token.line or 1):
            row = cut(text)
            for cell, column in row.cells:
                for action in actions(cell):
                    add(placed(action, line, column, row.label))


def _add_to_game(match: _MatchReader, game: GameDraft, token: Token) -> None:
    """Add a line that only means something inside a game."""
    match token.type:
        case "SCORE":
            _score(match, game, token)
        case "COMMENT":
            game.actions.append(Comment(place(token), None, _comment(token)))
        case "ANALYSIS":
            _analysis(game, token)


def _comment(token: Token) -> str:
    text = token.strip().lstrip(";").strip()
    return unquoted(text) if QUOTED.fullmatch(text) else text


# -- the lines of a header, and of a game ---------------------------------------------------------


def _field(match: _MatchReader, token: Token) -> None:
    """`key: value`, for a match or, under a game line, for a game."""
    key, _, value = token.partition(":")
    key, value = key.strip(), value.strip()
    game = match.draft.games[-1] if match.draft.games else None
    match key.casefold():
        case "left" | "right":
            match.names[SIDES[key[0].upper()]] = value
        case "length" if game is None and (value.isdecimal() or value.casefold() == "money"):
            points = int(value[:9]) if value.isdecimal() else 0
            match.draft.length = Length(place(token), points)
        case "producer" if game is None:
            match.producer = value
        case "conventions" if game is None:
            match.conventions = frozenset(value.casefold().replace(",", " ").split())
        case "crawford" if game is not None:
            game.crawford = YES.get(value.casefold())
        case "cube" if game is not None:
            game.cube = int(value[:9]) if value.isdecimal() else None
        case _ if game is None:
            match.draft.tags.append(Tag(place(token), key, value))
        case _:
            game.actions.append(Unread(place(token), None, None, token.strip()))


def _score(match: _MatchReader, game: GameDraft, token: Token) -> None:
    one, two = _NUMBER.finditer(token)
    names = (match.names[LEFT], match.names[RIGHT])
    spans = (place(token, *one.span()), place(token, *two.span()))
    game.score = Score(place(token), names, (int(one.group()), int(two.group())), spans)


def _analysis(game: GameDraft, token: Token) -> None:
    """What a program has stored with the action before it."""
    last = game.actions[-1] if game.actions else None
    try:
        said = json.loads(token.strip()[1:])
        entries = tuple((str(name), str(text)) for name, text in said["entries"])
        analysis = Analysis(str(said["program"]), entries)
    except (ValueError, KeyError, TypeError, RecursionError):
        game.actions.append(Unread(place(token), None, None, token.strip()))
        return
    if isinstance(last, Play | Double | Answer | SetUp):
        game.actions[-1] = last._replace(analysis=analysis)
