"""Metrics: error rates of one side, from the rows of one match or of many.

A metric is one published definition: a function that decides which decisions count, whose docstring
names the publication, and a line of `METRICS`. Metrics have no settings: a figure under another
definition is another metric.

eXtreme Gammon's own definition of PR is not published. `counts_for_xg_a` and `counts_for_xg_b` are
two rules that were fitted to its figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import sqrt
from typing import Literal, NamedTuple

from bganalyze.analysis.analyzed import CUBE, AnalyzedDecision, loss
from bganalyze.analysis.decisions import ANSWERS, Kind
from bganalyze.analysis.gnubg_statistics import is_close
from bganalyze.text import number_of


class MetricValue(NamedTuple):
    """A player's value of a metric such as PR: the sum of losses and its divisor."""

    lost: float
    counted: int
    factor: float = 1.0
    squares: float = 0.0
    """The sum of the squared losses."""

    def plus(self, more: MetricValue) -> MetricValue:
        """Return the value of this metric over the decisions of both values together."""
        return MetricValue(
            self.lost + more.lost,
            self.counted + more.counted,
            more.factor,
            self.squares + more.squares,
        )

    @property
    def rate(self) -> float | None:
        """The average loss of a decision times `factor` (500 for PR), or None without decisions."""
        return self.factor * self.lost / self.counted if self.counted else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the rate, or None for fewer than `LEAST_COUNT` decisions."""
        if self.counted < LEAST_COUNT:
            return None
        mean = self.lost / self.counted
        squares = max(self.squares - self.counted * mean**2, 0.0)
        # The variance of a few decisions may be small by chance.
        usual = USUAL_COUNT * USUAL_DEVIATION**2
        variance = (squares + usual) / (self.counted - 1 + USUAL_COUNT)
        reach = half_width_of_interval(sqrt(variance), self.counted)
        return self.factor * max(mean - reach, 0.0), self.factor * (mean + reach)


LEAST_DEVIATION, USUAL_DEVIATION = 0.028, 0.052
"""Standard deviations (EMG) of the loss of a decision: 14 in PR among the strongest players, up to
26 among others (2,871 games, analyzed by GNU Backgammon at 4ply)."""

USUAL_COUNT = 50
"""Weight of the usual variance, in decisions. With it, intervals of 5 to 800 decisions hold the
true rate in 91 to 99 of 100 draws from the 3,718 decisions of 14 matches, analyzed by Open Sage at
1ply; without it, in 87. Players with fewer decisions get no class: a single blunder may be most of
their loss."""

LEAST_COUNT = 5
"""Fewest decisions of a rate with an interval; the intervals were not tried with fewer."""


NORMAL_QUANTILE = 1.96
"""Quantile of the normal distribution for 95 % intervals."""


def half_width_of_interval(spread: float, counted: int) -> float:
    """Return half the width of the 95 % interval around the mean of `counted` values.

    `spread` is their standard deviation.
    """
    return NORMAL_QUANTILE * spread / sqrt(counted)


class Metric(NamedTuple):
    """A way to rate a player's decisions, such as PR: its name, unit and counting rule."""

    name: str
    unit: str
    counts: Callable[[AnalyzedDecision], bool]
    """Whether the loss of a decision counts."""
    factor: float
    """Factor on the sum of losses."""
    about: str
    """The quantity that the metric measures, in one line."""
    meaning: str
    """Its unit and the decisions that count, for tables of statistics."""
    per: Literal["decision", "move", "match"] = "decision"
    """Divisor: decisions that count, moves of both sides, or 1 per match."""
    lost: Callable[[AnalyzedDecision], float | None] = loss
    """The loss of a decision that counts."""

    def unit_in(self, *, money: bool) -> str:
        """Return the unit of this metric in a match or in a money game."""
        return "points" if money and self.per == "match" else self.unit

    def measure(self, rows: Iterable[AnalyzedDecision], side: int) -> MetricValue:
        """Return this metric's value for one side; `rows` are the decisions of both."""
        rows = list(rows)
        losses = [self.lost(row) for row in rows if row.side == side and self.counts(row)]
        known_losses = [lost for lost in losses if lost is not None]
        moves = sum(map(counts_as_move, rows))
        counted = {"decision": len(known_losses), "move": moves, "match": 1}[self.per]
        is_points = self.per == "match" and any(not row.length for row in rows)
        factor, squares = 1.0 if is_points else self.factor, sum(lost**2 for lost in known_losses)
        return MetricValue(sum(known_losses), counted, factor, squares)


def rate_name(name: str, unit: str) -> str:
    """Return the name of an error rate with its unit.

    >>> rate_name("gnubg", "mEMG"), rate_name("xg-a", PR)
    ('gnubg (mEMG)', 'PR (xg-a)')
    """
    # There are two PRs, which differ by the rule of counting.
    return f"{PR} ({name})" if unit == PR else f"{name} ({unit})"


PR = "PR"
"""The unit of eXtreme Gammon's performance rating."""

PR_SHOWN = "xg-b"
"""The PR rule that is shown alone and that classes of players are based on."""


def is_pr(name: str) -> bool:
    """Whether a statistic is a PR, XG's performance rating.

    >>> is_pr("PR (xg-b)"), is_pr("gnubg (mEMG)")
    (True, False)
    """
    return name.startswith(f"{PR} (")


PR_CLASSES = (
    (2.5, "world champion"),
    (5.0, "world class"),
    (7.5, "expert"),
    (12.5, "advanced"),
    (17.5, "intermediate"),
    (22.5, "casual player"),
    (float("inf"), "beginner"),
)
"""eXtreme Gammon's classes of players, each with the PR it stays below (Wikipedia, "eXtreme
Gammon")."""


def pr_class(rate: float) -> str:
    """Return eXtreme Gammon's name for players with this PR.

    >>> pr_class(2.49), pr_class(40)
    ('world champion', 'beginner')
    """
    return next(name for below, name in PR_CLASSES if rate < below)


BMAB_GRADES = (
    (2.5, "Super Grandmaster"),
    (4.0, "Grandmaster"),
    (6.5, "Master"),
    (10.0, "Advanced"),
    (16.0, "Intermediate"),
    (float("inf"), "no grade"),
)
"""Grades of the Backgammon Masters Awarding Body, each with the PR it stays below. The body grades
matches played over the board in its events, by the analysis of eXtreme Gammon."""


def bmab_grade(rate: float) -> str:
    """Return the grade of the Backgammon Masters Awarding Body (BMAB) for this PR.

    >>> bmab_grade(2.5)
    'Grandmaster'
    """
    return next(name for below, name in BMAB_GRADES if rate < below)


def grade_if_certain(
    grade_of: Callable[[float], str], interval: tuple[float, float] | None, counted: int
) -> str:
    """Return the grade, such as `expert`, of an error rate, or "" if the grade is uncertain.

    The grade is certain if it is the same at both ends of the rate's `interval`, and if enough
    decisions are `counted`.

    >>> grade_if_certain(pr_class, (5.1, 7.4), 9000), grade_if_certain(pr_class, (4.9, 7.4), 9000)
    ('expert', '')
    """
    if interval is None or counted < USUAL_COUNT:
        return ""
    low, high = map(grade_of, interval)
    return low if low == high else ""


def grade_over_matches(
    grade_of: Callable[[float], str],
    value: float,
    interval: tuple[float, float] | None,
    counted: int,
    spread: float,
) -> str:
    """Return the grade, such as `expert`, of an error rate over matches; "" if it is uncertain.

    The grade is certain if it is the same within two 95 % intervals of the rate, and if enough
    decisions are counted. The first is `interval`, from the differences between matches. The second
    is computed here, as if decisions were independent.

    - `grade_of`: function that returns the grade of a rate
    - `value`: the rate
    - `counted`: number of decisions
    - `spread`: standard deviation of the loss of a single decision

    >>> grade_over_matches(pr_class, 6.0, interval=(5.6, 6.4), counted=50_000, spread=10.0)
    'expert'
    """
    if interval is None:
        return ""
    least = half_width_of_interval(spread, max(counted, 1))
    low, high = min(interval[0], value - least), max(interval[1], value + least)
    return grade_if_certain(grade_of, (low, high), counted)


# Decisions that no metric counts, whatever its definition.


def is_countable(row: AnalyzedDecision) -> bool:
    """Whether error rates may count a decision: a legal one on a verified board.

    A board is unverified after an error in the match file that no repair explains.
    """
    if row.kind not in (Kind.PLAY, *CUBE) or not row.verified:
        return False
    return row.legal is True if row.kind is Kind.PLAY else row.legal is not False


def counts_as_move(row: AnalyzedDecision) -> bool:
    """Whether an error rate per move counts a decision: a forced or evaluated legal play."""
    return row.kind is Kind.PLAY and is_countable(row) and (row.forced or loss(row) is not None)


class LeftOut(NamedTuple):
    """Numbers of decisions that no error rate counts, by reason."""

    in_doubt: int
    illegal_plays: int
    illegal_offers: int
    silent: int

    def words(self) -> tuple[str, ...]:
        """Return a phrase for each reason, with its number of decisions.

        >>> LeftOut(in_doubt=0, illegal_plays=1, illegal_offers=0, silent=0).words()
        ('1 illegal play in no error rate',)
        """
        reasons = (
            (self.in_doubt, "decision", "on unverified boards left out"),
            (self.illegal_plays, "illegal play", "in no error rate"),
            (self.illegal_offers, "cube decision", "of illegal doubles in no error rate"),
            (self.silent, "decision", "without an evaluation left out"),
        )
        return tuple(
            f"{number_of(count, word)} {reason}" for count, word, reason in reasons if count
        )


def count_left_out(rows: Iterable[AnalyzedDecision]) -> LeftOut:
    """Count the decisions that no error rate counts, by reason, such as illegal plays."""
    choices = [row for row in rows if row.kind in (Kind.PLAY, *CUBE)]
    sure = [row for row in choices if row.verified]
    illegal = [row for row in sure if row.legal is False]
    plays = sum(row.kind is Kind.PLAY for row in illegal)
    silent = sum(row.legal is not False and not row.forced and loss(row) is None for row in sure)
    return LeftOut(len(choices) - len(sure), plays, len(illegal) - plays, silent)


# GNU Backgammon and Snowie.


def counts_for_gnubg(row: AnalyzedDecision) -> bool:
    """Whether GNU Backgammon's overall error rate counts a decision.

    It counts unforced plays, doubles, takes, passes, and close decisions not to double. The rate is
    1000 times the equity lost (EMG) per decision counted.
    """
    if loss(row) is None or not is_countable(row):
        return False
    if row.kind is Kind.PLAY:
        return not row.forced
    return row.kind is not Kind.NO_DOUBLE or is_close(row)


def counts_for_snowie(row: AnalyzedDecision) -> bool:
    """Whether Snowie's error rate counts a decision: a forced play, or one that was evaluated.

    Illegal plays and unverified boards do not count. The rate is 1000 times the equity lost (EMG)
    per move of *both* sides, including forced plays and dances.

    (C. Yep, bug-gnubg, June 2003; GNU Backgammon's manual. Snowie 1 to 3 had another definition.)
    """
    return is_countable(row) and (counts_as_move(row) or loss(row) is not None)


# PR, as eXtreme Gammon shows it.

DIFFERENT_PLAYS = 0.001
MOST_BEHIND = 0.200


def counts_for_xg_a(row: AnalyzedDecision) -> bool:
    """Whether XG's PR counts a decision, by the rule that blunderDB has published.

    The rate is 500 times the equity lost (EMG) per decision counted. Illegal plays do not count.
    (blunderDB, `metriques.rst`, MIT: "verified match by match".)

    - A play counts if it is not forced, and the listed plays differ by 0.001 or more.
    - Every double, take and pass counts.
    - A decision not to double counts if the equity without a double is above 0, and doubling is
      worse by less than 0.200.
    """
    if loss(row) is None or not is_countable(row):
        return False
    if row.kind is Kind.PLAY:
        return not row.forced and row.spread is not None and row.spread >= DIFFERENT_PLAYS
    if row.kind is not Kind.NO_DOUBLE:
        return True
    no_double, take, passed = row.cube_equities
    return no_double > 0 and no_double - min(take, passed) < MOST_BEHIND


LEAST_SPREAD = 1e-4
ROUNDING = 1e-9
"""Tolerance for decimal equities, whose difference may fall just short of the limit."""
SAME = 0.001
HOPELESS = -0.900


def counts_for_xg_b(row: AnalyzedDecision) -> bool:
    """Whether XG's PR counts a decision, by the rule that GammonView has published.

    The rate is 500 times the equity lost (EMG) per decision counted. Illegal plays do not count.
    (GammonView, `gvformat`, MIT: reproduces six sides of XG exactly.)

    - A play counts if its candidates, the ten best at most, differ by 0.0001 or more.
    - A take or pass counts if the equities of take and pass differ by 0.001 or more.
    - A double or no double counts if it lost 0.001 or more.
    - If it lost less, it counts except in four cases: no double and doubling differ by less than 0.001;
      no double is better than double and take by more than 0.200; no double is better than double and
      pass by more than 0.200; or no double, and double and take, are both below -0.900.
    """
    lost = loss(row)
    if lost is None or not is_countable(row):
        return False
    if row.kind is Kind.PLAY:
        return row.spread is not None and row.spread >= LEAST_SPREAD - ROUNDING
    no_double, take, passed = row.cube_equities
    if row.kind in ANSWERS:
        return abs(take - passed) >= SAME
    is_trivial = (
        abs(no_double - min(take, passed)) < SAME
        or no_double - take > MOST_BEHIND
        or no_double - passed > MOST_BEHIND
        or (no_double < HOPELESS and take < HOPELESS)
    )
    return not is_trivial or lost >= SAME


# Match-winning chance.


def counts_for_mwc(row: AnalyzedDecision) -> bool:
    """Whether the metric `mwc` counts a decision: a legal one with a known loss."""
    return is_countable(row) and loss(row) is not None


def cost(row: AnalyzedDecision) -> float | None:
    """Return the match-winning chance (in money games, points) that a decision lost, if known."""
    lost = loss(row)
    return None if lost is None or row.stake is None else row.stake.cost(lost)


METRICS = (
    Metric(
        "gnubg",
        "mEMG",
        counts_for_gnubg,
        1000.0,
        "GNU Backgammon's overall error rate, as in its statistics.",
        "1000 times the equity lost per unforced play and per close or actual cube decision.",
    ),
    Metric(
        "snowie",
        "mEMG",
        counts_for_snowie,
        1000.0,
        "Snowie's error rate, as Snowie 4 and GNU Backgammon give it.",
        "1000 times the equity lost per move of both sides, forced moves and dances included.",
        per="move",
    ),
    Metric(
        "xg-a",
        PR,
        counts_for_xg_a,
        500.0,
        "PR as eXtreme Gammon shows it, by the counting rule that blunderDB has published.",
        "500 times the equity lost per decision. Of plays count those with a choice whose outcomes differ by 0.001 or more; of the cube every double, take and pass, and no doubles that were close (blunderDB's rule).",
    ),
    Metric(
        "xg-b",
        PR,
        counts_for_xg_b,
        500.0,
        "PR as eXtreme Gammon shows it, by the counting rule that GammonView has published.",
        "500 times the equity lost per decision. Of plays count those whose ten best candidates differ by 0.0001 or more; of the cube the decisions that were not trivial or lost 0.001 or more (GammonView's rule).",
    ),
    Metric(
        "mwc",
        "% MWC",
        counts_for_mwc,
        100.0,
        "Match-winning chance given away: the cost of a side's errors, in percent of the match.",
        "Match-winning chance given away in percent, per match with a decision that counts.",
        per="match",
        lost=cost,
    ),
)
"""The error rates that are shown side by side."""
