"""A case: a fault that was noticed at some moment, what rule books make of it, and the points then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bganalyze.board.rule_book import RuleBook
from bganalyze.record.model import Comment, Double, Match
from bganalyze.validation.checking import findings_of
from bganalyze.validation.findings import Finding, Severity
from bganalyze.validation.replaying.facts import Turn
from bganalyze.validation.replaying.match import MatchReplay, replay
from bganalyze.validation.replaying.outcomes import Win, outcome_of
from bganalyze.validation.replaying.places import (
    LinePlace,
    PlaceError,
    place,
    turn_at,
    turn_of_finding,
    turn_on_line,
)
from bganalyze.validation.replaying.standing import MOVEMENT, place_text
from bganalyze.validation.rescoring import Rescored, rescore, win_without_double
from bganalyze.validation.rules.ruling import Ruling, rule_on

RULED_ON = ("P4", "U2", "C5", "R6", "T105")
"""Starts of the codes of faults that directors are asked about."""

NOW = "now"
"""The moment after the end of the record."""

MOST_LISTED = 8
"""Faults that a message lists."""


class PointsThen(NamedTuple):
    """The points of the match under one remedy."""

    remedy: str
    """The remedy in words."""
    points: Rescored


class BookRuling(NamedTuple):
    """What one rule book makes of a fault."""

    rule_book: RuleBook
    finding: Finding | None
    """The fault as a check by this book finds it; None if it is no fault there."""
    ruling: Ruling | None
    """What the book says; None if there is nothing to correct."""

    @property
    def closed_by(self) -> str | None:
        """The place (`line:column`) of the action that closed the fault, or None."""
        return None if self.finding is None else self.finding.closed_by


class Case(NamedTuple):
    """A fault of a match, what each rule book makes of it, and what it does to the score."""

    replayed: MatchReplay
    finding: Finding
    """The fault, by the first rule book."""
    turn: Turn
    """The action at its place, or the next one."""
    noticed: Turn | None
    """The action before which it was noticed; None for now."""
    rulings: tuple[BookRuling, ...]
    """What each book makes of it."""
    points: tuple[PointsThen, ...]
    """The points as recorded, then under each remedy."""

    @property
    def time_line(self) -> tuple[Turn, ...]:
        """The actions from the fault to the moment it was noticed, or to the one that closed it."""
        game = self.replayed.games[self.turn.context.game - 1]
        turns = [turn for turn in game.turns if not isinstance(turn.action, Comment)]
        start = next((at for at, turn in enumerate(turns) if turn is self.turn), len(turns))
        return tuple(turns[max(start - 1, 0) :])


def find_case(
    matches: Sequence[Match], where: str, rule_books: Sequence[RuleBook], noticed: str = NOW
) -> Case:
    """Return the case of the fault at a place of one file, noticed before another.

    Raise PlaceError if there is no fault, or no such place.
    """
    first = [replay(match, rule_books[0]) for match in matches]
    replayed, asked = _turn_at(first, where)
    finding = _find_fault(findings_of([replayed], rule_books[0]), asked, where)
    turn = turn_of_finding(replayed, finding)
    moment = None if noticed.casefold() == NOW else _turn_at([replayed], noticed)[1]
    if moment is not None and moment.action.span <= turn.action.span:
        raise PlaceError(f"{noticed}: this is not after the fault in line {finding.line}")
    rulings = tuple(_rule(replayed.match, finding, book, moment) for book in rule_books)
    return Case(
        replayed, finding, turn, moment, rulings, tuple(_points_then(replayed, finding, turn))
    )


def _turn_at(replays: Sequence[MatchReplay], where: str) -> tuple[MatchReplay, Turn]:
    """Return the match and the turn at a place; a game and row are those of the first match."""
    position = place(where)
    if isinstance(position, LinePlace):
        return turn_on_line(replays, position)
    if not replays:
        raise PlaceError("there is no match")
    return replays[0], turn_at(replays[0], position)


def _find_fault(findings: Sequence[Finding], asked: Turn, where: str) -> Finding:
    """Return the fault at a place, or the one on its line; raise PlaceError if there is none."""
    faults = [finding for finding in findings if finding.code.startswith(RULED_ON)]
    span = asked.action.span
    on_line = [fault for fault in faults if fault.line == span.line]
    in_cell = [fault for fault in on_line if span.column <= fault.column < span.end_column]
    if found := in_cell or on_line:
        return min(found, key=lambda fault: (list(Severity).index(fault.severity), fault.column))
    raise PlaceError(f"{where}: there is no fault to rule on{_list_faults(faults)}")


def _list_faults(faults: Sequence[Finding]) -> str:
    """Return the end of a message that lists the faults of a match."""
    if not faults:
        return ", and none in this match"
    listed = ", ".join(
        f"{fault.line}:{fault.column} ({fault.code})" for fault in faults[:MOST_LISTED]
    )
    more = ", …" if len(faults) > MOST_LISTED else ""
    return f"; there is one at {listed}{more}"


def _rule(match: Match, finding: Finding, book: RuleBook, noticed: Turn | None) -> BookRuling:
    """Return what a book makes of a fault; its standing is that of a check by this book."""
    found = findings_of([replay(match, book)], book)
    same = (each for each in found if _identity(each) == _identity(finding))
    there = next(same, None)
    if there is None:
        return BookRuling(book, None, None)
    moment = None if noticed is None else place_text(noticed.action.span)
    return BookRuling(book, there, rule_on(there, book, moment))


def _identity(finding: Finding) -> tuple[int, int, str]:
    return finding.line, finding.column, finding.code


def _points_then(replayed: MatchReplay, finding: Finding, turn: Turn) -> Iterator[PointsThen]:
    """Yield the points as recorded, and under each remedy that changes them."""
    number = turn.context.game
    game = replayed.games[number - 1]
    outcome = outcome_of(replayed).games[number - 1]
    recorded = outcome.recorded or outcome.counting
    yield PointsThen("as recorded", rescore(replayed, number, recorded))
    if finding.name in MOVEMENT or finding.is_of_set_up:
        yield PointsThen(
            "corrected: the game is played on from there", rescore(replayed, number, None)
        )
    elif isinstance(turn.action, Double):
        without = win_without_double(game, turn)
        yield PointsThen("without the double", rescore(replayed, number, without))
    elif finding.code.startswith("R6") and _differ(outcome.by_board, recorded):
        yield PointsThen("by the board", rescore(replayed, number, outcome.by_board))


def _differ(one: Win | None, other: Win | None) -> bool:
    return one is not None and one.points is not None and one != other
