"""Positions: XGIDs, GNU Backgammon's identifiers and Snowie's lines, with what stands around them.

Each position is a match of one game: its set-up, and the roll or the double that waits for an
answer. A report under it is kept as the program's analysis.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import dropwhile, pairwise

from lark import Token, Tree

from bganalyze.board.ids import Situation, parse_gnubg_id, parse_ogid, parse_xgid
from bganalyze.board.position import Position
from bganalyze.record.builder import (
    GameDraft,
    MatchDraft,
    all_finished,
    lines_of,
    place,
    unread_above,
)
from bganalyze.record.grammar import LineGist, grammar, rules, tokens
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
from bganalyze.record.profile import stated
from bganalyze.record.prose import is_prose


def best_cube_action(report: str) -> str | None:
    """Return the best action with the cube and the answer to it, or None where none is named.

    >>> best_cube_action("Meilleur action du videau: Trop bon pour redoubler / Passe")
    'too good / pass'
    >>> best_cube_action(" キューブアクション:     :  ダブルせず / 受ける     EMG")
    'no double / take'
    >>> best_cube_action("Double/Take: +0.689")
    """
    lines = (line for line in report.split("\n") if " / " in line)
    legalities = map(grammar("position").pattern("legality").search, lines)
    legality = next(filter(None, legalities), None)
    if legality is None:
        return None
    return " / ".join(
        name.replace("_", " ") for name, words in legality.groupdict().items() if words
    )


NAMES = ("X", "O")
"""Left and right, where nothing names them."""

CUBE_ACTION = "cube action"
"""The entry of an analysis that says in English what a report in any language calls best."""

POSITIONS = frozenset(("XGID", "OGID", "GNUBG_ID", "MATCH_LINE", "BARE_ID", "SNOWIE", "BROKEN_ID"))

LONGEST_BARE = 100
"""No line that holds a Position ID alone is longer, blanks and all."""

MONEY_GAME = "cAkAAAAAAAAA"
"""The Match ID of a money game in which player X is on roll."""


@cache
def _gist() -> LineGist:
    """A line of identifiers."""
    return LineGist(grammar("position").regex("_telling"))


def recognizes(text: str) -> bool:
    """Whether a line of `text` is one of the identifiers of a position, or the first a bare one."""
    if _gist().is_in(text):
        return True
    first = text.lstrip()[:LONGEST_BARE].partition("\n")[0]
    return _bare_id(first) is not None


def tree(text: str) -> Tree[Token]:
    """Return what a file is made of: matches, each of a position and what stands around it."""
    return grammar("position").parse("matches", text, _with_beginnings)


def read(text: str, source: Source) -> list[Match]:
    """Return a match for every position in `text`; at least one."""
    drafts = [_draft(match) for match in rules(tree(text))]
    return all_finished(drafts, source, "position", stated("a position", source))


def _with_beginnings(lines: Iterator[Token]) -> Iterator[Token]:
    """Yield the lines of a file, and where a match begins a token of its own.

    BGBlitz draws the board above the XGID: what stands between two of them belongs to the second.
    """
    every = list(_with_bare_ids(list(lines)))
    types = [line.type for line in every]
    first_board = types.index("OWNER_LINE") if "OWNER_LINE" in types else len(types)
    positions = [index for index, name in enumerate(types) if name in POSITIONS]
    beginnings = {0}
    for before, position in pairwise(positions):
        has_board_above = first_board < before
        beginnings.add(before + 1 if has_board_above else _first_line(types, position))
    for index, line in enumerate(every):
        if index in beginnings:
            yield Token("_MATCH_BEGINS", "")
        yield line


def _with_bare_ids(lines: list[Token]) -> Iterator[Token]:
    """Yield the lines of a file; Position IDs alone count where no fuller identifier stands."""
    fuller = any(line.type in POSITIONS and line.type != "BARE_ID" for line in lines)
    for line in lines:
        if line.type == "BARE_ID" and (fuller or _bare_id(line) is None):
            yield Token.new_borrow_pos("TEXT", line, line)
        elif line.type == "POSITION_LINE" and not fuller:
            yield Token.new_borrow_pos("BARE_ID", line, line)
        else:
            yield line


def _bare_id(line: str) -> Situation | None:
    """Return what a Position ID says that stands alone on a line; None where it is none."""
    parts = grammar("position").pattern("bare_id").fullmatch(line)
    if parts is None:
        return None
    try:
        return parse_gnubg_id(f"{parts['position_id']}:{MONEY_GAME}")
    except ValueError:
        return None


def _first_line(types: list[str], index: int) -> int:
    """A Match ID stands under its Position ID."""
    return index - (types[index - 1 : index + 1] == ["POSITION_LINE", "MATCH_LINE"])


def _draft(match: Tree[Token]) -> MatchDraft:
    """Return the match of one position; a text without one is damaged, and unread."""
    position = next(rules(match), None)
    line = list(tokens(position))[-1] if position else next(tokens(match))
    span, written = place(line), line.partition("\n")[0].strip()
    draft, game = MatchDraft(), GameDraft(span)
    draft.games.append(game)
    try:
        situation, names = _situation(position, line, _names(match))
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
    game.actions += _actions(situation, span, _report(match))
    return draft


def _situation(
    position: Tree[Token] | None, line: Token, names: tuple[str, str]
) -> tuple[Situation, tuple[str, str]]:
    """Return what the identifiers say, and the names of left and right; raise ValueError."""
    if position is None or line.type == "BROKEN_ID":
        raise ValueError(line)
    if line.type == "XGID":
        return parse_xgid(line.split()[0]), names
    if line.type == "OGID":
        return parse_ogid(line.strip().removeprefix("OGID=")), names
    if line.type == "SNOWIE":
        return _snowie(line)
    if line.type == "BARE_ID":
        situation = _bare_id(line)
        if situation is None:
            raise ValueError(line)
        return situation, (names[RIGHT], names[LEFT])
    matches = (grammar("position").match(part.type.lower(), part) for part in tokens(position))
    ids = {name: written for match in matches for name, written in match.groupdict().items()}
    situation = parse_gnubg_id(f"{ids.get('position_id', '')}:{ids['match_id']}")
    return situation, (names[RIGHT], names[LEFT])


def _snowie(line: Token) -> tuple[Situation, tuple[str, str]]:
    """Snowie's position: who is on roll is named first, and is left where the side is 0."""
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


def _names(match: Tree[Token]) -> tuple[str, str]:
    """The names of X and O, where a line near the position tells."""
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
    """Keep the prose above a position, and tell of boards in lines that cannot be read."""
    is_above = True
    for part in match.children:
        is_above = is_above and isinstance(part, Token)
        if not isinstance(part, Token) or part.type != "TEXT":
            continue
        for span, line in lines_of(part):
            if grammar("position").pattern("LOST_BOARD").search(line):
                draft.oddities.append(unread_above(span, line))
            elif is_above and is_prose(line):
                draft.tags.append(Tag(span, REMARK, line.strip()))


def _report(match: Tree[Token]) -> Analysis | None:
    """The lines under a position as they stand, and what they call the best cube action."""
    under = dropwhile(lambda part: isinstance(part, Token), match.children)
    texts = [part for part in under if isinstance(part, Token) and part.type == "TEXT"]
    report = "\n".join(line for text in texts for line in text.split("\n") if line)
    if not report:
        return None
    best = best_cube_action(report)
    entries = (("text", report),) if best is None else (("text", report), (CUBE_ACTION, best))
    return Analysis("report", entries)


def _actions(situation: Situation, span: Span, report: Analysis | None) -> Iterator[Action]:
    """The set-up, and what the side on roll has done: rolled, doubled or nothing yet."""
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
