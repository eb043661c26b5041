"""Rulings on every dispute under each value of every switch: none is empty or contradicts itself."""

from __future__ import annotations

from collections.abc import Iterator

from bganalyze.app.render.ruling import ruling_object
from bganalyze.board.rule_book import BASIC, RULE_BOOKS, SWITCHES, RuleBook
from bganalyze.record.reader import read_bytes
from bganalyze.validation.cases import find_case
from bganalyze.validation.findings import Standing
from bganalyze.validation.replaying.places import PlaceError
from bganalyze.validation.rules.ruling import Ruling
from tests.validation.test_disputes_of_directors import DISPUTES, record_of


def books() -> Iterator[RuleBook]:
    """Yield each book, then the base rules and a quoted book with each value of each switch."""
    yield from RULE_BOOKS.values()
    for key, allowed in SWITCHES.items():
        for value in allowed.values or (1, 64):
            for book in (BASIC, RULE_BOOKS["usbgf"]):
                yield book._replace(**{key.replace("-", "_"): value})


def test_no_ruling_is_empty_or_contradicts_itself() -> None:
    chosen = list(books())
    for about, dispute in DISPUTES.items():
        try:
            case = find_case(
                read_bytes(record_of(dispute), "a.bgm"), dispute.place, chosen, dispute.noticed
            )
        except PlaceError as error:
            raise AssertionError(about) from error
        for said, record in zip(case.rulings, ruling_object(case)["rulings"], strict=True):
            assert record["remedy"].strip(), about
            assert "assumed" not in record["remedy"], about
            if said.ruling is not None:
                require_consistent(said.ruling)


def require_consistent(ruling: Ruling) -> None:
    """Require that somebody acts exactly while an error is open, and that clauses fit their switches."""
    assert bool(ruling.decider) == (ruling.standing is Standing.OPEN)
    assert all(str(clause.known) != "assumed" for clause in ruling.clauses)
    for clause in ruling.clauses:
        decided = dict(clause.decides)
        assert any(
            decided.get(switch) == getattr(ruling.rule_book, switch) for switch in ruling.switches
        )
    if "who_decides" in ruling.switches:
        must = ruling.rule_book.who_decides in ("both-must-act", "opponent-must-decide")
        assert ("must" in ruling.remedy.partition(";")[0]) == must
