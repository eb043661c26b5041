"""`python -m tests.refresh_docs`: write anew what the documentation takes from the program.

Such a part stands between `<!-- begin NAME -->` and `<!-- end NAME -->`; `PARTS` says who makes it.
tests/test_docs.py fails where a part is not what the program says now. The schemas of JSON
are written anew, too.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby
from pathlib import Path
from pkgutil import resolve_name

from bganalyze.analysis.metrics import METRICS
from bganalyze.app.jobs.check import check_item
from bganalyze.app.jobs.repair import diagnose
from bganalyze.app.render import FINDING_FORMATS as OUTPUTS
from bganalyze.app.render import finding_renderer
from bganalyze.app.render.findings.machine import KEYS
from bganalyze.app.render.proposals import render_text
from bganalyze.app.render.setting import OutputOptions
from bganalyze.board.rule_book import BASIC, RULE_BOOKS, RuleBook
from bganalyze.files.reading import Item, load
from bganalyze.record.json import schema
from bganalyze.record.reader import KNOWN
from bganalyze.statistics.reports import ANALYZED_REPORTS, REPORTS, report
from bganalyze.statistics.reports.question import DIMENSIONS
from bganalyze.statistics.tables.decisions import ANALYZED_SCHEMAS
from bganalyze.statistics.tables.fragments import SCHEMAS
from bganalyze.statistics.tables.frames import SCHEMA as EXPORTED
from bganalyze.statistics.tables.schema import Column, Schema
from bganalyze.validation.findings import FAMILIES, Selection
from bganalyze.validation.rules import CATALOG
from bganalyze.writing import WRITERS
from tests.json_docs import CALLS, JSON_SCHEMAS, example, keys_of, schema_text
from tests.json_schemas import schema_path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
DICTIONARY = ROOT / "docs" / "tables.md"
FIGURES = ROOT / "docs" / "reports.md"
JSON_PAGE = ROOT / "docs" / "json.md"
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
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
"""How the interval of each kind of figure is made."""

SESSION = "samples/faulty/P410-larger-die.mat"
"""The file of the README's terminal session."""

REPAIR_SESSION = "samples/faulty/T120-score-line-lost.mat"
"""The file that the README shows the repair of."""

RULE_BOOK_COLUMNS: dict[str, tuple[str, dict[object, str]]] = {
    "moves_policy": (
        "an illegal play that is noticed in time",
        {"responsible": "either player may call for its correction", "legal": "must be corrected"},
    ),
    "dead_cube": (
        "a dead cube (C504)",
        {"allow": "may be turned", "prohibit": "may not be turned"},
    ),
}
"""The words for switches of rule books; a switch without words is shown as in `bganalyze.toml`."""

_MARK = "<!-- {end} {name} -->\n"


def session() -> str:
    """What `bganalyze check` writes on a terminal about one file."""
    item = Item(SESSION, SESSION)
    text = load(Item(str(ROOT / SESSION), SESSION))
    outcome = check_item(item._replace(held=text), BASIC, Selection())
    output = "".join(finding_renderer("text")([outcome], OutputOptions(full=True)))
    return f"```console\n$ bganalyze check {SESSION}\n{output.rstrip()}\n```"


def repair() -> str:
    """What `bganalyze repair` writes about one file."""
    text = load(Item(str(ROOT / REPAIR_SESSION), REPAIR_SESSION))
    diagnosed = diagnose(Item(REPAIR_SESSION, REPAIR_SESSION, held=text), BASIC)
    output = "".join(render_text([diagnosed], OutputOptions()))
    return f"```console\n$ bganalyze repair {REPAIR_SESSION}\n{output.rstrip()}\n```"


def rules() -> str:
    """The families of rules, each with the number and the names of its rules."""
    rows = ["| codes | about | rules | |", "|---|---|---:|---|"]
    in_order = sorted(CATALOG, key=lambda rule: rule.code[1:])
    for family, members in groupby(in_order, key=lambda rule: rule.code[:2]):
        names = [rule.name for rule in members]
        rows.append(f"| {family}xx | {FAMILIES[family[0]]} | {len(names)} | {', '.join(names)} |")
    return "\n".join([*rows, f"| | together | {len(CATALOG)} | |"])


def rule_book_table(rule_books: Iterable[RuleBook]) -> str:
    """Return what rule books say, with a column for each switch that one of them sets."""
    rows = [rule_book._asdict() for rule_book in rule_books]
    columns = [
        field
        for field, value in BASIC._asdict().items()
        if field != "name" and any(row[field] != value for row in rows)
    ]
    return "\n".join(
        [
            f"| rule book | {' | '.join(map(_heading, columns))} |",
            f"|{'---|' * (len(columns) + 1)}",
            *(_rule_book_row(row, columns) for row in rows),
        ]
    )


def _rule_book_row(row: Mapping[str, object], columns: Iterable[str]) -> str:
    default = " (default)" if row["name"] == BASIC.name else ""
    return f"| `{row['name']}`{default} | {' | '.join(_switch(key, row[key]) for key in columns)} |"


def _switch(field: str, value: object) -> str:
    words = RULE_BOOK_COLUMNS[field][1] if field in RULE_BOOK_COLUMNS else {}
    written = "as recorded" if value is None else f"`{str(value).lower()}`"
    return words.get(value, written)


def _heading(field: str) -> str:
    return (
        RULE_BOOK_COLUMNS[field][0]
        if field in RULE_BOOK_COLUMNS
        else f"`{field.replace('_', '-')}`"
    )


def dialects() -> str:
    """The formats that are read, with the programs that write them."""
    return "\n".join(
        f"- `{entry.name}`, {entry.description}, as written by {', '.join(entry.dialects)}; known from {entry.known_from}."
        for entry in KNOWN
    )


def writers() -> str:
    """The formats that are written."""
    rows = ["| `--to` | | what it cannot say |", "|---|---|---|"]
    rows += [
        f"| `{name}` | {writer.description} (`{writer.extension}`) | {writer.losses} |"
        for name, writer in WRITERS.items()
    ]
    return "\n".join(rows)


def outputs() -> str:
    """The output formats, in the words of the functions that write them."""
    rows = ["| `--format` | |", "|---|---|"]
    rows += [
        f"| `{name}` | {_first_line(resolve_name(made_by))} |" for name, made_by in OUTPUTS.items()
    ]
    return "\n".join(rows)


def _first_line(documented: object) -> str:
    return (documented.__doc__ or "").partition("\n")[0]


def keys() -> str:
    """The keys of a finding in the machine-readable formats."""
    return ", ".join(f"`{key}`" for key in KEYS) + "."


def tables() -> str:
    """The columns of every table: the data dictionary."""
    return "\n\n".join(map(_table, SCHEMAS))


def _table(schema: Schema, marks: str = "##") -> str:
    key = ", ".join(f"`{name}`" for name in schema.key)
    rows = [f"{marks} {schema.name}", "", f"{schema.about} Key: {key}.", ""]
    rows += ["| column | type | meaning |", "|---|---|---|"]
    rows += [
        f"| `{column.name}` | {column.dtype} | {_meaning(column)} |" for column in schema.columns
    ]
    return "\n".join(rows)


def _meaning(column: Column) -> str:
    parts = [column.meaning]
    if column.choices:
        parts.append(f"One of {', '.join(f'`{choice}`' for choice in column.choices)}.")
    if column.group:
        parts.append(f"Group `{column.group}`.")
    return " ".join(parts)


def metrics() -> str:
    """The error rates that `analyze` shows, in the words of their modules."""
    rows = ["| `--metric` | in | |", "|---|---|---|"]
    rows += [f"| `{metric.name}` | {metric.unit} | {metric.about} |" for metric in METRICS]
    return "\n".join(rows)


def report_names() -> str:
    """The reports of `stats`, each with what it is about."""
    return _names_of(REPORTS)


def analyzed_report_names() -> str:
    """The reports of analyzed matches, in the same way."""
    return _names_of(ANALYZED_REPORTS)


def _names_of(names: Iterable[str]) -> str:
    return "\n".join(f"- `{name}`: {_about(name)}" for name in names)


def _about(name: str) -> str:
    """The first line of a report's text, without the title before it."""
    return report(name).about.partition("\n")[0].partition(": ")[2]


def dimensions() -> str:
    """What figures may be told apart by."""
    return "\n".join(f"- `{name}`: {meaning}" for name, meaning in DIMENSIONS.items())


PARTS: dict[str, Callable[[], str]] = {
    "reports": report_names,
    "analyzed reports": analyzed_report_names,
    "dimensions": dimensions,
    "session": session,
    "repair": repair,
    "rules": rules,
    "rule_books": partial(rule_book_table, RULE_BOOKS.values()),
    "outputs": outputs,
    "keys": keys,
    "dialects": dialects,
    "writers": writers,
    "metrics": metrics,
}


def analyzed_tables() -> str:
    """The columns of the tables of analyzed matches."""
    return "\n\n".join(_table(schema, "###") for schema in ANALYZED_SCHEMAS)


def reports() -> str:
    """Every figure of every report, with what it means."""
    return "\n\n".join(map(_report, REPORTS))


def analyzed_reports() -> str:
    """The same of the reports of analyzed matches."""
    return "\n\n".join(map(_report, ANALYZED_REPORTS))


def _report(name: str) -> str:
    described = report(name)
    rows = [
        f"| {title} | {figure.name} | {figure.meaning} | {KINDS[figure.kind]} |"
        for title, figures in described.sections.items()
        for figure in figures
    ]
    headings = ["", "| section | figure | what it is | |", "|---|---|---|---|"] if rows else []
    return "\n".join([f"## {name}", "", described.about, *headings, *rows])


def exported() -> str:
    """The columns of exported decisions."""
    return _table(EXPORTED, "###")


DICTIONARY_PARTS: dict[str, Callable[[], str]] = {
    "tables": tables,
    "analyzed tables": analyzed_tables,
    "exported": exported,
}
FIGURE_PARTS: dict[str, Callable[[], str]] = {
    "reports": reports,
    "analyzed reports": analyzed_reports,
}


def modules() -> str:
    """The rooms and their modules, in the words of their docstrings; grammars and scripts in theirs."""
    grammars = [
        f"  {path.name:<26}{_first_sentence(path.read_text(encoding='utf-8'))}"
        for path in sorted((ROOT / "grammars").glob("*.lark"))
    ]
    scripts = [
        f"  {path.name:<26}{_first_sentence(path.read_text(encoding='utf-8'))}"
        for path in sorted((ROOT / "web").glob("*.js"))
    ]
    web = ["web/", *scripts]
    return "\n".join(("```", "grammars/", *grammars, *web, *_folder(ROOT / "bganalyze"), "```"))


def _first_sentence(grammar: str) -> str:
    comment = grammar.partition("\n\n")[0].replace("\n//", "").removeprefix("// ")
    return re.split(r"[.:;](?:\s|$)", comment)[0] + "."


def _folder(folder: Path, indent: str = "") -> Iterator[str]:
    yield _with_words(f"{indent}{folder.name}/", folder / "__init__.py")
    for path in sorted(folder.glob("*.py")):
        if path.name != "__init__.py":
            yield _with_words(f"{indent}  {path.name}", path)
    for inner in sorted(path.parent for path in folder.glob("*/__init__.py")):
        yield from _folder(inner, f"{indent}  ")


def _with_words(name: str, path: Path) -> str:
    about = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return f"{name:<28}{about.partition(chr(10))[0]}"


JSON_PARTS: dict[str, Callable[[], str]] = {
    **{f"{name} example": partial(example, name) for name in CALLS},
    **{f"{name} keys": partial(keys_of, name) for name in JSON_SCHEMAS},
}

PAGES = {
    CONTRIBUTING: {"modules": modules},
    README: PARTS,
    DICTIONARY: DICTIONARY_PARTS,
    FIGURES: FIGURE_PARTS,
    JSON_PAGE: JSON_PARTS,
}
"""The pages with such parts."""


def refreshed(page: Path) -> str:
    """Return the text of a page with every part as the program says it now."""
    text = page.read_text(encoding="utf-8")
    for name, make in PAGES[page].items():
        first, last = (_MARK.format(end=end, name=name) for end in ("begin", "end"))
        before, _, tail = text.partition(first)
        _, found, after = tail.partition(last)
        assert found, f"{page.name} has no part called {name}"
        text = f"{before}{first}{make()}\n{last}{after}"
    return text


def json_schema() -> str:
    """Return the schema of the model as JSON, as the program reads it now."""
    return json.dumps(schema(), indent=1) + "\n"


if __name__ == "__main__":
    JSON_SCHEMA.write_text(json_schema(), encoding="utf-8")
    for name in JSON_SCHEMAS:
        schema_path(name).write_text(schema_text(name), encoding="utf-8")
    for page in PAGES:
        page.write_text(refreshed(page), encoding="utf-8")
