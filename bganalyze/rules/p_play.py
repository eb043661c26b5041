"""P4xx: the movement of checkers. Every finding here has a standing under the player-error rule."""

from __future__ import annotations

from bganalyze.facts import Fact
from bganalyze.findings import Severity
from bganalyze.law import Law
from bganalyze.rules.catalogue import rule
from bganalyze.rules.words import player, point, step, throw


@rule("P401", "empty-point", Severity.ERROR)
def empty_point(fact: Fact, law: Law) -> str:
    """A checker is moved from a point where the side has none."""
    return f"{step(fact)}: {player(fact)} has no checker on {point(fact.about['fault'].point)}"


@rule("P402", "blocked-point", Severity.ERROR)
def blocked_point(fact: Fact, law: Law) -> str:
    """A checker lands on a point that two or more opposing checkers hold."""
    return f"{step(fact)}: {point(fact.about['fault'].point)} is held by the opponent"


@rule("P403", "wrong-direction", Severity.ERROR)
def wrong_direction(fact: Fact, law: Law) -> str:
    """A step backward, or of no length."""
    return f"{step(fact)} goes the wrong way: checkers move to lower points"


@rule("P406", "bar-first", Severity.ERROR)
def bar_first(fact: Fact, law: Law) -> str:
    """Another checker is moved while one is on the bar."""
    return f"{player(fact)} has a checker on the bar, which must enter before {step(fact)}"


@rule("P407", "early-bear-off", Severity.ERROR)
def early_bear_off(fact: Fact, law: Law) -> str:
    """A checker is borne off while another is outside the home board or on the bar."""
    return f"{step(fact)}: not all checkers of {player(fact)} are in the home board"


@rule("P408", "bear-off-die", Severity.ERROR)
def bear_off_die(fact: Fact, law: Law) -> str:
    """A checker is borne off with a larger die while a higher point is occupied."""
    die = fact.about["fault"].die
    die_words = f"a {die}" if die else throw(fact)
    return f"{step(fact)}: with {die_words} a checker on a higher point must be moved first"


@rule("P405", "too-many-steps", Severity.ERROR)
def too_many_steps(fact: Fact, law: Law) -> str:
    """More steps than the throw gives."""
    return f"{throw(fact)} is played in full before {step(fact)}"


@rule("P404", "die-not-rolled", Severity.ERROR)
def die_not_rolled(fact: Fact, law: Law) -> str:
    """A step that no unused die of the throw allows."""
    die = fact.about["fault"].die
    needs = f" needs a {die}, and" if die and die <= 6 else ""
    return f"{step(fact)}{needs} does not fit the throw {throw(fact)}"


@rule("P411", "false-dance", Severity.ERROR)
def false_dance(fact: Fact, law: Law) -> str:
    """No play is recorded although one exists."""
    return f"no play is recorded for {throw(fact)}, but there is a legal one"


@rule("P409", "unplayed-die", Severity.ERROR)
def unplayed_die(fact: Fact, law: Law) -> str:
    """Fewer dice are played than the position allows."""
    return f"more of {throw(fact)} can be played, and must be"


@rule("P410", "larger-die", Severity.ERROR)
def larger_die(fact: Fact, law: Law) -> str:
    """Only one die can be played, and the smaller one was."""
    return f"only one die of {throw(fact)} can be played, and it must be the larger"


@rule("P412", "hit-not-executed", Severity.ERROR)
def hit_not_executed(fact: Fact, law: Law) -> str:
    """A later play uses a checker that this play sent to the bar."""
    where = point(fact.about["point"])
    return f"this play hits on {where}, but the checker hit goes on as if it had not been"


@rule("P499", "illegal-play", Severity.ERROR)
def illegal_play(fact: Fact, law: Law) -> str:
    """The result is not legal and no other rule says why, or the record itself says so."""
    if fact.about.get("called"):
        return f"the record itself calls the play of {throw(fact)} illegal"
    return f"the play of {throw(fact)} leaves a position that no legal play leaves"


RULES = (
    empty_point,
    blocked_point,
    wrong_direction,
    bar_first,
    early_bear_off,
    bear_off_die,
    too_many_steps,
    die_not_rolled,
    false_dance,
    unplayed_die,
    larger_die,
    hit_not_executed,
    illegal_play,
)
