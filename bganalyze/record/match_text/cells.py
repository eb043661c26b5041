"""Read the cells of match text, independent of their place, with a cache.

Every match file consists of the same few thousand cells. Nine of ten are a `play` of the grammar
and are read by its pattern: starting a parser takes longer than reading most cells.
"""

# Annotations are evaluated here: `record/model.py` says why.

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Literal, NamedTuple, TypeGuard

from lark import Token, Tree

from bganalyze.board.ids import MOST_DOUBLINGS
from bganalyze.board.position import BAR, OFF, Points, Step
from bganalyze.record.grammar import grammar
from bganalyze.record.model import (
    LEFT,
    MOST_DIGITS,
    Action,
    Answer,
    Comment,
    Double,
    Play,
    PlayRecord,
    ReaderNote,
    Resignation,
    Result,
    SetUp,
    Side,
    Span,
    Unread,
    other_side,
)
from bganalyze.record.text_caches import cache_by_text

REMEMBERED_CELLS = 65_536
"""Cache size. A thousand matches have about 25,000 different cells."""

REMEMBERED_STEPS = REMEMBERED_WORDS = 4_096

_POINT_WORDS = {"bar": BAR, "b": BAR, "off": OFF, "o": OFF}
_ROLLS = {f"{one}{two}:": (one, two) for one in range(10) for two in range(10)}
_ROLL_LENGTH = 3

_PLAYED, _EMPTY = PlayRecord.PLAYED, PlayRecord.EMPTY
"""Copied here, because looking one up takes a twentieth of the time of a new cell (measured)."""


class PlayItem(NamedTuple):
    """A roll and its play in a cell; offsets count from the start of the cell."""

    start: int
    end: int
    dice: tuple[int, int] | None
    steps: tuple[Step, ...]
    places: tuple[tuple[int, int], ...]
    how: PlayRecord
    called_illegal: bool
    board: str | None


class WordItem(NamedTuple):
    """Any other part of a cell: `kind` is the name of its token, `JUNK` for unread text."""

    kind: str
    start: int
    end: int
    text: str
    number: int | None


Item = PlayItem | WordItem

_BRACKETED = re.compile(r"\([^()]*\)|\{[^{}]*\}|//.*")
"""Signs that set a remark apart from a play."""

SHORTEST_REMARK = 4
"""Fewest letters of a word of a remark without brackets."""
SHORTEST_WORD, LONGEST_WORD = 3, 25
"""Letters of a word of a remark after a complete action; longer words are garbled text."""

_SMILEY = re.compile(r"[:;]-?[()DP]|<?-{1,2}>?")
"""Signs that add nothing to a play."""

CLOSE, CLOSE_AFTER_ACTION = 0.75, 0.85
"""From this similarity on (0 to 1), a word may be another one misspelled: `makes` is no `takes` after a play."""

_WORDS_OF_ACTIONS = (
    *("double", "doubles", "redouble", "redoubles", "takes", "drops", "dropped", "pass", "passes"),
    *("beavers", "raccoons", "wins", "losses", "resigns", "concedes", "cannot", "accepts"),
    *("rejects", "illegal"),
)
"""Words of further actions, which may be misspelled in a cell."""
_WORDS_OF_CELLS = (*_WORDS_OF_ACTIONS, "move", "bar", "off", "point")
"""Words that may be misspelled in a cell."""


@cache_by_text(REMEMBERED_CELLS)
def parse_cell(cell: str) -> tuple[Item, ...]:
    """Return the parts of a cell: plays, words such as `Takes`, and unreadable text.

    A play beside unreadable text is marked as unread.

    >>> play, unread = parse_cell("42: 8/4 6?4")
    >>> play.dice, play.how.value, unread.text
    ((4, 2), 'unread', '6?4')
    """
    play = parse_play_only(cell)
    if play is not None:
        length, (dice, steps, places, how, *_) = play
        return (PlayItem(0, length, dice, steps, places, how, False, None),)
    items = tuple(_convert_cell(grammar("cell").parse("cell", cell), cell))
    return tuple(_mark_remarks(items)) if any(map(_is_unread, items)) else items


SIGNS = "\t;#():"
"""Signs after which a row may be cut other than by its columns."""


@cache_by_text(REMEMBERED_WORDS)
def parse_words_only(cell: str) -> tuple[Item, ...] | None:
    """Return the parts of a cell of words, such as `Doubles => 2`, or None for any other cell.

    >>> [item.kind for item in parse_words_only("Doubles => 2")]
    ['DOUBLE']
    """
    is_plain = not cell[:1].isspace() and not any(sign in cell for sign in SIGNS)
    return parse_cell(cell) if is_plain else None


PlainPlay = tuple[
    int,
    tuple[
        tuple[int, int],
        tuple[Step, ...],
        tuple[tuple[int, int], ...],
        PlayRecord,
        Literal[False],
        None,
        Literal[0],
        None,
        None,
    ],
]
"""A play that fills its cell: its length, and the fields of a `Play` after its side.

A plain tuple, because unpacking a NamedTuple takes four times as long: 1 % of a check
(measured)."""


@cache_by_text(REMEMBERED_CELLS)
def parse_play_only(cell: str) -> PlainPlay | None:
    """Return the play in a cell that has only a roll and its steps, or None for any other cell.

    The result is the length of the play's text, then fields of `Play`.

    >>> length, (dice, steps, *_) = parse_play_only("31: 8/5 6/5")
    >>> length, dice, [step.path for step in steps]
    (11, (3, 1), [(8, 5), (6, 5)])
    """
    roll = _ROLLS.get(cell[:_ROLL_LENGTH])
    if roll is None:
        return None
    written: list[Step] = []
    places: list[tuple[int, int]] = []
    end = _ROLL_LENGTH
    for word in cell[_ROLL_LENGTH:].split():
        word_steps = parse_steps[word]
        if not word_steps:
            return None if written else _parse_dance_only(cell, roll)
        start = cell.index(word, end)
        end = start + len(word)
        for step in word_steps:
            written.append(step)
            places.append((start, end))
    how = _PLAYED if written else _EMPTY
    return end, (roll, tuple(written), tuple(places), how, False, None, 0, None, None)


def _parse_dance_only(cell: str, roll: tuple[int, int]) -> PlainPlay | None:
    """Return the play of a cell that is a roll and a dance (no legal play), or None."""
    words = cell[_ROLL_LENGTH:].strip()
    is_dance = grammar("cell").pattern("CANNOT_MOVE").fullmatch(words) is not None
    if not is_dance or not cell[_ROLL_LENGTH].isspace():
        return None
    how = PlayRecord.CANNOT_MOVE
    return len(cell.rstrip()), (roll, (), (), how, False, None, 0, None, None)


def is_remark_in_cell(text: str, *, is_after_action: bool = False) -> bool:
    """Whether unreadable text in a cell is a person's remark, and not a damaged action.

    `is_after_action` says whether a complete action comes before the text.

    >>> [is_remark_in_cell(text) for text in ("(bar point)", "lover's leap", "Doubels", "8/e")]
    [True, True, False, False]
    """
    is_bracketed = _BRACKETED.fullmatch(text) is not None
    if "/" in text and not is_bracketed:
        return False
    words = text.casefold().replace("'", "").strip("/").split()
    bare = [word.strip('().,;:!?-{}[]"') for word in words if not _SMILEY.fullmatch(word)]
    if any(sign in word for word in bare for sign in "?*=>:"):
        return False
    if any(
        any(map(str.isdigit, word)) and not (is_after_action and word[-1:].isalpha())
        for word in bare
    ):
        return False
    is_sign = not bare or (not any(map(str.isalnum, text)) and not text.isascii())
    is_long = _is_remark_after_action(bare) if is_after_action else _has_several_words(bare)
    usual = _WORDS_OF_ACTIONS if is_after_action else _WORDS_OF_CELLS
    cutoff = CLOSE_AFTER_ACTION if is_after_action else CLOSE
    slips = (get_close_matches(word, usual, cutoff=cutoff) for word in bare)
    return is_bracketed or is_sign or (is_long and not any(slips))


def _has_several_words(words: Sequence[str]) -> bool:
    """Whether there are several words, one of which has at least `SHORTEST_REMARK` letters."""
    return len(words) > 1 and any(len(word) >= SHORTEST_REMARK and word.isalpha() for word in words)


def _is_remark_after_action(words: Sequence[str]) -> bool:
    """Whether words after a complete action look like a remark.

    >>> _is_remark_after_action(["for", "the", "5pt"]), _is_remark_after_action(["c"])
    (True, False)
    """
    # Words are letters, maybe after digits, such as "5pt".
    return any(len(word) >= SHORTEST_WORD for word in words) and all(
        len(word) <= LONGEST_WORD
        and (bare := word.lstrip("0123456789").replace("-", "")).isalpha()
        and bare != bare.upper()
        for word in words
    )


def _mark_remarks(items: tuple[Item, ...]) -> Iterator[Item]:
    """Yield the parts of a cell; unreadable texts become remarks if all look like remarks."""
    unread = [item for item in items if _is_unread(item)]
    is_after_action = _is_complete_action(items[0])
    are_remarks = _may_precede_remark(items[0]) and all(
        is_remark_in_cell(item.text, is_after_action=is_after_action) for item in unread
    )
    for item in items:
        if not are_remarks:
            yield item
        elif isinstance(item, WordItem):
            yield item._replace(kind="REMARK") if _is_unread(item) else item
        else:
            is_read = item.how is PlayRecord.UNREAD and _may_precede_remark(item)
            yield item._replace(how=PlayRecord.PLAYED) if is_read else item


def _is_unread(item: Item) -> TypeGuard[WordItem]:
    """Whether a part of a cell is unreadable text."""
    return isinstance(item, WordItem) and item.kind == "JUNK"


def _is_complete_action(item: Item) -> bool:
    """Whether a part of a cell is a complete action, such as a take."""
    if isinstance(item, WordItem):
        return item.kind in ("TAKE", "DROP", "WINS") or (
            item.kind == "DOUBLE" and item.number is not None
        )
    if item.dice is None:
        return False
    roll = sum(item.dice) * (2 if item.dice[0] == item.dice[1] else 1)
    return sum(step.path[0] - step.path[-1] for step in item.steps) == roll


def _may_precede_remark(item: Item) -> bool:
    """Whether a remark may follow a part of a cell: a roll with steps, double, answer or result."""
    if isinstance(item, PlayItem):
        return item.dice is not None and bool(item.steps)
    return item.kind in ("DOUBLE", "TAKE", "DROP", "WINS")


def _convert_cell(cell_tree: Tree[Token], cell_text: str) -> Iterator[Item]:
    """Yield the parts of a cell: plays, words such as `Takes`, and unreadable text.

    `cell_tree` is the parse tree of `cell_text`.
    """
    follows_unread = False
    for number, part in enumerate(cell_tree.children):
        match part:
            case Token():
                yield _make_word_item(part)
            case Tree(data="turn"):
                yield from _convert_turn(part, cell_text, is_roll_hidden=follows_unread)
            case Tree(data="dance", children=[Token() as words]):
                yield _make_play_item([words], is_roll_hidden=number > 0)
            case Tree():
                yield _join_unread_words(part, cell_text)
        follows_unread = isinstance(part, Tree) and part.data == "unread"


def _convert_turn(turn: Tree[Token], cell_text: str, *, is_roll_hidden: bool) -> Iterator[Item]:
    """Yield the play in the parse tree of a turn, then each unreadable part of the turn.

    `is_roll_hidden` says whether unreadable text before the turn may be its roll.
    """
    play, *more = turn.children
    assert isinstance(play, Tree)
    words = [part for part in (*play.children, *more) if isinstance(part, Token)]
    unread = [part for part in more if isinstance(part, Tree)]
    yield _make_play_item(words, is_roll_hidden=is_roll_hidden, has_unread=bool(unread))
    yield from (_join_unread_words(part, cell_text) for part in unread)


def _join_unread_words(words: Tree[Token], cell: str) -> WordItem:
    """Join neighboring unreadable words to one part of a cell."""
    first, last = words.children[0], words.children[-1]
    assert isinstance(first, Token)
    assert isinstance(last, Token)
    start, end = _place_in_cell(first)[0], _place_in_cell(last)[1]
    return WordItem("JUNK", start, end, cell[start:end], None)


def _make_play_item(
    words: list[Token], *, is_roll_hidden: bool, has_unread: bool = False
) -> PlayItem:
    """Return the play that these words of a cell state.

    The play counts as unread if unreadable text follows its words (`has_unread`) or may be its
    missing roll (`is_roll_hidden`).
    """
    first = words[0]
    dice = (int(first[0]), int(first[-2])) if first.type == "DICE" else None
    written = tuple(
        (step, _place_in_cell(word))
        for word in words
        if word.type == "STEP"
        for step in parse_steps(word)
    )
    is_unread = has_unread or (is_roll_hidden and dice is None)
    board = next((word for word in words if word.type == "ILLEGAL_BOARD"), None)
    return PlayItem(
        _place_in_cell(first)[0],
        _place_in_cell(words[-1])[1],
        dice,
        tuple(step for step, _ in written),
        tuple(place for _, place in written),
        PlayRecord.UNREAD if is_unread else _find_kind_of_play(words),
        any(word.type.startswith("ILLEGAL") for word in words),
        None if board is None else board[board.index("(") + 1 : -1],
    )


_RECORDS = {
    "STEP": PlayRecord.PLAYED,
    "NO_STEP": PlayRecord.CANNOT_MOVE,
    "ILLEGAL_BOARD": PlayRecord.PLAYED,
    "CANNOT_MOVE": PlayRecord.CANNOT_MOVE,
    "UNPLAYED": PlayRecord.UNPLAYED,
}
"""Kinds of play by the tokens of their words."""


def _find_kind_of_play(tokens: list[Token]) -> PlayRecord:
    """Return how a roll was played: `PLAYED` with steps, else what words like `Cannot Move` say."""
    records = [_RECORDS[word.type] for word in tokens if word.type in _RECORDS]
    if any(word.type == "STEP" for word in tokens):
        return PlayRecord.PLAYED
    return records[0] if records else PlayRecord.EMPTY


def _make_word_item(token: Token) -> WordItem:
    """Return the part of a cell for a word such as `Takes`."""
    start, end = _place_in_cell(token)
    kind = "JUNK" if token.type.startswith("ILLEGAL") else token.type
    number = grammar("cell").pattern("NUMBER").search(token)
    return WordItem(kind, start, end, str(token), int(number.group()) if number else None)


def _place_in_cell(token: Token) -> tuple[int, int]:
    """Return the offsets at which a token starts and ends in its cell."""
    assert token.column is not None
    return token.column - 1, token.column - 1 + len(token)


@cache_by_text(REMEMBERED_STEPS)
def parse_steps(text: str) -> tuple[Step, ...]:
    """Return the steps in a word such as `8/5` or `6/1(2)`, or () for any other text.

    >>> parse_steps("6/1*(2)")
    (Step(path=(6, 1), marked=(True,)), Step(path=(6, 1), marked=(False,)))
    >>> parse_steps("Bar/21*/Off")
    (Step(path=(25, 21, 0), marked=(True, False)),)
    """
    if not grammar("cell").pattern("STEP").fullmatch(text):
        return ()
    path, _, count = text.casefold().replace("•", "*").partition("(")
    words = path.split("/")
    marks = tuple(word.endswith("*") for word in words[1:])
    if count.endswith("*"):
        marks = (*marks[:-1], True)
    points = tuple(_read_point(word) for word in words)
    # If several checkers make the step, only the first one hits.
    unmarked = Step(points, (False,) * len(marks))
    repeats = int(count[0]) if count else 1
    return (Step(points, marks), *(unmarked,) * (repeats - 1))


def _read_point(word: str) -> int:
    """Return the number of the point that a word names: 25 for the bar, 0 for off.

    >>> _read_point("6*"), _read_point("bar"), _read_point("off")
    (6, 25, 0)
    """
    word = word.rstrip("*")
    number = _POINT_WORDS.get(word)
    return int(word) if number is None else number


# Snowie's one-line position, as in `Illegal play (…)`.
#
# Forty fields, each followed by a semicolon. The board is seen by the player on roll, who is named
# in field 5. The turn flag in field 4 is unreliable; the names are reliable.

FIELDS = 40
FIRST_NAME = 5
MOST_IN_NAMES = 60
"""Most semicolons in the names of both players."""
MOST_CHECKERS = 15
MOST_CUBE = 1 << MOST_DOUBLINGS


class SnowiePosition(NamedTuple):
    """A position of Snowie, seen by the player on roll."""

    on_roll: str
    opponent: str
    own: Points
    other: Points
    cube_value: int
    cube_owner: int
    """1 the player on roll, -1 the opponent, 0 neither."""
    dice: tuple[int, int]
    crawford: bool
    length: int
    """0 is a money game."""
    jacoby: bool
    turn: str
    """The turn flag as written."""
    scores: tuple[int, int]
    """Scores of the player on roll and of the opponent."""


def parse_snowie(line: str) -> SnowiePosition | None:
    """Return the position on a line in the format of the program Snowie, or None.

    >>> start = "0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0"
    >>> parse_snowie(f"7;0;0;0;0;ann;bob;0;0;0;1;0;{start};3;1;").on_roll
    'ann'
    """
    fields = line.strip().rstrip(";").split(";")
    more = len(fields) - FIELDS
    if not 0 <= more <= MOST_IN_NAMES:
        return None
    end = FIRST_NAME + 2 + more
    fields[FIRST_NAME:end] = _join_two_names(fields[FIRST_NAME:end])
    try:
        board = [int(field) for field in fields[12:38]]
        value, owner, first, second = (int(fields[index]) for index in (10, 11, 38, 39))
        length = int(fields[0]) if fields[0].isdecimal() else 0
    except ValueError:
        return None
    own, other = _split_board(board)
    if max(sum(own), sum(other)) > MOST_CHECKERS or value > MOST_CUBE:
        return None
    return SnowiePosition(
        on_roll=fields[5],
        opponent=fields[6],
        own=own,
        other=other,
        cube_value=value,
        cube_owner=owner,
        dice=(first, second),
        crawford=fields[7].strip() == "1",
        length=length,
        jacoby=fields[1] == "1",
        turn=fields[4].strip(),
        scores=(_read_snowie_points(fields[8]), _read_snowie_points(fields[9])),
    )


def _join_two_names(parts: list[str]) -> tuple[str, str]:
    """Return two names from `parts`, the pieces between semicolons of the text that holds both.

    >>> _join_two_names(["ann", "", "bob", ")"])
    ('ann;', 'bob;)')
    """
    # The second name starts at the second part that is not blank.
    cuts = (cut for cut in range(1, len(parts)) if any(parts[:cut]) and parts[cut].strip())
    cut = next(cuts, 1)
    return ";".join(parts[:cut]), ";".join(parts[cut:])


def _read_snowie_points(field: str) -> int:
    """Return the points scored that a field of Snowie's line states, or 0 for other text."""
    text = field.strip()
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else 0


def _split_board(board: list[int]) -> tuple[Points, Points]:
    """Return the checkers on each point of the side on roll, then of the opponent.

    `board` holds the 26 numbers on Snowie's line.
    """
    own = [0] + [max(count, 0) for count in board[1:25]] + [max(board[25], 0)]
    other = [0] + [max(-board[25 - point], 0) for point in range(1, 25)] + [abs(min(board[0], 0))]
    for side in (own, other):
        side[0] = max(MOST_CHECKERS - sum(side), 0)
    return tuple(own), tuple(other)


# Cells as actions, at their places in the file.

SIZES: dict[str, Literal[1, 2, 3]] = {"single": 1, "normal": 1, "gammon": 2, "backgammon": 3}
"""Size of a resignation by its last word, in units of the cube."""


def place_play(plain_play: PlainPlay, line: int, column: int, row: str, side: Side) -> Play:
    """Return a result of `parse_play_only` as a play with its place in the file.

    The cell begins at `line` and `column`. `row` is the row number as written.
    """
    length, about = plain_play
    # Naming the tuple's constructor saves two calls for each play: 2 % of a check (measured).
    place = tuple.__new__(Span, (line, column, column + length))
    return tuple.__new__(Play, (place, row, side, *about))


def place_items(
    items: tuple[Item, ...], line: int, column: int, row: str | None, side: Side
) -> list[Action | ReaderNote]:
    """Return the parts of a cell as actions with their places in the file.

    The cell begins at `line` and `column`. `row` is the row number as written.
    """
    actions_read: list[Action | ReaderNote] = []
    loser: Side | None = None
    for item in items:
        if isinstance(item, PlayItem):
            actions_read.append(_place_play_item(item, line, column, row, side))
            continue
        span = Span(line, column + item.start, column + item.end)
        if item.kind == "LOSSES":
            loser = side
            actions_read.append(Resignation(span, row, side, item.number))
        elif item.kind == "WINS":
            winner = side if loser is None else other_side(loser)
            match = "match" in item.text.casefold()
            actions_read.append(Result(span, row, winner, item.number or 0, match))
        else:
            actions_read.append(_place_word_item(item, span, row, side))
    return actions_read


def _place_play_item(item: PlayItem, line: int, column: int, row: str | None, side: Side) -> Play:
    """Return a parsed play as an action with its place in the file.

    The cell begins at `line` and `column`. `row` is the row number as written.
    """
    start, end, dice, steps, places, how, called_illegal, board = item
    span = Span(line, column + start, column + end)
    left = None if board is None else _read_board_after_illegal_play(board, span, row, side)
    return Play(span, row, side, dice, steps, places, how, called_illegal, left, start)


def _read_board_after_illegal_play(
    line: str, span: Span, row: str | None, side: Side
) -> SetUp | None:
    """Return the board that follows an illegal play of `side`, or None if unreadable.

    `line` is a position in the format of Snowie.
    """
    board = parse_snowie(line)
    if board is None:
        return None
    boards = (board.other, board.own) if side == LEFT else (board.own, board.other)
    owner = {0: None, 1: other_side(side), -1: side}.get(board.cube_owner)
    return SetUp(span, row, boards, board.cube_value, owner, other_side(side), board.crawford)


def _place_word_item(
    item: WordItem, span: Span, row: str | None, side: Side
) -> Action | ReaderNote:
    """Return the action that a word such as `Takes` states, or a note on a misplaced number."""
    match item.kind:
        case "DOUBLE":
            return Double(span, row, side, item.number)
        case "BEAVER":
            return Double(span, row, side, item.number, "beaver")
        case "RACCOON":
            return Double(span, row, side, item.number, "raccoon")
        case "TAKE" | "DROP":
            return Answer(span, row, side, item.kind == "TAKE")
        case "RESIGNS" | "FORFEITS" | "TIME" | "UNPLAYED":
            return _to_resignation(item, span, row, side)
        case "ROW_LABEL" | "SCORE":
            return ReaderNote("row-number", span, item.text, row=row, side=side)
        case "REMARK":
            return Comment(span, row, item.text)
        case _:
            return Unread(span, row, side, item.text)


def _to_resignation(item: WordItem, span: Span, row: str | None, side: Side) -> Resignation:
    """Return the resignation that a word states, with its size if the word names one."""
    last = item.text.casefold().split()[-1]
    if item.kind == "FORFEITS":
        return Resignation(span, row, side, manner="forfeit")
    if item.kind == "TIME":
        return Resignation(span, row, side, manner="time")
    if last == "match":
        return Resignation(span, row, side, manner="resigned-match")
    return Resignation(span, row, side, size=SIZES.get(last))
