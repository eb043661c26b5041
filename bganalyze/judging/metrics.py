"""Metrics: error rates of one side, of the rows of one match or of many.

A metric is one published definition: a function that says which decisions count, whose docstring
names the publication, and a line of `METRICS`. There are no settings: a figure under another
definition is another metric.

eXtreme Gammon's own definition of PR is not published; `xg_a` and `xg_b` are two rules that were
fitted to its figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple

from bganalyze.judging.decisions import ANSWERS, Kind
from bganalyze.judging.gnubg_statistics import is_close
from bganalyze.judging.verdict import CUBE, JudgedDecision, loss
from bganalyze.text import documentation


class MetricValue(NamedTuple):
    """A sum of losses, and what it is divided by."""

    lost: float
    counted: int
    factor: float = 1.0

    @property
    def rate(self) -> float | None:
        """What is lost at each decision, times the factor; None where none counts."""
        return self.factor * self.lost / self.counted if self.counted else None


class Metric(NamedTuple):
    """A metric by its name."""

    name: str
    unit: str
    counts: Callable[[JudgedDecision], bool]
    """Whether the loss of a decision counts: what is listed on demand."""
    factor: float
    """What the sum of losses is multiplied by."""
    per: Literal["decision", "move", "match"] = "decision"
    """What it is divided by: decisions that count, moves of both sides, or nothing in a match."""
    lost: Callable[[JudgedDecision], float | None] = loss
    """What a decision that counts has lost."""

    @property
    def about(self) -> str:
        """What it is, in a line: the first of the function that says what counts."""
        return documentation(self.counts).partition("\n")[0]

    def unit_in(self, *, money: bool) -> str:
        """Return its unit in a match, or in money play, where there are points and no match to win.

        >>> [metric.unit_in(money=True) for metric in METRICS if metric.per == "match"]
        ['points']
        """
        return "points" if money and self.per == "match" else self.unit

    def of(self, rows: Iterable[JudgedDecision], side: int) -> MetricValue:
        """Return the figure of one side; what is summed over a match is over 1.

        >>> xg_a_rate = next(metric for metric in METRICS if metric.name == "xg-a")
        >>> xg_a_rate.of([], 0).rate is None
        True
        """
        rows = list(rows)
        losses = [self.lost(row) for row in rows if row.side == side and self.counts(row)]
        known_losses = [lost for lost in losses if lost is not None]
        moves = sum(row.kind is Kind.PLAY and row.legal is True for row in rows)
        counted = {"decision": len(known_losses), "move": moves, "match": 1}[self.per]
        is_points = self.per == "match" and any(not row.length for row in rows)
        return MetricValue(sum(known_losses), counted, 1.0 if is_points else self.factor)


def rate_name(name: str, unit: str) -> str:
    """Return what a rate is called, with its unit; PR by that name, for there are two rules of it.

    >>> rate_name("gnubg", "mEMG"), rate_name("xg-a", PR)
    ('gnubg (mEMG)', 'PR (xg-a)')
    """
    return f"{PR} ({name})" if unit == PR else f"{name} ({unit})"


PR = "PR"
"""The unit of eXtreme Gammon's performance rating."""

PR_CLASSES = (
    (2.5, "world champion"),
    (5.0, "world class"),
    (7.5, "expert"),
    (12.5, "advanced"),
    (17.5, "intermediate"),
    (22.5, "casual player"),
    (float("inf"), "beginner"),
)
"""What eXtreme Gammon calls players of a PR below this (as told by Wikipedia, "eXtreme Gammon")."""


def pr_class(rate: float) -> str:
    """Return what a player of this PR is called.

    >>> pr_class(2.49), pr_class(2.5), pr_class(40)
    ('world champion', 'world class', 'beginner')
    """
    return next(name for below, name in PR_CLASSES if rate < below)


# GNU Backgammon and Snowie.


def gnubg(row: JudgedDecision) -> bool:
    """GNU Backgammon's overall error rate, as its statistics tell it.

    1000 times the equity lost (EMG) over unforced plays and close or actual cube decisions.
    """
    if loss(row) is None:
        return False
    if row.kind is Kind.PLAY:
        return row.legal is True and not row.forced
    return row.kind in CUBE and (row.kind is not Kind.NO_DOUBLE or is_close(row))


def snowie(row: JudgedDecision) -> bool:
    """Snowie's error rate, as Snowie 4 and GNU Backgammon give it.

    1000 times the equity lost (EMG) by plays and with the cube, over the moves of *both* sides,
    forced plays and dances among them. (C. Yep, bug-gnubg, June 2003; GNU Backgammon's manual.
    Snowie 1 to 3 had another.) The losses are those of GNU Backgammon's statistics.
    """
    return row.legal is True if row.kind is Kind.PLAY else row.kind in CUBE


# PR, as eXtreme Gammon shows it.

DIFFERENT_PLAYS = 0.001
MOST_BEHIND = 0.200


def xg_a(row: JudgedDecision) -> bool:
    """PR as eXtreme Gammon shows it, by the counting rule that blunderDB has published.

    500 times the equity lost (EMG) over the decisions that count. Of plays: those with a choice
    whose outcomes differ by 0.001 or more. Of the cube: every double, take and drop; no double where
    the position is to the doubler's favour (no-double equity above 0) and doubling is less than
    0.200 worse. Illegal plays do not count. (blunderDB, `metriques.rst`, MIT: "verified match by
    match".)
    """
    if loss(row) is None:
        return False
    if row.kind is Kind.PLAY:
        is_choice = row.legal is True and not row.forced
        return is_choice and row.spread is not None and row.spread >= DIFFERENT_PLAYS
    if row.kind is not Kind.NO_DOUBLE:
        return row.kind is Kind.DOUBLE or row.kind in ANSWERS
    no_double, take, drop = row.cube_equities
    return no_double > 0 and no_double - min(take, drop) < MOST_BEHIND


LEAST_SPREAD = 1e-4
ROUNDING = 1e-9
"""Stored equities are decimal: their difference may fall short of it by a hair."""
SAME = 0.001
HOPELESS = -0.900


def xg_b(row: JudgedDecision) -> bool:
    """PR as eXtreme Gammon shows it, by the counting rule that GammonView has published.

    500 times the equity lost (EMG) over the decisions that count. Of plays: those whose candidates,
    the ten best at most, differ by 0.0001 or more. A cube is *trivial* where doubling or not makes
    no difference of 0.001, where no double is better by more than 0.200 than a take or than a drop,
    and where both equities are below -0.900: a double or none does not count at a trivial cube
    unless it lost 0.001. A take or drop does not count where both are within 0.001. Illegal plays do
    not count. (GammonView, `gvformat`, MIT: reproduces six sides of XG exactly.)
    """
    lost = loss(row)
    if lost is None:
        return False
    if row.kind is Kind.PLAY:
        is_choice = row.spread is not None and row.spread >= LEAST_SPREAD - ROUNDING
        return row.legal is True and is_choice
    if row.kind not in CUBE:
        return False
    no_double, take, drop = row.cube_equities
    if row.kind in ANSWERS:
        return abs(take - drop) >= SAME
    is_trivial = (
        abs(no_double - min(take, drop)) < SAME
        or no_double - take > MOST_BEHIND
        or no_double - drop > MOST_BEHIND
        or (no_double < HOPELESS and take < HOPELESS)
    )
    return not is_trivial or lost >= SAME


# Match-winning chance.


def mwc(row: JudgedDecision) -> bool:
    """Match-winning chance given away: what the errors of a side cost it, in percent of the match.

    The loss of each decision in equity, times half the difference between the chances to win the
    match after a plain win and after a plain loss of the cube as it stood before the decision.
    Chances: Kazaross-XG2. In money games: points. Illegal plays do not count.
    """
    return row.legal is True if row.kind is Kind.PLAY else row.kind in CUBE


def cost(row: JudgedDecision) -> float | None:
    """Return what a decision gave away: a chance to win the match or, for money, points."""
    lost = loss(row)
    return None if lost is None or row.stake is None else row.stake.cost(lost)


METRICS = (
    Metric("gnubg", "mEMG", gnubg, 1000.0),
    Metric("snowie", "mEMG", snowie, 1000.0, per="move"),
    Metric("xg-a", PR, xg_a, 500.0),
    Metric("xg-b", PR, xg_b, 500.0),
    Metric("mwc", "% MWC", mwc, 100.0, per="match", lost=cost),
)
"""The error rates that are shown side by side."""
