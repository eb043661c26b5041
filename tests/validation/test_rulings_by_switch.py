"""Rulings on every dispute and faulty sample under each value of every switch.

None is empty or contradicts itself. All samples: `python -m tests.validation.test_rulings_by_switch`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from math import isclose
from pathlib import Path

import pytest

from bganalyze.app.render.ruling.record import ruling_object
from bganalyze.board.rule_book import BASIC, RULE_BOOKS, SWITCHES, RuleBook
from bganalyze.record.reader import read_bytes
from bganalyze.validation.cases import (
    AS_RECORDED,
    BY_HEADER,
    BY_RESULT,
    BY_START,
    RULED_ON,
    Case,
    find_case,
)
from bganalyze.validation.findings import Standing
from bganalyze.validation.replaying.places import PlaceError
from bganalyze.validation.replaying.terms import length_of
from bganalyze.validation.rules.ruling import Ruling
from tests.validation.test_disputes_of_directors import DISPUTES, record_of

FAULTY = Path(__file__).parents[2] / "samples" / "faulty"


def books() -> Iterator[RuleBook]:
    """Yield each book, then the base rules and a quoted book with each value of each switch."""
    yield from RULE_BOOKS.values()
    for key, allowed in SWITCHES.items():
        for value in allowed.values or (1, 64):
            for book in (BASIC, RULE_BOOKS["usbgf"]):
                yield book._replace(**{key.replace("-", "_"): value})


@pytest.mark.slow
def test_no_ruling_is_empty_or_contradicts_itself() -> None:
    chosen = list(books())
    for about, dispute in DISPUTES.items():
        try:
            case = find_case(
                read_bytes(record_of(dispute), "a.bgm"), dispute.place, chosen, dispute.noticed
            )
        except PlaceError as error:
            raise AssertionError(about) from error
        require_sound(case, about)


@pytest.mark.slow
def test_no_ruling_on_a_sample_is_empty_or_contradicts_itself() -> None:
    assert sum(rule_on_samples(step=12, variants=list(books())).values()) > 300


def rule_on_samples(step: int, variants: Sequence[RuleBook]) -> Counter[str]:
    """Require sound rulings on every `step`-th fault of the samples; return their numbers by code."""
    found = Counter[str]()
    for path, line, code in islice(list_faults(), 0, None, step):
        matches = read_bytes(path.read_bytes(), path.name)
        case = find_case(matches, str(line), variants, code=code)
        require_sound(case, f"{path.name}:{line} {code}")
        found[code] += len(case.rulings)
    return found


def list_faults() -> Iterator[tuple[Path, int, str]]:
    """Yield file, line and code of each fault of the samples that directors rule on."""
    _, *rows = (FAULTY / "EXPECTED.tsv").read_text(encoding="utf-8").splitlines()
    for row in rows:
        file, line, code = row.split("\t")[:3]
        if code.startswith(RULED_ON):
            yield FAULTY / file, int(line), code


def require_sound(case: Case, about: str) -> None:
    """Require rulings with words that fit each other, and scores that add up."""
    for said, record in zip(case.rulings, ruling_object(case)["rulings"], strict=True):
        assert record["remedy"].strip(), about
        assert "assumed" not in record["remedy"], about
        if said.ruling is not None:
            require_consistent(said.ruling)
    length = length_of(case.replayed.match)
    assert case.points[0].remedy in (AS_RECORDED, BY_RESULT, BY_HEADER, BY_START), about
    for then in case.points:
        won, after, final, winner, unneeded, chances, *_ = then.points
        if winner is not None:
            assert final is not None, about
            assert length, about
            assert final[winner] >= length, about
            assert final[1 - winner] < length, about
        if won is not None and after is not None and final is not None:
            assert all(late >= early for late, early in zip(final, after, strict=True)), about
        assert unneeded == 0 or winner is not None, about
        assert chances is None or isclose(sum(chances), 1, abs_tol=1e-6), about


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


if __name__ == "__main__":
    every = list(books())
    counts = rule_on_samples(step=1, variants=every)
    print(f"{len(every)} books, {counts.total():,} rulings:", dict(sorted(counts.items())))
