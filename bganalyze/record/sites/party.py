"""Read PartyGammon (`.gam`): keys and values, with a game's actions on one line, divided by `#`.

Known only from another program's importer; no genuine file was found. Scores follow each game.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from lark import Token, Tree

from bganalyze.record.builder import (
    MatchDraft,
    Recorder,
    begin_game,
    finish_matches,
    note_unread_line,
    parse_dice,
    place_of_token,
)
from bganalyze.record.conventions import conventions_of_format
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
    Unread,
)


class _Entry(NamedTuple):
    """A line of a game, and its regex match."""

    line: Token
    parts: re.Match[str]


Entries = dict[str, _Entry]
"""Entries by kind and player: `PLAYER1`, `ACTIONS`, `SCORE2`."""


def recognizes(text: str) -> bool:
    """Whether a text seems to be a file of PartyGammon."""
    return "=" in text and grammar("party").begins_line("TELLING_KEY", text)


def tree(text: str) -> Tree[Token]:
    """Return the parse tree of a file's text: matches and their lines."""
    return grammar("party").parse("matches", text)


def read(text: str, source: Source) -> list[Match]:
    """Return the one match in the text of a file."""
    (match,) = rules(tree(text))
    draft = MatchDraft()
    games: dict[int, Entries] = defaultdict(dict)
    for line in tokens(match):
        if line.type == "LENGTH":
            points = grammar("party").match("length", line)["points"]
            draft.length = Length(place_of_token(line), int(points))
        elif line.type == "TEXT":
            _add_entry(draft, line)
        else:
            parts = grammar("party").match(line.type.lower(), line)
            seat = "" if line.type == "ACTIONS" else parts["seat"]
            games[int(parts["number"])][line.type + seat] = _Entry(line, parts)
    score = (0, 0)
    for number in sorted(games):
        score = _add_game(draft, number, games[number], score)
    return finish_matches([draft], source, "party", conventions_of_format("PartyGammon", source))


def _add_entry(draft: MatchDraft, line: Token) -> None:
    """Add a header entry, or a note that the line cannot be read."""
    entry = grammar("party").pattern("entry").fullmatch(line)
    if entry is not None:
        draft.tags.append(
            Tag(place_of_token(line), entry["key"], (entry["entry_value"] or "").strip())
        )
    elif line.strip():
        draft.oddities.append(note_unread_line(place_of_token(line), line))


def _add_game(
    draft: MatchDraft, number: int, entries: Entries, score: tuple[int, int]
) -> tuple[int, int]:
    """Add a game that begins at `score` (left, right), and return the score after the game.

    `entries` are the lines of the game by key, such as `PLAYER1`.
    """
    first = min((entry.line for entry in entries.values()), key=lambda line: line.line or 0)
    left, right = (_get_entry_part(entries, key, "name") for key in ("PLAYER1", "PLAYER2"))
    recorder = begin_game(draft, place_of_token(first), number, (left or "", right or ""), score)
    if "ACTIONS" in entries:
        for span, piece in _split_actions(entries["ACTIONS"].line):
            _add_action(recorder, span, piece)
    scores = [entries[key] for key in ("SCORE1", "SCORE2") if key in entries]
    for line in (score.line for score in scores if not score.parts["points_after"]):
        if line.partition("=")[2].strip():
            recorder.keep_unknown_line(line)
    left, right = (_get_entry_part(entries, key, "points_after") for key in ("SCORE1", "SCORE2"))
    if left is None or right is None:
        return score
    gains = int(left) - score[LEFT], int(right) - score[RIGHT]
    if max(gains) > 0:
        winner: Side = LEFT if gains[LEFT] > 0 else RIGHT
        recorder.add_result(place_of_token(entries[f"SCORE{winner + 1}"].line), winner, max(gains))
    return int(left), int(right)


def _get_entry_part(entries: Entries, key: str, group: str) -> str | None:
    """Return a regex group from the line with this key, or None without the line or the group."""
    return entries[key].parts[group] if key in entries else None


def _split_actions(line: Token) -> Iterator[tuple[Span, str]]:
    """Yield the place and the text of each action on the line of a game."""
    start = line.index("=") + 1
    for piece in line[start:].split("#"):
        if piece.strip():
            yield place_of_token(line, start, start + len(piece)), piece
        start += len(piece) + 1


def _add_action(recorder: Recorder, span: Span, text: str) -> None:
    """Add the action in a text such as `1 61: 13/7 8/7`, which begins with its player's number."""
    recorder.row = str(len(recorder.game.actions) + 1)
    action = grammar("party").pattern("action").fullmatch(text)
    if action is None:
        recorder.game.actions.append(Unread(span, recorder.row, None, text.strip()))
        return
    seat, dice, steps = action.group("seat", "dice", "steps")
    side: Side = LEFT if seat == "1" else RIGHT
    if dice is not None:
        turn = Play(span, recorder.row, side, parse_dice(dice))
        recorder.add_roll_and_play(turn, steps or "", action.start("steps"))
    elif action.lastgroup in (None, "seat", "unread"):
        recorder.game.actions.append(Unread(span, recorder.row, side, text.strip()))
    else:
        recorder.add_action(action.lastgroup, span, side)
