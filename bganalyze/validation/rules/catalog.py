r"""What a rule is: a code, a name, a severity, and a function that puts a fact into words.

The docstring of that function is the rule's documentation, for players, directors and
transcribers. `bganalyze rule P406` prints it, and the tests hold it to this outline:

    (first line)      what is reported, in one sentence
    What it does.     in a little more words, and when it is silent
    Why.
    Example:          match text, indented
    Source:           the rule of the game, or "practice" where no text of rules says it
    Never shown:      what no record can tell about it; left out where there is nothing to say

An example is executed. It is match text as it stands in a file; one that begins with a row is put
under these three lines, and any other is taken as it is:

     5 point match
     Game 1
     Ann : 0                         Bob : 0

`  <- P406` at the end of a line marks the finding of that line, `  <- P406 stands` its standing too,
and commas part several. What is not marked must give no error and no warning under the base rules;
remarks (info) may go unmarked. Four characters such as `\x81` stand for that byte. Where match text
cannot break the rule, `Example: no match text` begins a sentence that names the format that can.

The rules by T. Keith, as the manual of GNU Backgammon gives them, are the base rules here;
"the player-error rule" is the section of that name in the rule texts this project starts from.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bganalyze.board.rule_book import RuleBook
from bganalyze.text import documentation
from bganalyze.validation.findings import Severity
from bganalyze.validation.replaying.facts import Fact


class Wording(NamedTuple):
    """A message, and a severity where it is not the rule's usual one."""

    message: str
    severity: Severity | None = None


class Rule(NamedTuple):
    """One entry of the catalog. Codes are never reused."""

    code: str
    name: str
    severity: Severity
    word: Callable[[Fact, RuleBook], str | Wording]
    repaired: bool = False
    """Whether a repair looks at it although it is a warning: it comes of a slip. Of the records of real
    matches without an error none has such a warning."""

    @property
    def doc(self) -> str:
        """The rule's documentation: what, why, example, source, what a record never shows."""
        return documentation(self.word)


def rule(
    code: str, name: str, severity: Severity, *, repaired: bool = False
) -> Callable[[Callable[[Fact, RuleBook], str | Wording]], Rule]:
    """Make a rule of the function below: it turns a fact of that name into a message.

    `repaired` says that a repair looks at its findings although they are warnings.
    """

    def entry(word: Callable[[Fact, RuleBook], str | Wording]) -> Rule:
        return Rule(code, name, severity, word, repaired)

    return entry
