"""The catalog of rules and the lists of formats as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from textwrap import fill

from rich.table import Table
from rich.text import Text

from bganalyze.app.config import rule_book_title
from bganalyze.app.render.console import STYLES, make_table, render_to_string
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.board.rule_book import RuleBook
from bganalyze.board.rule_text import Clause, Known
from bganalyze.record.grammar import collect_grammars_for_readers
from bganalyze.record.line_tree import LinePart
from bganalyze.record.reader import BinaryFormat, Format
from bganalyze.text import capitalize_first
from bganalyze.validation.findings import FAMILIES
from bganalyze.validation.rules.catalog import Rule
from bganalyze.validation.rules.ruling import describe_rule
from bganalyze.writing import Writer

_EASILY_READ = 80
"""Greatest width of prose, in characters."""

_WIDEST = 100
"""Greatest width of tables with prose, in characters; in a pipe too."""

_HOW_TO_READ = (
    "Below are the Lark grammars of this format. A rule lists the parts of a text in order:"
    " `a | b` is one of the two, `a?` may be missing, `a*` occurs any number of times, `a+` at"
    " least once, `a~25` 25 times. A text between slashes is a regular expression."
)


def tabulate_rules(rules: Iterable[Rule], setting: OutputOptions) -> str:
    """Return a table of rules, each with the first sentence of its documentation."""
    rows = make_table("code", "name", "severity", "fires on")
    in_order = sorted(rules, key=lambda rule: rule.code[1:])
    for family, members in groupby(in_order, key=lambda rule: rule.code[:2]):
        rows.add_row()
        rows.add_row(f"{family}xx", Text(FAMILIES[family[0]], "bold"))
        for rule in members:
            severity = Text(rule.severity, STYLES[rule.severity])
            rows.add_row(rule.code, rule.name, severity, summarize_rule(rule))
    return render_to_string(rows, setting)


def tabulate_writers(writers: Mapping[str, Writer], setting: OutputOptions) -> str:
    """Return a table of the formats that can be written, with the information that each loses."""
    rows = make_table("format", "written", "extension", "what is lost")
    for name, writer in writers.items():
        rows.add_row(name, writer.description, writer.extension, writer.losses)
    return _render_folded(rows, setting)


def summarize_rule(rule: Rule) -> str:
    """Return the first line of a rule's documentation."""
    return rule.doc.partition("\n")[0].rstrip(".")


def rule_page(rule: Rule, setting: OutputOptions) -> str:
    """Return the whole documentation of a rule as text."""
    heading = Text.assemble(
        (f"{rule.code} {rule.name}", "bold"), " (", (rule.severity, STYLES[rule.severity]), ")\n\n"
    )
    return render_to_string(heading.append(_fold_rule_prose(rule, setting.width) + "\n"), setting)


def describe_rule_in_book(rule: Rule, rule_book: RuleBook, setting: OutputOptions) -> str:
    """Return text on how a rule book treats a rule, with the clauses of the book behind it."""
    described = describe_rule(rule.code, rule.name, rule_book)
    width = min(setting.width, _EASILY_READ)
    heading = Text.assemble(("Rule book: ", "bold"), f"{rule_book_title(rule_book)}\n")
    verdict = fill(capitalize_first(described.verdict), width)
    clauses = (
        fill(_describe_clause(clause), width, initial_indent="- ", subsequent_indent="  ")
        for clause in described.clauses
    )
    return render_to_string(heading.append("\n".join((f"{verdict}.", *clauses)) + "\n"), setting)


def _describe_clause(clause: Clause) -> str:
    """Return a clause of a rule book as text, with number and source: `4.2 (read): …`.

    `(read)` means that the clause was read in the book itself.
    """
    choice = ", if the organizer chooses it" if clause.optional else ""
    mark = " (read)" if clause.known is Known.READ else ""
    return f"{clause.name}{mark}{choice}: {clause.words}"


def _fold_rule_prose(rule: Rule, width: int) -> str:
    """Return a rule's documentation with its prose folded to `width`, its examples unchanged."""
    prose_width = min(width, _EASILY_READ)
    return "\n\n".join(
        text if is_example else fill(text, prose_width, break_on_hyphens=False)
        for text, is_example in rule.paragraphs
    )


def tabulate_formats(formats: Iterable[Format | BinaryFormat], setting: OutputOptions) -> str:
    """Return a table of the formats that can be read, with the programs that write them."""
    rows = make_table("format", "what it is", "extensions", "written by", "known from")
    for entry in formats:
        extensions, dialects = " ".join(entry.extensions), ", ".join(entry.dialects)
        rows.add_row(entry.name, entry.description, extensions, dialects, entry.known_from)
    return _render_folded(rows, setting)


def _render_folded(table: Table, setting: OutputOptions) -> str:
    """Return a table as text, at most `_WIDEST` characters wide."""
    return render_to_string(table, setting._replace(width=min(setting.width, _WIDEST)))


def describe_format(entry: Format | BinaryFormat, setting: OutputOptions) -> str:
    """Return the description of a format, and the grammars of a text format."""
    heading = Text.assemble((entry.name, "bold"), f": {entry.description}\n")
    facts = (
        f"  files      {' '.join(entry.extensions)}\n"
        f"  written by {fill(', '.join(entry.dialects), _EASILY_READ, subsequent_indent=' ' * 13)}\n"
        f"  known from {entry.known_from}\n"
    )
    page = render_to_string(heading.append(facts), setting)
    grammars = collect_grammars_for_readers(entry.grammars if isinstance(entry, Format) else ())
    if grammars:
        page += f"{fill(_HOW_TO_READ, _EASILY_READ)}\n"
    for name, grammar in grammars.items():
        page += f"\n{render_to_string(Text(f'{name}.lark', 'bold'), setting)}\n{grammar}"
    return page


def draw_line_tree(whole: LinePart) -> str:
    """Return a parsed line of a match file as an indented tree."""
    lines = list[str]()
    waiting = [(whole, 0)]
    while waiting:
        part, depth = waiting.pop()
        lines.append(f"{'  ' * depth}{part.name}  {part.text}".rstrip())
        waiting += [(inside, depth + 1) for inside in reversed(part.parts)]
    return "\n".join(lines) + "\n"
