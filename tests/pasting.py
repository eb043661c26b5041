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


def _make_every_blank_non_breaking(text: str) -> str:
    return text.replace(" ", NBSP)


def _make_second_blanks_non_breaking(text: str) -> str:
    return text.replace("  ", f" {NBSP}")


def _make_runs_of_blanks_non_breaking(text: str) -> str:
    return re.sub(" {2,}", lambda run: NBSP * len(run.group()), text)


def _replace_blanks_by_tabs_of_8(text: str) -> str:
    return "\n".join(_unexpand(line, 8) for line in text.split("\n"))


def _replace_blanks_by_tabs_of_4(text: str) -> str:
    return "\n".join(_unexpand(line, 4) for line in text.split("\n"))


def _unexpand(line: str, width: int) -> str:
    """Replace runs of two blanks or more before a tab stop by a tab, as `unexpand -a` does."""
    parts = [line[at : at + width] for at in range(0, len(line), width)]
    return "".join(
        part.rstrip(" ") + "\t" if len(part) == width and part.endswith("  ") else part
        for part in parts
    )


def _indent_with_tabs(text: str) -> str:
    return "\n".join(
        "\t" * ((len(line) - len(line.lstrip(" "))) // 8)
        + " " * ((len(line) - len(line.lstrip(" "))) % 8)
        + line.lstrip(" ")
        for line in text.split("\n")
    )


def _collapse_blanks(text: str) -> str:
    return "\n".join(" ".join(line.split()) for line in text.split("\n"))


def _quote_lines(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() if line else ">" for line in text.split("\n"))


def _quote_lines_twice(text: str) -> str:
    return _quote_lines(_quote_lines(text))


def _quote_with_answers(text: str) -> str:
    """Quote a text, with a remark of the answer after every ninth line."""
    return "\n".join(
        f"{line}\n\nI would not have played that.\n" if number % 9 == 0 else line
        for number, line in enumerate(_quote_lines(text).split("\n"), start=1)
    )


def _mark_hits_with_x(text: str) -> str:
    return re.sub(r"(?<=[0-9])\*", "x", text)


def _remove_colons_of_dances(text: str) -> str:
    return re.sub(r"(?<=[ \t])([1-6]{2}):(?=\s|$)", r"\1", text)


def _put_row_numbers_in_brackets(text: str) -> str:
    return re.sub(r"(?m)^ *([0-9]+)\)", lambda row: f"({row[1]})".rjust(5), text)


def _put_colons_after_row_numbers(text: str) -> str:
    return re.sub(r"(?m)^( *[0-9]+)\)", r"\1:", text)


def _put_slashes_between_dice(text: str) -> str:
    return re.sub(r"(?<=[ \t])([1-6])([1-6]):(?=\s|$)", r"\1/\2:", text)


def _make_html_with_line_breaks(text: str) -> str:
    lines = (_escape_for_html(line).replace(" ", "&nbsp;") for line in text.split("\n"))
    return "<html><body><p>" + "<br>\n".join(lines) + "</p></body></html>"


def _insert_blank_lines(text: str) -> str:
    return text.replace("\n", "\n\n")


def wrap_lines(text: str, width: int = 72) -> str:
    """Return a text with its lines wrapped to at most `width` characters."""
    return "\n".join(part for line in text.split("\n") for part in _wrap_line(line, width))


def _wrap_line(line: str, width: int) -> Iterator[str]:
    """Yield the parts of a line, broken at blanks, with at most `width` characters if possible."""
    while len(line) > width and " " in line[:width].strip():
        at = line.rindex(" ", 0, width + 1)
        yield line[:at]
        line = line[at + 1 :]
    yield line


def _wrap_at_50(text: str) -> str:
    return wrap_lines(text, 50)


def _wrap_at_60(text: str) -> str:
    return wrap_lines(text, 60)


def _close_gaps_before_doubles(text: str) -> str:
    return _CLOSED.sub(r"\1 ", text)


def _use_arrow_characters(text: str) -> str:
    return text.replace("=>", ARROW)


def _escape_for_html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _make_html_page(text: str) -> str:
    return f"<html><body><pre>\n{_escape_for_html(text)}\n</pre></body></html>\n"


def _insert_zero_width_spaces(text: str) -> str:
    return re.sub(r"(?m)^( *[0-9]+\))", rf"\1{ZERO_WIDTH}", text)


def _append_control_characters(text: str) -> str:
    return text + "\x1a" + "\0" * 80


def _encode_quoted_printable(text: str) -> str:
    return quopri.encodestring(text.encode()).decode("ascii")


def _use_curly_quotes(text: str) -> str:
    return re.sub('"([^"\n]*)"', "\u201c\\1\u201d", text.replace("'", "\u2019"))


def _replace_hyphens_by_dashes(text: str) -> str:
    return text.replace("-", "\u2013")


def _use_full_width_digits(text: str) -> str:
    rows = re.compile(r"(?m)^ *[0-9]+\).*$")
    wide = {ord(sign): chr(ord(sign) + 0xFEE0) for sign in "0123456789:/"}
    return rows.sub(lambda row: row.group().translate(wide), text)


def _use_thin_spaces(text: str) -> str:
    return text.replace(" ", "\u2009")


def _add_marks_to_plays(text: str) -> str:
    return re.sub(r"(?m)^( *[0-9]+\) [0-9]{2}: \S*[0-9])(?=  )", r"\1?!", text)


def _indent_lines(text: str) -> str:
    return textwrap.indent(text, "    ")


def _strip_leading_blanks(text: str) -> str:
    return "\n".join(line.lstrip(" ") for line in text.split("\n"))


def _replace_gaps_by_tabs(text: str) -> str:
    return re.sub(r" {2,}", "\t", text)


def _decompose_accents(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def _use_line_separators(text: str) -> str:
    return text.replace("\n", "\u2028")


def _put_in_code_fence(text: str) -> str:
    return f"Hello,\n\nhere is the match:\n\n```\n{text}\n```\n\nThanks!\n"


def _put_in_forum_tags(text: str) -> str:
    return f'[quote="Cy"]\n[code]{text}[/code]\n[/quote]\nWell played!\n'


def _make_row_writer(make_row: Callable[[str, str, str], str]) -> Form:
    """Return a form that writes each row by `make_row`, from its number and its two cells."""
    rows = re.compile(r"(?m)^ *([0-9]+\))(?: {1,2}(\S.*?)?(?:  +|$)|  +)(?<!^)(\S.*)?$")

    def change(text: str) -> str:
        return rows.sub(lambda row: make_row(*(cell or "" for cell in row.groups())), text)

    return change


def _write_typed_row(label: str, left: str, right: str) -> str:
    """Return a row as people type it, such as `Move 3: 3x1 8 to 5, 6 to 5; 4x2 8 to 4, 6 to 4`."""
    cells = (re.sub("([1-6])([1-6]):", r"\1x\2", cell.rstrip()) for cell in (left, right))
    told = "; ".join(re.sub("(?<=[0-9*f]) (?=[0-9b])", ", ", cell) for cell in cells)
    told = re.sub("([1-6]x[1-6]),", r"\1", told).replace("/", " to ")
    return f"Move {label[:-1]}: {told}".rstrip(" ;")


def _escape_for_markdown(text: str) -> str:
    return re.sub(r"(?m)^( *[0-9]+)\)", r"\1\\)", text.replace("*", r"\*"))


def _replace_eights_by_smileys(text: str) -> str:
    return re.sub(r"(?m)^( *[0-9]?)8\)", "\\1\U0001f60e", text)


def _number_lines(text: str) -> str:
    return "\n".join(f"{number:6}\t{line}" for number, line in enumerate(text.split("\n"), 1))


def _make_prefixer(mark: str) -> Form:
    """Return a form that puts `mark` before each line."""
    return lambda text: "\n".join(mark + line for line in text.split("\n"))


def _mark_as_diff(text: str) -> str:
    """Mark every fifth line as added, and the others as kept."""
    lines = enumerate(text.split("\n"))
    return "\n".join(("+" if number % 5 == 1 else " ") + line for number, line in lines)


def _put_in_box(text: str) -> str:
    return "\n".join(f"\u2502 {line:76} \u2502" for line in text.split("\n"))


def _double_blanks(text: str) -> str:
    return text.replace(" ", "  ")


def _use_lookalike_signs(text: str) -> str:
    text = re.sub(r"(?<=[0-9r])/(?=[0-9o])", "\u2044", text)
    return re.sub(r"(?<=[0-9]):|(?<= ):(?= )", "\u2236", re.sub(r"(?<=[0-9])\*", "\u2217", text))


def _use_ligatures(text: str) -> str:
    return text.replace("ff", "\ufb00")


def _put_in_script_as_string(text: str) -> str:
    return f'<body><script>\nshow({{"match": {json.dumps(text)}}});\n</script></body>'


def _put_in_script_as_strings(text: str) -> str:
    lines = ",\n".join(json.dumps(line) for line in text.split("\n"))
    return f"<body><script>\nshow([{lines}]);\n</script></body>"


def _put_blanks_around_signs(text: str) -> str:
    text = re.sub(r"(?m)^( *[0-9]+)\)", r"\1 )", text)
    return re.sub(r"\b([1-6]{2}):", r"\1 :", re.sub(r"(?<=[0-9r])/(?=[0-9o])", " / ", text))


def _make_html_table(text: str) -> str:
    row = "<tr><td>{}</td><td>{}</td><td>{}</td></tr>".format
    rows = _make_row_writer(row)(_escape_for_html(text)).split("\n")
    lines = (line if line.startswith("<") else f"<tr><td>{line}</td></tr>" for line in rows)
    return "<html><body><table>" + "\n".join(lines) + "</table></body></html>"


def _insert_page_numbers(text: str) -> str:
    lines = text.split("\n")
    return "\n".join(
        f"{line}\n\n      - {at // 9 + 1} -\n" if at % 9 == 8 else line
        for at, line in enumerate(lines)
    )


FORMS: dict[str, Form] = {
    "non-breaking spaces everywhere": _make_every_blank_non_breaking,
    "non-breaking spaces in pairs": _make_second_blanks_non_breaking,
    "non-breaking spaces in runs": _make_runs_of_blanks_non_breaking,
    "tabs of 8": _replace_blanks_by_tabs_of_8,
    "leading tabs": _indent_with_tabs,
    "runs of spaces collapsed": _collapse_blanks,
    "mail quotes": _quote_lines,
    "wrapped at 72": wrap_lines,
    "gap after a dance closed": _close_gaps_before_doubles,
    "arrows": _use_arrow_characters,
    "entities": _escape_for_html,
    "zero-width spaces": _insert_zero_width_spaces,
    "NUL and ^Z": _append_control_characters,
    "mail quotes twice": _quote_lines_twice,
    "wrapped at 60": _wrap_at_60,
    "wrapped at 50": _wrap_at_50,
    "web page": _make_html_page,
    "quoted-printable": _encode_quoted_printable,
    "curly quotes": _use_curly_quotes,
    "dashes": _replace_hyphens_by_dashes,
    "full-width digits": _use_full_width_digits,
    "thin spaces": _use_thin_spaces,
    "marks of plays": _add_marks_to_plays,
    "indented": _indent_lines,
    "line separators": _use_line_separators,
    "decomposed accents": _decompose_accents,
    "fenced": _put_in_code_fence,
    "forum tags": _put_in_forum_tags,
    "escaped for Markdown": _escape_for_markdown,
    "smileys": _replace_eights_by_smileys,
    "line numbers": _number_lines,
    "marks of a diff": _make_prefixer("+"),
    "marks and blanks of a diff": _mark_as_diff,
    "initials": _make_prefixer("AB> "),
    "boxed": _put_in_box,
    "blanks doubled": _double_blanks,
    "look-alikes": _use_lookalike_signs,
    "ligatures": _use_ligatures,
    "string of a script": _put_in_script_as_string,
    "strings of a script": _put_in_script_as_strings,
    "loose signs": _put_blanks_around_signs,
    "page numbers": _insert_page_numbers,
    "tabs of 4": _replace_blanks_by_tabs_of_4,
    "answers between quotes": _quote_with_answers,
    "hits with x": _mark_hits_with_x,
    "rolls without colons": _remove_colons_of_dances,
    "row numbers in brackets": _put_row_numbers_in_brackets,
    "row numbers before colons": _put_colons_after_row_numbers,
    "dice with slashes": _put_slashes_between_dice,
    "line breaks of HTML": _make_html_with_line_breaks,
    "blank lines between": _insert_blank_lines,
    "typed rows": _make_row_writer(_write_typed_row),
}
"""Forms of a text, by name; the first thirteen are those that were met most."""

HARDER: dict[str, Form] = {
    "leading blanks stripped": _strip_leading_blanks,
    "a tab for each gap": _replace_gaps_by_tabs,
    "cells of a table": _make_html_table,
    "cells with semicolons": _make_row_writer("{};{};{}".format),
    "cells with bars": _make_row_writer("| {} | {} | {} |".format),
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
    """Return a text changed by the form of a name, or by two, one after the other (`one + two`)."""
    for one in name.split(" + "):
        text = (FORMS | HARDER)[one](text)
    return text
