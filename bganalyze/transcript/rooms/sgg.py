"""GamesGrid (`.sgg`): actions behind a tab, those of the second player behind two.

The left side is the player named first. A repeated line counts once.
"""

from __future__ import annotations

from lark import Token, Tree

from bganalyze.transcript.builder import (
    MatchDraft,
    Recorder,
    add_cell,
    all_finished,
    begun,
    dice_in,
    lines_of,
    place,
    score_in,
)
from bganalyze.transcript.dates import possible_days
from bganalyze.transcript.grammar import grammar, rules, tokens
from bganalyze.transcript.model import (
    LEFT,
    RIGHT,
    Comment,
    Length,
    Match,
    Play,
    Side,
    Source,
    Span,
    Tag,
)
from bganalyze.transcript.profile import stated

TAGS = {
    "variant": "Variation",
    "crawford": "Crawford",
    "jacoby": "Jacoby",
    "beavers": "Beaver",
}
"""Options and the entries of a header that they become."""


def recognises(text: str) -> bool:
    """Whether `text` has the line of the players, and a game with its score."""
    if " vs. " not in text or "Game " not in text:
        return False
    lines = grammar("sgg")
    return lines.begins_line("PLAYERS", text) and lines.begins_line("_score", text)


def tree(text: str) -> Tree[Token]:
    """Return what a file is made of: matches, games and their lines."""
    return grammar("sgg").parse("matches", text)


def read(text: str, source: Source) -> list[Match]:
    """Return the matches in `text`; at least one."""
    drafts = [_draft(match) for match in rules(tree(text))]
    conventions = stated("GamesGrid", source, marks_hits="*" in text, writes_dances=True)
    return all_finished(drafts, source, "sgg", conventions)


def _draft(match: Tree[Token]) -> MatchDraft:
    draft = MatchDraft()
    players, *header = tokens(match)
    left, _, right = players.strip().partition(" vs. ")
    for line in header:
        if line.type == "OPTION":
            _add_option(draft, line)
        elif line.type == "TEXT" and possible_days(line):
            draft.tags.append(Tag(place(line), "EventDate", line.strip()))
    for game in rules(match):
        _add_game(draft, (left, right), game)
    return draft


def _add_option(draft: MatchDraft, line: Token) -> None:
    key, _, value = line.partition(":")
    key, value = key.strip().casefold(), value.strip()
    span = place(line)
    if key == "match length":
        is_number = grammar("sgg").pattern("NUMBER").fullmatch(value)
        draft.length = Length(span, int(value) if is_number else 0)
    elif key == "doubling cube" and value.casefold() == "no":
        draft.tags.append(Tag(span, "CubeLimit", "1"))
    elif key in TAGS:
        draft.tags.append(Tag(span, TAGS[key], value))


def _add_game(draft: MatchDraft, names: tuple[str, str], game: Tree[Token]) -> None:
    first, *lines = tokens(game)
    if game.data == "headless":
        recorder, lines = begun(draft, place(first), None, names), [first, *lines]
    else:
        recorder = _begun(draft, names, first)
    for line in lines:
        match line.type:
            case "ROWS":
                for span, row in lines_of(line):
                    _add_row(draft, recorder, span.line, row)
            case "AUTOMATIC_DOUBLE":
                recorder.game.cube = 2 * (recorder.game.cube or 1)
            case "RESULT":
                _add_result(recorder, names, line)
            case _ if line.strip():
                recorder.game.actions.append(Comment(place(line), None, line.strip()))


def _begun(draft: MatchDraft, names: tuple[str, str], line: Token) -> Recorder:
    header = grammar("sgg").match("game_line", line)
    if draft.length is None:
        length = header["length"]
        span = place(line, *header.span("length")) if length else place(line)
        draft.length = Length(span, int(length or 0))
    number = int(header["number"])
    recorder = begun(draft, place(line), number, names, *score_in(line, header))
    if draft.length.points:
        recorder.game.crawford = bool(header["crawford"] or header["crawford2"])
    return recorder


def _add_row(draft: MatchDraft, recorder: Recorder, line: int, text: str) -> None:
    row = grammar("sgg").match("row", text)
    recorder.row, second, cell, dice, steps = row.group("label", "second", "cell", "dice", "steps")
    if cell is None or row["closed_out"]:
        return
    side: Side = LEFT if second is None else RIGHT
    column = row.start("cell") + 1
    span = Span(line, column, column + len(cell))
    if dice is None:
        recorder.leave_throw()
        add_cell(draft, cell, line, column, recorder.row, side)
        return
    if steps is not None:
        recorder.turn_told(row, span, side)
    elif row["dance"]:
        recorder.dance(Play(span, recorder.row, side, dice_in(dice)))
    else:
        recorder.throw(span, side, dice_in(dice))
    if row["resignation"]:
        recorder.resign(span, side)


def _add_result(recorder: Recorder, names: tuple[str, str], line: Token) -> None:
    result = grammar("sgg").match("result", line)
    if result["winner"] not in names:
        recorder.unread(line)
        return
    side: Side = LEFT if result["winner"] == names[LEFT] else RIGHT
    recorder.wins(place(line), side, int(result["points"]))
