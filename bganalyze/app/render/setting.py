"""The options of an output: the rule book it reports on, and what its page can show."""

# Annotations are values here, not text: see `record/model.py`.

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.validation.findings import Finding, Severity
from bganalyze.validation.odds import NO_ODDS, Odds


class OutputOptions(NamedTuple):
    """What a renderer needs to know besides the results."""

    rule_book: RuleBook = BASIC
    full: bool = False
    """Whether findings are shown with their line, their board and what they mean."""
    width: int = 80
    color: bool = False
    encoding: str = "utf-8"
    board: bool = True
    verbose: bool = False
    quiet: bool = False
    least: Severity = Severity.INFO
    """Findings that are less grave are counted, and not listed."""
    errors_first: bool = False
    """Whether the text lists the errors of all files before anything else."""
    odds: Odds = NO_ODDS
    """How often transcribers slip compared with how often players err."""

    def listed(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Yield the findings that are listed."""
        return (self.told(one) for one in findings if one.severity.reaches(self.least))

    def told(self, finding: Finding) -> Finding:
        """Return a finding with the odds that are set for its kind of error."""
        return finding.under(self.odds)

    @property
    def unicode(self) -> bool:
        """Whether more than ASCII can be shown."""
        return "utf" in self.encoding.lower()


UNLIMITED = 10_000
"""The width of an output that no terminal shows, in characters."""


def unshown(rule_book: RuleBook = BASIC, odds: Odds = NO_ODDS) -> OutputOptions:
    """Return the options of an output that no terminal shows: it is as wide as it likes, and plain."""
    return OutputOptions(rule_book, width=UNLIMITED, odds=odds)
