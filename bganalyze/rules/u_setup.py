"""U2xx: set-up, recorded positions and variants."""

from __future__ import annotations

from bganalyze.facts import Fact
from bganalyze.findings import Severity
from bganalyze.law import Law
from bganalyze.rules.catalogue import rule
from bganalyze.rules.words import point, side_name


@rule("U201", "wrong-set-up", Severity.ERROR)
def wrong_set_up(fact: Fact, law: Law) -> str:
    """A recorded start is not that of the variant."""
    return f"the recorded start is not that of {fact.about['variant']}: {fact.about['difference']}"


@rule("U202", "checker-count", Severity.ERROR)
def checker_count(fact: Fact, law: Law) -> str:
    """A side has more or fewer checkers than it should."""
    who = side_name(fact.about["who"])
    return f"{who} has {fact.about['count']} checkers on the board, not {fact.about['most']}"


@rule("U203", "shared-point", Severity.ERROR)
def shared_point(fact: Fact, law: Law) -> str:
    """Checkers of both sides stand on one point."""
    return f"both sides have checkers on {point(fact.about['point'])} of {{left}}"


@rule("U204", "set-up-mismatch", Severity.ERROR)
def set_up_mismatch(fact: Fact, law: Law) -> str:
    """A recorded position is not the one that the plays before it lead to."""
    return f"the recorded position is not the one played to: {fact.about['difference']}"


@rule("U205", "impossible-cube", Severity.ERROR)
def impossible_cube(fact: Fact, law: Law) -> str:
    """A recorded cube value or owner cannot be."""
    return f"a cube of {fact.about['value']} cannot be {fact.about['why']}"


@rule("U206", "variant-mismatch", Severity.WARNING)
def variant_mismatch(fact: Fact, law: Law) -> str:
    """The plays fit another start than the stated one."""
    return (
        f"the plays do not fit the start of {fact.about['stated']}; they fit {fact.about['fits']}"
    )


RULES = (
    wrong_set_up,
    checker_count,
    shared_point,
    set_up_mismatch,
    impossible_cube,
    variant_mismatch,
)
