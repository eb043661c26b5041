"""Arguments of a wrong type, and unknown words, are refused in one plain sentence."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import bganalyze
from bganalyze.app.api.arguments import _KINDS, alternatives_of
from tests.app.api.records import CLEAN, ILLEGAL

CLASSES = {
    "str",
    "bool",
    "RuleBook",
    "Odds",
    "Finding",
    "Players",
    "AnalysisResult",
    "dt.date",
    "bytes",
}
CALLS: dict[str, dict[str, Any]] = {
    "analyses": {},
    "analyze": {"source": CLEAN},
    "check": {"source": CLEAN},
    "collect": {"paths": "a.mat", "store": "club"},
    "convert": {"source": CLEAN, "to": "sgf"},
    "matches": {"source": CLEAN},
    "query": {"sql": "SELECT 1", "store": "club"},
    "read": {"source": CLEAN},
    "repair": {"source": CLEAN},
    "replay": {},
    "report": {"source": CLEAN},
    "ruling": {"source": ILLEGAL, "where": "1.1"},
    "schema": {"name": "match"},
    "settings": {},
    "show": {"source": CLEAN, "where": "1.1"},
    "stats": {"source": CLEAN},
    "tabulate": {"source": CLEAN},
    "verify": {"fixtures": b"player1,player2,score1,score2\n", "source": CLEAN},
}
PARAMETERS = [
    (function, name)
    for function in CALLS
    for name in inspect.signature(getattr(bganalyze, function)).parameters
    if name != "source" and (function, name) != ("replay", "rules")
]


class Stranger:
    """A value that no function takes."""


def test_every_function_but_one_is_tried() -> None:
    functions = {name for name in bganalyze.__all__ if inspect.isfunction(getattr(bganalyze, name))}
    assert functions - set(CALLS) == {"find_rule"}  # a function of the rules


@pytest.mark.parametrize(("function", "name"), PARAMETERS)
def test_an_argument_of_another_type_is_refused(function: str, name: str) -> None:
    arguments = {**CALLS[function], name: Stranger()}
    with pytest.raises(TypeError, match=rf"^{name}: .* expected, not Stranger$"):
        getattr(bganalyze, function)(**arguments)


@pytest.mark.parametrize(("function", "name"), PARAMETERS)
def test_every_annotation_is_understood(function: str, name: str) -> None:
    kinds = alternatives_of(getattr(bganalyze, function).__annotations__[name])
    assert set(kinds) - set(_KINDS) <= CLASSES | {"Match"}


@pytest.mark.parametrize(
    ("function", "arguments", "problem"),
    [
        ("check", {"ignore": ["P", 3]}, "ignore: text or several texts expected, not list"),
        ("check", {"rules": {"basic"}}, "rules: text or RuleBook expected, not set"),
        ("show", {"where": True}, "where: text or a whole number or Finding expected, not bool"),
        ("show", {"match": "2"}, "match: a whole number or None expected, not str"),
        ("tabulate", {"groups": "checker"}, "groups: several texts expected, not str"),
        (
            "tabulate",
            {"players": lambda _: None},
            "the function gives 'Ann' a name that is no text",
        ),
        (
            "matches",
            {"players": lambda _: None},
            "the function gives 'Ann' a name that is no text",
        ),
        ("stats", {"workers": 2.0}, "workers: a whole number expected, not float"),
    ],
)
def test_the_message_says_what_is_expected(
    function: str, arguments: dict[str, Any], problem: str
) -> None:
    with pytest.raises(TypeError, match=problem):
        getattr(bganalyze, function)(**{**CALLS[function], **arguments})


@pytest.mark.parametrize(
    ("function", "arguments", "problem"),
    [
        ("tabulate", {"groups": {"chekcer"}}, "'chekcer' is no group of columns of turns; there"),
        ("analyze", {"workers": 0}, "workers: at least 1 expected, not 0"),
        ("stats", {"most": -1}, "most: at least 1 expected, not -1"),
        ("schema", {"name": "games"}, "'games' is no schema; there are findings, proposals, "),
        ("query", {"memory": "much"}, "'much' is not an amount of memory such as 500MB or 4GB"),
    ],
)
def test_an_impossible_value_is_refused(
    function: str, arguments: dict[str, Any], problem: str
) -> None:
    with pytest.raises(ValueError, match=problem):
        getattr(bganalyze, function)(**{**CALLS[function], **arguments})


def test_a_rule_is_named_by_text() -> None:
    with pytest.raises(TypeError, match="the code or name of a rule expected, not int"):
        bganalyze.find_rule(410)


def test_what_is_chosen_of_proposals_is_clear() -> None:
    found = bganalyze.repair(ILLEGAL, name="a.mat")
    assert len(found.causes[0].proposals) > 1
    assert found.apply("1.2") == found.apply(["1.2"])
    assert found.apply(1) == found.apply(["1", 1])
    assert found.apply([]).data == ILLEGAL
    with pytest.raises(ValueError, match=r"^1 and 1\.2 both repair cause 1: choose one$"):
        found.apply(["1", "1.2"])
    with pytest.raises(TypeError, match="choices: a whole number or text or several numbers"):
        found.apply([1.2])
