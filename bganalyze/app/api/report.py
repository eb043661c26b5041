"""`report`: full reports on matches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, overload

from bganalyze.app.api.analyses import find_analysis_of_each
from bganalyze.app.api.arguments import check_arguments
from bganalyze.app.api.read import yield_matches_by_file
from bganalyze.app.api.sources import Source, call_in_limits_of_matches, find_rule_book
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.text import number_of
from bganalyze.validation.replaying import MatchReplay
from bganalyze.validation.slip_odds import NO_ODDS, Odds

if TYPE_CHECKING:
    from bganalyze.analysis.match import AnalyzedMatch
    from bganalyze.app.api.analyze import AnalysisResult
    from bganalyze.statistics.match_report import MatchReport


@dataclass(frozen=True, slots=True)
class MatchReports(Sequence["MatchReport"]):
    """The reports of matches, in their order."""

    reports: tuple[MatchReport, ...]
    rule_book: RuleBook

    @overload
    def __getitem__(self, place: int) -> MatchReport: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[MatchReport, ...]: ...
    def __getitem__(self, place: int | slice) -> MatchReport | tuple[MatchReport, ...]:
        """Return the report at an index, or those of a slice."""
        return self.reports[place]

    def __len__(self) -> int:
        """Return the number of reports."""
        return len(self.reports)

    def render(self, format: str = "text") -> str:
        """Return the reports in a format of `bganalyze report`, or as a page of `html`.

        Raises ValueError for an unknown format.
        """
        from bganalyze.app.render import REPORT_FORMATS, render_reports, require_format
        from bganalyze.app.render.match_report import match_page
        from bganalyze.app.render.output_options import plain_output_options

        if format == "html":
            return match_page(self.reports)
        require_format(format, (*REPORT_FORMATS, "html"))
        return "".join(render_reports(self.reports, format, plain_output_options(self.rule_book)))

    def __repr__(self) -> str:
        """The number of reports."""
        return f"<{number_of(len(self.reports), 'report')}>"

    def _repr_html_(self) -> str:
        """The page in a frame, for notebooks."""
        from bganalyze.app.render.notebook import frame_page

        return frame_page(self.render("html"))


@check_arguments
def report(
    source: Source,
    rules: str | RuleBook = BASIC,
    *,
    analysis: AnalysisResult | None = None,
    players: Callable[[str], str] | None = None,
    odds: Odds = NO_ODDS,
    name: str | None = None,
) -> MatchReports:
    """Return a report on each match: points scored, games, races, plays, cube, dice and findings.

    - `analysis` is a result of `analyze`; by default, analyses in the file are used.
    - `players` maps written names to players.
    - `odds` say how often errors are the transcriber's slips rather than the player's errors, such
      as `Odds({"slips": Ratio(3, 1)})`.
    - `name` is the file name for bytes or an open file.

    The first 30 matches of each file are reported. Raises NotATranscript and UnreadableError.

    >>> found = report("samples/clean/one-point.mat")
    >>> found, found[0].heading.after
    (<1 report>, (0, 1))
    """
    from bganalyze.app.jobs.report import report_matches  # loads pandas

    rule_book = find_rule_book(rules)
    reports: list[MatchReport] = []
    for matches in yield_matches_by_file(source, name):
        find = partial(_find_analyses, analysis=analysis)
        work = partial(report_matches, matches, find, rule_book, players=players, odds=odds)
        reports += call_in_limits_of_matches(matches, work)
    return MatchReports(tuple(reports), rule_book)


def _find_analyses(
    replays: Sequence[MatchReplay], analysis: AnalysisResult | None
) -> list[AnalyzedMatch | None]:
    """Return each match's analysis, from `analysis` or else the match file; None without one."""
    if analysis is None:
        return find_analysis_of_each(replays, None)
    known = {(match.path, match.number): match for match in analysis.matches}
    matches = (replayed.match for replayed in replays)
    return [known.get((match.source.path, match.number)) for match in matches]
