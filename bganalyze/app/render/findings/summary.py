"""The summary of a check: the counts, and of several files where the faults are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from bganalyze.app.config import title
from bganalyze.app.jobs.checked import Producer, Tally, Worst
from bganalyze.app.render.setting import OutputOptions
from bganalyze.text import number_of, printable
from bganalyze.validation.findings import Severity

if TYPE_CHECKING:
    from rich.table import Table

_CONVENTIONS = ("hits", "dances", "resignations")


def summary(tally: Tally, setting: OutputOptions) -> Iterator[str]:
    """Yield the counts, after tables if several files were checked.

    A single file that is no record, or cannot be read, needs no summary.
    """
    attempts = tally.attempts
    if not attempts.files:
        if attempts.skipped + len(attempts.unreadable) > 1:
            yield totals(tally, setting) + "\n"
        return
    if attempts.files > 1:
        from bganalyze.app.render.console import as_string  # It loads Rich.

        for heading, rows in _tables(tally, setting):
            yield f"\n{heading}\n{as_string(rows, setting)}"
        yield "\n"
    yield from (f"{words}\n" for words in disputed(tally, setting))
    yield totals(tally, setting) + "\n"
    yield f"Rule book: {title(setting.rule_book)}\n"


def disputed(tally: Tally, setting: OutputOptions) -> Iterator[str]:
    """Yield the results that findings contradict: as recorded, by the board, and as they count."""
    is_single = tally.attempts.files == 1
    for path, words in tally.disputes:
        place = "" if is_single else f"{path}: "
        yield printable(f"disputed: {place}{words}", setting.encoding)
    if tally.disputed > len(tally.disputes):
        yield f"disputed: {number_of(tally.disputed - len(tally.disputes), 'result')} more"


def totals(tally: Tally, setting: OutputOptions) -> str:
    """Return the counts of a run in one line."""
    attempts = tally.attempts
    parts = [f"{number_of(attempts.files, 'file')} checked"]
    parts += _if_any(attempts.skipped, "skipped")
    parts += _if_any(len(attempts.unreadable), "unreadable")
    for severity in Severity:
        count, corrected = tally.severities[severity], tally.corrected[severity]
        asides = [f"{corrected:,} of them corrected"] if corrected else []
        asides += [] if severity.reaches(setting.least) else ["not listed"]
        aside = f" ({', '.join(asides)})" if asides else ""
        parts += [number_of(count, severity) + aside] if count else []
    parts += ["no findings"] if attempts.files and not tally.severities.total() else []
    parts += _if_any(tally.silenced, "silenced")
    parts += _if_any(tally.consequences, "consequences not listed")
    return ", ".join(parts)


def _if_any(number: int, words: str) -> list[str]:
    return [f"{number:,} {words}"] if number else []


def _tables(tally: Tally, setting: OutputOptions) -> Iterator[tuple[str, Table]]:
    if tally.rules:
        yield "Findings by rule", _by_rule(tally)
    if _worst(tally):
        yield "Files with most errors", _by_file(_worst(tally), setting)
    yield "Files by producer", _by_producer(tally)
    yield "What their records spell out", _by_convention(tally)


def _by_rule(tally: Tally) -> Table:
    from bganalyze.app.render.console import table

    rows = table("code", "name", "severity", "findings", figures=1)
    for rule, count in sorted(tally.rules.items()):
        rows.add_row(*rule, f"{count:,}")
    return rows


def _worst(tally: Tally) -> list[Worst]:
    """The files with most errors; a single error does not make a file stand out."""
    return sorted((worst for worst in tally.worst if worst.errors > 1), reverse=True)


def _by_file(files: Iterable[Worst], setting: OutputOptions) -> Table:
    from bganalyze.app.render.console import table

    rows = table("file", "errors", figures=1)
    for worst in files:
        rows.add_row(printable(worst.path, setting.encoding), f"{worst.errors:,}")
    return rows


def _by_producer(tally: Tally) -> Table:
    from bganalyze.app.render.console import table

    headings = ("files", "turns", "errors", "per 1,000 turns")
    rows = table("producer", *headings, figures=len(headings))
    for name, producer in sorted(tally.producers.items()):
        counts = (f"{n:,}" for n in (producer.files, producer.turns, producer.errors))
        rate = f"{1000 * producer.errors / producer.turns:.2f}" if producer.turns else "-"
        rows.add_row(name, *counts, rate)
    return rows


def _by_convention(tally: Tally) -> Table:
    from bganalyze.app.render.console import table

    rows = table("producer", *_CONVENTIONS)
    for name, producer in sorted(tally.producers.items()):
        rows.add_row(name, *(_in_how_many(producer, word) for word in _CONVENTIONS))
    return rows


def _in_how_many(producer: Producer, convention: str) -> str:
    """Whether a producer's records spell something out: in all files, in none, in some."""
    files = producer.conventions[convention]
    if files in (0, producer.files):
        return "yes" if files else "no"
    return f"{files:,} of {producer.files:,}"
