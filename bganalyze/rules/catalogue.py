"""What a rule is: a code, a name, a severity, and a function that puts a fact into words."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import NamedTuple

from bganalyze.facts import Fact
from bganalyze.findings import Severity
from bganalyze.law import Law


class Wording(NamedTuple):
    """A message, and a severity where it is not the rule's usual one."""

    message: str
    severity: Severity | None = None


class Rule(NamedTuple):
    """One entry of the catalogue. Codes are never reused."""

    code: str
    name: str
    severity: Severity
    word: Callable[[Fact, Law], str | Wording]

    @property
    def doc(self) -> str:
        """The rule's documentation: what, why, example, source, what a record never shows."""
        return inspect.getdoc(self.word) or ""


def rule(
    code: str, name: str, severity: Severity
) -> Callable[[Callable[[Fact, Law], str | Wording]], Rule]:
    """Make a rule of the function below: it turns a fact of that name into a message."""

    def made(word: Callable[[Fact, Law], str | Wording]) -> Rule:
        return Rule(code, name, severity, word)

    return made
