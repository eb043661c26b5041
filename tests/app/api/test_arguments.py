"""Arguments of a wrong type, and unknown words, are refused in one plain sentence."""

from __future__ import annotations

import inspect
from typing import Any

import pandas as pd
import pytest

import bganalyze
from bganalyze.app.api.arguments import _KINDS, split_annotation
from bganalyze.record.reader import read_bytes
from tests.app.api.records import CLEAN, ILLEGAL

CLASSES = {"str", "bool", "bytes", "bytearray", "memoryview", "dt.date"} | {
    name for name in bganalyze.__all__ if inspect.isclass(getattr(bganalyze, name))
}
FUNCTIONS = [name for name in bganalyze.__all__ if inspect.isfunction(getattr(bganalyze, name))]
NEEDED: dict[str, Any] = {
    "content": CLEAN,
    "fixtures": b"player1,player2,score1,score2\n",
    "match": read_bytes(CLEAN, "a.mat")[0],
    "paths": "a.mat",
    "source": CLEAN,
    "sql": "SELECT 1",
    "store": "club",
    "to": "sgf",
    "where": "1.1",
}
"""Arguments that functions need, by name."""
OF_TYPE = {"str": "match", "int": 1, "float": 1.0, "bool": True, "bytes": b""}
"""Arguments with other names, by type."""


def find_required_arguments(function: str) -> dict[str, Any]:
    """Return the arguments without which a function cannot be called."""
    parameters = inspect.signature(getattr(bganalyze, function)).parameters
    return {
        name: NEEDED[name] if name in NEEDED else OF_TYPE.get(parameter.annotation)
        for name, parameter in parameters.items()
        if parameter.default is parameter.empty
    }


CALLS = {function: find_required_arguments(function) for function in FUNCTIONS}
CALLS["ruling"]["source"] = ILLEGAL
PARAMETERS = [
    (function, name)
    for function in CALLS
    for name in inspect.signature(getattr(bganalyze, function)).parameters
    if name != "source"
]


class Stranger:
    """A value that no function takes."""


@pytest.mark.parametrize(("function", "name"), PARAMETERS)
def test_an_argument_of_another_type_is_refused(function: str, name: str) -> None:
    arguments = {**CALLS[function], name: Stranger()}
    with pytest.raises(TypeError, match=rf"^{name}: .* expected, not Stranger$"):
        getattr(bganalyze, function)(**arguments)


@pytest.mark.slow
@pytest.mark.parametrize(("function", "name"), PARAMETERS)
def test_every_annotation_is_understood(function: str, name: str) -> None:
    kinds = split_annotation(getattr(bganalyze, function).__annotations__[name])
    assert set(kinds) <= CLASSES | set(_KINDS)


@pytest.mark.parametrize(
    ("function", "arguments", "problem"),
    [
        ("check", {"ignore": ["P", 3]}, "ignore: text or several texts expected, not list"),
        ("check", {"rules": {"basic"}}, "rules: text or RuleBook expected, not set"),
        ("show", {"where": True}, "where: text or a whole number or Finding expected, not bool"),
        ("show", {"match": "2"}, "match: a whole number or None expected, not str"),
        ("tabulate", {"groups": 3}, "groups: text or several texts expected, not int"),
        (
            "replay",
            {"match": "a.mat"},
            r"match: a Match, as read\(\) returns them, expected, not str",
        ),
        ("tabulate", {"player": "Ann"}, r"^tabulate\(\): .*'player'; did you mean players\?$"),
        ("check", {"source": {"a.mat": b""}}, "paths, bytes, an open file or matches .*, not dict"),
        ("check", {"source": pd.DataFrame({"path": ["a.mat"]})}, "expected, not DataFrame"),
        ("repair", {"source": bganalyze.read(ILLEGAL, name="a.mat")}, "of a file .*, not a Match"),
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
        ("tabulate", {"groups": "chekcer"}, "'chekcer' is no group of columns of turns; there"),
        ("convert", {"to": "SGF"}, r"'SGF' is no format; .*; did you mean sgf\?"),
        ("convert", {"to": "xg"}, "; eXtreme Gammon imports mat and xg-text"),
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
    with pytest.raises(ValueError, match=r"^there is no proposal 7; `proposals` has 1, 1\.2"):
        found.apply("7")
    with pytest.raises(TypeError, match="choices: a whole number or text or several numbers"):
        found.apply([1.2])
