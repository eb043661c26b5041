"""Positions: XGIDs, GNU Backgammon's identifiers and Snowie's lines, with what stands around them.

Each position is a match of one game: its set-up, and the throw or the double that waits for an
answer. A report under it is kept as the program's analysis.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lark import Token

from bganalyze.board.ids import Situation, parse_gnubg_id, parse_ogid, parse_xgid
from bganalyze.board.position import Position
from bganalyze.transcript.builder import MOST_DIGITS, GameDraft, MatchDraft, place
from bganalyze.transcript.grammar import LineGist, lexer
from bganalyze.transcript.match_text.cells import parse_snowie
from bganalyze.transcript.model import (
    LEFT,
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
from bganalyze.transcript.profile import stated

# The words in which eXtreme Gammon and BGBlitz name the best action with the cube.
#
# Only what genuine reports in English, German, French and Japanese say stands here; everything else
# that matters in a report is said in numbers.

OFFERS = {
    "no double": (
        "No double",
        "Nicht Doppeln",
        "Kein Doppel",
        "Pas de double",
        "ノーダブル",
        "ダブルせず",
    ),
    "no redouble": ("Nicht Redoppeln", "ノーリダブル"),
    "double": ("Double", "Doppeln", "Doubler", "ダブル", "ダブルする"),
    "redouble": ("Redouble", "Redoppeln", "リダブル"),
    "too good": ("Zu gut zum redoppeln", "Trop bon pour redoubler", "ツーグッド"),
}
ANSWERS = {
    "take": ("Take", "Annehmen", "Prend", "Prendre", "テイク", "受ける"),
    "pass": ("Pass", "Reject", "Ablehnen", "Passe", "Rejeter", "Refuser", "パス"),
}

_MEANT = {
    word.casefold(): meant
    for table in (OFFERS, ANSWERS)
    for meant, words in table.items()
    for word in words
}


def _any_of(table: dict[str, tuple[str, ...]]) -> str:
    """A pattern of all words, the longest first."""
    words = sorted((word for words in table.values() for word in words), key=len, reverse=True)
    return "|".join(map(re.escape, words))


_VERDICT = re.compile(
    rf"(?:[ \t:\uff1a])({_any_of(OFFERS)}) / ({_any_of(ANSWERS)})(?:[ \t]+EMG)?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)


def best_cube_action(report: str) -> str | None:
    """Return the best action with the cube and the answer to it, or None where none is named.

    >>> best_cube_action("Meilleur action du videau: Trop bon pour redoubler / Passe")
    'too good / pass'
    >>> best_cube_action(" キューブアクション:     :  ダブルせず / 受ける     EMG")
    'no double / take'
    >>> best_cube_action("Double/Take: +0.689")
    """
    found = _VERDICT.search(report)
    if found is None:
        return None
    return " / ".join(_MEANT[word.casefold()] for word in found.groups())


NAMES = ("X", "O")
"""Left and right, where nothing names them."""

CUBE_ACTION = "cube action"
"""The entry of an analysis that says in English what a report in any language calls best."""

POSITIONS = frozenset(("XGID", "OGID", "GNUBG_ID", "MATCH_ID", "SNOWIE"))

_GIST = LineGist(
    r"[ \t]*+(?:XGID=[-a-pA-P]{26}:|(?:OGID=)?[0-9a-p]{0,30}:[0-9a-p]{0,30}:[NWBD?][0-9]{1,2}[NOTP]:|[0-9]{1,5};[0-9]+;(?:[^;\n]*;){37}"
    r"|GNU Backgammon[ \t]+Position ID:|(?:GNUBG[ \t]*ID[ \t]*+[:=]?[ \t]*+)?[A-Za-z0-9+/]{14}:[A-Za-z0-9+/]{12}[ \t]*$)",
    re.IGNORECASE,
)
_NAMES = re.compile(r"X:(.*?)[ \t]{2}O:(.*)")
_OWNER = re.compile(r".*?\+[ \t]*([XO]):(.*)")
_PIPS = re.compile(r"[ \t]{2}[0-9]+$")
_IDS = re.compile(r"[A-Za-z0-9+/]{14}:[A-Za-z0-9+/]{12}")


def recognises(text: str) -> bool:
    """Whether a line of `text` is one of the identifiers of a position."""
    return _GIST.is_in(text)


def read(text: str, source: Source) -> list[Match]:
    """Return a match for every position in `text`; at least one."""
    tokens = list(lexer("position").lex(text))
    starts = [at for at, token in enumerate(tokens) if token.type in POSITIONS]
    conventions = stated("a position", source)
    if not starts:
        unread = _nothing(tokens[0])
        return [unread.finished(source, 1, "position", conventions)]
    first = 0
    matches = []
    boards = [at for at, token in enumerate(tokens) if token.type == "OWNER"]
    first_board = boards[0] if boards else len(tokens)
    for number, start in enumerate(starts, start=1):
        after = starts[number] if number < len(starts) else len(tokens)
        # BGBlitz draws the board above the XGID.
        last = start + 1 if first_board < start and after < len(tokens) else after
        draft = _position(tokens[start], tokens[first:last], _before(tokens, start))
        matches.append(draft.finished(source, number, "position", conventions))
        first = last
    return matches


def _before(tokens: list[Token], at: int) -> str:
    """The Position ID in the line before a Match ID."""
    before = tokens[at - 1] if at else None
    if before is None or before.type != "POSITION_ID":
        return ""
    return before.strip().rpartition(" ")[2] + ":"


def _nothing(token: Token) -> MatchDraft:
    """A text whose only position is damaged."""
    draft, span = MatchDraft(), place(token)
    text = token.partition("\n")[0].strip()
    draft.games.append(GameDraft(span, actions=[Unread(span, None, None, text)]))
    return draft


def _position(token: Token, around: list[Token], position_id: str) -> MatchDraft:
    """The match of one position."""
    draft, span = MatchDraft(), place(token)
    game = GameDraft(span)
    draft.games.append(game)
    names = _names(around)
    try:
        situation, names = _situation(token, names, position_id)
    except ValueError:
        game.actions.append(Unread(span, None, None, token.strip()))
        return draft
    draft.length = Length(span, situation.length)
    draft.tags.append(Tag(span, "Position", token.strip()))
    if situation.length:
        game.crawford = situation.crawford
    else:
        draft.tags.append(Tag(span, "Jacoby", "On" if situation.jacoby else "Off"))
        draft.tags.append(Tag(span, "Beaver", "On" if situation.beavers else "Off"))
    game.score = ScoreLine(span, names, situation.scores, (span, span))
    game.actions += _actions(situation, span, _report(token, around))
    return draft


def _situation(
    token: Token, names: tuple[str, str], position_id: str
) -> tuple[Situation, tuple[str, str]]:
    """What the identifier says, and the names of left and right."""
    text = token.strip()
    if token.type == "XGID":
        return parse_xgid(text.split()[0]), names
    if token.type == "OGID":
        return parse_ogid(text.removeprefix("OGID=")), names
    if token.type == "SNOWIE":
        return _snowie(text)
    if token.type == "MATCH_ID":
        return parse_gnubg_id(position_id + text.rpartition(":")[2].strip()), (names[1], names[0])
    found = _IDS.search(text)
    assert found is not None
    return parse_gnubg_id(found.group()), (names[1], names[0])


def _snowie(line: str) -> tuple[Situation, tuple[str, str]]:
    """Snowie's position: the side on roll is left where field 4 is 0."""
    said = parse_snowie(line)
    if said is None:
        raise ValueError(line)
    fields = line.split(";")
    on_roll: Side = RIGHT if fields[4].strip() == "1" else LEFT
    names = (said.on_roll, said.opponent) if on_roll == LEFT else (said.opponent, said.on_roll)
    written = (fields[8].strip(), fields[9].strip())
    points = [int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else 0 for text in written]
    scores = (points[0], points[1]) if on_roll == LEFT else (points[1], points[0])
    owner = {0: None, 1: on_roll, -1: 1 - on_roll}.get(said.cube_owner)
    dice = said.dice if all(1 <= die <= 6 for die in said.dice) else None
    length = int(fields[0])
    jacoby = not length and fields[1].strip() == "1"
    position = Position(said.own, said.other)
    situation = Situation(
        position, on_roll, dice, max(said.cube_value, 1), owner, False, scores, length
    )
    return situation._replace(crawford=bool(length) and said.crawford, jacoby=jacoby), names


def _names(around: list[Token]) -> tuple[str, str]:
    """The names of X and O, where a line near the position tells."""
    known = dict(zip(NAMES, NAMES, strict=True))
    for token in around:
        if token.type == "NAMES" and (found := _NAMES.match(token)):
            known["X"], known["O"] = found.group(1).strip(), found.group(2).strip()
        elif token.type == "OWNER" and (found := _OWNER.match(token)):
            known[found.group(1)] = _PIPS.sub("", found.group(2).strip()) or found.group(1)
    return known["X"], known["O"]


def _report(token: Token, around: list[Token]) -> Analysis | None:
    """The lines under a position as they stand, and what they call the best cube action."""
    at = next(index for index, known in enumerate(around) if known is token)
    texts = (known for known in around[at + 1 :] if known.type == "TEXT")
    lines = [line for text in texts for line in text.split("\n") if line]
    if not lines:
        return None
    report = "\n".join(lines)
    best = best_cube_action(report)
    said = (("text", report),) if best is None else (("text", report), (CUBE_ACTION, best))
    return Analysis("report", said)


def _actions(situation: Situation, span: Span, report: Analysis | None) -> Iterator[Action]:
    """The set-up, and what the side on roll has done: thrown, doubled or nothing yet."""
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
