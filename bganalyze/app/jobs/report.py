"""Reports on the matches of one file."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bganalyze.analysis.match import AnalyzedMatch
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.record.model import Match
from bganalyze.statistics.match_report import MatchReport, make_match_reports, select_reported
from bganalyze.validation.ignores import find_ignores
from bganalyze.validation.replaying import MatchReplay
from bganalyze.validation.slip_odds import NO_ODDS, Odds


def report_matches(
    matches: Sequence[Match],
    find_analyses: Callable[[Sequence[MatchReplay]], Sequence[AnalyzedMatch | None]],
    rule_book: RuleBook = BASIC,
    *,
    anonymized: Sequence[Match] | None = None,
    players: Callable[[str], str] | None = None,
    odds: Odds = NO_ODDS,
) -> list[MatchReport]:
    """Return the report on each match of one file.

    Findings silenced by an `ignore` comment in the file are left out.

    - `find_analyses`: function from matches, replayed by the basic rules, to the analysis of each
    - `anonymized`: the same matches without personal data, to hide the players
    - `players`: function from written names to players
    - `odds`: how often errors are the transcriber's slips rather than the player's errors
    """
    chosen = select_reported(matches)
    analyzed = find_analyses(chosen.replays)
    reported = chosen if anonymized is None else select_reported(anonymized)
    return make_match_reports(reported, rule_book, find_ignores(matches), analyzed, players, odds)
