"""The report of a match, put together from its sections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bganalyze.findings import Finding
from bganalyze.ignores import Ignores
from bganalyze.law import BASIC, Law
from bganalyze.match_report.accounts import Books, books
from bganalyze.match_report.contrasts import Group, checker, cube, dice
from bganalyze.match_report.doubles import Decision, decisions
from bganalyze.match_report.faults import Fault, faults
from bganalyze.match_report.games import Game, games
from bganalyze.match_report.heading import Heading, heading
from bganalyze.match_report.seats import seated
from bganalyze.match_report.throws import Throws, throws
from bganalyze.replaying import MatchReplay, replay
from bganalyze.tables.fragments import fragment
from bganalyze.tables.frames import Tables, collected
from bganalyze.transcript.model import Match
from bganalyze.wording import findings_of

GROUPS = frozenset(("checker", "shots", "race"))
"""The groups of columns of turns that a report counts."""


NOTHING_SILENT = Ignores({})


class MatchReport(NamedTuple):
    """What is reported of one match."""

    law: Law
    heading: Heading
    books: Books
    games: tuple[Game, ...]
    checker: tuple[Group, ...]
    cube: tuple[Group, ...]
    decisions: tuple[Decision, ...]
    dice: tuple[Group, ...]
    throws: Throws
    faults: tuple[Fault, ...]


def match_reports(
    matches: Sequence[Match], law: Law = BASIC, silent: Ignores = NOTHING_SILENT
) -> list[MatchReport]:
    """Return the report of every match of one file, without the findings that are silenced.

    >>> from bganalyze.transcript.reader import read
    >>> (report,) = match_reports(read("samples/clean/one-point.mat"))
    >>> report.heading.after, report.books.balances
    ((0, 1), True)
    """
    replays = [replay(match, law) for match in matches]
    found = [each for each in findings_of(replays, law) if not silent.silences(each)]
    tables = collected([fragment(replays, found, law, GROUPS)], GROUPS)
    return [
        _report(
            number, tables, replayed, [f for f in found if f.match == replayed.match.number], law
        )
        for number, replayed in enumerate(replays)
    ]


def _report(
    number: int, tables: Tables, replayed: MatchReplay, found: Sequence[Finding], law: Law
) -> MatchReport:
    own = seated(tables, number)
    return MatchReport(
        law=law,
        heading=heading(own),
        books=books(own),
        games=games(own),
        checker=checker(own.tables),
        cube=cube(own.tables),
        decisions=decisions(own, replayed),
        dice=dice(own.tables),
        throws=throws(own),
        faults=faults(own, found, list(replayed.match.source.lines), law),
    )
