r"""The project's own text (`.bgm`), which a transcriber at the table can type.

It can say everything that the model can: `docs/bgm.md` describes it, `writing/bgm.py` writes it.
What a line does not say in these words becomes `Unread`, and the next line is read.

>>> from bganalyze.record.model import Source
>>> text = "bganalyze match\nleft: Ann\nright: Bob\ngame 1\nscore 0-0\nL 31 8/5 6/5\nR 66 dance"
>>> [match] = read(text, Source("a.bgm", "utf-8", text.split()))
>>> match.names, [action.how.value for action in match.games[0].actions]
(('Ann', 'Bob'), ['played', 'cannot-move'])
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from string import whitespace
from typing import TYPE_CHECKING

from lark import Token, Tree

from bganalyze.board.position import BAR, OFF, Points, Step
from bganalyze.record.builder import GameDraft, Manner, MatchDraft, Turning, place
from bganalyze.record.grammar import LineGist, grammar, rules, tokens
from bganalyze.record.match_text.cells import REMEMBERED_CELLS, SIZES, steps
from bganalyze.record.meant import meant
from bganalyze.record.model import (
    LEFT,
    REMARK,
    RIGHT,
    SIDE_NAMES,
    Action,
    Analysis,
    Answer,
    Comment,
    Double,
    Length,
    Match,
    Play,
    PlayRecord,
    ReaderNote,
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
from bganalyze.record.profile import UNKNOWN, stated_in_words
from bganalyze.record.prose import is_prose
from bganalyze.record.remembered import remembered

if TYPE_CHECKING:
    import re

SIDES: dict[str, Side] = {"L": LEFT, "R": RIGHT}
CHECKERS = 15

BLANKS = whitespace + "\N{NO-BREAK SPACE},"

YES = {"yes": True, "on": True, "no": False, "off": False}
POINTS = {"bar": BAR, "off": OFF}

MANNERS: dict[Manner, str] = {
    "resigned": "resigns",
    "resigned-match": "resigns match",
    "forfeit": "forfeits",
    "time": "loses on time",
}
"""The words with which a game is given up."""

_MANNERS = {words: manner for manner, words in MANNERS.items()}

# The actions of a cell, read once and remembered: a record says the same thing again and again. They
# are read free of their place, and put where they stand.


@remembered(REMEMBERED_CELLS)
def actions(cell: str) -> tuple[Action, ...]:
    """Return what a cell says, as if it stood at the beginning of a file.

    >>> [type(action).__name__ for action in actions("L 31 8/5 6/5 ; double 2")]
    ['Play', 'Double']
    """
    side = _side(cell)
    (first, at), *others = _divided(cell)
    return (
        *_read_action(first, at + 1, side),
        *(action for text, start in others for action in _read_further(text, start + 1, side)),
    )


def _side(cell: str) -> Side | None:
    """Return whose cell it is; None where it begins with no side."""
    side = grammar("bgm").pattern("SIDE").match(cell)
    return None if side is None else _named(side.group())


def _named(letter: str) -> Side:
    """Return the side that a letter, or a word that begins with it, stands for."""
    return SIDES[letter[0].upper()]


def _divided(cell: str) -> Iterator[tuple[str, int]]:
    """Yield the actions of a cell as written, each with where it begins there."""
    side = grammar("bgm").pattern("SIDE").match(cell)
    for text in grammar("bgm").pattern("ACTION").finditer(cell, side.end() if side else 0):
        yield text.group().rstrip(BLANKS), text.start()


def placed(action: Action, line: int, column: int, row: str | None) -> Action:
    """Return an action of a cell that stands at `line`, `column` characters into it."""
    start, end = action.span[1:]
    span = Span(line, column + start, column + end)
    if type(action) is not Play:
        return action._replace(span=span, row=row)
    _, _, side, dice, played, places, how, called_illegal, left, *_ = action
    left = None if left is None else left._replace(span=span, row=row)
    return Play(span, row, side, dice, played, places, how, called_illegal, left)


def _read_further(text: str, column: int, side: Side | None) -> Iterator[Action]:
    """Yield what stands behind a semicolon: another action, or a comment that is like none."""
    found = list(_read_action(text, column, side))
    if type(found[0]) is Unread and not text.startswith('"') and meant(text, is_row=False) is None:
        yield Comment(found[0].span, None, text)
    else:
        yield from found


def _read_action(text: str, column: int, side: Side | None) -> Iterator[Action]:
    """Yield an action, and what of it cannot be read."""
    span = Span(1, column, column + len(text))
    actions = grammar("action")
    if side is not None and actions.pattern("play").fullmatch(text):
        yield _play(text, span, side)  # Nearly every action is this: no parser is needed.
        return
    [part] = actions.parse("action", text).children
    if isinstance(part, Tree) and part.data == "turn" and side is not None:
        yield from _turn(part, text, span, side)
    elif isinstance(part, Token) and (side is None) == (part.type == "SET_UP"):
        yield _set_up(part, span) if side is None else _whole(part, span, side)
    elif isinstance(part, Token) and part.type == "QUOTED":
        yield Unread(span, None, side, unquoted(text))
    else:
        yield Unread(span, None, side, text)


def _play(text: str, span: Span, side: Side) -> Play:
    """Read a roll and its steps."""
    written: list[Step] = []
    places: list[tuple[int, int]] = []
    for word in grammar("action").pattern("STEP").finditer(text):
        joined = steps(word.group())
        written += joined
        places += [word.span()] * len(joined)
    return Play(span, None, side, _dice(text), tuple(written), tuple(places))


def _dice(roll: str) -> tuple[int, int]:
    """Return the dice of a roll, with a hyphen between them or not."""
    return int(roll[0]), int(roll[2] if roll[1] == "-" else roll[1])


_RECORDS = {
    "DANCE": PlayRecord.CANNOT_MOVE,
    "NO_STEP": PlayRecord.CANNOT_MOVE,
    "UNPLAYED": PlayRecord.UNPLAYED,
    "HALF_READ": PlayRecord.UNREAD,
}
"""What the words of a turn say about how it was played."""


def _turn(turn: Tree[Token], text: str, span: Span, side: Side) -> Iterator[Action]:
    """Yield a roll with what was done, and what of it cannot be read."""
    roll, *words = tokens(turn)
    asides = list(rules(turn))
    written = [
        (step, (word.start_pos or 0, word.end_pos or 0))
        for word in words
        if word.type == "STEP"
        for step in steps(word)
    ]
    telling = (word.type for word in words if not (written and word.type == "NO_STEP"))
    records = [_RECORDS[kind] for kind in telling if kind in _RECORDS]
    left = next((_set_up(word, span) for word in words if word.type == "LEAVES"), None)
    if asides:
        records, left = [PlayRecord.UNREAD], None
    yield Play(
        span,
        None,
        side,
        None if roll.type == "NOTHING" else _dice(roll),
        tuple(step for step, _ in written),
        tuple(at for _, at in written),
        records[-1] if records else PlayRecord.PLAYED if written or left else PlayRecord.EMPTY,
        any(word.type == "ILLEGAL" for word in words),
        left,
    )
    for aside in asides:
        unread = list(tokens(aside))
        start, end = unread[0].start_pos or 0, unread[-1].end_pos or 0
        yield Unread(Span(1, span.column + start, span.column + end), None, side, text[start:end])


_TURNINGS: dict[str, Turning] = {"DOUBLE": "double", "BEAVER": "beaver", "RACCOON": "raccoon"}


def _whole(phrase: Token, span: Span, side: Side) -> Action:
    """Return an action of the cube, or an end."""
    if phrase.type in ("TAKE", "DROP"):
        return Answer(span, None, side, phrase.type == "TAKE")
    if phrase.type == "QUOTED":
        return Unread(span, None, side, unquoted(phrase))
    parts = _parts("action", phrase)
    if phrase.type in _TURNINGS:
        return Double(span, None, side, _number(parts["value"]), _TURNINGS[phrase.type])
    points = _number(parts["points"])
    if phrase.type == "WINS":
        return Result(span, None, side, points or 0, parts["match"] is not None)
    manner = _MANNERS[" ".join(parts["manner"].casefold().split())]
    size = None if parts["size"] is None else SIZES[parts["size"].casefold()]
    return Resignation(span, None, side, points, manner, size, parts["declined"] is not None)


def _set_up(phrase: Token, span: Span) -> SetUp:
    """Return a position, as far as it is stated."""
    parts = _parts("action", phrase)
    owner, on_roll, crawford = parts["owner"], parts["on_roll"], parts["yes_or_no"]
    return SetUp(
        span,
        None,
        None if parts["board"] is None else (_checkers("left", parts), _checkers("right", parts)),
        _number(parts["value"]),
        None if owner is None else _named(owner),
        None if on_roll is None else _named(on_roll),
        None if crawford is None else YES[crawford.casefold()],
    )


def _checkers(side: str, parts: re.Match[str]) -> Points:
    """Return the checkers of a side; without a word about them, the rest are off."""
    counts = [0] * (BAR + 1)
    is_off_stated = False
    for stack in grammar("action").pattern("stack").finditer(parts[side] or parts[f"{side}2"]):
        name = stack["point"].casefold()
        point = POINTS[name] if name in POINTS else int(name)
        is_off_stated = is_off_stated or point == OFF
        counts[point] += int(stack["count"] or 1)
    if not is_off_stated:
        counts[OFF] = max(CHECKERS - sum(counts), 0)
    return tuple(counts)


def _parts(name: str, token: Token) -> re.Match[str]:
    """Return the parts of a token by their names in its grammar."""
    return grammar(name).match(token.type.lower(), token)


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)


def unquoted(text: str) -> str:
    """Return what stands between quotation marks."""
    try:
        return str(json.loads(text))
    except ValueError:
        return text[1:-1]


# The lines: matches, their headers and their games.

USUAL = frozenset(("hits", "dances"))
"""What holds of a record that does not state its conventions."""

_GIST = LineGist(r"[ \t]*+(?i:bganalyze match)\b")


def recognizes(text: str) -> bool:
    """Whether `text` has the line that a match begins with."""
    return _GIST.is_in(text)


def tree(text: str) -> Tree[Token]:
    """Return what a file is made of: matches, games and their lines."""
    return grammar("bgm").parse("matches", text)


def cells(whole: Tree[Token], line: str) -> Iterator[tuple[str, str]]:  # noqa: ARG001 (of some formats the file tells)
    """Yield the actions of a row, each with whose it is."""
    for cell in _row(line)[1]:
        side = _side(cell.group())
        name = "of_nobody" if side is None else ("of_left", "of_right")[side]
        yield from ((name, action) for action, _ in _divided(cell.group()))


def read(text: str, source: Source) -> list[Match]:
    """Return the matches in `text`; at least one."""
    whole = tree(text)
    drafts = _without_phantom([_draft(match) for match in rules(whole)]) or [_Draft()]
    drafts[0].tags[:0] = [Tag(place(line), REMARK, _remark(line)) for line in tokens(whole)]
    return [
        draft.finished(
            source,
            number,
            "bgm",
            stated_in_words(draft.producer, draft.conventions, source),
        )
        for number, draft in enumerate(drafts, start=1)
    ]


def _without_phantom(drafts: list[_Draft]) -> list[_Draft]:
    """Give lines above the first match that tell of none to it."""
    if len(drafts) < 2 or not drafts[0].is_empty():
        return drafts
    phantom, first, *others = drafts
    first.tags[:0] = phantom.tags
    first.oddities[:0] = phantom.oddities
    return [first, *others]


@dataclass(slots=True)
class _Draft(MatchDraft):
    """A match while it is read."""

    names: list[str] = field(default_factory=lambda: ["left", "right"])
    producer: str = UNKNOWN
    conventions: frozenset[str] = USUAL
    stated: dict[str, Token] = field(default_factory=dict)
    """The lines that state what a later line may state anew."""

    def is_empty(self) -> bool:
        """Whether nothing but comments and unread lines was found."""
        return not (self.games or self.stated) and all(tag.key == REMARK for tag in self.tags)

    def state(self, what: str, line: Token) -> None:
        """Note a line that counts, and that one before it which differs does not."""
        before = self.stated.get(what)
        if before is not None and before.split() != line.split():
            self.oddities.append(ReaderNote("unreadable-text", place(before), before.strip()))
        self.stated[what] = line


def _draft(match: Tree[Token]) -> _Draft:
    draft = _Draft()
    above: list[Token] = []
    for part in match.children:
        lines = list(tokens(part)) if isinstance(part, Tree) else [part]
        begins = next((at for at, line in enumerate(lines) if _begins_game(line)), len(lines))
        for line in lines[:begins]:
            if line.type == "SCORE_LINE":
                draft.state("score", line)
                above = [line]
            else:
                _add_header_line(draft, line)
        if begins < len(lines):
            _add_game(draft, lines[begins:], above)
            above = []
            draft.stated.pop("score", None)
    return draft


def _begins_game(line: Token) -> bool:
    """Whether a game may begin with a line: one of which nothing can be read begins none."""
    if line.type != "ROW":
        return line.type in ("GAME_LINE", "ROWS")
    said = (action for cell in _row(line)[1] for action in actions(cell.group().rstrip(BLANKS)))
    return not all(type(action) is Unread for action in said)


def _add_header_line(draft: _Draft, line: Token) -> None:
    match line.type:
        case "PLAYER":
            _name_player(draft, line)
        case "LENGTH":
            _state_length(draft, line)
        case "PRODUCER":
            draft.state("producer", line)
            draft.producer = _entry(line)[1]
        case "CONVENTIONS":
            draft.state("conventions", line)
            words = _entry(line)[1].casefold().replace(",", " ").split()
            draft.conventions = frozenset(words)
        case "CRAWFORD" | "CUBE" | "ENTRY":
            draft.tags.append(Tag(place(line), *_entry(line)))
        case "TAG":
            draft.tags.append(_tag(line))
        case "COMMENT":
            draft.tags.append(Tag(place(line), REMARK, _remark(line)))
        case "ROW" | "ANALYSIS":
            _add_stray(draft, line)


def _state_length(draft: _Draft, line: Token) -> None:
    parts = _parts("bgm", line)
    draft.state("length", line)
    points = parts["points"] or parts["points2"] or parts["points3"]
    draft.length = Length(place(line), _number(points) or 0)


def _add_stray(draft: _Draft, line: Token) -> None:
    """Add a line above the games that means nothing there."""
    text = line.strip()
    if is_prose(text):
        draft.tags.append(Tag(place(line), REMARK, text))
    elif text:
        draft.oddities.append(ReaderNote("unreadable-text", place(line), text))


def _add_game(draft: _Draft, lines: list[Token], above: list[Token]) -> None:
    """Add a game; `above` is its score line where that stands in the header of the match."""
    first, *others = lines
    game = GameDraft(place(above[0] if above else first))
    draft.games.append(game)
    for line in above:
        _add_line(draft, game, line)
    if first.type == "GAME_LINE":
        game.number = _number(_parts("bgm", first)["number"])
    else:
        _add_rows(game, first)
    for line in others:
        if line.type == "SCORE_LINE" and game.score is not None and game.actions:
            game = GameDraft(place(line))  # Its game line is lost.
            draft.games.append(game)
        _add_line(draft, game, line)


def _add_line(draft: _Draft, game: GameDraft, line: Token) -> None:
    match line.type:
        case "ROWS" | "ROW":
            _add_rows(game, line)
        case "SCORE_LINE":
            _state_score(draft, game, line)
        case "PLAYER":
            _add_player(draft, game, line)
        case "CRAWFORD":
            game.crawford = YES[_entry(line)[1].casefold()]
        case "CUBE":
            game.cube = int(_entry(line)[1])
        case "TAG":
            draft.tags.append(_tag(line))
        case "COMMENT":
            game.actions.append(Comment(place(line), None, _remark(line)))
        case "ANALYSIS":
            _add_stored(game, line, place(line))
        case _:
            game.actions.append(Unread(place(line), None, None, str(line)))


def _state_score(draft: _Draft, game: GameDraft, line: Token) -> None:
    """State the score before a game; another one stated before cannot be read."""
    before, game.score = game.score, _score(line, (draft.names[LEFT], draft.names[RIGHT]))
    if before is not None and before.points != game.score.points:
        text = "score {}-{}".format(*before.points)
        game.actions.append(Unread(before.span, None, None, text))


def _entry(line: Token) -> tuple[str, str]:
    """Return the key and the value of an entry."""
    parts = grammar("bgm").match("entry", line)
    return parts["key"].strip(), parts["value"] or ""


def _add_player(draft: _Draft, game: GameDraft, line: Token) -> None:
    """Name a player; below the rows of a game nobody gets another name."""
    parts = _parts("bgm", line)
    is_named = draft.names[_named(parts["seat"])] == (parts["name"] or parts["plain_name"])
    if game.actions and not is_named:
        game.actions.append(Unread(place(line), None, None, line.strip()))
    else:
        _name_player(draft, line)


def _name_player(draft: _Draft, line: Token) -> None:
    parts = _parts("bgm", line)
    side = _named(parts["seat"])
    if not draft.games:
        draft.state(SIDE_NAMES[side], line)
    draft.names[side] = parts["name"] or parts["plain_name"] or ""


def _tag(line: Token) -> Tag:
    parts = _parts("bgm", line)
    return Tag(place(line), unquoted(parts["quoted_key"]), unquoted(parts["quoted_value"]))


def _remark(line: Token) -> str:
    parts = _parts("bgm", line)
    return unquoted(parts["quoted"]) if parts["quoted"] is not None else parts["remark"] or ""


def _score(line: Token, names: tuple[str, str]) -> ScoreLine:
    parts = _parts("bgm", line)
    left, right = (place(line, *parts.span(points)) for points in ("left_points", "right_points"))
    points = int(parts["left_points"]), int(parts["right_points"])
    return ScoreLine(place(line), names, points, (left, right))


def _add_rows(game: GameDraft, rows: Token) -> None:
    """Add the actions of rows."""
    assert rows.line is not None
    assert rows.column is not None
    add = game.actions.append
    column = rows.column - 1  # The blanks before the first row are no part of the token.
    if rows.type == "ROW" and is_prose(rows):
        add(Comment(place(rows), None, rows.strip()))
        return
    for line, text in enumerate(rows.split("\n"), start=rows.line):
        if text.startswith("@"):
            _add_stored(game, text, Span(line, 1, len(text.rstrip()) + 1))
            continue
        label, cells = _row(text)
        for cell in cells:
            for action in actions(cell.group().rstrip(BLANKS)):
                add(placed(action, line, column + cell.start(), label))
        column = 0


def _row(text: str) -> tuple[str | None, Iterator[re.Match[str]]]:
    """Return the number of a row, and its cells."""
    numbered = grammar("bgm").pattern("numbered").match(text)
    cell = grammar("bgm").pattern("CELL")
    if numbered is None:
        return None, cell.finditer(text)
    return numbered["label"], cell.finditer(text, numbered.end())


def _add_stored(game: GameDraft, text: str, span: Span) -> None:
    """Add what is stored with the action before it: what a program has, and the seconds it took."""
    last = game.actions[-1] if game.actions else None
    analysis, seconds = None, None
    try:
        stored = json.loads(text.removeprefix("@"))
        if "program" in stored or "seconds" not in stored:
            entries = tuple((str(name), str(text)) for name, text in stored["entries"])
            analysis = Analysis(str(stored["program"]), entries)
        if "seconds" in stored:
            seconds = _seconds(stored["seconds"])
    except (ValueError, KeyError, TypeError, RecursionError):
        game.actions.append(Unread(span, None, None, text.rstrip()))
        return
    if isinstance(last, Play | Double | Answer):
        game.actions[-1] = last._replace(analysis=analysis, seconds=seconds)
    elif isinstance(last, SetUp):
        game.actions[-1] = last._replace(analysis=analysis)


def _seconds(stored: object) -> float:
    if not isinstance(stored, int | float) or not 0 <= stored < float("inf"):
        raise ValueError("no time")
    return float(stored)
