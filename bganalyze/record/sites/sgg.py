"""Read GamesGrid (`.sgg`): actions after one tab, or after two for the second player.

The left side is the player named first. A repeated line counts once.
"""

from __future__ import annotations

from collections.abc import Iterable

from lark import Token, Tree

from bganalyze.record.builder import (
    MatchDraft,
    Recorder,
    add_cell,
    add_title,
    add_titles,
    begin_game,
    finish_matches,
    note_unread_line,
    parse_dice,
    place_of_token,
    read_points_on_line,
    yield_lines,
)
from bganalyze.record.conventions import conventions_of_format
from bganalyze.record.dates import find_possible_days
from bganalyze.record.grammar import grammar, rules, tokens
from bganalyze.record.model import (
    LEFT,
    RIGHT,
    Length,
    Match,
    Play,
    Side,
    Source,
    Span,
    Tag,
)

TAGS = {
    "variant": "Variation",
    "crawford": "Crawford",
    "jacoby": "Jacoby",
    "beavers": "Beaver",
}
"""Header keys for the options of a match."""


SITE = "GamesGrid"
USUAL_CUBE = ("doubling cube", "yes")
"""Option with its usual value."""


RARER = 4
"""At least one row in this many belongs to the player who acts less often."""


def recognizes(text: str) -> bool:
    """Whether a text seems to be a file of GamesGrid."""
    if " vs. " not in text or "Game " not in text:
        return False
    lines = grammar("sgg")
    return lines.begins_line("PLAYERS", text) and lines.begins_line("_score", text)


def tree(text: str) -> Tree[Token]:
    """Return the parse tree of a file's text: matches, games and their lines."""
    return grammar("sgg").parse("matches", text)


def read(text: str, source: Source) -> list[Match]:
    """Return the matches in a text, or one empty match if none can be read."""
    file_tree = tree(text)
    indent_limit = _find_indent_limit(
        row for run in file_tree.scan_values(_is_run_of_rows) for _, row in yield_lines(run)
    )
    drafts = [_read_match(match, indent_limit) for match in rules(file_tree)] or [MatchDraft()]
    for run in tokens(file_tree):
        add_titles(drafts[0], run)
    conventions = conventions_of_format(
        "GamesGrid", source, marks_hits="*" in text, writes_dances=True
    )
    return finish_matches(drafts, source, "sgg", conventions)


def _is_run_of_rows(part: object) -> bool:
    """Whether a part of the parse tree is a token that holds rows."""
    return isinstance(part, Token) and part.type == "ROWS"


def _find_indent_limit(rows: Iterable[str]) -> float | None:
    """Return the indent, in blanks, above which a row is the right player's.

    The result is None unless both small and large indents are frequent.
    """
    gaps = [len(gap) for row in rows if (gap := grammar("sgg").match("row", row)["gap"])]
    between = (min(gaps) + max(gaps)) / 2 if gaps else 0
    long = sum(gap > between for gap in gaps)
    return between if min(long, len(gaps) - long) * RARER >= len(gaps) > 0 else None


def _read_match(match: Tree[Token], indent_limit: float | None) -> MatchDraft:
    """Return the match in a parse tree, with its options and games.

    Rows indented by more than `indent_limit` blanks are the right player's.
    """
    draft = MatchDraft()
    players, *header = tokens(match)
    left, _, right = players.strip().partition(" vs. ")
    for line in header:
        if line.type == "OPTION":
            _add_option(draft, line)
        elif line.type == "TEXT" and find_possible_days(line):
            draft.tags.append(Tag(place_of_token(line), "EventDate", line.strip()))
        elif line.strip() != SITE:
            add_title(draft, line)
    for game in rules(match):
        _add_game(draft, (left, right), game, indent_limit)
    return draft


def _add_option(draft: MatchDraft, line: Token) -> None:
    """Add the match length or the header entry on a line above the games."""
    written, _, value = line.partition(":")
    key, value = written.strip().casefold(), value.strip()
    span = place_of_token(line)
    if key == "match length":
        is_number = grammar("sgg").pattern("NUMBER").fullmatch(value)
        if not is_number and any(map(str.isdecimal, value)):
            draft.oddities.append(note_unread_line(span, line))
        else:
            draft.length = Length(span, int(value) if is_number else 0)
    elif key == "doubling cube" and value.casefold() == "no":
        draft.tags.append(Tag(span, "CubeLimit", "1"))
    elif key in TAGS:
        draft.tags.append(Tag(span, TAGS[key], value))
    elif (key, value.casefold()) != USUAL_CUBE:
        draft.tags.append(Tag(span, written.strip(), value))


def _add_game(
    draft: MatchDraft, names: tuple[str, str], game: Tree[Token], indent_limit: float | None
) -> None:
    """Add a game from its lines, and keep unknown lines as comments or unreadable text.

    Rows indented by more than `indent_limit` blanks are the right player's.
    """
    first, *lines = tokens(game)
    if game.data == "headless":
        recorder, lines = begin_game(draft, place_of_token(first), None, names), [first, *lines]
    else:
        recorder = _begin_game(draft, names, first)
    for line in lines:
        match line.type:
            case "ROWS":
                for span, row in yield_lines(line):
                    _add_row(draft, recorder, span.line, row, indent_limit)
            case "AUTOMATIC_DOUBLE":
                recorder.game.cube = 2 * (recorder.game.cube or 1)
            case "RESULT":
                _add_result(recorder, names, line)
            case _:
                recorder.keep_probable_comment(line)


def _begin_game(draft: MatchDraft, names: tuple[str, str], line: Token) -> Recorder:
    """Begin a game at its first line, and return the recorder of its actions."""
    header = grammar("sgg").match("game_line", line)
    if draft.length is None:
        length = header["length"]
        span = place_of_token(line, *header.span("length")) if length else place_of_token(line)
        draft.length = Length(span, int(length or 0))
    number = int(header["number"])
    recorder = begin_game(
        draft, place_of_token(line), number, names, *read_points_on_line(line, header)
    )
    if draft.length.points:
        recorder.game.crawford = bool(header["crawford"] or header["crawford2"])
    return recorder


def _add_row(
    draft: MatchDraft, recorder: Recorder, line_number: int, text: str, indent_limit: float | None
) -> None:
    """Add the action in a row: the right player's if the row is indented far, else left's.

    Far means by two tabs, or by more than `indent_limit` blanks.
    """
    row = grammar("sgg").match("row", text)
    recorder.row, cell, dice, steps = row.group("label", "cell", "dice", "steps")
    if cell is None or row["closed_out"]:
        return
    if row["gap"] and indent_limit is None:  # Then no indent shows whose action this is.
        recorder.keep_damaged_line(Token("ROW", text, line=line_number, column=1))
        return
    side: Side = RIGHT if row["second"] or len(row["gap"] or "") > (indent_limit or 0) else LEFT
    column = row.start("cell") + 1
    span = Span(line_number, column, column + len(cell))
    if dice is None:
        recorder.keep_unplayed_roll()
        add_cell(draft, cell, line_number, column, recorder.row, side)
        return
    if steps is not None:
        recorder.add_parsed_turn(row, span, side)
    elif row["dance"]:
        recorder.add_dance(Play(span, recorder.row, side, parse_dice(dice)))
    else:
        recorder.add_roll(span, side, parse_dice(dice))
    if row["resignation"]:
        recorder.add_resignation(span, side)


def _add_result(recorder: Recorder, names: tuple[str, str], line: Token) -> None:
    """Add the result on a line, or keep the line as unknown if it names neither player."""
    result = grammar("sgg").match("result", line)
    if result["winner"] not in names:
        recorder.keep_unknown_line(line)
        return
    side: Side = LEFT if result["winner"] == names[LEFT] else RIGHT
    recorder.add_result(place_of_token(line), side, int(result["points"]))
