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
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple

from lark import Token

from bganalyze.board.position import BAR, OFF, Points, Step
from bganalyze.transcript.builder import GameDraft, MatchDraft, place
from bganalyze.transcript.grammar import LineGist, lexer, terminal
from bganalyze.transcript.match_text.cells import REMEMBERED_CELLS, SIZES, steps
from bganalyze.transcript.model import (
    LEFT,
    REMARK,
    RIGHT,
    Action,
    Analysis,
    Answer,
    Comment,
    Double,
    Length,
    Match,
    Play,
    PlayRecord,
    Profile,
    Resignation,
    Result,
    ScoreLine,
    SetUp,
    Side,
    Source,
    Span,
    Tag,
    Unread,
)
from bganalyze.transcript.profile import UNKNOWN, stated_in_words
from bganalyze.transcript.remembered import remembered

# The cells of a row in the project's own text: what each says, read once and remembered.
#
# A record says the same thing again and again: cells are read free of their place, and put where they
# stand. Nine of ten are a throw with its steps and are matched with that terminal's own pattern, as
# in `match_text/cells.py`.

SIDES: dict[str, Side] = {"L": LEFT, "R": RIGHT}
CHECKERS = 15
THROWS = ("NUMBER", "THROW", "NOTHING")
"""What a throw is written as: two digits, or `--` where it is not recorded."""

YES = {"yes": True, "on": True, "no": False, "off": False}
POINTS = {"bar": BAR, "off": OFF}

_LABEL = re.compile(r"\s*([0-9*]{1,6})\.(?=\s|$)")
_WORD = re.compile(r"\S+")
_POINT = re.compile(r"(bar|off|[0-9]{1,2})\(([0-9]{1,3})\)", re.IGNORECASE)


class _UnclearError(ValueError):
    """The words of an action that do not belong together."""


class ScribeRow(NamedTuple):
    """A line of actions: its number as written, and its cells with how far into it each begins."""

    label: str | None
    cells: tuple[tuple[str, int], ...]


def cut(line: str) -> ScribeRow:
    """Return a line as a row: its cells are divided by `|`.

    >>> cut("7. L 31 8/5 6/5 | R take")
    ScribeRow(label='7', cells=(('L 31 8/5 6/5', 3), ('R take', 18)))
    """
    label = _LABEL.match(line)
    at = label.end() if label else 0
    cells = []
    for text in _divided(line[at:]):
        bare = text.strip()
        if bare:
            cells.append((bare, at + text.index(bare)))
        at += len(text) + 1
    return ScribeRow(label.group(1) if label else None, tuple(cells))


def _divided(text: str) -> list[str]:
    """The text between the bars; none divides that stands in quotation marks."""
    if '"' not in text:
        return text.split("|")
    words = lexer("scribe_line").lex(text)
    bars = [_start(word) for word in words if word.type == "NEXT_CELL"]
    return [
        text[one:two]
        for one, two in zip([0, *(bar + 1 for bar in bars)], [*bars, None], strict=True)
    ]


@remembered(REMEMBERED_CELLS)
def actions(cell: str) -> tuple[Action, ...]:
    """Return what a cell says, as if it stood at the beginning of a file.

    >>> [type(action).__name__ for action in actions("L 31 8/5 6/5 ; double 2")]
    ['Play', 'Double']
    """
    if terminal("TURN", of="scribe_line").fullmatch(cell):
        return (_turn(cell),)
    tokens = list(lexer("scribe_line").lex(cell))
    return tuple(_actions(tokens, cell)) if tokens else ()


def placed(action: Action, line: int, column: int, row: str | None) -> Action:
    """Return an action of a cell that stands at `line`, `column` characters into it."""
    start, end = action.span[1:]
    span = Span(line, column + start, column + end)
    if type(action) is not Play:
        return action._replace(span=span, row=row)
    _, _, side, dice, played, places, how, called_illegal, left, *_ = action
    left = None if left is None else left._replace(span=span, row=row)
    return Play(span, row, side, dice, played, places, how, called_illegal, left)


def _turn(cell: str) -> Play:
    """Read a cell that is a throw and its steps, and nothing else."""
    _, throw, *path = _WORD.finditer(cell)
    start = throw.start()
    written: list[Step] = []
    places: list[tuple[int, int]] = []
    for word in path:
        joined = steps(word.group())
        written += joined
        places += [(word.start() - start, word.end() - start)] * len(joined)
    dice = (int(cell[start]), int(cell[start + 1]))
    span = Span(1, start + 1, len(cell) + 1)
    return Play(span, None, SIDES[cell[0]], dice, tuple(written), tuple(places))


def _actions(tokens: list[Token], cell: str) -> Iterator[Action]:
    """Yield the actions of a cell: they are divided by `;`."""
    side = SIDES[tokens.pop(0)] if tokens[0].type == "SIDE" and len(tokens) > 1 else None
    parts = groupby(tokens, key=lambda word: word.type == "NEXT")
    for part in (list(part) for divides, part in parts if not divides):
        yield from _one(part, side, cell)


def _one(tokens: list[Token], side: Side | None, cell: str) -> Iterator[Action]:
    """One action; of one whose words do not belong together, as much as can be read."""
    start, end = _start(tokens[0]), _start(tokens[-1]) + len(tokens[-1])
    span = Span(1, start + 1, end + 1)
    try:
        yield _action(_Words(tokens, start), span, side)
    except _UnclearError:
        yield from _half_read(tokens, span, side, cell)


def _half_read(tokens: list[Token], span: Span, side: Side | None, cell: str) -> Iterator[Action]:
    """A throw with the steps that can be read, and what cannot: neighbouring words as one."""
    has_throw = side is not None and tokens[0].type in THROWS and len(tokens[0].rstrip(":")) == 2
    if has_throw:
        step_words = [word for word in tokens[1:] if word.type == "STEP"]
        turn = _action(_Words([tokens[0], *step_words], _start(tokens[0])), span, side)
        yield turn._replace(how=PlayRecord.UNREAD) if isinstance(turn, Play) else turn
        tokens = tokens[1:]
    for is_read, words in groupby(tokens, key=lambda word: has_throw and word.type == "STEP"):
        if not is_read:
            yield _unread(list(words), side, cell)


def _unread(words: list[Token], side: Side | None, cell: str) -> Unread:
    """Return neighbouring words as one piece of text."""
    start, end = _start(words[0]), _start(words[-1]) + len(words[-1])
    return Unread(Span(1, start + 1, end + 1), None, side, cell[start:end])


def _start(word: Token) -> int:
    """Where a word begins in its cell."""
    return (word.column or 1) - 1


def unquoted(text: str) -> str:
    """Return what stands between quotation marks."""
    try:
        return str(json.loads(text))
    except ValueError:
        return text[1:-1]


class _Words:
    """The words of an action, taken one by one."""

    def __init__(self, tokens: list[Token], start: int) -> None:
        self._tokens = tokens
        self._at = 0
        self._start = start

    def peek(self) -> Token | None:
        """The next word, or None at the end."""
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def take(self, *types: str) -> Token:
        """The next word, which must be of one of these types."""
        token = self.peek()
        if token is None or token.type not in types:
            raise _UnclearError
        self._at += 1
        return token

    def has(self, type_: str, *words: str) -> Token | None:
        """Take the next word if it is of that type and, where any are given, one of these."""
        token = self.peek()
        if token is None or token.type != type_ or (words and token.casefold() not in words):
            return None
        self._at += 1
        return token

    def number(self) -> int | None:
        """Take a number, if there is one."""
        token = self.has("NUMBER")
        return None if token is None else int(token)

    def place(self, token: Token) -> tuple[int, int]:
        """Where a word stands in its action."""
        at = _start(token) - self._start
        return at, at + len(token)

    def end(self) -> None:
        """Make sure that nothing is left."""
        if self.peek() is not None:
            raise _UnclearError


def _action(words: _Words, span: Span, side: Side | None) -> Action:
    if side is None:
        action: Action = _of_nobody(words, span)
    else:
        first = words.take(*THROWS, "WORD", "STRING")
        if first.type == "STRING":
            action = Unread(span, None, side, unquoted(first))
        elif first.type == "WORD":
            action = _word(first.casefold(), words, span, side)
        else:
            action = _play(first, words, Play(span, None, side, None))
    words.end()
    return action


def _of_nobody(words: _Words, span: Span) -> Action:
    """A board, or text that nothing reads."""
    quoted = words.has("STRING")
    if quoted is not None:
        return Unread(span, None, None, unquoted(quoted))
    return _set_up(words, span)


def _play(throw: Token, words: _Words, turn: Play) -> Play:
    """A throw and what was done with it."""
    dice = None
    if throw.type != "NOTHING":
        if len(throw.rstrip(":")) != 2:
            raise _UnclearError
        dice = (int(throw[0]), int(throw[1]))
    written: list[tuple[Step, tuple[int, int]]] = []
    how, illegal, left = PlayRecord.EMPTY, False, None
    while words.peek() is not None:
        if (step := words.has("STEP")) is not None:
            written += [(one, words.place(step)) for one in steps(step)]
            how = PlayRecord.PLAYED if how is PlayRecord.EMPTY else how
        elif words.has("WORD", "dance", "dances"):
            how = PlayRecord.CANNOT_MOVE
        elif words.has("QUERY"):
            how = PlayRecord.UNPLAYED
        elif words.has("WORD", "unread"):
            how = PlayRecord.UNREAD
        elif words.has("WORD", "illegal"):
            illegal = True
        elif words.has("WORD", "leaves"):
            left = _set_up(words, turn.span)
            how = PlayRecord.PLAYED if how is PlayRecord.EMPTY else how
        else:
            raise _UnclearError
    played = tuple(step for step, _ in written)
    places = tuple(at for _, at in written)
    return turn._replace(
        dice=dice, steps=played, places=places, how=how, called_illegal=illegal, left_board=left
    )


def _word(word: str, words: _Words, span: Span, side: Side) -> Action:
    """An action of the cube, or an end."""
    match word:
        case "double" | "doubles":
            return Double(span, None, side, words.number())
        case "beaver" | "beavers":
            return Double(span, None, side, words.number(), "beaver")
        case "raccoon" | "raccoons":
            return Double(span, None, side, words.number(), "raccoon")
        case "take" | "takes":
            return Answer(span, None, side, taken=True)
        case "drop" | "drops" | "pass" | "passes":
            return Answer(span, None, side, taken=False)
        case "resigns" | "forfeits" | "loses":
            return _resignation(word, words, Resignation(span, None, side))
        case "wins":
            points = words.number()
            if points is None:
                raise _UnclearError
            return Result(span, None, side, points, words.has("WORD", "match") is not None)
        case _:
            raise _UnclearError


def _resignation(word: str, words: _Words, action: Resignation) -> Resignation:
    if word == "forfeits":
        action = action._replace(manner="forfeit")
    elif word == "loses":
        if not (words.has("WORD", "on") and words.has("WORD", "time")):
            raise _UnclearError
        action = action._replace(manner="time")
    elif words.has("WORD", "match"):
        action = action._replace(manner="resigned-match")
    size_word = words.has("WORD", *SIZES)
    size = None if size_word is None else SIZES[size_word.casefold()]
    points = words.number()
    declined = words.has("WORD", "declined") is not None
    return action._replace(points=points, size=size, declined=declined)


def _set_up(words: _Words, span: Span) -> SetUp:
    """`board L 24(2) 13(5) R bar cube 2 L turn R crawford yes`: each part may be missing."""
    parts: dict[str, Any] = {}
    if words.has("WORD", "board"):
        sides = {}
        while (side := words.has("SIDE")) is not None:
            sides[SIDES[side]] = _checkers(words)
        if set(sides) != {LEFT, RIGHT}:
            raise _UnclearError
        parts["boards"] = (sides[LEFT], sides[RIGHT])
    if words.has("WORD", "cube"):
        parts["cube_value"] = int(words.take("NUMBER"))
        owner = words.has("SIDE")
        parts["cube_owner"] = None if owner is None else SIDES[owner]
    if words.has("WORD", "turn"):
        parts["on_roll"] = SIDES[words.take("SIDE")]
    if words.has("WORD", "crawford"):
        parts["crawford"] = YES.get(words.take("WORD").casefold())
    if not parts:
        raise _UnclearError
    return SetUp(span, None, parts.pop("boards", None), **parts)


def _checkers(words: _Words) -> Points:
    """The checkers of a side; without a word about them, the rest are off."""
    counts = [0] * (BAR + 1)
    states_off = False
    while (token := words.peek()) is not None:
        entry = _POINT.fullmatch(token)
        name = entry.group(1).casefold() if entry else token.casefold()
        point = POINTS.get(name, int(name) if name.isdecimal() and len(name) <= 2 else -1)
        if not 0 <= point <= BAR:
            break
        states_off = states_off or point == OFF
        counts[point] += int(entry.group(2)) if entry else 1
        words.take(token.type)
    if not states_off:
        counts[OFF] = max(CHECKERS - sum(counts), 0)
    return tuple(counts)


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
        reading.draft.finished(source, number, "scribe", reading.profile(source))
        for number, reading in enumerate(reader.drafts, start=1)
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
                key, value = (unquoted(part) for part in QUOTED.findall(token))
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
    game.score = ScoreLine(place(token), names, (int(one.group()), int(two.group())), spans)


def _analysis(game: GameDraft, token: Token) -> None:
    """What a program has stored with the action before it."""
    last = game.actions[-1] if game.actions else None
    try:
        stored = json.loads(token.strip()[1:])
        entries = tuple((str(name), str(text)) for name, text in stored["entries"])
        analysis = Analysis(str(stored["program"]), entries)
    except (ValueError, KeyError, TypeError, RecursionError):
        game.actions.append(Unread(place(token), None, None, token.strip()))
        return
    if isinstance(last, Play | Double | Answer | SetUp):
        game.actions[-1] = last._replace(analysis=analysis)
