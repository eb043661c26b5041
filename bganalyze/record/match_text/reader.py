"""Read match text in two columns (`.mat` and its relatives): from lines to matches.

`mat.lark` names the lines, `columns.py` cuts the rows, `cells.py` reads the cells. This module
assigns them to matches, games and sides. Any text can be read: a line without meaning at its place
becomes `Unread`, and reading goes on with the next line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, islice
from typing import NamedTuple

from lark import Token, Tree

from bganalyze.board.ids import parse_xgid
from bganalyze.record.builder import (
    GameDraft,
    MatchDraft,
    add_title,
    place_of_token,
    read_points_on_line,
    yield_lines,
)
from bganalyze.record.conventions import (
    FOXAMON,
    OPENGAMMON,
    UNKNOWN,
    EndingCounts,
    add_hidden_conventions,
    count_resignations,
    infer_conventions,
)
from bganalyze.record.grammar import grammar, rules, tokens
from bganalyze.record.match_text.cells import (
    parse_cell,
    parse_play_only,
    parse_words_only,
    place_items,
    place_play,
)
from bganalyze.record.match_text.columns import (
    USUAL_LENGTH,
    CutRow,
    find_earliest_right_start,
    find_right_column,
    find_text_in_column,
    parse_row_number,
    split_rows,
)
from bganalyze.record.model import (
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
from bganalyze.record.prose import is_prose, is_remark_after_game, is_title
from bganalyze.record.text_caches import cache_by_text

SAMPLE_ROWS = 40
"""Number of rows examined to find the start of the right column."""

LONGEST_HEADER = 200
"""Number of lines above a match line that are searched for its header."""

REMEMBERED_ENTRIES = 4_096

BLANKS = " \t"
ROLL_LENGTH = len("42")
ROLL_WRITTEN = len("42: ")

LONGEST_TAG = 1_000
"""Longest header entry, in characters; a longer one is a comment, which keeps patterns fast."""

NAMES_OF_GNUBG = 32
"""Number of bytes before the second name in a game that GNU Backgammon exports alone (`.gam`)."""

OWN_MATCH, OWN_CONVENTIONS = "bganalyze match", "bganalyze conventions"
"""Header entries of this program: the start of a match without match line, and its conventions."""

_LENGTHS = frozenset(("MATCH_LINE", "LENGTH_LINE"))
_TAGS = frozenset(("TAGS", "BROKEN_TAG"))
_SCORE_RULES = {
    "SCORE_LINE": ("score_line", ""),
    "COLON_SCORE_LINE": ("colon_score_line", "colon_"),
    "ODD_SCORE_LINE": ("odd_score_line", "odd_"),
}
"""The rule of each kind of score line, and the start of the names in it."""

_HEADER = _TAGS | {"COMMENT", "TEXT"}
_PLAYED = frozenset(("GAME_LINE", *_SCORE_RULES, "SET_POSITION", "ROWS", "UNNUMBERED_ROW"))
"""Lines with which a game begins or goes on."""

_TELLING_LINES = ("MATCH_LINE", "GAME_LINE", "SCORE_LINE", "telling_row")
"""Lines that hardly occur in a text about something else; rows need a roll or a word of a cell."""


@cache
def _make_comment_line_pattern() -> re.Pattern[str]:
    """Return the pattern of a comment or blank line."""
    return re.compile(rf"(?:[ \t]*|{grammar('mat').regex('COMMENT')})\n+")


def begins_with_match_line(text: str) -> bool:
    """Whether the first line that is no comment is a match line."""
    start = 0
    while (comment := _make_comment_line_pattern().match(text, start)) is not None:
        start = comment.end()
    return grammar("mat").pattern("match_line").match(text, start) is not None


def recognizes(text: str) -> bool:
    """Whether a text seems to be match text, the format with a column for each player."""
    return any(grammar("mat").begins_line(name, text) for name in _TELLING_LINES)


def tree(text: str) -> Tree[Token]:
    """Return the parse tree of a file of match text: matches, games and their lines."""
    return grammar("mat").parse("matches", text, _insert_match_starts)


def cells(file_tree: Tree[Token], line: str) -> Iterator[tuple[str, str]]:
    """Yield the cells of a line: the rule `left_cell` or `right_cell`, and the text.

    `file_tree` is the whole file, whose rows show where the right column begins.
    """
    for row in split_rows(line, find_right_column(_yield_first_rows(rules(file_tree)))):
        yield from (("left_cell", row.left), ("right_cell", row.right))


class EarlyReading(NamedTuple):
    """The matches in a text before cleaning, and the lines that may need cleaning."""

    matches: list[Match]
    unusual_lines: str
    """All lines except header entries and rows of plays, as text made by `_select_lines`."""


def can_read_early(text: str) -> bool:
    """Whether a text may be match text without damage."""
    return "\t" not in text and begins_with_match_line(text)


def read_early(text: str, source: Source) -> EarlyReading | None:
    """Return the matches in a text before cleaning, and the lines that may need cleaning.

    If the text does not have two columns, the result is None.
    """
    matches = list(rules(tree(text)))
    column = find_right_column(_yield_first_rows(matches))
    if column is None:
        return None
    drafts = [_read_match(match, column) for match in matches]
    rows = chain.from_iterable(draft.unusual_rows for draft in drafts)
    unusual = sorted(chain(rows, *map(_find_lines_besides_rows, matches)))
    return EarlyReading(_finish_matches(text, source, drafts), _select_lines(source.lines, unusual))


def _find_lines_besides_rows(match: Tree[Token]) -> Iterator[int]:
    """Yield the number of each line of a match that is neither a header entry nor a row."""
    for part in match.children:
        for token in (part,) if isinstance(part, Token) else part.children:
            if isinstance(token, Token) and token.type not in ("TAGS", "ROWS"):
                assert token.line is not None
                yield token.line


def _select_lines(lines: Sequence[str], numbers: Iterable[int]) -> str:
    r"""Return a text of the lines with these numbers, with a blank line in place of each gap.

    >>> _select_lines(["Game 1", " 1) 31: 8/5", " 2) 42: 8/4 6/4  ", "Wins 1 point"], [1, 4])
    'Game 1\n  \nWins 1 point\n'
    """
    selected: list[str] = []
    last = 0
    for number in numbers:
        # The blank line keeps two blanks, which may show a wrap, at the end of the line above.
        if last != number - 1:
            selected.append("  " if lines[number - 2].endswith("  ") else "")
        selected.append(lines[number - 1])
        last = number
    return "\n".join((*selected, ""))


def read(text: str, source: Source) -> list[Match]:
    """Return the matches in match text, or one empty match if the text is unreadable."""
    matches = list(rules(tree(text)))
    column = find_right_column(_yield_first_rows(matches))
    return _finish_matches(text, source, [_read_match(match, column) for match in matches])


def _finish_matches(text: str, source: Source, drafts: Sequence[_Draft]) -> list[Match]:
    """Return the matches of a file as read, with the conventions of the file."""
    has_stars = "*" in text or "•" in text
    games = [tuple(game.finish() for game in draft.games) for draft in drafts]
    practice = count_resignations([*chain.from_iterable(games)])
    return [
        _finish_match(draft, of_match, source, number, has_stars=has_stars, endings=practice)
        for number, (draft, of_match) in enumerate(zip(drafts, games, strict=True), start=1)
    ]


def _insert_match_starts(lines: Iterator[Token]) -> Iterator[Token]:
    """Yield the lines of a file, and the token `_MATCH_BEGINS` before each match."""
    every = [line for token in lines for line in _split_header_of_bganalyze(token)]
    every = [*_mark_odd_names(every)]
    starts = _find_match_starts(every)
    is_begun = False
    yield Token("_MATCH_BEGINS", "")
    for index, token in enumerate(every):
        if is_begun and index in starts:
            is_begun = False
            yield Token("_MATCH_BEGINS", "")
        is_begun = is_begun or token.type in _PLAYED or token.type in _LENGTHS
        yield token


def _mark_odd_names(lines: Sequence[Token]) -> Iterator[Token]:
    """Yield the lines of a file, with a token type of their own for unusual names of players.

    A line with such names looks like another kind of line.
    """
    rest = list(lines)
    if rest and _begins_with_odd_names(rest):
        yield from _split_first_line(rest.pop(0), "ODD_NAMES")
    before = ""
    for token in rest:
        if before == "GAME_LINE" and _is_odd_score_line(token):
            yield from _split_first_line(token, "ODD_SCORE_LINE")
        else:
            yield token
        before = token.type


def _is_odd_score_line(token: Token) -> bool:
    """Whether the first line of a token is a score line in an unusual form."""
    if token.type in _SCORE_RULES:
        return False
    line = token.partition("\n")[0]
    return len(line) <= LONGEST_TAG and (
        grammar("mat").pattern("odd_score_line").fullmatch(line) is not None
    )


def _split_first_line(token: Token, kind: str) -> Iterator[Token]:
    """Yield the first line of a token as a token of type `kind`, then the rest as a token."""
    line, rest = token.partition("\n")[::2]
    number = place_of_token(token).line
    yield Token(kind, line, token.start_pos, number, 1, number)
    if rest:
        yield Token(token.type, rest, None, number + 1, 1, token.end_line)


def _begins_with_odd_names(lines: Sequence[Token]) -> bool:
    """Whether the lines are a single game that begins with names of players in an odd form."""
    first, below = lines[0].partition("\n")[::2]
    if not below:
        below = lines[1] if len(lines) > 1 and lines[1].type == "ROWS" else ""
    is_single = not any(line.type in ("GAME_LINE", *_LENGTHS, *_SCORE_RULES) for line in lines[1:])
    is_first_row = below.lstrip().startswith(("1)", "01)"))
    return is_single and is_first_row and _has_odd_names(lines[0], first)


def _has_odd_names(token: Token, line: str) -> bool:
    """Whether `line` may hold the names of both players, with a wide gap between them.

    `line` is the first line of `token`, whose type says otherwise.
    """
    names = _parse_odd_names(line)
    if names is None:
        return False
    if len(line[: names.start("odd_second")].encode()) == NAMES_OF_GNUBG:
        return True
    if token.type not in ("TEXT", "UNNUMBERED_ROW", "RAGGED_ROW"):
        return False
    enough = all if is_title(line) else any
    return enough(any(map(str.isalpha, name)) for name in names.groups())


def _parse_odd_names(line: str) -> re.Match[str] | None:
    """Return the regex match of a line with two names in columns, or None."""
    if len(line) > LONGEST_TAG:
        return None
    return grammar("mat").pattern("odd_names").fullmatch(line)


def _split_header_of_bganalyze(token: Token) -> Iterable[Token]:
    """Return header entries that bganalyze wrote as single lines, and any other token unchanged."""
    return _split_lines(token) if token.type == "TAGS" and OWN_MATCH in token else (token,)


def _split_lines(lines: Token) -> Iterator[Token]:
    """Yield each line of a token as a token of its own."""
    assert lines.line is not None
    for number, line in enumerate(lines.split("\n"), start=lines.line):
        yield Token(lines.type, line, line=number, column=1, end_line=number)


def _yield_first_rows(matches: Iterable[Tree[Token]]) -> Iterator[str]:
    """Yield the first rows of a file, `SAMPLE_ROWS` at most."""
    runs = (
        row
        for match in matches
        for game in rules(match)
        for token in tokens(game)
        if token.type == "ROWS"
        for row in token.split("\n")
    )
    return islice(runs, SAMPLE_ROWS)


def _find_match_starts(lines: list[Token]) -> set[int]:
    """Return the indexes of the lines at which matches begin."""
    kinds = [token.type for token in lines]
    if "GAME_LINE" in kinds or not _LENGTHS.isdisjoint(kinds):
        own = {n for n, kind in enumerate(kinds) if kind in _TAGS and OWN_MATCH in lines[n]}
        stated = (*_find_length_lines(kinds), *_find_new_players(lines))
        return own | {_find_header_start(lines, n) for n in stated}
    above_rows = (n for n, kind in enumerate(kinds[1:]) if kind == "ROWS")
    return {n for n in above_rows if kinds[n] == "TEXT" and _has_names_with_letters(lines[n])}


def _find_length_lines(kinds: list[str]) -> Iterator[int]:
    """Yield the index of the line that first states the match length in each header."""
    is_stated = False
    for index, kind in enumerate(kinds):
        if kind in _LENGTHS:
            if not is_stated:
                yield index
            is_stated = True
        elif kind in _PLAYED or kind in _TAGS:
            is_stated = False


def _find_new_players(lines: Sequence[Token]) -> Iterator[int]:
    """Yield the index of each line `Game 1` below which other players begin than in the match above."""
    before: Token | None = None
    for index, token in enumerate(lines):
        if token.type in _LENGTHS:
            before = None
        if token.type not in _SCORE_RULES:
            continue
        if before is not None and _is_below_game_1(lines, index):
            score = _read_score(token, *_SCORE_RULES[token.type])
            former = _read_score(before, *_SCORE_RULES[before.type])
            # The score line must be 0-0, with other names than before.
            if score.points == (0, 0) and _fold_names(score) != _fold_names(former):
                yield index - 1
        before = token


def _is_below_game_1(lines: Sequence[Token], index: int) -> bool:
    """Whether the line directly above the line at `index` is `Game 1`."""
    above = lines[index - 1] if index else None
    return above is not None and above.type == "GAME_LINE" and _read_game_number(above) == 1


def _fold_names(score: ScoreLine) -> set[str]:
    """Return the two names on a score line, case-folded."""
    return {name.casefold() for name in score.names}


def _read_game_number(token: Token) -> int:
    """Return the number on a game line such as `Game 3`."""
    return int(grammar("mat").match("game_line", token)["number"])


def _find_header_start(lines: list[Token], match_line_index: int) -> int:
    """Return the index of the first line of the header that a match line belongs to."""
    start = match_line_index
    for index in range(match_line_index - 1, max(match_line_index - LONGEST_HEADER, 0) - 1, -1):
        kind = lines[index].type
        if kind not in _HEADER:
            break
        if kind in _TAGS or _is_below_blank(lines, index):
            start = index
    return start


def _is_below_blank(lines: list[Token], index: int) -> bool:
    """Whether the line directly above the line at `index` is blank."""
    line, before = lines[index].line, lines[index - 1].end_line if index else 0
    assert line is not None
    assert before is not None
    return line > before + 1


@dataclass(slots=True, eq=False, repr=False)
class _Draft(MatchDraft):
    """A match that is being read."""

    conventions: str | None = None
    """Conventions that this program wrote into the header."""
    length_as_written: str = ""
    titled_lengths: list[Length] = field(default_factory=list)
    """Lengths inside titles, such as `Ann vs Bob, 5 point match`."""
    names: ScoreLine | None = None
    """Players of a single game, if a line above it names them."""
    unusual_rows: list[int] = field(default_factory=list)
    """Lines of the rows that consist of more than a number and plays."""

    def take_names_above_games(self, game: GameDraft) -> None:
        """Give a game a score line of 0-0 with the names that stand above the games, if any."""
        if self.names is not None:
            game.score, span = self.names, self.names.span
            # The header loses what was made from that line.
            self.tags = [tag for tag in self.tags if tag.span != span]
            self.oddities = [note for note in self.oddities if note.span != span]


def _read_match(match: Tree[Token], column: int | None) -> _Draft:
    """Return the match in a parse tree, with its header and games.

    `column` is the usual offset of right cells, or None.
    """
    draft = _Draft()
    for part in match.children:
        if isinstance(part, Token):
            _add_header_line(draft, part)
        else:
            _add_game(draft, part, column)
    if draft.titled_lengths:
        _take_length_from_titles(draft)
    return draft


def _take_length_from_titles(draft: _Draft) -> None:
    """Set the match length from titles, if these agree and no match line states the length."""
    titled = draft.titled_lengths
    if draft.length is None and len({length.points for length in titled}) == 1:
        draft.length = titled[0]
    if draft.length is not None:
        # Notes that such a title cannot be read are removed.
        lines = {one.span.line for one in titled if one.points == draft.length.points}
        draft.oddities = [note for note in draft.oddities if note.span.line not in lines]


def _add_header_line(draft: _Draft, token: Token) -> None:
    """Add a line above the games, such as a header entry, to the match."""
    match token.type:
        case "MATCH_LINE" | "LENGTH_LINE":
            _read_length(draft, token)
        case "TAGS":
            for span, line in yield_lines(token):
                _add_tag(draft, span, line)
        case "BROKEN_TAG" | "COMMENT":
            _add_header_comment(draft, place_of_token(token), token)
        case "ODD_NAMES":
            draft.names = _make_score_from_names(token, grammar("mat").match("odd_names", token))
        case _:
            _add_title(draft, token)


def _read_length(draft: _Draft, token: Token) -> None:
    """Set the length of the match from a line such as `5 point match`."""
    parts = grammar("mat").match(token.type.lower(), token).groupdict()
    stated = next(filter(None, (parts.get("length"), parts.get("length2"))), None)
    length = Length(place_of_token(token), int(stated or 0))
    if draft.length is not None and draft.length.points != length.points:
        draft.oddities.append(
            ReaderNote("unreadable-text", draft.length.span, draft.length_as_written)
        )
    draft.length, draft.length_as_written = length, token.strip()


def _add_tag(draft: _Draft, span: Span, line: str) -> None:
    """Add a header entry such as `; [Event "Open"]` to the match."""
    if len(line) > LONGEST_TAG:
        _add_header_comment(draft, span, line)
        return
    key, value = _read_entry(line)
    # Entries that bganalyze writes (start of a match, conventions) are left out.
    if key == OWN_CONVENTIONS:
        draft.conventions = value
    elif key != OWN_MATCH:
        draft.tags.append(Tag(span, key, value.strip()))


@cache_by_text(REMEMBERED_ENTRIES)  # Half of the entries occur in many files.
def _read_entry(line: str) -> tuple[str, str]:
    """Return the key and value of a header entry such as `; [Event "Open"]`."""
    parts = grammar("mat").match("tag", line)
    key, value = parts["key"].strip(), parts["value"] or ""
    if parts["quoted"] is None:
        key, _, value = key.partition(" ")
    return key, value


def _strip_comment_sign(line: str) -> str:
    """Return the text of a comment line without its sign."""
    return line.strip().lstrip(";#").strip()


def _add_header_comment(draft: _Draft, span: Span, line: str) -> None:
    """Add a comment above the games to the header, unless it is empty."""
    text = _strip_comment_sign(line)
    if text:
        draft.tags.append(Tag(span, REMARK, text))


def _add_title(draft: _Draft, token: Token) -> None:
    """Add an unknown line above the games to the header, as an entry or a comment."""
    stated = grammar("mat").pattern("TITLED_LENGTH").search(token[:LONGEST_TAG])
    if stated is not None:
        place = place_of_token(token, *stated.span("titled"))
        draft.titled_lengths.append(Length(place, int(stated["titled"])))
    names = _parse_names(token)
    if names is not None:
        draft.names = _make_score_from_names(token, names)
    add_title(draft, token)


def _has_names_with_letters(token: Token) -> bool:
    """Whether a line names both players of a single game, and each name has a letter."""
    names = _parse_names(token)
    return names is not None and all(any(map(str.isalpha, name)) for name in names.groups())


def _parse_names(token: Token) -> re.Match[str] | None:
    """Return the regex match of a line with both players' names, or None."""
    if len(token) > LONGEST_TAG:
        return None
    names = grammar("mat").pattern("names").fullmatch(token)
    if names is None:
        return None
    enough = any if token.line == 1 and not is_title(token) else all
    return names if enough(any(map(str.isalpha, name)) for name in names.groups()) else None


def _make_score_from_names(token: Token, names: re.Match[str]) -> ScoreLine:
    """Return a score line of 0-0 with the two names of a regex match."""
    first, second = (place_of_token(token, *names.span(group)) for group in (1, 2))
    return ScoreLine(place_of_token(token), (names[1], names[2]), (0, 0), (first, second))


def _add_game(draft: _Draft, lines: Tree[Token], column: int | None) -> None:
    """Add a game from its lines. `column` is the usual offset of right cells."""
    first = lines.children[0]
    assert isinstance(first, Token)
    game = GameDraft(place_of_token(first))
    if first.type == "GAME_LINE":
        game.number = _read_game_number(first)
    elif not draft.games and first.type not in _SCORE_RULES:
        draft.take_names_above_games(game)
    draft.games.append(game)
    rows = _Rows(draft, game, column)
    is_over = False
    for line in tokens(lines):
        match line.type:
            case "RAGGED_ROW" if is_prose(line):
                _add_unread(game, line, is_over=is_over)
            case "ROWS" | "UNNUMBERED_ROW" | "RAGGED_ROW":
                rows.add_rows(line)
                is_over = bool(game.actions) and isinstance(game.actions[-1], Result)
            case "SCORE_LINE" | "COLON_SCORE_LINE" | "ODD_SCORE_LINE":
                former = draft.games[-2].score if len(draft.games) > 1 else None
                game.score = _read_score_after(former, line)
            case "COMMENT" | "TAGS" | "BROKEN_TAG":
                game.actions += (
                    Comment(span, None, _strip_comment_sign(text))
                    for span, text in yield_lines(line)
                )
            case "SET_POSITION":
                game.actions.append(_read_set_up(line))
            case "TEXT":
                _add_text(draft, game, line, is_over=is_over)


def _add_text(draft: _Draft, game: GameDraft, line: Token, *, is_over: bool) -> None:
    """Add an unknown line to a game, as the players' names or as other text.

    `is_over` says whether the result of the game is above the line.
    """
    may_be_names = len(draft.games) == 1 and game.score is None and not game.actions
    names = _parse_names(line) if may_be_names else None
    if names is None:
        if not _repeats_names(draft, game, line):
            _add_unread(game, line, is_over=is_over)
    else:
        game.score = _make_score_from_names(line, names)


def _repeats_names(draft: _Draft, game: GameDraft, line: Token) -> bool:
    """Whether a line above the rows of a later game only repeats the players' names."""
    if game.actions or len(draft.games) < 2 or ":" in line:  # A damaged score line is unreadable.
        return False
    names = _parse_names(line)
    former = draft.games[0].score
    return names is not None and former is not None and names.groups() == former.names


def _read_score_after(former: ScoreLine | None, token: Token) -> ScoreLine:
    """Return the score on a line, given the score line of the game before (`former`)."""
    score = _read_score(token, *_SCORE_RULES[token.type])
    if former is None or former.names == score.names or not former.names[RIGHT][:1].isdigit():
        return score
    # After a player 50-Bob, `Ann : 150-Bob : 0` means 1 point of Ann.
    left, right = map(re.escape, former.names)
    pattern = rf"[ \t]*+{left}[ ]:[ ](?P<left_points>[0-9]{{1,9}}?){right}[ ]:[ ](?P<right_points>[0-9]{{1,9}})"
    parts = re.match(pattern, token)
    if parts is None:
        return score
    points, spans = read_points_on_line(token, parts)
    return ScoreLine(score.span, former.names, points, spans)


def _read_score(token: Token, rule: str, prefix: str) -> ScoreLine:
    """Return the score on a line, read with the grammar rule `rule`.

    `prefix` begins the names of the two groups of the rule that hold the players.
    """
    parts = grammar("mat").match(rule, token)
    points, spans = read_points_on_line(token, parts)
    names = (
        (parts[f"{prefix}left"] or "").strip(),
        (parts[f"{prefix}right"] or "").strip(),
    )
    return ScoreLine(place_of_token(token), names, points, spans)


def _read_set_up(token: Token) -> SetUp | Unread:
    """Return the set-up on a line such as `; Set Pos=…/1`, or unreadable text."""
    board, slash, cube = token.partition("=")[2].strip().partition("/")
    try:
        right, left = parse_xgid(f"XGID={board[:26]}:0:0:1:00:0:0:0:0:10").position
        power = int(cube.split()[0]) if cube.strip() else 0
    except ValueError:
        return Unread(place_of_token(token), None, None, token.strip())
    owner: Side | None = None if power == 0 else RIGHT if power > 0 else LEFT
    value = 2 ** min(abs(power), 30) if slash else None
    return SetUp(place_of_token(token), None, (left, right), value, owner)


def _is_below_blank_or_comment(game: GameDraft, token: Token) -> bool:
    """Whether a blank line or a comment of the game is above a line."""
    last = game.actions[-1]
    assert token.line is not None
    return isinstance(last, Comment) or token.line > last.span.line + 1


def _add_unread(game: GameDraft, token: Token, *, is_over: bool) -> None:
    """Add an unknown line to a game: prose as a comment, other text as unreadable.

    `is_over` says whether the result of the game is above the line.
    """
    if not token.strip():
        return
    # After the result, a short line may be prose.
    is_remark = (
        is_remark_after_game if is_over and _is_below_blank_or_comment(game, token) else is_prose
    )
    if is_remark(token):
        game.actions.append(Comment(place_of_token(token), None, token.strip()))
        return
    before = game.actions[-1] if game.actions else None
    if type(before) is Unread and before.side is None:
        game.actions[-1] = before._replace(last_line=token.line)
    else:
        game.actions.append(Unread(place_of_token(token), None, None, token.strip()))


@dataclass(slots=True, eq=False, repr=False)
class _Rows:
    """Reads the rows of a game. `column` is the usual offset of right cells, or None."""

    draft: _Draft
    game: GameDraft
    column: int | None
    next_label: int = 1

    def add_rows(self, rows: Token) -> None:
        """Add the actions of one or more rows to the game."""
        assert rows.line is not None
        for line, text in enumerate(rows.split("\n"), start=rows.line):
            if len(text) > USUAL_LENGTH or not self._add_plain_row(line, text):
                self.draft.unusual_rows.append(line)
                for row in split_rows(text, self.column):
                    self._add_row(line, row)

    def _add_plain_row(self, line_number: int, text: str) -> bool:
        """Add a row if it has the usual form, and return whether it has."""
        left_at, right_at = text.find(":") - ROLL_LENGTH, text.rfind(":") - ROLL_LENGTH
        number, label, end = parse_row_number[text[:left_at]]
        if number != self.next_label:
            return False
        if left_at == right_at < find_earliest_right_start(self.column, end):
            return self._add_plain_left_row(line_number, text.rstrip(), left_at)
        right = parse_play_only[text[right_at:].rstrip()]
        if right is None:
            return False
        if left_at < right_at:
            left = parse_play_only[text[left_at:right_at].rstrip()]
            is_doubled = right_at - left_at == ROLL_WRITTEN  # Possibly two rolls before one play.
            if left is None or is_doubled or text[right_at - 1] not in BLANKS:
                return False
            self.game.actions.append(place_play(left, line_number, left_at + 1, label, LEFT))
        self.next_label = number + 1
        self.game.actions.append(place_play(right, line_number, right_at + 1, label, RIGHT))
        return True

    def _add_plain_left_row(self, line_number: int, text: str, left_start: int) -> bool:
        """Add a row if it has only left's play and words of right, and return whether it has.

        `left_start` is the offset of left's play in the row.
        """
        right_at = find_text_in_column(text, left_start, self.column) or len(text)
        cell, words = text[left_start:right_at].rstrip(), parse_words_only[text[right_at:]]
        play = parse_play_only[cell]
        if (
            play is None
            or words is None
            or "\t" in text
            or (right_at == len(text) and "  " in cell)
        ):
            return False
        self.draft.unusual_rows.append(line_number)
        label = str(self.next_label)
        self.next_label += 1
        self.game.actions.append(place_play(play, line_number, left_start + 1, label, LEFT))
        self._add_cell(place_items(words, line_number, right_at + 1, label, RIGHT))
        return True

    def _add_row(self, line_number: int, row: CutRow) -> None:
        """Add the actions in both cells of a row, and the comment after them."""
        label, left, left_at, right, right_at, label_at, remark, remark_at = row
        if label is not None and (left or right):
            self._note_wrong_row_number(label, line_number, label_at + 1)
        if left:
            self._add_cell(place_items(parse_cell(left), line_number, left_at + 1, label, LEFT))
        if right:
            self._add_cell(place_items(parse_cell(right), line_number, right_at + 1, label, RIGHT))
        if remark:
            place = Span(line_number, remark_at + 1, remark_at + 1 + len(remark.rstrip()))
            self.game.actions.append(Comment(place, label, remark.lstrip(";#").strip()))

    def _add_cell(self, cell: list[Action | ReaderNote]) -> None:
        """Add the actions of a cell (one side's half of a row) to the game."""
        named: Side | None = None
        has_result = any(type(action) is Result for action in cell)
        for action in cell:
            if isinstance(action, ReaderNote):
                self._add_note(action)
                continue
            player = self._find_named_player(action, has_result=has_result)
            if player is not None:
                named = player
            # A player named before the result wins.
            elif type(action) is Result and named is not None:
                self._add_action(action._replace(side=named))
            else:
                self._add_action(action)

    def _add_action(self, action: Action) -> None:
        """Add an action, and if it is a result, correct the side of the resignation above it."""
        _assign_resignation_to_loser(self.game, action)
        self.game.actions.append(action)

    def _find_named_player(self, action: Action, *, has_result: bool) -> Side | None:
        """Return the player whose name, such as `Ann:`, is all of an unreadable text, or None.

        `has_result` says whether the text's cell has a result; only then may the other column's
        player be named.
        """
        score = self.game.score or self.draft.games[0].score
        if type(action) is not Unread or action.side is None or score is None:
            return None
        text = action.text.removesuffix(":").removeprefix("(").casefold()
        names = [name.casefold() for name in score.names]
        sides = (LEFT, RIGHT) if has_result else (action.side,)
        return next((side for side in sides if names[side] == text), None)

    def _note_wrong_row_number(self, label: str, line_number: int, column: int) -> None:
        """Add a note if the number of a row is not the next number after the last row."""
        number = int(label) if label.isdigit() else self.next_label
        if number != self.next_label or not label.isdigit():
            place = Span(line_number, column, column + len(label))
            self._add_note(ReaderNote("row-number", place, label, row=label))
        self.next_label = number + 1

    def _add_note(self, note: ReaderNote) -> None:
        """Add a note on the text of the current game to the match."""
        self.draft.oddities.append(note._replace(game=len(self.draft.games)))


def _assign_resignation_to_loser(game: GameDraft, next_action: Action) -> None:
    """Make the last resignation of a game the loser's, if `next_action` is the result."""
    if type(next_action) is not Result:
        return
    places = range(len(game.actions))
    last = next((at for at in reversed(places) if not _is_outside_cells(game.actions[at])), None)
    before = None if last is None else game.actions[last]
    if (
        last is not None
        and isinstance(before, Resignation)
        and before.row is None
        and before.span.line < next_action.span.line
    ):
        # A line `Losses N points` does not say who lost.
        game.actions[last] = before._replace(side=other_side(next_action.side))


def _is_outside_cells(action: Action) -> bool:
    """Whether an action is a comment, or unreadable text that stands in neither column."""
    return isinstance(action, Comment) or (isinstance(action, Unread) and action.side is None)


def _finish_match(
    draft: _Draft,
    games: tuple[Game, ...],
    source: Source,
    number: int,
    *,
    has_stars: bool,
    endings: EndingCounts,
) -> Match:
    """Return a match as read, with the conventions of the file.

    `has_stars` says whether the file contains a `*`. `endings` counts the games with a resignation
    in words, and those that seem to lack one.
    """
    oddities = tuple(draft.oddities)
    tags = tuple(draft.tags)
    conventions = infer_conventions(
        source, tags, draft.length, games, has_stars=has_stars, endings=endings
    )
    if conventions.producer in (OPENGAMMON, FOXAMON) or (
        conventions.producer == UNKNOWN and _winners_resign(games, source)
    ):
        games = tuple(_swap_resignations(game, source) for game in games)
    if draft.conventions is not None:
        conventions = add_hidden_conventions(conventions, draft.conventions)
    return Match(source, number, "mat", draft.length, tags, games, oddities, conventions)


_RESIGNED = ("Resigned Game", "Resigned Match")
"""Resignations as OpenGammon and Foxamon write them, in the winner's column."""


def _is_opengammon_resignation(action: Resignation, source: Source) -> bool:
    """Whether a resignation is in OpenGammon's words."""
    return source.text_at(action.span).startswith(_RESIGNED)


def _winners_resign(games: tuple[Game, ...], source: Source) -> bool:
    """Whether each resignation in OpenGammon's words stands in the winner's column."""
    columns = [
        action.side == result.side
        for game in games
        for action in game.actions
        if type(action) is Resignation and _is_opengammon_resignation(action, source)
        for result in game.actions
        if type(result) is Result
    ]
    return bool(columns) and all(columns)


def _swap_resignations(game: Game, source: Source) -> Game:
    """Return a game in which each resignation in OpenGammon's words is by the other side."""
    return game._replace(
        actions=tuple(
            action._replace(side=other_side(action.side))
            if type(action) is Resignation and _is_opengammon_resignation(action, source)
            else action
            for action in game.actions
        )
    )
