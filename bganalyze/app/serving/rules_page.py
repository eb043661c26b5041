"""The rules as the page explains them: what each finding means."""

from __future__ import annotations

from typing import NamedTuple

from bganalyze.validation.rules import BY_NAME
from bganalyze.validation.rules.catalog import Rule


class Paragraph(NamedTuple):
    """A paragraph of a rule's documentation."""

    text: str
    is_example: bool
    """Whether it shows lines of a match file, to be kept as they are."""


class ExplainedRule(NamedTuple):
    """A rule with its documentation."""

    code: str
    name: str
    severity: str
    paragraphs: tuple[Paragraph, ...]


def explain_rules() -> list[ExplainedRule]:
    """Return all rules with their documentation, ordered by code.

    >>> [rule.name for rule in explain_rules() if rule.code == "R603"]
    ['wrong-winner']
    """
    rules = sorted(BY_NAME.values(), key=lambda rule: rule.code)
    return [
        ExplainedRule(rule.code, rule.name, rule.severity.value, _split_documentation(rule))
        for rule in rules
    ]


def _split_documentation(rule: Rule) -> tuple[Paragraph, ...]:
    """Return the documentation of a rule in paragraphs; prose without line breaks."""
    return tuple(
        Paragraph(text, is_example=True)
        if "\n " in f"\n{text}"
        else Paragraph(" ".join(text.split()), is_example=False)
        for text in rule.doc.strip("\n").split("\n\n")
    )
