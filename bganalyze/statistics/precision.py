"""Precision of a rate: its margin, and the number of decisions for a margin of one."""

from __future__ import annotations

from math import ceil, floor, isnan, log10

from bganalyze.analysis.error_rates import LEAST_DEVIATION, half_width_of_interval
from bganalyze.statistics.estimates import interval_widening

FACTOR = 500
"""Factor of PR and of the norms."""

NOTABLY_WIDER = 1.1
"""Widening of an interval by few matches from which more matches are asked for, not only decisions."""

MOST_MATCHES = 1000
"""Most matches that are asked for; more would be no advice."""


def estimate_margin(
    rate: float, upper_end: float, decisions: int, factor: float = FACTOR
) -> float | None:
    """Return half the width of an error rate's 95 % interval, or None without an interval.

    `upper_end` is the interval's upper end. The rate is the mean loss times `factor`.

    >>> estimate_margin(rate=6.0, upper_end=8.0, decisions=900)
    2.0
    """
    if isnan(upper_end) or not decisions:
        return None
    # At least that of as many independent decisions of a very strong player.
    return max(upper_end - rate, factor * half_width_of_interval(LEAST_DEVIATION, decisions))


def is_cut_at_zero(rate: float, low: float, high: float) -> bool:
    """Whether the lower end of a rate's interval was raised to 0, because no rate is negative.

    >>> is_cut_at_zero(rate=22.2, low=0.0, high=112.7)
    True
    >>> is_cut_at_zero(rate=5.0, low=3.0, high=7.0)
    False
    """
    return low <= 0 < high - 2 * rate


def estimate_decisions_needed(margin: float, decisions: int, wanted_margin: float = 1.0) -> int:
    """Return about how many decisions would give a rate the wanted margin.

    `margin` is the margin after `decisions` decisions; it shrinks with their square root.

    >>> estimate_decisions_needed(margin=2.4, decisions=412)
    2400
    """
    exact = decisions * (margin / wanted_margin) ** 2
    unit = int(10 ** max(floor(log10(max(exact, 1))) - 1, 0))
    return ceil(exact / unit) * unit


def estimate_decisions_from_interval(
    rate: float, upper_end: float, decisions: int, matches: int, factor: float = FACTOR
) -> int | None:
    """Return about how many decisions an error rate needs to be known within ± 1.

    The present 95 % interval ends at `upper_end`. The rate is the mean loss times `factor`. None
    means more than `MOST_MATCHES` matches.

    >>> estimate_decisions_from_interval(rate=9.65, upper_end=15.5, decisions=529, matches=4)
    6900
    """
    reach = (upper_end - rate) / interval_widening(matches)
    margin = estimate_margin(0.0, reach, decisions, factor)
    assert margin is not None, "a rate without an interval"
    needed = estimate_decisions_needed(margin, decisions)
    return needed if needed * matches <= MOST_MATCHES * decisions else None


def describe_precision(
    rate: tuple[float, float, float], decisions: int, matches: int, factor: float = FACTOR
) -> str:
    """Describe how precise an error rate is, such as `after 412 decisions ± 2.4`.

    `rate` has the value and both ends of its 95 % interval. The rate is the mean loss times
    `factor`. Without an interval, the text is empty.

    >>> describe_precision((5.4, 3.0, 7.8), decisions=412, matches=30)
    'after 412 decisions ± 2.4; ± 1 needs about 2,200 decisions'
    >>> describe_precision((9.65, 3.8, 15.5), decisions=529, matches=4)
    'after 529 decisions ± 5.8; ± 1 needs about 6,900 decisions and more than these few matches'
    >>> describe_precision((22.2, 0.0, 112.7), decisions=78, matches=12)
    'after 78 decisions it may be as high as 112.7; too few to say how many ± 1 needs'
    """
    value, low, high = rate
    margin = estimate_margin(value, high, decisions, factor)
    if margin is None:
        return ""
    is_cut = is_cut_at_zero(value, low, high)
    reach = f"it may be as high as {high:.1f}" if is_cut else f"± {margin:.1f}"
    known = f"after {decisions:,} decisions {reach}"
    if margin <= 1:
        return known
    needed = estimate_decisions_from_interval(value, high, decisions, matches, factor)
    if needed is None:
        return f"{known}; too few to say how many ± 1 needs"
    are_few = interval_widening(matches) > NOTABLY_WIDER
    needs = [
        *([f"about {needed:,} decisions"] if needed > decisions or not are_few else []),
        *(["more than these few matches"] if are_few else []),
    ]
    return f"{known}; ± 1 needs {' and '.join(needs)}"
