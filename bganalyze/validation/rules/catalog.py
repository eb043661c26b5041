r"""The form of a rule: a code, a name, a severity, and a function that puts a problem into words.

The docstring of that function is the rule's documentation, for players, directors and
transcribers. `bganalyze rule P406` prints it, and the tests check that its lines have at most 80
characters after their indentation, and this outline:

    (first line)      the finding, in one sentence
    What it does.     more details, and when the rule is silent
    Why.
    Example:          match text, indented
    Source:           the rule of the game, or "practice" if no rule text covers it
    Never shown:      problems that no record can show; left out if there are none

An example is executed. It is match text, or `.bgm` text, as in a file. If it begins with a row, these three lines
are put above it:

     5 point match
     Game 1
     Ann : 0                         Bob : 0

`  <- P406` at the end of a line marks the finding of that line, `  <- P406 stands` its standing too,
and commas separate several findings. Unmarked lines must give no error and no warning under the base
rules; remarks (info) may stay unmarked. Four characters such as `\x81` mean that byte. If match text
cannot break the rule, `Example: no match text` begins a sentence that names a format that can.

The base rules are those by T. Keith, as the manual of GNU Backgammon gives them. "The player-error
rule" is the section of that name in the rule texts this project starts from.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from bganalyze.board.rule_book import RuleBook
from bganalyze.text import documentation
from bganalyze.validation.findings import Severity
from bganalyze.validation.replaying.replayed import MatchProblem


class GradedMessage(NamedTuple):
    """The message of a finding, and its severity if it differs from the rule's."""

    message: str
    severity: Severity | None = None


Message: TypeAlias = str | GradedMessage
"""The message of a finding, which a rule writes for a problem of the replay."""


class Paragraph(NamedTuple):
    """A paragraph of a rule's documentation."""

    text: str
    """The text with its line breaks."""
    is_example: bool
    """Whether it shows lines of a match file, to be kept as they are."""


class Rule(NamedTuple):
    """One rule that a check reports, with a code such as P406. Codes are never reused."""

    code: str
    name: str
    severity: Severity
    write_message: Callable[[MatchProblem, RuleBook], Message]
    repaired: bool = False
    """Whether a repair handles its findings although they are warnings, because only slips cause
    them. No error-free record of a real match has such a warning."""

    @property
    def doc(self) -> str:
        """The rule's documentation for users."""
        return documentation(self.write_message)

    @property
    def paragraphs(self) -> list[Paragraph]:
        """The documentation in paragraphs, with only the lines of examples indented."""
        texts = self.doc.strip("\n").split("\n\n")
        return [Paragraph(text, "\n " in f"\n{text}") for text in texts]


def rule(
    code: str, name: str, severity: Severity, *, repaired: bool = False
) -> Callable[[Callable[[MatchProblem, RuleBook], Message]], Rule]:
    """Return a decorator that makes a function a rule with this code, name and severity.

    The function must write the message for a problem. If `repaired`, the command `repair` handles
    the rule's warnings as well as its errors.
    """

    def make_rule(write_message: Callable[[MatchProblem, RuleBook], Message]) -> Rule:
        return Rule(code, name, severity, write_message, repaired)

    return make_rule
