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
    value: float, high: float, counted: int, factor: float = FACTOR
) -> float | None:
    """Return half the width of an error rate's 95 % interval, or None without an interval.

    `value` is the rate after `counted` decisions, `high` the upper end of its interval. The result
    is at least that of as many independent decisions of a very strong player. `factor` times the
    mean loss is the rate.

    >>> estimate_margin(value=6.0, high=8.0, counted=900)
    2.0
    """
    if isnan(high) or not counted:
        return None
    return max(high - value, factor * half_width_of_interval(LEAST_DEVIATION, counted))


def is_cut_at_zero(value: float, low: float, high: float) -> bool:
    """Whether a rate's interval is cut at 0, because no rate is negative.

    >>> is_cut_at_zero(value=22.2, low=0.0, high=112.7)
    True
    >>> is_cut_at_zero(value=5.0, low=3.0, high=7.0)
    False
    """
    return low <= 0 < high - 2 * value


def estimate_decisions_needed(margin: float, counted: int, wanted: float = 1.0) -> int:
    """Return about how many decisions are needed for a margin of `wanted`.

    `margin` is the margin after `counted` decisions. It shrinks with the root of their number.

    >>> estimate_decisions_needed(margin=2.4, counted=412)
    2400
    """
    exact = counted * (margin / wanted) ** 2
    unit = int(10 ** max(floor(log10(max(exact, 1))) - 1, 0))
    return ceil(exact / unit) * unit


def estimate_decisions_from_interval(
    value: float, high: float, counted: int, matches: int, factor: float = FACTOR
) -> int | None:
    """Return about how many decisions a rate needs for a 95 % interval of ± 1.

    `value` is the rate after `counted` decisions, `high` the upper end of its interval. `factor`
    times the mean loss is the rate. Return None if more than `MOST_MATCHES` matches are needed.

    >>> estimate_decisions_from_interval(value=9.65, high=15.5, counted=529, matches=4)
    6900
    """
    reach = (high - value) / interval_widening(matches)
    margin = estimate_margin(0.0, reach, counted, factor)
    assert margin is not None, "a rate without an interval"
    needed = estimate_decisions_needed(margin, counted)
    return needed if needed * matches <= MOST_MATCHES * counted else None


def describe_precision(
    rate: tuple[float, float, float], counted: int, matches: int, factor: float = FACTOR
) -> str:
    """Describe how precise an error rate is, such as `after 412 decisions ± 2.4`.

    If it is less precise than ± 1, the text says what ± 1 needs. `rate` has the value and the ends
    of its 95 % interval after `counted` decisions. `factor` times the mean loss is the rate. The
    text is empty without an interval.

    >>> describe_precision((5.4, 3.0, 7.8), counted=412, matches=30)
    'after 412 decisions ± 2.4; ± 1 needs about 2,200 decisions'
    >>> describe_precision((9.65, 3.8, 15.5), counted=529, matches=4)
    'after 529 decisions ± 5.8; ± 1 needs about 6,900 decisions and more than these few matches'
    >>> describe_precision((5.8, 4.5, 7.1), counted=1409, matches=5)
    'after 1,409 decisions ± 1.3; ± 1 needs more than these few matches'
    >>> describe_precision((22.2, 0.0, 112.7), counted=78, matches=12)
    'after 78 decisions it may be as high as 112.7; too few to say how many ± 1 needs'
    """
    value, low, high = rate
    margin = estimate_margin(value, high, counted, factor)
    if margin is None:
        return ""
    is_cut = is_cut_at_zero(value, low, high)
    reach = f"it may be as high as {high:.1f}" if is_cut else f"± {margin:.1f}"
    known = f"after {counted:,} decisions {reach}"
    if margin <= 1:
        return known
    needed = estimate_decisions_from_interval(value, high, counted, matches, factor)
    if needed is None:
        return f"{known}; too few to say how many ± 1 needs"
    are_few = interval_widening(matches) > NOTABLY_WIDER
    needs = [
        *([f"about {needed:,} decisions"] if needed > counted or not are_few else []),
        *(["more than these few matches"] if are_few else []),
    ]
    return f"{known}; ± 1 needs {' and '.join(needs)}"
