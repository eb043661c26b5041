"""Judged matches as text: the error rates of both sides, the decisions behind them, and their words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bganalyze.judging.describe import Problem, problem
from bganalyze.judging.match import JudgedMatch
from bganalyze.judging.metrics import PR, Metric, pr_class, rate_name
from bganalyze.judging.select import RECORDED
from bganalyze.judging.verdict import JudgedDecision, loss
from bganalyze.render.console import as_string, table
from bganalyze.render.setting import OutputOptions
from bganalyze.text import number_of, printable


def rates(match: JudgedMatch, metrics: Sequence[Metric], setting: OutputOptions) -> str:
    """Return the error rates of both sides, each with the number of decisions it counts."""
    money = not match.length
    labels = [rate_name(metric.name, metric.unit_in(money=money)) for metric in metrics]
    sides = table("player", *labels, "luck (EMG)", figures=len(metrics) + 1)
    for column in sides.columns:
        column.no_wrap = False  # Where the page is narrow names or figures would be cut off.
    for side, name in enumerate(match.names):
        figures = (_figure(match.rows, side, metric) for metric in metrics)
        luck = sum(row.luck for row in match.rows if row.side == side and row.luck is not None)
        sides.add_row(printable(name, setting.encoding), *figures, f"{luck:+.3f}")
    classes = _classes(match, metrics, setting)
    return f"{_title(match, setting)}\n{as_string(sides, setting)}{classes}"


def decisions(match: JudgedMatch, metrics: Sequence[Metric], setting: OutputOptions) -> str:
    """Return every decision with what it lost, and the metrics that count it."""
    rows = table("place", "player", "decision", "dice", "played", "better", "loss", "counted by")
    for row in match.rows:
        counting = ", ".join(metric.name for metric in metrics if metric.counts(row))
        rows.add_row(*_cells(row, match, setting), counting or "-")
    return as_string(rows, setting)


def mistakes(match: JudgedMatch, setting: OutputOptions) -> Iterator[str]:
    """Yield a line for each decision that was a mistake: where, whose, and what it cost."""
    for row in match.rows:
        error = problem(row)
        if error is not None and error.mark:
            place = f"{match.path}:{row.place}"
            words = f"{error.made}; better {error.best}, {error.loss:.3f}"
            line = f"{place}: {match.names[row.side]}, {error.question}: {words} ({error.mark})"
            yield printable(line, setting.encoding)


def _title(match: JudgedMatch, setting: OutputOptions) -> str:
    key = match.key
    length = number_of(match.length, "point") if match.length else "money"
    path = printable(match.path, setting.encoding)
    which = f" (match {match.number})" if match.number > 1 else ""
    return f"{path}{which}: {length}, judged by {key.engine} {key.version} at {key.level}"


def _figure(rows: Sequence[JudgedDecision], side: int, metric: Metric) -> str:
    figure = metric.of(rows, side)
    if figure.rate is None:
        return "-"
    return f"{figure.rate:.2f}" if figure.counted == 1 else f"{figure.rate:.2f} /{figure.counted}"


def _classes(match: JudgedMatch, metrics: Sequence[Metric], setting: OutputOptions) -> str:
    """What eXtreme Gammon calls players of such a PR; by either rule, where they differ."""
    sides = []
    for side, name in enumerate(match.names):
        figures = {
            metric.name: metric.of(match.rows, side) for metric in metrics if metric.unit == PR
        }
        called = {rule: pr_class(pr.rate) for rule, pr in figures.items() if pr.rate is not None}
        words = [f"{word} ({rule})" for rule, word in called.items()]
        if len(set(called.values())) == 1:
            words = [*called.values()][:1]
        if words:
            sides.append(f"{printable(name, setting.encoding)} {', '.join(words)}")
    return f"called by PR: {'; '.join(sides)}\n" if sides else ""


def _cells(row: JudgedDecision, match: JudgedMatch, setting: OutputOptions) -> Iterator[str]:
    lost = loss(row)
    yield row.place
    yield printable(match.names[row.side], setting.encoding)
    yield row.kind + ("" if row.legal is not False else " (illegal)") + " (forced)" * row.forced
    yield row.dice or ""
    yield row.played or ""
    yield row.better or "" if row.better != row.played else ""
    yield "-" if lost is None else f"{lost:.3f}"


# Words for verdicts: who has judged, and what a decision cost.


def judged_by(engine: str, version: str, level: str) -> str:
    """Return which engine has judged, or which program did when the file was written.

    >>> judged_by("gnubg", "1.07", "2ply"), judged_by("recorded", "GNU Backgammon", "0ply")
    ('Judged by gnubg 1.07 at 2ply', 'Judged by GNU Backgammon at 0ply, as stored in the file')
    """
    if engine == RECORDED:
        return f"Judged by {version} at {level}, as stored in the file"
    return f"Judged by {engine} {version} at {level}"


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
