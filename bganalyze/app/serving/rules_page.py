"""The rules as the page explains them: what each finding means."""

from __future__ import annotations

from typing import NamedTuple

from bganalyze.validation.rules import BY_NAME
from bganalyze.validation.rules.catalog import Paragraph


class ExplainedRule(NamedTuple):
    """A rule with its documentation."""

    code: str
    name: str
    severity: str
    paragraphs: tuple[Paragraph, ...]


def explain_rules() -> list[ExplainedRule]:
    """Return all rules with their documentation, ordered by code."""
    rules = sorted(BY_NAME.values(), key=lambda rule: rule.code)
    return [
        ExplainedRule(
            rule.code, rule.name, rule.severity.value, tuple(map(_join_lines, rule.paragraphs))
        )
        for rule in rules
    ]


def _join_lines(paragraph: Paragraph) -> Paragraph:
    """Return a paragraph of prose without line breaks; return an example unchanged."""
    if paragraph.is_example:
        return paragraph
    return paragraph._replace(text=" ".join(paragraph.text.split()))
