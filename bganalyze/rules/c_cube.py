"""C5xx: the doubling cube."""

from __future__ import annotations

from bganalyze.facts import Fact
from bganalyze.findings import Severity
from bganalyze.law import Law
from bganalyze.rules.catalogue import Wording, rule
from bganalyze.rules.words import player


@rule("C501", "not-owner", Severity.ERROR)
def not_owner(fact: Fact, law: Law) -> str:
    """A double by the side that does not own the cube."""
    return f"{player(fact)} doubles, but the opponent owns the cube"


@rule("C502", "double-out-of-turn", Severity.ERROR)
def double_out_of_turn(fact: Fact, law: Law) -> str:
    """A double after the throw, off turn, or twice in a turn."""
    return f"{player(fact)} may not turn the cube now: {fact.about['why']}"


@rule("C503", "crawford-double", Severity.ERROR)
def crawford_double(fact: Fact, law: Law) -> Wording:
    """A double in the Crawford game."""
    if fact.about["known"]:
        return Wording("this is the Crawford game: neither side may double")
    return Wording(
        "one side is a point short of the match: if this is the Crawford game, nobody may double",
        Severity.WARNING,
    )


@rule("C504", "dead-cube", Severity.INFO)
def dead_cube(fact: Fact, law: Law) -> Wording:
    """A double by a side that wins the match with a plain win anyway."""
    message = f"{player(fact)} wins the match at {fact.about['value']} already: the cube is dead"
    if law.dead_cube == "prohibit":
        return Wording(f"{message}, and a dead cube may not be turned", Severity.ERROR)
    return Wording(message)


@rule("C505", "wrong-value", Severity.ERROR)
def wrong_value(fact: Fact, law: Law) -> str:
    """The value written is not twice the old one."""
    return f"the cube goes to {fact.about['expected']} here, not to {fact.about['value']}"


@rule("C506", "answer-without-double", Severity.ERROR)
def answer_without_double(fact: Fact, law: Law) -> str:
    """A take or a drop with nothing offered, or by the doubler."""
    word = "takes" if fact.about["taken"] else "drops"
    return f"{player(fact)} {word}, but no double has been offered to {player(fact)}"


@rule("C507", "unanswered-double", Severity.ERROR)
def unanswered_double(fact: Fact, law: Law) -> str:
    """Play goes on over an open offer."""
    return f"the double to {fact.about['offer']} has been neither taken nor dropped"


@rule("C508", "beaver-not-allowed", Severity.ERROR)
def beaver_not_allowed(fact: Fact, law: Law) -> str:
    """A beaver or raccoon in a match, or where the rules exclude it."""
    return f"a {fact.about['kind']} is not allowed here"


@rule("C509", "opening-cube", Severity.ERROR)
def opening_cube(fact: Fact, law: Law) -> str:
    """A double before the first throw of a game."""
    return f"{player(fact)} doubles before the first throw of the game"


@rule("C510", "no-cube-game", Severity.ERROR)
def no_cube_game(fact: Fact, law: Law) -> str:
    """A cube action where the record declares that no cube is used."""
    return "the record declares that the game is played without a cube"


@rule("C511", "cube-limit", Severity.WARNING)
def cube_limit(fact: Fact, law: Law) -> str:
    """A cube beyond the declared limit."""
    return f"the declared limit of the cube is {fact.about['limit']}"


RULES = (
    not_owner,
    double_out_of_turn,
    crawford_double,
    dead_cube,
    wrong_value,
    answer_without_double,
    unanswered_double,
    beaver_not_allowed,
    opening_cube,
    no_cube_game,
    cube_limit,
)
