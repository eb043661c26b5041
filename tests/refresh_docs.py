"""`python -m tests.refresh_docs`: write anew what the documentation takes from the program.

A generated part is between `<!-- begin NAME -->` and `<!-- end NAME -->` on any page; `PARTS` names
the function that makes it. tests/test_docs.py compares each part with what the program says now.
The schemas of JSON are written anew, too.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import chdir
from functools import partial
from itertools import groupby
from pathlib import Path
from pkgutil import resolve_name
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest.mock import patch

import typer
from typer.testing import CliRunner

from bganalyze.analysis.decision_kinds import KIND_WORDS, KINDS_IN
from bganalyze.analysis.error_rates import METRICS
from bganalyze.analysis.position_classes import PositionClass, define_class_of_side
from bganalyze.app.cli.app import GROUPS, app
from bganalyze.app.jobs.check import check_file
from bganalyze.app.render import FINDING_FORMATS as OUTPUTS
from bganalyze.app.render import get_finding_renderer
from bganalyze.app.render.findings.machine import KEYS
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.board.rule_book import (
    BASIC,
    CURRENT,
    EDITIONS,
    RULE_BOOKS,
    SWITCHES,
    RuleBook,
)
from bganalyze.files.reading import FileToRead, load_file
from bganalyze.record.cleaning import clean
from bganalyze.record.json import schema
from bganalyze.record.reader import KNOWN
from bganalyze.statistics.norms import read_shipped_norms
from bganalyze.statistics.reports import ANALYZED_REPORTS, REPORTS, load_report
from bganalyze.statistics.reports.question import DIMENSIONS
from bganalyze.statistics.tables.copies_table import SCHEMA as COPIES
from bganalyze.statistics.tables.decisions import ANALYZED_SCHEMAS
from bganalyze.statistics.tables.fragments import SCHEMAS
from bganalyze.statistics.tables.frames import SCHEMA as EXPORTED
from bganalyze.statistics.tables.schema import Column, Schema
from bganalyze.validation.findings import FAMILIES, Selection
from bganalyze.validation.rules import CATALOG
from bganalyze.validation.rules.catalog import Rule
from bganalyze.writing import WRITERS
from tests.json_docs import CALLS, JSON_SCHEMAS, example, keys_of, schema_text
from tests.json_schemas import schema_path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
README = ROOT / "README.md"
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
CHANGELOG = ROOT / "CHANGELOG.md"
PAGES = [README, CONTRIBUTING, CHANGELOG, *sorted(DOCS.rglob("*.md"))]
"""The pages of the documentation. Any of them may have generated parts."""

JSON_SCHEMA = ROOT / "bganalyze" / "writing" / "match.schema.json"

KINDS = {
    "count": "count",
    "share": "share, by match",
    "chance": "mean from 0 to 1, by match",
    "mean": "mean, by match",
    "trials": "share, Wilson",
    "contests": "share, Wilson",
    "per thousand": "per 1,000, by match",
    "rate": "mean from 0 on, by match",
}
"""Method by which the interval of each kind of figure is made."""

SESSION = "samples/faulty/P406-bar-first.mat"
"""The file of the README's terminal session, which is shown without its boards."""

BOARD_SESSION = "samples/faulty/P410-larger-die.mat"
"""The file whose finding is shown with its boards."""

TYPED_SESSION = "samples/faulty/P404-die-not-rolled.mat"
"""The file whose slip is repaired by choice."""

RULE_BOOK_COLUMNS: dict[str, tuple[str, dict[object, str]]] = {
    "who_decides": (
        "an illegal play that is noticed in time",
        {
            "both-must-act": "must be corrected",
            "opponent-must-decide": "the opponent must decide",
            "opponent-may": "the opponent may have it corrected",
            "either-may": "either player may call for its correction",
        },
    ),
    "stands_after": (
        "it stands after",
        {
            "roll": "the next roll",
            "roll-or-double": "the next roll or valid double",
            "play": "the next completed play",
        },
    ),
    "set_up_stands_after": (
        "a wrong set-up stands after",
        {
            "second-play": "the second play",
            "second-roll-played": "the play of the second roll",
            "starters-second-turn": "the start of the starter's second turn",
            "fifth-roll": "the fifth roll",
        },
    ),
    "left_over_cube": (
        "a cube left over",
        {None: "-", "always-corrected": "is always corrected"},
    ),
    "forbidden_cube": (
        "a forbidden double",
        {
            None: "-",
            "void": "is void",
            "annulled-until-recorded": "is annulled until the next game or the recorded result",
            "stand": "stands",
        },
    ),
    "dead_cube": (
        "a dead cube (C504)",
        {"allow": "may be turned", "prohibit": "may not be turned"},
    ),
    "long_match": (
        "a match played too far",
        {None: "-", "ends-at-length": "is won by who first reached its length"},
    ),
}
"""The words for switches of rule books; a switch without words is shown as in `bganalyze.toml`."""

WRITTEN = {"bgm", "levels", "queries"}
"""Parts that are marked for tests and benchmarks, and written by hand or by a benchmark."""

_PART = re.compile(
    r"(?P<begin><!-- begin (?P<name>[\w ]+) -->\n)(?P<body>.*?)(?P<end><!-- end (?P=name) -->\n)",
    re.DOTALL,
)


def session() -> str:
    """Return a console block with the output of `bganalyze check --no-board` about one file."""
    return f"```console\n$ bganalyze check {SESSION} --no-board\n{_check_for_terminal(SESSION, board=False)}\n```"


def board_session() -> str:
    """Return a console block with the output of `bganalyze check` about one file."""
    return f"```console\n$ bganalyze check {BOARD_SESSION}\n{_check_for_terminal(BOARD_SESSION, board=True)}\n```"


def _check_for_terminal(path: str, *, board: bool) -> str:
    """Return what `bganalyze check` writes on a terminal about a file, with or without boards."""
    text = load_file(FileToRead(str(ROOT / path), path))
    outcome = check_file(FileToRead(path, path, held=text), BASIC, Selection())
    options = OutputOptions(full=True, board=board)
    return "".join(get_finding_renderer("text")([outcome], options)).rstrip()


class Shown(NamedTuple):
    """A command in a session, and the part of its output that is shown."""

    call: str
    lines: slice = slice(None)
    width: int | None = None
    """Most characters of a line that are shown; None for all."""

    def run(self) -> str:
        """Run the command in the current folder; return it and its output, with `...` for lines left out."""
        output = CliRunner().invoke(app, shlex.split(self.call)).output.rstrip().splitlines()
        start, stop, _ = self.lines.indices(len(output))
        lines = [shorten_line(line, self.width) for line in output[start:stop]]
        shown = ["..."] * (start > 0) + lines + ["..."] * (stop < len(output))
        return "\n".join([f"$ bganalyze {self.call}", *shown])


def shorten_line(line: str, width: int | None) -> str:
    """Return a line cut after `width` characters, with ` ...` added if it was longer.

    >>> shorten_line("one two", 3), shorten_line("one", 3), shorten_line("one", None)
    ('one ...', 'one', 'one')
    """
    return line if width is None or len(line) <= width else f"{line[:width]} ..."


def show_session(*steps: Shown) -> str:
    """Return a console block with commands and their outputs.

    They are run one after another in a folder that holds the samples.
    """
    with TemporaryDirectory() as place, chdir(place):
        copytree(ROOT / "samples", "samples")
        with patch.dict(os.environ, BGANALYZE_CACHE_DIR=f"{place}/cache"):
            session = "\n".join(step.run() for step in steps)
    return f"```console\n{session}\n```"


EXPLAINED_KEYS = {
    "ok": "everything was read, and no error is left",
    "is_empty": "true: an archive without a match",
    "is_search_complete": "false: more proposals may exist",
    "unreadable": "path and reason of each",
    "skipped": "the same of members of an archive that are no match files",
    "matches": "players, length, winner …",
    "findings": "in the order of the file",
    "findings.path": "for repaired(number, path); in an archive name!member",
    "findings.place": "",
    "findings.line": "of a binary file (.xg): in its .bgm text",
    "findings.code": "explained by `bganalyze rule P410`",
    "findings.severity": "error, warning, info",
    "findings.message": "",
    "findings.standing": "too late to correct; open: still possible; corrected; null: not about a play",
    "findings.may_be_players": "",
    "findings.legal": "the nearest five of legal_count plays",
    "findings.excerpt": "",
    "findings.position": "before the play",
    "findings.board": "safe in HTML, or null; escape all other texts",
    "findings.proposals": "",
    "findings.proposals.number": "the first for error 1 of its file; 1.2 the second",
    "findings.proposals.message": "",
    "findings.proposals.edits": "if empty, it cannot be chosen (ValueError)",
    "findings.no_proposal_reason": "if an error has no proposal",
    "appearing": "errors that only appear after the first repairs; for information",
    "rule_book": "of `standing`; others by examine(…, rules=) or --rules",
}
"""The keys of an examination that the page for developers shows, each with a comment or none."""


def examination_object() -> str:
    """Return the main keys of an examination, with the value of each and a comment."""
    call = ["examine", BOARD_SESSION, "--name", "up.mat"]
    with chdir(ROOT):
        record = json.loads(CliRunner().invoke(app, call).stdout)
    return "\n".join(["```js", "{", *explain_json(record, EXPLAINED_KEYS), "}", "```"])


def explain_json(
    value: Mapping[str, Any], notes: Mapping[str, str], outer: str = "", indent: str = "  "
) -> Iterator[str]:
    """Yield a line for each key of an object that has a note, with the note as a comment.

    The keys inside a list of objects are noted as `list.key`; the first object is shown.

    >>> notes = {"a": "one", "b": "", "b.c": ""}
    >>> print("\\n".join(explain_json({"a": 1, "b": [{"c": "é"}, {}], "d": 2}, notes)))
      "a": 1,  // one
      "b": [{
        "c": "é",
      }, …],
    """
    for key in value:
        path = f"{outer}{key}"
        if path not in notes:
            continue
        comment = f"  // {notes[path]}" if notes[path] else ""
        if any(note.startswith(f"{path}.") for note in notes):
            first, *others = value[key]
            yield f'{indent}"{key}": [{{{comment}'
            yield from explain_json(first, notes, f"{path}.", f"{indent}  ")
            yield f"{indent}}}{', …' if others else ''}],"
        else:
            yield f'{indent}"{key}": {_shorten_json(value[key])},{comment}'


def _shorten_json(value: Any) -> str:
    """Return a value as JSON; `[ … ]` for a list of objects, and the start of a long text."""
    if isinstance(value, list) and any(isinstance(item, dict) for item in value):
        return "[ … ]"
    line = json.dumps(value, ensure_ascii=False)
    return line if len(line) <= 80 else f'{line[:5]} …"'


def commands() -> str:
    """Return the help of every command, by group."""
    group: Any = typer.main.get_command(app)
    return "\n\n".join(
        _document_command(group.get_command(None, name))
        for names in GROUPS.values()
        for name in names
    )


def _document_command(command: Any) -> str:
    """Return the help of a command as Markdown: usage, paragraphs and table of options."""
    paragraphs = map(_write_help_paragraph, command.help.replace("Example:\n\n", "").split("\n\n"))
    values = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option"]
    usage = " ".join(["bganalyze", command.name, *map(_name_argument, values), "[OPTIONS]"])
    rows = [f"| `{_name_argument(one)}` | {_escape_cell(one.help)} | |" for one in values]
    rows += [_write_option_row(one) for one in options]
    return "\n\n".join(
        [
            f"## {command.name}",
            f"`{usage}`",
            *paragraphs,
            "\n".join(["| | | default |", "|---|---|---|", *rows]),
        ]
    )


def _write_help_paragraph(paragraph: str) -> str:
    """Return a paragraph of a command's help as Markdown, an example as a code block."""
    if paragraph.startswith("\b\n"):
        lines = [line.removeprefix("    ") for line in paragraph.splitlines()[1:]]
        return "\n".join(["```sh", *lines, "```"])
    return " ".join(paragraph.split())


def _name_argument(argument: Any) -> str:
    """Return the name of an argument as in a usage line, in brackets if it is optional."""
    return argument.metavar if argument.required else f"[{argument.metavar}]"


def _write_option_row(option: Any) -> str:
    """Return the row of an option in the table of a command's options."""
    words = [*sorted(option.opts, key=len, reverse=True), *option.secondary_opts]
    spelled = ", ".join(f"`{word}`" for word in words)
    value = f" `{option.metavar}`" if option.metavar else ""
    return f"| {spelled}{value} | {_escape_cell(option.help)} | {_escape_cell(_describe_default(option))} |"


def _describe_default(option: Any) -> str:
    """Return the default of an option, or "" if it has none. That of `--workers` depends on the machine."""
    if option.name == "workers":
        return "one for each processor"
    if isinstance(option.show_default, str):
        return option.show_default
    return "" if option.default is None or option.is_flag else str(option.default)


def _escape_cell(text: str) -> str:
    """Return a text that is safe in a cell of a Markdown table.

    >>> _escape_cell("a | b, <br>")
    'a \\\\| b, \\\\<br>'
    """
    return re.sub(r"([|<*])", r"\\\1", text)


def rule_pages() -> str:
    """Return the documentation of every rule, by family."""
    in_order = sorted(CATALOG, key=lambda rule: rule.code[1:])
    families = groupby(in_order, key=lambda rule: rule.code[:2])
    return "\n\n".join(
        "\n\n".join([f"## {code}xx: {FAMILIES[code[0]]}", *map(_document_rule, members)])
        for code, members in families
    )


def _document_rule(rule: Rule) -> str:
    """Return the documentation of a rule as Markdown."""
    paragraphs = [
        text if is_example else _escape_prose(" ".join(text.split()))
        for text, is_example in rule.paragraphs
    ]
    return "\n\n".join([f"### {rule.code} {rule.name} ({rule.severity})", *paragraphs])


def _escape_prose(text: str) -> str:
    """Return a text in which Markdown's signs are escaped, except for code in backticks."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else _escape_cell(part) for part in parts)


def rules() -> str:
    """Return the families of rules, each with the number and the names of its rules."""
    rows = ["| codes | about | rules | |", "|---|---|---:|---|"]
    in_order = sorted(CATALOG, key=lambda rule: rule.code[1:])
    for family, members in groupby(in_order, key=lambda rule: rule.code[:2]):
        names = [rule.name for rule in members]
        rows.append(f"| {family}xx | {FAMILIES[family[0]]} | {len(names)} | {', '.join(names)} |")
    return "\n".join([*rows, f"| | together | {len(CATALOG)} | |"])


def rule_book_table(rule_books: Iterable[RuleBook]) -> str:
    """Return what rule books say, with a column for each switch that one of them sets."""
    books = list(rule_books)
    columns = [
        field
        for field in (key.replace("-", "_") for key in SWITCHES)
        if any(getattr(book, field) != getattr(BASIC, field) for book in books)
    ]
    return "\n".join(
        [
            f"| rule book | {' | '.join(map(_name_switch, columns))} |",
            f"|{'---|' * (len(columns) + 1)}",
            *(_write_rule_book_row(book, columns) for book in books),
        ]
    )


def _write_rule_book_row(book: RuleBook, columns: Iterable[str]) -> str:
    """Return the row of a rule book in the table of books."""
    default = " (default)" if book.name == BASIC.name else ""
    cells = " | ".join(_write_rule_book_cell(book, field) for field in columns)
    return f"| `{book.name}`{default} | {cells} |"


def _write_rule_book_cell(book: RuleBook, field: str) -> str:
    """Return a rule book's value of a switch, marked if it is only quoted or if the book is silent."""
    words = _describe_switch(field, getattr(book, field))
    if book == BASIC:
        return words
    clause = book.deciding_clause(field)
    if clause is not None:
        return f"{words} (quoted)" if clause.known == "quoted" else words
    return f"*{words}*" if book.is_silent_on(field) and words != "-" else words


def rule_book_editions() -> str:
    """Return the rule books with their editions and dates, and the names for current ones."""
    names = {edition: name for name, edition in CURRENT.items()}
    rows = ["| rule book | also | body and edition | date |", "|---|---|---|---|"]
    for name in EDITIONS:
        book = RULE_BOOKS[name]
        also = f"`{names[name]}`" if name in names else ""
        date = book.date or "not known"
        rows.append(f"| `{name}` | {also} | {book.body}: {book.edition} | {date} |")
    return "\n".join(rows)


def _describe_switch(field: str, value: object) -> str:
    """Return the value of a switch of a rule book in words."""
    words = RULE_BOOK_COLUMNS[field][1] if field in RULE_BOOK_COLUMNS else {}
    written = "as recorded" if value is None else f"`{str(value).lower()}`"
    return words.get(value, written)


def _name_switch(field: str) -> str:
    """Return the heading of the column for a switch of rule books."""
    return (
        RULE_BOOK_COLUMNS[field][0]
        if field in RULE_BOOK_COLUMNS
        else f"`{field.replace('_', '-')}`"
    )


def dialects() -> str:
    """Return the table of formats that are read, with the programs that write them."""
    rows = ["| format | what it is | files | written by | known from |", "|---|---|---|---|---|"]
    rows += [
        f"| `{entry.name}` | {_escape_prose(entry.description)} | {' '.join(entry.extensions)} "
        f"| {', '.join(entry.dialects)} | {entry.known_from} |"
        for entry in KNOWN
    ]
    return "\n".join(rows)


CLEANED = (
    ("^Yield replacements of", "replaces"),
    (r"^Yield replacements that (\w+)", r"\1s"),
)
"""Beginnings of docstrings of cleanings, and how a table of what they do begins instead."""


def cleanings() -> str:
    """Return the table of cleaning steps, in the order in which they are applied to a text."""
    kinds = {"any text": clean.CHARACTERS, "web pages": clean.PAGES, "match text": clean.ROWS}
    rows = ["| what is replaced | where | what is done |", "|---|---|---|"]
    rows += [
        f"| {cleaning.name} | {where} | {_describe_cleaning(cleaning.find)} |"
        for where, several in kinds.items()
        for cleaning in several
    ]
    return "\n".join(rows)


def _describe_cleaning(find: object) -> str:
    """Return what a cleaning does, from the first line of the docstring of its function."""
    words = _take_first_line(find).removesuffix(".")
    for yielded, done in CLEANED:
        words = re.sub(yielded, done, words)
    return words


def writers() -> str:
    """Return the table of formats that are written."""
    rows = ["| `--to` | | what it cannot say |", "|---|---|---|"]
    rows += [
        f"| `{name}` | {writer.description} (`{writer.extension}`) | {writer.losses} |"
        for name, writer in WRITERS.items()
    ]
    return "\n".join(rows)


def outputs() -> str:
    """Return the table of output formats, described by the docstrings of their functions."""
    rows = ["| `--format` | |", "|---|---|"]
    rows += [
        f"| `{name}` | {_take_first_line(resolve_name(made_by))} |"
        for name, made_by in OUTPUTS.items()
    ]
    return "\n".join(rows)


def _take_first_line(documented: object) -> str:
    """Return the first line of the docstring of an object."""
    return (documented.__doc__ or "").partition("\n")[0]


def keys() -> str:
    """Return the keys of a finding in the machine-readable formats."""
    return ", ".join(f"`{key}`" for key in KEYS) + "."


def tables() -> str:
    """Return the columns of every table: the data dictionary."""
    return "\n\n".join(map(_document_table, (*SCHEMAS, COPIES)))


def _document_table(schema: Schema, marks: str = "##") -> str:
    """Return the columns of a table as Markdown, below a heading marked by `marks`."""
    key = ", ".join(f"`{name}`" for name in schema.key)
    rows = [f"{marks} {schema.name}", "", f"{schema.about} Key: {key}.", ""]
    rows += ["| column | type | meaning |", "|---|---|---|"]
    rows += [
        f"| `{column.name}` | {column.dtype} | {_describe_column(column)} |"
        for column in schema.columns
    ]
    return "\n".join(rows)


def _describe_column(column: Column) -> str:
    """Return the meaning of a column, with the values it can have and its group."""
    parts = [column.meaning]
    if column.choices:
        parts.append(f"One of {', '.join(f'`{choice}`' for choice in column.choices)}.")
    if column.group:
        parts.append(f"Group `{column.group}`.")
    return " ".join(parts)


def metrics() -> str:
    """Return the table of error rates that `analyze` shows."""
    rows = ["| `--metric` | in | |", "|---|---|---|"]
    rows += [f"| `{metric.name}` | {metric.unit} | {metric.about} |" for metric in METRICS]
    return "\n".join(rows)


def report_names() -> str:
    """Return the reports of `stats` with their subjects."""
    return _list_reports(REPORTS)


def analyzed_report_names() -> str:
    """Return the reports of analyzed matches with their subjects."""
    return _list_reports(ANALYZED_REPORTS)


def _list_reports(names: Iterable[str]) -> str:
    """Return a list of reports with their subjects."""
    return "\n".join(f"- `{name}`: {_find_subject(name)}" for name in names)


def _find_subject(name: str) -> str:
    """Return the subject of a report: the first line of its text, without the title before it."""
    return load_report(name).about.partition("\n")[0].partition(": ")[2]


def dimensions() -> str:
    """Return the table of dimensions by which figures can be split."""
    return "\n".join(f"- `{name}`: {meaning}" for name, meaning in DIMENSIONS.items())


def decision_kinds() -> str:
    """Return the kinds of decision: the decisions that count, and the error of each."""
    rows = ["| kind | counted | error | |", "|---|---|---|---|"]
    rows += [
        f"| {kind} | {words.counted} | {words.error} | {words.meaning} |"
        for kind, words in KIND_WORDS.items()
    ]
    return "\n".join(rows)


def position_classes() -> str:
    """Return the classes of positions with their definitions."""
    rows = [f"| {kind} | {define_class_of_side(kind)} |" for kind in PositionClass]
    return "\n".join(["| class | |", "|---|---|", *rows])


def norms() -> str:
    """Return the norms of the program: rates with intervals, and their source."""
    table = read_shipped_norms()
    groups = list(dict.fromkeys(norm.group for norm in table.norms))
    rows = [f"| kind of decision | {' | '.join(groups)} |", "|---" * (len(groups) + 1) + "|"]
    for kind in KINDS_IN:
        found = (table.find(kind, group) for group in groups)
        cells = (
            f"{norm.rate:.1f} ({norm.low:.1f} to {norm.high:.1f}), {norm.decisions:,} decisions"
            for norm in found
            if norm
        )
        rows.append(f"| {kind} | {' | '.join(cells)} |")
    about = f"Source: {table.source}. License: {table.license}. Analyzed by {table.engine}."
    return "\n".join([*rows, "", about])


def analyzed_tables() -> str:
    """Return the columns of the tables of analyzed matches."""
    return "\n\n".join(_document_table(schema, "###") for schema in ANALYZED_SCHEMAS)


def reports() -> str:
    """Return every figure of every report, with its meaning."""
    return "\n\n".join(map(_document_report, REPORTS))


def analyzed_reports() -> str:
    """Return every figure of every report of analyzed matches, with its meaning."""
    return "\n\n".join(map(_document_report, ANALYZED_REPORTS))


def _document_report(name: str) -> str:
    """Return the text of a report and the table of its figures."""
    described = load_report(name)
    rows = [
        f"| {title} | {figure.name} | {figure.meaning} | {KINDS[figure.kind]} |"
        for title, figures in described.sections.items()
        for figure in figures
    ]
    headings = ["", "| section | figure | what it is | |", "|---|---|---|---|"] if rows else []
    return "\n".join([f"## {name}", "", described.about, *headings, *rows])


def exported() -> str:
    """Return the table of columns of exported decisions."""
    return _document_table(EXPORTED, "###")


def modules() -> str:
    """Return the layers and their modules, described by their docstrings, and the grammars and scripts."""
    grammars = [
        f"  {path.name:<26}{_take_first_sentence(path.read_text(encoding='utf-8'))}"
        for path in sorted((ROOT / "grammars").glob("*.lark"))
    ]
    scripts = [
        f"  {path.name:<26}{_take_first_sentence(path.read_text(encoding='utf-8'))}"
        for path in sorted((ROOT / "web").glob("*.js"))
    ]
    web = ["web/", *scripts]
    return "\n".join(
        ("```", "grammars/", *grammars, *web, *_list_modules(ROOT / "bganalyze"), "```")
    )


def _take_first_sentence(grammar: str) -> str:
    """Return the first sentence of the comment at the beginning of a file."""
    comment = grammar.partition("\n\n")[0].replace("\n//", "").removeprefix("// ")
    return re.split(r"[.:;](?:\s|$)", comment)[0] + "."


def _list_modules(folder: Path, indent: str = "") -> Iterator[str]:
    """Yield a line for a package, each of its modules and its subpackages, with their docstrings."""
    yield _describe_module(f"{indent}{folder.name}/", folder / "__init__.py")
    for path in sorted(folder.glob("*.py")):
        if path.name != "__init__.py":
            yield _describe_module(f"{indent}  {path.name}", path)
    for inner in sorted(path.parent for path in folder.glob("*/__init__.py")):
        yield from _list_modules(inner, f"{indent}  ")


def _describe_module(name: str, path: Path) -> str:
    """Return a name with the first line of the docstring of its file."""
    about = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return f"{name:<28}{about.partition(chr(10))[0]}"


PARTS: dict[str, Callable[[], str]] = {
    "reports": reports,
    "analyzed reports": analyzed_reports,
    "report names": report_names,
    "analyzed report names": analyzed_report_names,
    "dimensions": dimensions,
    "session": session,
    "board session": board_session,
    "director session": partial(
        show_session, Shown(f"check {SESSION} --rules wbf", slice(None, -2))
    ),
    "transcriber session": partial(
        show_session,
        Shown(f"repair {TYPED_SESSION} --quiet", slice(3), width=96),
        Shown(f"repair {TYPED_SESSION} --choose 1 --write --out fixed.mat", slice(-3, -2)),
        Shown("convert fixed.mat for-xg.txt --to xg-text --no-prose"),
        Shown("convert fixed.mat clean.mat --no-prose"),
        Shown("check clean.mat --html page.html", slice(0)),
    ),
    "archive session": partial(
        show_session,
        Shown("collect samples/clean/ samples/faulty/P406-bar-first.mat --store club", slice(3)),
    ),
    "developer object": examination_object,
    "repair": partial(show_session, Shown("repair samples/faulty/T120-score-line-lost.mat")),
    "commands": commands,
    "rules": rules,
    "rule pages": rule_pages,
    "rule books": partial(rule_book_table, map(RULE_BOOKS.__getitem__, EDITIONS)),
    "editions": rule_book_editions,
    "outputs": outputs,
    "keys": keys,
    "dialects": dialects,
    "cleanings": cleanings,
    "writers": writers,
    "metrics": metrics,
    "decision kinds": decision_kinds,
    "position classes": position_classes,
    "norms": norms,
    "tables": tables,
    "analyzed tables": analyzed_tables,
    "exported": exported,
    "modules": modules,
    **{f"{name} example": partial(example, name) for name in CALLS},
    **{f"{name} keys": partial(keys_of, name) for name in JSON_SCHEMAS},
}
"""Parts of the documentation generated from the program, each on one page."""


def part_names(page: Path) -> list[str]:
    """Return the names of the marked parts on a page."""
    return [found["name"] for found in _PART.finditer(page.read_text(encoding="utf-8"))]


def read_marked(name: str) -> str:
    """Return the text of the marked part with a name, from the page that has it."""
    (body,) = (
        found["body"]
        for page in PAGES
        for found in _PART.finditer(page.read_text(encoding="utf-8"))
        if found["name"] == name
    )
    return body


def replace_parts(text: str, makers: Mapping[str, Callable[[], str]]) -> str:
    """Return the text of a page, with each marked part that has a function in `makers` made anew."""

    def remade(found: re.Match[str]) -> str:
        make = makers.get(found["name"])
        return found[0] if make is None else f"{found['begin']}{make()}\n{found['end']}"

    return _PART.sub(remade, text)


def refresh_page(page: Path) -> str:
    """Return the text of a page with all its generated parts made anew."""
    return replace_parts(page.read_text(encoding="utf-8"), PARTS)


def json_schema() -> str:
    """Return the JSON schema of the program's JSON files of matches."""
    return json.dumps(schema(), indent=1) + "\n"


if __name__ == "__main__":
    JSON_SCHEMA.write_text(json_schema(), encoding="utf-8")
    for name in JSON_SCHEMAS:
        schema_path(name).write_text(schema_text(name), encoding="utf-8")
    for page in PAGES:
        page.write_text(refresh_page(page), encoding="utf-8")
