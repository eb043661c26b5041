"""The end of a check for people: the counts, and over several files where the faults are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.table import Table

from bganalyze.config import title
from bganalyze.counts import number_of
from bganalyze.findings import Severity
from bganalyze.jobs.tally import Producer, Tally, Worst
from bganalyze.printable import printable
from bganalyze.render.console import as_string, table
from bganalyze.render.setting import Setting

_WORDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "remark"}
_CONVENTIONS = ("hits", "dances", "resignations")


def summary(tally: Tally, setting: Setting) -> Iterator[str]:
    """Yield the tables, if several files were checked, and the counts.

    Of a single file that is no record, or cannot be read, nothing is left to say.
    """
    attempts = tally.attempts
    if not attempts.files:
        if attempts.skipped + len(attempts.unreadable) > 1:
            yield totals(tally) + "\n"
        return
    if attempts.files > 1:
        for heading, shown in _tables(tally, setting):
            yield f"\n{heading}\n{as_string(shown, setting)}"
        yield "\n"
    yield totals(tally) + "\n"
    yield f"judged by the law: {title(setting.law)}\n"


def totals(tally: Tally) -> str:
    """Return the counts of a run in one line."""
    attempts = tally.attempts
    parts = [f"{number_of(attempts.files, 'file')} checked"]
    parts += _some(attempts.skipped, "skipped") + _some(len(attempts.unreadable), "unreadable")
    for severity, word in _WORDS.items():
        found, corrected = tally.severities[severity], tally.corrected[severity]
        aside = f" ({corrected:,} of them corrected)" if corrected else ""
        parts += [number_of(found, word) + aside] if found else []
    parts += ["no findings"] if attempts.files and not tally.severities.total() else []
    parts += _some(tally.silenced, "silenced")
    parts += _some(tally.consequences, "consequences not listed")
    return ", ".join(parts)


def _some(number: int, words: str) -> list[str]:
    return [f"{number:,} {words}"] if number else []


def _tables(tally: Tally, setting: Setting) -> Iterator[tuple[str, Table]]:
    if tally.rules:
        yield "Findings by rule", _by_rule(tally)
    if _worst(tally):
        yield "Files with most errors", _by_file(_worst(tally), setting)
    yield "Files by producer", _by_producer(tally)
    yield "What their records spell out", _by_convention(tally)


def _by_rule(tally: Tally) -> Table:
    shown = table("code", "name", "severity", "findings", figures=1)
    for rule, count in sorted(tally.rules.items()):
        shown.add_row(*rule, f"{count:,}")
    return shown


def _worst(tally: Tally) -> list[Worst]:
    """The files with most errors; those with one only do not stand out."""
    return sorted((worst for worst in tally.worst if worst.errors > 1), reverse=True)


def _by_file(files: Iterable[Worst], setting: Setting) -> Table:
    shown = table("file", "errors", figures=1)
    for worst in files:
        shown.add_row(printable(worst.path, setting.encoding), f"{worst.errors:,}")
    return shown


def _by_producer(tally: Tally) -> Table:
    headings = ("files", "turns", "errors", "per 1,000 turns")
    shown = table("producer", *headings, figures=len(headings))
    for name, producer in sorted(tally.producers.items()):
        counts = (f"{n:,}" for n in (producer.files, producer.turns, producer.errors))
        shown.add_row(name, *counts, _rate(producer))
    return shown


def _by_convention(tally: Tally) -> Table:
    shown = table("producer", *_CONVENTIONS)
    for name, producer in sorted(tally.producers.items()):
        shown.add_row(name, *(_in_how_many(producer, each) for each in _CONVENTIONS))
    return shown


def _in_how_many(producer: Producer, convention: str) -> str:
    """Whether the producer's records spell something out: in all, in no or in some files."""
    files = producer.conventions[convention]
    if files in (0, producer.files):
        return "yes" if files else "no"
    return f"{files:,} of {producer.files:,}"


def _rate(producer: Producer) -> str:
    return f"{1000 * producer.errors / producer.turns:.2f}" if producer.turns else "-"
