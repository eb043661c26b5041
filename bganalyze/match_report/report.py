"""The report of a match, put together from its sections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from bganalyze.checking import findings_of
from bganalyze.findings import Finding
from bganalyze.ignores import Ignores
from bganalyze.judging.match import JudgedMatch
from bganalyze.law import BASIC, Law
from bganalyze.match_report.boards import (
    EngineVerdicts,
    ExplainedFinding,
    Offer,
    decisions,
    faults,
    verdicts,
)
from bganalyze.match_report.figures import FigureGroup, Throws, checker, cube, dice, throws
from bganalyze.match_report.games import Books, GameReport, Heading, books, games, heading
from bganalyze.match_report.seats import Seated, seated
from bganalyze.replaying import MatchReplay, replay
from bganalyze.tables.fragments import fragment
from bganalyze.tables.frames import collected
from bganalyze.tables.schema import examined
from bganalyze.transcript.model import Match

GROUPS = frozenset(("checker", "shots", "race"))
"""The groups of columns of turns that a report counts."""


NOTHING_SILENT = Ignores({})


class MatchReport(NamedTuple):
    """What is reported of one match."""

    law: Law
    heading: Heading
    books: Books
    games: tuple[GameReport, ...]
    checker: tuple[FigureGroup, ...]
    cube: tuple[FigureGroup, ...]
    decisions: tuple[Offer, ...]
    dice: tuple[FigureGroup, ...]
    throws: Throws
    faults: tuple[ExplainedFinding, ...]
    verdicts: EngineVerdicts | None
    """None where no engine has judged the match."""


def match_reports(
    matches: Sequence[Match],
    law: Law = BASIC,
    silent: Ignores = NOTHING_SILENT,
    judged: Sequence[JudgedMatch | None] = (),
    player: Callable[[str], str] | None = None,
) -> list[MatchReport]:
    """Return the report of every match of one file, without the findings that are silenced.

    `player` says who a written name is, as in `collected`. `judged` holds what an engine says of each match; nothing where no engine was asked.

    >>> from bganalyze.transcript.reader import read
    >>> (report,) = match_reports(read("samples/clean/one-point.mat"))
    >>> report.heading.after, report.books.balances
    ((0, 1), True)
    """
    replays = [replay(match, law) for match in matches]
    found = [each for each in findings_of(replays, law) if not silent.silences(each)]
    tables = collected([fragment(examined(replays, found), law, GROUPS)], GROUPS, player)
    return [
        _report(seated(tables, number), replayed, found, law, said)
        for number, (replayed, said) in enumerate(
            zip(replays, judged or [None] * len(replays), strict=True)
        )
    ]


def _report(
    own: Seated,
    replayed: MatchReplay,
    found: Sequence[Finding],
    law: Law,
    judged: JudgedMatch | None,
) -> MatchReport:
    match = replayed.match
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
        faults=faults(
            own,
            [each for each in found if each.match == match.number],
            list(match.source.lines),
            law,
        ),
        verdicts=None if judged is None else verdicts(own, judged),
    )
