"""Cells in other spellings: steps with hyphens or without a blank between them, a roll written twice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bganalyze.record.cleaning.hits import NUMBERED_ROW, POINT, find_in_cells
from bganalyze.record.cleaning.layers import Replacement

_STEP = rf"{POINT}[-/]{POINT}[*x]?(?:\([2-4]\))?"
_STEPS = re.compile(rf"(?<!\S)[1-6]{{2}}:(?P<steps>(?:[ \t]+{_STEP},?(?!\S))+)", re.IGNORECASE)
_HYPHEN_BEHIND_POINT = re.compile(
    r"-(?=[0-9bo])(?:(?<=[ \t][0-9]-)|(?<=[ \t][0-9]{2}-)|(?<=[ \t]bar-)|(?<=[ \t]off-))",
    re.IGNORECASE,
)
_BARE_ROLL = re.compile(
    rf"(?<=[ \t])(?<!>[ \t])(?<!to[ \t])(?P<open>[\[({{]?)[1-6](?:-|(?P<comma>,[ ]?))?[1-6](?P<close>[\])}}]?)(?P<gap>[ \t]+(?={POINT}[-/]|can(?:no|')?t\b|no[ \t]+(?:move|play)|dance|fan|\?\?)|(?=[ \t]{{2}}|[ \t]*$))",
    re.IGNORECASE | re.MULTILINE,
)
_TWICE = re.compile(
    r"(?:(?<![ \t])(?P<gap>[ \t]{8,})|^[ \t]*)(?P<again>(?P<roll>[1-6]{2}:)[ \t])(?P=roll)[ \t]*(?=[0-9b])",
    re.IGNORECASE,
)

LOOKALIKE_SIGNS = {
    "\u2044": "/",
    "\u2215": "/",
    "\u29f8": "/",
    "\u2217": "*",
    "\u204e": "*",
    "\u2731": "*",
    "\u00d7": "*",
    "\u2236": ":",
    "\ua789": ":",
    "\ufe55": ":",
    "\uff1a": ":",
}
"""The usual sign for each sign that looks like it."""
_LOOKALIKES = re.compile(f"[{''.join(LOOKALIKE_SIGNS)}]")
_LINE_OF_GAME = re.compile(
    f"^(?:[ \\t]*[0-9]{{1,3}}[.)]|[^\n;]{{0,200}}[{''.join(LOOKALIKE_SIGNS)}][ \\t]{{0,9}}[0-9]{{1,5}}(?:[ \\t]{{2,60}}[^\n:;]{{1,60}}:[ \\t]{{0,9}}[0-9]{{1,5}})?[ \\t]{{0,9}}$)[^\n;]*",
    re.MULTILINE,
)
_SMILEY = re.compile("^(?P<tens>[ \\t]*[0-9]{0,2})(?P<smiley>\U0001f60e\ufe0f?)", re.MULTILINE)
_BACKSLASH = re.compile(
    r"^[ \t]*[0-9]{1,3}(?P<label>\\)[.)]|(?<=[0-9f])(?P<star>\\)\*", re.MULTILINE | re.IGNORECASE
)
_LOOSE_ROW = re.compile(
    r"^[ \t]*[0-9]{1,3}(?P<gap>[ \t]?)[.)](?=[^\n]*(?:[1-6] :|[1-6](?:, ?|[ .])[1-6]:|[0-9r] ?/ [0-9o]))[^\n;]*"
    r"|^[ \t]*[0-9]{1,3}(?P<only_gap>[ \t])\)[^\n;]*",
    re.MULTILINE | re.IGNORECASE,
)
_LOOSE = re.compile(
    r"(?<=[0-9r])(?P<slash>[ \t]?/[ \t]?)(?=[0-9o])"
    r"|(?<=[ \t][1-6])(?P<between>[ .])(?=[1-6]:[ \t])"
    r"|(?<![0-9/])[1-6](?P<comma>,[ \t]?)(?=[1-6] ?:)|(?<=[ \t][1-6]{2})(?P<colon>[ \t])(?=:(?!\S))"
    r"|(?<=[ \t][1-6][,-][1-6])(?P<late_colon>[ \t])(?=:(?!\S))",
    re.IGNORECASE,
)

_LENGTH_LINE = r"[0-9]{1,4}[ \t-]?(?:points?|pts?)[ \t-]match\b"
_GAME_LINE = r"game[ \t]{1,3}[0-9]{1,4}\b"
_HEADINGS = tuple(
    (
        re.compile(rf"^[ \t]*{line}", re.IGNORECASE | re.MULTILINE),
        re.compile(
            rf"^[ \t]*(?P<before>#{{1,6}}[ \t]{{1,3}}|[*_]{{1,3}}){line}[^\n*_]{{0,80}}(?P<behind>[*_]{{0,3}})[ \t]*$",
            re.IGNORECASE | re.MULTILINE,
        ),
    )
    for line in (_LENGTH_LINE, _GAME_LINE)
)
"""The lines that a heading may state: how they look without and with Markdown's marks."""
_BULLET = re.compile(
    "^[ \t]*(?P<bullet>[-+*\u2022\u2023\u25aa\u25e6\u00b7][ \t]{1,3})(?=[0-9]{1,3}[.)][ \t])",
    re.MULTILINE,
)
_DICE = re.compile(
    "(?<=[ \t])(?P<one>[\u2680-\u2685])(?:\ufe0f?[ \t]?)(?P<two>[\u2680-\u2685])\ufe0f?(?:[ \t]?:)?"
)
_FIRST_DIE = 0x2680
_ROLL_IN_CELL = re.compile(
    r"^[ \t]*[0-9]{1,3}(?P<label>[.)]?)\t(?P<left>(?:[1-6]-?[1-6])?)(?P<left_tab>\t)[^\t\n]*"
    r"(?:\t(?P<right>(?:[1-6]-?[1-6])?)(?P<right_tab>\t)[^\t\n]*)?\t*$",
    re.MULTILINE,
)
"""A row of a spreadsheet whose rolls have cells of their own."""
_DASH = "[-\u2012-\u2015\u2212]"
_SET_OFF_DASHES = (" - ", "\u2013 ", "\u2014 ", "\u2212 ")
_SET_OFF_DASH = re.compile(rf"{_DASH}[ \t]{{1,9}}")
_DASHED_SCORE = re.compile(
    rf"^[ \t]*[^\W\d][^\n:]{{0,60}}?[ \t](?P<left>{_DASH})[ \t]{{1,9}}[0-9]{{1,4}}[ \t]{{2,99}}"
    rf"[^\W\d][^\n:]{{0,60}}?[ \t](?P<right>{_DASH})[ \t]{{1,9}}[0-9]{{1,4}}[ \t]{{0,99}}$",
    re.MULTILINE,
)
_SCORE_WITH_DASH = re.compile(
    rf"^[ \t]*game\b[^\n:]{{0,20}}\n\n?[ \t]*[^\W\d][^\n:;0-9]{{0,60}}?(?P<first>[ \t]{{1,9}})[0-9]{{1,4}}"
    rf"(?P<dash>[ \t]{{1,9}}{_DASH}[ \t]{{1,9}})[^\W\d][^\n:;0-9]{{0,60}}?(?P<second>[ \t]{{1,9}})[0-9]{{1,4}}[ \t]{{0,99}}$",
    re.IGNORECASE | re.MULTILINE,
)


def find_markdown_marks(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that remove Markdown marks of headings, bold text and list entries.

    >>> [part.start for part in find_markdown_marks("**5 point match**")]
    [0, 15]
    """
    found = [Replacement(*row.span("bullet"), "") for row in _BULLET.finditer(text)]
    for plain, marked in _HEADINGS:
        is_stated = plain.search(text) is not None
        for line in marked.finditer(text):
            if not (is_stated and "#" in line["before"]):
                spans = (line.span(name) for name in ("before", "behind"))
                found += (Replacement(start, end, "") for start, end in spans if start < end)
    return iter(sorted(found))


def find_score_dashes(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that turn score lines such as `Ann - 0 Bob - 2` into `Ann : 0 Bob : 2`.

    A line such as `Ann 0 - Bob 2` becomes the same.

    >>> text = "Ann - 0    Bob - 2"
    >>> [(text[part.start : part.end], part.new) for part in find_score_dashes(text)]
    [('-', ':'), ('-', ':')]
    """
    if not any(dash in text for dash in _SET_OFF_DASHES) or not _has_dash_beside_points(text):
        return
    for line in _DASHED_SCORE.finditer(text):
        yield Replacement(*line.span("left"), ":")
        yield Replacement(*line.span("right"), ":")
    for line in _SCORE_WITH_DASH.finditer(text):
        yield Replacement(*line.span("first"), " : ")
        yield Replacement(*line.span("dash"), "    ")
        yield Replacement(*line.span("second"), " : ")


def _has_dash_beside_points(text: str) -> bool:
    """Whether a dash stands beside a digit, as on a score line with dashes.

    >>> _has_dash_beside_points("Ann - 0"), _has_dash_beside_points("Ann - Bob")
    (True, False)
    """
    return any(
        text[dash.end() : dash.end() + 1].isdecimal()
        or text[max(dash.start() - 10, 0) : dash.start()].rstrip(" \t")[-1:].isdecimal()
        for dash in _SET_OFF_DASH.finditer(text)
    )


def find_lookalikes(text: str) -> Iterator[Replacement]:
    r"""Yield replacements of characters that only look like `/`, `*` or `:` by the real ones.

    >>> list(find_lookalikes("1) 31: 8\u20445"))
    [Replacement(start=8, end=9, new='/')]
    """
    if _LOOKALIKES.search(text) is None:
        return
    for line in _LINE_OF_GAME.finditer(text):
        for sign in _LOOKALIKES.finditer(text, *line.span()):
            yield Replacement(*sign.span(), LOOKALIKE_SIGNS[sign.group()])


def find_smileys(text: str) -> Iterator[Replacement]:
    r"""Yield replacements of the smiley U+1F60E, which a program wrote for `8)`, by `8)`.

    >>> list(find_smileys(" 1\U0001f60e 31: 8/5"))
    [Replacement(start=2, end=3, new='8)')]
    """
    for row in _SMILEY.finditer(text):
        yield Replacement(*row.span("smiley"), "8)")


def find_dice(text: str) -> Iterator[Replacement]:
    r"""Yield replacements of two pictures of dice (`⚂⚀`) by a roll (`31:`), in numbered rows.

    >>> [part.new for part in find_dice(" 1) \u2682\u2680 8/5 6/5")]
    ['31:']
    """
    for roll in find_in_cells(_DICE, text):
        dice = (str(ord(roll[die]) - _FIRST_DIE + 1) for die in ("one", "two"))
        yield Replacement(*roll.span(), f"{''.join(dice)}:")


def find_rolls_in_cells(text: str) -> Iterator[Replacement]:
    r"""Yield replacements of the tab after each roll by a colon, in rows of a spreadsheet.

    >>> text = "1\t31\t8/5 6/5\t42\t8/4 6/4"
    >>> [(text[part.start : part.end], part.new) for part in find_rolls_in_cells(text)]
    [('', ')'), ('\t', ': '), ('\t', ': ')]
    """
    rows = list(_ROLL_IN_CELL.finditer(text))
    if not any(row["left"] or row["right"] for row in rows):
        return
    for row in rows:
        if not row["label"]:
            yield Replacement(*row.span("label"), ")")
        for side in ("left", "right"):
            if row[side] is not None:
                yield Replacement(*row.span(f"{side}_tab"), ": " if row[side] else "")


def find_backslashes(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that remove Markdown's backslashes, as in `1\)`, in numbered rows.

    >>> next(find_backslashes("1\\) 31: 8/5"))
    Replacement(start=1, end=2, new='')
    """
    for escape in _BACKSLASH.finditer(text):
        yield Replacement(*escape.span("label" if escape["star"] is None else "star"), "")


def find_loose_signs(text: str) -> Iterator[Replacement]:
    """Yield replacements that remove blanks and commas inside row numbers, rolls and steps.

    >>> text = "1 ) 3,1 : 8 / 5"
    >>> [(text[part.start : part.end], part.new) for part in find_loose_signs(text)]
    [(' ', ''), (',', ''), (' ', ''), (' / ', '/')]
    """
    for row in _LOOSE_ROW.finditer(text):
        gap = "gap" if row["only_gap"] is None else "only_gap"
        if row[gap]:
            yield Replacement(*row.span(gap), "")
        for sign in _LOOSE.finditer(text, row.end(gap), row.end()):
            name = sign.lastgroup
            assert name is not None
            new = "/" if name == "slash" else ""
            if sign[name] != new:
                yield Replacement(*sign.span(name), new)


def find_bare_rolls(text: str) -> Iterator[Replacement]:
    """Yield replacements that put a colon after each roll, in a text without such colons.

    >>> next(find_bare_rolls(" 1) 31 8/5 6/5          42 bar/21 66/2"))
    Replacement(start=6, end=7, new=': ')
    """
    for roll in find_in_cells(_BARE_ROLL, text):
        if roll["open"]:
            yield Replacement(*roll.span("open"), "")
        if roll["comma"]:
            yield Replacement(*roll.span("comma"), "")
        yield Replacement(roll.start("close"), roll.end("gap"), f":{roll['gap']}")


def find_hyphens(text: str) -> Iterator[Replacement]:
    """Yield replacements of hyphens in steps, such as `8-5`, by `/`, in numbered rows.

    >>> next(find_hyphens(" 2) 33: 8-5 8-5 6-3* 6-3"))
    Replacement(start=9, end=10, new='/')
    """
    if _HYPHEN_BEHIND_POINT.search(text) is None:
        return
    for row in NUMBERED_ROW.finditer(text):
        if "-" in row["cells"]:
            for play in _STEPS.finditer(text, row.start("cells"), row.end()):
                for at in range(*play.span("steps")):
                    if text[at] == "-":
                        yield Replacement(at, at + 1, "/")


def find_repeated_rolls(text: str) -> Iterator[Replacement]:
    """Yield replacements that remove the first of two equal rolls before a play (`41: 41: 24/23`).

    >>> list(find_repeated_rolls(" 1)                41: 41: 24/23"))
    [Replacement(start=19, end=23, new='')]
    """
    for row in NUMBERED_ROW.finditer(text):
        cells = row["cells"]
        twice = _TWICE.search(cells)
        if twice is not None and (twice["gap"] or cells.count(":") > 2):
            start = row.start("cells") + twice.start("again")
            yield Replacement(start, start + len(twice["again"]), "")
