"""Options of an output: the rule book, the width, and the kinds of detail to show."""

# Annotations are values here, not text: see `record/model.py`.

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.validation.findings import Finding, Severity
from bganalyze.validation.slip_odds import NO_ODDS, Odds

UNLIMITED = 10_000
"""Width of an output that is not a terminal, in characters."""


class OutputOptions(NamedTuple):
    """Options of a renderer."""

    rule_book: RuleBook = BASIC
    full: bool = False
    """Whether findings are shown with their line, their board and an explanation."""
    width: int = 80
    """Columns of a table or a board."""
    prose_width: int = UNLIMITED
    """Columns of a line of prose; a pipe gets whole lines."""
    color: bool = False
    encoding: str = "utf-8"
    board: bool = True
    verbose: bool = False
    quiet: bool = False
    least: Severity = Severity.INFO
    """Lowest severity listed; milder findings are only counted."""
    errors_first: bool = False
    """Whether text lists the errors of all files before other findings."""
    odds: Odds = NO_ODDS
    """Odds of transcription slips against players' errors."""
    only_new: bool = False
    """Whether a baseline leaves out known findings."""

    def select_listed(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Yield the findings severe enough to be listed, each with the user's odds of a slip."""
        return (self.apply_odds(one) for one in findings if one.severity.reaches(self.least))

    def apply_odds(self, finding: Finding) -> Finding:
        """Return a finding with the user's odds that it is a transcription slip."""
        return finding.under(self.odds)

    @property
    def unicode(self) -> bool:
        """Whether the output can show more than ASCII."""
        return "utf" in self.encoding.lower()


def plain_output_options(
    rule_book: RuleBook = BASIC, odds_of_slips: Odds = NO_ODDS
) -> OutputOptions:
    """Return options for output without color and with unlimited width."""
    return OutputOptions(rule_book, width=UNLIMITED, odds=odds_of_slips)
