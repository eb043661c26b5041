"""Analyzed matches as text: the error rates of both sides, the decisions behind them, and their words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bganalyze.analysis.analyzed import AnalyzedDecision, loss
from bganalyze.analysis.describe import Problem, better, problem
from bganalyze.analysis.gnubg_statistics import match_luck
from bganalyze.analysis.match import AnalyzedMatch
from bganalyze.analysis.metrics import (
    PR,
    PR_SHOWN,
    Metric,
    MetricValue,
    left_out,
    pr_class,
    rate_name,
    sure_name,
)
from bganalyze.analysis.select import RECORDED
from bganalyze.app.render.console import as_string, table
from bganalyze.app.render.setting import OutputOptions
from bganalyze.text import number_of, printable


def rates(match: AnalyzedMatch, metrics: Sequence[Metric], setting: OutputOptions) -> str:
    """Return the error rates of both sides, each with the number of decisions it counts."""
    money = not match.length
    labels = [rate_name(metric.name, metric.unit_in(money=money)) for metric in metrics]
    sides = table("player", *labels, "luck (EMG)", figures=len(metrics) + 1)
    for column in sides.columns:
        column.no_wrap = False  # Where the page is narrow names or figures would be cut off.
    lucks = match_luck(match.rows, match.results).luck
    for side, (name, luck) in enumerate(zip(match.names, lucks, strict=True)):
        figures = (_figure(metric.of(match.rows, side), metric) for metric in metrics)
        sides.add_row(printable(name, setting.encoding), *figures, f"{luck.equity:+.3f}")
    notes = (*_classes(match, metrics, setting), *left_out(match.rows).words())
    lines = "".join(f"{note}\n" for note in notes)
    return f"{_title(match, setting)}\n{as_string(sides, setting)}{lines}"


def decisions(match: AnalyzedMatch, metrics: Sequence[Metric], setting: OutputOptions) -> str:
    """Return every decision with what it lost, and the metrics that count it."""
    rows = table("place", "player", "decision", "dice", "played", "better", "loss", "counted by")
    for row in match.rows:
        counting = ", ".join(metric.name for metric in metrics if metric.counts(row))
        rows.add_row(*_cells(row, match, setting), counting or "-")
    return as_string(rows, setting)


def mistakes(match: AnalyzedMatch, setting: OutputOptions) -> Iterator[str]:
    """Yield a line for each decision that was a mistake: where, whose, and what it cost."""
    for row in match.rows:
        error = problem(row)
        if error is not None and error.mark:
            place = f"{match.path}:{row.place}"
            words = f"{error.made}; better {error.best}, {error.loss:.3f}"
            degree = error.mark + ", illegal and in no rate" * (row.legal is False)
            line = f"{place}: {match.names[row.side]}, {error.question}: {words} ({degree})"
            yield printable(line, setting.encoding)


def _title(match: AnalyzedMatch, setting: OutputOptions) -> str:
    key = match.key
    length = number_of(match.length, "point") if match.length else "money"
    path = printable(match.path, setting.encoding)
    which = f" (match {match.number})" if match.number > 1 else ""
    return f"{path}{which}: {length}, analyzed by {key.engine} {key.version} at {key.level}"


def _figure(figure: MetricValue, metric: Metric) -> str:
    if figure.rate is None:
        return "-"
    if metric.unit == PR:
        return f"{figure.rate:.1f} ({pr_interval(figure.interval)}) /{figure.counted}"
    return f"{figure.rate:.2f}" + f" /{figure.counted}" * (metric.per != "match")


def pr_interval(interval: tuple[float, float] | None) -> str:
    """Return the interval of a PR, to one decimal.

    >>> pr_interval((2.94, 7.66))
    '2.9 to 7.7'
    """
    return "" if interval is None else "{:.1f} to {:.1f}".format(*interval)


def _classes(
    match: AnalyzedMatch, metrics: Sequence[Metric], setting: OutputOptions
) -> Iterator[str]:
    """What eXtreme Gammon calls players of such a PR, where enough decisions tell."""
    shown = (metric for metric in metrics if metric.name == PR_SHOWN)
    sides = [
        f"{printable(name, setting.encoding)} {called}"
        for metric in shown
        for side, name in enumerate(match.names)
        if (called := class_by(metric.of(match.rows, side)))
    ]
    if sides:
        yield f"called by {rate_name(PR_SHOWN, PR)}: {'; '.join(sides)}"


def class_by(figure: MetricValue) -> str:
    """Return what eXtreme Gammon calls a player of such a PR; empty where that is not sure."""
    return sure_name(pr_class, figure.interval, figure.counted)


def _cells(row: AnalyzedDecision, match: AnalyzedMatch, setting: OutputOptions) -> Iterator[str]:
    lost = loss(row)
    yield row.place
    yield printable(match.names[row.side], setting.encoding)
    yield row.kind + ("" if row.legal is not False else " (illegal)") + " (forced)" * row.forced
    yield row.dice or ""
    yield row.played or ""
    yield better(row) or ""
    yield "-" if lost is None else f"{lost:.3f}"


# Words for analyses: who has analyzed, and what a decision cost.


def analyzed_by(engine: str, version: str, level: str) -> str:
    """Return which engine has analyzed, or which program did when the file was written.

    >>> analyzed_by("gnubg", "1.07", "2ply"), analyzed_by("recorded", "GNU Backgammon", "0ply")
    ('Analyzed by gnubg 1.07 at 2ply', 'Analyzed by GNU Backgammon at 0ply, as stored in the file')
    """
    if engine == RECORDED:
        return f"Analyzed by {version} at {level}, as stored in the file"
    return f"Analyzed by {engine} {version} at {level}"


def cost_of(error: Problem, *, money: bool) -> str:
    """Return what a decision cost, in equity and in chances to win the match or points.

    >>> cost_of(Problem("", "", "", 0.07, 0.0123, "bad", ""), money=False)
    '0.070 EMG, 1.23 % MWC'
    """
    return ", ".join(filter(None, (f"{error.loss:.3f} EMG", chance(error.cost, money=money))))


def chance(share: float | None, *, money: bool, sign: str = "") -> str:
    """Return a chance to win the match, or points of a money game; empty where it is unknown."""
    if share is None:
        return ""
    return f"{share:{sign}.3f} points" if money else f"{100 * share:{sign}.2f} % MWC"
