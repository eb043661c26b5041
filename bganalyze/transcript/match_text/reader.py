"""Match text in two columns (`.mat` and its relatives): from lines to matches.

`mat.lark` names the lines, `columns.py` cuts the rows, `cells.py` reads the cells. This module
only gives them their structure: which match, which game, which side. Reading is total: a line that
means nothing where it stands becomes `Unread`, and the next line is read as if nothing had been.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import islice

from lark import Token

from bganalyze.board.ids import parse_xgid
from bganalyze.transcript.grammar import LineGist, lexer
from bganalyze.transcript.match_text.cells import actions, items, only_play
from bganalyze.transcript.match_text.columns import CutRow, plain_row, right_column, rows_of
from bganalyze.transcript.model import (
    LEFT,
    REMARK,
    RIGHT,
    Action,
    Comment,
    Game,
    Length,
    Match,
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
    other_side,
)
from bganalyze.transcript.profile import OPENGAMMON, Practice, amended, practice_of, profile

ROWS_THAT_TELL = 40
"""So many rows show where the right column starts."""

LONGEST_HEADER = 200
"""So many lines above a match line its header is looked for."""

LONGEST_TAG = 1_000
"""A longer entry is taken for a comment: no producer writes one, and patterns stay quick."""

OWN_MATCH, OWN_CONVENTIONS = "bganalyze match", "bganalyze conventions"
"""Header entries of this program: a match begins that has no match line; what no spelling shows."""

_HEADER = frozenset(("TAG", "COMMENT", "TEXT"))

_NUMBER = re.compile(r"[0-9]+")
_NAMES = re.compile(r"[ \t]*(\S+(?: \S+)*)[ \t]{2,}(\S+(?: \S+)*)[ \t]*")
_MATCH_WORDS = re.compile(r"\bpoints?[ \t]+match\b", re.IGNORECASE)
_TAG = re.compile(r'\[([^"\]]++)(?:"(.*)"\s*)?\]\s*$')
_SCORE = re.compile(r"([^:]*):\s*([0-9]+)(\s[^:]*):\s*([0-9]+)\s*$")
_COLONS = re.compile(r"(.*?)[ \t]:[ \t]*([0-9]+)([ \t]{2,}.*)[ \t]:[ \t]*([0-9]+)\s*$")
_OPENING = re.compile(
    r"(?:[ \t]*(?:[;#][^\n]*)?\n)*[ \t]*[0-9]{1,9}[ \t]+points?[ \t]+match\b", re.IGNORECASE
)
_GIST = LineGist(
    r"[ \t]*(?:[0-9]+[ \t]+points?[ \t]+match|Match[ \t]+(?:of|to)[ \t]+[0-9]+|Game[ \t]+[0-9]+[ \t.:]*$"
    r"|[^\s:;#][^\n:]{0,200}:[ \t]*[0-9]+[ \t]+[^\s:][^\n:]{0,200}:[ \t]*[0-9]+[ \t]*$"
    r"|[0-9*]{1,6}\)[ \t]+(?:[0-9]{2}:|Doubles|Takes|Drops|Wins|Losses))",
    re.IGNORECASE,
)


def begins_with_match_line(text: str) -> bool:
    """Whether a match line is the first line of `text`, comments apart: as in nearly every file."""
    return _OPENING.match(text) is not None


def recognises(text: str) -> bool:
    """Whether anything in `text` looks like a match line, a game line, a score line or a row."""
    return _GIST.is_in(text)


@dataclass(slots=True)
class _GameDraft:
    span: Span
    number: int | None
    score: ScoreLine | None = None
    actions: list[Action] = field(default_factory=list)
    has_rows: bool = False
    last_label: int | None = None


@dataclass(slots=True)
class _MatchDraft:
    length: Length | None = None
    tags: list[Tag] = field(default_factory=list)
    games: list[_GameDraft] = field(default_factory=list)
    oddities: list[ReaderNote] = field(default_factory=list)
    conventions: str | None = None
    """As this program has stated them."""
    names: ScoreLine | None = None
    """The players of a single game, where a line above it names them."""


def read(text: str, source: Source) -> list[Match]:
    """Return the matches in `text`; at least one."""
    tokens = list(lexer("mat").lex(text))
    column = right_column(_row_sample(tokens))
    drafts = [_MatchDraft()]
    starts = _match_starts(tokens)
    for index, token in enumerate(tokens):
        if index in starts and (drafts[-1].games or drafts[-1].length is not None):
            drafts.append(_MatchDraft())
        _add_line(drafts[-1], token, column)
    has_stars = "*" in text
    games = [_games(draft) for draft in drafts]
    practice = practice_of(game for of_match in games for game in of_match)
    return [
        _finished(draft, of_match, source, number, has_stars=has_stars, practice=practice)
        for number, (draft, of_match) in enumerate(zip(drafts, games, strict=True), start=1)
    ]


def _row_sample(tokens: list[Token]) -> list[str]:
    """Enough rows to learn the layout from."""
    runs = (row for token in tokens if token.type == "ROWS" for row in token.split("\n"))
    return list(islice(runs, ROWS_THAT_TELL))


def _match_starts(tokens: list[Token]) -> set[int]:
    """Where matches begin: with a match line or the header above it; single games with their names."""
    kinds = [token.type for token in tokens]
    if "MATCH" in kinds or "GAME" in kinds:
        own = {n for n, kind in enumerate(kinds) if kind == "TAG" and OWN_MATCH in tokens[n]}
        return own | {_header_start(tokens, n) for n, kind in enumerate(kinds) if kind == "MATCH"}
    above_rows = (n for n, kind in enumerate(kinds[1:]) if kind == "ROWS")
    return {n for n in above_rows if kinds[n] == "TEXT" and _names(tokens[n])}


def _header_start(tokens: list[Token], match_line: int) -> int:
    """Where the header above a match line begins: with a tag, or below a blank line."""
    start = match_line
    for index in range(match_line - 1, max(match_line - LONGEST_HEADER, 0) - 1, -1):
        kind = tokens[index].type
        if kind not in _HEADER:
            break
        if kind == "TAG" or _is_parted(tokens, index):
            start = index
    return start


def _is_parted(tokens: list[Token], index: int) -> bool:
    """Whether a blank line stands above a line."""
    line, before = tokens[index].line, tokens[index - 1].end_line if index else 0
    assert line is not None
    assert before is not None
    return line > before + 1


def _add_line(draft: _MatchDraft, token: Token, column: int | None) -> None:
    match token.type:
        case "ROWS" | "WORDS":
            _add_rows(draft, token, column)
        case "RAGGED" if draft.games:
            _add_rows(draft, token, column)
        case "MATCH":
            draft.length = Length(_span(token), int(_NUMBER.findall(token)[0]))
        case "TAG":
            _add_tag(draft, token)
        case "COMMENT":
            _add_comment(draft, token)
        case "SETPOS":
            _add_set_up(draft, token)
        case "GAME":
            number = int(_NUMBER.findall(token)[0])
            draft.games.append(_GameDraft(_span(token), number))
        case "SCORE" | "COLONS":
            _add_score(draft, token)
        case _:
            _add_text(draft, token)


def _span(token: Token) -> Span:
    """The place of the (first) line's text, without the blanks around it."""
    assert token.line is not None
    line = token.partition("\n")[0]
    bare = line.strip()
    start = len(line) - len(line.lstrip()) + 1 if bare else 1
    return Span(token.line, start, start + max(len(bare), 1))


def _add_tag(draft: _MatchDraft, token: Token) -> None:
    found = _TAG.search(token) if len(token) <= LONGEST_TAG else None
    if found is None or draft.games:
        _add_comment(draft, token)
        return
    key, value = found.group(1).strip(), found.group(2)
    if value is None:
        key, _, value = key.partition(" ")
    if key == OWN_CONVENTIONS:
        draft.conventions = value
    elif key != OWN_MATCH:
        draft.tags.append(Tag(_span(token), key, value.strip()))


def _add_comment(draft: _MatchDraft, token: Token) -> None:
    text = token.strip().lstrip(";#").strip()
    if draft.games:
        draft.games[-1].actions.append(Comment(_span(token), None, text))
    elif text:
        draft.tags.append(Tag(_span(token), REMARK, text))


def _add_set_up(draft: _MatchDraft, token: Token) -> None:
    """`; Set Pos=<26 characters>/<cube>`: XG's board from the right player's side."""
    board, slash, cube = token.partition("=")[2].strip().partition("/")
    game = _current_game(draft, token)
    try:
        right, left = parse_xgid(f"XGID={board[:26]}:0:0:1:00:0:0:0:0:10").position
        power = int(cube.split()[0]) if cube.strip() else 0
    except ValueError:
        game.actions.append(Unread(_span(token), None, None, token.strip()))
        return
    owner: Side | None = None if power == 0 else RIGHT if power > 0 else LEFT
    value = 2 ** min(abs(power), 30) if slash else None
    game.actions.append(SetUp(_span(token), None, (left, right), value, owner))


def _current_game(draft: _MatchDraft, token: Token) -> _GameDraft:
    """The game that a line belongs to; one begins here where the record has no game line."""
    if not draft.games:
        draft.games.append(_GameDraft(_span(token), None, draft.names))
    return draft.games[-1]


def _add_score(draft: _MatchDraft, token: Token) -> None:
    found = (_SCORE if token.type == "SCORE" else _COLONS).match(token)
    assert found is not None
    if not draft.games or draft.games[-1].score is not None or draft.games[-1].has_rows:
        draft.games.append(_GameDraft(_span(token), None))
    game = draft.games[-1]
    line = _span(token).line
    spans = (
        Span(line, found.start(2) + 1, found.end(2) + 1),
        Span(line, found.start(4) + 1, found.end(4) + 1),
    )
    points = (int(found.group(2)), int(found.group(4)))
    names = (found.group(1).strip(), found.group(3).strip())
    game.score = ScoreLine(_span(token), names, points, spans)


def _add_text(draft: _MatchDraft, token: Token) -> None:
    """Text that is no line of the format: a title above the games, else unread."""
    if not token.strip():
        return
    if draft.games:
        _add_unread(draft.games[-1], token)
        return
    names = _names(token)
    if names is not None:
        draft.names = _score_of_names(token, names)
    if _MATCH_WORDS.search(token):
        draft.oddities.append(ReaderNote("unreadable-text", _span(token), token.strip()))


def _add_unread(game: _GameDraft, token: Token) -> None:
    """Lines that nothing else parts are one piece of text."""
    before = game.actions[-1] if game.actions else None
    if type(before) is Unread and before.side is None:
        game.actions[-1] = before._replace(last_line=token.line)
    else:
        game.actions.append(Unread(_span(token), None, None, token.strip()))


def _names(token: Token) -> re.Match[str] | None:
    """Two names, as they stand above the rows of a single game."""
    return _NAMES.fullmatch(token) if len(token) <= LONGEST_TAG else None


def _score_of_names(token: Token, names: re.Match[str]) -> ScoreLine:
    """A single game (`.gam`) has its players on a line of their own, and no score."""
    line = _span(token).line
    first, second = (Span(line, names.start(n) + 1, names.end(n) + 1) for n in (1, 2))
    return ScoreLine(_span(token), (names.group(1), names.group(2)), (0, 0), (first, second))


def _add_rows(draft: _MatchDraft, token: Token, column: int | None) -> None:
    """Add what a run of rows says; `column` is where right cells usually start."""
    assert token.line is not None
    game = _current_game(draft, token)
    game.has_rows = True
    for line, text in enumerate(token.split("\n"), start=token.line):
        plain = plain_row(text)
        for row in (plain,) if plain is not None else rows_of(text, column):
            _add_row(draft, game, line, row)


def _add_row(draft: _MatchDraft, game: _GameDraft, line: int, row: CutRow) -> None:
    label, left, left_at, right, right_at, label_at, remark, remark_at = row
    if label is not None and (left or right):
        _check_label(draft, game, label, line, label_at + 1)
    for side, text, column in ((LEFT, left, left_at + 1), (RIGHT, right, right_at + 1)):
        said = items(text)
        play = only_play(said, line, column, label, side)
        if play is not None:
            game.actions.append(play)
        else:
            _add_cell(draft, game, actions(said, line, column, label, side))
    if remark:
        place = Span(line, remark_at + 1, remark_at + 1 + len(remark.rstrip()))
        game.actions.append(Comment(place, label, remark.lstrip(";#").strip()))


def _add_cell(draft: _MatchDraft, game: _GameDraft, found: list[Action | ReaderNote]) -> None:
    for action in found:
        if isinstance(action, ReaderNote):
            draft.oddities.append(action._replace(game=len(draft.games)))
        else:
            _settle_loser(game, action)
            game.actions.append(action)


def _settle_loser(game: _GameDraft, action: Action) -> None:
    """`Losses N point` on a line of its own does not say whose: the side that does not win."""
    if type(action) is not Result or not game.actions:
        return
    before = game.actions[-1]
    if (
        isinstance(before, Resignation)
        and before.row is None
        and before.span.line < action.span.line
    ):
        game.actions[-1] = before._replace(side=other_side(action.side))


def _check_label(draft: _MatchDraft, game: _GameDraft, label: str, line: int, column: int) -> None:
    """Note a row number that does not follow the one before."""
    expected = (game.last_label or 0) + 1
    number = int(label) if label.isdigit() else expected
    game.last_label = number
    if number != expected or not label.isdigit():
        place = Span(line, column, column + len(label))
        odd = ReaderNote("row-number", place, label, game=len(draft.games), row=label)
        draft.oddities.append(odd)


def _games(draft: _MatchDraft) -> tuple[Game, ...]:
    return tuple(
        Game(game.span, game.number, game.score, tuple(game.actions)) for game in draft.games
    )


def _finished(
    draft: _MatchDraft,
    games: tuple[Game, ...],
    source: Source,
    number: int,
    *,
    has_stars: bool,
    practice: Practice,
) -> Match:
    oddities = tuple(draft.oddities)
    tags = tuple(draft.tags)
    conventions = profile(source, tags, draft.length, games, has_stars=has_stars, practice=practice)
    if conventions.producer == OPENGAMMON:
        games = tuple(_with_losers(game, source) for game in games)
    if draft.conventions is not None:
        conventions = amended(conventions, draft.conventions)
    return Match(source, number, "mat", draft.length, tags, games, oddities, conventions)


def _with_losers(game: Game, source: Source) -> Game:
    """Return a game of OpenGammon, whose `Resigned Game` stands in the column of the winner."""
    return game._replace(
        actions=tuple(
            action._replace(side=other_side(action.side))
            if type(action) is Resignation and _text_at(action.span, source).startswith("Resigned ")
            else action
            for action in game.actions
        )
    )


def _text_at(span: Span, source: Source) -> str:
    return source.lines[span.line - 1][span.column - 1 : span.end_column - 1]
