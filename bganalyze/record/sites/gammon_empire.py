"""Read GammonEmpire (`.gam`): consecutive money games, with names above and `Win` below each.

Known only from another program's importer; no genuine file was found. A single game without a `Win`
line is match text (`match_text/`).
"""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token, Tree

from bganalyze.record.builder import (
    MatchDraft,
    Recorder,
    add_cell,
    add_title,
    begin_game,
    finish_matches,
    place_of_token,
    yield_lines,
)
from bganalyze.record.conventions import conventions_of_format
from bganalyze.record.grammar import grammar, rules, tokens
from bganalyze.record.match_text.columns import find_right_column, split_rows
from bganalyze.record.model import LEFT, RIGHT, Comment, Length, Match, Source

GIVEN_UP = "Resign"
"""Line of a game that was resigned; only the rows show by which side."""


def recognizes(text: str) -> bool:
    """Whether a text seems to be a file of GammonEmpire."""
    if "\nWin" not in text:
        return False
    return grammar("gammon_empire").pattern("first_game").match(text) is not None


def tree(text: str) -> Tree[Token]:
    """Return the parse tree of a file's text: matches, games and their lines."""
    return grammar("gammon_empire").parse("matches", text)


def cells(file_tree: Tree[Token], line: str) -> Iterator[tuple[str, str]]:
    """Yield the grammar rule (`left_cell` or `right_cell`) and the text of each cell of a line.

    A cell is one player's part of a row. The rows in `file_tree` show where right cells begin.
    """
    (match,) = rules(file_tree)
    for row in split_rows(line, _find_right_column(match)):
        yield from (("left_cell", row.left), ("right_cell", row.right))


def read(text: str, source: Source) -> list[Match]:
    """Return the games in a session on GammonEmpire as one match."""
    (match,) = rules(tree(text))
    column = _find_right_column(match)
    draft = MatchDraft()
    names = ("left", "right")
    for game in rules(match):
        names = _add_game(draft, names, game, column)
    for line in tokens(match):
        if draft.games:
            Recorder(draft.games[-1]).keep_probable_comment(line)
        else:
            add_title(draft, line)
    return finish_matches(
        [draft], source, "gammon-empire", conventions_of_format("GammonEmpire", source)
    )


def _find_right_column(match: Tree[Token]) -> int | None:
    """Return the offset at which the right player's part of most rows begins, or None."""
    runs = (line for game in rules(match) for line in tokens(game) if line.type == "ROWS")
    return find_right_column(row for run in runs for row in run.split("\n"))


def _add_game(
    draft: MatchDraft, names: tuple[str, str], game: Tree[Token], right_column: int | None
) -> tuple[str, str]:
    """Add a game, and return its players (left, right).

    `names` are the players of the previous game, and stay the same if this game names none. The
    right player's part of a row begins near the offset `right_column`.
    """
    recorder: Recorder | None = None
    for line in tokens(game):
        if line.type == "ROWS":
            draft.length = draft.length or Length(place_of_token(line), 0)
            recorder = recorder or begin_game(
                draft, place_of_token(line), len(draft.games) + 1, names
            )
            for span, row in yield_lines(line):
                _add_row(draft, span.line, row, right_column)
        elif recorder is None and line.type == "NAMES":
            parts = grammar("gammon_empire").match("names", line)
            names = parts["left"], parts["right"]
        elif recorder is None:
            add_title(draft, line)
        elif line.type == "WIN" or line.startswith(GIVEN_UP):
            recorder.game.actions.append(Comment(place_of_token(line), None, line.strip()))
        else:
            recorder.keep_probable_comment(line)
    return names


def _add_row(draft: MatchDraft, line_number: int, text: str, right_column: int | None) -> None:
    """Add the actions in a row, whose right cell usually starts at the offset `right_column`."""
    for row in split_rows(text, right_column):
        for cell, start, side in ((row.left, row.left_at, LEFT), (row.right, row.right_at, RIGHT)):
            if cell:
                add_cell(draft, cell, line_number, start + 1, row.label, side)
