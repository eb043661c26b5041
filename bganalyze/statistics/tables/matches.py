"""The table of matches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from bganalyze.analysis.content import content_of
from bganalyze.board.rule_book import RuleBook
from bganalyze.record.dates import FILE_NAME, dated
from bganalyze.record.model import SIDE_NAMES, Match, Side
from bganalyze.record.players import have_changed_columns
from bganalyze.record.profile import (
    GALAXY,
    clock_of,
    header_entry,
    remarks,
    site_of,
    version_of,
)
from bganalyze.statistics.tables.schema import (
    LINE,
    MATCH,
    SIDES,
    Column,
    Examined,
    Schema,
    category,
    disputing_codes,
    flag,
    maybe_number,
    measure,
    number,
    side_of,
    text,
)
from bganalyze.text import storable
from bganalyze.validation.findings import Finding, Severity
from bganalyze.validation.replaying import MatchReplay
from bganalyze.validation.replaying.outcomes import MatchOutcome
from bganalyze.validation.replaying.terms import variant_of

FOLDER = "folder"
DATES_FROM = ("record", FOLDER, FILE_NAME)
"""What tells the day of a match."""


_SECONDS = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,6})?")


class _Entry(NamedTuple):
    """A match, with what several columns are made of."""

    match: int
    replayed: MatchReplay
    findings: Sequence[Finding]
    rule_book: RuleBook
    outcome: MatchOutcome

    @property
    def record(self) -> Match:
        return self.replayed.match


CLOCK_SETTINGS = {
    "reserve": "The seconds that the clock gives each player for the match, if recorded.",
    "delay": "The seconds of each decision before the reserve is used.",
    "increment": "The seconds that each decision adds to the reserve.",
}


def _setting(match: _Entry, name: str) -> float | None:
    """A setting of the clock, in seconds."""
    stated = header_entry(match.record, name)
    return float(stated) if stated and _SECONDS.fullmatch(stated) else None


def _points(score: tuple[int, int] | None, side: int) -> int | None:
    return None if score is None else score[side]


def _points_of(match: _Entry, side: int, how: str) -> int | None:
    """The points of a side after the last game, `recorded` or `by_board`."""
    score = match.outcome.recorded if how == "recorded" else match.outcome.by_board
    return _points(score.after, side)


SCHEMA = Schema(
    "matches",
    "One row for each match that was read.",
    ("match",),
    (
        MATCH,
        text(
            "path", "The file, or `archive.zip!member`.", lambda m: storable(m.record.source.path)
        ),
        number("number", "The match in its file, counted from 1.", lambda m: m.record.number),
        LINE._replace(value=lambda m: m.record.beginning.line if m.record.beginning else 1),
        category("format", "The format of the file.", lambda m: m.record.format),
        category(
            "producer",
            "The program that wrote the record, as far as it is known.",
            lambda m: m.record.profile.producer,
        ),
        category(
            "version",
            "The version of that program, where the record states it.",
            lambda m: version_of(m.record),
        ),
        category(
            "site",
            "Where the match was played: as stated, else the producer.",
            lambda m: site_of(m.record),
        ),
        category("event", "As stated.", lambda m: header_entry(m.record, "Event")),
        category("round", "As stated.", lambda m: header_entry(m.record, "Round")),
        category("transcriber", "As stated.", lambda m: header_entry(m.record, "Transcriber")),
        category("clock", "The kind of clock, as stated.", lambda m: clock_of(m.record)),
        *(
            measure(name, meaning, partial(_setting, name=f"Clock{name.capitalize()}"))
            for name, meaning in CLOCK_SETTINGS.items()
        ),
        flag("marks_hits", "Whether hits are marked.", lambda m: m.record.profile.marks_hits),
        flag(
            "writes_dances",
            "Whether dances are written out.",
            lambda m: m.record.profile.writes_dances,
        ),
        flag(
            "spells_resignations",
            "Whether resignations are written out.",
            lambda m: m.record.profile.spells_resignations,
        ),
        number(
            "analyses",
            "How many actions have an analysis by another program stored with them.",
            lambda m: sum(
                getattr(action, "analysis", None) is not None
                for game in m.record.games
                for action in game.actions
            ),
        ),
        Column("date", "datetime64[s]", "The day of the match.", lambda m: dated(m.record).day),
        category(
            "date_from",
            "What tells the day: the record; the record and the other records of its folder or archive, which show whether day or month is written first; or the name of the file.",
            lambda m: dated(m.record).known_from,
            DATES_FROM,
        ),
        text(
            "date_written",
            "The date as the record has it, also where it does not tell the day, as 04/01/2023 does not.",
            lambda m: dated(m.record).written,
        ),
        maybe_number(
            "length",
            "Points to win; 0 for money play; missing if not recorded, or if the scores go on after it.",
            lambda m: m.outcome.length,
        ),
        maybe_number(
            "length_of_money",
            "The length that a record of one game states although it was money play, as Backgammon Galaxy writes it.",
            lambda m: _length_of_money(m.record),
        ),
        category(
            "variant", "The variant that is stated.", lambda m: variant_of(m.record, m.rule_book)
        ),
        category(
            "left", "The player of the left column in the first game.", lambda m: m.record.names[0]
        ),
        category(
            "right",
            "The player of the right column in the first game.",
            lambda m: m.record.names[1],
        ),
        text(
            "left_written",
            "The left player's name as the record has it.",
            lambda m: m.record.names[0],
        ),
        text(
            "right_written",
            "The right player's name as the record has it.",
            lambda m: m.record.names[1],
        ),
        measure(
            "left_rating",
            "The left player's rating as the record states it, where there is any experience behind it.",
            lambda m: _rating(m.record, 0),
        ),
        measure(
            "right_rating",
            "The right player's rating.",
            lambda m: _rating(m.record, 1),
        ),
        number(
            "comments", "How many comments the record has.", lambda m: len(list(remarks(m.record)))
        ),
        maybe_number(
            "left_before",
            "Points of the left player before the first game recorded.",
            lambda m: _points(m.outcome.before, 0),
        ),
        maybe_number(
            "right_before",
            "Points of the right player before the first game.",
            lambda m: _points(m.outcome.before, 1),
        ),
        maybe_number(
            "left_after",
            "Points of the left player after the last game.",
            lambda m: _points(m.outcome.counting.after, 0),
        ),
        maybe_number(
            "right_after",
            "Points of the right player after the last game.",
            lambda m: _points(m.outcome.counting.after, 1),
        ),
        category(
            "winner",
            "Who reached the length, in the columns of the first game; nobody where that is disputed.",
            lambda m: side_of(m.outcome.counting),
            SIDES,
        ),
        category(
            "recorded_winner",
            "Who won as the record has it: by a mark of the end of the match, else by the scores.",
            lambda m: side_of(m.outcome.recorded),
            SIDES,
        ),
        category(
            "board_winner",
            "Who won as the games add up, the disputed ones as the board has them.",
            lambda m: side_of(m.outcome.by_board),
            SIDES,
        ),
        *(
            maybe_number(
                f"{name}_{how}",
                f"Points of the {name} player after the last game, {meaning}.",
                partial(_points_of, side=side, how=how),
            )
            for how, meaning in (
                ("recorded", "as recorded"),
                ("by_board", "as the games add up"),
            )
            for side, name in enumerate(SIDES)
        ),
        text(
            "disputed",
            "The codes of the findings that contradict a result, a score, the winner or the length; missing if none does.",
            lambda m: disputing_codes(m.outcome.disputed),
        ),
        flag(
            "complete",
            "Whether a match to a length is there from 0-0 to its end.",
            lambda m: _is_complete(m.outcome),
        ),
        number(
            "games",
            "How many games are recorded; one that stands twice is counted once.",
            lambda m: len(m.replayed.games),
        ),
        number(
            "repeats",
            "How many games stand in the record once more and are left out.",
            lambda m: len(m.replayed.repeats),
        ),
        number(
            "copied",
            "How many games have every play of an earlier one and are counted, as a score or a result tells of a second game.",
            lambda m: len(m.replayed.copies),
        ),
        number(
            "errors",
            "How many errors were found, without those that were corrected.",
            lambda m: sum(f.fails(Severity.ERROR) for f in m.findings),
        ),
        number(
            "warnings",
            "How many warnings were found.",
            lambda m: sum(f.severity is Severity.WARNING for f in m.findings),
        ),
        text(
            "content",
            "A digest of rolls, plays, doubles and scores: the same for the same match from another file, whatever the names and columns; missing where too little is recorded to tell.",
            lambda m: content_of(m.replayed),
        ),
        maybe_number(
            "copy_of",
            "The first match with the same content, if this is not the first: a match that was met twice, and is counted once.",
            lambda _: None,
        ),
    ),
)


def entry(number: int, match: Examined, rule_book: RuleBook) -> _Entry:
    """Return a match, the `number`-th of those tabulated, counted from 0."""
    return _Entry(number, match.replayed, match.findings, rule_book, match.outcome)


def _is_complete(outcome: MatchOutcome) -> bool:
    is_from_start = bool(outcome.length) and outcome.before == (0, 0)
    return is_from_start and outcome.counting.winner is not None


_RATING = re.compile(r"(\d{1,5}(?:[.,]\d{1,9})?)(?:/(\d{1,9}))?", re.ASCII)


def _rating(record: Match, side: Side) -> float | None:
    """The rating of a player: an entry of the header, or a number behind the name.

    eXtreme Gammon writes 1600.00/0 of players whom it does not know, and Backgammon Galaxy the
    final score as if it were a rating.
    """
    name, ratings = record.names[side], None
    if record.profile.producer != GALAXY:
        players = [record.tag(f"Player {number}") or "" for number in (1, 2)]
        exchanged = have_changed_columns(players, record.names)
        number = 1 + (side != exchanged)
        ratings = record.tag(f"Player {number} Elo") or record.tag(f"Rating {SIDE_NAMES[side]}")
    stated = _RATING.fullmatch(ratings.strip() if ratings else name.rpartition(",")[2].strip())
    if stated is None or stated[2] == "0" or (not ratings and "," not in name):
        return None
    return float(stated[1].replace(",", "."))


def _length_of_money(record: Match) -> int | None:
    if not record.profile.one_game_is_money or record.length is None:
        return None
    return record.length.points
