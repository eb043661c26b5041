"""The rule books of the package as data."""

from __future__ import annotations

import pickle

import pytest

from bganalyze.board.rule_book import (
    BASIC,
    CURRENT,
    EDITIONS,
    RULE_BOOKS,
    SWITCHES,
    RuleBook,
    make_rule_book,
)
from bganalyze.board.rule_text import Known, RuleBookError, SwitchValues, read_packaged_table

FIELDS = [key.replace("-", "_") for key in SWITCHES]


@pytest.mark.parametrize(
    ("switch", "value", "is_allowed"),
    [
        ("largest", 1, True),
        ("largest", 0, False),
        ("largest", True, False),
        ("yes-or-no", True, True),
        ("yes-or-no", 1, False),
    ],
)
def test_a_value_is_allowed_if_it_is_of_the_type_of_the_switch(
    switch: str, value: object, is_allowed: bool
) -> None:
    values = SwitchValues(switch, () if switch == "largest" else (True, False))
    assert values.accepts(value) is is_allowed


def test_the_base_rules_in_the_code_are_those_of_their_file() -> None:
    assert make_rule_book(read_packaged_table("basic"))._replace(own_text=None) == BASIC


@pytest.mark.parametrize("name", EDITIONS)
def test_a_file_holds_the_book_of_its_name_with_edition_source_and_scope(name: str) -> None:
    book = RULE_BOOKS[name]
    assert book.name == name
    assert all((book.body, book.edition, book.text.source, book.text.scope, book.text.clauses))
    assert book.as_written() == book
    assert pickle.loads(pickle.dumps(book)) == book
    assert hash(book) == hash(RULE_BOOKS[name])


def test_a_book_says_which_part_of_it_was_read_unless_it_was_read_wholly() -> None:
    texts = [RULE_BOOKS[name].text for name in EDITIONS]
    known = [{clause.known for clause in text.clauses} for text in texts if not text.read_in_part]
    assert known == [{Known.READ}] * len(known)
    assert len(known) < len(texts)


@pytest.mark.parametrize("name", EDITIONS)
def test_assumed_clauses_decide_nothing(name: str) -> None:
    book = RULE_BOOKS[name]
    for field in FIELDS:
        clause = book.deciding_clause(field)
        if clause is None:
            assert getattr(book, field) == getattr(BASIC, field)
        else:
            assert clause.known in (Known.READ, Known.QUOTED)
            assert not clause.optional


def test_some_clauses_are_assumed_and_would_decide_otherwise() -> None:
    table = {**read_packaged_table("usbgf-2024")}
    assert RULE_BOOKS["usbgf"].set_up_stands_after == BASIC.set_up_stands_after
    table["clause"] = [{**clause, "known": "read"} for clause in table["clause"]]
    assert make_rule_book(table).set_up_stands_after == "fifth-roll"


def test_a_switch_that_a_book_does_not_decide_is_known_as_silent() -> None:
    wbf = RULE_BOOKS["wbf"]
    assert wbf.is_silent_on("stands_after")
    assert not wbf.is_silent_on("who_decides")
    assert not RULE_BOOKS["ukbgf-2019"]._replace(stands_after="roll").is_silent_on("stands_after")
    assert not RuleBook(name="made by hand").is_silent_on("stands_after")


def test_short_names_mean_current_editions() -> None:
    assert {name: RULE_BOOKS[name].name for name in CURRENT} == CURRENT
    assert set(RULE_BOOKS) == {*EDITIONS, *CURRENT}
    assert "fide" not in RULE_BOOKS


def test_a_switch_is_decided_once() -> None:
    table = {**read_packaged_table("ukbgf-2019")}
    table["clause"] = [*table["clause"], table["clause"][0]]
    with pytest.raises(RuleBookError, match="clause 4: clause 1 decides stands-after too"):
        make_rule_book(table)


def test_clauses_are_found_by_topic() -> None:
    clause = RULE_BOOKS["dbgf-2007"].find_clause("left-over-cube")
    assert clause is not None
    assert clause.name == "clause 4.4.1 (as quoted by others)"
    assert BASIC.find_clause("forbidden-cube") is None


def test_a_book_made_by_hand_has_no_text_of_the_edition_of_its_name() -> None:
    assert RULE_BOOKS["jbf"].text.clauses
    assert not RuleBook(name="jbf").text.clauses
