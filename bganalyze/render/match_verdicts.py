"""What an engine says of a match, as blocks of a document, and the words for it."""

from __future__ import annotations

from collections.abc import Iterator

from bganalyze.counts import number_of
from bganalyze.judging.decisions import Kind
from bganalyze.match_report.verdicts import Error, Luck, Rate, Verdicts
from bganalyze.render.board import scene
from bganalyze.render.document import Block, Cell, Diagram, Grid, Note, Steps, Tone
from bganalyze.render.verdict_words import chance, cost_of, judged_by

TONES: dict[str, Tone] = {"very bad": "error", "bad": "warning", "doubtful": "info"}
"""The tone of a mark."""


def blocks(said: Verdicts, names: tuple[str, str]) -> Iterator[Block]:
    """Yield the error rates, the luck, and the errors by their size."""
    yield Note(f"{judged_by(said.engine, said.version, said.level)}.")
    yield Grid("Error rates", ("", *names), tuple(_rate(rate, said) for rate in said.rates))
    if said.luck is not None:
        yield Grid("Luck", ("", *names), tuple(_luck(said.luck, money=said.money)))
    if said.unknown:
        yield Note(f"It says nothing of {number_of(said.unknown, 'decision')}.")
    if said.errors:
        diagrams = (
            _error(place, error, names, money=said.money)
            for place, error in enumerate(said.errors, 1)
        )
        title = f"{number_of(len(said.errors), 'error')}, the dearest first"
        yield Steps(title, tuple(diagrams), tuple(names[error.seat] for error in said.errors))
    else:
        yield Note("No decision cost anything.")


def _rate(rate: Rate, said: Verdicts) -> tuple[Cell, ...]:
    unit = "points" if said.money and rate.unit == "% MWC" else rate.unit
    figures = zip(rate.values, rate.counted, strict=True)
    return (
        Cell(f"{rate.metric} ({unit})", about=rate.meaning),
        *(_figure(value, counted) for value, counted in figures),
    )


def _figure(value: float | None, counted: int) -> Cell:
    if value is None:
        return Cell("–")
    return Cell(f"{value:.2f}", f"over {counted:,}" if counted > 1 else "")


def _luck(luck: Luck, *, money: bool) -> Iterator[tuple[Cell, ...]]:
    thrown = (
        Cell(f"{equity:+.3f} EMG", chance(share, money=money, sign="+"))
        for equity, share in zip(luck.equity, luck.chance, strict=True)
    )
    yield (Cell("Luck", about="What the throws gave, over what was to be expected."), *thrown)
    for name, meaning, pair in (
        ("Result", "What was won.", luck.result),
        ("Without luck", "What was won, less one's own luck, plus the other's.", luck.adjusted),
    ):
        won = (Cell(chance(value, money=money, sign="+")) for value in pair)
        yield (Cell(name, about=meaning), *won)


def _error(place: int, error: Error, names: tuple[str, str], *, money: bool) -> Diagram:
    told = error.problem
    return Diagram(
        f"{place:,}. {names[error.seat]}, {told.question}",
        None if error.shown is None else scene(*error.shown),
        tuple(_said_of(error, money=money)),
        tone=TONES.get(told.mark, ""),
    )


def _said_of(error: Error, *, money: bool) -> Iterator[tuple[str, str]]:
    told = error.problem
    yield "Played" if error.kind is Kind.PLAY else "Decided", told.made
    yield "Better", told.best
    yield "Cost", cost_of(told, money=money)
    if told.error or told.mark:
        yield "Error", ", ".join(filter(None, (told.error, told.mark)))
    row = f", row {error.row.strip()}" if error.row.strip() else ""
    yield "Place", f"game {error.game}{row}"
    if error.legal is False:
        yield "Rules", "against them: judged by the position it left, and in no rate"
    if not error.verified:
        yield "Board", "in doubt"
    yield "Position", error.position
