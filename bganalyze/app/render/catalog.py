"""The catalog of rules and the lists of formats as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from textwrap import fill

from rich.table import Table
from rich.text import Text

from bganalyze.app.render.console import STYLES, as_string, table
from bganalyze.app.render.setting import OutputOptions
from bganalyze.record.grammar import descriptions
from bganalyze.record.reader import BinaryFormat, Format
from bganalyze.record.trees import LinePart
from bganalyze.validation.findings import FAMILIES
from bganalyze.validation.rules.catalog import Rule
from bganalyze.writing import Writer

_EASILY_READ = 80
"""Prose is not wider than this."""

_WIDEST = 100
"""Tables with prose in them are not wider than this, in a pipe either: it is folded."""

_HOW_TO_READ = (
    "Below are the Lark grammars of this format. A rule says, in order, what a part is made of:"
    " `a | b` is one of the two, `a?` may be missing, `a*` stands any number of times, `a+` at"
    " least once, `a~25` 25 times. Between slashes stands a regular expression."
)


def rule_table(rules: Iterable[Rule], setting: OutputOptions) -> str:
    """Return all rules in one table, each with the first sentence of its documentation."""
    rows = table("code", "name", "severity", "fires on")
    in_order = sorted(rules, key=lambda rule: rule.code[1:])
    for family, members in groupby(in_order, key=lambda rule: rule.code[:2]):
        rows.add_row()
        rows.add_row(f"{family}xx", Text(FAMILIES[family[0]], "bold"))
        for rule in members:
            severity = Text(rule.severity, STYLES[rule.severity])
            rows.add_row(rule.code, rule.name, severity, first_line(rule))
    return as_string(rows, setting)


def writer_table(writers: Mapping[str, Writer], setting: OutputOptions) -> str:
    """Return the formats that are written, with what they cannot say."""
    rows = table("format", "written", "extension", "what it cannot say")
    for name, writer in writers.items():
        rows.add_row(name, writer.description, writer.extension, writer.losses)
    return _folded(rows, setting)


def first_line(rule: Rule) -> str:
    """Return what a rule fires on, in a sentence."""
    return rule.doc.partition("\n")[0].rstrip(".")


def rule_page(rule: Rule, setting: OutputOptions) -> str:
    """Return the whole documentation of a rule."""
    heading = Text.assemble(
        (f"{rule.code} {rule.name}", "bold"), " (", (rule.severity, STYLES[rule.severity]), ")\n\n"
    )
    return as_string(heading.append(_filled(rule.doc, setting.width) + "\n"), setting)


def _filled(doc: str, width: int) -> str:
    """Fit the prose of a rule's documentation to the page, and leave its examples alone."""
    paragraphs = doc.strip().split("\n\n")
    room = min(width, _EASILY_READ)
    return "\n\n".join(
        text if "\n " in f"\n{text}" else fill(text, room, break_on_hyphens=False)
        for text in paragraphs
    )


def format_table(formats: Iterable[Format | BinaryFormat], setting: OutputOptions) -> str:
    """Return the formats that are read, with the programs known to write them."""
    rows = table("format", "what it is", "extensions", "written by", "known from")
    for entry in formats:
        extensions, dialects = " ".join(entry.extensions), ", ".join(entry.dialects)
        rows.add_row(entry.name, entry.description, extensions, dialects, entry.known_from)
    return _folded(rows, setting)


def _folded(rows: Table, setting: OutputOptions) -> str:
    return as_string(rows, setting._replace(width=min(setting.width, _WIDEST)))


def format_page(entry: Format | BinaryFormat, setting: OutputOptions) -> str:
    """Return what a format is, and the grammars of one that is text."""
    heading = Text.assemble((entry.name, "bold"), f": {entry.description}\n")
    facts = (
        f"  files      {' '.join(entry.extensions)}\n"
        f"  written by {fill(', '.join(entry.dialects), _EASILY_READ, subsequent_indent=' ' * 13)}\n"
        f"  known from {entry.known_from}\n"
    )
    page = as_string(heading.append(facts), setting)
    grammars = descriptions(entry.grammars if isinstance(entry, Format) else ())
    if grammars:
        page += f"{fill(_HOW_TO_READ, _EASILY_READ)}\n"
    for name, grammar in grammars.items():
        page += f"\n{as_string(Text(f'{name}.lark', 'bold'), setting)}\n{grammar}"
    return page


def line_parts(whole: LinePart) -> str:
    """Return what a line is made of, each part under the rule that it belongs to."""
    lines = list[str]()
    waiting = [(whole, 0)]
    while waiting:
        part, depth = waiting.pop()
        lines.append(f"{'  ' * depth}{part.name}  {part.text}".rstrip())
        waiting += [(inside, depth + 1) for inside in reversed(part.parts)]
    return "\n".join(lines) + "\n"
