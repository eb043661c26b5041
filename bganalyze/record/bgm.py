r"""Read the `.bgm` format, the project's own text, which a transcriber at the table can type.

The format can hold everything in the model: `docs/bgm.md` describes it, and `writing/bgm.py` writes it.
Text that cannot be read becomes `Unread`, and reading goes on with the next line.

>>> from bganalyze.record.model import Source
>>> text = "bganalyze match\nleft: Ann\nright: Bob\ngame 1\nscore 0-0\nL 31 8/5 6/5\nR 66 dance"
>>> [match] = read(text, Source("a.bgm", "utf-8", text.split()))
>>> match.names, [action.how.value for action in match.games[0].actions]
(('Ann', 'Bob'), ['played', 'cannot-move'])
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from string import whitespace
from typing import TYPE_CHECKING

from lark import Token, Tree

from bganalyze.board.position import BAR, OFF, Points, Step
from bganalyze.record.builder import (
    CubeTurning,
    GameDraft,
    Manner,
    MatchDraft,
    note_unread_line,
    place_of_token,
)
from bganalyze.record.conventions import UNKNOWN, read_conventions
from bganalyze.record.grammar import LineStartPattern, grammar, rules, tokens
from bganalyze.record.intended_words import guess_meaning
from bganalyze.record.match_text.cells import REMEMBERED_CELLS, SIZES, parse_steps
from bganalyze.record.model import (
    LEFT,
    REMARK,
    RIGHT,
    SIDE_NAMES,
    Action,
    Analysis,
    Answer,
    CheckersPutBack,
    Comment,
    Double,
    GameReplayed,
    Length,
    Match,
    Play,
    PlayRecord,
    PointsGiven,
    ReaderNote,
    Resignation,
    Result,
    RulingMade,
    ScoreLine,
    SetUp,
    Side,
    Source,
    Span,
    Tag,
    Unread,
)
from bganalyze.record.players import plain_name
from bganalyze.record.prose import is_prose
from bganalyze.record.text_caches import cache_by_text

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
"""Words for each manner of resigning."""

_MANNERS = {words: manner for manner, words in MANNERS.items()}

# The actions of a cell: cached, because cells repeat. They are read without a place, and placed
# later.


@cache_by_text(REMEMBERED_CELLS)
def read_cell(cell: str) -> tuple[Action, ...]:
    """Return the actions in a cell: one player's part of a row of the `.bgm` format.

    The places of these actions count columns from the start of the cell.

    >>> [type(action).__name__ for action in read_cell("L 31 8/5 6/5 ; double 2")]
    ['Play', 'Double']
    """
    side = _find_side_of_cell(cell)
    (first, at), *others = _split_cell(cell)
    return (
        *_read_action(first, at + 1, side),
        *(
            action
            for text, start in others
            for action in _read_after_semicolon(text, start + 1, side)
        ),
    )


def _find_side_of_cell(cell: str) -> Side | None:
    """Return the side at the start of a cell (`L` or `R`), or None."""
    side = grammar("bgm").pattern("SIDE").match(cell)
    return None if side is None else _read_side_word(side.group())


def _read_side_word(word: str) -> Side:
    """Return the side that a word such as `left` or `R` names."""
    return SIDES[word[0].upper()]


def _split_cell(cell: str) -> Iterator[tuple[str, int]]:
    """Yield the text of each action in a cell (one side's part of a row), with its offset.

    >>> list(_split_cell("L 31 8/5 6/5 ; double 2"))
    [('31 8/5 6/5', 2), ('double 2', 15)]
    """
    side = grammar("bgm").pattern("SIDE").match(cell)
    for text in grammar("bgm").pattern("ACTION").finditer(cell, side.end() if side else 0):
        yield text.group().rstrip(BLANKS), text.start()


def place_action(action: Action, line: int, column: int, row: str | None) -> Action:
    """Return an action read by `read_cell` with its place in the file.

    The cell begins at `line` and `column`. `row` is the row number as written.
    """
    start, end = action.span[1:]
    span = Span(line, column + start, column + end)
    if type(action) is not Play:
        return action._replace(span=span, row=row)
    _, _, side, dice, played, places, how, called_illegal, left, *_ = action
    left = None if left is None else left._replace(span=span, row=row)
    return Play(span, row, side, dice, played, places, how, called_illegal, left)


def _read_after_semicolon(text: str, column: int, side: Side | None) -> Iterator[Action]:
    """Yield the action in a text after a semicolon, or the text as a comment if it is no action.

    The text begins at `column`. `side` is None if the text belongs to no player.
    """
    found = list(_read_action(text, column, side))
    if (
        type(found[0]) is Unread
        and not text.startswith('"')
        and guess_meaning(text, is_row=False) is None
    ):
        yield Comment(found[0].span, None, text)
    else:
        yield from found


def _read_action(text: str, column: int, side: Side | None) -> Iterator[Action]:
    """Yield the action that a text states, then each unreadable part of the text.

    The text begins at `column`. `side` is None if the text belongs to no player.
    """
    span = Span(1, column, column + len(text))
    action_grammar = grammar("action")
    if side is not None and action_grammar.pattern("play").fullmatch(text):
        yield _read_play(text, span, side)  # Nearly every action: no parser is needed.
        return
    [part] = action_grammar.parse("action", text).children
    if isinstance(part, Tree) and part.data == "turn" and side is not None:
        yield from _read_turn(part, text, span, side)
    elif isinstance(part, Token) and (side is None) == (part.type == "SET_UP"):
        yield _read_set_up(part, span) if side is None else _read_phrase(part, span, side)
    elif isinstance(part, Token) and part.type == "QUOTED":
        yield Unread(span, None, side, unquote(text))
    else:
        yield Unread(span, None, side, text)


def _read_play(text: str, span: Span, side: Side) -> Play:
    """Return the play (roll and steps) in a text such as `31 8/5 6/5`."""
    written: list[Step] = []
    places: list[tuple[int, int]] = []
    for word in grammar("action").pattern("STEP").finditer(text):
        joined = parse_steps(word.group())
        written += joined
        places += [word.span()] * len(joined)
    return Play(span, None, side, _read_dice(text), tuple(written), tuple(places))


def _read_dice(roll: str) -> tuple[int, int]:
    """Return the dice written as `31` or `3-1`."""
    return int(roll[0]), int(roll[2] if roll[1] == "-" else roll[1])


_RECORDS = {
    "DANCE": PlayRecord.CANNOT_MOVE,
    "NO_STEP": PlayRecord.CANNOT_MOVE,
    "UNPLAYED": PlayRecord.UNPLAYED,
    "HALF_READ": PlayRecord.UNREAD,
}
"""Kinds of play by their words."""


def _read_turn(turn: Tree[Token], text: str, span: Span, side: Side) -> Iterator[Action]:
    """Yield the play (roll and steps) in a parsed turn, then each unreadable part."""
    roll, *words = tokens(turn)
    asides = list(rules(turn))
    written = [
        (step, (word.start_pos or 0, word.end_pos or 0))
        for word in words
        if word.type == "STEP"
        for step in parse_steps(word)
    ]
    telling = (word.type for word in words if not (written and word.type == "NO_STEP"))
    records = [_RECORDS[kind] for kind in telling if kind in _RECORDS]
    left = next((_read_set_up(word, span) for word in words if word.type == "LEAVES"), None)
    if asides:
        records, left = [PlayRecord.UNREAD], None
    yield Play(
        span,
        None,
        side,
        None if roll.type == "NOTHING" else _read_dice(roll),
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


_TURNINGS: dict[str, CubeTurning] = {"DOUBLE": "double", "BEAVER": "beaver", "RACCOON": "raccoon"}


def _read_phrase(phrase: Token, span: Span, side: Side) -> Action:
    """Return the cube action, resignation or result in a phrase such as `double 2`."""
    if phrase.type in ("TAKE", "DROP"):
        return Answer(span, None, side, phrase.type == "TAKE")
    if phrase.type == "QUOTED":
        return Unread(span, None, side, unquote(phrase))
    parts = _match_token("action", phrase)
    if phrase.type in _TURNINGS:
        return Double(span, None, side, _to_number(parts["value"]), _TURNINGS[phrase.type])
    points = _to_number(parts["points"])
    if phrase.type == "WINS":
        return Result(span, None, side, points or 0, parts["match"] is not None)
    manner = _MANNERS[" ".join(parts["manner"].casefold().split())]
    size = None if parts["size"] is None else SIZES[parts["size"].casefold()]
    return Resignation(span, None, side, points, manner, size, parts["declined"] is not None)


def _read_set_up(phrase: Token, span: Span) -> SetUp:
    """Return the set-up in a phrase: checkers, cube or side on roll."""
    parts = _match_token("action", phrase)
    owner, on_roll, crawford = parts["owner"], parts["on_roll"], parts["yes_or_no"]
    return SetUp(
        span,
        None,
        None
        if parts["board"] is None
        else (_read_checkers("left", parts), _read_checkers("right", parts)),
        _to_number(parts["value"]),
        None if owner is None else _read_side_word(owner),
        None if on_roll is None else _read_side_word(on_roll),
        None if crawford is None else YES[crawford.casefold()],
    )


def _read_checkers(group_name: str, set_up_match: re.Match[str]) -> Points:
    """Return a side's checkers on each point, from text such as `24(2) 13(5)`.

    `group_name` is the group of `set_up_match` that holds the text.
    """
    counts = [0] * (BAR + 1)
    is_off_stated = False
    for stack in (
        grammar("action")
        .pattern("stack")
        .finditer(set_up_match[group_name] or set_up_match[f"{group_name}2"])
    ):
        name = stack["point"].casefold()
        point = POINTS[name] if name in POINTS else int(name)
        is_off_stated = is_off_stated or point == OFF
        counts[point] += int(stack["count"] or 1)
    # Without a number for off, all missing checkers are off.
    if not is_off_stated:
        counts[OFF] = max(CHECKERS - sum(counts), 0)
    return tuple(counts)


def _match_token(grammar_name: str, token: Token) -> re.Match[str]:
    """Return the regex match of a token with the pattern of its grammar rule."""
    return grammar(grammar_name).match(token.type.lower(), token)


def _to_number(text: str | None) -> int | None:
    """Return the number written in a text, or None without a text."""
    return None if text is None else int(text)


def unquote(text: str) -> str:
    r"""Return the text between quotation marks, with escapes such as `\"` resolved."""
    try:
        return str(json.loads(text))
    except ValueError:
        return text[1:-1]


# Lines: matches, their headers and games.

USUAL = frozenset(("hits", "dances"))
"""Conventions of a match without a conventions line."""

_GIST = LineStartPattern(r"[ \t]*+(?i:bganalyze match)\b")


def recognizes(text: str) -> bool:
    """Whether a text is in the `.bgm` format: a line begins with `bganalyze match`."""
    return _GIST.is_in(text)


def tree(text: str) -> Tree[Token]:
    """Return the parse tree of a `.bgm` file: matches, games and their lines."""
    return grammar("bgm").parse("matches", text)


def cells(file_tree: Tree[Token], row: str) -> Iterator[tuple[str, str]]:  # noqa: ARG001 (some formats use the whole file)
    """Yield each action in a row: the grammar rule that tells whose action it is, and its text.

    >>> list(cells(Tree("file", []), "1. L 31 8/5 6/5 ; double 2"))
    [('of_left', '31 8/5 6/5'), ('of_left', 'double 2')]
    """
    for cell in _split_row(row)[1]:
        side = _find_side_of_cell(cell.group())
        name = "of_nobody" if side is None else ("of_left", "of_right")[side]
        yield from ((name, action) for action, _ in _split_cell(cell.group()))


def read(text: str, source: Source) -> list[Match]:
    """Return the matches in a text of the `.bgm` format, or one empty match if unreadable."""
    file_tree = tree(text)
    drafts = _join_leading_lines_to_first_match(
        [_read_match(match) for match in rules(file_tree)]
    ) or [_Draft()]
    drafts[0].tags[:0] = [
        Tag(place_of_token(line), REMARK, _read_comment(line)) for line in tokens(file_tree)
    ]
    return [
        draft.finish(
            source,
            number,
            "bgm",
            read_conventions(draft.producer, draft.conventions, source),
        )
        for number, draft in enumerate(drafts, start=1)
    ]


def _join_leading_lines_to_first_match(drafts: list[_Draft]) -> list[_Draft]:
    """Move comments and unreadable lines that stand above all matches into the first match."""
    if len(drafts) < 2 or not drafts[0].is_empty():
        return drafts
    phantom, first, *others = drafts
    first.tags[:0] = phantom.tags
    first.oddities[:0] = phantom.oddities
    return [first, *others]


@dataclass(slots=True)
class _Draft(MatchDraft):
    """A match that is being read."""

    names: list[str] = field(default_factory=lambda: ["left", "right"])
    producer: str = UNKNOWN
    conventions: frozenset[str] = USUAL
    stated: dict[str, Token] = field(default_factory=dict)
    """Lines with statements that a later line may replace."""
    ruled: list[Token] = field(default_factory=list)
    """Rulings above the first game; they are added to it when it begins."""

    def is_empty(self) -> bool:
        """Whether nothing but comments and unreadable lines has been read for this match."""
        return not (self.games or self.stated) and all(tag.key == REMARK for tag in self.tags)

    def remember_statement(self, subject: str, line: Token) -> None:
        """Remember the line that states a `subject`, such as `length`, in place of a former one."""
        before = self.stated.get(subject)
        # An earlier line that states something else becomes unreadable text.
        if before is not None and before.split() != line.split():
            self.oddities.append(
                ReaderNote("unreadable-text", place_of_token(before), before.strip())
            )
        self.stated[subject] = line


def _read_match(match: Tree[Token]) -> _Draft:
    """Return the match in a parse tree, with its header and games."""
    draft = _Draft()
    score_lines: list[Token] = []
    for part in match.children:
        lines = list(tokens(part)) if isinstance(part, Tree) else [part]
        begins = next((at for at, line in enumerate(lines) if _begins_game(line)), len(lines))
        for line in lines[:begins]:
            if line.type == "SCORE_LINE":
                draft.remember_statement("score", line)
                score_lines = [line]
            else:
                _read_header_line(draft, line)
        if begins < len(lines):
            _add_game(draft, lines[begins:], score_lines)
            score_lines = []
            draft.stated.pop("score", None)
    draft.oddities += (note_unread_line(place_of_token(line), line) for line in draft.ruled)
    return draft


def _begins_game(line: Token) -> bool:
    """Whether a line can begin a game: a game line, or a readable row."""
    if line.type != "ROW":
        return line.type in ("GAME_LINE", "ROWS")
    readable = (
        action for cell in _split_row(line)[1] for action in read_cell(cell.group().rstrip(BLANKS))
    )
    return not all(type(action) is Unread for action in readable)


def _read_header_line(draft: _Draft, line: Token) -> None:
    """Add a line above the games, such as a player's name, to the match."""
    match line.type:
        case "PLAYER":
            _read_player_line(draft, line)
        case "LENGTH":
            _read_length(draft, line)
        case "PRODUCER":
            draft.remember_statement("producer", line)
            draft.producer = _read_entry(line)[1]
        case "CONVENTIONS":
            draft.remember_statement("conventions", line)
            words = _read_entry(line)[1].casefold().replace(",", " ").split()
            draft.conventions = frozenset(words)
        case "CRAWFORD" | "CUBE" | "ENTRY":
            draft.tags.append(Tag(place_of_token(line), *_read_entry(line)))
        case "TAG":
            draft.tags.append(_read_tag(line))
        case "RULING":
            draft.ruled.append(line)
        case "COMMENT":
            draft.tags.append(Tag(place_of_token(line), REMARK, _read_comment(line)))
        case "ROW" | "ANALYSIS":
            _keep_line_above_games(draft, line)


def _read_length(draft: _Draft, line: Token) -> None:
    """Set the length of the match from a line such as `length: 7`."""
    parts = _match_token("bgm", line)
    draft.remember_statement("length", line)
    points = parts["points"] or parts["points2"] or parts["points3"]
    draft.length = Length(place_of_token(line), _to_number(points) or 0)


def _keep_line_above_games(draft: _Draft, line: Token) -> None:
    """Add a row or analysis that is above all games as a comment or unreadable text."""
    text = line.strip()
    if is_prose(text):
        draft.tags.append(Tag(place_of_token(line), REMARK, text))
    elif text:
        draft.oddities.append(ReaderNote("unreadable-text", place_of_token(line), text))


def _add_game(draft: _Draft, lines: list[Token], score_lines: list[Token]) -> None:
    """Add a game with these lines to the match.

    `score_lines` has the score line above the game, if any.
    """
    first, *others = lines
    game = GameDraft(place_of_token(score_lines[0] if score_lines else first))
    draft.games.append(game)
    for line in (*score_lines, *draft.ruled):
        _add_line_to_game(draft, game, line)
    draft.ruled.clear()
    if first.type == "GAME_LINE":
        game.number = _to_number(_match_token("bgm", first)["number"])
    else:
        _add_rows(game, first)
    for line in others:
        if line.type == "SCORE_LINE" and game.score is not None and game.actions:
            game = GameDraft(place_of_token(line))  # Its game line is lost.
            draft.games.append(game)
        _add_line_to_game(draft, game, line)


def _add_line_to_game(draft: _Draft, game: GameDraft, line: Token) -> None:
    """Add a line within a game to the game or to the match header."""
    match line.type:
        case "ROWS" | "ROW":
            _add_rows(game, line)
        case "SCORE_LINE":
            _read_score_line(draft, game, line)
        case "PLAYER":
            _read_player_line_in_game(draft, game, line)
        case "CRAWFORD":
            game.crawford = YES[_read_entry(line)[1].casefold()]
        case "CUBE":
            game.cube = int(_read_entry(line)[1])
        case "TAG":
            draft.tags.append(_read_tag(line))
        case "COMMENT":
            game.actions.append(Comment(place_of_token(line), None, _read_comment(line)))
        case "ANALYSIS":
            _attach_analysis(game, line, place_of_token(line))
        case "RULING":
            game.actions.append(_read_ruling(draft, line))
        case _:
            game.actions.append(Unread(place_of_token(line), None, None, str(line)))


def _read_score_line(draft: _Draft, game: GameDraft, line: Token) -> None:
    """Set the score at the start of a game from its score line."""
    if _match_token("bgm", line)["crawford_mark"] is not None:
        game.crawford = True
    before, game.score = game.score, _read_score(line, (draft.names[LEFT], draft.names[RIGHT]))
    # An earlier line with another score becomes unreadable text.
    if before is not None and before.points != game.score.points:
        text = "score {}-{}".format(*before.points)
        game.actions.append(Unread(before.span, None, None, text))


def _read_entry(line: Token) -> tuple[str, str]:
    """Return key and value of a header entry such as `Event: Club Open`."""
    parts = grammar("bgm").match("entry", line)
    return parts["key"].strip(), parts["value"] or ""


def _read_player_line_in_game(draft: _Draft, game: GameDraft, line: Token) -> None:
    """Set a player's name from a line such as `left: Ann` within a game."""
    parts = _match_token("bgm", line)
    is_named = draft.names[_read_side_word(parts["seat"])] == (parts["name"] or parts["plain_name"])
    # After the first action, a new name is unreadable text.
    if game.actions and not is_named:
        game.actions.append(Unread(place_of_token(line), None, None, line.strip()))
    else:
        _read_player_line(draft, line)


def _read_player_line(draft: _Draft, line: Token) -> None:
    """Set a player's name from a line above the games, such as `left: Ann`."""
    parts = _match_token("bgm", line)
    side = _read_side_word(parts["seat"])
    if not draft.games:
        draft.remember_statement(SIDE_NAMES[side], line)
    draft.names[side] = parts["name"] or parts["plain_name"] or ""


def _read_tag(line: Token) -> Tag:
    """Return the header entry in a line with quoted key and value."""
    parts = _match_token("bgm", line)
    return Tag(place_of_token(line), unquote(parts["quoted_key"]), unquote(parts["quoted_value"]))


def _read_ruling(draft: _Draft, line: Token) -> RulingMade | Unread:
    """Return the director's ruling on a line, or unreadable text."""
    parts, span = _match_token("bgm", line), place_of_token(line)
    reason = (parts["reason"] or "()")[1:-1]
    if parts["replayed"]:
        return GameReplayed(span, None, reason)
    if parts["put_back"]:
        left = parts["left_moves"] or parts["left_moves2"]
        right = parts["right_moves"] or parts["right_moves2"]
        return CheckersPutBack(span, None, _read_movements(left), _read_movements(right), reason)
    sides = _find_sides_named(parts["receiver"], draft.names)
    if len(sides) != 1:
        return Unread(span, None, None, line.strip())
    return PointsGiven(span, None, sides[0], int(parts["given_points"]), reason)


def _find_sides_named(word: str, names: Sequence[str]) -> list[Side]:
    """Return the sides that a word may mean: `L`, `R`, `left`, `right`, or a player's name.

    >>> _find_sides_named("R", ["Ann", "Bob"]), _find_sides_named("ann", ["Ann", "Bob"])
    ([1], [0])
    """
    if grammar("bgm").pattern("seat").fullmatch(word):
        return [_read_side_word(word)]
    name = plain_name(word)
    return [side for side in (LEFT, RIGHT) if plain_name(names[side]) == name]


def _read_movements(words: str | None) -> tuple[Step, ...]:
    """Return the movements that put checkers back, from words such as `4/5 off/bar(2)`.

    The movements may lead backward. Point 0 is off, point 25 is the bar.

    >>> [step.path for step in _read_movements("4/5 off/bar(2)")]
    [(4, 5), (0, 25), (0, 25)]
    """
    movements: list[Step] = []
    for word in (words or "").replace(",", " ").casefold().split():
        path, _, count = word.partition("(")
        points = (POINTS[name] if name in POINTS else int(name) for name in path.split("/"))
        movements += [Step(tuple(points), (False,))] * int(count.rstrip(")") or 1)
    return tuple(movements)


def _read_comment(line: Token) -> str:
    """Return the text of a comment line."""
    parts = _match_token("bgm", line)
    return unquote(parts["quoted"]) if parts["quoted"] is not None else parts["remark"] or ""


def _read_score(line: Token, names: tuple[str, str]) -> ScoreLine:
    """Return the score on a line. `names` are the left and the right player."""
    parts = _match_token("bgm", line)
    left, right = (
        place_of_token(line, *parts.span(points)) for points in ("left_points", "right_points")
    )
    points = int(parts["left_points"]), int(parts["right_points"])
    return ScoreLine(place_of_token(line), names, points, (left, right))


def _add_rows(game: GameDraft, rows: Token) -> None:
    """Add the actions in one or more rows to a game."""
    assert rows.line is not None
    assert rows.column is not None
    add = game.actions.append
    column = rows.column - 1  # The blanks before the first row are no part of the token.
    if rows.type == "ROW" and is_prose(rows):
        add(Comment(place_of_token(rows), None, rows.strip()))
        return
    for line, text in enumerate(rows.split("\n"), start=rows.line):
        if text.startswith("@"):
            _attach_analysis(game, text, Span(line, 1, len(text.rstrip()) + 1))
            continue
        label, cells = _split_row(text)
        for cell in cells:
            for action in read_cell(cell.group().rstrip(BLANKS)):
                add(place_action(action, line, column + cell.start(), label))
        column = 0


def _split_row(text: str) -> tuple[str | None, Iterator[re.Match[str]]]:
    """Return the number of a row as written (or None), and its cells.

    >>> number, row_cells = _split_row("3. L 31 8/5 6/5 | R 42 8/4 6/4")
    >>> number, [cell.group() for cell in row_cells]
    ('3', ['L 31 8/5 6/5 ', 'R 42 8/4 6/4'])
    """
    numbered = grammar("bgm").pattern("numbered").match(text)
    cell = grammar("bgm").pattern("CELL")
    if numbered is None:
        return None, cell.finditer(text)
    return numbered["label"], cell.finditer(text, numbered.end())


def _attach_analysis(game: GameDraft, text: str, span: Span) -> None:
    """Add the analysis and seconds on a line such as `@{"seconds": 4}` to a game's last action.

    `span` is the place of the line.
    """
    last = game.actions[-1] if game.actions else None
    analysis, seconds = None, None
    try:
        stored = json.loads(text.removeprefix("@"))
        if "program" in stored or "seconds" not in stored:
            entries = tuple((str(name), str(text)) for name, text in stored["entries"])
            analysis = Analysis(str(stored["program"]), entries)
        if "seconds" in stored:
            seconds = _check_seconds(stored["seconds"])
    # A damaged line becomes unreadable text.
    except (ValueError, KeyError, TypeError, RecursionError):
        game.actions.append(Unread(span, None, None, text.rstrip()))
        return
    if isinstance(last, Play | Double | Answer):
        game.actions[-1] = last._replace(analysis=analysis, seconds=seconds)
    elif isinstance(last, SetUp):
        game.actions[-1] = last._replace(analysis=analysis)


def _check_seconds(stored: object) -> float:
    """Return a stored number of seconds; raise ValueError if it is no possible time."""
    if not isinstance(stored, int | float) or not 0 <= stored < float("inf"):
        raise ValueError("no time")
    return float(stored)
