"""Analyzed matches as text: error rates of both sides, and the decisions behind them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bganalyze.analysis.analyzed import AnalyzedDecision, loss
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.describe import Problem, better_action, describe_problem
from bganalyze.analysis.error_rates import (
    PR,
    PR_SHOWN,
    Metric,
    MetricValue,
    count_left_out,
    grade_if_certain,
    pr_class,
    rate_name,
)
from bganalyze.analysis.gnubg_statistics import match_luck
from bganalyze.analysis.match import AnalyzedMatch
from bganalyze.analysis.select import RECORDED, STORED, name_edition
from bganalyze.app.render.console import make_table, render_to_string
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.text import number_of, printable

_NUMBER = re.compile(r"\d+(?:-\d+)?")
"""Roll, cube value or points in the question of a decision."""


def render_rates(match: AnalyzedMatch, metrics: Sequence[Metric], setting: OutputOptions) -> str:
    """Return a table of both players' error rates, by each metric, and of their luck in a match."""
    money = not match.length
    labels = [rate_name(metric.name, metric.unit_in(money=money)) for metric in metrics]
    sides = make_table("player", *labels, "luck (EMG)", figures=len(metrics) + 1)
    for column in sides.columns:
        column.no_wrap = False  # On a narrow page names and figures would be cut off.
    lucks = match_luck(match.rows, match.results).luck
    for side, (name, luck) in enumerate(zip(match.names, lucks, strict=True)):
        figures = (
            _format_detailed_rate(metric.measure(match.rows, side), metric) for metric in metrics
        )
        sides.add_row(printable(name, setting.encoding), *figures, f"{luck.equity:+.3f}")
    notes = (*_note_skill_classes(match, metrics, setting), *count_left_out(match.rows).words())
    lines = "".join(f"{note}\n" for note in notes)
    return f"{_make_title(match, setting)}\n{render_to_string(sides, setting)}{lines}"


def make_rates_line(match: AnalyzedMatch, metric: Metric, setting: OutputOptions) -> str:
    """Return both players' error rates in a line, such as `a.mat: PR (xg-b) Ann 5.3, Bob 7.0`."""
    rates = (
        f"{printable(name, setting.encoding)} {_format_plain_rate(metric.measure(match.rows, side), metric)}"
        for side, name in enumerate(match.names)
    )
    label = rate_name(metric.name, metric.unit_in(money=not match.length))
    return f"{_name_match(match, setting)}: {label} {', '.join(rates)}\n"


def _format_plain_rate(figure: MetricValue, metric: Metric) -> str:
    """Return an error rate alone, such as `5.3`, or `-` without decisions."""
    if figure.rate is None:
        return "-"
    return f"{figure.rate:.{1 if metric.unit == PR else 2}f}"


def make_decision_table(
    match: AnalyzedMatch, metrics: Sequence[Metric], setting: OutputOptions
) -> str:
    """Return a table of the decisions in a match, with what each lost.

    The last column names the metrics that count the decision.
    """
    rows = make_table(
        "place", "player", "decision", "dice", "played", "better", "loss", "counted by"
    )
    for row in match.rows:
        counting = ", ".join(metric.name for metric in metrics if metric.counts(row))
        rows.add_row(*_make_decision_cells(row, match, setting), counting or "-")
    return render_to_string(rows, setting)


def list_mistakes(match: AnalyzedMatch, setting: OutputOptions) -> Iterator[str]:
    """Yield a line for each mistake in a match, with place, player, action and loss."""
    for row in match.rows:
        error = describe_problem(row)
        if error is not None and error.mark:
            place = f"{match.path}:{row.place}"
            words = f"{match.names[row.side]}, {error_in_words(error)}"
            plays = f": {error.made}; better {error.best}" * (row.kind is Kind.PLAY)
            illegal = ", illegal, in no error rate" * (row.legal is False)
            line = f"{place}: {words}{plays} ({error.loss:.3f} EMG{illegal})"
            yield printable(line, setting.encoding)


def _make_title(match: AnalyzedMatch, setting: OutputOptions) -> str:
    """Return a line on a match, such as `a.mat: 7 points, analyzed by gnubg 1.07 at 2ply`."""
    key = match.key
    length = number_of(match.length, "point") if match.length else "money"
    edition = f"{key.engine} {key.version} at {key.level}"
    return f"{_name_match(match, setting)}: {length}, analyzed by {edition}"


def _name_match(match: AnalyzedMatch, setting: OutputOptions) -> str:
    """Return the name of a match: its file, and its number if the file has several."""
    which = f" (match {match.number})" if match.number > 1 else ""
    return f"{printable(match.path, setting.encoding)}{which}"


def _format_detailed_rate(figure: MetricValue, metric: Metric) -> str:
    """Return an error rate with its interval and number of decisions: `5.3 (2.9 to 7.7) /62`."""
    rate = _format_plain_rate(figure, metric)
    if figure.rate is None:
        return rate
    if metric.unit == PR:
        interval = format_pr_interval(figure.interval)
        return f"{rate}{f' ({interval})' * bool(interval)} /{figure.counted}"
    return rate + f" /{figure.counted}" * (metric.per != "match")


INTERVAL_OF_DECISIONS = (
    "The range of a PR is its 95 % interval, from the spread of the losses of its decisions;"
    " bganalyze stats gives another, from the differences between matches"
)
"""Basis of the interval of a PR of one match, compared with that of the statistics."""


def format_pr_interval(interval: tuple[float, float] | None) -> str:
    """Return the interval of a PR as text; "" for None.

    >>> format_pr_interval((2.94, 7.66))
    '2.9 to 7.7'
    """
    return "" if interval is None else "{:.1f} to {:.1f}".format(*interval)


def _note_skill_classes(
    match: AnalyzedMatch, metrics: Sequence[Metric], setting: OutputOptions
) -> Iterator[str]:
    """Yield a note with the players' skill classes by eXtreme Gammon, if known."""
    shown = (metric for metric in metrics if metric.name == PR_SHOWN)
    sides = [
        f"{printable(name, setting.encoding)} {called}"
        for metric in shown
        for side, name in enumerate(match.names)
        if (called := find_skill_class(metric.measure(match.rows, side)))
    ]
    if sides:
        yield f"class by {rate_name(PR_SHOWN, PR)}: {'; '.join(sides)}"


def find_skill_class(figure: MetricValue) -> str:
    """Return the skill class by eXtreme Gammon for a PR; "" if it is uncertain."""
    return grade_if_certain(pr_class, figure.interval, figure.counted)


def _make_decision_cells(
    row: AnalyzedDecision, match: AnalyzedMatch, setting: OutputOptions
) -> Iterator[str]:
    """Yield the table cells of a decision, such as place, player, action and loss."""
    lost = loss(row)
    yield row.place
    yield printable(match.names[row.side], setting.encoding)
    yield row.kind + ("" if row.legal is not False else " (illegal)") + " (forced)" * row.forced
    yield row.dice or ""
    yield row.played or ""
    yield better_action(row) or ""
    yield "-" if lost is None else f"{lost:.3f}"


# The engine of an analysis and the cost of a decision in words.


def engine_in_words(engine: str, version: str, level: str) -> str:
    """Return words on an engine and its level, such as `Analyzed by gnubg 1.07 at 2ply`.

    If `engine` is `recorded`, the analysis comes from the match file, and `version` is the program
    that stored it there.
    """
    name = name_edition(engine, version, level)
    if engine == RECORDED:
        return f"Analyzed by {name.removesuffix(STORED)}, as stored in the file"
    return f"Analyzed by {name}"


def error_in_words(error: Problem) -> str:
    """Return a wrong decision in words, such as `very bad take (cube at 4): should pass`."""
    degree = error.mark or "slightly wrong"
    number = _NUMBER.search(error.question)
    assert number is not None, error.question
    match error.made.split():
        case ["take" | "pass" | "beaver" | "raccoon"]:
            return f"{degree} {error.made} (cube at {number[0]}): should {error.best}"
        case ["double" | "redouble"]:
            too_good = ", too good" * error.best.endswith("too good")
            return f"{degree} {error.made} to {number[0]}: should not {error.made}{too_good}"
        case ["no", "double" | "redouble" as action]:
            return f"{degree} missed {action} to {number[0]}: best is {error.best}"
        case ["resign"]:
            return f"{degree} resignation of {number_of(int(number[0]), 'point')}: should play on"
        case ["accept" | "decline"]:
            points = number_of(int(number[0]), "point")
            return f"{degree} answer to a resignation of {points}: should {error.best}"
    return f"{degree} play of {number[0]}"


def format_cost(error: Problem, *, money: bool) -> str:
    """Return the cost of a wrong decision, such as `0.070 EMG, 1.23 % MWC`.

    For `money` play, the second number is in points.
    """
    return ", ".join(
        filter(None, (f"{error.loss:.3f} EMG", format_chance(error.cost, money=money)))
    )


def format_chance(chance: float | None, *, money: bool, sign: str = "") -> str:
    """Return a match-winning chance in percent or, for `money` play, in points; "" for None.

    With `sign="+"`, a positive number has a plus sign.

    >>> format_chance(0.0123, money=False), format_chance(0.25, money=True, sign="+")
    ('1.23 % MWC', '+0.250 points')
    """
    if chance is None:
        return ""
    return f"{chance:{sign}.3f} points" if money else f"{100 * chance:{sign}.2f} % MWC"
