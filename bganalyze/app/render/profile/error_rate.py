"""The PR of a player in words: how sure it is, and the classes that it supports."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeAlias

from bganalyze.analysis.describe import LEAST
from bganalyze.analysis.error_rates import (
    BMAB_GRADES,
    PR_CLASSES,
    PR_SHOWN,
    USUAL_DEVIATION,
    bmab_grade,
    half_width_of_interval,
    pr_class,
)
from bganalyze.app.render.document import Block, Lines, Note
from bganalyze.app.render.profile.kinds import resignations_in_words
from bganalyze.statistics.estimates import FEWEST_UNITS
from bganalyze.statistics.precision import (
    FACTOR,
    describe_precision,
    estimate_decisions_from_interval,
    estimate_decisions_needed,
    estimate_margin,
    is_cut_at_zero,
)
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.player_pr import ErrorRate
from bganalyze.text import number_of

PRECISE = 1.5
"""Uncertainty of a PR above which a page first says that it is about few decisions."""

MUCH_WIDER = 1.2
"""How much wider than an interval between matches the least margin may be without a remark."""

XG = "eXtreme Gammon"
"""Word in the names of eXtreme Gammon's analyses."""


def describe_error_rate(profile: PlayerProfile) -> Iterator[Block]:
    """Yield a player's PR with interval, the opponents' PR, skill classes and warnings."""
    rate = profile.error_rate
    if rate is None:
        yield Note("no analyzed decision: results are all that these files show")
        return
    lines = (
        error_rate_in_words(rate),
        *opponents_rate_in_words(
            profile.opponents_rate, {match.opponent for match in profile.matches}
        ),
        *(classes_in_words(rate, profile.engines) if rate.reach else ()),
        *list_warnings(profile),
    )
    yield Lines(lines)


def opponents_rate_in_words(
    rate: ErrorRate | None, opponents: Collection[str] = ()
) -> Iterator[str]:
    """Yield the PR of all opponents in the same matches, taken together, if it is known.

    >>> list(opponents_rate_in_words(ErrorRate(7.25, 6.5, 8.0, 1519, 86)))
    ['opponents in the same matches: PR 7.2, 95 % interval 6.5 to 8.0, after 1,519 decisions']
    """
    if rate is not None:
        interval = (
            "" if rate.reach is None else f", 95 % interval {rate.low:.1f} to {rate.high:.1f}"
        )
        counted = number_of(rate.decisions, "decision")
        called = "opponents" if len(opponents) != 1 else next(iter(opponents))
        yield f"{called} in the same matches: PR {rate.value:.1f}{interval}, after {counted}"


def list_warnings(profile: PlayerProfile) -> Iterator[str]:
    """Yield warnings about a PR, for instance that it combines analyses by several engines."""
    yield from (note.partition("; ")[0] for note in profile.mixed)
    if profile.analyzed is not None and "engine" in profile.analyzed.question.by:
        yield "cube habits and luck count the analyses of one engine and level alone, those with the most cases"
    if profile.resignations.lost >= LEAST:
        yield f"not in the PR: {resignations_in_words(profile.resignations)}"


def error_rate_in_words(rate: ErrorRate) -> str:
    """Return a PR such as `PR (xg-b) 5.1, 95 % interval 3.9 to 6.3, in 86 matches; …`.

    If the interval is narrow (± `PRECISE`), the text also says how many decisions it takes for ± 1.
    """
    stated, matches = f"PR ({PR_SHOWN}) {rate.value:.1f}", number_of(rate.matches, "match")
    margin = estimate_margin(rate.value, rate.high, rate.decisions)
    if rate.reach is None or margin is None:
        counted = number_of(rate.decisions, "decision")
        return f"{stated} after {counted} in {matches}, too few for an interval"
    interval = f"95 % interval {rate.low:.1f} to {rate.high:.1f}"
    is_too_narrow = margin > MUCH_WIDER * (rate.high - rate.value)
    doubt = " (too narrow: these few matches happen to be alike)" if is_too_narrow else ""
    measured = (rate.value, rate.low, rate.high)
    precision = describe_precision(measured, rate.decisions, rate.matches)
    if is_cut_at_zero(*measured):  # The interval and the limits say it.
        precision = f"after {number_of(rate.decisions, 'decision')}"
    elif margin > PRECISE:
        precision = precision.partition("; ")[0]
    return f"{stated}, {interval}, in {matches}{doubt}; {precision}"


def limits_in_words(rate: ErrorRate | None) -> Iterator[str]:
    """If a PR is not known to ± `PRECISE`, yield what it shows, and how much more data helps."""
    if rate is None:
        return
    counted = f"{number_of(rate.matches, 'match')}, {number_of(rate.decisions, 'decision')}"
    margin = estimate_margin(rate.value, rate.high, rate.decisions)
    if margin is None:
        needed = estimate_decisions_needed(FACTOR * half_width_of_interval(USUAL_DEVIATION, 1), 1)
        them, guess = (
            ("it", " or which errors recur")
            if rate.matches == 1
            else ("them", "; which errors recur is a guess")
        )
        yield (
            f"{counted}: this page shows the errors in {them}, not how well you usually play{guess}. Bring more"
            f" matches: {FEWEST_UNITS} for intervals and tests, about {_estimate_matches(needed, rate):,} ({needed:,} decisions,"
            " if the errors vary as usual) for PR ± 1."
        )
    elif margin > PRECISE:
        known = (
            f"may be as high as {rate.high:.1f}"
            if is_cut_at_zero(rate.value, rate.low, rate.high)
            else f"is known to ± {margin:.1f}"
        )
        yield f"{counted}: the PR {known}, so only large differences are shown. {_plan_matches(rate)}"


def _plan_matches(rate: ErrorRate) -> str:
    """Return a sentence on how many matches make a PR precise; if unknown, it says so."""
    needed = estimate_decisions_from_interval(rate.value, rate.high, rate.decisions, rate.matches)
    if needed is None:
        return "These are too few to say how many matches ± 1 needs."
    matches = _estimate_matches(needed, rate)
    return f"For ± 1 bring about {matches:,} matches in all ({needed:,} decisions)."


def _estimate_matches(decisions: int, rate: ErrorRate) -> int:
    """Return how many matches like those behind `rate` have this number of decisions."""
    return math.ceil(decisions * rate.matches / rate.decisions)


def classes_in_words(rate: ErrorRate, engines: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the skill class of a PR by eXtreme Gammon, and its grade by BMAB.

    If two classes are possible, both are named. The first of `engines` analyzed the most matches.
    """
    xg = _list_possible_classes(rate, rate.xg_class, PR_CLASSES, pr_class)
    grade = _list_possible_classes(rate, rate.bmab_grade, BMAB_GRADES, bmab_grade)
    if not xg and not grade:
        return ("no class by eXtreme Gammon or BMAB: the interval spans more than two",)
    scales = f"class by BMAB: {grade or _NO_CLASS}; by eXtreme Gammon: {xg or _NO_CLASS}"
    if not engines or _is_by_xg(engines):
        return (scales,)
    mostly = "mostly " if len(engines) > 1 else ""
    assumed = f"both assume its analysis, this is {mostly}by {engines[0]}"
    return (f"{scales}; {assumed}",)


def _is_by_xg(engines: Sequence[str]) -> bool:
    """Whether all matches were analyzed by eXtreme Gammon."""
    return all(XG in name for name in engines)


_NO_CLASS = "more than two possible"

Scale: TypeAlias = Sequence[tuple[float, str]]
"""The classes of a scale, each with the PR it stays below."""


def _list_possible_classes(
    rate: ErrorRate, certain_class: str, scale: Scale, find_class: Callable[[float], str]
) -> str:
    """Return the skill class of a PR, or two if both are possible; "" if there are more.

    `certain_class` is the class if only one is possible, else "". `find_class` returns the class of
    a PR.
    """
    names = [called for _, called in scale]
    first, last = names.index(find_class(max(rate.low, 0.0))), names.index(find_class(rate.high))
    between = [certain_class] if certain_class else names[first : last + 1]
    if len(between) > 2:
        return ""
    likely = sorted(between, key=lambda called: called != find_class(rate.value))
    return " or, less likely, ".join(_add_limits(called, scale) for called in likely)


def _add_limits(name: str, scale: Scale) -> str:
    """Return the name of a skill class with its lowest and highest PR.

    >>> _add_limits("expert", PR_CLASSES)
    'expert (PR 5 to 7.5)'
    """
    limits = [0.0, *(limit for limit, _ in scale)]
    place = [called for _, called in scale].index(name)
    low, high = limits[place : place + 2]
    if not low:
        return f"{name} (PR below {high:g})"
    return (
        f"{name} (PR {low:g} or more)" if math.isinf(high) else f"{name} (PR {low:g} to {high:g})"
    )
