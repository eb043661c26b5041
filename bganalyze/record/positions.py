"""Read positions: XGIDs, OGIDs, GNU Backgammon's identifiers, Snowie's lines, and their reports.

Each position becomes a match of one game: its set-up, and the roll or double that is unanswered. A
report below a position is kept as its analysis.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import dropwhile, pairwise, takewhile

from lark import Token, Tree

from bganalyze.board.ids import Situation, parse_gnubg_id, parse_ogid, parse_xgid
from bganalyze.board.position import Position
from bganalyze.record.builder import (
    GameDraft,
    MatchDraft,
    finish_matches,
    note_unread_line,
    place_of_token,
    yield_lines,
)
from bganalyze.record.conventions import conventions_of_format
from bganalyze.record.grammar import LineStartPattern, grammar, rules, tokens
from bganalyze.record.match_text.cells import parse_snowie
from bganalyze.record.model import (
    LEFT,
    REMARK,
    RIGHT,
    Action,
    Analysis,
    Double,
    Length,
    Match,
    Play,
    PlayRecord,
    ScoreLine,
    SetUp,
    Side,
    Source,
    Span,
    Tag,
    Unread,
)
from bganalyze.record.prose import is_prose
from bganalyze.record.report_words import find_best_cube_action, has_analysis

NAMES = ("X", "O")
"""Names of left and right if the file gives none."""

CUBE_ACTION = "cube action"
"""Entry of an analysis with the best cube action in English, whatever the language of the
report."""

POSITIONS = frozenset(("XGID", "OGID", "GNUBG_ID", "MATCH_LINE", "BARE_ID", "SNOWIE", "BROKEN_ID"))

LONGEST_BARE = 100
"""Length of the longest line that can hold a Position ID alone, blanks included."""

MONEY_GAME = "cAkAAAAAAAAA"
"""Match ID of a money game with player X on roll."""


@cache
def _make_identifier_pattern() -> LineStartPattern:
    """Return the pattern for the start of a position's ID, such as `XGID=`."""
    return LineStartPattern(grammar("position").regex("_telling"))


def recognizes(text: str) -> bool:
    """Whether a line of a text is a position's ID, such as an XGID."""
    if _make_identifier_pattern().is_in(text):
        return True
    first = text.lstrip()[:LONGEST_BARE].partition("\n")[0]
    return _parse_bare_id(first) is not None


def tree(text: str) -> Tree[Token]:
    """Return the parse tree of a file that holds positions, with the text around them."""
    return grammar("position").parse("matches", text, _insert_match_starts)


def read(text: str, source: Source) -> list[Match]:
    """Return a match for every position in a text."""
    drafts = [_read_match(match) for match in rules(tree(text))]
    return finish_matches(drafts, source, "position", conventions_of_format("a position", source))


def _insert_match_starts(lines: Iterator[Token]) -> Iterator[Token]:
    """Yield the lines of a file, and the token `_MATCH_BEGINS` before each position."""
    every = list(_sort_out_bare_ids(list(lines)))
    types = [line.type for line in every]
    first_board = types.index("OWNER_LINE") if "OWNER_LINE" in types else len(types)
    positions = [index for index, name in enumerate(types) if name in POSITIONS]
    beginnings = {0}
    for before, position in pairwise(positions):
        has_board_above = first_board < before
        beginnings.add(
            before + 1 if has_board_above else _find_first_line_of_position(types, position)
        )
    for index, line in enumerate(every):
        if index in beginnings:
            yield Token("_MATCH_BEGINS", "")
        yield line


def _sort_out_bare_ids(lines: list[Token]) -> Iterator[Token]:
    """Yield the lines of a file, with the type `BARE_ID` for each Position ID to be read."""
    fuller = any(line.type in POSITIONS and line.type != "BARE_ID" for line in lines)
    for line in lines:
        # A fuller ID, such as an XGID, is preferred.
        if line.type == "BARE_ID" and (fuller or _parse_bare_id(line) is None):
            yield Token.new_borrow_pos("TEXT", line, line)
        elif line.type == "POSITION_LINE" and not fuller:
            yield Token.new_borrow_pos("BARE_ID", line, line)
        else:
            yield line


def _parse_bare_id(line: str) -> Situation | None:
    """Return the position of a line that is only a Position ID, or None."""
    parts = grammar("position").pattern("bare_id").fullmatch(line)
    if parts is None:
        return None
    try:
        return parse_gnubg_id(f"{parts['position_id']}:{MONEY_GAME}")
    except ValueError:
        return None


def _find_first_line_of_position(types: list[str], index: int) -> int:
    """Return the index of a position's first line, given the index of the last line.

    `types` are the token types of all lines.
    """
    # A Match ID belongs to the Position ID above.
    return index - (types[index - 1 : index + 1] == ["POSITION_LINE", "MATCH_LINE"])


def _read_match(match: Tree[Token]) -> MatchDraft:
    """Return a match that consists of one position, or of unreadable text in its place."""
    position = next(rules(match), None)
    line = list(tokens(position))[-1] if position else next(tokens(match))
    span, written = place_of_token(line), line.partition("\n")[0].strip()
    draft, game = MatchDraft(), GameDraft(span)
    draft.games.append(game)
    try:
        situation, names = _read_situation(position, line, _read_names(match))
    except ValueError:
        game.actions.append(Unread(span, None, None, written))
        return draft
    draft.length = Length(span, situation.length)
    draft.tags.append(Tag(span, "Position", written))
    if situation.length:
        game.crawford = situation.crawford
    else:
        draft.tags.append(Tag(span, "Jacoby", "On" if situation.jacoby else "Off"))
        draft.tags.append(Tag(span, "Beaver", "On" if situation.beavers else "Off"))
    _keep_texts(draft, match)
    game.score = ScoreLine(span, names, situation.scores, (span, span))
    game.actions += _yield_actions(situation, span, _read_report(match))
    game.actions += _yield_lost_rows(match)
    return draft


def _read_situation(
    position: Tree[Token] | None, line: Token, names: tuple[str, str]
) -> tuple[Situation, tuple[str, str]]:
    """Return the position on a line with the players' names; raise ValueError if unreadable.

    `names` are the names of X and O in the text around it.
    """
    if position is None or line.type == "BROKEN_ID":
        raise ValueError(line)
    if line.type == "XGID":
        return parse_xgid((line.partition("=")[2] or line).split()[0]), names
    if line.type == "OGID":
        return parse_ogid(line.strip().removeprefix("OGID=")), names
    if line.type == "SNOWIE":
        return _read_snowie(line)
    if line.type == "BARE_ID":
        situation = _parse_bare_id(line)
        if situation is None:
            raise ValueError(line)
        return situation, (names[RIGHT], names[LEFT])
    matches = (grammar("position").match(part.type.lower(), part) for part in tokens(position))
    ids = {name: written for match in matches for name, written in match.groupdict().items()}
    situation = parse_gnubg_id(f"{ids.get('position_id', '')}:{ids['match_id']}")
    return situation, (names[RIGHT], names[LEFT])


def _read_snowie(line: Token) -> tuple[Situation, tuple[str, str]]:
    """Return the position and names on a line of Snowie; raise ValueError if it is unreadable."""
    snowie = parse_snowie(line)
    if snowie is None:
        raise ValueError(line)
    is_right = snowie.turn == "1"
    on_roll: Side = RIGHT if is_right else LEFT
    situation = Situation(
        Position(snowie.own, snowie.other),
        on_roll,
        snowie.dice if all(1 <= die <= 6 for die in snowie.dice) else None,
        max(snowie.cube_value, 1),
        {0: None, 1: on_roll, -1: 1 - on_roll}.get(snowie.cube_owner),
        scores=snowie.scores[::-1] if is_right else snowie.scores,
        length=snowie.length,
        crawford=bool(snowie.length) and snowie.crawford,
        jacoby=not snowie.length and snowie.jacoby,
    )
    names = (snowie.on_roll, snowie.opponent)
    return situation, names[::-1] if is_right else names


def _read_names(match: Tree[Token]) -> tuple[str, str]:
    """Return the names of X and O in the text around a position, or `X` and `O`."""
    named = dict(zip(NAMES, NAMES, strict=True))
    for line in tokens(match):
        if line.type == "NAMES":
            both = grammar("position").match("names", line)
            named["X"], named["O"] = ((both[name] or "").strip() for name in ("x_name", "o_name"))
        elif line.type == "OWNER_LINE":
            owner = grammar("position").match("owner_line", line)
            named[owner["seat"]] = owner["name"] or owner["seat"]
    return named["X"], named["O"]


def _keep_texts(draft: MatchDraft, match: Tree[Token]) -> None:
    """Add sentences above a position as comments, and damaged positions as unreadable text."""
    is_above = True
    for part in match.children:
        is_above = is_above and isinstance(part, Token)
        if not isinstance(part, Token) or part.type != "TEXT":
            continue
        for span, line in yield_lines(part):
            if grammar("position").pattern("LOST_BOARD").search(line):
                draft.oddities.append(note_unread_line(span, line))
            elif is_above and is_prose(line):
                draft.tags.append(Tag(span, REMARK, line.strip()))


def _yield_lost_rows(match: Tree[Token]) -> Iterator[Unread]:
    """Yield one unreadable text for all rows of play around a position, or nothing without any."""
    texts = (part for part in match.children if isinstance(part, Token) and part.type == "TEXT")
    row = grammar("position").pattern("LOST_ROW")
    rows = [(span, line) for text in texts for span, line in yield_lines(text) if row.match(line)]
    if rows:
        span, line = rows[0]
        last_line = rows[-1][0].line
        yield Unread(span, None, None, line.strip(), last_line if len(rows) > 1 else None)


def _read_report(match: Tree[Token]) -> Analysis | None:
    """Return the analysis in the text below or above a position, or None."""
    under = dropwhile(lambda part: isinstance(part, Token), match.children)
    report = _join_texts(under)
    if not has_analysis(report):
        above = _join_texts(takewhile(lambda part: isinstance(part, Token), match.children))
        report = above if has_analysis(above) else report
    if not report:
        return None
    best = find_best_cube_action(report)
    entries = (("text", report),) if best is None else (("text", report), (CUBE_ACTION, best))
    return Analysis("report", entries)


def _join_texts(parts: Iterable[Token | Tree[Token]]) -> str:
    """Return the lines of text around a position, without blank lines."""
    texts = [part for part in parts if isinstance(part, Token) and part.type == "TEXT"]
    return "\n".join(line for text in texts for line in text.split("\n") if line)


def _yield_actions(situation: Situation, span: Span, report: Analysis | None) -> Iterator[Action]:
    """Yield the set-up of a position, then its roll or double, if any."""
    side: Side = RIGHT if situation.on_roll else LEFT
    own, other = situation.position
    boards = (own, other) if side == LEFT else (other, own)
    owner: Side | None = None
    if situation.cube_owner is not None:
        owner = RIGHT if situation.cube_owner else LEFT
    waiting = situation.dice is not None or situation.offered
    yield SetUp(
        span,
        "1",
        boards,
        situation.cube_value,
        owner,
        side,
        situation.crawford if situation.length else None,
        None if waiting else report,
    )
    if situation.offered:
        yield Double(span, "1", side, None, analysis=report)
    elif situation.dice is not None:
        yield Play(span, "1", side, situation.dice, how=PlayRecord.UNPLAYED, analysis=report)
