"""The table of matches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from bganalyze.analysis.digest import digest_match
from bganalyze.board.rule_book import RuleBook
from bganalyze.record.conventions import (
    GALAXY,
    find_comments,
    find_header_entry,
    find_site,
    find_time_control,
    find_version,
)
from bganalyze.record.dates import FILE_NAME, date_of_match
from bganalyze.record.model import SIDE_NAMES, Match, Side
from bganalyze.record.players import have_swapped_columns
from bganalyze.statistics.match_list import explain_incomplete
from bganalyze.statistics.tables.schema import (
    LINE,
    MATCH,
    SIDES,
    Column,
    Examined,
    Schema,
    category,
    flag,
    join_rule_codes,
    maybe_number,
    measure,
    number,
    side_of,
    text,
)
from bganalyze.statistics.tables.sequences import count_possible_rolls, write_sequence
from bganalyze.text import escape_surrogates
from bganalyze.validation.findings import Finding, Severity
from bganalyze.validation.replaying import MatchReplay
from bganalyze.validation.replaying.outcomes import MatchOutcome
from bganalyze.validation.replaying.terms import variant_of

FOLDER = "folder"
DATES_FROM = ("record", FOLDER, FILE_NAME)
"""Sources of the day of a match."""


_SECONDS = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,6})?")


class _Entry(NamedTuple):
    """A match, with values that several columns of its row in the table of matches need."""

    match: int
    replayed: MatchReplay
    findings: Sequence[Finding]
    rule_book: RuleBook
    outcome: MatchOutcome
    sequence: str

    @property
    def record(self) -> Match:
        """The match as read from its file."""
        return self.replayed.match


CLOCK_SETTINGS = {
    "reserve": "Seconds each player has for the match, if recorded.",
    "delay": "Seconds of each decision before the reserve is used.",
    "increment": "Seconds that each decision adds to the reserve.",
}


def _read_clock_setting(match: _Entry, name: str) -> float | None:
    """Return the clock setting `name` from the match's header in seconds, or None."""
    stated = find_header_entry(match.record, name)
    return float(stated) if stated and _SECONDS.fullmatch(stated) else None


def _get_points(score: tuple[int, int] | None, side: int) -> int | None:
    """Return the points of a side in a score, or None without a score.

    >>> _get_points((3, 5), 1), _get_points(None, 1)
    (5, None)
    """
    return None if score is None else score[side]


def _find_points_after(match: _Entry, side: int, source: str) -> int | None:
    """Return a side's points after the last game, or None if unknown.

    `source` chooses between the score in the file (`recorded`) and by the replay (`by_board`).
    """
    score = match.outcome.recorded if source == "recorded" else match.outcome.by_board
    return _get_points(score.after, side)


SCHEMA = Schema(
    "matches",
    "One row for each match that was read.",
    ("match",),
    (
        MATCH,
        text(
            "path",
            "The file, or `archive.zip!member`.",
            lambda m: escape_surrogates(m.record.source.path),
        ),
        number("number", "The match in its file, counted from 1.", lambda m: m.record.number),
        LINE._replace(value=lambda m: m.record.beginning.line if m.record.beginning else 1),
        category("format", "The format of the file.", lambda m: m.record.format),
        category(
            "producer",
            "The program that wrote the match file, if known.",
            lambda m: m.record.conventions.producer,
        ),
        category(
            "version",
            "The version of that program, if stated.",
            lambda m: find_version(m.record),
        ),
        category(
            "site",
            "The place of play: as stated, else the producer.",
            lambda m: find_site(m.record),
        ),
        category("event", "The event, as stated.", lambda m: find_header_entry(m.record, "Event")),
        category("round", "The round, as stated.", lambda m: find_header_entry(m.record, "Round")),
        category(
            "transcriber",
            "The transcriber, as stated.",
            lambda m: find_header_entry(m.record, "Transcriber"),
        ),
        category("clock", "The kind of clock, as stated.", lambda m: find_time_control(m.record)),
        *(
            measure(name, meaning, partial(_read_clock_setting, name=f"Clock{name.capitalize()}"))
            for name, meaning in CLOCK_SETTINGS.items()
        ),
        flag("marks_hits", "Whether hits are marked.", lambda m: m.record.conventions.marks_hits),
        flag(
            "writes_dances",
            "Whether dances are written out.",
            lambda m: m.record.conventions.writes_dances,
        ),
        flag(
            "spells_resignations",
            "Whether resignations are written out.",
            lambda m: m.record.conventions.spells_resignations,
        ),
        number(
            "analyses",
            "Number of actions with a stored analysis by another program.",
            lambda m: sum(
                getattr(action, "analysis", None) is not None
                for game in m.record.games
                for action in game.actions
            ),
        ),
        Column(
            "date", "datetime64[s]", "The day of the match.", lambda m: date_of_match(m.record).day
        ),
        category(
            "date_from",
            "The source of the day: the match file (`record`); the other match files of its folder or archive, which show whether day or month comes first (`folder`); or the name of the file.",
            lambda m: date_of_match(m.record).known_from,
            DATES_FROM,
        ),
        text(
            "date_written",
            "The date as written in the match file, even if it is ambiguous, such as 04/01/2023.",
            lambda m: date_of_match(m.record).written,
        ),
        maybe_number(
            "length",
            "Points to win; 0 for money play; missing if not recorded, or if the scores continue beyond it.",
            lambda m: m.outcome.length,
        ),
        maybe_number(
            "length_of_money",
            "The length stated for a single game of money play, as Backgammon Galaxy writes it.",
            lambda m: _find_length_stated_for_money(m.record),
        ),
        category("variant", "The variant, if stated.", lambda m: variant_of(m.record, m.rule_book)),
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
            "The left player's name as written.",
            lambda m: m.record.names[0],
        ),
        text(
            "right_written",
            "The right player's name as written.",
            lambda m: m.record.names[1],
        ),
        measure(
            "left_rating",
            "The left player's stated rating; missing for a rating without experience.",
            lambda m: _find_rating(m.record, 0),
        ),
        measure(
            "right_rating",
            "The right player's rating.",
            lambda m: _find_rating(m.record, 1),
        ),
        number(
            "comments",
            "Number of comments in the match file.",
            lambda m: len(list(find_comments(m.record))),
        ),
        maybe_number(
            "left_before",
            "Points of the left player before the first recorded game.",
            lambda m: _get_points(m.outcome.before, 0),
        ),
        maybe_number(
            "right_before",
            "Points of the right player before the first game.",
            lambda m: _get_points(m.outcome.before, 1),
        ),
        maybe_number(
            "left_after",
            "Points of the left player after the last game.",
            lambda m: _get_points(m.outcome.counting.after, 0),
        ),
        maybe_number(
            "right_after",
            "Points of the right player after the last game.",
            lambda m: _get_points(m.outcome.counting.after, 1),
        ),
        category(
            "winner",
            "The player who reached the length, by the columns of the first game; missing if disputed, even if the points that count in `games` reach the length.",
            lambda m: side_of(m.outcome.counting),
            SIDES,
        ),
        category(
            "recorded_winner",
            "The recorded winner: by a mark of the end of the match, else by the scores.",
            lambda m: side_of(m.outcome.recorded),
            SIDES,
        ),
        category(
            "board_winner",
            "The winner by the sum of the games; disputed games count by the board.",
            lambda m: side_of(m.outcome.by_board),
            SIDES,
        ),
        *(
            maybe_number(
                f"{name}_{how}",
                f"Points of the {name} player after the last game, {meaning}.",
                partial(_find_points_after, side=side, source=how),
            )
            for how, meaning in (
                ("recorded", "as recorded"),
                ("by_board", "by the sum of the games"),
            )
            for side, name in enumerate(SIDES)
        ),
        text(
            "disputed",
            "The codes of the findings that contradict a result, a score, the winner or the length; missing without such findings.",
            lambda m: join_rule_codes(m.outcome.disputed),
        ),
        flag(
            "complete",
            "Whether the file contains a match to a length from its start to its end; it starts at 0-0, or with points that a director gave.",
            lambda m: not explain_incomplete(m.outcome),
        ),
        number(
            "games",
            "Number of recorded games; a game recorded twice counts once.",
            lambda m: len(m.replayed.games),
        ),
        number(
            "repeats",
            "Number of games recorded once more and left out.",
            lambda m: len(m.replayed.repeats),
        ),
        number(
            "copied",
            "Number of games with every play of an earlier one that count, because a score or a result shows a second game.",
            lambda m: len(m.replayed.copies),
        ),
        number(
            "errors",
            "Number of errors found, without corrected ones.",
            lambda m: sum(f.fails(Severity.ERROR) for f in m.findings),
        ),
        number(
            "warnings",
            "Number of warnings found.",
            lambda m: sum(f.severity is Severity.WARNING for f in m.findings),
        ),
        text(
            "content",
            "A digest of rolls, plays, doubles and scores, equal for the same match in another file even with other names and columns; with fewer than 8 plays also of the names, and then it begins with short-; missing if nothing was played.",
            lambda m: digest_match(m.replayed),
        ),
        number(
            "recorded_rolls",
            "Number of recorded rolls with possible dice.",
            lambda m: count_possible_rolls(m.sequence),
        ),
        text(
            "sequence",
            "The rolls and plays, two characters each, by which records of the same match are compared.",
            lambda m: m.sequence,
        ),
        maybe_number(
            "copy_of",
            "The fuller record of the same match that counts instead of this one; copies are not counted.",
            lambda _: None,
        ),
        maybe_number(
            "compared",
            "The fuller record that shares most rolls with this one; missing if none shares many.",
            lambda _: None,
        ),
        maybe_number("shared", "Number of rolls that both have.", lambda _: None),
        maybe_number(
            "same_plays",
            "Number of shared rolls that are not played differently.",
            lambda _: None,
        ),
        maybe_number(
            "continues",
            "The match that ends with the score, length and players with which this one begins.",
            lambda _: None,
        ),
    ),
)


def make_entry(match_number: int, match: Examined, rule_book: RuleBook) -> _Entry:
    """Return a match as an entry of the table of matches."""
    sequence = write_sequence(match.replayed)
    return _Entry(match_number, match.replayed, match.findings, rule_book, match.outcome, sequence)


_RATING = re.compile(r"(\d{1,5}(?:[.,]\d{1,9})?)(?:/(\d{1,9}))?", re.ASCII)


def _find_rating(record: Match, side: Side) -> float | None:
    """Return a player's rating, found in the header or behind the player's name, or None."""
    name, ratings = record.names[side], None
    # Backgammon Galaxy writes the final score in the place of ratings.
    if record.conventions.producer != GALAXY:
        players = [record.tag(f"Player {number}") or "" for number in (1, 2)]
        exchanged = have_swapped_columns(players, record.names)
        number = 1 + (side != exchanged)
        ratings = record.tag(f"Player {number} Elo") or record.tag(f"Rating {SIDE_NAMES[side]}")
    stated = _RATING.fullmatch(ratings.strip() if ratings else name.rpartition(",")[2].strip())
    # eXtreme Gammon writes 1600.00/0 for an unknown player.
    if stated is None or stated[2] == "0" or (not ratings and "," not in name):
        return None
    return float(stated[1].replace(",", "."))


def _find_length_stated_for_money(record: Match) -> int | None:
    """Return the match length in the file of a single money game, or None."""
    if not record.conventions.one_game_is_money or record.length is None:
        return None
    return record.length.points
