"""Finding a rule by what people call it."""

import pytest

from bganalyze.validation.rules import CATALOG, UnknownRuleError, find_rule, find_rules


def test_every_rule_is_found_by_code_and_name() -> None:
    for rule in CATALOG:
        assert find_rule(rule.code.lower()) == find_rule(rule.name.upper()) == rule


@pytest.mark.parametrize(
    ("text", "first", "count"), [("P", "P401", 13), ("t10", "T101", 9), ("bar-first", "P406", 1)]
)
def test_a_family_is_found_by_what_its_codes_begin_with(text: str, first: str, count: int) -> None:
    rules = find_rules(text)
    assert (rules[0].code, len(rules)) == (first, count)


def test_a_slip_is_answered_with_what_may_be_meant() -> None:
    with pytest.raises(UnknownRuleError, match="no rule is called 'barfirst'; is P406 bar-first"):
        find_rule("barfirst")


def test_nothing_alike() -> None:
    with pytest.raises(
        UnknownRuleError, match=r"no rule is called 'zzzzzz'; `bganalyze rule` lists them all$"
    ):
        find_rules("zzzzzz")


@pytest.mark.parametrize("text", ["", " ", "P4061"])
def test_nothing_begins_so(text: str) -> None:
    with pytest.raises(UnknownRuleError):
        find_rules(text)
