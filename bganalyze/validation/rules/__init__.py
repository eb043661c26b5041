"""The catalog of rules in the order of their codes, and look-up by code or name."""

from __future__ import annotations

from difflib import get_close_matches

from bganalyze.errors import BganalyzeError
from bganalyze.validation.rules import (
    c_cube,
    d_dice,
    p_play,
    r_result,
    s_signature,
    t_transcript,
    u_setup,
)
from bganalyze.validation.rules.catalog import Rule

CATALOG: tuple[Rule, ...] = tuple(
    sorted(
        (
            *t_transcript.RULES,
            *u_setup.RULES,
            *d_dice.RULES,
            *p_play.RULES,
            *c_cube.RULES,
            *r_result.RULES,
            *s_signature.RULES,
        ),
        key=lambda rule: rule.code,
    )
)

BY_NAME = {rule.name: rule for rule in CATALOG}

CODES = tuple(rule.code for rule in CATALOG)


class UnknownRuleError(BganalyzeError, ValueError):
    """An unknown rule name or code; the message lists similar ones."""


def find_rules(text: str) -> list[Rule]:
    """Return the rules with the given code, code prefix or name, or raise UnknownRuleError.

    >>> len(find_rules("p406")), len(find_rules("U2"))
    (1, 7)
    """
    start = text.strip().upper()
    family = [rule for rule in CATALOG if start and rule.code.startswith(start)]
    return family or [find_rule(text)]


def find_rule(text: str) -> Rule:
    """Return the rule with this code or name, or raise UnknownRuleError.

    >>> find_rule("p406").name, find_rule("Bar-First").code
    ('bar-first', 'P406')
    """
    if not isinstance(text, str):
        raise TypeError(f"text: the code or name of a rule expected, not {type(text).__name__}")
    name = text.strip().casefold()
    rules = {name.casefold(): rule for rule in CATALOG for name in (rule.code, rule.name)}
    if name in rules:
        return rules[name]
    similar = [rules[other] for other in get_close_matches(name, rules)]
    names = " or ".join(f"{rule.code} {rule.name}" for rule in similar)
    hint = f"is {names} meant? " if similar else ""
    raise UnknownRuleError(f"no rule is called {text!r}; {hint}`bganalyze rule` lists them all")
