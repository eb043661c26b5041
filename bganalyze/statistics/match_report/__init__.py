"""The report of one match, made from its tables and its replay."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from bganalyze.analysis.match import AnalyzedMatch
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.record.conventions import PlacedComment, find_comments
from bganalyze.record.model import Match
from bganalyze.statistics.match_report.boards import (
    EngineAnalyses,
    Offer,
    explain_findings,
    list_offers,
    report_analysis,
)
from bganalyze.statistics.match_report.figures import (
    FigureGroup,
    Rolls,
    compute_checker_figures,
    compute_cube_figures,
    compute_dice_figures,
    count_rolls_and_faces,
)
from bganalyze.statistics.match_report.games import (
    Books,
    GameReport,
    OrientedTables,
    ReportHeading,
    assign_seats,
    make_books,
    make_heading,
    report_games,
)
from bganalyze.statistics.reports.dice import tabulate_counted_rolls
from bganalyze.statistics.reports.seats import games_by_side
from bganalyze.statistics.tables.fragments import make_fragment
from bganalyze.statistics.tables.frames import join_fragments
from bganalyze.statistics.tables.schema import Examined, examine_matches
from bganalyze.validation.checking import findings_of
from bganalyze.validation.findings import Finding
from bganalyze.validation.ignores import Ignores
from bganalyze.validation.replaying import MatchReplay, replay
from bganalyze.validation.replaying.outcomes import FinalScore
from bganalyze.validation.rules.disputed_results import Dispute, codes_of, find_disputes
from bganalyze.validation.rules.explained import ExplainedFinding
from bganalyze.validation.slip_odds import NO_ODDS, Odds

GROUPS = frozenset(("checker", "shots", "race"))
"""The groups of columns of turns that a report uses."""

NOTHING_SILENT = Ignores({})

MOST_REPORTED = 30
"""Most matches of a file that are reported; each takes 0.1 s, even an empty one."""


class MatchReport(NamedTuple):
    """The report of one match."""

    rule_book: RuleBook
    """The rule book the match is checked by."""
    heading: ReportHeading
    """The match and its result."""
    books: Books
    """The points by the way games ended."""
    games: tuple[GameReport, ...]
    """The games in their order."""
    checker: tuple[FigureGroup, ...]
    """Figures of checker play."""
    cube: tuple[FigureGroup, ...]
    """Figures of doubles and answers."""
    decisions: tuple[Offer, ...]
    """Every double, with its board."""
    dice: tuple[FigureGroup, ...]
    """Averages of the rolls."""
    rolls: Rolls
    """The number of times each roll fell."""
    findings: tuple[ExplainedFinding, ...]
    """The findings, each with its line and its board."""
    remarks: tuple[PlacedComment, ...]
    """The comments of the match file."""
    analyses: EngineAnalyses | None
    """The analysis of the match by an engine; None without one."""
    replayed: MatchReplay
    """The replay of the match."""
    analyzed: AnalyzedMatch | None
    """The evaluations of its decisions."""
    recorded: FinalScore
    """The result of the match as recorded in the match file."""
    by_board: FinalScore
    """The result as the sum of the games; disputed games count by the board."""
    disputed: tuple[str, ...]
    """The codes of the findings that contradict a result, a score, the winner or the length."""
    disputes: tuple[Dispute, ...]
    """The contradictions in words."""
    left_out: int = 0
    """Number of matches of the file left out because there are too many."""


class Reported(NamedTuple):
    """The matches of a file to report on."""

    matches: Sequence[Match]
    replays: Sequence[MatchReplay]
    """Their replays by the basic rules, which identify stored analyses."""
    left_out: int
    """Number of matches of the file left out because there are too many."""

    def replay_under(self, rule_book: RuleBook) -> Sequence[MatchReplay]:
        """Return the replays of the matches by the rules of a rule book."""
        if rule_book == BASIC:
            return self.replays
        return [replay(match, rule_book) for match in self.matches]


def select_reported(matches: Sequence[Match]) -> Reported:
    """Return the first `MOST_REPORTED` matches of a file, replayed, and count the others."""
    first = matches[:MOST_REPORTED]
    return Reported(first, [replay(match) for match in first], len(matches) - len(first))


def make_match_reports(
    chosen: Reported,
    rule_book: RuleBook = BASIC,
    silent: Ignores = NOTHING_SILENT,
    analyzed: Sequence[AnalyzedMatch | None] = (),
    player_of_name: Callable[[str], str] | None = None,
    odds: Odds = NO_ODDS,
) -> list[MatchReport]:
    """Return a report on each match: results, cube decisions, dice and findings (broken rules).

    `silent` has the comments in the file that silence findings. `analyzed` has the analysis of each
    match or None. `player_of_name` maps written names to players. `odds` say how frequent
    transcription slips are, compared with players' errors.

    >>> from bganalyze.record.reader import read
    >>> (report,) = make_match_reports(select_reported(read("samples/clean/one-point.mat")))
    >>> report.heading.after, report.books.balances
    ((0, 1), True)
    """
    replays = chosen.replay_under(rule_book)
    loud = silent.leave_out_silenced(findings_of(replays, rule_book))
    findings = [finding.under(odds) for finding in loud]
    matches_examined = examine_matches(replays, findings)
    tables = join_fragments(
        [make_fragment(matches_examined, rule_book, GROUPS)], GROUPS, player_of_name
    )
    left_out = chosen.left_out
    analyses_of = analyzed or [None] * len(replays)
    return [
        _make_report(assign_seats(tables, number), match, findings, rule_book, evaluation)._replace(
            left_out=left_out
        )
        for number, (match, evaluation) in enumerate(
            zip(matches_examined, analyses_of, strict=True)
        )
    ]


def _make_report(
    oriented: OrientedTables,
    examined_match: Examined,
    findings: Sequence[Finding],
    rule_book: RuleBook,
    analyzed: AnalyzedMatch | None,
) -> MatchReport:
    """Return the report on a match from its tables, its replay and, if any, its analysis.

    In the tables, `oriented`, each player has the same side in all games.
    """
    replayed, outcome = examined_match.replayed, examined_match.outcome
    record, by_side = replayed.match, games_by_side(oriented.tables)
    rolls = tabulate_counted_rolls(oriented.tables, by_side)
    return MatchReport(
        rule_book=rule_book,
        heading=make_heading(oriented),
        books=make_books(oriented.tables, by_side),
        games=report_games(oriented.tables),
        checker=compute_checker_figures(oriented.tables, by_side),
        cube=compute_cube_figures(oriented.tables, by_side),
        decisions=list_offers(oriented, replayed),
        dice=compute_dice_figures(rolls),
        rolls=count_rolls_and_faces(rolls),
        findings=explain_findings(
            oriented,
            [finding for finding in findings if finding.match == record.number],
            list(record.source.lines),
            rule_book,
        ),
        remarks=tuple(find_comments(record)),
        analyses=None if analyzed is None else report_analysis(oriented, analyzed, outcome),
        replayed=replayed,
        analyzed=analyzed,
        recorded=outcome.recorded,
        by_board=outcome.by_board,
        disputed=codes_of(outcome.disputed),
        disputes=tuple(find_disputes(outcome, list(_name_players_of_games(oriented, replayed)))),
    )


def _name_players_of_games(
    match: OrientedTables, replayed: MatchReplay
) -> Iterator[tuple[str, str]]:
    """Yield for each game the names of its left and its right player.

    Equal names are told apart by "(left)" and "(right)".
    """
    left, right = match.names
    if left == right:
        left, right = f"{left} (left)", f"{right} (right)"
    for game in replayed.games:
        yield match.seats.order_by_player(game.context.game, (left, right))
