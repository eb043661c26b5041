"""Read BGRoom (`BGF version 1.2`): numbered lines, each with the acting player's letter.

Known only from another program's importer; no genuine file was found.
"""

from __future__ import annotations

from lark import Token, Tree

from bganalyze.record.builder import (
    MatchDraft,
    Recorder,
    add_title,
    begin_game,
    finish_matches,
    note_unread_line,
    parse_dice,
    place_of_token,
    yield_lines,
)
from bganalyze.record.conventions import conventions_of_format
from bganalyze.record.grammar import grammar, rules, tokens
from bganalyze.record.model import LEFT, RIGHT, Match, Play, Side, Source, Span


def recognizes(text: str) -> bool:
    """Whether a text seems to be a file of BGRoom."""
    if "BGF version " not in text and ") vs. " not in text:
        return False
    return any(grammar("bgroom").begins_line(name, text) for name in ("VERSION", "GAME_LINE"))


def tree(text: str) -> Tree[Token]:
    """Return the parse tree of a file's text: matches, games and their lines."""
    return grammar("bgroom").parse("matches", text)


def read(text: str, source: Source) -> list[Match]:
    """Return the one match in the text of a file, which does not state its length."""
    (match,) = rules(tree(text))
    draft = MatchDraft()
    for line in tokens(match):
        if line.type == "TEXT":
            add_title(draft, line)
        elif line.type == "ROWS":
            draft.oddities += (note_unread_line(span, row) for span, row in yield_lines(line))
    for game in rules(match):
        _add_game(draft, game)
    conventions = conventions_of_format("BGRoom", source, writes_dances=True)
    return finish_matches([draft], source, "bgroom", conventions)


def _add_game(draft: MatchDraft, game: Tree[Token]) -> None:
    """Add a game, with each player on the same side as in the first game."""
    first, *lines = tokens(game)
    header = grammar("bgroom").match("game_line", first)
    names, left_letter = (header["left"], header["right"]), header["left_letter"]
    before = draft.games[0].score if draft.games else None
    if before is not None and before.names == names[::-1]:
        names, left_letter = names[::-1], header["right_letter"]
    recorder = begin_game(draft, place_of_token(first), int(header["number"]), names)
    for line in lines:
        if line.type == "ROWS":
            for span, row in yield_lines(line):
                _add_row(recorder, left_letter, span, row)
        else:
            recorder.keep_probable_comment(line)


def _add_row(recorder: Recorder, letter_of_left: str, span: Span, text: str) -> None:
    """Add the action in a row: the left player's if the row has `letter_of_left` (X or O)."""
    row = grammar("bgroom").match("row", text)
    recorder.row, letter, dice = row.group("label", "letter", "dice")
    side: Side = LEFT if (letter == "X") == (letter_of_left == "X") else RIGHT
    if dice is not None and row["dance"]:
        recorder.add_dance(Play(span, recorder.row, side, parse_dice(dice)))
    elif dice is not None:
        recorder.add_parsed_turn(row, span, side)
    elif row.lastgroup in (None, "letter", "unread"):
        recorder.keep_damaged_line(Token("ROW", text, line=span.line, column=1))
    else:
        recorder.add_action(row.lastgroup, span, side)
