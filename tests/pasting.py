"""Changes that mail, web pages, word processors and editors make to a transcript: one function each.

`python -m tests.benchmarks.pasted_text` measures what is read of real files after each of them.
"""

from __future__ import annotations

import json
import quopri
import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterator

Form = Callable[[str], str]

NBSP, ZERO_WIDTH, ARROW = "\u00a0", "\u200b", "\u21d2"
_CLOSED = re.compile(r"([0-9]{2}:)[ ]{3,}(?=Doubles)")


def _every_blank(text: str) -> str:
    return text.replace(" ", NBSP)


def _pairs(text: str) -> str:
    return text.replace("  ", f" {NBSP}")


def _runs(text: str) -> str:
    return re.sub(" {2,}", lambda run: NBSP * len(run.group()), text)


def _tabs(text: str) -> str:
    return "\n".join(_unexpand(line, 8) for line in text.split("\n"))


def _tabs_of_4(text: str) -> str:
    return "\n".join(_unexpand(line, 4) for line in text.split("\n"))


def _unexpand(line: str, width: int) -> str:
    """Replace runs of two blanks or more before a tab stop by a tab, as `unexpand -a` does."""
    parts = [line[at : at + width] for at in range(0, len(line), width)]
    return "".join(
        part.rstrip(" ") + "\t" if len(part) == width and part.endswith("  ") else part
        for part in parts
    )


def _leading_tabs(text: str) -> str:
    return "\n".join(
        "\t" * ((len(line) - len(line.lstrip(" "))) // 8)
        + " " * ((len(line) - len(line.lstrip(" "))) % 8)
        + line.lstrip(" ")
        for line in text.split("\n")
    )


def _collapsed(text: str) -> str:
    return "\n".join(" ".join(line.split()) for line in text.split("\n"))


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() if line else ">" for line in text.split("\n"))


def _quoted_twice(text: str) -> str:
    return _quoted(_quoted(text))


def _answered(text: str) -> str:
    """Quote a text, with a remark of the answer behind every ninth line."""
    return "\n".join(
        f"{line}\n\nI would not have played that.\n" if number % 9 == 0 else line
        for number, line in enumerate(_quoted(text).split("\n"), start=1)
    )


def _hits_with_x(text: str) -> str:
    return re.sub(r"(?<=[0-9])\*", "x", text)


def _bare_rolls(text: str) -> str:
    return re.sub(r"(?<=[ \t])([1-6]{2}):(?=\s|$)", r"\1", text)


def _numbers_in_brackets(text: str) -> str:
    return re.sub(r"(?m)^ *([0-9]+)\)", lambda row: f"({row[1]})".rjust(5), text)


def _numbers_before_colons(text: str) -> str:
    return re.sub(r"(?m)^( *[0-9]+)\)", r"\1:", text)


def _dice_with_slashes(text: str) -> str:
    return re.sub(r"(?<=[ \t])([1-6])([1-6]):(?=\s|$)", r"\1/\2:", text)


def _line_breaks_of_html(text: str) -> str:
    lines = (_entities(line).replace(" ", "&nbsp;") for line in text.split("\n"))
    return "<html><body><p>" + "<br>\n".join(lines) + "</p></body></html>"


def _blank_lines(text: str) -> str:
    return text.replace("\n", "\n\n")


def wrap_lines(text: str, width: int = 72) -> str:
    return "\n".join(part for line in text.split("\n") for part in _wrap(line, width))


def _wrap(line: str, width: int) -> Iterator[str]:
    while len(line) > width and " " in line[:width].strip():
        at = line.rindex(" ", 0, width + 1)
        yield line[:at]
        line = line[at + 1 :]
    yield line


def _wrapped_at_50(text: str) -> str:
    return wrap_lines(text, 50)


def _wrapped_at_60(text: str) -> str:
    return wrap_lines(text, 60)


def _closed_gaps(text: str) -> str:
    return _CLOSED.sub(r"\1 ", text)


def _word_arrows(text: str) -> str:
    return text.replace("=>", ARROW)


def _entities(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _page(text: str) -> str:
    return f"<html><body><pre>\n{_entities(text)}\n</pre></body></html>\n"


def _zero_width(text: str) -> str:
    return re.sub(r"(?m)^( *[0-9]+\))", rf"\1{ZERO_WIDTH}", text)


def _padded(text: str) -> str:
    return text + "\x1a" + "\0" * 80


def _quoted_printable(text: str) -> str:
    return quopri.encodestring(text.encode()).decode("ascii")


def _smart(text: str) -> str:
    return re.sub('"([^"\n]*)"', "\u201c\\1\u201d", text.replace("'", "\u2019"))


def _dashes(text: str) -> str:
    return text.replace("-", "\u2013")


def _full_width(text: str) -> str:
    rows = re.compile(r"(?m)^ *[0-9]+\).*$")
    wide = {ord(sign): chr(ord(sign) + 0xFEE0) for sign in "0123456789:/"}
    return rows.sub(lambda row: row.group().translate(wide), text)


def _narrow_spaces(text: str) -> str:
    return text.replace(" ", "\u2009")


def _marks(text: str) -> str:
    return re.sub(r"(?m)^( *[0-9]+\) [0-9]{2}: \S*[0-9])(?=  )", r"\1?!", text)


def _indented(text: str) -> str:
    return textwrap.indent(text, "    ")


def _stripped(text: str) -> str:
    return "\n".join(line.lstrip(" ") for line in text.split("\n"))


def _tab_for_each_gap(text: str) -> str:
    return re.sub(r" {2,}", "\t", text)


def _decomposed(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def _old_mac(text: str) -> str:
    return text.replace("\n", "\u2028")


def _fenced(text: str) -> str:
    return f"Hello,\n\nhere is the match:\n\n```\n{text}\n```\n\nThanks!\n"


def _forum(text: str) -> str:
    return f'[quote="Cy"]\n[code]{text}[/code]\n[/quote]\nWell played!\n'


def _by_cells(make_row: Callable[[str, str, str], str]) -> Form:
    """Return a form that writes the number and the cells of each row in another way."""
    rows = re.compile(r"(?m)^ *([0-9]+\))(?: {1,2}(\S.*?)?(?:  +|$)|  +)(?<!^)(\S.*)?$")

    def change(text: str) -> str:
        return rows.sub(lambda row: make_row(*(cell or "" for cell in row.groups())), text)

    return change


def _typed_row(label: str, left: str, right: str) -> str:
    """Return a row as people type it, such as `Move 3: 3x1 8 to 5, 6 to 5; 4x2 8 to 4, 6 to 4`."""
    cells = (re.sub("([1-6])([1-6]):", r"\1x\2", cell.rstrip()) for cell in (left, right))
    told = "; ".join(re.sub("(?<=[0-9*f]) (?=[0-9b])", ", ", cell) for cell in cells)
    told = re.sub("([1-6]x[1-6]),", r"\1", told).replace("/", " to ")
    return f"Move {label[:-1]}: {told}".rstrip(" ;")


def _escaped_for_markdown(text: str) -> str:
    return re.sub(r"(?m)^( *[0-9]+)\)", r"\1\\)", text.replace("*", r"\*"))


def _smiling(text: str) -> str:
    return re.sub(r"(?m)^( *[0-9]?)8\)", "\\1\U0001f60e", text)


def _line_numbers(text: str) -> str:
    return "\n".join(f"{number:6}\t{line}" for number, line in enumerate(text.split("\n"), 1))


def _before_each_line(mark: str) -> Form:
    return lambda text: "\n".join(mark + line for line in text.split("\n"))


def _diff(text: str) -> str:
    """Mark every fifth line as added, and the others as kept."""
    lines = enumerate(text.split("\n"))
    return "\n".join(("+" if number % 5 == 1 else " ") + line for number, line in lines)


def _boxed(text: str) -> str:
    return "\n".join(f"\u2502 {line:76} \u2502" for line in text.split("\n"))


def _doubled(text: str) -> str:
    return text.replace(" ", "  ")


def _lookalikes(text: str) -> str:
    text = re.sub(r"(?<=[0-9r])/(?=[0-9o])", "\u2044", text)
    return re.sub(r"(?<=[0-9]):|(?<= ):(?= )", "\u2236", re.sub(r"(?<=[0-9])\*", "\u2217", text))


def _ligatures(text: str) -> str:
    return text.replace("ff", "\ufb00")


def _string(text: str) -> str:
    return f'<body><script>\nshow({{"match": {json.dumps(text)}}});\n</script></body>'


def _strings(text: str) -> str:
    lines = ",\n".join(json.dumps(line) for line in text.split("\n"))
    return f"<body><script>\nshow([{lines}]);\n</script></body>"


def _loose(text: str) -> str:
    text = re.sub(r"(?m)^( *[0-9]+)\)", r"\1 )", text)
    return re.sub(r"\b([1-6]{2}):", r"\1 :", re.sub(r"(?<=[0-9r])/(?=[0-9o])", " / ", text))


def _table(text: str) -> str:
    row = "<tr><td>{}</td><td>{}</td><td>{}</td></tr>".format
    rows = _by_cells(row)(_entities(text)).split("\n")
    lines = (line if line.startswith("<") else f"<tr><td>{line}</td></tr>" for line in rows)
    return "<html><body><table>" + "\n".join(lines) + "</table></body></html>"


def _printed(text: str) -> str:
    lines = text.split("\n")
    return "\n".join(
        f"{line}\n\n      - {at // 9 + 1} -\n" if at % 9 == 8 else line
        for at, line in enumerate(lines)
    )


FORMS: dict[str, Form] = {
    "non-breaking spaces everywhere": _every_blank,
    "non-breaking spaces in pairs": _pairs,
    "non-breaking spaces in runs": _runs,
    "tabs of 8": _tabs,
    "leading tabs": _leading_tabs,
    "runs of spaces collapsed": _collapsed,
    "mail quotes": _quoted,
    "wrapped at 72": wrap_lines,
    "gap after a dance closed": _closed_gaps,
    "arrows": _word_arrows,
    "entities": _entities,
    "zero-width spaces": _zero_width,
    "NUL and ^Z": _padded,
    "mail quotes twice": _quoted_twice,
    "wrapped at 60": _wrapped_at_60,
    "wrapped at 50": _wrapped_at_50,
    "web page": _page,
    "quoted-printable": _quoted_printable,
    "curly quotes": _smart,
    "dashes": _dashes,
    "full-width digits": _full_width,
    "thin spaces": _narrow_spaces,
    "marks of plays": _marks,
    "indented": _indented,
    "line separators": _old_mac,
    "decomposed accents": _decomposed,
    "fenced": _fenced,
    "forum tags": _forum,
    "escaped for Markdown": _escaped_for_markdown,
    "smileys": _smiling,
    "line numbers": _line_numbers,
    "marks of a diff": _before_each_line("+"),
    "marks and blanks of a diff": _diff,
    "initials": _before_each_line("AB> "),
    "boxed": _boxed,
    "blanks doubled": _doubled,
    "look-alikes": _lookalikes,
    "ligatures": _ligatures,
    "string of a script": _string,
    "strings of a script": _strings,
    "loose signs": _loose,
    "page numbers": _printed,
    "tabs of 4": _tabs_of_4,
    "answers between quotes": _answered,
    "hits with x": _hits_with_x,
    "rolls without colons": _bare_rolls,
    "row numbers in brackets": _numbers_in_brackets,
    "row numbers before colons": _numbers_before_colons,
    "dice with slashes": _dice_with_slashes,
    "line breaks of HTML": _line_breaks_of_html,
    "blank lines between": _blank_lines,
    "typed rows": _by_cells(_typed_row),
}
"""Forms of a text, by name; the first thirteen are those that were met most."""

HARDER: dict[str, Form] = {
    "leading blanks stripped": _stripped,
    "a tab for each gap": _tab_for_each_gap,
    "cells of a table": _table,
    "cells with semicolons": _by_cells("{};{};{}".format),
    "cells with bars": _by_cells("| {} | {} | {} |".format),
}
"""Forms after which some winners are unknown; the benchmark measures them."""

PAIRS: tuple[str, ...] = tuple(
    f"{one} + {two}"
    for one, two in (
        ("non-breaking spaces in runs", "mail quotes"),
        ("tabs of 8", "mail quotes"),
        ("entities", "mail quotes"),
        ("wrapped at 72", "mail quotes"),
        ("arrows", "non-breaking spaces everywhere"),
        ("mail quotes", "quoted-printable"),
        ("runs of spaces collapsed", "arrows"),
        ("loose signs", "fenced"),
        ("mail quotes", "tabs of 4"),
        ("tabs of 4", "mail quotes"),
        ("mail quotes", "wrapped at 72"),
        ("hits with x", "mail quotes"),
        ("full-width digits", "mail quotes"),
        ("line numbers", "entities"),
        ("strings of a script", "curly quotes"),
        ("strings of a script", "wrapped at 50"),
        ("mail quotes twice", "boxed"),
        ("arrows", "wrapped at 50"),
        ("answers between quotes", "initials"),
        ("boxed", "rolls without colons"),
        ("mail quotes twice", "wrapped at 50"),
        ("marks of a diff", "wrapped at 50"),
        ("wrapped at 50", "marks and blanks of a diff"),
        ("initials", "wrapped at 60"),
        ("marks and blanks of a diff", "forum tags"),
        ("loose signs", "wrapped at 50"),
        ("wrapped at 50", "loose signs"),
        ("full-width digits", "wrapped at 50"),
        ("boxed", "wrapped at 50"),
        ("blanks doubled", "wrapped at 50"),
        ("line separators", "wrapped at 60"),
        ("string of a script", "wrapped at 60"),
        ("wrapped at 50", "hits with x"),
        ("wrapped at 50", "page numbers"),
        ("wrapped at 50", "blank lines between"),
        ("wrapped at 50", "answers between quotes"),
        ("typed rows", "wrapped at 50"),
        ("wrapped at 50", "boxed"),
        ("wrapped at 60", "mail quotes"),
        ("wrapped at 50", "look-alikes"),
        ("wrapped at 50", "runs of spaces collapsed"),
        ("non-breaking spaces in runs", "wrapped at 60"),
        ("non-breaking spaces in pairs", "row numbers before colons"),
    )
)
"""Two forms at once: the first, then the second."""


def paste(text: str, name: str) -> str:
    """Return a text in a form, or in two, one after the other (`one + two`)."""
    for one in name.split(" + "):
        text = (FORMS | HARDER)[one](text)
    return text
