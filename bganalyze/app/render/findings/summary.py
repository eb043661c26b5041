"""The summary of a check: counts, and tables if several files were checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from bganalyze.app.config import rule_book_title
from bganalyze.app.jobs.checked import CheckTally, FaultyFile, Producer
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.text import number_of, printable
from bganalyze.validation.findings import Severity

if TYPE_CHECKING:
    from rich.table import Table

FEW_FILES = 20
"""Files up to which producers are not compared."""

_CONVENTIONS = ("hits", "dances", "resignations")


def summary_lines(tally: CheckTally, setting: OutputOptions) -> Iterator[str]:
    """Yield the summary of a check as text: tables if there are several files, then counts."""
    attempts = tally.attempts
    if not attempts.files:
        if attempts.skipped + len(attempts.unreadable) + attempts.known_unreadable > 1:
            yield totals_line(tally, setting) + "\n"
        return
    if attempts.files > 1:
        from bganalyze.app.render.console import render_to_string  # loads Rich

        for heading, rows in _make_summary_tables(tally, setting):
            yield f"\n{heading}\n{render_to_string(rows, setting)}"
        yield "\n"
    yield from (f"{words}\n" for words in dispute_lines(tally, setting))
    yield from (f"{words}\n" for words in incomplete_lines(tally, setting))
    yield totals_line(tally, setting) + "\n"
    yield f"Rule book: {rule_book_title(setting.rule_book)}\n"


def dispute_lines(tally: CheckTally, setting: OutputOptions) -> Iterator[str]:
    """Yield a line for each of the first disputed results, then the number of the others."""
    is_single = tally.attempts.files == 1
    for path, words in tally.disputes:
        place = "" if is_single else f"{path}: "
        yield printable(f"disputed: {place}{words}", setting.encoding)
    if tally.disputed > len(tally.disputes):
        yield f"disputed: {number_of(tally.disputed - len(tally.disputes), 'result')} more"


def incomplete_lines(tally: CheckTally, setting: OutputOptions) -> Iterator[str]:
    """Yield a line such as `2 of 4 files are not complete: a.mat, b.mat`."""
    files = tally.attempts.files
    if files < 2 or not tally.incomplete or setting.only_new:
        return
    verb = "is" if tally.incomplete == 1 else "are"
    names = ", ".join(tally.incomplete_paths)
    others = tally.incomplete - len(tally.incomplete_paths)
    more = (
        f" and {others:,} more (list them: bganalyze matches PATH --incomplete)" if others else ""
    )
    words = f"{tally.incomplete:,} of {number_of(files, 'file')} {verb} not complete: {names}{more}"
    yield printable(words, setting.encoding)


def totals_line(
    tally: CheckTally, setting: OutputOptions, *, hint: str = " without --severity {}"
) -> str:
    """Return the counts of a check, such as `3 files checked, 1 skipped, 2 errors`.

    Findings too mild to be listed are counted as `not listed`. The text `hint` follows, with their
    severity for `{}`.
    """
    attempts = tally.attempts
    parts = [f"{number_of(attempts.files, 'file')} checked"]
    parts += _count_unless_zero(attempts.skipped, "skipped")
    parts += _count_unless_zero(attempts.own, "made by bganalyze and left out")
    parts += _count_unless_zero(len(attempts.unreadable), "unreadable")
    parts += _count_unless_zero(attempts.known_unreadable, "known to be unreadable")
    for severity in Severity:
        count, corrected = tally.severities[severity], tally.corrected[severity]
        asides = [_count_corrected(corrected, count)] if corrected else []
        asides += [] if severity.reaches(setting.least) else [f"not listed{hint.format(severity)}"]
        aside = f" ({', '.join(asides)})" if asides else ""
        parts += [number_of(count, severity) + aside] if count else []
    if attempts.files and not tally.severities.total():
        parts.append(_describe_clean_check(tally, setting))
    parts += _count_unless_zero(tally.silenced, "silenced")
    if tally.consequences:
        parts.append(f"{number_of(tally.consequences, 'consequence')} not listed")
    return ", ".join(parts)


def _count_corrected(corrected: int, count: int) -> str:
    """Return words on how many of `count` findings were corrected.

    >>> _count_corrected(2, 2), _count_corrected(1, 8)
    ('all corrected', '1 of them corrected')
    """
    if corrected < count:
        return f"{corrected:,} of them corrected"
    return "corrected" if count == 1 else "all corrected"


def _describe_clean_check(tally: CheckTally, setting: OutputOptions) -> str:
    """Return words for a check that found nothing, such as `no findings`."""
    if setting.only_new:
        return "no new findings"
    if not tally.selected_files:
        return "no findings"
    is_legal = tally.legal_files == tally.attempts.files
    legal = ", all plays legal" if is_legal else ""
    words = f"no findings of the rules selected; {number_of(tally.turns, 'turn')} read{legal}"
    counted = (f"{count:,} {code}" for code, count in sorted(tally.unselected.items()))
    others = ", ".join(counted)
    return f"{words}; errors of other rules: {others}" if others else words


def _count_unless_zero(number: int, words: str) -> list[str]:
    """Return a list of one text such as `3 skipped`, or [] if the number is 0."""
    return [f"{number:,} {words}"] if number else []


def _make_summary_tables(tally: CheckTally, setting: OutputOptions) -> Iterator[tuple[str, Table]]:
    """Yield the tables of the summary, each with its title."""
    if tally.rules:
        heading = "New findings by rule" if setting.only_new else "Findings by rule"
        yield heading, _make_rule_table(tally)
    if _find_worst_files(tally):
        heading = f"Files with several {_name_counted_errors(setting)}, the most first"
        yield heading, _make_file_table(_find_worst_files(tally), setting)
    if tally.attempts.files <= FEW_FILES or len(tally.producers) < 2:
        return
    if setting.only_new:
        with_errors = {name: one for name, one in tally.producers.items() if one.errors}
        if with_errors:
            yield "Producers of files with new errors", _make_producer_table(with_errors, setting)
        return
    yield (
        "Files by producer (turns as written, with repeated ones)",
        _make_producer_table(tally.producers, setting),
    )
    yield "Conventions of their match files", _make_convention_table(tally)


def _name_counted_errors(setting: OutputOptions) -> str:
    """Return `errors` or, if known errors are hidden, `new errors`."""
    return "new errors" if setting.only_new else "errors"


def _make_rule_table(tally: CheckTally) -> Table:
    """Return a table of the number of findings of each rule."""
    from bganalyze.app.render.console import make_table

    rows = make_table("code", "name", "severity", "findings", figures=1)
    for rule, count in sorted(tally.rules.items()):
        rows.add_row(*rule, f"{count:,}")
    return rows


def _find_worst_files(tally: CheckTally) -> list[FaultyFile]:
    """Return the files with several errors, those with the most first."""
    return sorted((worst for worst in tally.worst if worst.errors > 1), reverse=True)


def _make_file_table(files: Iterable[FaultyFile], setting: OutputOptions) -> Table:
    """Return a table of files, with the number of errors in each."""
    from bganalyze.app.render.console import make_table

    rows = make_table("file", _name_counted_errors(setting), figures=1)
    for worst in files:
        rows.add_row(printable(worst.path, setting.encoding), f"{worst.errors:,}")
    return rows


def _make_producer_table(producers: Mapping[str, Producer], setting: OutputOptions) -> Table:
    """Return a table of the programs that wrote the files, with their errors."""
    from bganalyze.app.render.console import make_table

    headings = ("files", "turns", _name_counted_errors(setting), "per 1,000 turns")
    rows = make_table("producer", *headings, figures=len(headings))
    for name, producer in sorted(producers.items()):
        counts = (f"{n:,}" for n in (producer.files, producer.turns, producer.errors))
        rate = f"{1000 * producer.errors / producer.turns:.2f}" if producer.turns else "-"
        rows.add_row(name, *counts, rate)
    return rows


def _make_convention_table(tally: CheckTally) -> Table:
    """Return a table of writing conventions, such as marked hits, by program."""
    from bganalyze.app.render.console import make_table

    rows = make_table("producer", *_CONVENTIONS)
    for name, producer in sorted(tally.producers.items()):
        rows.add_row(name, *(_describe_use_of_convention(producer, word) for word in _CONVENTIONS))
    return rows


def _describe_use_of_convention(producer: Producer, convention: str) -> str:
    """Return words on whether a program's files follow a convention: `yes`, `no` or `3 of 5`."""
    files = producer.conventions[convention]
    if files in (0, producer.files):
        return "yes" if files else "no"
    return f"{files:,} of {producer.files:,}"
