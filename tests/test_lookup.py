"""Finding a rule by what people call it."""

import pytest

from bganalyze.lookup import UnknownRuleError, find_rule
from bganalyze.rules import CATALOGUE


def test_every_rule_is_found_by_code_and_name() -> None:
    for rule in CATALOGUE:
        assert find_rule(rule.code.lower()) == find_rule(rule.name.upper()) == rule


def test_a_slip_is_answered_with_what_may_be_meant() -> None:
    with pytest.raises(UnknownRuleError, match="no rule is called 'barfirst'; is P406 bar-first"):
        find_rule("barfirst")


def test_nothing_alike() -> None:
    with pytest.raises(UnknownRuleError, match=r"no rule is called 'zzzzzz'$"):
        find_rule("zzzzzz")
