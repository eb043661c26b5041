"""The table of matches."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from itertools import pairwise

import numpy as np

from bganalyze.features.boards import Array, BoardArrays
from bganalyze.findings import Finding, Severity
from bganalyze.law import Law
from bganalyze.players import have_changed_columns
from bganalyze.replaying import MatchReplay
from bganalyze.replaying.terms import length_of, variant_of
from bganalyze.tables.schema import LINE, MATCH, SIDES, Column, Columns, Row, Schema
from bganalyze.tables.turns import ILLEGAL
from bganalyze.transcript.model import Answer, Double, Match
from bganalyze.transcript.profile import day_of, header_entry, site_of

# The content of a match as a digest, by which the same match from another file is known.

FEWEST_PLAYS = 8
"""With fewer plays two different matches might agree by chance."""

THROWS = ("game", "high", "low")


def contents(
    replays: Sequence[MatchReplay], turns: Columns, after: BoardArrays
) -> list[str | None]:
    """Return the digest of each match; None where too little of it is recorded.

    It is made of the throws and the boards they led to, the doubles and their answers, the scores
    and the winners. The sides are told apart by who threw first, so neither names nor columns
    matter. Throws without a play are left out: programs differ in whether they write them.
    """
    judged = np.flatnonzero(turns["verdict"] <= ILLEGAL)
    ends = np.searchsorted(turns["match"][judged], np.arange(len(replays) + 1))
    own = [judged[first:end] for first, end in pairwise(ends.tolist())]
    return [
        _content(replayed, rows, turns, after) if len(rows) >= FEWEST_PLAYS else None
        for replayed, rows in zip(replays, own, strict=True)
    ]


def _content(replayed: MatchReplay, rows: Array, turns: Columns, after: BoardArrays) -> str:
    first = int(turns["side"][rows[0]])
    digest = blake2b(digest_size=12)
    for values in (*(turns[name] for name in THROWS), after.own, after.other):
        digest.update(values[rows].tobytes())
    digest.update((turns["side"][rows] ^ first).tobytes())
    digest.update(repr(_books(replayed, first)).encode())
    return digest.hexdigest()


def _books(replayed: MatchReplay, first: int) -> list[object]:
    """Doubles, answers, scores and winners, the side that threw first called 0."""
    books: list[object] = []
    for game in replayed.games:
        score, winner = game.context.score, game.ending.winner
        books.append((score[first], score[1 - first], None if winner is None else winner ^ first))
        for turn in game.turns:
            action = turn.action
            if type(action) is Double:
                books.append((action.side ^ first, action.kind))
            elif type(action) is Answer:
                books.append((action.side ^ first, action.taken))
    return books


SCHEMA = Schema(
    "matches",
    "One row for each match that was read.",
    ("match",),
    (
        MATCH,
        Column("path", "str", "The file, or `archive.zip!member`."),
        Column("number", "int32", "The match in its file, counted from 1."),
        LINE,
        Column("format", "category", "The format of the file."),
        Column("producer", "category", "The program that wrote the record, as far as it is known."),
        Column("site", "category", "Where the match was played: as stated, else the producer."),
        Column("event", "category", "As stated."),
        Column("round", "category", "As stated."),
        Column("transcriber", "category", "As stated."),
        Column("date", "datetime64[s]", "The day of the match, as stated."),
        Column("length", "Int32", "Points to win; 0 for money play; missing if not recorded."),
        Column("variant", "category", "The variant that is stated."),
        Column("left", "category", "The player of the left column in the first game."),
        Column("right", "category", "The player of the right column in the first game."),
        Column("left_written", "str", "The left player's name as the record has it."),
        Column("right_written", "str", "The right player's name as the record has it."),
        Column("left_before", "Int32", "Points of the left player before the first game recorded."),
        Column("right_before", "Int32", "Points of the right player before the first game."),
        Column("left_after", "Int32", "Points of the left player after the last game."),
        Column("right_after", "Int32", "Points of the right player after the last game."),
        Column(
            "winner", "category", "Who reached the length, in the columns of the first game.", SIDES
        ),
        Column("complete", "bool", "Whether a match to a length is there from 0-0 to its end."),
        Column("games", "int32", "How many games are recorded."),
        Column("errors", "int32", "How many errors were found, corrected ones apart."),
        Column("warnings", "int32", "How many warnings were found."),
        Column(
            "content",
            "str",
            "A digest of throws, plays, doubles and scores: the same for the same match from another file, whatever the names and columns; missing where too little is recorded to tell.",
        ),
        Column(
            "copy_of",
            "Int32",
            "The first match with the same content, if this is not the first: a match that was met twice, and is counted once.",
        ),
    ),
)


def row(
    number: int, replayed: MatchReplay, findings: Sequence[Finding], law: Law, content: str | None
) -> Row:
    """Return the row of a match, the `number`-th of those tabulated, counted from 0."""
    match = replayed.match
    length = length_of(match)
    before, after = _scores(replayed)
    winner = _winner(length, after)
    return {
        "match": number,
        "path": match.source.path,
        "number": match.number,
        "line": _first_line(match),
        "format": match.format,
        "producer": match.profile.producer,
        "site": site_of(match),
        "event": header_entry(match, "Event"),
        "round": header_entry(match, "Round"),
        "transcriber": header_entry(match, "Transcriber"),
        "date": day_of(match),
        "length": length,
        "variant": variant_of(match, law),
        "left": match.names[0],
        "right": match.names[1],
        "left_written": match.names[0],
        "right_written": match.names[1],
        "left_before": before[0],
        "right_before": before[1],
        "left_after": after[0],
        "right_after": after[1],
        "winner": winner,
        "complete": bool(length) and before == (0, 0) and winner is not None,
        "games": len(replayed.games),
        "errors": sum(found.fails(Severity.ERROR) for found in findings),
        "warnings": sum(found.severity is Severity.WARNING for found in findings),
        "content": content,
        "copy_of": None,
    }


def _first_line(match: Match) -> int:
    if match.length is not None:
        return match.length.span.line
    return match.games[0].span.line if match.games else 1


def _scores(replayed: MatchReplay) -> tuple[tuple[int | None, ...], tuple[int | None, ...]]:
    """The score before the first game and after the last, in the columns of the first game."""
    if not replayed.games:
        return (None, None), (None, None)
    first, last = replayed.games[0], replayed.games[-1]
    after: list[int | None] = [*last.context.score]
    winner, gained = last.ending.winner, last.ending.counting
    if winner is not None and gained is not None:
        after[winner] = last.context.score[winner] + gained
    elif last.ending.kind != "abandoned":
        after = [None, None]
    names = last.game.score.names if last.game.score is not None else replayed.match.names
    if have_changed_columns(replayed.match.names, names):
        after.reverse()
    return first.context.score, tuple(after)


def _winner(length: int | None, after: tuple[int | None, ...]) -> str | None:
    if not length:
        return None
    reached = [side for side, points in zip(SIDES, after, strict=True) if (points or 0) >= length]
    return reached[0] if len(reached) == 1 else None
