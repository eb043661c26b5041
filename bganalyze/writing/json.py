"""The model as versioned JSON, described by `match.schema.json` beside this module."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bganalyze.record.json import (
    DOCUMENT,
    VERSION,
    GameEntry,
    JsonDocument,
    MatchEntry,
    NoteEntry,
    TagEntry,
)
from bganalyze.record.model import Game, Match, ReaderNote
from bganalyze.text import escape_surrogates
from bganalyze.validation.replaying import MatchReplay


def write(replays: Sequence[MatchReplay]) -> bytes:
    """Return the matches as one JSON document."""
    document = JsonDocument(VERSION, tuple(_make_match_entry(replay.match) for replay in replays))
    text = json.dumps(DOCUMENT.write(document), ensure_ascii=False, indent=1)
    return f"{text}\n".encode()


def _make_match_entry(match: Match) -> MatchEntry:
    """Return a match in the form that the JSON document has."""
    return MatchEntry(
        escape_surrogates(match.source.path),
        match.source.encoding,
        match.number,
        match.format,
        None if match.length is None else match.length.points,
        tuple(TagEntry(tag.key, tag.value, tag.span) for tag in match.tags),
        match.conventions,
        tuple(map(_make_game_entry, match.games)),
        tuple(map(_make_note_entry, match.oddities)),
    )


def _make_game_entry(game: Game) -> GameEntry:
    """Return a game in the form that the JSON document has."""
    names, score = (game.score.names, game.score.points) if game.score else (None, None)
    return GameEntry(game.number, names, score, game.crawford, game.cube, game.span, game.actions)


def _make_note_entry(note: ReaderNote) -> NoteEntry:
    """Return a reader's note on odd text in the form that the JSON document has."""
    return NoteEntry(note.rule, note.text, note.game, note.span, note.row, note.side)
